"""The cost of a folder without a server: its size, seconds to open it, and saves by the number of games.

    python -m tests.benchmarks.folder

The tables are those of `tests/club.py`, put into the browser's database before the app starts.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import django
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.unlimited")
django.setup()  # before what writes a folder is loaded

from tests.browser.chromium import FLAGS, find_chromium  # noqa: E402
from tests.folders import Host, begin  # noqa: E402
from tests.outside import Site  # noqa: E402

GAMES = (10, 300, 1000)
SAVES = 15
PATIENCE = 600_000  # milliseconds
SETUP = """
import json, sys, django
from random import Random
django.setup()
from django.contrib.auth.models import User
from django.db import connection
from django.utils.timezone import now
from tests.club import fill_club
from tests.browser.nights import begin
owner = User.objects.create_user("club")
game = begin(fill_club(owner, Random(1), games=int(sys.argv[2]), at=now()), owner, 4)
seats = [player.id for player in game.state().players]
connection.cursor().execute("VACUUM INTO %s", [sys.argv[1]])
print(json.dumps([owner.pk, f"g/{game.code}/round/", seats]))
"""
SAVE = """async ([path, after, [closer, ...others]]) => {
  const hands = Object.fromEntries(others.map((player) => [`hand-${player}`, 0]));
  const body = new URLSearchParams({ after, key: `k${after}`, closer, closing: "out", ...hands });
  const began = performance.now();
  await fetch(path, { method: "POST", body, redirect: "manual" });
  return performance.now() - began;
}"""
BRING = """async ([path, file, release]) => {
  const bytes = new Uint8Array(await (await fetch(file)).arrayBuffer());
  const database = await new Promise((resolve) => {
    const request = indexedDB.open(`anotador ${path}`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    request.onsuccess = () => resolve(request.result);
  });
  const transaction = database.transaction("kept", "readwrite");
  transaction.objectStore("kept").put({ release, cookies: {}, bytes }, "book");
  await new Promise((resolve) => { transaction.oncomplete = resolve; });
  database.close();
}"""


def main() -> None:
    """Print all figures."""
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        above = Path(made, "host")
        site = Site(Path(made, "data"), Path(made, "static"))
        written = site.manage("folder", str(above / "cards"))
        assert 0 == written.returncode, written.stderr
        print(written.stdout.strip())
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        with _opened(browser, above) as (host, phone):
            page = phone.new_page()
            began = time.monotonic()
            begin(page, host.address(), "Ana\nBeto\nCaro")
            print(f"first table dealt after {time.monotonic() - began:.1f} s")
            held = page.evaluate("navigator.storage.estimate().then((found) => found.usage)")
            print(f"held in the browser's storage: {held / 10**6:.1f} MB")
        for games in GAMES:
            with _opened(browser, above) as (host, phone):
                _measure(host, phone, Path(made, str(games)), games)
        browser.close()


@contextmanager
def _opened(browser: Browser, above: Path) -> Iterator[tuple[Host, BrowserContext]]:
    """Start a host of the folder and a phone for the `with` block."""
    host, phone = Host(above), browser.new_context(locale="es-AR", has_touch=True)
    phone.set_default_timeout(PATIENCE)
    yield host, phone
    phone.close()
    host.stop()


def _measure(host: Host, phone: BrowserContext, made: Path, games: int) -> None:
    """Print the figures of a phone with this many games."""
    site = Site(made / "data", made / "static")
    done = site.manage("migrate", "-v0")
    assert 0 == done.returncode, done.stderr
    file = host.above / "cards" / "book.sqlite3"
    file.unlink(missing_ok=True)
    _owner, rounds, seats = site.asked(SETUP, str(file), str(games))
    page = phone.new_page()
    page.goto(f"{host.address()}manifest.webmanifest")  # a page of the origin without the app
    release = re.findall("engine-(\\w+).js", (host.above / "cards" / "index.html").read_text())[0]
    page.evaluate(BRING, ["/cards/", f"{host.address()}book.sqlite3", release])
    online_seconds = _launched(page, host)
    host.stop()
    offline_seconds = _launched(page, host)
    taken = [
        page.evaluate(SAVE, [f"{host.address()}{rounds}", after, seats]) for after in range(1, SAVES + 1)
    ]
    print(
        f"{games} games, {file.stat().st_size / 10**6:.1f} MB: first opened in {online_seconds:.1f} s, again without a"
        f" network in {offline_seconds:.1f} s; a save takes {median(taken):.0f} ms ({min(taken):.0f} to {max(taken):.0f})"
    )


def _launched(page: Page, host: Host) -> float:
    """Return the seconds until the first page shows the tables, no window being open before."""
    page.goto("about:blank")
    began = time.monotonic()
    page.goto(host.address())
    page.wait_for_selector("[data-saving]")
    return time.monotonic() - began


if __name__ == "__main__":
    main()
