"""The cost of a tap on the card pad until its effect is shown, on a processor slowed down to a quarter.

It is read from Chromium's trace: the processor time of the page's main thread from the click to the commit of
the frame that shows the card, with the script, the layout and the painting. Other work on the machine does
not count. Every kind of hand is measured, also Chinchón with eight players; the pages are served by
`manage.py serve`.

    python -m tests.benchmarks.pad
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.goals import say
from tests.benchmarks.served import manage, served, settings_in
from tests.browser.chromium import find_chromium

SLOWER, GOAL, ROUNDS = 4, 50.0, 8
PAUSE = 200  # milliseconds
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "locale": "es-AR",
}

# Run inside a shell of the project: a game of each kind just begun, and a session of who keeps its score.
SETUP = """
import json
from django.contrib.auth.models import User
from django.test import Client
from games.people.members import add_member
from games.people.tables import open_table
from games.play import recording as services
from games.scoring.events import GameStarted, Player
owner = User.objects.create_user("olga")
table = open_table(
    owner, "Pad", unit="$", decimals=0, language="es-ar", timezone="America/Argentina/Buenos_Aires"
)
for name in ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gaby", "Hugo"):
    add_member(table, name)
people = tuple(Player(member.slug, member.name) for member in table.members.all())
codes = {}
for variant, seats, options in (
    ("loba_menos", 5, ()), ("carioca_cl", 5, (("buy_points", 5),)), ("loba_mas", 5, ()), ("chinchon", 8, (("packs", 2),))
):
    event = GameStarted(variant, options, people[:seats])
    codes[variant] = services.start_game(table, event, key=variant, by=owner).code
client = Client()
client.force_login(owner)
print(json.dumps({"codes": codes, "cookie": client.cookies["sessionid"].value}))
"""

# What a page does between a click and the frame that shows it.
WORK = ("EventDispatch", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit")

# By game: what is tapped first, and then again and again.
TAPS = {
    "loba_menos": ((), ("[data-card='K']", "[data-card='7']", "[data-card='*']", "[data-erase]:visible")),
    "carioca_cl": (
        ("[data-go]",),
        ("[data-card='K']", "[data-buy='1']", "[data-card='10']", "[data-erase]:visible"),
    ),
    "loba_mas": (
        ("[data-card='9']", "[data-card='K']", "[data-mode=run]", "[data-place='2']", "[data-place='6']"),
        ("[data-place='9']", "[data-place='13']", "[data-turn='1']", *["[data-erase]:visible"] * 2),
    ),
    "chinchon": (
        ("[data-points='3']", "[data-way=seven]"),
        (
            "[data-card='5']",
            "[data-suit=b]",
            "[data-card='7']",
            *["[data-erase]:visible"] * 2,
            "[data-suit=o]",
        ),
    ),
}


def main() -> int:
    """Print the figure and the goal of each kind of hand; return the exit code, 1 if a goal is missed."""
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_in(folder)
        manage(settings, "migrate", "--verbosity", "0")
        fixtures = json.loads(manage(settings, "shell", "-v", "0", "-c", SETUP).splitlines()[-1])
        with served(settings) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
            )
            phone = browser.new_context(base_url=address, service_workers="block", **PHONE)
            phone.add_cookies([{"name": "sessionid", "value": fixtures["cookie"], "url": address}])
            reached = [
                _report(variant, _times(browser, phone.new_page(), code, variant))
                for variant, code in fixtures["codes"].items()
            ]
            browser.close()
    return 0 if all(reached) else 1


def _times(browser: Browser, page: Page, code: str, variant: str) -> list[float]:
    """Return the milliseconds of processor time of each tap."""
    before, again = TAPS[variant]
    page.goto(f"/g/{code}/round/?closer=ana")
    page.locator("#entry[data-ready]").wait_for()
    for target in before:
        page.locator(target).first.tap()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    browser.start_tracing(
        page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"]
    )
    for target in again * ROUNDS:
        page.locator(target).first.wait_for()
        page.wait_for_timeout(PAUSE)  # no thumb is quicker, and by then the response to the last tap has come
        box = page.locator(target).first.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(PAUSE)
    events = sorted(json.loads(browser.stop_tracing())["traceEvents"], key=itemgetter("ts"))
    clicks = [event for event in events if _is_click(event)]
    return [sum(_work_until_seen(events, click)) for click in clicks]


def _is_click(event: Mapping[str, Any]) -> bool:
    kind: str = event.get("args", {}).get("data", {}).get("type", "")
    return event["name"] == "EventDispatch" and kind == "click"


def _work_until_seen(events: Sequence[Mapping[str, Any]], click: Mapping[str, Any]) -> Iterator[float]:
    """Yield the milliseconds of each task of the page's thread, from the click to the commit of its frame."""
    yield click["tdur"] / 1000  # it includes a layout that the script itself forces
    over = click["ts"] + click["dur"]
    for event in events:
        is_later = event["ts"] >= over and event["tid"] == click["tid"] and event["pid"] == click["pid"]
        if is_later and event["name"] in WORK[1:] and "tdur" in event:
            yield event["tdur"] / 1000
            if event["name"] == WORK[-1]:
                return


def _report(variant: str, times: list[float]) -> bool:
    *_most, most = quantiles(times, n=10)
    say(
        f"a tap of {variant} is shown in {GOAL:.0f} ms, CPU ÷ {SLOWER}",
        f"{median(times):.0f} ms in the middle, nine of ten in {most:.0f} ms, {max(times):.0f} ms at most, of {len(times)}",
        met=most <= GOAL,
    )
    return most <= GOAL


if __name__ == "__main__":
    raise SystemExit(main())
