"""A night at the table, on Firefox and WebKit at 390×664. `money/test_stories.py` has stories of a table's money."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.browser.foreign_network import PROGRAM
from tests.browser.game_setup import begin, begin_with_rising_stake, play
from tests.browser.offline_steps import CACHED, IS_KEPT, IS_UPDATED
from tests.browser.test_sending import PICTURE, SEND, SHARE_SHEET, SHARED_PICTURE, WIDE
from tests.browser.test_translated import TRANSLATE
from tests.browser.test_watching import LATER
from tests.engines.conftest import open_under_worker
from tests.engines.phones import until
from tests.server_processes import NEXT_STYLES

pytestmark = pytest.mark.slow

GO = "[data-go]"
READY = "() => Boolean(document.querySelector('#entry[data-ready]'))"
TOTALS = ".score .total"
WAITS = "(count) => document.querySelectorAll('#waiting:not([hidden]) [data-items] > li').length === count"
NO_SHARE_SHEET = """
    const copy = async (text) => { window.copied = text; };
    Object.defineProperty(navigator, "share", { value: undefined, configurable: true });
    Object.defineProperty(navigator, "clipboard", { value: { writeText: copy }, configurable: true });
"""


@pytest.fixture
def game(table, owner):
    """A game of four at $10 each. Beto has 60 points."""
    return begin_with_rising_stake(table, owner)


def sees_totals(page, *totals):
    """Wait for the sheet with these totals, in seat order."""
    first = "(selector) => [...document.querySelectorAll(selector)].map((one) => /^[−\\d.]*/.exec(one.innerText.trim())[0])"
    until(lambda: page.run(first, TOTALS) == [*totals], lambda: f"{page.run(first, TOTALS)}, not {totals}")


def begin_round(page, closer):
    """Tap the face of the closer on the sheet."""
    page.tap(f".closers [data-closer={closer}]")
    page.until(READY)


def tap_cards(page, cards):
    """Tap these cards on the open hand, switching from digits if necessary."""
    if page.texts("[data-digits]"):
        page.tap("[data-way]")
    page.taps(*(f"[data-card='{card}']" for card in cards.split()))


def open_new(page, path):
    """Open a path until the site's page is shown: while its answer is late, a copy is."""

    def is_new():
        page.goto(path)
        return page.run("() => !('seen' in document.querySelector('main').dataset)")

    until(is_new, lambda: f"only a copy of {path} is shown")


def type_points(page, points):
    if not page.texts("[data-digits]"):
        page.tap("[data-way=digits]")
    page.taps(*(f"[data-digit='{digit}']" for digit in str(points)))


def open_cached_sheet(phone, site, address=""):
    """Open the sheet of the site's only game, and wait until the phone is ready for a dead spot."""
    (seat,) = site.create_phones(1)
    sheet = f"/g/{seat.games[0]}/"
    page = open_under_worker(phone, address or f"http://127.0.0.1:{site.port}", seat.session)
    page.goto(sheet)
    page.until(IS_KEPT, [f"{page.site}/", page.site + sheet, f"{page.site}{sheet}round/"])
    return page, sheet


def save_round_and_begin_next(page):
    """Enter a round closed by Caro, and open the next one, in which Dani goes out."""
    begin_round(page, "caro")
    for hand in ("5", "9", "8"):
        type_points(page, hand)
        page.tap(GO)
    page.taps("#waiting [data-next]", ".seat[data-seat=dani]")


