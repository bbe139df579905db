"""Dead spots: entries made without a network are queued on the phone and recorded once, in order,
afterwards.
"""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now
from playwright.sync_api import BrowserContext, Error, Page, expect

from games.models import Game, Role
from games.scoring.events import RoundPlayed
from games.scoring.text.writing import write_event
from games.tables.erasing import erase
from games.tables.lobby import end
from tests.browser.network import UNREACHED, Road
from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer, plain, until
from tests.browser.test_accessibility import complaints_of
from tests.worlds import let_in_as, make_user

PANEL = "#waiting:not([hidden])"
OFFLINE_EVENING = (
    "round ana out beto=45 caro=9 dani=8",
    "reenter beto",
    "round beto in_one_go ana=5 caro=21 dani=30",
    "round dani out ana=12 beto=7 caro=3",
)


@pytest.fixture
def phone(open_phone, road, owner, let_in, forgive):
    """The owner's phone, with a service worker, behind a network that can be cut."""
    forgive(UNREACHED)
    context = open_phone(base_url=road.url, service_workers="allow")
    let_in(context, owner)
    return context


@pytest.fixture
def scorer(phone):
    """The owner's finger."""
    return Scorer(phone.new_page())


@pytest.fixture
def game(table, owner):
    """A game of four at $ 10 each with rising re-entry prices; Beto has 60 points."""
    begun = begin(table, owner, stake=10, reentry_price="linear", reentries="unlimited")
    return play(begun, owner, "round ana out beto=60 caro=40 dani=12")


@pytest.fixture
def other_game(table, owner):
    """Another game of the same people."""
    return begin(table, owner, stake=10)


IS_KEPT = """async (addresses) => {
  const pages = await caches.open("pages");
  const kept = await Promise.all(addresses.map((address) => pages.match(address)));
  return Boolean(navigator.serviceWorker.controller) && kept.every(Boolean);
}"""


def open_sheet(scorer: Scorer, game: Game) -> None:
    """Open the sheet and wait until it and the entry page are cached."""
    sheet = f"/g/{game.code}/"
    scorer.page.goto(sheet)
    until(scorer.page, lambda: scorer.page.evaluate(IS_KEPT, [sheet, f"{sheet}round/"]))


def lead(page: Page, address: str) -> None:
    """Open the address, even if the page navigates by itself at the same time."""
    try:
        page.goto(address)
    except Error as crossed:
        if not re.search("ERR_ABORTED|interrupted by another navigation", str(crossed)):
            raise
        page.goto(address)


def cut(road: Road, page: Page) -> None:
    """Cut the network and check that it is gone."""
    road.cut()
    assert "gone" == page.evaluate("fetch('/token/').then(() => 'there', () => 'gone')")


def test_points_of_any_other_game_are_queued_too(scorer, table, owner, road):
    """Its rounds have no closer, so the next one begins with the first player's points."""
    game = begin(table, owner, variant="points", name="Generala")
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round("ana")
    scorer.enters(12, 8, 3, 0)
    scorer.tap(GO)
    panel = scorer.page.locator(PANEL)
    expect(panel).to_be_visible()
    scorer.tap(panel.locator("[data-next]"))
    scorer.enters(5, 1)
    scorer.goes_on()
    scorer.tap("[data-minus]")
    scorer.counted(4)
    scorer.goes_on()
    scorer.counted(13)
    scorer.tap(GO)
    expect(panel).to_contain_text("17")
    road.mend()
    until(scorer.page, lambda: len(game.log()) == 3)
    assert {"ana": 17, "beto": 9, "caro": -1, "dani": 13} == {
        player.id: player.total for player in game.state().players
    }


def enter(scorer: Scorer, closer: str, *counted: int, in_one_go: bool = False) -> None:
    """Enter a round in points on the pad and save it without a network."""
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    scorer.went_out(closer, in_one_go=in_one_go)
    for place, points in enumerate(counted):
        if place:
            scorer.goes_on()
        scorer.counted(points)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()


def goes_on(scorer: Scorer) -> None:
    """Go on from the waiting entries to the next round."""
    scorer.tap("#waiting [data-next]")


def waiting(page: Page) -> list[str]:
    """Return the queued entries as the page lists them."""
    return [plain(text) for text in page.locator("#waiting [data-items] > li").all_inner_texts()]


def opens(page: Page) -> None:
    """Open the refused entry on the pad, from the page of its game."""
    page.locator("#waiting li a").first.tap()
    expect(page.locator("#entry[data-step=hands]")).to_be_visible()


