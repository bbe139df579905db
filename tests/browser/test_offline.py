"""Dead spots: entries made without a network are queued on the phone and recorded once, in order, afterwards."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Route, expect

from games.models import Game
from tests.browser.game_setup import begin, begin_with_rising_stake, play
from tests.browser.network import NETWORK_ERRORS, Network
from tests.browser.offline_steps import (
    CACHED,
    IS_KEPT,
    NEXT,
    PANEL,
    cut,
    drop_refused_entry,
    enter,
    open_online,
    open_sheet,
    provisional_totals,
    queued_texts,
)
from tests.browser.scorer import GO, Scorer, until
from tests.browser.test_accessibility import axe_problems

OFFLINE_EVENING = (
    "round ana out beto=45 caro=9 dani=8",
    "reenter beto",
    "round beto in_one_go ana=5 caro=21 dani=30",
    "round dani out ana=12 beto=7 caro=3",
)


@pytest.fixture
def scorer(offline_scorer):
    """The owner as scorer, on a phone whose network can be cut."""
    return offline_scorer


@pytest.fixture
def phone(scorer):
    return scorer.page.context


@pytest.fixture
def game(table, owner):
    """A game of four at $10 each with rising re-entry prices. Beto has 60 points."""
    return begin_with_rising_stake(table, owner)


def spend_the_evening(scorer: Scorer) -> None:
    """Enter OFFLINE_EVENING by tapping."""
    enter(scorer, "ana", 45, 9, 8)
    scorer.tap("#waiting button[value=reenter]")
    expect(scorer.page.locator("#waiting [data-items] > li")).to_have_count(2)
    scorer.tap(NEXT)
    enter(scorer, "beto", 5, 21, 30, in_one_go=True)
    scorer.tap(NEXT)
    enter(scorer, "dani", 12, 7, 3)


def test_an_evening_entered_offline_is_recorded_once_and_in_order(scorer, network, game, table, owner):
    online = play(begin_with_rising_stake(table, owner), owner, *OFFLINE_EVENING)
    scorer.page.add_init_script("StorageManager.prototype.persist = async () => { self.isAsked = true; }")
    open_sheet(scorer, game)
    cut(network, scorer.page)
    scorer.begin_round()
    spend_the_evening(scorer)
    assert scorer.page.evaluate("self.isAsked")  # otherwise the browser may delete the queue
    expected = [str(player.total) for player in online.state().players]
    assert expected == provisional_totals(scorer.page)
    assert 2 == game.records.count()

    scorer.page.reload()
    expect(scorer.page.locator(PANEL)).to_be_visible()
    expect(scorer.page.locator("h1 .seen")).to_be_visible()
    expect(scorer.page.locator("#waiting [data-provisional]")).to_be_visible()
    assert expected == provisional_totals(scorer.page)
    assert 4 == len(queued_texts(scorer.page))
    assert 2 == game.records.count()

    network.restore()
    scorer.sees_totals(*expected)
    assert online.log()[1:] == game.log()[1:]
    assert (online.state().rounds, 0) == (game.state().rounds, len(queued_texts(scorer.page)))


@pytest.mark.long
def test_a_re_entry_answer_is_queued_and_leads_to_the_next_round(scorer, network, game):
    open_sheet(scorer, game)
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.enters(45, 9, 8)
    scorer.saves()
    expect(scorer.page.locator("form.dock button[value=reenter]")).to_be_visible()
    cut(network, scorer.page)
    scorer.tap("form.dock button[value=reenter]")
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert ["0", "49", "49", "20"] == provisional_totals(scorer.page)
    scorer.tap("#waiting [data-on]")
    enter(scorer, "beto", 5, 21, 30)
    network.restore()
    scorer.sees_totals("5", "49", "70", "50")
    assert 5 == game.records.count()
    assert "$ 50" == scorer.pot


# --- what the phone counts, and what it leaves to the site ------------------------------------------------------------


def test_after_a_round_that_may_end_the_game_no_other_one_is_offered_and_it_is_recorded_online(
    scorer, network, table, owner
):
    """Ana holds seven cards, which only the site can count."""
    game = begin(table, owner, 3, variant="chinchon")
    open_sheet(scorer, play(game, owner, "round nobody stock_out ana=70 beto=40 caro=50"))
    cut(network, scorer.page)
    scorer.begin_round("beto")
    scorer.cuts_with(3)
    scorer.holds_seven("5o 6o 7o 4b 1c 3e 10b")
    scorer.goes_on()
    scorer.counted(9)
    scorer.tap(GO)
    expect(scorer.page.locator(PANEL)).to_be_visible()
    assert ["?", "43", "59"] == provisional_totals(scorer.page)
    expect(scorer.page.locator("#waiting [data-next]")).to_be_hidden()
    expect(scorer.page.locator("#waiting [data-end]")).to_be_visible()
    scorer.goes_back()
    expect(scorer.page.locator("[data-now=round]")).to_have_text("mano 3")
    network.restore()
    scorer.sees_totals("88", "43", "59")


@pytest.mark.long
def test_the_value_of_a_hand_in_another_round_is_not_reused_offline(scorer, network, table, owner):
    game = begin(table, owner, 3, variant="chinchon")
    open_sheet(scorer, game)
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    scorer.has_nothing_left()
    scorer.goes_on()
    scorer.counted(30)
    expect(scorer.page.locator("#consequences li").first).to_be_visible()
    online = scorer.hands()
    cut(network, scorer.page)
    scorer.tap("button.seat[data-seat=ana]")
    scorer.tap("[data-previous]")
    scorer.tap("button[data-seat=nobody]")
    scorer.page.wait_for_timeout(300)
    assert ["3", online[1], "30"] != scorer.hands()
    assert "0" == scorer.hands()[1]


# --- what the server refuses ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_an_edited_round_that_had_arrived_is_refused_beside_what_was_recorded(scorer, network, game):
    open_sheet(scorer, game)
    scorer.begin_round()
    scorer.went_out("caro")
    scorer.enters(5, 9, 8)
    network.drop_answers()
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
    scorer.tap(NEXT)
    enter(scorer, "dani", 1, 2, 3)
    network.restore()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    assert "Caro" in scorer.page.locator("#waiting .wrong").all_inner_texts()[1]
    drop_refused_entry(scorer.page)
    scorer.sees_totals("6", "71", "43", "20")  # the round behind it is sent automatically
    assert 3 == len(game.state().rounds)


# The entries follow the events 2, 3 and 4. The first is refused, and then dropped or replaced: the number of
# the last event that the person saw, whether it is replaced, and the events that the other two then follow.
PLACES: tuple[tuple[int, bool, list[int]], ...] = (
    (3, False, [3, 4]),  # another phone recorded one event instead; the entry is dropped
    (3, True, [4, 5]),  # the same, but the entry is saved again
    (2, False, [2, 3]),  # nothing was recorded meanwhile: the entry was refused for its hands
    (2, True, [3, 4]),
    (4, False, [3, 4]),  # another phone recorded an event instead of the second entry too
    (4, True, [3, 4]),
)
TRY_ALL = """async (places) => {
  const { decide } = await import("/static/source/offline/decisions.js");
  const { box, outbox } = self;
  const tried = [];
  for (const [seen, isReplaced] of places) {
    const [first, ...others] = [2, 3, 4].map((after) => ({ form: "round", game: "g", after, key: `${after}` }));
    await outbox.add("p", first, { sentences: ["Meanwhile"] });
    for (const fact of others) await outbox.add("p", fact);
    await box.know("g", { after: seen });
    const before = box.free(await box.unsent("p")).length;
    const instead = isReplaced ? { ...first, after: seen, key: "new" } : undefined;
    const isDecided = await decide("p", "2", instead);
    const isTwice = await decide("p", "2", instead);
    const left = await box.unsent("p");
    tried.push([before, isDecided, isTwice, box.free(left).length - left.length]);
    tried.push(left.slice(-2).map(({ after }) => after));
    await self.openDisk("waiting")("readwrite", (store) => store.clear());
  }
  return tried;
}"""


def test_entries_behind_a_refused_one_follow_the_right_event(scorer):
    page = scorer.page
    page.goto("/offline/")
    until(page, lambda: page.evaluate("Boolean(self.outbox)"))
    expected = [row for *_decision, places in PLACES for row in ([0, True, False, 0], places)]
    assert expected == page.evaluate(TRY_ALL, [place[:2] for place in PLACES])


NO_ROOM = "() => { self.outbox.add = () => Promise.reject(new DOMException('full', 'QuotaExceededError')); }"


@pytest.mark.long
def test_a_full_storage_is_reported_and_the_round_can_be_saved_later(scorer, network, game):
    open_sheet(scorer, game)
    cut(network, scorer.page)
    scorer.begin_round()
    scorer.page.evaluate(NO_ROOM)
    scorer.went_out("caro")
    scorer.enters(5, 9, 8)
    scorer.tap(GO)
    expect(scorer.page.locator("#trouble")).to_be_visible()
    expect(scorer.page.locator("[data-go][aria-busy]")).to_have_count(0)
    network.restore()
    scorer.tap(GO)
    scorer.sees_totals("5", "69", "40", "20")
    assert 3 == game.records.count()


# Records when the page opens its storage, and makes the page need one more file.
ASKING = """
  self.asked = [];
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...given) {
    self.asked.push(document.readyState);
    return open.apply(this, given);
  };
  document.addEventListener("DOMContentLoaded", () =>
    document.body.append(Object.assign(new Image(), { src: "/late.png" })));