@pytest.mark.parametrize(
    "browser", [pytest.param("firefox", marks=pytest.mark.long), "webkit"], indirect=True, scope="session"
)
def test_a_new_game_with_a_round_a_re_entry_and_a_correction_has_the_expected_totals(page):
    page.goto("/")
    page.tap(".dock a.go")
    for name in ("Ana", "Beto", "Caro", "Dani"):
        page.write("[data-add] input", name)
        page.tap("[data-add] button")
    page.taps("[data-to='1000']", ".dock .go")
    page.sees("[data-now=pot]", "$ 4.000")

    begin_round(page, "ana")
    tap_cards(page, "K 9 4")
    page.sees("[data-sum] b", "23")
    page.tap(GO)
    tap_cards(page, "Q J 7 2")
    page.tap(GO)
    tap_cards(page, "5 3")
    page.tap(GO)
    sees_totals(page, "0", "23", "29", "8")

    begin_round(page, "dani")
    type_points(page, 21)
    page.tap(GO)
    type_points(page, 90)
    page.tap(GO)
    type_points(page, 31)
    page.tap(GO)
    page.sees(".ask", "¿Se reengancha Beto?")
    page.tap("button[value=reenter]")
    sees_totals(page, "21", "60", "60", "8")

    page.tap("a.cell[href$='/correct/2/?hand=caro']")
    page.until(READY)
    page.taps("[data-held='0']", GO, "button[name=confirm]")
    sees_totals(page, "21", "50", "50", "8")


OTHERS = """
import django
django.setup()
from games.models import Game
from games.play.services.recording import record
from games.scoring.text.notation import parse_line
game = Game.objects.get()
owner = game.table.accesses.get().user
for line in ("round caro out ana=5 beto=9 dani=8", "round beto out ana=4 caro=4 dani=4"):
    record(game, *parse_line(line), after=game.records.count(), key=line, by=owner)
print("[]")
"""
CLOSERS = (
    "SELECT json_extract(data, '$.closer') FROM games_record WHERE kind = 'round_played' ORDER BY number"
)
OFFERS = "SELECT player, hand FROM games_offer"


def rows(site, query):
    with closing(sqlite3.connect(site.folder / "db.sqlite3")) as database:
        return database.execute(query).fetchall()


IS_NEW = f"() => Boolean(document.querySelector('link[href$=\"{NEXT_STYLES}\"]'))"


@pytest.mark.long
def test_a_dead_spot_in_mid_game_ends_with_every_round_once_and_a_question_about_what_differs(
    phone, site, tmp_path
):
    """The server is stopped. Two rounds are entered and the window is reopened, where the queue can be
    copied. Meanwhile another phone recorded the first round too, and then another one. A new version is
    installed.
    """
    page, sheet = open_cached_sheet(phone, site)
    site.stop()
    save_round_and_begin_next(page)
    tap_cards(page, "A")
    page.tap(GO)
    for hand in ("2", "3"):
        type_points(page, hand)
        page.tap(GO)
    page.until(WAITS, 2)

    page = phone.open(page.site)
    page.goto("/")
    page.run(f"() => {{ {NO_SHARE_SHEET} }}")
    page.until("() => document.querySelector('#kept:not([hidden]) textarea')?.value.includes('\\n')")
    page.taps("#kept summary", "#kept [data-share]")
    page.until("() => window.copied")
    first, second = page.run("() => window.copied").splitlines()
    assert "Mano 1 · Caro salió · Ana 5 · Beto 9 · Dani 8" in first
    assert "Mano 2 · Dani salió · Ana [A] · Beto 2 · Caro 3" in second
    page.goto(sheet)
    page.until(WAITS, 2)

    site.run_program(OTHERS)
    site.install_next_version(tmp_path / "another")
    site.start()
    page.until("() => document.querySelectorAll('#waiting .wrong').length === 2")
    page.until(WAITS, 1)
    open_new(page, f"{sheet}round/")
    page.until(IS_NEW)
    page.tap("#waiting li a")
    page.until(
        "() => document.querySelector('#entry[data-step=hands] [data-seat=caro] b')?.innerText === '3'"
    )
    page.tap(GO)
    sees_totals(page, "19", "11", "7", "12")
    assert [("caro",), ("beto",), ("dani",)] == rows(site, CLOSERS)


