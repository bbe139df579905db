"""The replay of a log: the effect of each event on the state (RULES 1.1, 1.2, 1.4).

Only a replay makes the state of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import assert_never

from . import events
from .counting import counting_of
from .effort import EVENT, spend
from .endings import judged, over, stopped
from .errors import Refusal, RuleError
from .frozen import FrozenDict
from .kinds import MAX_POINTS, Direction, Rules, Value
from .money import reentry_fee
from .notebook import state_of_night
from .one_line import require_writable
from .options import House, Variant
from .rounds import Deal, Doubt, PlayerId, RoundEntry, closing_of, field_of
from .seats import handed_over, joined, left, reentered, require_in, stayed_out
from .state import Disagreement, GameState, PlayerState, Reason, RoundResult, Seat, Step, changed
from .variants import find_variant
from .words import Text, _

_DIRECTIONS = frozenset(Direction)


def replay(log: events.Log) -> GameState:
    """Return the state after the whole log, corrections applied.

    Raise RuleError, with the event's number, at the first event that the rules refuse.
    """
    state, refusal = replay_until_refused(log)
    if refusal is not None:
        raise refusal
    assert state is not None
    return state


def state_before(log: events.Log, number: int) -> GameState:
    """Return the state just before event `number` takes effect.

    Raise RuleError if that event is not in force.
    """
    state: GameState | None = None
    for current, event in events.effective(log):
        if current == number and state is not None:
            return state
        state = _started(current, event) if state is None else apply(state, current, event)
    raise RuleError(_("Event {number} was already undone or removed.", number=number), field="number")


def replay_until_refused(log: events.Log) -> tuple[GameState | None, RuleError | None]:
    """Return the state as far as the log can be replayed, and the refusal that stopped the replay (or None).

    The state is None if not even event 1 can be replayed, or if a correction names a wrong event.
    """
    state: GameState | None = None
    try:
        for number, event in events.effective(log):
            try:
                state = _started(number, event) if state is None else apply(state, number, event)
            except RuleError as refusal:
                refusal.number = number
                return state, refusal
    except RuleError as refusal:
        return None, refusal
    if state is None:
        return None, RuleError(_("A game begins with its options and players."))
    return state, None


def extend(state: GameState, log: events.Log, batch: Sequence[events.Event]) -> GameState:
    """Return the state after the events of `batch` follow `log`; `state` is the state after `log`.

    If the batch has corrections, log and batch are replayed as a whole, so that all corrections in it take
    effect at once. Raise RuleError, with the event's number, at the first event that the rules refuse.
    """
    if not all(isinstance(event, events.PlayEvent) for event in batch):
        return replay((*log, *batch))
    for number, event in enumerate(batch, start=len(log) + 1):
        assert isinstance(event, events.PlayEvent)
        state = apply(state, number, event)
    return state


def allows(state: GameState, event: events.PlayEvent) -> bool:
    """Return whether the rules allow `event` as the next event after `state`. The state stays as it is."""
    try:
        apply(state, len(state.steps) + 1, event)
    except RuleError:
        return False
    return True


def apply(state: GameState, number: int, event: events.TableEvent) -> GameState:
    """Return the state after `event`, whose number is `number`.

    Raise RuleError if the rules do not allow the event now.
    """
    spend(EVENT)
    try:
        if state.is_over and (state.imported is not None or not isinstance(event, events.TotalsAgreed)):
            raise RuleError(_("The game is over."), code=Refusal.GAME_OVER)
        after = _after(state, number, event)
    except RuleError as refusal:
        refusal.number = number
        raise
    return _with_step(state, after, number, event)


def _after(state: GameState, number: int, event: events.TableEvent) -> GameState:
    match event:
        case events.RoundPlayed():  # first, as most events are rounds
            return _round_played(state, number, event.entry)
        case events.GameStarted() | events.NightImported():
            raise RuleError(_("A game begins once, with event 1."))
        case events.PlayerReentered(player):
            return reentered(state, player)
        case events.PlayerStayedOut(player):
            return stayed_out(state, player)
        case events.PlayerLeft(player):
            return left(state, number, player)
        case events.PlayerJoined():
            return joined(state, event)
        case events.SeatHandedOver():
            return handed_over(state, event)
        case events.PointsAdjusted():
            return _adjusted(state, number, event)
        case events.DealPassed(player):
            require_in(state, player)
            return changed(state, due=player)
        case events.GameStopped(how):
            return stopped(state, number, how)
        case events.TotalsAgreed(totals):
            return _agreed(state, number, totals)
        case _:
            assert_never(event)


def _with_step(
    before: GameState | None, after: GameState, number: int, event: events.TableEvent
) -> GameState:
    fee = count = 0
    if isinstance(event, events.PlayerReentered) and before is not None:
        fee, count = reentry_fee(before, event.player), after.player(event.player).reentries
    changes = (
        after.rounds[-1].points if isinstance(event, events.RoundPlayed) else _moved(before, after, event)
    )
    step = Step(number, event, changes, after.players, fee, count)
    return changed(after, steps=(*after.steps, step))


def _moved(before: GameState | None, after: GameState, event: events.TableEvent) -> Mapping[PlayerId, int]:
    """Return the change of each player's total by an event other than a round; leave out unchanged totals.

    `before` is None for event 1. The totals of new players change from 0.
    """
    totals_before = {} if before is None else {player.id: player.total for player in before.players}
    if isinstance(event, events.SeatHandedOver):
        totals_before[event.to.id] = totals_before[event.player]
    return FrozenDict(
        {
            player.id: change
            for player in after.players
            if (change := player.total - totals_before.get(player.id, 0))
        }
    )


# --- the start --------------------------------------------------------------------------------------------------------


def _started(number: int, event: events.TableEvent) -> GameState:
    spend(EVENT)
    if isinstance(event, events.NightImported):
        return _with_step(None, state_of_night(event), number, event)
    assert isinstance(event, events.GameStarted)
    variant, house, rules = _agreed_rules(find_variant(event.variant), event.options)
    ids = [player.id for player in event.players]
    most = rules.max_players or variant.max_players
    if len(set(ids)) != len(ids):
        raise RuleError(_("A player has two seats."), field="players")
    if not variant.min_players <= len(ids) <= most:
        raise RuleError(_wrong_number(variant, house, len(ids), most), field="players")
    if event.direction not in _DIRECTIONS:
        raise RuleError(_("The deal can go to the left or to the right."), field="direction")
    if event.dealer and event.dealer not in ids:
        raise RuleError(
            _("{player} is not at this table.", player=event.dealer),
            code=Refusal.UNKNOWN_PLAYER,
            field="dealer",
        )
    for player in event.players:
        require_writable(player.name, field="players")
    state = GameState(
        variant=variant,
        house=house,
        rules=rules,
        direction=Direction(event.direction),
        players=tuple(PlayerState(player.id, player.name) for player in event.players),
        due=event.dealer or ids[0],
    )
    return _with_step(None, state, number, event)


def _wrong_number(variant: Variant, house: House, players: int, most: int) -> Text:
    """Return the sentence that the game is for fewer or more players, and with how many packs it would be."""
    text = _(
        "{game} is for {least} to {most} players.", game=variant.name, least=variant.min_players, most=most
    )
    hint = variant.hint_for_more(house, most)
    if hint is None or players <= most:
        return text
    chosen = " ".join(f"{key}={value}" for key, value in hint.unless.items())
    more = variant.most_players(variant.house({**dict(house.options), **hint.unless}))
    return _("{sentence} With {options} up to {more} can play.", sentence=text, options=chosen, more=more)


@lru_cache(maxsize=1 << 8)  # a table plays by the same options for years, and errors are not cached
def _agreed_rules(variant: Variant, options: tuple[tuple[str, Value], ...]) -> tuple[Variant, House, Rules]:
    """Return the variant with the name that the options give it, every option in force, and the rules."""
    house = variant.house(dict(options))
    return variant.called(house), house, variant.build(house)


# --- rounds, penalties, agreed totals ---------------------------------------------------------------------------------


def _round_played(state: GameState, number: int, entry: RoundEntry) -> GameState:
    rules, dealer, deal = state.rules, state.dealer, _deal(state)
    assert dealer is not None
    for player, _hand in entry.hands:
        if player not in deal.names:
            require_in(state, player, field=field_of(player))
    if entry.closer is not None and entry.closer not in deal.names:
        require_in(state, entry.closer, field="closer")
    counting = counting_of(rules)
    raw = counting.round_points(rules, entry, deal)
    points = FrozenDict(raw if rules.floor is None else _floored(rules.floor, deal.totals, raw))
    odd = counting.doubts(rules, entry, deal, raw)
    if len(set(deal.names.values())) < len(deal.names):
        odd += tuple(_same_names(state, deal))
    state = changed(
        state,
        players=_after_round(state.players, points, entry.closer),
        rounds=(*state.rounds, RoundResult(number, entry, points, dealer, odd)),
        dealt=dealer,
        due=None,
    )
    if entry.closer is not None and closing_of(rules, entry).wins_game:
        return over(state, number, Reason.INSTANT_WIN, (entry.closer,))
    return judged(state, number)


def _same_names(state: GameState, deal: Deal) -> Iterator[Doubt]:
    """Yield a doubt for each player shown by another's name, in the first round that both play."""
    for (player, name), (other, same) in combinations(deal.names.items(), 2):
        if name == same and not any({player, other} <= result.points.keys() for result in state.rounds):
            yield Doubt(other, _("Two players are called {name}.", name=name))


