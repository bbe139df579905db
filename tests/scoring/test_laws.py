"""The laws of every game, checked on random games; the laws of settlements are in test_settlement.py."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.errors import RuleError
from games.scoring.events import Corrected, Event, PlayEvent, RoundPlayed, SeatHandedOver
from games.scoring.ledger import nets, payments, places
from games.scoring.money import Cause, movements, pot_amount
from games.scoring.preview import preview_changes
from games.scoring.replay import apply, extend, replay
from games.scoring.rounds import Hand
from games.scoring.seats import more_packs_correction
from games.scoring.state import GameState, Reason
from games.scoring.text.codec import from_data, to_data
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_event, write_game
from games.scoring.variants import VARIANTS
from tests.examples import examples
from tests.scoring.plain_logs import effective_log
from tests.scoring.strategies import a_change, a_game, add_corrections, games, random_answers, seeds

WITH_A_THIRD_PACK = ("loba_menos", "loba_mas", "loba_ca", "carioca_ar", "carioca_cl")

Log = tuple[Event, ...]
few = examples(60)
many = examples(250)


# --- laws of a log ----------------------------------------------------------------------------------------------------
# Seats, places, dealers and each one's money are compared with those of the oracle (test_oracle.py).


def check_money(state: GameState) -> None:
    """Assert that nets and pot add up to zero, and that the payments of a finished game clear every balance."""
    balances = nets(state)
    assert 0 == sum(balances.values()) + pot_amount(state)
    assert all(movement.amount > 0 for movement in movements(state))
    if state.outcome is None:
        return
    for paid in payments(state):
        balances[paid.payer] += paid.amount
        balances[paid.payee] -= paid.amount
    assert (0, set()) == (pot_amount(state), set(balances.values()) - {0})


def check_as_text(log: Log, state: GameState) -> None:
    """Assert that the log is the same after it was stored as JSON, as lines, and as a game of the notation."""
    rows = [(event.kind, json.dumps(to_data(event))) for event in log]
    assert log == tuple(from_data(kind, json.loads(data)) for kind, data in rows)
    assert log[1:] == tuple(event for original in log[1:] for event in parse_line(write_event(original)))
    played = play_game_file(parse_game_file(write_game(log)))
    assert ([], log, state) == (played.problems, played.log, played.state)


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
    """Return the whole state except the numbers of its events."""
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
        range(30),
        pytest.param(range(30, 4000), marks=pytest.mark.long),
    ],
    ids=["some", "all"],
)
def test_the_laws_hold_for_random_games_with_corrections(seeds):
    for seed in seeds:
        chance = random.Random(seed)
        log, _lengths = add_corrections(chance, a_game(chance, length=14), times=3)
        state = replay(log)
        check_money(state)
        check_columns(state)
        check_as_text(log, state)
        right = replay([event for _number, event in effective_log(log)])
        assert without_numbers(right) == without_numbers(state)


@few
@given(games, st.integers(1, 8))
def test_a_log_replayed_event_by_event_or_in_parts_gives_the_same_state(log: Log, begin: int):
    begin, state = min(begin, len(log)), replay(log[:1])
    for number, event in enumerate(log[1:], start=2):
        assert isinstance(event, PlayEvent)
        state = apply(state, number, event)
    assert replay(log) == state == extend(replay(log[:begin]), log[:begin], log[begin:])


# --- packs -------------------------------------------------------------------------------------------------------------


@few
@given(seeds)
def test_a_third_pack_changes_no_points_seats_or_money(seed: int):
    log = a_game(random.Random(seed), *WITH_A_THIRD_PACK)
    before = replay(log)
    agreed = more_packs_correction(before)
    if agreed is None:
        assert 3 == before.house["packs"]
        return
    after = replay((*log, Corrected(1, agreed)))
    assert (2, 3) == (before.house["packs"], after.house["packs"])
    assert [result.points for result in before.rounds] == [result.points for result in after.rounds]
    assert (before.players, before.outcome, nets(before)) == (after.players, after.outcome, nets(after))


# --- order -----------------------------------------------------------------------------------------------------------


def shuffle_round(chance: random.Random, event: Event) -> Event:
    """Shuffle the hands, melds and cards of a round. Return any other event unchanged."""
    if not isinstance(event, RoundPlayed):
        return event

    def shuffle_hand(hand: Hand) -> Hand:
        melds = [tuple(chance.sample(meld, len(meld))) for meld in hand.melds]
        cards = None if hand.held is None else tuple(chance.sample(hand.held, len(hand.held)))
        return replace(hand, melds=tuple(chance.sample(melds, len(melds))), held=cards)

    hands = [(player, shuffle_hand(hand)) for player, hand in event.entry.hands]
    return RoundPlayed(replace(event.entry, hands=tuple(chance.sample(hands, len(hands)))))


@many
@given(seeds)
def test_the_order_of_hands_and_cards_does_not_matter(seed: int):
    chance = random.Random(seed)
    log = a_game(chance)
    state, again = replay(log), replay([shuffle_round(chance, event) for event in log])
    assert (state.players, state.outcome) == (again.players, again.outcome)
    assert [(result.points, result.doubts) for result in state.rounds] == [
        (result.points, result.doubts) for result in again.rounds
    ]


# --- corrections ------------------------------------------------------------------------------------------------------


@few
@given(seeds)
def test_the_state_of_a_preview_equals_a_replay_of_its_changes(seed: int):
    chance = random.Random(seed)
    log, _lengths = add_corrections(chance, a_game(chance, length=9), times=1)
    for _try in range(3):
        change = a_change(chance, log)
        try:
            tried = preview_changes(log, change, answers=random_answers(chance, log, change))
        except RuleError:
            continue
        assert replay(log) == tried.before
        assert tried.changes[0] == change
        if tried.after is None:
            assert tried.missing
            with pytest.raises(RuleError):
                replay((*log, *tried.changes))
        else:
            assert all(conflict.chosen for conflict in tried.conflicts)
            assert replay((*log, *tried.changes)) == tried.after


# --- coverage of the random games -------------------------------------------------------------------------------------


def test_random_games_reach_every_ending_and_every_kind_of_movement():
    reasons, causes = {Reason.IMPORTED}, {Cause.NOTEBOOK}  # these are of nights that were not played here
    for seed, variant in product(range(120), VARIANTS):
        state = replay(a_game(random.Random(seed), variant, length=20))
        causes |= {movement.cause for movement in movements(state)}
        if state.outcome is not None:
            reasons.add(state.outcome.reason)
        if (set(Reason), set(Cause)) == (reasons, causes):
            break
    assert (set(Reason), set(Cause)) == (reasons, causes)