# Start changing the phone's storage and never finish.
WRITES = """() => new Promise((resolve) => {
  const ask = (store) => { store.get("x").onsuccess = ({ target }) => { resolve(); ask(target.source); }; };
  self.openDisk("waiting")("readwrite", ask).catch(() => {});
})"""
READS = """() => Promise.race([
  self.box.unsent("x").then(() => true),
  new Promise((resolve) => setTimeout(resolve, 5000, false)),
])"""


SHUTS_OUT = """
import django
django.setup()
from games.common.locks import bump_revision
from games.models import Table
from django.db import transaction
with transaction.atomic():
    table = Table.objects.get()
    table.accesses.all().delete()
    bump_revision(table)
print("[]")
"""


@pytest.mark.long
def test_a_page_that_is_open_while_a_new_version_takes_over_is_there_in_a_dead_spot_until_its_access_ends(
    phone, site, tmp_path
):
    page, sheet = open_cached_sheet(phone, site)
    page.goto("/")
    accounts = page.run("() => document.querySelector('.tabs [href$=\"/accounts/\"]').pathname")
    page.goto(accounts)
    page.until(IS_KEPT, [page.site + accounts])
    (old,) = page.run("async () => (await caches.keys()).filter((name) => name.startsWith('files-'))")
    page.run(WRITES)  # the phone's storage does not answer meanwhile
    site.stop()
    site.install_next_version(tmp_path / "another")
    site.start()
    page.until(IS_UPDATED, old)
    page.until(IS_KEPT, [page.site + accounts])
    site.stop()
    page.goto(accounts)
    page.until("() => Boolean(document.querySelector('main .seen'))")

    site.start()
    page.goto(sheet)
    page.until(IS_KEPT, [page.site + sheet])
    site.stop()
    site.run_program(SHUTS_OUT)
    site.start()
    page.sees("h1", "Acá no hay nada")  # the open page itself reloads
    until(lambda: {"/"} >= {*page.run(CACHED)}, lambda: f"{page.run(CACHED)} are on the phone")


# browser/test_foreign_network.py has all ways.
@pytest.mark.long
def test_while_the_network_answers_for_the_site_a_round_waits_and_an_update_takes_no_copy_away(
    phone, site, site_network, tmp_path
):
    page, sheet = open_cached_sheet(phone, site, site_network.url)
    for number, way in enumerate(("page", "forbidden"), start=1):
        begin_round(page, "caro")
        for hand in ("5", "9"):
            type_points(page, hand)
            page.tap(GO)
        type_points(page, "8")
        site_network.answer(way)
        page.tap(GO)
        page.until(WAITS, 1)
        page.until("() => document.querySelector('#trouble a')?.pathname === '/network/'")
        assert number - 1 == len(rows(site, CLOSERS))
        site_network.restore()
        sees_totals(page, *(str(number * points) for points in (5, 9, 0, 8)))
        assert [("caro",)] * number == rows(site, CLOSERS)

    kept = [f"{page.site}/", page.site + sheet, f"{page.site}{sheet}round/"]
    page.until(IS_KEPT, kept)
    (old,) = page.run("async () => (await caches.keys()).filter((name) => name.startsWith('files-'))")
    site.stop()
    site.install_next_version(tmp_path / "another")
    site.start()
    site_network.answer("page", but=PROGRAM)
    page.until(IS_UPDATED, old)
    assert page.run(IS_KEPT, kept)
    page.goto(sheet)
    page.until("() => Boolean(document.querySelector('main .seen'))")
    site_network.restore()
    open_new(page, sheet)
    page.until(IS_NEW)


