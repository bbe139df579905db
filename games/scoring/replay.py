"""The replay of a log: the effect of each event on the state (RULES 1.1, 1.2, 1.4).

Nothing else creates the state of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import assert_never

from . import corrections, events
from .bound_rules import build_bound_rules
from .counting import counting_module
from .endings import apply_ending, apply_stop, can_add_bonuses, can_name_winners, end_game, with_best_winners
from .errors import RefusalCode, RuleError
from .frozen import FrozenDict
from .i18n import Text, _
from .money import reentry_fee
from .notebook import notebook_state
from .options import House, Variant
from .rounds import Deal, Doubt, PlayerId, RoundEntry, get_closing, hand_field
from .rule_types import MAX_POINTS, Direction
from .seats import apply_handover, apply_join, apply_leave, apply_reentry, apply_stay_out, require_in
from .state import Disagreement, GameState, PlayerState, Reason, RoundResult, Seat, Step, replace_fields
from .step_budget import EVENT_STEPS, spend_steps
from .text_line import check_writable
from .variants import get_variant

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

    Raise RuleError if that event is event 1 or not in force, or if the rules refuse an event before it.
    """
    if number == 1:
        raise RuleError(_("Event 1 starts the game: there is nothing before it."), field="number")
    for current, _event, before in states_before(log):
        if current == number:
            return before
    raise RuleError(_("Event {number} was already undone or removed.", number=number), field="number")


def states_before(log: events.Log) -> Iterator[tuple[int, events.TableEvent, GameState]]:
    """Yield each event in force after the first as (number, event, state before it), in order of effect.

    Raise RuleError, with the event's number, where the rules refuse one.
    """
    (first, start), *others = corrections.effective_events(log)
    state = _start_game(first, start)
    for number, event in others:
        yield number, event, state
        state = apply(state, number, event)


def replay_until_refused(log: events.Log) -> tuple[GameState | None, RuleError | None]:
    """Return the state as far as the log can be replayed, and the refusal that stopped the replay (or None).

    The state is None if not even event 1 can be replayed, or if a correction names a wrong event.
    """
    state: GameState | None = None
    try:
        for number, event in corrections.effective_events(log):
            try:
                state = _start_game(number, event) if state is None else apply(state, number, event)
            except RuleError as refusal:
                refusal.number = number
                return state, refusal
    except RuleError as refusal:
        return None, refusal
    if state is None:
        return None, RuleError(_("A game starts with its options and players."))
    return state, None


def extend(state: GameState, log: events.Log, batch: Sequence[events.Event]) -> GameState:
    """Return the state after the events of `batch` follow `log`; `state` is the state after `log`.

    If the batch has corrections, log and batch are replayed as a whole, so that all corrections in it take
    effect together. Raise RuleError, with the event's number, at the first event that the rules refuse.
    """
    if not all(isinstance(event, events.PlayEvent) for event in batch):
        return replay((*log, *batch))
    for number, event in enumerate(batch, start=len(log) + 1):
        assert isinstance(event, events.PlayEvent)
        state = apply(state, number, event)
    return state


def is_allowed(state: GameState, event: events.PlayEvent) -> bool:
    try:
        apply(state, len(state.steps) + 1, event)
    except RuleError:
        return False
    return True


def apply(state: GameState, number: int, event: events.TableEvent) -> GameState:
    """Return the state after `event`, which has the number `number`.

    Raise RuleError, with that number, if the rules do not allow the event now. Each call spends EVENT_STEPS.
    """
    spend_steps(EVENT_STEPS)
    try:
        if state.is_over and not _is_allowed_after_end(state, event):
            raise RuleError(_("The game is over."), code=RefusalCode.GAME_OVER)
        after = _apply_event(state, number, event)
    except RuleError as refusal:
        refusal.number = number
        raise
    return _with_step(state, after, number, event)


def _is_allowed_after_end(state: GameState, event: events.TableEvent) -> bool:
    if isinstance(event, events.PointsAdjusted):
        return can_add_bonuses(state)
    return isinstance(event, events.TotalsAgreed) and state.imported_night is None


