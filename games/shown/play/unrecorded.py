"""A posted round that could not be recorded: the typed hands, so that the user can pass them on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

HAND = "hand-"
PLAYER = re.compile(r"[a-z][a-z0-9_]{0,31}")
LONGEST, MOST = 200, 20  # the most letters of a hand, and the most hands: nobody types more


def typed_round(posted: Mapping[str, object]) -> Sequence[tuple[str, str]]:
    """Return the typed hand of each player in a posted round, by the player ids of the form's fields.

    Names are not looked up, because the reader may have no access to the game.
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