"""


@pytest.mark.long
def test_no_page_asks_its_storage_before_it_is_loaded_unless_a_file_stays_away(scorer, game):
    """In WebKit a page that is left earlier gets no answer, and could not close its storage."""
    page, late = scorer.page, list[Route]()
    page.add_init_script(ASKING)
    page.route("**/late.png", lambda route: late.append(route))
    page.goto(f"/g/{game.code}/", wait_until="commit")
    until(page, lambda: page.evaluate("Boolean(self.box)"))
    page.wait_for_timeout(500)

    assert [] == page.evaluate("asked")
    late.pop().fulfill(body="")
    until(page, lambda: page.evaluate("asked.length") > 0)
    assert {"complete"} == set(page.evaluate("asked"))
    page.reload(wait_until="commit")
    until(page, lambda: page.evaluate("asked.length") > 0)
    assert {"interactive"} == set(page.evaluate("asked"))


# --- the worker, and where there is none ------------------------------------------------------------------------------


@pytest.mark.long
def test_pages_are_cached_without_momentary_news_up_to_a_limit_and_for_as_long_as_they_may_be_opened(
    scorer, game, owner, forgive
):
    forgive("status of 404")
    page, sheet = scorer.page, f"/g/{game.code}/"
    open_sheet(scorer, game)
    page.goto(f"/?discarded={game.code}")
    page.goto(f"{sheet}round/?closer=ana")
    page.goto(f"{sheet}board/")
    until(page, lambda: f"{sheet}board/" in page.evaluate(CACHED))
    assert [] == [address for address in page.evaluate(CACHED) if "?" in address]
    cached_text_script = "async (path) => (await (await (await caches.open('pages')).match(path)).text())"
    printed = page.evaluate(cached_text_script, f"{sheet}round/")
    assert (True, False) == ('value="ana">' in printed, 'value="ana" checked' in printed)

    play(game, owner, "stop lowest_wins")
    page.goto(f"{sheet}round/")
    until(page, lambda: f"{sheet}round/" not in page.evaluate(CACHED))
    assert sheet in page.evaluate(CACHED)
    page.evaluate(FILL)
    page.goto(f"{sheet}rules/")
    until(page, lambda: len(page.evaluate(CACHED)) == 40)
    assert {"/", f"{sheet}rules/"} <= {*page.evaluate(CACHED)}
    game.table.accesses.all().delete()
    page.goto(f"{sheet}rules/")
    until(page, lambda: f"{sheet}rules/" not in page.evaluate(CACHED))


@pytest.mark.long
def test_the_pages_needed_next_are_cached_also_where_the_storage_does_not_answer(scorer, game):
    scorer.page.goto("/")
    until(scorer.page, lambda: scorer.page.evaluate(IS_KEPT, ["/"]))
    scorer.page.add_init_script("IDBFactory.prototype.open = () => ({});")
    open_sheet(scorer, game)
    assert {f"/g/{game.code}/", f"/g/{game.code}/round/"} <= {*scorer.page.evaluate(CACHED)}


FILL = """async () => {
  const pages = await caches.open("pages");
  for (let i = 0; i < 60; i += 1) await pages.put(`/g/filler${i}/`, new Response("<main >"));
}"""


def sync_by_the_browser(phone: BrowserContext, road: Network) -> None:
    """Dispatch a background sync, as a browser does when the network is back while no page is open."""
    page = phone.new_page()
    browser = phone.new_cdp_session(page)
    registrations: list[str] = []
    browser.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(
            registration["registrationId"] for registration in event["registrations"]
        ),
    )
    browser.send("ServiceWorker.enable")
    until(page, lambda: bool(registrations))
    browser.send(
        "ServiceWorker.dispatchSyncEvent",
        {"origin": road.url, "registrationId": registrations[0], "tag": "queue", "lastChance": False},
    )


def test_the_service_worker_sends_queued_entries_with_every_page_closed(scorer, phone, network, game):
    open_sheet(scorer, game)
    cut(network, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    scorer.page.close()
    network.restore()
    sync_by_the_browser(phone, network)
    until(phone.pages[-1], lambda: game.records.count() == 3)


def test_a_phone_without_a_service_worker_lists_queued_entries_and_sends_them_online(
    open_house_phone, network, game, forgive
):
    forgive(NETWORK_ERRORS)
    scorer = Scorer(open_house_phone(network.port).new_page())
    open_online(scorer.page, f"/g/{game.code}/")
    scorer.begin_round()
    scorer.page.wait_for_timeout(1500)  # its scripts come after it
    cut(network, scorer.page)
    spend_the_evening(scorer)
    assert 4 == len(queued_texts(scorer.page))
    totals = provisional_totals(scorer.page)
    assert 2 == game.records.count()
    network.restore()
    scorer.sees_totals(*totals)
    assert 6 == game.records.count()
    assert [] == queued_texts(scorer.page)


# --- nothing stays behind ---------------------------------------------------------------------------------------------


def queue_refused_round(scorer: Scorer, road: Network, owner: User, game: Game) -> None:
    """Enter a round without a network while another phone records it with other hands."""
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    play(game, owner, "round ana out beto=4 caro=4 dani=4")
    road.restore()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()


@pytest.mark.long
def test_a_refused_round_opened_as_the_next_one_shows_what_was_recorded_meanwhile(
    scorer, network, owner, game
):
    queue_refused_round(scorer, network, owner, game)
    title, *reasons = scorer.page.locator("#waiting li :is(b, .wrong)").all_inner_texts()
    scorer.page.goto("/")
    scorer.tap("#kept li a")
    expect(scorer.page.locator("#entry[data-step=hands]")).to_be_visible()
    expect(scorer.page.locator("#entry .errors li")).to_have_text([title, *reasons])
    assert title not in scorer.page.locator("h1").inner_text()
    scorer.tap(GO)
    expect(scorer.page.locator(".score")).to_be_visible()
    expect(scorer.page.locator(".errors")).to_have_count(0)


def test_signing_out_warns_before_entries_are_lost_and_deletes_all_cached_data(
    phone, let_in, owner, scorer, network, game
):
    owner.set_password("tres lobas negras")
    owner.save()
    let_in(phone, owner)  # again, because the password ended the session
    queue_refused_round(scorer, network, owner, game)
    scorer.page.evaluate(
        "localStorage.setItem(`draft:${document.getElementById('main').dataset.person}:somewhere:1`, '{}')"
    )
    scorer.page.goto("/")
    expect(scorer.page.locator("#kept li")).to_have_count(1)
    scorer.page.goto("/you/")
    leave = scorer.page.locator("form[action='/logout/'] button")
    leave.evaluate("button => button.scrollIntoView({ block: 'center' })")  # away from the note at the edge
    scorer.tap(leave)
    expect(scorer.page.locator("form[action='/logout/'] .wrong")).to_be_visible()
    scorer.tap(leave)
    expect(scorer.page.locator("a[href='/login/']")).to_be_visible()
    assert {"/"} >= {*scorer.page.evaluate(CACHED)}
    assert [] == scorer.page.evaluate("self.openDisk('waiting')('readonly', (store) => store.getAllKeys())")
    assert {"person"} >= {*scorer.page.evaluate("Object.keys(localStorage)")}
    cut(network, scorer.page)
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("main > .dock a[href='']")).to_be_visible()  # only the retry link is left
    assert game.table.name not in scorer.page.content()


# --- for everybody ----------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_queued_entries_questions_and_refusals_are_accessible(scorer, network, owner, axe_source, game):
    scorer.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    problems: list[str] = []

    def look(stage: str) -> None:
        scorer.page.evaluate(axe_source)
        problems.extend(f"{stage}: {problem}" for problem in axe_problems(scorer.page))

    open_sheet(scorer, game)
    cut(network, scorer.page)
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
    network.restore()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_attached()
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    look("refused")
    assert [] == problems