def _apply_event(state: GameState, number: int, event: events.TableEvent) -> GameState:
    match event:
        case events.RoundPlayed():  # first, because most events are rounds
            return _apply_round(state, number, event.entry)
        case events.GameStarted() | events.NightImported():
            raise RuleError(_("A game starts once, with event 1."))
        case events.PlayerReentered(player):
            return apply_reentry(state, player)
        case events.PlayerStayedOut(player):
            return apply_stay_out(state, player)
        case events.PlayerLeft(player):
            return apply_leave(state, number, player)
        case events.PlayerJoined():
            return apply_join(state, event)
        case events.SeatHandedOver():
            return apply_handover(state, event)
        case events.PointsAdjusted():
            return _apply_adjustment(state, number, event)
        case events.DealPassed(player):
            require_in(state, player)
            return replace_fields(state, due=player)
        case events.GameStopped(how):
            return apply_stop(state, number, how)
        case events.WinnersNamed(players):
            return _apply_named_winners(state, number, players)
        case events.TotalsAgreed(totals):
            return _apply_agreed_totals(state, number, totals)
        case _:
            assert_never(event)


def _with_step(
    before: GameState | None, after: GameState, number: int, event: events.TableEvent
) -> GameState:
    fee = count = 0
    if isinstance(event, events.PlayerReentered) and before is not None:
        fee, count = reentry_fee(before, event.player), after.player(event.player).reentries
    changes = (
        after.rounds[-1].points
        if isinstance(event, events.RoundPlayed)
        else _total_changes(before, after, event)
    )
    step = Step(number, event, changes, after.players, fee, count)
    return replace_fields(after, steps=(*after.steps, step))


def _total_changes(
    before: GameState | None, after: GameState, event: events.TableEvent
) -> Mapping[PlayerId, int]:
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


# --- the start ----------------------------------------------------------------------------------------------


def _start_game(number: int, event: events.TableEvent) -> GameState:
    spend_steps(EVENT_STEPS)
    if isinstance(event, events.NightImported):
        return _with_step(None, notebook_state(event), number, event)
    assert isinstance(event, events.GameStarted)
    variant = get_variant(event.variant)
    bound = build_bound_rules(variant, variant.house(dict(event.options)))
    variant, house, rules = bound.variant, bound.house, bound.rules
    ids = [player.id for player in event.players]
    most = rules.max_players or variant.max_players
    twice = _find_twice(event.players)
    if twice is not None:
        raise RuleError(_("{name} has two seats.", name=twice.name), field="players")
    if not variant.min_players <= len(ids) <= most:
        raise RuleError(_player_count_sentence(variant, house, len(ids), most), field="players")
    if event.direction not in _DIRECTIONS:
        raise RuleError(_("The deal can go to the left or to the right."), field="direction")
    if event.dealer and event.dealer not in ids:
        raise RuleError(
            _("{player} is not at this table.", player=event.dealer),
            code=RefusalCode.UNKNOWN_PLAYER,
            field="dealer",
        )
    for player in event.players:
        check_writable(player.name, field="players")
    state = GameState(
        variant=variant,
        house=house,
        rules=rules,
        direction=Direction(event.direction),
        players=tuple(PlayerState(player.id, player.name) for player in event.players),
        due=event.dealer or ids[0],
    )
    return _with_step(None, state, number, event)


def _find_twice(players: Iterable[events.Player]) -> events.Player | None:
    """Return the first player whose id an earlier one has."""
    ids: set[PlayerId] = set()
    for player in players:
        if player.id in ids:
            return player
        ids.add(player.id)
    return None


def _player_count_sentence(variant: Variant, house: House, players: int, most: int) -> Text:
    """Return the refusal of this number of players, with the options that would allow more."""
    text = _(
        "{game} is for {least} to {most} players.", game=variant.name, least=variant.min_players, most=most
    )
    hint = variant.hint_for_more(house, most)
    if hint is None or players <= most:
        return text
    chosen = " ".join(f"{key}={value}" for key, value in hint.unless.items())
    more = variant.max_players_for(variant.house({**dict(house.options), **hint.unless}))
    return _("{sentence} With {options}, up to {more} can play.", sentence=text, options=chosen, more=more)


# --- rounds, penalties, agreed totals -----------------------------------------------------------------------


