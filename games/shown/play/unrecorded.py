"""A round that was sent where nothing may be recorded any more: what was typed, to be told to somebody else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

HAND = "hand-"
PLAYER = re.compile(r"[a-z][a-z0-9_]{0,31}")
LONGEST, MOST = 200, 20  # of a hand's text, and of hands: nobody types more


def typed_round(posted: Mapping[str, object]) -> Sequence[tuple[str, str]]:
    """Return each player of a posted round, by the id in the form's fields, with the hand as it was typed.

    The page has no game to take names from: the reader may have no access to it.
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
