"""The card of a table (su carta), by which it is recognised at a glance unless its name has an emoji."""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

from games.models import Table
from games.scoring.cards import FRENCH_RANKS, FRENCH_SUITS

EMOJI = re.compile("[\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff]")


class Sign(NamedTuple):
    """A rank, and the letter of a suit."""

    rank: str
    suit: str


def sign_of(table: Table) -> Sign | None:
    """Return the card that the table's code stands for; None if its name has an emoji, which is sign enough."""
    if EMOJI.search(table.name):
        return None
    number = crc32(table.code.encode())
    rest, suit = divmod(number, len(FRENCH_SUITS))
    return Sign(FRENCH_RANKS[rest % len(FRENCH_RANKS)], FRENCH_SUITS[suit])
