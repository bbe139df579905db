"""Changes of seats (re-entries, leaving, joining, handing over), and checks of a player's seat.

A re-entry brings a player back into the game after going bust (reaching the limit of points). A player who
has not decided yet whether to come back is pending.
"""

from __future__ import annotations

from .endings import end_if_one_left
from .errors import RefusalCode, RuleError
from .events import GameStarted, PlayerJoined, RulesAgreed, SeatHandedOver
from .i18n import _
from .money import reentry_fee
from .option_checks import clear_unmet_options
from .rounds import PlayerId
from .rule_types import MAX_FEE
from .state import GameState, PlayerState, Seat, replace_fields
from .text_line import check_writable


def apply_reentry(state: GameState, player: PlayerId) -> GameState:
    """Return the state after a bust player's re-entry (reenganche, RULES 1.2).

    The player's new total is the `reentry_total` that was set when they went bust. Raise RuleError if the
    player is not pending, or if the price is too large.
    """
    seat = _require_pending(state, player)
    fee = reentry_fee(state, player)
    if fee > MAX_FEE:
        raise RuleError(_("A re-entry can't cost {fee}: that's too much.", fee=fee), field="player")
    return state.with_player(
        player, seat=Seat.IN, total=seat.reentry_total, reentries=seat.reentries + 1, reentry_total=None
    )


def apply_stay_out(state: GameState, player: PlayerId) -> GameState:
    """Return the state after a bust player decided not to come back.

    Raise RuleError if the player is not pending.
    """
    _require_pending(state, player)
    return state.with_player(player, seat=Seat.OUT, reentry_total=None)


def apply_leave(state: GameState, number: int, player: PlayerId) -> GameState:
    """Return the state after a player left by event `number`; the player's money stays in the pot.

    Raise RuleError if the player is out or has left already.
    """
    if state.player(player).seat is not Seat.SITTING_OUT:
        _require_active(state, player)
    return end_if_one_left(state.with_player(player, seat=Seat.LEFT, reentry_total=None), number)


def is_full(state: GameState) -> bool:
    """Return whether no seat is free. Pending players keep their seats."""
    return len(state.playing) + len(state.pending) >= state.max_players


def newcomer_total(state: GameState) -> int | None:
    """Return the total that a newcomer would start with now; None if the totals are too high for one."""
    return state.rules.entry_total(max(player.total for player in state.playing))


def more_packs_correction(state: GameState) -> RulesAgreed | None:
    """Return a correction of event 1 that allows more players than now by adding packs (RULES 1.5).

    Return None if no option of the game allows this.
    """
    start = state.steps[0].event
    assert isinstance(start, GameStarted)
    hint = state.variant.hint_for_more(state.house, state.max_players)
    if hint is None:
        return None
    house = state.variant.house({**dict(state.house.options), **hint.unless})
    options = clear_unmet_options(state.variant, house).options
    return RulesAgreed(start.variant, options, start.dealer, state.direction)


def apply_join(state: GameState, event: PlayerJoined) -> GameState:
    """Return the state after a newcomer joined, with a total based on the highest one in (RULES 1.4).

    A player who left may come back like a newcomer. Raise RuleError if the game allows no newcomers, if the
    totals are too high, if the table is full, or if the person already has a seat.
    """
    newcomer = event.player
    if not state.rules.late_entry:
        raise RuleError(_("In this game nobody can join after the start."), field="player")
    before = next((player for player in state.players if player.id == newcomer.id), None)
    if before is not None and before.seat is not Seat.LEFT:
        raise RuleError(_("{name} is already at the table.", name=newcomer.name), field="player")
    if is_full(state):
        raise RuleError(_("The table is full."), field="player")
    check_writable(newcomer.name, field="player")
    total = newcomer_total(state)
    if total is None:
        raise RuleError(_("The totals are too high for a newcomer."), field="player")
    seat = PlayerState(newcomer.id, newcomer.name, total=total)
    if event.after:
        state.player(event.after)
    others = [player for player in state.players if player.id != newcomer.id]
    ids = [player.id for player in others]
    if before is not None:
        # Without a name, the id is given as the name: then the player keeps their earlier name.
        name = before.name if newcomer.name == newcomer.id else newcomer.name
        seat = replace_fields(seat, name=name, rounds_won=before.rounds_won)
    if before is not None and event.after == newcomer.id:
        place = state.players.index(before)
    else:
        place = ids.index(event.after) + 1 if event.after else len(ids)
    return replace_fields(state, players=(*others[:place], seat, *others[place:]))


def apply_handover(state: GameState, event: SeatHandedOver) -> GameState:
    """Return the state after another person took over a player's seat, with its total.

    Raise RuleError if the player is neither in the game nor pending, or if the person has a seat, even one
    that they left.
    """
    old, new = _require_active(state, event.player), event.to
    if any(player.id == new.id for player in state.players):
        raise RuleError(_("{name} is already at the table.", name=new.name), field="to")
    check_writable(new.name, field="to")
    state = state.with_player(old.id, id=new.id, name=new.name)
    return replace_fields(
        state,
        due=new.id if state.due == old.id else state.due,
        dealt=new.id if state.dealt == old.id else state.dealt,
    )


# --- checks on a seat ---------------------------------------------------------------------------------------


def require_in(state: GameState, player: PlayerId, *, field: str = "player") -> PlayerState:
    """Return the seat of a player who is in the game.

    Raise RuleError, for the input `field`, if the player is pending, out or unknown, or has left.
    """
    try:
        seat = state.player(player)
    except RuleError as refusal:
        refusal.field = field
        raise
    if not seat.is_in:
        text = {
            Seat.PENDING: _("{name} has not answered: reenter or stay_out."),
            Seat.SITTING_OUT: _("{name} sits out: only those tied for the best total play on."),
        }.get(seat.seat, _("{name} is not in the game."))
        raise RuleError(text.filled(name=seat.name), code=RefusalCode.NOT_IN, field=field, player=player)
    return seat


def _require_pending(state: GameState, player: PlayerId) -> PlayerState:
    seat = state.player(player)
    if seat.seat is not Seat.PENDING:
        raise RuleError(
            _("{name} has no re-entry to decide on.", name=seat.name),
            code=RefusalCode.NOT_PENDING,
            field="player",
            player=player,
        )
    return seat


def _require_active(state: GameState, player: PlayerId) -> PlayerState:
    """Return the seat of a player who is in the game or pending. Raise RuleError for anyone else."""
    seat = state.player(player)
    if seat.seat not in (Seat.IN, Seat.PENDING):
        raise RuleError(
            _("{name} is not in the game.", name=seat.name),
            code=RefusalCode.NOT_IN,
            field="player",
            player=player,
        )
    return seat
