"""Replay: the only way from a log to a state; what each event changes (RULES 1.1, 1.2, 1.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import assert_never
from unicodedata import category

from games.scoring.errors import Refusal, RuleError
from games.scoring.events import (
    DealPassed,
    Event,
    GameStarted,
    GameStopped,
    Log,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PlayEvent,
    PointsAdjusted,
    RoundPlayed,
    SeatHandedOver,
    Stop,
    TableEvent,
    TotalsAgreed,
    effective,
)
from games.scoring.money import reentry_fee
from games.scoring.rounds import PlayerId, doubts, field_of, score_round
from games.scoring.rules import MAX_FEE, MAX_POINTS, FirstOut, LastIn
from games.scoring.state import (
    Disagreement,
    GameState,
    Outcome,
    PlayerState,
    Reason,
    RoundResult,
    Seat,
    Step,
    changed,
)
from games.scoring.variants import find_variant
from games.scoring.words import _


def replay(log: Log) -> GameState:
    """The state after the whole log, corrections in place; RuleError, with its number, at the first event refused."""
    state, refusal = replay_until_refused(log)
    if refusal is not None:
        raise refusal
    assert state is not None
    return state


def state_before(log: Log, number: int) -> GameState:
    """The state just before event `number` took its place; RuleError where that event does not count."""
    state: GameState | None = None
    for known, event in effective(log):
        if known == number and state is not None:
            return state
        state = _started(known, event) if state is None else apply(state, known, event)
    raise RuleError(_("Event {number} does not stand any more.", number=number), field="number")


def replay_until_refused(log: Log) -> tuple[GameState | None, RuleError | None]:
    """How far the log replays and, where it does not replay whole, what stopped it."""
    state: GameState | None = None
    try:
        for number, event in effective(log):
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


def extend(state: GameState, log: Log, batch: Sequence[Event]) -> GameState:
    """The state after `batch` follows `log`, whose state is `state`; the batch is judged as one."""
    if not all(isinstance(event, PlayEvent) for event in batch):
        return replay((*log, *batch))
    for number, event in enumerate(batch, start=len(log) + 1):
        assert isinstance(event, PlayEvent)
        state = apply(state, number, event)
    return state


def allows(state: GameState, event: PlayEvent) -> bool:
    """Whether `event` could come next; asks by trying."""
    try:
        apply(state, len(state.steps) + 1, event)
    except RuleError:
        return False
    return True


def apply(state: GameState, number: int, event: TableEvent) -> GameState:
    """The state after `event`; RuleError where the rules do not allow it now."""
    if state.is_over and not isinstance(event, TotalsAgreed):
        raise RuleError(_("The game is over."), code=Refusal.GAME_OVER, number=number)
    try:
        after = _after(state, number, event)
    except RuleError as refusal:
        refusal.number = number
        raise
    return _with_step(state, after, number, event)


def _after(state: GameState, number: int, event: TableEvent) -> GameState:
    match event:
        case GameStarted():
            raise RuleError(_("A game begins once, with event 1."))
        case RoundPlayed():
            return _round_played(state, number, event)
        case PlayerReentered(player):
            return _reentered(state, player)
        case PlayerStayedOut(player):
            _require_pending(state, player)
            return state.with_player(player, seat=Seat.OUT, reentry_total=None)
        case PlayerLeft(player):
            return _left(state, number, player)
        case PlayerJoined():
            return _joined(state, event)
        case SeatHandedOver():
            return _handed_over(state, event)
        case PointsAdjusted():
            return _adjusted(state, number, event)
        case DealPassed(player):
            _require_in(state, player)
            return replace(state, due=player)
        case GameStopped(how):
            return _stopped(state, number, how)
        case TotalsAgreed(totals):
            return _agreed(state, number, totals)
        case _:
            assert_never(event)


def _with_step(before: GameState | None, after: GameState, number: int, event: TableEvent) -> GameState:
    if isinstance(event, RoundPlayed):
        moved: Mapping[PlayerId, int] = after.rounds[-1].points
    else:
        known = {} if before is None else {player.id: player.total for player in before.players}
        if isinstance(event, SeatHandedOver):
            known[event.to.id] = known[event.player]
        moved = {
            player.id: player.total - known.get(player.id, 0)
            for player in after.players
            if player.total != known.get(player.id, 0)
        }
    step = Step(
        number=number,
        event=event,
        moved=moved,
        totals={player.id: player.total for player in after.players},
        seats={player.id: player.seat for player in after.players},
    )
    return changed(after, steps=(*after.steps, step))


# --- the start --------------------------------------------------------------------------------------------------------


def _started(number: int, event: TableEvent) -> GameState:
    assert isinstance(event, GameStarted)
    variant = find_variant(event.variant)
    house = variant.house(dict(event.options))
    ids = [player.id for player in event.players]
    if len(set(ids)) != len(ids):
        raise RuleError(_("Somebody has two seats."), field="players")
    if not variant.min_players <= len(ids) <= variant.max_players:
        raise RuleError(
            _(
                "{game} is for {least} to {most} players.",
                game=variant.name,
                least=variant.min_players,
                most=variant.max_players,
            ),
            field="players",
        )
    if event.direction not in ("left", "right"):
        raise RuleError(_("The deal goes to the left or to the right."), field="direction")
    if event.dealer and event.dealer not in ids:
        raise RuleError(
            _("{player} is not at this table.", player=event.dealer),
            code=Refusal.UNKNOWN_PLAYER,
            field="dealer",
        )
    for player in event.players:
        _require_writable(player.name, field="players")
    state = GameState(
        variant=variant,
        house=house,
        rules=variant.build(house),
        direction=event.direction,
        players=tuple(PlayerState(player.id, player.name) for player in event.players),
        due=event.dealer or ids[0],
    )
    return _with_step(None, state, number, event)


# --- rounds and what follows from them --------------------------------------------------------------------------------


def _round_played(state: GameState, number: int, event: RoundPlayed) -> GameState:
    entry, rules, dealer = event.entry, state.rules, state.dealer
    assert dealer is not None
    for player, _hand in entry.hands:
        _require_in(state, player, field=field_of(player))
    if entry.closer is not None:
        _require_in(state, entry.closer, field="closer")
    playing = state.playing
    names = {player.id: player.name for player in playing}
    raw = score_round(rules, entry, names)
    points = {player.id: _floored(rules.floor, player.total, raw[player.id]) for player in playing}
    odd = doubts(rules, entry, raw, names)
    result = RoundResult(number, entry, points, dealer, odd)
    # The next round was dealt without those who were asked and did not answer.
    changes: dict[PlayerId, dict[str, object]] = {
        player.id: {"seat": Seat.OUT, "reentry_total": None} for player in state.pending
    }
    changes |= {player.id: {"total": player.total + points[player.id]} for player in playing}
    state = state.with_players(changes)
    return _judged(changed(state, rounds=(*state.rounds, result), dealt=dealer, due=None), number)


def _floored(floor: int | None, total: int, points: int) -> int:
    """The round's score, cut so that the total stops at the floor; a penalty may have taken the total below it."""
    return points if floor is None else max(points, min(floor - total, 0))


