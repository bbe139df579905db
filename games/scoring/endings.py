"""The end of a game and its winners: the checks after a round or a penalty (RULES 1.1, 1.2).

A player whose total has reached the limit of the game is bust. In some games a bust player may come back:
with another total, at a price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import assert_never

from .errors import RuleError
from .events import Stop
from .i18n import Text, _, ngettext
from .rounds import PlayerId
from .rule_types import AfterContracts, AfterRounds, FirstOut, FirstTo, LastIn, Rules, WhenStopped
from .state import GameState, Outcome, PlayerState, Reason, Seat, Step, replace_fields


def apply_ending(state: GameState, number: int) -> GameState:
    """Return the state with bust players marked, and with the outcome if the game is over.

    `state` has the totals after event `number`. Bust players who may come back become pending.
    """
    playing, wins_at, limit = state.playing, state.rules.wins_at, state.rules.out_at
    bust = [player for player in playing if limit is not None and player.total >= limit]
    if wins_at is not None and min(player.total for player in playing) <= wins_at:
        return end_game(_mark_bust(state, bust), number, Reason.TARGET, best_players(state, playing))
    match state.rules.ending:
        case LastIn(out_at):
            if not bust and len(playing) > 1:
                return state
            alive = [player for player in playing if player.total < out_at]
            if not alive:
                return end_game(
                    _mark_bust(state, bust), number, Reason.EVERYBODY_BUST, best_players(state, playing)
                )
            if len(alive) == 1:
                return end_game(_mark_bust(state, bust), number, Reason.LAST_IN, (alive[0].id,))
            return _offer_reentries(state, bust, highest=max(player.total for player in alive))
        case FirstOut():
            if not bust:
                return state
            return end_game(_mark_bust(state, bust), number, Reason.FIRST_OUT, best_players(state, playing))
        case FirstTo(target) as ending:
            is_reached = max(player.total for player in playing) >= target
            return _end_by_best_total(state, number, ending, Reason.TARGET, is_due=is_reached)
        case AfterContracts(contracts, by_rounds_won):
            if len(state.rounds) < len(contracts):
                return state
            winners = best_players(state, playing)
            if by_rounds_won:
                winners = _most_rounds_won(state, winners)
            return end_game(state, number, Reason.CONTRACTS_DONE, winners)
        case AfterRounds(rounds) as ending:
            is_last = len(state.rounds) >= rounds
            return _end_by_best_total(state, number, ending, Reason.ROUNDS_DONE, is_due=is_last)
        case WhenStopped():
            return state
        case _:
            assert_never(state.rules.ending)


def _end_by_best_total(
    state: GameState, number: int, ending: FirstTo | AfterRounds, reason: Reason, *, is_due: bool
) -> GameState:
    """Return the state at the end of a game that the best total wins, or if a tie for it is played on or off.

    `is_due` tells whether the end is reached. Once a play-off has begun, it always is (RULES 8).
    """
    if not (is_due or state.is_play_off):
        return state
    winners = best_players(state, state.playing)
    if len(winners) == 1 or not (ending.play_on or ending.play_off):
        return end_game(state, number, reason, winners)
    if not ending.play_off:
        return state
    others = {player.id: {"seat": Seat.SITTING_OUT} for player in state.playing if player.id not in winners}
    return replace_fields(state.with_players(others), is_play_off=True)


def can_name_winners(rules: Rules) -> bool:
    """Return whether the players name who has won the game, which ends it."""
    return isinstance(rules.ending, WhenStopped) and rules.ending.named


def can_add_bonuses(state: GameState) -> bool:
    """Return whether the game is over and points may still be added to the totals of players who are in."""
    ending, outcome = state.rules.ending, state.outcome
    has_bonuses = isinstance(ending, FirstTo | AfterRounds) and ending.bonuses
    return has_bonuses and outcome is not None and outcome.reason in (Reason.TARGET, Reason.ROUNDS_DONE)


def with_best_winners(state: GameState) -> GameState:
    """Return the state of a game that is over, won anew by the best total after bonuses."""
    assert state.outcome is not None
    winners = best_players(state, state.playing)
    return replace_fields(state, outcome=replace_fields(state.outcome, winners=winners))


def end_if_one_left(state: GameState, number: int) -> GameState:
    """Return the state after a player left by event `number`.

    If only one player is still in, the game is over and that player has won.
    """
    if len(state.playing) == 1:
        return end_game(state, number, Reason.LAST_IN, (state.playing[0].id,))
    return state


def allowed_stops(rules: Rules) -> tuple[Stop, ...]:
    by_total = Stop.LOWEST_WINS if rules.lowest_wins else Stop.HIGHEST_WINS
    return (
        *(() if can_name_winners(rules) else (by_total,)),
        *((Stop.SPLIT_POT,) if rules.pot else ()),
        Stop.REFUND,
    )


def apply_stop(state: GameState, number: int, how: Stop) -> GameState:
    """Return the state of a game that the players agree to stop, in event `number` (RULES 1.4).

    Raise RuleError if this game cannot be stopped in the way `how`, e.g. by sharing a pot that it does not
    have.
    """
    match how:
        case Stop.LOWEST_WINS | Stop.HIGHEST_WINS:
            if (how is Stop.LOWEST_WINS) != state.rules.lowest_wins or can_name_winners(state.rules):
                raise RuleError(_("This game can't be won that way."), field="how")
            return end_game(state, number, Reason.STOPPED, best_players(state, state.playing))
        case Stop.SPLIT_POT:
            if state.rules.pot is None:
                raise RuleError(_("There is no pot to split."), field="how")
            sharing = tuple(player.id for player in state.playing)
            return end_game(state, number, Reason.STOPPED, sharing, agreed=True)
        case Stop.REFUND:
            return end_game(state, number, Reason.STOPPED, (), refunded=True)
        case _:
            assert_never(how)


def end_game(
    state: GameState,
    number: int,
    reason: Reason,
    winners: tuple[PlayerId, ...],
    *,
    refunded: bool = False,
    agreed: bool = False,
) -> GameState:
    """Return the state at the end of the game, which event `number` caused.

    Pending players (bust, and undecided about a re-entry) are out, and so are losers who went bust in this
    event. Winners stay in. `refunded` is true if everyone takes back the money that they put in, `agreed` if
    the players still in split the pot by agreement.
    """
    due = state.dealer  # decides who gets the odd coins of the pot if no round was played
    gone = {
        player.id: {"seat": Seat.OUT, "reentry_total": None}
        for player in state.players
        if player.id not in winners
        and (player.seat is Seat.PENDING or (player.is_in and player.bust_at == _current_step(state)))
    }
    return replace_fields(
        state.with_players(gone), due=due, outcome=Outcome(reason, winners, number, refunded, agreed)
    )


def best_players(state: GameState, players: Sequence[PlayerState]) -> tuple[PlayerId, ...]:
    """Return the ids of the players with the best total among `players`, in seat order.

    The best total is the lowest or the highest, by the rules of the game.
    """
    pick: Callable[[Iterable[int]], int] = min if state.rules.lowest_wins else max
    total = pick(player.total for player in players)
    return tuple(player.id for player in players if player.total == total)


def _most_rounds_won(state: GameState, tied: tuple[PlayerId, ...]) -> tuple[PlayerId, ...]:
    most = max(state.player(player).rounds_won for player in tied)
    return tuple(player for player in tied if state.player(player).rounds_won == most)


def _mark_bust(state: GameState, bust: Iterable[PlayerState]) -> GameState:
    return state.with_players({player.id: {"bust_at": _current_step(state)} for player in bust})


def _current_step(state: GameState) -> int:
    """Return the number of events in force up to the one being replayed, itself included.

    Unlike the numbers of events, it grows in the order they take effect: a round that is inserted later has a
    larger number than the rounds after it.
    """
    return len(state.steps) + 1


def _offer_reentries(state: GameState, bust: Iterable[PlayerState], *, highest: int) -> GameState:
    """Return the state with the players of `bust` pending: each may come back at the same total.

    `highest` is the highest total of the players still in, called H in RULES 1.2. A player with no re-entries
    left is out instead. If H is too high to come in, all of them are out.
    """
    cap = state.rules.reentry.cap if state.rules.reentry else 0
    total, step = state.rules.entry_total(highest), _current_step(state)
    return state.with_players(
        {
            player.id: {"bust_at": step, "seat": Seat.OUT}
            if total is None or (cap is not None and player.reentries >= cap)
            else {"bust_at": step, "seat": Seat.PENDING, "reentry_total": total}
            for player in bust
        }
    )


# --- eliminations -------------------------------------------------------------------------------------------


def elimination_reasons(state: GameState, place: int) -> Iterator[tuple[PlayerId, Text]]:
    """Yield each player eliminated by step number `place`, with a sentence that gives the reason (RULES 1.2).

    Players who decided not to come back are left out. If the step ended the game, nobody is named, because the
    end is the reason.
    """
    step = state.steps[place - 1]
    if not isinstance(state.rules.ending, LastIn) or (state.outcome and state.outcome.number == step.number):
        return
    for player in step.players:
        if player.seat is Seat.OUT and player.bust_at == place:
            yield player.id, _elimination_reason(state.rules, step, player)


def _elimination_reason(rules: Rules, step: Step, player: PlayerState) -> Text:
    name, total = player.name, rules.displayed_total(player.total)
    cap = rules.reentry.cap if rules.reentry else 0
    if cap == 0:
        return _("{name} is out with {total}: there are no re-entries.", name=name, total=total)
    if cap is not None and player.reentries >= cap:
        return ngettext(
            "{name} is out with {total}: the one re-entry is used up.",
            "{name} is out with {total}: all {count} re-entries are used up.",
            cap,
            name=name,
            total=total,
        )
    highest = max((other for other in step.players if other.is_in), key=lambda other: other.total)
    limit = rules.entry.limit
    if limit is None or highest.total <= limit:
        return _(
            "{name} is out with {total}: anyone coming in would start at {back}, which is bust.",
            name=name,
            total=total,
            back=rules.displayed_total(highest.total + rules.entry.above),
        )
    text = (
        _(
            "{name} is out with {total}: nobody comes in while a player still in has less than {limit} "
            "left, and {other} has {highest}."
        )
        if rules.counts_down
        else _(
            "{name} is out with {total}: nobody comes in while a player still in has more than {limit}, "
            "and {other} has {highest}."
        )
    )
    return text.filled(
        name=name,
        total=total,
        limit=rules.displayed_total(limit),
        other=highest.name,
        highest=rules.displayed_total(highest.total),
    )
