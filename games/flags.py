"""*That is not my hand*: doubts of those who watch, open until somebody who records has looked."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.models import NOTE_LENGTH, Flag, Game
from games.names import is_unseen
from games.scoring.errors import Refusal, RuleError
from games.scoring.state import GameState
from games.scoring.words import _
from games.services import revise


def open_flags(game: Game) -> QuerySet[Flag]:
    """The doubts nobody has settled yet, oldest first, with who raised them."""
    return game.flags.filter(resolved_at=None).select_related("by")


@transaction.atomic
def raise_flag(game: Game, state: GameState, number: int, player: str, *, note: str, by: User) -> Flag:
    """The doubt about a player's hand in round `number`; said again by the same person it has the new note.

    RuleError where no such hand stands in the game, or the note is too long to be kept.
    """
    if not any(played.number == number and player in played.points for played in state.rounds):
        raise RuleError(
            _("There is no such hand in this round."),
            code=Refusal.UNKNOWN_PLAYER,
            field="hand",
            player=player,
        )
    note = " ".join(note.split())
    if len(note) > NOTE_LENGTH:
        raise RuleError(_("A note has at most {longest} letters.", longest=NOTE_LENGTH), field="note")
    if any(is_unseen(character) for character in note):
        raise RuleError(_("A note cannot have invisible characters."), field="note")
    flag, is_new = Flag.objects.get_or_create(
        game=game, number=number, player=player, by=by, resolved_at=None, defaults={"note": note}
    )
    if is_new or flag.note != note:
        flag.note = note
        flag.save(update_fields=["note"])
        revise(game.table)
    return flag


@transaction.atomic
def settle_flags(game: Game, number: int, player: str, *, of: User | None = None) -> int:
    """How many doubts about this hand are settled now: all of them, or only those of one person, who takes his back."""
    flags = game.flags.filter(number=number, player=player, resolved_at=None)
    settled = (flags if of is None else flags.filter(by=of)).update(resolved_at=now())
    if settled:
        revise(game.table)
    return settled
