"""Whole nights without a network on a phone that carries the app: everything is at the site once afterwards."""

from __future__ import annotations

import os
import random
import signal
from contextlib import suppress
from pathlib import Path
from threading import Timer

import pytest
from playwright.sync_api import Error, expect

from tests.browser.network import UNREACHED
from tests.browser.scorer import Scorer, seat_nobody, write_name
from tests.browser.test_pocket import BOOT, PATIENCE, UNSENT, take_along
from tests.outside import Site

ONLY_HERE = ".onlyhere"
SETUP = """
import json, django
django.setup()
from django.test import Client
from tests.tables import make_table, make_user
owner = make_user()
client = Client()
client.force_login(owner)
tables = [make_table(owner, name=name).code for name in ("Con red", "Sin red")]
print(json.dumps([client.cookies["sessionid"].value, *tables]))
"""
BOOKS = """
import json, sys, django
django.setup()
from games.models import Table
from games.scoring.text.writing import write_event
books = []
for code in sys.argv[1:]:
    table = Table.objects.get(code=code)
    games = [[write_event(event) for event in game.log()] for game in table.games.order_by("started_at")]
    paid = [[one.payer.slug, one.payee.slug, one.amount] for one in table.payments.order_by("pk")]
    books.append([sorted(member.slug for member in table.members.all()), games, paid])
print(json.dumps(books))
"""


TAKES = """
import json, sys, django
django.setup()
from games.play.recording import start_game
from tests.tables import loba, make_table, make_user
other = make_user("otilia")
table = make_table(other)
start_game(table, loba(table), key="k", by=other, code=sys.argv[1])
print(json.dumps(None))
"""
GAME = """
import json, sys, django
django.setup()
from games.models import Table
from tests.browser.nights import begin
table = Table.objects.get(code=sys.argv[1])
print(json.dumps(begin(table, table.grants.get().user).code))
"""
SAVE = """async ([game, after, key]) => {
  const hands = { "hand-beto": 0, "hand-caro": 0, "hand-dani": 0 };
  const body = new URLSearchParams({ after, key, closer: "ana", closing: "out", ...hands });
  const headers = { "HX-Request": "true", "HX-Boosted": "true" };
  return (await fetch(`/g/${game}/round/`, { method: "POST", body, headers })).ok;
}"""


@pytest.fixture
def site(tmp_path, carried):
    """A site in a process of its own, which offers the bundle."""
    site = Site(tmp_path / "data", carried)
    assert 0 == site.manage("migrate", "-v0").returncode
    site.start()
    yield site
    site.stop()


@pytest.fixture
def phone(open_phone, site, forgive):
    """The owner's phone, and the codes of two tables of the same four."""
    forgive(UNREACHED)
    session, online, away = site.asked(SETUP)
    address = f"http://localhost:{site.port}"
    context = open_phone(base_url=address, service_workers="allow", viewport={"width": 390, "height": 664})
    context.set_default_timeout(BOOT)
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    expect.set_options(timeout=BOOT)
    yield context, online, away
    expect.set_options(timeout=PATIENCE)


def a_round(scorer: Scorer, closer: str, *points: int) -> None:
    """Record a round in points, starting from the sheet."""
    scorer.begin_round(closer)
    scorer.enters(*points)
    scorer.saves()


def sit_down(scorer: Scorer, table: str, game: str, *names: str, guest: str = "") -> None:
    """Start a game from the home page."""
    page = scorer.page
    page.goto("/")
    scorer.tap(f"a[href='/t/{table}/new/']")
    if game != "loba_menos":
        scorer.tap("#game > summary")
        scorer.tap(f".games .chip:has([value={game}])")
        expect(page.locator("#game")).not_to_have_attribute("open", "")
    seat_nobody(page)
    for name in names:
        scorer.tap(f".chip[title='{name}']")
    if guest:
        write_name(scorer, guest)
    page.locator("#stake").fill("1000")
    if guest:
        scorer.tap("#house > summary")
        scorer.tap("button[name=preset][value=escalating]")
        expect(page.locator("select[name=option-reentry_price]")).to_have_value("linear")
    scorer.tap(".dock .go")
    expect(page.locator(".score")).to_be_visible()


def a_loba(scorer: Scorer, table: str) -> None:
    """Play Loba with a guest: Beto re-enters, an earlier round is corrected, Caro is left at the end."""
    sit_down(scorer, table, "loba_menos", "Ana", "Beto", "Caro", guest="Zoe")
    question = scorer.page.locator("h2.ask:visible")
    a_round(scorer, "ana", 60, 30, 12)
    a_round(scorer, "ana", 45, 9, 8)
    expect(question).to_contain_text("Beto")
    scorer.answers("reenter")
    a_round(scorer, "zoe", 12, 7, 3)
    a_round(scorer, "caro", 2, 1, 1)
    scorer.opens_cell("beto", 5)
    scorer.takes_back()
    scorer.counted(9)
    scorer.sees_what_changes()
    scorer.confirms()
    a_round(scorer, "caro", 95, 95, 95)
    expect(scorer.page.locator("h1")).to_contain_text("Caro")


def a_rematch_that_is_stopped(scorer: Scorer) -> None:
    """Start a rematch from the result, play a round and stop the game."""
    page = scorer.page
    scorer.tap(".dock form[action$='/rematch/'] .go")
    expect(page.locator(".score")).to_be_visible()
    scorer.begin_round("ana")
    scorer.enters(3, 4, 5)
    scorer.saves()
    scorer.tap("a[href$='/more/']")
    scorer.tap("#stop > summary")
    page.locator("#stop label.opt").first.tap()
    scorer.tap("#stop .go")
    expect(page.locator("#standings")).to_be_visible()


