"""The cost of the app that a phone carries: sizes, memory, and seconds to download it, open pages and save.

    python -m tests.benchmarks.pocket       # at this machine's speed
    python -m tests.benchmarks.pocket 4     # at a quarter of it, as on a phone

The demo table is served by `manage.py serve`. To slow Chromium down, its processes are stopped for three of
every four milliseconds, because the browser's own throttling leaves its workers at full speed.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from threading import Event, Thread

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import FLAGS, find_chromium
from tests.outside import Site

RUNS = 5
SAVES = 30
TURN = 0.012  # seconds
SETUP = """
import json, django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from games.models import Game
from tests.browser.nights import begin
client = Client()
client.force_login(User.objects.get(username="demo"))
game = Game.objects.exclude(ended_at=None)[0]
table = f"/t/{game.table.code}/"
pages = [f"/g/{game.code}/", f"{table}accounts/", f"{table}season/", f"{table}games/", f"/g/{game.code}/settlement/"]
begun = begin(game.table, User.objects.get(username="demo"), 4)
seats = [player.id for player in begun.state().players]
print(json.dumps([client.cookies["sessionid"].value, pages, f"/g/{begun.code}/round/", seats]))
"""
SAVE = """async ([path, after, [closer, ...others]]) => {
  const hands = Object.fromEntries(others.map((player) => [`hand-${player}`, 0]));
  const body = new URLSearchParams({ after, key: `k${after}`, closer, closing: "out", ...hands });
  const began = performance.now();
  await fetch(path, { method: "POST", body, redirect: "manual" });
  return performance.now() - began;
}"""
TAKEN = "[data-pocket] [data-drop]:not([hidden])"


def main() -> None:
    """Print all figures."""
    times = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site(Path(folder, "data"), Path(folder, "static"))
        for words in (["migrate", "-v0"], ["demo"], ["pocket", "--build"]):
            done = site.manage(*words)
            assert 0 == done.returncode, done.stderr
            print(done.stdout.strip())
        session, pages, rounds, seats = site.asked(SETUP)
        site.start()
        try:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
            page = _measure(browser, site, session, pages, times)
            with slowed(times):
                taken = [page.evaluate(SAVE, [rounds, after, seats]) for after in range(1, SAVES + 1)]
            print(
                f"recorded and kept for good: {median(taken):.0f} ms ({min(taken):.0f} to {max(taken):.0f})"
            )
            browser.close()
        finally:
            site.stop()


def _measure(browser: Browser, site: Site, session: str, pages: list[str], times: float) -> Page:
    """Print the figures of reading pages; return a page in a browser that carries the app."""
    phone = browser.new_context(base_url=f"http://localhost:{site.port}", locale="es-AR")
    phone.set_default_timeout(600_000)
    phone.add_cookies([{"name": "sessionid", "value": session, "url": f"http://localhost:{site.port}"}])
    page = phone.new_page()
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready")
    page.wait_for_timeout(3000)
    before = memory_used()
    with slowed(times):
        began = time.monotonic()
        page.locator("[data-take]").click()
        page.wait_for_selector(TAKEN)
        print(f"taken along in {time.monotonic() - began:.1f} s")
    held = page.evaluate("navigator.storage.estimate().then((found) => found.usage)")
    print(f"held in the browser's storage: {held / 10**6:.1f} MB")
    site.stop()
    with slowed(times):
        launches = [_launched(phone.new_page()) for _ in range(RUNS)]
    for what, taken in zip(("seconds", "seconds of a processor"), zip(*launches, strict=True), strict=True):
        print(f"first page of a launch: {median(taken):.2f} {what} ({min(taken):.2f} to {max(taken):.2f})")
    page = phone.new_page()
    _launched(page)
    print(f"memory of the browser: {before:.0f} MB, with the engine {memory_used():.0f} MB")
    with slowed(times):
        for turn in ("first", "again"):
            print(f"{turn}: " + ", ".join(f"{_tapped(page, path) * 1000:.0f} ms" for path in pages))
    return page


def _launched(page: Page) -> tuple[float, float]:
    """Return the seconds until the first page is shown, no other window being open, and the CPU seconds."""
    for other in page.context.pages:
        if other != page:
            other.close()
    before = _used()
    page.goto("/", wait_until="commit")
    page.wait_for_selector("h1 .seen")
    taken: float = page.evaluate("performance.now()")
    return taken / 1000, sum(used - before.get(process, 0) for process, used in _used().items())


def _used() -> dict[int, float]:
    """Return the CPU seconds that each process of the browser has used, by process id."""
    used = {}
    for process in _browsers():
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        used[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used


def _tapped(page: Page, path: str) -> float:
    """Return the seconds that a page takes when it is requested as htmx does after a tap."""
    script = """async (path) => {
      const began = performance.now();
      await (await fetch(path, { headers: { "HX-Request": "true", "HX-Boosted": "true" } })).text();
      return performance.now() - began;
    }"""
    taken: float = page.evaluate(script, path)
    return taken / 1000


def _browsers() -> list[int]:
    """Return the process ids of the browser that this program started."""
    browsers, waiting = [], [os.getpid()]
    while waiting:
        parent = waiting.pop()
        with suppress(OSError):
            children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            waiting += map(int, children)
            if b"--type=" in Path(f"/proc/{parent}/cmdline").read_bytes():
                browsers.append(parent)
    return browsers


def memory_used() -> float:
    """Return the browser's memory in megabytes; shared memory counts once."""
    rollups = [Path(f"/proc/{process}/smaps_rollup").read_text() for process in _browsers()]
    return sum(int(text.split("Pss:")[1].split()[0]) for text in rollups) / 1000


@contextmanager
def slowed(times: float) -> Iterator[None]:
    """Run the `with` block with the browser at this part of the machine's speed."""
    over = Event()

    def hold_back() -> None:
        while not over.is_set():
            _signal(signal.SIGSTOP)
            time.sleep(TURN * (1 - 1 / times))
            _signal(signal.SIGCONT)
            time.sleep(TURN / times)

    thread = Thread(target=hold_back)
    if times > 1:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if times > 1:
            thread.join()


def _signal(number: int) -> None:
    for process in _browsers():
        with suppress(ProcessLookupError):
            os.kill(process, number)


if __name__ == "__main__":
    main()
