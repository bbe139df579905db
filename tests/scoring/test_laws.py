"""The laws of every game, checked on random games; the laws of settlements are in test_settlement.py."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    PlayerJoined,
    PlayEvent,
    RoundPlayed,
    SeatHandedOver,
    Struck,
)
from games.scoring.ledger import nets, payments, places
from games.scoring.money import POT, Cause, movements, pot_of
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
from tests.examples import examples, in_a_twentieth_and_in_all
from tests.scoring.plain_logs import as_if_right_at_once
from tests.scoring.strategies import (
    a_change,
    a_game,
    a_move,
    answers_by_chance,
    corrected,
    games,
    games_with_corrections,
    seeds,
)

WITH_A_THIRD_PACK = ("loba_menos", "loba_mas", "loba_ca", "carioca_ar", "carioca_cl")

Log = tuple[Event, ...]
few = examples(60)
many = examples(250)


# --- money ------------------------------------------------------------------------------------------------------------


@many
@given(games)
def test_nets_and_pot_sum_to_zero_after_every_event(log: Log):
    for length in range(1, len(log) + 1):
        state = replay(log[:length])
        assert 0 == sum(nets(state).values()) + pot_of(state)


@few
@given(games_with_corrections)
def test_nets_and_pot_sum_to_zero_after_corrections(log: Log):
    state = replay(log)
    assert 0 == sum(nets(state).values()) + pot_of(state)


@few
@given(games_with_corrections)
def test_the_pot_is_empty_after_the_end(log: Log):
    state = replay(log)
    assert not state.is_over or pot_of(state) == 0


@few
@given(games_with_corrections)
def test_only_winners_take_money_from_the_pot(log: Log):
    state = replay(log)
    if state.outcome is not None and not state.outcome.refunded:
        assert {moved.payee for moved in movements(state) if moved.payer == POT} <= set(state.outcome.winners)


@few
@given(games_with_corrections)
def test_the_payments_of_a_finished_game_clear_every_balance(log: Log):
    state = replay(log)
    left = nets(state)
    for paid in payments(state):
        left[paid.payer] += paid.amount
        left[paid.payee] -= paid.amount
    assert not state.is_over or not any(left.values())


@few
@given(games_with_corrections)
def test_every_movement_has_a_positive_amount(log: Log):
    assert all(movement.amount > 0 for movement in movements(replay(log)))


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


@few
@given(seeds)
def test_a_log_without_a_number_of_packs_has_two(seed: int):
    log = a_game(random.Random(seed), *WITH_A_THIRD_PACK)
    start = log[0]
    assert isinstance(start, GameStarted)
    if ("packs", 2) in start.options:
        older = replace(start, options=tuple(pair for pair in start.options if pair[0] != "packs"))
        state, again = replay(log), replay((older, *log[1:]))
        assert (state.house, state.rounds, state.players) == (again.house, again.rounds, again.players)


# --- the log ----------------------------------------------------------------------------------------------------------


@few
@given(games)
def test_replaying_equals_applying_step_by_step(log: Log):
    state = replay(log[:1])
    for number, event in enumerate(log[1:], start=2):
        assert isinstance(event, PlayEvent)
        state = apply(state, number, event)
    assert replay(log) == state


@few
@given(games, st.integers(1, 8))
def test_extending_by_a_batch_equals_replaying_the_whole_log(log: Log, begin: int):
    begin = min(begin, len(log))
    assert replay(log) == extend(replay(log[:begin]), log[:begin], log[begin:])


@few
@given(games_with_corrections)
def test_events_survive_json(log: Log):
    stored = [(kind_of(event), json.dumps(to_data(event))) for event in log]
    assert log == tuple(from_data(kind, json.loads(data)) for kind, data in stored)


@few
@given(games_with_corrections)
def test_events_survive_the_notation(log: Log):
    assert log[1:] == tuple(event for one in log[1:] for event in read_line(write_event(one)))


@few
@given(games_with_corrections)
def test_a_written_game_is_parsed_and_played_unchanged(log: Log):
    played = play_script(read_script(write_game(log)))
    assert ([], log, replay(log)) == (played.problems, played.log, played.state)


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
        nets(state),
        places(state),
        payments(state),
    )


@few
@given(games_with_corrections)
def test_a_corrected_log_equals_one_without_errors(log: Log):
    assert without_numbers(replay(as_if_right_at_once(log))) == without_numbers(replay(log))


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


# --- the sheet and the seats ------------------------------------------------------------------------------------------


@few
@given(games_with_corrections)
def test_the_column_of_a_sheet_adds_up_to_the_total(log: Log):
    state = replay(log)
    column: dict[str, int] = {}
    for step in state.steps:
        if isinstance(step.event, SeatHandedOver):
            column[step.event.to.id] = column.pop(step.event.player, 0)
        for player, points in step.moved.items():
            column[player] = column.get(player, 0) + points
    assert {player.id: player.total for player in state.players} == {
        player.id: column.get(player.id, 0) for player in state.players
    }


@few
@given(games_with_corrections)
def test_a_running_game_has_at_least_two_players_in_and_one_of_them_deals(log: Log):
    state = replay(log)
    if not state.is_over:
        assert len(state.playing) >= 2
        assert state.dealer in {player.id for player in state.playing}


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


@few
@given(games_with_corrections)
def test_a_finished_game_has_no_pending_player_and_winners_who_are_in(log: Log):
    state = replay(log)
    if state.outcome is not None:
        assert () == state.pending
        assert {Seat.IN} >= {state.player(winner).seat for winner in state.outcome.winners}
        assert bool(state.outcome.winners) != state.outcome.refunded


@few
@given(games_with_corrections)
def test_places_agree_with_the_winners_and_the_seats(log: Log):
    state = replay(log)
    place = places(state)
    ordered = sorted(place.values())
    assert ordered == [1 + sum(other < rank_of for other in ordered) for rank_of in ordered]
    if state.outcome is not None and state.outcome.winners:
        assert set(state.outcome.winners) == {player for player, rank_of in place.items() if rank_of == 1}
    rank = {Seat.IN: 0, Seat.PENDING: 1, Seat.OUT: 1, Seat.LEFT: 2}
    for one in state.players:
        for other in state.players:
            if rank[one.seat] < rank[other.seat]:
                assert place[one.id] < place[other.id]


@few
@given(games)
def test_only_players_dealt_into_a_round_deal_it(log: Log):
    state = replay(log)
    for result, following in zip(state.rounds, state.rounds[1:], strict=False):
        assert result.dealer in result.points
        assert following.dealer in following.points


# --- coverage of the random games -------------------------------------------------------------------------------------

LAST_IN, STOPPED = Reason.LAST_IN, Reason.STOPPED
STAKES = {Cause.STAKE, Cause.POT, Cause.REFUND}
REACHED: dict[str, tuple[set[Reason], set[Cause]]] = {
    "loba_menos": ({LAST_IN, STOPPED, Reason.FIRST_OUT, Reason.EVERYBODY_BUST}, {*STAKES, Cause.REENTRY}),
    "loba_mas": ({LAST_IN, STOPPED, Reason.TARGET}, {*STAKES, Cause.DIFFERENCE}),
    "chinchon": (
        {LAST_IN, STOPPED, Reason.FIRST_OUT, Reason.EVERYBODY_BUST, Reason.INSTANT_WIN},
        {*STAKES, Cause.REENTRY, Cause.POINTS, Cause.WON_POINTS, Cause.CUT_PRIZE, Cause.INSTANT_PRIZE},
    ),
    "points": (
        {LAST_IN, STOPPED, Reason.TARGET, Reason.ROUNDS_DONE, Reason.EVERYBODY_BUST},
        {*STAKES, Cause.REENTRY, Cause.DIFFERENCE, Cause.POINTS, Cause.WON_POINTS},
    ),
    **dict.fromkeys(
        ("loba_ca", "carioca_ar", "carioca_cl"),
        (
            {LAST_IN, STOPPED, Reason.CONTRACTS_DONE},
            {*STAKES, Cause.DIFFERENCE, Cause.POINTS, Cause.WON_POINTS},
        ),
    ),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_reach_every_ending_and_every_kind_of_movement(variant: str):
    reasons, causes, shared = set(), set(), False
    for seed in range(400):
        state = replay(a_game(random.Random(seed), variant, length=20))
        causes |= {movement.cause for movement in movements(state)}
        if state.outcome is not None:
            reasons.add(state.outcome.reason)
            shared |= len(state.outcome.winners) > 1
        if (*REACHED[variant], True) == (reasons, causes, shared):
            break
    assert (*REACHED[variant], True) == (reasons, causes, shared)


# --- more games, in slow and long runs --------------------------------------------------------------------------------


@in_a_twentieth_and_in_all
def test_the_laws_hold_for_many_more_random_games(share: int):
    for seed in range(4000 // share):
        chance = random.Random(seed)
        log, lengths = corrected(chance, a_game(chance, length=14), times=5)
        state = replay(log)
        played = play_script(read_script(write_game(log)))
        assert (seed, [], log, state) == (seed, played.problems, played.log, played.state)
        assert without_numbers(replay(as_if_right_at_once(log))) == without_numbers(state)
        for length in lengths:
            stood = replay(log[:length])
            assert 0 == sum(nets(stood).values()) + pot_of(stood)