def _after_round(
    players: Sequence[PlayerState], points: Mapping[PlayerId, int], closer: PlayerId | None
) -> tuple[PlayerState, ...]:
    """Return the players after a round with these points, which `closer` won.

    Players who were undecided about a re-entry are out.
    """
    seats, pending = [], Seat.PENDING
    for player in players:
        change = points.get(player.id)
        if player.id == closer:
            player = changed(player, total=player.total + points[closer], rounds_won=player.rounds_won + 1)
        elif change:
            player = changed(player, total=player.total + change)
        elif player.seat is pending:  # a pending player is out once the next round is dealt
            player = changed(player, seat=Seat.OUT, reentry_total=None)
        seats.append(player)
    return tuple(seats)


def odd_hands(state: GameState, entry: RoundEntry) -> tuple[Doubt, ...]:
    """Return the doubts (warnings) about single hands of the next round, which may still be incomplete."""
    return tuple(counting_of(state.rules).odd_hands(state.rules, entry, _deal(state)))


def _deal(state: GameState) -> Deal:
    playing = state.playing
    names = {player.id: player.name for player in playing}
    return Deal(
        names=names,
        totals={player.id: player.total for player in playing},
        turn=tuple(names) if state.direction is Direction.LEFT else state.turn,
        contract=state.contract,
    )


def _floored(
    floor: int, totals: Mapping[PlayerId, int], points: Mapping[PlayerId, int]
) -> dict[PlayerId, int]:
    """Return the points of a round, limited so that no total falls below `floor`.

    `totals` are those before the round. A total that a penalty took below the floor falls no further.
    """
    return {player: max(change, min(floor - totals[player], 0)) for player, change in points.items()}


def _adjusted(state: GameState, number: int, event: events.PointsAdjusted) -> GameState:
    seat = require_in(state, event.player)
    require_writable(event.reason, field="reason")
    if state.rules.is_zero_sum:
        raise RuleError(
            _("There are no penalties here: points only pass from one player to another."), field="points"
        )
    if abs(event.points) > MAX_POINTS:
        raise RuleError(_("A penalty is at most {most} points.", most=MAX_POINTS), field="points")
    return judged(state.with_player(seat.id, total=seat.total + event.points), number)


def _agreed(state: GameState, number: int, totals: Iterable[tuple[PlayerId, int]]) -> GameState:
    differences = [
        Disagreement(number, player, agreed, state.player(player).total)
        for player, agreed in totals
        if state.player(player).total != agreed
    ]
    return changed(state, disagreements=(*state.disagreements, *differences))