def drops(page: Page) -> None:
    """Drop the refused entry where it is listed. The second tap confirms."""
    button = page.locator(":is(#waiting, #kept) li:has(.wrong) button:visible").last
    button.tap()
    expect(button).to_contain_text("Tocá otra vez")
    button.tap()


def standing(page: Page) -> list[str]:
    """Return the provisional totals."""
    return page.locator("#waiting .seat b").all_inner_texts()


WAITING = """async () => {
  const { entries } = await import("/static/offline/entries.js");
  return (await entries()).map((entry) => entry.title);
}"""
# Returns the cached pages, the number of unsent entries and of games with numbers, and what else is stored.
LEFT_BEHIND = """async () => {
  const pages = await (await caches.open("pages")).keys();
  const stores = await new Promise((resolve) => {
    const request = indexedDB.open("waiting", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("kept");
    request.onsuccess = () => {
      const store = request.result.transaction("kept").objectStore("kept");
      const [keys, records] = [store.getAllKeys(), store.getAll()];
      store.transaction.oncomplete = () => {
        request.result.close();
        const unsent = records.result.filter((_, place) => keys.result[place].startsWith("unsent:"));
        resolve([unsent.flat().length, keys.result.filter((key) => key.startsWith("numbers:")).length]);
      };
    };
  });
  const stored = Object.keys(localStorage).filter((key) => key !== "person");
  return [pages.map((request) => new URL(request.url).pathname).filter((path) => path !== "/"), stores, stored];
}"""


def spend_the_evening(scorer: Scorer) -> None:
    """Enter OFFLINE_EVENING by tapping."""
    enter(scorer, "ana", 45, 9, 8)
    scorer.tap("#waiting button[value=reenter]")
    expect(scorer.page.locator("#waiting [data-items] > li")).to_have_count(2)
    goes_on(scorer)
    enter(scorer, "beto", 5, 21, 30, in_one_go=True)
    goes_on(scorer)
    enter(scorer, "dani", 12, 7, 3)


def test_an_evening_entered_offline_is_recorded_once_and_in_order(scorer, road, game, table, owner):
    online = begin(table, owner, stake=10, reentry_price="linear", reentries="unlimited")
    play(online, owner, "round ana out beto=60 caro=40 dani=12", *OFFLINE_EVENING)
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    spend_the_evening(scorer)
    expected = [str(player.total) for player in online.state().players]
    assert expected == standing(scorer.page)
    assert 2 == game.records.count()

    scorer.page.reload()
    expect(scorer.page.locator(PANEL)).to_be_visible()
    expect(scorer.page.locator("h1 .seen")).to_be_visible()
    expect(scorer.page.locator("#waiting [data-provisional]")).to_be_visible()
    assert expected == standing(scorer.page)
    assert 4 == len(waiting(scorer.page))
    assert 2 == game.records.count()

    road.mend()
    scorer.sees_totals(*expected)
    assert online.log()[1:] == game.log()[1:]
    assert (online.state().rounds, 0) == (game.state().rounds, len(waiting(scorer.page)))


NEW_PRICE = """async (game) => {
  const { box } = self;
  await box.know(game, { ...(await box.numbers(game)), price: "of a newer release" });
}"""


def test_the_re_entry_question_shows_its_price_or_that_the_phone_cannot_calculate_it(scorer, road, game):
    """At the second question the page's script is older than the price rule of the game."""
    uncounted = "guardado, se cuenta al volver"
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "ana", 45, 9, 8)
    facts = [plain(text) for text in scorer.page.locator("#waiting dd").all_inner_texts()]
    assert ("49", "$ 40 → $ 50") == (facts[0], facts[2])
    yes = scorer.page.locator("#waiting button[value=reenter]")
    assert "$ 10" in plain(yes.inner_text())
    scorer.tap("#waiting [data-back]")
    scorer.page.evaluate(NEW_PRICE, game.code)
    scorer.tap(GO)
    expect(yes).to_contain_text(uncounted)
    expect(scorer.page.locator("#waiting [data-pots]")).to_contain_text(f"→ {uncounted}")
    yes.tap()
    expect(scorer.page.locator("#waiting [data-pot]")).to_have_text(uncounted)
    assert "NaN" not in scorer.page.locator("main").inner_text()
    road.mend()
    until(scorer.page, lambda: game.records.count() == 4)
    until(scorer.page, lambda: scorer.pot == "$ 50")


