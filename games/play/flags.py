"""Flags (*That is not my hand*): a user doubts a recorded hand until somebody who records settles it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.book import logs_of
from games.changes import tell
from games.locks import revise
from games.models import NOTE_LENGTH, Change, ChangeKind, Flag, Game
from games.people.tries import Tries
from games.scoring.errors import Refusal, RuleError
from games.scoring.one_line import one_line
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.words import _

RAISED = Tries("flag", most=30, window=15 * 60)  # flags raised, per user


def open_flags(game: Game) -> QuerySet[Flag]:
    """Return the game's unresolved flags with the users who raised them, oldest first."""
    return game.flags.filter(resolved_at=None).select_related("by")


@transaction.atomic
def raise_flag(game: Game, state: GameState, number: int, player: str, *, note: str, by: User) -> Flag:
    """Flag a player's hand in the round that is event `number` of the game.

    If the user has flagged this hand before, the new note replaces the old one. If the hand was corrected
    since, the flag now doubts the corrected hand. Raise RuleError if the game has no such hand, or if the
    note is not a valid line of text.
    """
    if _points(state, number, player) is None:
        raise RuleError(
            _("This round doesn't have that hand."),
            code=Refusal.UNKNOWN_PLAYER,
            field="hand",
            player=player,
        )
    note = one_line(note, longest=NOTE_LENGTH, field="note")
    flag, is_new = Flag.objects.get_or_create(
        game=game, number=number, player=player, by=by, resolved_at=None, defaults={"note": note}
    )
    if not is_new and points_doubted(flag) != _points(state, number, player):
        flag.flagged_at, is_new = now(), True  # the user doubts the corrected hand too
    if is_new or flag.note != note:
        flag.note = note
        flag.save(update_fields=["note", "flagged_at"])
        _tell(game)
    return flag


def points_doubted(flag: Flag) -> int | None:
    """Return the points that the hand had when it was flagged; None if the round did not exist then."""
    log = logs_of([flag.game_id], until=flag.flagged_at)[flag.game_id]
    return _points(replay(log), flag.number, flag.player) if log else None


def _points(state: GameState, number: int, player: str) -> int | None:
    return next((played.points.get(player) for played in state.rounds if played.number == number), None)


@transaction.atomic
def settle_flags(game: Game, number: int, player: str, *, of: User | None = None) -> int:
    """Resolve the open flags on a player's hand, and return the number of flags resolved.

    The round of the hand is event `number` of the game. With `of`, resolve only the flags that this user
    raised.
    """
    flags = game.flags.filter(number=number, player=player, resolved_at=None)
    settled = (flags if of is None else flags.filter(by=of)).update(resolved_at=now())
    if settled:
        _tell(game)
    return settled


def _tell(game: Game) -> None:
    revise(game.table)
    tell(game.table, Change(what=ChangeKind.FLAGS_CHANGED, game=game))
