"""Rounds that wait behind another, or that another phone recorded too: recorded once, or asked about."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Game
from games.scoring.events import RoundPlayed
from games.scoring.text.writing import write_event
from tests.browser.network import Road
from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer, until
from tests.browser.test_offline import cut, enter, goes_on, open_sheet
from tests.tables import make_table

FIRST, SECOND = "round caro out ana=5 beto=9 dani=8", "round dani out ana=1 beto=2 caro=3"
OTHERWISE = "round caro out ana=5 beto=9 dani=7"


@pytest.fixture
def phone(cuttable_phone):
    """A phone whose network can be cut."""
    return cuttable_phone


@pytest.fixture
def game(owner, scorer):
    """A game of four after one round."""
    return play(begin(make_table(owner), owner, stake=10), owner, "round ana out beto=60 caro=40 dani=12")


def rounds_of(game: Game) -> list[str]:
    """Return the rounds after the first as lines of notation."""
    return [write_event(event) for event in game.log() if isinstance(event, RoundPlayed)][1:]


def enters_both(scorer: Scorer, road: Road, game: Game) -> None:
    """Enter FIRST and SECOND without a network."""
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    goes_on(scorer)
    enter(scorer, "dani", 1, 2, 3)


def sees_nothing_wait(scorer: Scorer) -> None:
    """Check that no round waits and none is asked about."""
    until(scorer.page, lambda: scorer.page.evaluate("self.queue.all()") == [])


@pytest.mark.slow
def test_a_round_two_people_entered_alike_is_recorded_once_and_two_alike_in_a_row_twice(
    scorer, road, game, owner
):
    open_sheet(scorer, game)
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    goes_on(scorer)
    enter(scorer, "caro", 5, 9, 8)
    play(game, owner, FIRST)
    road.mend()
    scorer.sees_totals("10", "78", "40", "28")
    assert [FIRST, FIRST] == rounds_of(game)
    sees_nothing_wait(scorer)


@pytest.mark.slow
def test_a_held_round_that_is_opened_before_it_goes_on_is_recorded_as_it_is_saved(scorer, road, game, owner):
    enters_both(scorer, road, game)
    play(game, owner, OTHERWISE)
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    scorer.page.locator("#waiting li button").nth(1).tap()
    expect(scorer.page.locator("#waiting li").first).to_contain_text("Dani salió")
    goes_on(scorer)
    expect(scorer.page.locator("[data-seat] b").first).to_have_text("1")
    scorer.page.wait_for_timeout(6000)  # long enough for a dropped round to come back
    assert [OTHERWISE] == rounds_of(game)
    scorer.tap(GO)
    sees_nothing_wait(scorer)
    assert [OTHERWISE, SECOND] == rounds_of(game)


@pytest.mark.slow
@pytest.mark.parametrize("act", ["drops", "saves it anew"])
def test_where_the_other_phone_had_both_the_second_is_not_recorded_twice(scorer, road, game, owner, act):
    enters_both(scorer, road, game)
    play(game, owner, OTHERWISE, SECOND)
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    if act == "drops":
        scorer.page.locator("#waiting li button").nth(1).tap()
    else:
        goes_on(scorer)
        expect(scorer.page.locator("[data-seat] b").first).to_have_text("5")
        scorer.saves()
    sees_nothing_wait(scorer)
    assert [OTHERWISE, SECOND, *([FIRST] if act != "drops" else [])] == rounds_of(game)


@pytest.mark.slow
def test_what_others_recorded_in_the_place_of_a_held_round_is_looked_at_first(scorer, road, game, owner):
    enters_both(scorer, road, game)
    play(game, owner, OTHERWISE, "round beto out ana=1 caro=1 dani=1")
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    scorer.page.locator("#waiting li button").nth(1).tap()
    held = scorer.page.locator("#waiting li").first
    expect(held).to_contain_text("Dani salió")
    expect(held.locator(".wrong").last).to_contain_text("Beto", timeout=20_000)
    assert 2 == len(rounds_of(game))
    goes_on(scorer)
    expect(scorer.page.locator("[data-seat] b").first).to_have_text("1")
    scorer.tap(GO)
    sees_nothing_wait(scorer)
    assert SECOND == rounds_of(game)[2]


# Of three entries after the events 3, 4 and 5 the first was refused: what is known of its fate, and the events
# that the other two now follow; None if a person must look at them.
PLACES: tuple[tuple[dict[str, int], list[int] | None], ...] = (
    # another phone recorded one event instead
    ({"seen": 3, "now": 3}, [3, 4]),  # dropped
    ({"seen": 3, "now": 4}, [4, 5]),  # saved anew
    # nothing was recorded meanwhile: it was refused for its hands
    ({"seen": 2, "now": 2}, [2, 3]),
    ({"seen": 2, "now": 3}, [3, 4]),
    # another phone recorded an event instead of the second one too
    ({"seen": 4, "now": 4}, [3, 4]),
    ({"seen": 4, "now": 5}, [3, 4]),
    # it is already recorded, and two events correct it
    ({"seen": 3, "now": 5}, [5, 6]),
    # unknown what was recorded
    ({}, None),
    ({"seen": True, "now": True}, None),
)
TRY_ALL = """async (places) => {
  const { queue } = self;
  const found = [];
  for (const [decision] of places) {
    for (const entry of await queue.all()) await queue.drop(entry);
    const all = [2, 3, 4].map((after) => ({ person: "p", game: "g", after, key: `${after}` }));
    await queue.add({ ...all[0], refused: ["Meanwhile"] });
    for (const entry of all.slice(1)) await queue.add(entry);
    const [first] = await queue.all();
    await queue.release();
    const isHeld = (await queue.all()).every((entry) => entry.stopped);
    await queue.drop(first, null, decision);
    await queue.release();
    const left = await queue.all();
    found.push([isHeld, left.every((entry) => entry.stopped) ? null : left.map((entry) => entry.after)]);
  }
  for (const entry of await queue.all()) await queue.drop(entry);
  return found;
}"""


def test_where_held_rounds_go_on_once_somebody_has_decided_about_the_one_before_them(phone):
    page = phone.new_page()
    page.goto("/offline/")
    until(page, lambda: page.evaluate("Boolean(self.queue)"))
    assert [[True, places] for _, places in PLACES] == page.evaluate(TRY_ALL, list(map(list, PLACES)))
