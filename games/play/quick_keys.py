"""Quick keys (teclas rápidas): one tap records a round with a key's points for one player, 0 for all others.

A key is a number of points. Quick keys exist in games of points alone, without cards (RULES 8). A table
chooses its keys; a new table has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction

from games.changes import tell
from games.locks import lock, revise
from games.models import QUICK_KEYS, Change, ChangeKind, Table
from games.play.hands import RoundHands
from games.scoring.errors import RuleError
from games.scoring.events import RoundPlayed
from games.scoring.kinds import TypedPoints
from games.scoring.rounds import Hand, PlayerId, RoundEntry
from games.scoring.state import GameState
from games.scoring.words import _


def check_quick_keys(keys: Iterable[object]) -> list[int]:
    """Return these keys in the order of QUICK_KEYS, each once. Raise RuleError for any other number."""
    sent = list(keys)
    if not all(type(key) is int and key in QUICK_KEYS for key in sent):
        known = ", ".join(f"+{key}" for key in QUICK_KEYS)
        raise RuleError(_("The quick keys must be {known}.", known=known), field="quick_keys")
    return [key for key in QUICK_KEYS if key in sent]


@transaction.atomic
def choose_quick_keys(table: Table, keys: Iterable[object]) -> None:
    """Set the quick keys of the table; without any key, the table has no quick keys."""
    chosen = check_quick_keys(keys)
    locked = lock(table)
    if locked.quick_keys != chosen:
        locked.quick_keys = table.quick_keys = chosen
        locked.save(update_fields=["quick_keys"])
        revise(locked)
        tell(locked, Change(what=ChangeKind.TABLE_CHANGED))


def quick_keys_of(table: Table, hands: RoundHands) -> Sequence[int]:
    """Return the quick keys for the present round.

    Return () in card games, or once a player has sent their own points.
    """
    if not isinstance(hands.rules.scoring, TypedPoints) or hands.sent:
        return ()
    return tuple(table.quick_keys)


def quick_round(state: GameState, player: PlayerId, points: int) -> RoundPlayed:
    """Return a round with these points for one player and 0 for everybody else.

    Raise RuleError if the player is not dealt in.
    """
    playing = [one.id for one in state.playing]
    if player not in playing:
        raise RuleError(_("This player is not in the round."))
    hands = tuple((one, Hand(points=points if one == player else 0)) for one in playing)
    return RoundPlayed(RoundEntry(None, state.rules.closings[0].key, hands))