def test_a_half_entered_hand_survives_a_reload_behind_a_queued_round(scorer, road, game):
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    goes_on(scorer)
    scorer.went_out("dani")
    scorer.holds("K *")
    scorer.page.reload()
    expect(scorer.page.locator(PANEL)).to_be_visible()
    goes_on(scorer)
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    assert ["20", "·", "·", "0"] == scorer.hands()

    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("#waiting [data-count]")).to_be_visible()
    scorer.resumes_round()
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    assert ["20", "·", "·", "0"] == scorer.hands()


RISK = "#waiting [data-risk]"
# A browser of this maker that grants or refuses a page's request for persistent storage.
OF_A_MAKER = """({ maker, promises }) => {
  Object.defineProperty(Navigator.prototype, "vendor", { get: () => maker });
  Object.assign(globalThis, { looks: 0, asked: 0 });
  StorageManager.prototype.persisted = async () => { looks += 1; return promises && asked > 0; };
  StorageManager.prototype.persist = async () => { asked += 1; return promises; };
}"""


def comes_with(phone: BrowserContext, maker: str, *, promises: bool) -> None:
    """Make pages take the phone's browser for one of this maker."""
    given = json.dumps({"maker": maker, "promises": promises})
    phone.add_init_script(f"({OF_A_MAKER})({given})")


@pytest.mark.parametrize(
    ("maker", "promises", "days", "is_said"),
    [
        ("Apple Computer, Inc.", False, 0, True),
        ("Apple Computer, Inc.", True, 0, False),
        ("Google Inc.", False, 0, False),
        ("Google Inc.", False, 2, True),
        ("Google Inc.", True, 2, False),
    ],
    ids=["WebKit", "WebKit keeps it", "others", "others after two days", "others keep it"],
)
def test_the_sheet_warns_of_a_browser_that_may_delete_queued_entries(
    phone, scorer, road, game, maker, promises, days, is_said
):
    comes_with(phone, maker, promises=promises)
    open_sheet(scorer, game)
    cut(road, scorer.page)
    if days:
        scorer.page.clock.set_fixed_time(now() - timedelta(days=days))
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    scorer.goes_back()
    if days:
        scorer.page.clock.set_fixed_time(now())
        lead(scorer.page, f"/g/{game.code}/")
    expect(scorer.page.locator("#waiting details")).to_be_visible()

    until(scorer.page, lambda: scorer.page.evaluate("looks") > 0)
    scorer.page.wait_for_timeout(100)
    assert is_said == scorer.page.locator(RISK).is_visible()
    assert 1 == scorer.page.evaluate("asked")


def test_the_last_queued_entry_can_be_taken_back_onto_the_pad(scorer, road, game):
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    scorer.tap("#waiting [data-back]")
    expect(scorer.page.locator("#entry")).to_be_visible()
    assert ["5", "9", "0", "8"] == scorer.hands()
    scorer.opens("dani")
    scorer.takes_back()
    scorer.counted(30)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert ["5", "69", "40", "42"] == standing(scorer.page)
    road.mend()
    scorer.sees_totals("5", "69", "40", "42")
    assert 3 == game.records.count()


def test_a_re_entry_answer_is_queued_and_leads_to_the_next_round(scorer, road, game):
    open_sheet(scorer, game)
    scorer.begin_round()
    scorer.went_out("ana")
    for points in (45, 9, 8):
        scorer.counted(points)
        if points != 8:
            scorer.goes_on()
    scorer.saves()
    expect(scorer.page.locator("form button[value=reenter]")).to_be_visible()
    cut(road, scorer.page)
    scorer.tap("form button[value=reenter]")
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert ["0", "49", "49", "20"] == standing(scorer.page)
    scorer.tap("#waiting [data-on]")
    enter(scorer, "beto", 5, 21, 30)
    road.mend()
    scorer.sees_totals("5", "49", "70", "50")
    assert 5 == game.records.count()
    assert "$ 50" == scorer.pot


def test_a_round_whose_response_is_lost_is_recorded_once(scorer, road, game):
    open_sheet(scorer, game)
    scorer.begin_round()
    scorer.went_out("caro")
    for points in (5, 9, 8):
        scorer.counted(points)
        if points != 8:
            scorer.goes_on()
    road.deafen()
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert 3 == game.records.count()  # it had arrived
    assert ["5", "69", "40", "20"] == standing(scorer.page)
    road.mend()
    scorer.sees_totals("5", "69", "40", "20")
    assert 3 == game.records.count()


# --- what the phone cannot count --------------------------------------------------------------------------------------


