"""The laws of every game, checked on random games; the laws of settlements are in test_settlement.py."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    Inserted,
    PlayerJoined,
    PlayerLeft,
    PlayEvent,
    RoundPlayed,
    SeatHandedOver,
    Struck,
    TotalsAgreed,
)
from games.scoring.kinds import Value
from games.scoring.ledger import nets, payments, places
from games.scoring.money import POT, Cause, Movement, movements, pot_of
from games.scoring.preview import preview
from games.scoring.replay import allows, apply, extend, replay
from games.scoring.rounds import Hand
from games.scoring.seats import with_more_packs
from games.scoring.state import GameState, Reason, Seat
from games.scoring.text.codec import from_data, kind_of, to_data
from games.scoring.text.notation import read_line
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_event, write_game
from games.scoring.variants import VARIANTS
from tests.examples import examples
from tests.scoring.plain_logs import as_if_right_at_once
from tests.scoring.strategies import a_change, a_game, a_move, answers_by_chance, corrected, games, seeds

WITH_A_THIRD_PACK = ("loba_menos", "loba_mas", "loba_ca", "carioca_ar", "carioca_cl")

OWN_TOTALS: Mapping[str, Value] = {"settlement": "own"}
ROUND_PRIZES: Mapping[str, Value] = {"closes": "one", "round_prize": 2, "settlement": "pot"}

Log = tuple[Event, ...]
few = examples(60)
many = examples(250)


# --- laws of a log ----------------------------------------------------------------------------------------------------
# Each takes the state of a game; all are tried on the same games.


def check_money(state: GameState) -> None:
    """Assert that nets and pot add up to zero, and that the payments of a finished game clear every balance."""
    left, moved = nets(state), movements(state)
    assert 0 == sum(left.values()) + pot_of(state)
    assert all(movement.amount > 0 for movement in moved)
    if state.outcome is None:
        return
    for paid in payments(state):
        left[paid.payer] += paid.amount
        left[paid.payee] -= paid.amount
    assert (0, set()) == (pot_of(state), set(left.values()) - {0})
    if not state.outcome.refunded:
        assert won_from_the_pot(moved) <= set(state.outcome.winners)


def won_from_the_pot(moved: Iterable[Movement]) -> set[str]:
    """Return who got money from the pot; with totals of their own all pass through it, whoever won (RULES 8)."""
    return {one.payee for one in moved if one.payer == POT and one.cause is not Cause.OWN_TOTAL}


def check_as_text(log: Log, state: GameState) -> None:
    """Assert that the log is the same after it was stored as JSON, as lines, and as a game of the notation."""
    stored = [(kind_of(event), json.dumps(to_data(event))) for event in log]
    assert log == tuple(from_data(kind, json.loads(data)) for kind, data in stored)
    assert log[1:] == tuple(event for one in log[1:] for event in read_line(write_event(one)))
    played = play_script(read_script(write_game(log)))
    assert ([], log, state) == (played.problems, played.log, played.state)


def check_seats(state: GameState) -> None:
    """Assert that two at least play on and one of them deals, or that the winners are in and nobody is asked."""
    if state.outcome is None:
        assert len(state.playing) >= 2
        assert state.dealer in {player.id for player in state.playing}
    else:
        assert () == state.pending
        assert {Seat.IN} >= {state.player(winner).seat for winner in state.outcome.winners}
        assert bool(state.outcome.winners) != state.outcome.refunded
    assert all(result.dealer in result.points for result in state.rounds)


def check_places(state: GameState) -> None:
    """Assert that places have no gaps, begin with the winners, and end with those who left."""
    place = places(state)
    ordered = sorted(place.values())
    assert ordered == [1 + sum(other < one for other in ordered) for one in ordered]
    if state.outcome is not None and state.outcome.winners:
        assert set(state.outcome.winners) == {player for player, number in place.items() if number == 1}
    rank = {Seat.IN: 0, Seat.PENDING: 1, Seat.OUT: 1, Seat.LEFT: 2}
    for one, other in product(state.players, repeat=2):
        assert rank[one.seat] >= rank[other.seat] or place[one.id] < place[other.id]


def check_columns(state: GameState) -> None:
    """Assert that the column of each seat on the sheet adds up to its total."""
    column: dict[str, int] = {}
    for step in state.steps:
        if isinstance(step.event, SeatHandedOver):
            column[step.event.to.id] = column.pop(step.event.player, 0)
        for player, points in step.moved.items():
            column[player] = column.get(player, 0) + points
    assert {player.id: player.total for player in state.players} == {
        player.id: column.get(player.id, 0) for player in state.players
    }


def without_numbers(state: GameState) -> object:
    """Return the whole state except for the numbers of its events."""
    return (
        state.players,
        state.dealer,
        state.house,
        [(result.entry, result.points, result.dealer, result.doubts) for result in state.rounds],
        [(step.event, step.moved, step.totals, step.seats) for step in state.steps],
        [(movement.payer, movement.payee, movement.amount) for movement in movements(state)],
        state.outcome and (state.outcome.reason, state.outcome.winners, state.outcome.refunded),
        (nets(state), places(state), payments(state)),
    )


@pytest.mark.parametrize(
    "seeds",
    [
        range(120),
        pytest.param(range(120, 400), marks=pytest.mark.slow),
        pytest.param(range(400, 4000), marks=pytest.mark.long),
    ],
    ids=["some", "many", "all"],
)
def test_the_laws_hold_for_random_games_with_corrections(seeds):
    for seed in seeds:
        chance = random.Random(seed)
        log, lengths = corrected(chance, a_game(chance, length=14), times=3)
        state = replay(log)
        for check in (check_money, check_seats, check_places, check_columns):
            check(state)
        check_as_text(log, state)
        assert without_numbers(replay(as_if_right_at_once(log))) == without_numbers(state)
        for length in lengths:
            check_money(replay(log[:length]))


@pytest.mark.parametrize(
    "seeds",
    [
        range(30),
        pytest.param(range(30, 300), marks=pytest.mark.slow),
        pytest.param(range(300, 3300), marks=pytest.mark.long),
    ],
    ids=["some", "many", "all"],
)
@pytest.mark.parametrize(
    ("options", "cause"), [(OWN_TOTALS, Cause.OWN_TOTAL), (ROUND_PRIZES, Cause.ROUND_PRIZE)]
)
def test_sums_are_zero_where_own_totals_or_prizes_of_rounds_are_paid(options, cause, seeds):
    kinds, causes = set(), set()
    for seed in seeds:
        chance = random.Random(seed)
        log, lengths = corrected(chance, a_game(chance, "points", **options), times=3)
        for length in lengths:
            state = replay(log[:length])
            check_money(state)
            if state.rules.is_zero_sum and not any(
                isinstance(step.event, TotalsAgreed) for step in state.steps
            ):
                assert 0 == sum(player.total for player in state.players)
            causes |= {movement.cause for movement in movements(state)}
        kinds |= {type(event) for event in log}
    assert {PlayerLeft, Corrected, Inserted, Struck} <= kinds
    assert cause in causes


@few
@given(games, st.integers(1, 8))
def test_a_log_replayed_event_by_event_or_in_parts_gives_the_same_state(log: Log, begin: int):
    begin, state = min(begin, len(log)), replay(log[:1])
    for number, event in enumerate(log[1:], start=2):
        assert isinstance(event, PlayEvent)
        state = apply(state, number, event)
    assert replay(log) == state == extend(replay(log[:begin]), log[:begin], log[begin:])


@few
@given(games)
def test_whoever_comes_in_starts_below_the_limit_and_not_below_anybody_in(log: Log):
    for length in range(1, len(log) + 1):
        state = replay(log[:length])
        step, entry, out_at = state.steps[-1], state.rules.entry, state.rules.out_at
        starts = [player.reentry_total for player in state.pending]
        if isinstance(step.event, PlayerJoined):
            starts.append(state.player(step.event.player.id).total)
            assert max(step.totals[player.id] for player in state.playing) == starts[-1]
        for start in starts:
            assert start is not None
            assert out_at is not None
            assert start < out_at
            assert entry.limit is None or start - entry.above <= entry.limit


# --- packs -------------------------------------------------------------------------------------------------------------


@few
@given(seeds)
def test_a_third_pack_changes_no_points_seats_or_money(seed: int):
    log = a_game(random.Random(seed), *WITH_A_THIRD_PACK)
    before = replay(log)
    agreed = with_more_packs(before)
    if agreed is None:
        assert 3 == before.house["packs"]
        return
    after = replay((*log, Corrected(1, agreed)))
    assert (2, 3) == (before.house["packs"], after.house["packs"])
    assert [one.points for one in before.rounds] == [one.points for one in after.rounds]
    assert (before.players, before.outcome, nets(before)) == (after.players, after.outcome, nets(after))


# --- refusals and order ----------------------------------------------------------------------------------------------


@few
@given(seeds)
def test_a_refused_event_leaves_the_state_unchanged(seed: int):
    chance = random.Random(seed)
    log = a_game(chance, length=8)
    state, before = replay(log), replay(log)
    for _try in range(5):
        move = a_move(chance, replay(a_game(chance, length=3)))
        if not allows(state, move):
            with pytest.raises(RuleError) as refusal:
                apply(state, len(log) + 1, move)
            assert len(log) + 1 == refusal.value.number
        assert before == state


def shuffled(chance: random.Random, event: Event) -> Event:
    """Return a round with its hands, melds and cards in another order; return any other event as it is."""
    if not isinstance(event, RoundPlayed):
        return event

    def mixed(hand: Hand) -> Hand:
        melds = [tuple(chance.sample(meld, len(meld))) for meld in hand.melds]
        held = None if hand.held is None else tuple(chance.sample(hand.held, len(hand.held)))
        return replace(hand, melds=tuple(chance.sample(melds, len(melds))), held=held)

    hands = [(player, mixed(hand)) for player, hand in event.entry.hands]
    return RoundPlayed(replace(event.entry, hands=tuple(chance.sample(hands, len(hands)))))


@many
@given(seeds)
def test_the_order_of_hands_and_cards_does_not_matter(seed: int):
    chance = random.Random(seed)
    log = a_game(chance)
    state, again = replay(log), replay([shuffled(chance, event) for event in log])
    assert (state.players, state.outcome) == (again.players, again.outcome)
    assert [(result.points, result.doubts) for result in state.rounds] == [
        (result.points, result.doubts) for result in again.rounds
    ]


# --- corrections ------------------------------------------------------------------------------------------------------


@few
@given(seeds)
def test_the_state_of_a_preview_equals_a_replay_of_its_changes(seed: int):
    chance = random.Random(seed)
    log, _lengths = corrected(chance, a_game(chance, length=9), times=1)
    before = tuple(log)
    for _try in range(3):
        change = a_change(chance, log)
        try:
            tried = preview(log, change, answers=answers_by_chance(chance, log, change))
        except RuleError:
            continue
        assert before == log
        assert replay(log) == tried.before
        assert tried.changes[0] == change
        if tried.after is None:
            assert tried.conflicts[-1].chosen is None
            with pytest.raises(RuleError):
                replay((*log, *tried.changes))
        else:
            assert all(conflict.chosen for conflict in tried.conflicts)
            assert replay((*log, *tried.changes)) == tried.after


@few
@given(seeds)
def test_striking_a_correction_restores_the_corrected_event(seed: int):
    chance = random.Random(seed)
    log = a_game(chance, length=9)
    change = a_change(chance, log)
    try:
        replay((*log, change))
    except RuleError:
        return
    assert replay(log) == replay((*log, change, Struck(len(log) + 1)))


# --- coverage of the random games -------------------------------------------------------------------------------------


def test_random_games_reach_every_ending_and_every_kind_of_movement():
    reasons, causes = {Reason.IMPORTED}, {Cause.NOTEBOOK}  # these are of nights that were not played here
    for variant, seed in product(VARIANTS, range(120)):
        state = replay(a_game(random.Random(seed), variant, length=20))
        causes |= {movement.cause for movement in movements(state)}
        if state.outcome is not None:
            reasons.add(state.outcome.reason)
    assert (set(Reason), set(Cause)) == (reasons, causes)
