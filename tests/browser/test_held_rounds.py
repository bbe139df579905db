"""Queued rounds behind another one, or that another phone recorded too: recorded once, or asked about."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Game
from games.scoring.events import RoundPlayed
from games.scoring.text.writing import write_event
from tests.browser.network import Road
from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer, until
from tests.browser.test_offline import (
    WAITING,
    cut,
    drops,
    enter,
    goes_on,
    open_sheet,
    opens,
)
from tests.worlds import make_table

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
    until(scorer.page, lambda: scorer.page.evaluate(WAITING) == [])


def test_a_queued_round_equal_to_a_recorded_one_is_recorded_once_and_two_equal_rounds_twice(
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


def test_a_refused_round_and_its_successor_wait_until_the_person_saves(scorer, road, game, owner):
    enters_both(scorer, road, game)
    play(game, owner, OTHERWISE)
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    opens(scorer.page)
    expect(scorer.page.locator("[data-seat] b").first).to_have_text("5")
    scorer.page.wait_for_timeout(4000)
    assert [OTHERWISE] == rounds_of(game)
    scorer.tap(GO)
    sees_nothing_wait(scorer)
    assert [OTHERWISE, FIRST, SECOND] == rounds_of(game)


@pytest.mark.parametrize("act", ["drops", "saves it anew"])
def test_a_queued_round_that_the_other_phone_recorded_too_is_not_recorded_twice(
    scorer, road, game, owner, act
):
    enters_both(scorer, road, game)
    play(game, owner, OTHERWISE, SECOND)
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    if act == "drops":
        drops(scorer.page)
    else:
        opens(scorer.page)
        expect(scorer.page.locator("[data-seat] b").first).to_have_text("5")
        scorer.saves()
    sees_nothing_wait(scorer)
    assert [OTHERWISE, SECOND, *([FIRST] if act != "drops" else [])] == rounds_of(game)


def test_a_refused_round_shows_the_rounds_recorded_in_its_place(scorer, road, game, owner):
    enters_both(scorer, road, game)
    play(game, owner, OTHERWISE, "round beto out ana=1 caro=1 dani=1")
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    drops(scorer.page)
    expect(scorer.page.locator("#waiting li")).to_have_count(1)
    expect(scorer.page.locator("#waiting .wrong").last).to_contain_text("Beto")
    assert 2 == len(rounds_of(game))
    opens(scorer.page)
    expect(scorer.page.locator("[data-seat] b").first).to_have_text("1")
    scorer.tap(GO)
    sees_nothing_wait(scorer)
    assert SECOND == rounds_of(game)[2]


def test_a_round_recorded_while_a_person_reads_the_refusal_is_asked_about_too(scorer, road, game, owner):
    enters_both(scorer, road, game)
    play(game, owner, OTHERWISE)
    road.mend()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    play(game, owner, "round beto out ana=1 caro=1 dani=1")
    opens(scorer.page)
    scorer.tap(GO)
    expect(scorer.page.locator("#waiting .wrong").nth(1)).to_contain_text("Beto")
    assert 2 == len(rounds_of(game))


# The entries follow the events 2, 3 and 4. The first is refused, and then dropped or replaced: the number of the last
# event that the person saw, whether it is replaced, and the events that the other two now follow.
PLACES: tuple[tuple[int, bool, list[int]], ...] = (
    (3, False, [3, 4]),  # another phone recorded one event instead; the entry is dropped
    (3, True, [4, 5]),  # the same, but the entry is saved again
    (2, False, [2, 3]),  # nothing was recorded meanwhile: the entry was refused for its hands
    (2, True, [3, 4]),
    (4, False, [3, 4]),  # another phone recorded an event instead of the second entry too
    (4, True, [3, 4]),
)
TRY_ALL = """async (places) => {
  const { box, outbox } = self;
  const tried = [];
  for (const [seen, isReplaced] of places) {
    const [first, ...others] = [2, 3, 4].map((after) => ({ form: "round", game: "g", after, key: `${after}` }));
    await outbox.add("p", first, { sentences: ["Meanwhile"] });
    for (const fact of others) await outbox.add("p", fact);
    await box.know("g", { after: seen });
    const before = box.free(await box.unsent("p")).length;
    const instead = isReplaced ? { ...first, after: seen, key: "new" } : undefined;
    const isDecided = await outbox.decide("p", "2", instead);
    const isTwice = await outbox.decide("p", "2", instead);
    const left = await box.unsent("p");
    tried.push([before, isDecided, isTwice, box.free(left).length - left.length]);
    tried.push(left.slice(-2).map(({ after }) => after));
    await box.wipe("p");
  }
  return tried;
}"""


def test_entries_behind_a_refused_one_follow_the_right_event(phone):
    page = phone.new_page()
    page.goto("/offline/")
    until(page, lambda: page.evaluate("Boolean(self.outbox)"))
    expected = [row for *_decision, places in PLACES for row in ([0, True, False, 0], places)]
    assert expected == page.evaluate(TRY_ALL, [place[:2] for place in PLACES])