def test_melds_entered_offline_are_counted_online_and_the_next_round_can_be_entered(
    scorer, road, table, owner
):
    game = begin(table, owner, 2, variant="loba_mas")
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round("ana")
    scorer.lays_set("9")
    scorer.goes_on()
    scorer.keeps("K 4")
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert ["?", "−3"] == standing(scorer.page)
    goes_on(scorer)
    enter(scorer, "beto", 20, 7)
    assert ["?", "22"] == standing(scorer.page)
    road.mend()
    scorer.sees_totals("18", "22")
    assert 3 == game.records.count()


def test_seven_cards_that_may_make_a_player_bust_offer_no_next_round_offline(scorer, road, table, owner):
    game = begin(table, owner, 3, variant="chinchon")
    play(game, owner, "round nobody stock_out ana=70 beto=40 caro=50")
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round("beto")
    scorer.cuts_with(3)
    scorer.holds_seven("5o 6o 7o 4b 1c 3e 10b")
    scorer.goes_on()
    scorer.counted(9)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert ["?", "43", "59"] == standing(scorer.page)
    expect(scorer.page.locator("#waiting [data-end]")).to_be_visible()
    expect(scorer.page.locator("#waiting [data-next]")).to_be_hidden()
    road.mend()
    scorer.sees_totals("88", "43", "59")


def test_the_next_contract_is_shown_offline(scorer, road, table, owner):
    game = begin(table, owner, 3, variant="carioca_ar")
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round("ana")
    scorer.enters("K K", 40)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    goes_on(scorer)
    expect(scorer.page.locator("h1")).to_contain_text("1 trío y 1 escalera")
    enter(scorer, "beto", 5, 5)
    assert ["5", "20", "45"] == standing(scorer.page)
    road.mend()
    scorer.sees_totals("5", "20", "45")


def test_a_game_that_ends_offline_shows_the_winner_and_no_next_round(scorer, road, table, owner):
    game = begin(table, owner, 2, stake=10)
    play(game, owner, "round ana out beto=60")
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round("ana")
    scorer.counted(50)
    scorer.tap(GO)
    expect(scorer.page.locator("#waiting [data-end]")).to_contain_text("Ana")
    expect(scorer.page.locator("#waiting [data-next]")).to_be_hidden()
    expect(scorer.page.locator("#waiting [data-pot]")).to_be_hidden()
    assert ["0", "110"] == standing(scorer.page)
    scorer.goes_back()
    expect(scorer.page.locator("h1")).to_contain_text("terminó")
    expect(scorer.page.locator("h1")).not_to_contain_text("mano")
    expect(scorer.page.locator(".pot [data-now=pot]")).to_be_hidden()
    road.mend()
    scorer.sees_totals("0", "110")
    assert game.state().is_over


def test_the_value_of_a_hand_in_another_round_is_not_reused_offline(scorer, road, table, owner):
    game = begin(table, owner, 3, variant="chinchon")
    open_sheet(scorer, game)
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    scorer.has_nothing_left()
    scorer.goes_on()
    scorer.counted(30)
    expect(scorer.page.locator("#consequences li").first).to_be_visible()
    online = scorer.hands()
    cut(road, scorer.page)
    scorer.tap("button.seat[data-seat=ana]")
    scorer.tap("[data-previous]")
    scorer.tap("button[data-seat=nobody]")
    scorer.page.wait_for_timeout(300)
    assert ["3", online[1], "30"] != scorer.hands()
    assert "0" == scorer.hands()[1]


# --- what the server refuses ------------------------------------------------------------------------------------------


@pytest.fixture
def refused(scorer, road, game, other_game, owner):
    """The page of `game` on a phone whose two rounds of this game were refused.

    They were entered without a network, like a round of `other_game`. Meanwhile another phone recorded a
    round of `game`.
    """
    open_sheet(scorer, other_game)
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    goes_on(scorer)
    enter(scorer, "dani", 1, 2, 3)
    scorer.page.goto(f"/g/{other_game.code}/")
    scorer.begin_round()
    enter(scorer, "ana", 7, 7, 7)
    play(game, owner, "round ana out beto=4 caro=4 dani=4")
    road.mend()
    scorer.sees_totals("0", "7", "7", "7")
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator(PANEL)).to_be_visible()
    return scorer


