"""The playing card that marks a table (su carta), so that users recognise the table at a glance."""

from __future__ import annotations

import re
from typing import NamedTuple
from zlib import crc32

from games.models import Table
from games.scoring.cards import FRENCH_RANKS, FRENCH_SUITS

EMOJI = re.compile("[\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff]")


class Sign(NamedTuple):
    """A playing card: its rank, and the letter of its suit."""

    rank: str
    suit: str


def sign_of(table: Table) -> Sign | None:
    """Return the card that marks the table, computed from the table's code.

    Return None if the table's name has an emoji, by which users recognise the table already.
    """
    if EMOJI.search(table.name):
        return None
    number = crc32(table.code.encode())
    rest, suit = divmod(number, len(FRENCH_SUITS))
    return Sign(FRENCH_RANKS[rest % len(FRENCH_RANKS)], FRENCH_SUITS[suit])