def _apply_round(state: GameState, number: int, entry: RoundEntry) -> GameState:
    rules, dealer, deal = state.rules, state.dealer, _next_deal(state)
    assert dealer is not None
    for player, _hand in entry.hands:
        if player not in deal.names:
            require_in(state, player, field=hand_field(player))
    if entry.closer is not None and entry.closer not in deal.names:
        require_in(state, entry.closer, field="closer")
    counting = counting_module(rules)
    raw = counting.round_points(rules, entry, deal)
    points = FrozenDict(raw if rules.floor is None else _apply_floor(rules.floor, deal.totals, raw))
    odd = counting.doubts(rules, entry, deal, raw)
    if len(set(deal.names.values())) < len(deal.names):
        odd += tuple(_same_name_doubts(state, deal))
    state = replace_fields(
        state,
        players=_players_after_round(state.players, points, entry.closer),
        rounds=(*state.rounds, RoundResult(number, entry, points, dealer, odd)),
        dealt=dealer,
        due=None,
    )
    if entry.closer is not None and get_closing(rules, entry).wins_game:
        return end_game(state, number, Reason.INSTANT_WIN, (entry.closer,))
    return apply_ending(state, number)


def _same_name_doubts(state: GameState, deal: Deal) -> Iterator[Doubt]:
    """Yield a doubt for each player who has the same name as another, in the first round that both play."""
    for (player, name), (other, same) in combinations(deal.names.items(), 2):
        if name == same and not any({player, other} <= result.points.keys() for result in state.rounds):
            yield Doubt(other, _("Two players are called {name}.", name=name))


def _players_after_round(
    players: Sequence[PlayerState], points: Mapping[PlayerId, int], closer: PlayerId | None
) -> tuple[PlayerState, ...]:
    """Return the players after a round with these points, which `closer` won.

    Players who were undecided about a re-entry are out.
    """
    seats, pending = [], Seat.PENDING
    for player in players:
        change = points.get(player.id)
        if player.id == closer:
            player = replace_fields(
                player, total=player.total + points[closer], rounds_won=player.rounds_won + 1
            )
        elif change:
            player = replace_fields(player, total=player.total + change)
        elif player.seat is pending:  # a pending player is out once the next round is dealt
            player = replace_fields(player, seat=Seat.OUT, reentry_total=None)
        seats.append(player)
    return tuple(seats)


def hand_doubts(state: GameState, entry: RoundEntry) -> tuple[Doubt, ...]:
    """Return the doubts (warnings) about single hands of the next round, which may still be incomplete."""
    return tuple(counting_module(state.rules).hand_doubts(state.rules, entry, _next_deal(state)))


def _next_deal(state: GameState) -> Deal:
    playing = state.playing
    names = {player.id: player.name for player in playing}
    return Deal(
        names=names,
        totals={player.id: player.total for player in playing},
        turn=tuple(names) if state.direction is Direction.LEFT else state.turn,
        contract=state.contract,
    )


def _apply_floor(
    floor: int, totals: Mapping[PlayerId, int], points: Mapping[PlayerId, int]
) -> dict[PlayerId, int]:
    """Return the points of a round, limited so that no total falls below `floor`.

    `totals` are those before the round. A total that a penalty took below the floor falls no further.
    """
    return {player: max(change, min(floor - totals[player], 0)) for player, change in points.items()}


def _apply_adjustment(state: GameState, number: int, event: events.PointsAdjusted) -> GameState:
    seat = require_in(state, event.player)
    check_writable(event.reason, field="reason")
    if state.rules.is_zero_sum:
        raise RuleError(
            _("Here points only pass from one player to another, so there are no penalties."), field="points"
        )
    if abs(event.points) > MAX_POINTS:
        raise RuleError(_("A penalty is at most {most} points.", most=MAX_POINTS), field="points")
    state = state.with_player(seat.id, total=seat.total + event.points)
    return with_best_winners(state) if state.is_over else apply_ending(state, number)


def _apply_named_winners(state: GameState, number: int, players: Sequence[PlayerId]) -> GameState:
    if not can_name_winners(state.rules):
        raise RuleError(
            _("Only with {option} are the winners named.", option="winner=named"), field="players"
        )
    if not players or len(set(players)) < len(players):
        raise RuleError(_("Name each winner once."), field="players")
    for player in players:
        require_in(state, player, field="players")
    winners = tuple(player.id for player in state.players if player.id in players)
    return end_game(state, number, Reason.GOAL, winners)


def _apply_agreed_totals(state: GameState, number: int, totals: Iterable[tuple[PlayerId, int]]) -> GameState:
    differences = [
        Disagreement(number, player, agreed, state.player(player).total)
        for player, agreed in totals
        if state.player(player).total != agreed
    ]
    return replace_fields(state, disagreements=(*state.disagreements, *differences))
