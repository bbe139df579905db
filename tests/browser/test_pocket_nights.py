"""Whole nights without a network on a phone that carries the app: afterwards everything is at the site
once.
"""

from __future__ import annotations

import random
from contextlib import suppress
from threading import Timer

import pytest
from playwright.sync_api import Error, Page, expect

from tests.browser.chromium import kill
from tests.browser.network import UNREACHED, Road
from tests.browser.scorer import Scorer, seat_nobody, until, write_name
from tests.browser.test_pocket import BOOT, PATIENCE, UNSENT, take_along
from tests.browser.test_rescue import save
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
    """Mark the first open payment as paid."""
    scorer.page.locator("[id^=tick-]").first.tap()
    expect(scorer.page.locator("#payments .pay.done")).to_have_count(1)


def evening(scorer: Scorer, table: str) -> None:
    """Play the whole evening."""
    a_loba(scorer, table)
    a_rematch_that_is_stopped(scorer)
    a_chinchon(scorer, table)
    pays(scorer)


def test_a_whole_night_without_the_site_is_there_once_and_equals_a_night_with_it(phone, site):
    context, online, away = phone
    first = context.new_page()
    take_along(first)
    evening(Scorer(first), online)
    first.goto("/")
    first.wait_for_timeout(4000)  # the copy is requested once the page is idle
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
    second.goto("/")  # answered by the other window's engine
    expect(second.locator(ONLY_HERE).first).to_be_visible()
    page.close()
    scorer = Scorer(second)
    a_chinchon(scorer, away)  # which is now the leader
    second.close()
    scorer = Scorer(page := context.new_page())
    page.goto("/")
    scorer.tap(page.locator(".tile:has(.onlyhere)").first)
    pays(scorer)
    assert [[], []] == site.asked(BOOKS, away)[0][1:]

    site.asked(TAKES, address.split("/")[4])
    site.comes_back()
    expect(page.locator(ONLY_HERE)).to_have_count(0)  # sent by itself
    there, here = site.asked(BOOKS, online, away)
    assert there == here
    page.goto(address)
    expect(page.locator("h1")).to_contain_text("Caro")
    # That code belongs to another table's game by now, and this game got another one.
    assert address != page.url
    assert 0 == site.manage("check_books").returncode
    page.goto("/")
    expect(page.locator(ONLY_HERE)).to_have_count(0)


