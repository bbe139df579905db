"""How long a text may be, how much money counts, and the codes nobody can guess."""

from __future__ import annotations

import secrets

# Nothing that reads like something else: a code is also read aloud across a table.
ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
CODE_LENGTH = 11  # 30 ** 11 is over 53 bits

COLOURS = 8
NAME_LENGTH = 20
TABLE_NAME_LENGTH = 60
ORDER_LENGTH = 8  # of the longest figure a season's table is sorted by
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
MOST_MEMBERS = 500  # of a table, whoever retired or was merged too
MOST_RUNNING = 30  # games under way at a table
MOST_SPELLINGS = 1000  # of names in the old notebooks of a table
MOST_INVITES = 50  # invitations to a table that let somebody in
TABLES_A_DAY = 10  # which one person may open
MOST_DEVICES = 30  # on which one person is signed in
UNUSED_DAYS = 90  # after which a table nobody ever played at is shut, and a guest who is nowhere is gone
ERASING_DAYS = 7  # in which an owner brings an erased table back
MOST_MONEY = 10**15 - 1  # of one payment, or one player in one game: thousands of them can be added up


def new_code() -> str:
    """A code nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def is_code(text: str) -> bool:
    """Whether it could be one of them."""
    return len(text) == CODE_LENGTH and set(text) <= set(ALPHABET)