def test_a_refused_round_holds_back_its_game_only_and_is_opened_on_the_pad_and_saved(
    refused, game, other_game
):
    first, second = waiting(refused.page)
    assert "Caro" in first
    assert "Ana" in refused.page.locator("#waiting .wrong").all_inner_texts()[1]
    assert "Dani" in second
    refused.page.wait_for_timeout(3500)  # it is not retried automatically
    assert (3, 2) == (game.records.count(), other_game.records.count())
    refused.page.goto(f"/t/{game.table.code}/season/")
    refused.tap("#unsent")
    expect(refused.page.locator("#waiting li")).to_have_count(2)
    opens(refused.page)
    expect(refused.page.locator("h1")).to_contain_text("3")
    assert ["5", "9", "0", "8"] == refused.hands()
    refused.saves()
    refused.sees_totals("6", "75", "47", "24")  # the entry behind it was sent automatically
    assert [*rounds_of(game)][2:] == [
        "round caro out ana=5 beto=9 dani=8",
        "round dani out ana=1 beto=2 caro=3",
    ]
    expect(refused.page.locator("#waiting li")).to_have_count(0)


def rounds_of(game: Game) -> list[str]:
    """Return the recorded rounds in notation."""
    return [write_event(event) for event in game.log() if isinstance(event, RoundPlayed)]


OTHERS = (
    "round beto out ana=4 caro=4 dani=4",
    "correct 2 round ana out beto=61 caro=40 dani=12",
    'adjust dani=+5 "late"',
)


@pytest.mark.parametrize("other", OTHERS)
def test_no_round_is_recorded_past_a_refused_one_before_a_person_decides(scorer, road, game, owner, other):
    open_sheet(scorer, game)
    scorer.begin_round()  # with a network: the page is fresh
    cut(road, scorer.page)
    enter(scorer, "caro", 5, 9, 8)
    goes_on(scorer)
    scorer.went_out("dani")
    scorer.enters(1, 2, 3)
    play(game, owner, other)  # recorded by another phone: the event that the pad's round was to follow
    road.mend()
    expect(scorer.page.locator("#unsent")).to_be_visible()
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    expect(scorer.page.locator("#waiting li")).to_have_count(2)
    scorer.page.wait_for_timeout(3500)
    assert 3 == game.records.count()

    expect(scorer.page.locator("#waiting [data-next]")).to_be_hidden()  # never to an empty pad beside it
    opens(scorer.page)
    expect(scorer.page.locator("[data-seat] b").first).to_have_text("5")
    assert ["5", "9", "0", "8"] == scorer.hands()
    scorer.saves()
    expect(scorer.page.locator(".score")).to_be_visible()
    until(scorer.page, lambda: game.records.count() == 5)


def test_an_edited_round_that_had_arrived_is_refused_beside_what_was_recorded(scorer, road, game):
    open_sheet(scorer, game)
    scorer.begin_round()
    scorer.went_out("caro")
    scorer.enters(5, 9, 8)
    road.deafen()
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert 3 == game.records.count()
    scorer.tap("#waiting [data-back]")
    expect(scorer.page.locator("#entry")).to_be_visible()
    scorer.opens("dani")
    scorer.takes_back()
    scorer.counted(30)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    goes_on(scorer)
    enter(scorer, "dani", 1, 2, 3)
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible(timeout=20_000)
    assert "Caro" in scorer.page.locator("#waiting .wrong").all_inner_texts()[1]
    drops(scorer.page)
    scorer.sees_totals("6", "71", "43", "20")  # the round behind it is sent automatically
    assert 3 == len(game.state().rounds)


def test_a_round_refused_again_shows_its_last_version_and_the_new_reason(refused, game, owner):
    opens(refused.page)
    refused.opens("dani")
    refused.takes_back()
    refused.counted(30)
    play(game, owner, "round beto out ana=1 caro=1 dani=1")  # another phone was faster again
    refused.tap(GO)
    expect(refused.page.locator("#waiting li").first).to_contain_text("Dani 30")
    expect(refused.page.locator("#waiting .wrong").nth(1)).to_contain_text("Beto")
    opens(refused.page)
    assert ["5", "9", "0", "30"] == refused.hands()
    assert 4 == game.records.count()


NO_ROOM = "() => { self.outbox.add = () => Promise.reject(new DOMException('full', 'QuotaExceededError')); }"


def test_a_full_storage_is_reported_and_the_round_can_be_saved_later(scorer, road, game):
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    scorer.page.evaluate(NO_ROOM)
    scorer.went_out("caro")
    scorer.enters(5, 9, 8)
    scorer.tap(GO)
    expect(scorer.page.locator("#trouble")).to_be_visible()
    expect(scorer.page.locator("[data-go][aria-busy]")).to_have_count(0)
    road.mend()
    scorer.tap(GO)
    scorer.sees_totals("5", "69", "40", "20")
    assert 3 == game.records.count()


