"""A posted round that could not be recorded: the typed hands, so that the user can pass them on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

HAND = "hand-"
PLAYER = re.compile(r"[a-z][a-z0-9_]{0,31}")
LONGEST, MOST = 200, 20  # the most letters of a hand, and the most hands: a real form has no more


def typed_round(posted: Mapping[str, object]) -> Sequence[tuple[str, str]]:
    """Return pairs of player and typed hand from a posted round; () or [] if it has no hands.

    A closer without a typed hand comes first, with a text that they ended the round. The players are called
    by the ids in the form's field names. Their names are not looked up, because the user may have no access
    to the game.
    """
    closer = str(posted.get("closer", ""))
    hands = {
        field.removeprefix(HAND): str(text).strip()[:LONGEST]
        for field, text in posted.items()
        if field.startswith(HAND)
    }
    typed = [(player, text) for player, text in hands.items() if PLAYER.fullmatch(player) and text]
    if PLAYER.fullmatch(closer) and not hands.get(closer):
        typed.insert(0, (closer, _("ended the round")))
    return [(player.replace("_", " "), text) for player, text in typed[:MOST]] if hands else []
