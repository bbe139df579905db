"""Debian's Chromium, or another Chromium on this machine, driven by Playwright.

with sync_playwright() as playwright:
    chromium = Chromium(playwright, find_chromium())
    phone = chromium.open(base_url=address)
    chromium.close(phone)
    chromium.quit()
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from pathlib import Path
from threading import Timer
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Playwright

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
PLACES = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
FLAGS = (
    "--no-sandbox",  # it does not work for root
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--no-first-run",
    # A request to any other host fails, as in a house without internet. mesa.casa is a computer in that
    # house, reached over plain HTTP.
    "--host-resolver-rules=MAP mesa.casa 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)
PATIENCE = 60  # seconds


def find_chromium() -> str | None:
    """Return the path of a Chromium on this machine: CHROME_PATH, or the first one installed."""
    paths = [os.environ.get("CHROME_PATH"), *map(shutil.which, NAMES), *filter(os.path.exists, PLACES)]
    return next(filter(None, paths), None)


class Chromium:
    """One browser shared by all phones. If it had to be killed, the next phone starts another."""

    def __init__(self, playwright: Playwright, path: str) -> None:
        self._playwright = playwright
        self._path = path
        self._browser: Browser | None = None
        self.process = 0

    def open(self, **options: Any) -> BrowserContext:
        """Open a phone with its own cookies. The options are those of Playwright's `new_context`."""
        if self._browser is None or not self._browser.is_connected():
            self._browser = self._playwright.chromium.launch(executable_path=self._path, args=FLAGS)
            processes = self._browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")[
                "processInfo"
            ]
            self.process = next(process["id"] for process in processes if process["type"] == "browser")
        return self._browser.new_context(**options)

    def open_at(self, folder: Path, **options: Any) -> BrowserContext:
        """Open a separate browser that keeps its profile in this folder."""
        browsers = self._playwright.chromium
        return browsers.launch_persistent_context(folder, executable_path=self._path, args=FLAGS, **options)

    def close(self, phone: BrowserContext) -> None:
        """Close the phone. If it does not answer, as happens on a busy machine, kill the whole browser."""
        end = Timer(PATIENCE, os.kill, (self.process, signal.SIGKILL))
        end.start()
        with contextlib.suppress(Error):  # the browser was killed
            phone.close()
        end.cancel()

    def quit(self) -> None:
        if self._browser is not None:
            self._browser.close()


def kill(profile: Path) -> None:
    """Kill all processes of the browser with this profile folder, as a phone does when memory runs out."""
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if str(profile).encode() in process.read_bytes():
                os.kill(int(process.parent.name), signal.SIGKILL)