def a_chinchon(scorer: Scorer, table: str) -> None:
    """Play Chinchón: Ana cuts with seven melded cards, then Caro has a chinchón."""
    sit_down(scorer, table, "chinchon", "Ana", "Beto", "Caro")
    scorer.begin_round("ana")
    scorer.cuts("cards")
    scorer.holds_seven("4o 4c 4e 5o 6o 7o 8o")
    scorer.goes_on()
    scorer.holds_seven("1o 2o 3o 4b 10c 11c 12c")
    scorer.goes_on()
    scorer.counted(58)
    scorer.saves()
    scorer.begin_round("caro")
    scorer.cuts("chinchon")
    scorer.saves()
    expect(scorer.page.locator("#standings")).to_be_visible()


def pays(scorer: Scorer) -> None:
    """Tick off the first line of who pays whom."""
    scorer.page.locator("[id^=tick-]").first.tap()
    expect(scorer.page.locator("#payments .pay.done")).to_have_count(1)


def evening(scorer: Scorer, table: str) -> None:
    """Play the whole evening."""
    a_loba(scorer, table)
    a_rematch_that_is_stopped(scorer)
    a_chinchon(scorer, table)
    pays(scorer)


@pytest.mark.slow
def test_a_whole_night_without_the_site_is_there_once_and_the_same_as_with_it(phone, site):
    context, online, away = phone
    first = context.new_page()
    take_along(first)
    evening(Scorer(first), online)
    first.goto("/")
    first.wait_for_timeout(4000)  # the copy is asked for once the page is at rest
    site.stop()
    first.close()

    scorer = Scorer(page := context.new_page())
    a_loba(scorer, away)  # from the home screen's address on
    address = page.url
    page.close()
    scorer = Scorer(page := context.new_page())
    page.goto("/")
    scorer.tap(page.locator(".tile:has(.onlyhere)").first)
    expect(page.locator("h1 .onlyhere")).to_be_visible()
    a_rematch_that_is_stopped(scorer)
    second = context.new_page()
    second.goto("/")  # answered by the engine of the other window
    expect(second.locator(ONLY_HERE).first).to_be_visible()
    page.close()
    scorer = Scorer(second)
    a_chinchon(scorer, away)  # which leads now
    second.close()
    scorer = Scorer(page := context.new_page())
    page.goto("/")
    scorer.tap(page.locator(".tile:has(.onlyhere)").first)
    pays(scorer)
    assert [[], []] == site.asked(BOOKS, away)[0][1:]

    site.asked(TAKES, address.split("/")[4])
    comes_back(site)
    expect(page.locator(ONLY_HERE)).to_have_count(0)  # sent by itself
    there, here = site.asked(BOOKS, online, away)
    assert there == here
    page.goto(address)
    expect(page.locator("h1")).to_contain_text("Caro")
    assert address != page.url  # that code is another table's by now, and the game has one of its own
    assert 0 == site.manage("check_books").returncode
    page.goto("/")
    expect(page.locator(ONLY_HERE)).to_have_count(0)


def comes_back(site: Site) -> None:
    """Start the site again and wait until it answers."""
    try:
        site.start()
    except TimeoutError:
        site.request("GET", "/login/")


def kill(folder: Path) -> None:
    """Kill all processes of the browser with this profile folder."""
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if str(folder).encode() in process.read_bytes():
                os.kill(int(process.parent.name), signal.SIGKILL)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "times", [pytest.param(5, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.long)]
)
def test_whatever_was_acknowledged_is_there_however_often_the_browser_is_killed(
    chromium, site, tmp_path, times
):
    session, table, _other = site.asked(SETUP)
    game = site.asked(GAME, table)
    address, chance = f"http://localhost:{site.port}", random.Random(times)
    options = {"base_url": address, "service_workers": "allow", "locale": "es-AR", "has_touch": True}
    phone = chromium.open_at(tmp_path / "phone", **options)
    phone.set_default_timeout(BOOT)
    phone.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    take_along(phone.new_page())
    site.stop()
    acknowledged: list[str] = []
    for number in range(times + 1):
        phone.close()
        phone = chromium.open_at(tmp_path / "phone", **options)
        phone.set_default_timeout(BOOT)
        page = phone.new_page()
        page.goto(f"/g/{game}/")
        expect(page.locator(".score")).to_be_visible(timeout=BOOT)
        kept = page.evaluate(UNSENT)

        assert acknowledged == [key for key in kept if key in acknowledged]
        assert len(set(kept)) == len(kept)
        if number == times:
            break
        end = Timer(chance.uniform(0.1, 1.5), kill, [tmp_path / "phone"])
        end.start()
        with suppress(Error):
            while True:
                after = 1 + len(kept)
                key = f"round-{number}-{after}"
                assert page.evaluate(SAVE, [game, after, key])
                kept.append(key)
                acknowledged.append(key)
        end.join()
    comes_back(site)
    expect(page.locator(ONLY_HERE)).to_have_count(0, timeout=BOOT)
    assert [] == page.evaluate(UNSENT)
    phone.close()
    assert dict.fromkeys(kept, 1) == {key: times for key, times in site.keys().items() if key in set(kept)}
    assert times // 2 <= len(acknowledged)