@pytest.mark.parametrize("why", ["erased", "put out", "only watches", "left"])
def test_entries_that_the_site_no_longer_accepts_can_be_dropped_on_the_home_page(
    scorer, road, game, table, owner, forgive, why
):
    forgive("status of 40[34]")
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    if why == "erased":
        erase(table, name=table.name, by=owner)
    elif why == "put out":
        table.accesses.all().delete()
    elif why == "left":
        let_in_as(make_user("otra"), table, Role.OWNER)
        end(table.accesses.get(user=owner), by=owner)
    else:
        table.accesses.update(role="witness")
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible(timeout=20_000)
    lead(scorer.page, "/")
    kept = scorer.page.locator("#kept li")
    expect(kept.locator(".wrong")).to_be_visible()
    expect(kept).to_contain_text("Beto 9")
    drops(scorer.page)
    until(scorer.page, lambda: scorer.page.evaluate(WAITING) == [])
    assert 2 == game.records.count()
    if why != "only watches":
        for page in ("", "round/"):
            scorer.page.goto(f"/g/{game.code}/{page}")
        until(scorer.page, lambda: scorer.page.evaluate(LEFT_BEHIND)[0] == [])  # no page is cached any more


def test_unsent_entries_of_another_user_stay_queued_and_block_nothing(
    scorer, road, game, table, phone, let_in, owner
):
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    other = make_user("bibi")
    let_in_as(other, table, Role.SCORER)
    let_in(phone, other)
    road.mend()
    open_sheet(scorer, game)
    scorer.begin_round()
    cut(road, scorer.page)
    enter(scorer, "beto", 1, 1, 1)
    road.mend()
    scorer.sees_totals("1", "60", "41", "13")
    assert 3 == game.records.count()
    assert 0 == scorer.page.evaluate("self.outbox.send()")  # so that the browser leaves it alone too
    let_in(phone, owner)
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("#waiting .wrong")).to_have_count(
        2
    )  # the user who entered it sees what was recorded meanwhile
    assert 3 == game.records.count()


# --- the worker, and where there is none ------------------------------------------------------------------------------


def closed(scorer: Scorer) -> str:
    """Return the closer that the form would post."""
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    return scorer.page.locator("[name=closer]:checked").input_value()


def test_the_cached_entry_page_has_no_closer_of_an_earlier_tap(scorer, road, game):
    open_sheet(scorer, game)
    scorer.begin_round("ana")
    cut(road, scorer.page)
    scorer.goes_back()
    expect(scorer.page.locator(".seen")).to_be_visible()
    scorer.tap(".closers [data-closer=beto]")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    until(scorer.page, lambda: closed(scorer) == "beto")

    scorer.tap("button[data-previous]")
    scorer.tap("button.seat[data-seat=dani]")
    scorer.page.reload()
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    scorer.page.wait_for_timeout(500)
    assert "dani" == closed(scorer)


def test_a_changed_closer_survives_a_reload_offline_and_a_page_without_a_tapped_face_names_none(
    scorer, road, game
):
    open_sheet(scorer, game)
    scorer.begin_round("ana")
    scorer.tap("button[data-previous]")
    scorer.went_out("beto")
    scorer.enters(5, 9, 8)
    cut(road, scorer.page)
    scorer.page.reload()
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    assert ["5", "0", "9", "8"] == scorer.hands()
    assert "beto" == closed(scorer)
    assert None is scorer.page.locator("main").get_attribute("data-closer")


def kept(page: Page) -> list[str]:
    """Return the addresses of the cached pages, with their query strings."""
    pages = page.evaluate("async () => (await (await caches.open('pages')).keys()).map((found) => found.url)")
    return [re.sub("^https?://[^/]+", "", address) for address in pages]


def test_a_cached_page_is_deleted_once_it_redirects_or_may_no_longer_be_opened(scorer, game, owner, forgive):
    forgive("status of 404")
    open_sheet(scorer, game)
    play(game, owner, "stop lowest_wins")
    scorer.page.goto(f"/g/{game.code}/round/")
    until(scorer.page, lambda: f"/g/{game.code}/round/" not in kept(scorer.page))
    assert f"/g/{game.code}/" in kept(scorer.page)
    game.table.accesses.all().delete()
    scorer.page.goto(f"/g/{game.code}/")
    until(scorer.page, lambda: f"/g/{game.code}/" not in kept(scorer.page))