@pytest.mark.long
def test_a_round_on_a_translated_pad_without_the_site_is_kept_under_its_own_title_and_recorded(phone, site):
    page, _sheet = open_cached_sheet(phone, site)
    begin_round(page, "caro")
    site.stop()
    assert page.run(TRANSLATE) > 0
    for hand in ("5", "9", "8"):
        type_points(page, hand)
        page.tap(GO)
    page.until(WAITS, 1)
    (kept,) = page.texts("#waiting [data-items] > li")
    assert "Mano 1 Caro salió · Ana 5 · Beto 9 · Dani 8" == " ".join(kept.split())
    assert [] == rows(site, CLOSERS)
    site.start()
    sees_totals(page, "5", "9", "0", "8")
    assert [("caro",)] == rows(site, CLOSERS)


@pytest.mark.long
def test_a_page_that_is_left_while_it_changes_the_phones_storage_holds_back_no_other(owners_page, game):
    owners_page.goto(f"/g/{game.code}/")
    owners_page.until("() => Boolean(self.openDisk)")
    owners_page.run(WRITES)
    owners_page.goto("/")
    owners_page.until(READS)


# A new password ends its user's sessions.
ENDS = """
import django
django.setup()
from games.models import Game
owner = Game.objects.get().table.accesses.get().user
owner.username, owner.first_name = "olga", "Olga"
owner.set_password("tres lobas negras")
owner.save()
print("[]")
"""
BETO = """
import json, django
django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from games.models import Game
from tests.factories import confirm_as_member, make_user
user = make_user("beto")
confirm_as_member(user, Game.objects.get().table.members.get(slug="beto"))
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session.save()
print(json.dumps(session.session_key))
"""


def sign_in(page):
    """Sign in as Olga on the page that asks for it."""
    page.write("[name=username]", "olga")
    page.write("[name=password]", "tres lobas negras")
    page.tap(".dock button")


@pytest.mark.long
def test_a_session_that_ends_while_the_server_is_stopped_costs_neither_the_round_that_waits_nor_the_next_half(
    phone, site, tmp_path
):
    """Olga's round is queued and the next is half-entered. Beto, who plays too, uses her phone in between.

    The server comes back with a new version.
    """
    page, sheet = open_cached_sheet(phone, site)
    site.stop()
    save_round_and_begin_next(page)
    type_points(page, "7")
    site.run_program(ENDS)
    beto = site.run_program(BETO)
    site.install_next_version(tmp_path / "another")
    site.start()
    page.until(
        "() => document.querySelector('#unsent:not([hidden])') && !document.querySelector('main .seen')"
    )

    page.goto(sheet)  # nobody's phone now
    page.until("() => document.querySelector('#kept:not([hidden]) li')?.innerText.includes('Caro')")
    phone.call("sign_in", f"{page.site}/robots.txt", "sessionid", beto)
    open_new(page, "/")
    page.sees("#kept [data-others] .grow", "Hay 1 anotación de otra persona en este celular")
    assert [] == [text for text in page.texts("#kept") if "Olga" in text or "Mano" in text]
    open_new(page, f"{sheet}hand/")
    page.until("() => Boolean(document.querySelector('form[data-own][data-ready]'))")
    page.until(IS_KEPT, [f"{page.site}{sheet}hand/"])
    site.stop()
    type_points(page, "4")
    page.tap(GO)
    page.sees("#trouble", "Sin conexión: quedó guardado en este celular y se manda solo.")
    assert [] == rows(site, OFFERS)
    site.start()
    until(lambda: [("beto", "4")] == rows(site, OFFERS), lambda: "no hand was sent")
    page.sees("#trouble", "Tu mano ya llegó.")
    page.until("(sheet) => location.pathname === sheet", sheet)

    open_new(page, "/")
    page.tap("#kept [data-others] a")
    sign_in(page)
    until(lambda: [("caro",)] == rows(site, CLOSERS), lambda: "the round was not sent")
    open_new(page, f"{sheet}round/")
    page.until(IS_NEW)
    page.until("() => document.querySelector('#entry[data-step=hands] [data-seat=ana] b')?.innerText === '7'")
    assert [("caro",)] == rows(site, CLOSERS)


