"""Limits on lengths, counts and money, and random codes."""

from __future__ import annotations

import secrets

# No characters that look or sound alike: codes are also read aloud across a table.
ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
CODE_LENGTH = 11  # 30 ** 11 is over 53 bits

COLOURS = 8
NAME_LENGTH = 20
TABLE_NAME_LENGTH = 60
ORDER_LENGTH = 8  # of the longest name of an order in which standings are sorted
SEASON_NAME_LENGTH = 60
UNIT_LENGTH = 12
TOKEN_NAME_LENGTH = 40
DEVICE_WORD_LENGTH = 20
DECIMALS = 3
KEY_LENGTH = 64
VARIANT_LENGTH = 32
NOTE_LENGTH = 200
ACCOUNT_LENGTH = 80
WHAT_LENGTH = 20
MOST_ACTIVE = 60  # members who play at a table; a file or an old notebook may bring more
MOST_MEMBERS = 500  # of a table, retired and merged ones included
MOST_RUNNING = 30  # games under way at a table
MOST_SPELLINGS = 1000  # of names in the old notebooks of a table
MOST_INVITES = 50  # valid invitations to a table
TABLES_A_DAY = 10  # that one user may create
MOST_DEVICES = 30  # on which one user is signed in
UNUSED_DAYS = 90  # after which a table without any game is closed, and a guest without a table is deleted
ERASING_DAYS = 7  # during which an owner can restore an erased table
MOST_MONEY = 10**15 - 1  # of one payment, or one player in one game: sums of thousands still fit the column


def new_code() -> str:
    """Return a new random code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    """Return whether the text has the form of such a code."""
    return len(text) == CODE_LENGTH and set(text) <= set(ALPHABET)