def _judged(state: GameState, number: int) -> GameState:
    """Who is bust, whether that ends the game, and who is asked about a re-entry (RULES 1.2)."""
    playing = state.playing
    match state.rules.ending:
        case LastIn(limit):
            bust = [player for player in playing if player.total >= limit]
            alive = [player for player in playing if player.total < limit]
            state = _mark_bust(state, bust)
            if not alive:
                return _over(state, number, Reason.EVERYBODY_BUST, _best(state, playing))
            if len(alive) == 1:
                return _over(state, number, Reason.LAST_IN, (alive[0].id,))
            return _asked(state, bust, highest=max(player.total for player in alive))
        case FirstOut(limit):
            bust = [player for player in playing if player.total >= limit]
            if not bust:
                return state
            return _over(_mark_bust(state, bust), number, Reason.FIRST_OUT, _best(state, playing))
        case _:
            assert_never(state.rules.ending)


def _mark_bust(state: GameState, bust: Iterable[PlayerState]) -> GameState:
    # By place, not by number: a forgotten round put in between has a larger number than those after it.
    place = len(state.steps) + 1
    return state.with_players({player.id: {"bust_at": place} for player in bust})


def _asked(state: GameState, bust: Iterable[PlayerState], *, highest: int) -> GameState:
    """Each bust player may come back at `highest` (H), or is out where he has used up his re-entries."""
    cap = state.rules.reentry.cap if state.rules.reentry else 0
    used_up = {player.id for player in bust if cap is not None and player.reentries >= cap}
    return state.with_players(
        {
            player.id: {"seat": Seat.OUT}
            if player.id in used_up
            else {"seat": Seat.PENDING, "reentry_total": highest}
            for player in bust
        }
    )


def _best(state: GameState, among: Sequence[PlayerState]) -> tuple[PlayerId, ...]:
    """The ids of those with the best total, in seat order."""
    pick: Callable[[Iterable[int]], int] = min if state.rules.lowest_wins else max
    best = pick(player.total for player in among)
    return tuple(player.id for player in among if player.total == best)


def _over(
    state: GameState, number: int, reason: Reason, winners: tuple[PlayerId, ...], *, refunded: bool = False
) -> GameState:
    """The end: who is pending, or bust without having won, is out; winners stay in."""
    due = state.dealer  # a pot shared before the first round goes round from who was due to deal it
    for player in state.players:
        bust_now = player.is_in and player.bust_at == len(state.steps) + 1
        if player.id not in winners and (player.seat is Seat.PENDING or bust_now):
            state = state.with_player(player.id, seat=Seat.OUT, reentry_total=None)
    return replace(state, due=due, outcome=Outcome(reason, winners, number, refunded))


# --- answers, seats, penalties, stops ---------------------------------------------------------------------------------