def test_a_page_with_momentary_news_is_not_cached(scorer, game):
    open_sheet(scorer, game)
    scorer.page.goto(f"/?discarded={game.code}")
    scorer.page.goto(f"/g/{game.code}/round/?closer=ana")
    scorer.page.goto(f"/g/{game.code}/board/")
    until(scorer.page, lambda: f"/g/{game.code}/board/" in kept(scorer.page))
    assert [] == [address for address in kept(scorer.page) if "?" in address]
    stored = "async (path) => (await (await (await caches.open('pages')).match(path)).text())"
    printed = scorer.page.evaluate(stored, f"/g/{game.code}/round/")
    assert 'value="ana">' in printed
    assert 'value="ana" checked' not in printed


def test_the_number_of_cached_pages_is_limited(scorer, game):
    open_sheet(scorer, game)
    fill = """async () => {
      const pages = await caches.open("pages");
      for (let i = 0; i < 60; i += 1) await pages.put(`/g/filler${i}/`, new Response("<main >"));
    }"""
    scorer.page.evaluate(fill)
    scorer.page.goto(f"/g/{game.code}/rules/")
    until(scorer.page, lambda: len(kept(scorer.page)) == 40)
    assert {"/", f"/g/{game.code}/rules/"} <= {*kept(scorer.page)}


def test_the_note_about_a_cached_page_disappears_after_any_response_or_if_it_is_current(scorer, road, game):
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    expect(scorer.page.locator(".seen")).to_be_visible()
    road.mend()
    scorer.went_out("ana")
    scorer.counted(5)
    expect(scorer.page.locator(".seen")).to_have_count(0)
    cut(road, scorer.page)
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator(".seen")).to_be_visible()
    road.mend()
    expect(scorer.page.locator(".seen")).to_have_count(0)


def sync_by_the_browser(phone: BrowserContext, road: Road) -> None:
    """Dispatch a background sync, as a browser does when the network is back while no page is open."""
    page = phone.new_page()
    browser = phone.new_cdp_session(page)
    registrations: list[str] = []
    browser.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(one["registrationId"] for one in event["registrations"]),
    )
    browser.send("ServiceWorker.enable")
    until(page, lambda: bool(registrations))
    browser.send(
        "ServiceWorker.dispatchSyncEvent",
        {"origin": road.url, "registrationId": registrations[0], "tag": "queue", "lastChance": False},
    )


def test_the_service_worker_sends_queued_entries_with_every_page_closed(scorer, phone, road, game):
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    scorer.page.close()
    road.mend()
    sync_by_the_browser(phone, road)
    until(phone.pages[-1], lambda: game.records.count() == 3)


@pytest.fixture(params=["blocked", "plain http"])
def bare_phone(request, open_phone, road, owner, let_in, settings, forgive):
    """A phone without a service worker: it is blocked, or the site is on the local network over plain http."""
    forgive(UNREACHED)
    address = road.url
    if request.param == "plain http":
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "mesa.casa"]
        address = f"http://mesa.casa:{road.port}"
    context = open_phone(base_url=address, service_workers="allow" if "mesa" in address else "block")
    let_in(context, owner)
    context.add_cookies([{**cookie, "domain": "mesa.casa"} for cookie in context.cookies()])
    return context


def test_a_phone_without_a_service_worker_lists_queued_entries_and_sends_them_online(bare_phone, road, game):
    scorer = Scorer(bare_phone.new_page())
    with scorer.page.expect_response(f"**/g/{game.code}/round/"):  # prefetched
        scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator(".score")).to_be_visible()
    scorer.page.wait_for_timeout(1500)
    cut(road, scorer.page)
    scorer.begin_round()
    spend_the_evening(scorer)
    assert 4 == len(waiting(scorer.page))
    totals = standing(scorer.page)
    scorer.goes_back()
    expect(scorer.page.locator("#waiting [data-count]")).to_contain_text("4")
    assert 2 == game.records.count()
    road.mend()
    scorer.sees_totals(*totals)
    assert 6 == game.records.count()
    assert [] == waiting(scorer.page)


def test_over_plain_http_the_sheet_mentions_the_missing_features_once(
    open_phone, live_server, owner, let_in, settings, game
):
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "mesa.casa"]
    phone = open_phone(base_url=re.sub("localhost", "mesa.casa", live_server.url))
    let_in(phone, owner)
    phone.add_cookies([{**cookie, "domain": "mesa.casa"} for cookie in phone.cookies()])
    page = phone.new_page()
    page.goto(f"/g/{game.code}/")
    note = page.locator("[data-plain]")
    expect(note).to_be_visible()
    note.locator("button").tap()
    expect(note).to_be_hidden()
    page.reload()
    expect(page.locator(".score")).to_be_visible()
    page.wait_for_timeout(500)
    expect(note).to_be_hidden()


