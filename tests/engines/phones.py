"""A phone of any engine: each call is a line to `driver.py`, which runs in its own venv.

phone = Phone(Engine("webkit"))
page = phone.open(site)
page.goto("/")
page.tap("[data-go]")
page.sees("#sheet .total", "29")
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.browser.scorer import plain

HERE = Path(__file__).parent
PYTHON = HERE.parents[1] / ".venv" / "engines" / "bin" / "python"
SCREEN = ("xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", "dbus-run-session", "--")
PATIENCE = 60.0  # seconds; a busy machine is slow, not wrong
VISITS = 3
TEXTS = """(selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.getClientRects().length).map((one) => one.innerText)"""


@dataclass(frozen=True)
class Engine:
    """A browser engine, and the program to drive."""

    name: str

    @property
    def program(self) -> str | None:
        """The path of the program, or None if it is not installed."""
        return shutil.which({"firefox": "firefox-esr", "webkit": "WebKitWebDriver"}[self.name])

    @property
    def missing(self) -> str:
        """The names of the programs that are not installed, or ""."""
        needed = {"the second venv": PYTHON.exists(), self.name: bool(self.program)}
        if self.name == "webkit":
            needed["xvfb"] = bool(shutil.which("xvfb-run") and shutil.which("dbus-run-session"))
        return ", ".join(name for name, is_there in needed.items() if not is_there)


class Phone:
    """A browser of one engine. `begin` resets it for another person."""

    def __init__(self, engine: Engine) -> None:
        screen = SCREEN if engine.name == "webkit" else ()
        command = [*screen, str(PYTHON), str(HERE / "driver.py"), engine.name, str(engine.program)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.engine = engine
        self.windows = 0

    def call(self, method: str, *given: Any) -> Any:
        """Return the driver's answer. Fail with its error if it reports one."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([method, *given]) + "\n")
        self._process.stdin.flush()
        lines = iter(self._process.stdout.readline, "")
        ended = '{"error": "the driver has ended"}'
        # A line that is not an object was printed by a program of the virtual screen.
        answer = json.loads(next((line for line in lines if line.startswith("{")), ended))
        if "error" in answer:
            raise AssertionError(f"{method} {given}: {answer['error']}")
        return answer["value"]

    def begin(self) -> None:
        self.call("begin")
        self.windows = 0

    def open(self, site: str) -> Page:
        self.call("open")
        self.windows += 1
        return Page(self, self.windows - 1, site)

    def complaints(self) -> list[str]:
        """Return the console errors of all windows."""
        return list(self.call("complaints"))

    def quit(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)


@dataclass(frozen=True)
class Page:
    phone: Phone
    window: int
    site: str

    def goto(self, path: str) -> None:
        self.phone.call("goto", self.window, self.site + path)

    def run(self, script: str, given: Any = None) -> Any:
        """Return the result of this JavaScript function."""
        return self.phone.call("run", self.window, script, given)

    def goto_under_worker(self, path: str) -> bool:
        """Open a path, repeatedly if necessary. Return whether the service worker took control."""
        for _try in range(VISITS):
            self.goto(path)
            end = time.monotonic() + PATIENCE / VISITS
            while time.monotonic() < end:
                if self.run("() => Boolean(navigator.serviceWorker.controller)"):
                    return True
                time.sleep(0.1)
        return False

    def tap(self, selector: str) -> None:
        """Tap the first visible element, once its page is active."""
        self.until(
            "(selector) => !document.body?.matches('.rests') && document.querySelector(selector) !== null",
            selector,
        )
        self.phone.call("tap", self.window, selector)

    def tap_twice(self, selector: str, gap: int) -> None:
        """Tap the first visible element, and the same place again after `gap` milliseconds."""
        self.until("() => !document.body?.matches('.rests')")
        self.phone.call("tap_twice", self.window, selector, gap)

    def taps(self, *selectors: str) -> None:
        for selector in selectors:
            self.tap(selector)

    def write(self, selector: str, text: str) -> None:
        self.phone.call("write", self.window, selector, text)

    def texts(self, selector: str) -> list[str]:
        """Return the visible texts of these elements."""
        return [plain(text) for text in self.run(TEXTS, selector)]

    def sees(self, selector: str, *texts: str) -> None:
        """Wait until these elements show these texts."""
        until(lambda: self.texts(selector) == [*texts], lambda: f"{self.texts(selector)}, not {texts}")

    def until(self, script: str, given: Any = None) -> None:
        """Wait until this JavaScript function returns something true."""
        until(lambda: self.run(script, given), lambda: script)


def until(holds: Callable[[], Any], reason: Callable[[], str], *, patience: float = PATIENCE) -> None:
    """Wait until it holds. While a page is being left, it does not answer."""
    end = time.monotonic() + patience
    while True:
        try:
            if holds():
                return
        except AssertionError:
            if time.monotonic() > end:
                raise
        if time.monotonic() > end:
            raise AssertionError(reason())
        time.sleep(0.1)