def _require_writable(text: str, *, field: str) -> None:
    """A name or a reason must survive being written between double quotes on one line."""
    unwritable = ("Cc", "Cs", "Zl", "Zp")  # line ends, other control characters, half characters
    if not text.strip() or '"' in text or any(category(character) in unwritable for character in text):
        raise RuleError(_("Write something, on one line and without double quotes."), field=field)


def _require_in(state: GameState, player: PlayerId, *, field: str = "player") -> PlayerState:
    """The seat of somebody who is in."""
    found = _require_seated(state, player, field=field)
    if not found.is_in:
        raise RuleError(
            _("{name} is not in.", name=found.name), code=Refusal.NOT_IN, field=field, player=player
        )
    return found


def _require_still_here(state: GameState, player: PlayerId) -> PlayerState:
    """The seat of somebody who is in or pending."""
    found = _require_seated(state, player)
    if found.seat not in (Seat.IN, Seat.PENDING):
        raise RuleError(
            _("{name} is not in.", name=found.name), code=Refusal.NOT_IN, field="player", player=player
        )
    return found


def _require_seated(state: GameState, player: PlayerId, *, field: str = "player") -> PlayerState:
    try:
        return state.player(player)
    except RuleError as refusal:
        refusal.field = field
        raise


def _require_pending(state: GameState, player: PlayerId) -> PlayerState:
    found = state.player(player)
    if found.seat is not Seat.PENDING:
        raise RuleError(
            _("{name} is not waiting to re-enter.", name=found.name),
            code=Refusal.NOT_PENDING,
            field="player",
            player=player,
        )
    return found


def _reentered(state: GameState, player: PlayerId) -> GameState:
    found = _require_pending(state, player)
    fee = reentry_fee(state, player)
    if fee > MAX_FEE:
        raise RuleError(_("A re-entry for {fee} is more than we can count.", fee=fee), field="player")
    return state.with_player(
        player, seat=Seat.IN, total=found.reentry_total, reentries=found.reentries + 1, reentry_total=None
    )


def _left(state: GameState, number: int, player: PlayerId) -> GameState:
    _require_still_here(state, player)
    state = state.with_player(player, seat=Seat.LEFT, reentry_total=None)
    if len(state.playing) == 1:
        return _over(state, number, Reason.LAST_IN, (state.playing[0].id,))
    return state


def _joined(state: GameState, event: PlayerJoined) -> GameState:
    newcomer = event.player
    if not state.rules.late_entry:
        raise RuleError(_("Nobody joins after the start in this game."), field="player")
    if any(player.id == newcomer.id for player in state.players):
        raise RuleError(_("{name} is at the table already.", name=newcomer.name), field="player")
    if len(state.playing) + len(state.pending) >= state.variant.max_players:
        raise RuleError(_("The table is full."), field="player")
    _require_writable(newcomer.name, field="player")
    seat = PlayerState(newcomer.id, newcomer.name, total=max(player.total for player in state.playing))
    ids = [player.id for player in state.players]
    if event.after:
        state.player(event.after)
    place = ids.index(event.after) + 1 if event.after else len(ids)
    return replace(state, players=(*state.players[:place], seat, *state.players[place:]))


def _handed_over(state: GameState, event: SeatHandedOver) -> GameState:
    old, new = _require_still_here(state, event.player), event.to
    if any(player.id == new.id for player in state.players):
        raise RuleError(_("{name} is at the table already.", name=new.name), field="to")
    _require_writable(new.name, field="to")
    state = state.with_player(old.id, id=new.id, name=new.name)
    return replace(
        state,
        due=new.id if state.due == old.id else state.due,
        dealt=new.id if state.dealt == old.id else state.dealt,
    )


def _adjusted(state: GameState, number: int, event: PointsAdjusted) -> GameState:
    found = _require_in(state, event.player)
    _require_writable(event.reason, field="reason")
    if abs(event.points) > MAX_POINTS:
        raise RuleError(_("A penalty is at most {most} points.", most=MAX_POINTS), field="points")
    return _judged(state.with_player(found.id, total=found.total + event.points), number)


def _stopped(state: GameState, number: int, how: Stop) -> GameState:
    match how:
        case Stop.LOWEST_WINS | Stop.HIGHEST_WINS:
            if (how is Stop.LOWEST_WINS) != state.rules.lowest_wins:
                raise RuleError(_("That is not how this game is won."), field="how")
            return _over(state, number, Reason.STOPPED, _best(state, state.playing))
        case Stop.SPLIT_POT:
            if state.rules.pot is None:
                raise RuleError(_("There is no pot to share."), field="how")
            return _over(state, number, Reason.STOPPED, tuple(player.id for player in state.playing))
        case Stop.REFUND:
            return _over(state, number, Reason.STOPPED, (), refunded=True)
        case _:
            assert_never(how)


def _agreed(state: GameState, number: int, totals: Iterable[tuple[PlayerId, int]]) -> GameState:
    found = [
        Disagreement(number, player, agreed, state.player(player).total)
        for player, agreed in totals
        if state.player(player).total != agreed
    ]
    return replace(state, disagreements=(*state.disagreements, *found))