# --- nothing stays behind ---------------------------------------------------------------------------------------------


@pytest.fixture
def with_password(owner):
    owner.set_password("tres lobas negras")
    owner.save()


def leave_one_refused(scorer: Scorer, road: Road, owner: User, game: Game) -> None:
    """Enter a round without a network while another phone records it with other hands."""
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    play(game, owner, "round ana out beto=4 caro=4 dani=4")
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()


def test_signing_out_warns_before_entries_are_lost_and_deletes_all_cached_data(
    with_password, phone, let_in, owner, scorer, road, game
):
    let_in(phone, owner)  # again: the password ended the session
    leave_one_refused(scorer, road, owner, game)
    scorer.page.evaluate("localStorage.setItem('ticks:somewhere', '[]')")
    scorer.page.goto("/")
    expect(scorer.page.locator("#kept li")).to_have_count(1)
    scorer.page.goto("/you/")
    scorer.tap("form[action='/logout/'] button")
    expect(scorer.page.locator("form[action='/logout/'] .wrong")).to_be_visible()
    scorer.tap("form[action='/logout/'] button")
    expect(scorer.page.locator("a[href='/login/']")).to_be_visible()
    assert [[], [0, 0], []] == scorer.page.evaluate(LEFT_BEHIND)
    cut(road, scorer.page)
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("main > .dock a[href='']")).to_be_visible()  # only the retry link is left
    assert game.table.name not in scorer.page.content()


def test_signing_in_deletes_the_cached_data_of_the_user_before(phone, scorer, game):
    open_sheet(scorer, game)
    other = make_user("otilia")
    other.set_password("tres lobas negras")
    other.save()
    phone.clear_cookies()
    lead(scorer.page, "/login/")
    scorer.page.evaluate("localStorage.removeItem('person')")  # which a phone may have deleted by itself
    scorer.page.evaluate(
        "async (path) => (await caches.open('pages')).put(path, new Response(''))", "/g/old/"
    )
    scorer.page.fill("[name=username]", "otilia")
    scorer.page.fill("[name=password]", "tres lobas negras")
    scorer.tap("form button.go")
    expect(scorer.page.locator("a[href='/new/']").first).to_be_visible()
    assert [[], [0, 0], []] == scorer.page.evaluate(LEFT_BEHIND)
    scorer.page.goto("/you/")
    expect(scorer.page.locator("form[action='/logout/']")).to_be_visible()


def test_signing_in_over_a_guest_warns_of_lost_entries_and_moves_the_table_to_the_account(
    scorer, road, owner, game
):
    other = make_user("otilia")
    other.set_password("tres lobas negras")
    other.save()
    leave_one_refused(scorer, road, owner, game)
    scorer.page.goto("/login/")
    expect(scorer.page.locator("form .notice")).to_contain_text(game.table.name)
    scorer.page.fill("[name=username]", "otilia")
    scorer.page.fill("[name=password]", "tres lobas negras")
    scorer.tap("form button.go")
    expect(scorer.page.locator("form .wrong")).to_be_visible()
    scorer.tap("form button.go")
    expect(scorer.page.locator("nav.tabs")).to_be_visible()
    expect(scorer.page.locator("main")).to_contain_text(game.table.name)
    scorer.page.goto("/you/")
    expect(scorer.page.locator("form[action='/logout/']")).to_be_visible()


# --- for everybody ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_queued_entries_questions_and_refusals_are_accessible(
    open_phone, road, owner, let_in, forgive, axe_source, game, theme
):
    forgive(UNREACHED)
    phone = open_phone(
        base_url=road.url, service_workers="allow", color_scheme=theme, reduced_motion="reduce"
    )
    let_in(phone, owner)
    scorer = Scorer(phone.new_page())
    problems: list[str] = []

    def look(stage: str) -> None:
        scorer.page.evaluate(axe_source)
        problems.extend(f"{stage}: {problem}" for problem in complaints_of(scorer.page))

    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "ana", 45, 9, 8)
    look("question")
    scorer.tap("#waiting button[value=stay_out]")
    expect(scorer.page.locator("#waiting [data-items] > li")).to_have_count(2)
    look("waiting")
    scorer.goes_back()
    scorer.tap("#waiting summary")
    look("sheet")
    play(game, owner, "round ana out beto=4 caro=4 dani=4")
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_attached()
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    look("refused")
    assert [] == problems