@pytest.mark.long
def test_a_tap_beside_a_sheet_only_closes_it_and_an_undo_whose_answer_is_lost_is_said_to_be_uncertain(
    owners_page, network, game
):
    page = owners_page
    page.goto(f"/g/{game.code}/")
    page.until("() => document.readyState === 'complete'")
    for opener in ("button.pot", "th [popovertarget=of-beto]"):
        page.tap(opener)
        page.until("() => Boolean(document.querySelector(':popover-open'))")
        page.tap("a.cell")
        page.until("() => !document.querySelector(':popover-open')")
        page.run("() => new Promise((done) => setTimeout(done, 800))")
        assert f"/g/{game.code}/" == page.run("() => location.pathname")
    network.drop_answers()
    page.tap("form[action$='/undo/'] button")
    page.sees("#trouble", "No llegó respuesta: quizás no se anotó. Mirá antes de repetirlo.")
    assert 3 == game.records.count()


@pytest.mark.long
def test_melds_are_entered_by_taps_and_the_result_is_shared_as_a_picture(owners_page, table, owner):
    page, game = owners_page, begin(table, owner, variant="loba_mas", point_value=10)
    page.goto(f"/g/{game.code}/")
    begin_round(page, "ana")
    page.taps("[data-way=set]", "[data-card='9']", "[data-way=run]")
    page.taps("[data-place='9']", "[data-place='13']", "[data-turn='3']", "[data-turn='3']", GO)
    page.tap("[data-way=hand]")
    tap_cards(page, "K K 9 5 *")
    for _player in ("caro", "dani"):
        page.tap(GO)
        type_points(page, 12)
    page.tap(GO)
    sees_totals(page, "23", "−10", "12", "12")

    play(game, owner, "round ana out ana=132 beto=140 caro=8 dani=-32")
    page.goto(f"/g/{game.code}/settlement/")
    page.run(f"() => {{ {SHARE_SHEET} }}")
    page.taps(SEND, PICTURE)
    page.until("() => window.shared.length")
    picture = page.run(SHARED_PICTURE)
    assert ("image/png", WIDE) == (picture["type"], picture["width"])


@pytest.mark.long
def test_a_double_tap_saves_undoes_and_pays_once(owners_page, table, owner):
    page, game = owners_page, begin(table, owner, stake=10)
    play(game, owner, *(f"round ana out beto={beto} caro=9 dani=8" for beto in (3, 4, 5)))
    page.goto(f"/g/{game.code}/")
    begin_round(page, "ana")
    for hand in ("7", "12"):
        type_points(page, hand)
        page.tap(GO)
    type_points(page, "40")
    page.tap_twice(GO, 250)
    sees_totals(page, "0", "19", "39", "64")
    assert 4 == len(game.state().rounds)
    page.tap_twice("form[action$='/undo/'] button", 250)
    sees_totals(page, "0", "12", "27", "24")
    assert 3 == len(game.state().rounds)
    play(game, owner, "stop lowest_wins")
    page.goto(f"/t/{table.code}/accounts/")
    page.tap_twice("#tick-beto-ana", 250)
    page.until("() => document.querySelectorAll('#debts .pay.done').length === 1")
    assert 1 == table.payments.filter(ended_at=None).count()


@pytest.mark.long
def test_the_end_leads_to_the_result_and_the_rematch_to_its_sheet_but_not_from_under_a_sheet(
    phone, owners_page, table, owner, game
):
    watching = owners_page
    busy = phone.open(watching.site)
    for page in (watching, busy):
        page.goto(f"/g/{game.code}/")
    busy.tap("button.pot")
    play(game, owner, "stop lowest_wins")
    watching.until("(path) => location.pathname === path", f"/g/{game.code}/settlement/")
    watching.run(LATER)
    rematch = begin(table, owner)
    watching.until("(path) => location.pathname === path", f"/g/{rematch.code}/")
    assert f"/g/{game.code}/" == busy.run("() => location.pathname")
