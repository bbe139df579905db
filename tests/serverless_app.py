"""The app in a folder without a server, for tests: its files, a host for them, and one person's actions."""

from __future__ import annotations

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from django.db import connection

from games.management import backups, bundle, static_site

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROJECT = "https://example.org/anotador"
BOOT = 180_000  # milliseconds; a busy machine is slow, not wrong
POST = """async ([path, changes]) => {
  let page = await (await fetch(path)).text();
  for (const asked of [{}, { confirm: "yes" }]) {
    const form = new DOMParser().parseFromString(page, "text/html").querySelector("form:has([name=key])");
    const body = new URLSearchParams(new FormData(form));
    for (const [name, value] of Object.entries({ ...changes, ...asked })) body.set(name, value);
    const answer = await fetch(path, { method: "POST", body, redirect: "manual" });
    if (answer.type === "opaqueredirect") return "recorded";
    page = await answer.text();
  }
  return page;
}"""


class FolderRequestHandler(SimpleHTTPRequestHandler):
    """Python's file server without a log. For a missing file it sends the folder's own page, as many hosts
    do.
    """

    def do_GET(self) -> None:
        if Path(self.translate_path(self.path)).exists():
            super().do_GET()
            return
        page = Path(self.directory, urlsplit(self.path).path.split("/")[1], "404.html")
        content = page.read_bytes() if page.exists() else b""
        self.send_response(404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        pass


class StaticHost:
    """A static host on localhost, which a test may stop."""

    def __init__(self, above: Path) -> None:
        self.above = above
        self._server = ThreadingHTTPServer(("localhost", 0), partial(FolderRequestHandler, directory=above))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.is_running = True

    def address(self, path: str = "cards") -> str:
        return f"http://localhost:{self._server.server_port}/{path}/"

    def stop(self) -> None:
        if self.is_running:
            self._server.shutdown()
            self._server.server_close()
        self.is_running = False


def copy_empty_database(folder: Path) -> Path:
    """Return a file with a migrated database without rows, copied from the test database."""
    file = folder / "empty.sqlite3"
    backups.copy_database(Path(connection.settings_dict["NAME"]), file)
    return file


def write_app(folder: Path, *, later: bool = False) -> Path:
    """Write the app into this folder, as the current release or a later one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle, "create_database", copy_empty_database)
        if later:
            app = bundle.app_files
            patch.setattr(bundle, "app_files", lambda: [*app(), ("games/later.txt", b"a later release")])
        static_site.write_folder(folder, project=PROJECT)
    return folder


def copy_app(above: Path, to: Path, *names: str) -> Path:
    """Copy the app into this folder once for each name."""
    for name in names:
        shutil.copytree(above / "cards", to / name)
    return to


def start_first_game(page: Page, address: str, names: str) -> str:
    """Type the first names before the engine is ready, deal, and return the address of the game."""
    page.goto(address)
    form = page.locator("form:not([hidden])")
    form.locator("[name=people]").fill(names)
    form.locator("button.go").tap()
    return deal(page)


def deal(page: Page) -> str:
    """Deal once the engine is ready, and return the address of the game."""
    page.wait_for_url("**/new/?*", timeout=BOOT)
    page.locator(".dock .go").tap()
    page.wait_for_url("**/g/*/", timeout=BOOT)
    return page.url.partition("?")[0]
