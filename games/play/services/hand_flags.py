"""Flags (está mal): hands of recorded rounds that somebody at the table says are wrong.

A flag is not an event and changes no score. It is open until its round is corrected or removed, a scorer says
that the hand is right (está bien), or the user who raised it takes it back.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from games.common import locks, roles
from games.models import Access, Flag, Game, Role
from games.play.services.snapshots import Snapshot
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, Log, RoundPlayed, Struck
from games.scoring.i18n import _
from games.scoring.rounds import PlayerId
from games.tables.services import lobby

MAX_FLAGS = 20  # flags of one user in a game


def list_open(game: Game, snapshot: Snapshot) -> Sequence[Flag]:
    """Return the open flags, oldest first: those whose round has not changed since they were raised."""
    numbers = {result.number for result in snapshot.state.rounds}
    flags = game.flags.filter(number__in=numbers).select_related("user")
    return [flag for flag in flags if not is_answered(flag, snapshot.log)]


def list_answered(game: Game, snapshot: Snapshot) -> Sequence[Flag]:
    """Return the flags whose round was corrected or removed after the last round was recorded."""
    log = snapshot.log
    last_round = max((place for place, event in enumerate(log) if isinstance(event, RoundPlayed)), default=0)
    if not any(isinstance(event, Corrected | Struck) for event in log[last_round:]):
        return []
    flags = game.flags.select_related("user")
    return [flag for flag in flags if is_answered(flag, log, since=last_round)]


def is_answered(flag: Flag, log: Log, *, since: int = 0) -> bool:
    """Return whether the round was corrected or removed after the flag was raised and after event `since`."""
    return any(
        isinstance(event, Corrected | Struck) and event.number == flag.number
        for event in log[max(flag.after, since) :]
    )


def can_flag(access: Access) -> bool:
    """Return whether this access may say that a hand is wrong.

    Only scorers and confirmed members may, because their names are shown with the flag.
    """
    return access.is_confirmed or Role(access.role) in roles.WRITERS


def toggle(game: Game, snapshot: Snapshot, number: int, player: PlayerId, *, by: User) -> None:
    """Raise this user's flag on a player's hand in the round that is event `number`, or take it back.

    Raise PermissionDenied unless the user may flag (`can_flag`). Raise RuleError for a hand that does not
    exist, and for more than MAX_FLAGS flags in the game. Lock the table.
    """
    access = lobby.valid_accesses(game.table).filter(user=by).first()
    if access is None or not can_flag(access):
        raise PermissionDenied
    if not _has_hand(snapshot, number, player):
        raise RuleError(_("This hand isn't there anymore."))
    with transaction.atomic():
        table = locks.lock(game.table)
        user_flags = Flag.objects.filter(game=game, user=by)
        flag = user_flags.filter(number=number, player=player).first()
        if flag is not None and not is_answered(flag, snapshot.log):
            flag.delete()
        elif flag is None and user_flags.count() >= MAX_FLAGS:
            raise RuleError(
                _("You said that {count} hands in this game are wrong: that's enough.", count=MAX_FLAGS)
            )
        else:
            user_flags.update_or_create(
                game=game, number=number, player=player, user=by, defaults={"after": len(snapshot.log)}
            )
        locks.bump_revision(table)


def delete_all(game: Game, number: int, player: PlayerId) -> None:
    """Delete all flags on this hand, after a scorer said that it is right (está bien). Lock the table."""
    with transaction.atomic():
        table = locks.lock(game.table)
        if Flag.objects.filter(game=game, number=number, player=player).delete()[0]:
            locks.bump_revision(table)


def _has_hand(snapshot: Snapshot, number: int, player: PlayerId) -> bool:
    return any(result.number == number and player in result.points for result in snapshot.state.rounds)