@pytest.mark.django_db
@pytest.mark.parametrize("times", [5, pytest.param(100, marks=pytest.mark.long)])
def test_acknowledged_rounds_are_at_the_site_however_often_the_browser_is_killed(
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
    site.comes_back()
    expect(page.locator(ONLY_HERE)).to_have_count(0, timeout=BOOT)
    assert [] == page.evaluate(UNSENT)
    phone.close()
    assert dict.fromkeys(kept, 1) == {key: times for key, times in site.keys().items() if key in set(kept)}
    assert times // 2 <= len(acknowledged)


# --- a table that is opened without a network; more of its stories are in tests/engines/test_cabin.py -------------------

PEOPLE = """
import json, sys, django
django.setup()
from django.test import Client
from tests.tables import make_user
sessions = []
for name in sys.argv[1:]:
    client = Client()
    client.force_login(make_user(name))
    sessions.append(client.cookies["sessionid"].value)
print(json.dumps(sessions))
"""
CABIN = """
import json, django
django.setup()
from games.models import Table
tables = []
for table in Table.objects.filter(name="La cabaña"):
    keys = [record.key for game in table.games.all() for record in game.records.all()]
    tables.append([table.code, [grant.user.username for grant in table.grants.standing()], keys])
print(json.dumps(tables))
"""
INVITES = """
import json, sys, django
django.setup()
from django.contrib.auth.models import User
from games.models import Table
from tests.tables import let_in_as
let_in_as(User.objects.get(username="ana"), Table.objects.get(name="La cabaña"), "owner")
print(json.dumps(None))
"""
OPEN = """async () => {
  const people = { "new-1": "Ana", "new-2": "Beto", "new-3": "Caro", "new-4": "Dani" };
  const game = { key: "opened", shown: "loba_menos", variant: "loba_menos", "option-stake": 100 };
  const body = new URLSearchParams({ ...people, ...game, "table-name": "La cabaña", timezone: "America/Lima" });
  const headers = { "HX-Request": "true", "HX-Boosted": "true" };
  return (await fetch("/new/", { method: "POST", body, headers })).url;
}"""


def opens_a_table(page: Page, rounds: int) -> list[str]:
    """Open a table on the phone and record rounds; return the keys."""
    page.goto("/new/")
    expect(page.locator("[data-add] input")).to_be_visible(timeout=BOOT)
    game = page.evaluate(OPEN).split("/")[4]
    keys = [f"round-{after}" for after in range(1, rounds + 1)]
    for after, key in enumerate(keys, start=1):
        assert page.evaluate(SAVE, [game, after, key])
    return ["opened", *keys]


@pytest.mark.long
@pytest.mark.django_db
def test_a_table_of_a_browser_that_is_killed_while_it_sends_is_at_the_site_once(chromium, site, tmp_path):
    (session,) = site.asked(PEOPLE, "ana")
    address, chance = f"http://localhost:{site.port}", random.Random(3)
    options = {"base_url": address, "service_workers": "allow", "locale": "es-AR", "has_touch": True}
    phone = chromium.open_at(tmp_path / "phone", **options)
    phone.set_default_timeout(BOOT)
    phone.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    take_along(phone.new_page())
    site.stop()
    keys = opens_a_table(phone.new_page(), 30)
    phone.close()
    site.comes_back()
    for _kill in range(6):
        phone = chromium.open_at(tmp_path / "phone", **options)
        page = phone.new_page()
        end = Timer(chance.uniform(0.2, 1.2), kill, [tmp_path / "phone"])
        end.start()
        with suppress(Error):
            page.goto("/")
            page.evaluate("self.outbox.send()")
        end.join()
        with suppress(Error):
            phone.close()
    phone = chromium.open_at(tmp_path / "phone", **options)
    page = phone.new_page()
    page.goto("/")
    until(page, lambda: page.evaluate("Boolean(self.outbox)"))
    page.evaluate("self.outbox.send()")
    until(page, lambda: page.evaluate(UNSENT) == [])
    phone.close()
    ((_code, owners, recorded),) = site.asked(CABIN)
    assert (["ana"], keys) == (owners, recorded)
    assert 0 == site.manage("check_books").returncode


@pytest.mark.long
def test_a_rescue_file_with_a_table_that_two_phones_bring_twice_is_one_table(
    open_phone, site, forgive, tmp_path
):
    forgive(UNREACHED)
    forgive("status of 40[34]")
    address = f"http://localhost:{site.port}"
    road = Road(address)  # Ana's
    anas, beas, caros = (
        open_as(open_phone, place, session)
        for place, session in zip(
            (road.url, address, address), site.asked(PEOPLE, "ana", "bea", "caro"), strict=True
        )
    )
    take_along(anas)
    road.cut()
    keys = opens_a_table(anas, 3)
    anas.goto("/rescue/")
    file = save(anas, tmp_path)

    for phone in (beas, caros):
        phone.goto("/rescue/")
        phone.locator("#unsent-file").set_input_files(file)
        expect(phone.locator("[data-bring]")).to_be_visible()  # both have read it before one brings it
    expect(beas.locator("div[data-preview]")).to_contain_text("La cabaña")
    expect(beas.locator("div[data-preview]")).to_contain_text("La mesa nueva queda a tu cargo.")
    for phone in (beas, caros):
        phone.locator("[data-bring]").tap()
        expect(phone.locator("#rescue [data-outcome] p")).to_have_text("Quedó anotado.")
    for phone in (beas, caros):
        phone.goto("/rescue/")
        phone.locator("#unsent-file").set_input_files(file)
        expect(phone.locator("div[data-preview]")).to_contain_text("Ya está todo anotado.")
    ((_code, owners, recorded),) = site.asked(CABIN)
    assert (["bea"], keys) == (owners, recorded)

    road.mend()
    anas.goto("/conflicts/")  # whose table it was: nothing is lost, and nothing is recorded twice
    conflict = anas.locator("#conflicts article")
    expect(conflict.locator("[data-title]")).to_have_text("La cabaña")
    expect(conflict.locator("[data-why]")).to_contain_text("Pedile una invitación a quien está a cargo")
    site.asked(INVITES)
    conflict.locator("[data-choice=again]").tap()
    expect(anas.locator("#conflicts [data-none]")).to_be_visible()
    ((code, owners, recorded),) = site.asked(CABIN)
    assert (["bea", "ana"], keys) == (owners, recorded)
    anas.goto(f"/t/{code}/")
    expect(anas.locator("h1")).to_contain_text("La cabaña")
    road.close()
    assert 0 == site.manage("check_books").returncode


def open_as(open_phone, address: str, session: str) -> Page:
    """Open a page on another person's phone."""
    context = open_phone(base_url=address, service_workers="allow")
    context.set_default_timeout(BOOT)
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    page: Page = context.new_page()
    return page
