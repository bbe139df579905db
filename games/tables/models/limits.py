"""Limits on lengths, counts and money, and random codes."""

from __future__ import annotations

import secrets

# Characters of codes. Those that look or sound alike are left out, because people also read codes aloud.
ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"
CODE_LENGTH = 11  # 30 ** 11 is over 53 bits
IDENTITY_LENGTH = 26  # 30 ** 26 is over 127 bits

COLOURS = 8
NAME_LENGTH = 20
TABLE_NAME_LENGTH = 60
ORDER_LENGTH = 8  # the length of the longest `SeasonOrder`
SEASON_NAME_LENGTH = 60
UNIT_LENGTH = 12
REGION_LENGTH = 8
TOKEN_NAME_LENGTH = 40
DEVICE_WORD_LENGTH = 20
DECIMALS = 3
KEY_LENGTH = 64
VARIANT_LENGTH = 32
NOTE_LENGTH = 200
ACCOUNT_LENGTH = 80
HAND_LENGTH = 500  # characters of a hand in a form
MOST_ACTIVE = 60  # active members of a table; an imported file or an old notebook may add more
MOST_MEMBERS = 500  # all members of a table, including retired and merged ones
MOST_RUNNING = 30  # unfinished games at a table
MOST_GAMES_A_NIGHT = 200  # started in a night, including discarded ones; imports may have more
MOST_LINKS = 50  # valid links of a table
TABLES_A_DAY = 10  # tables that one user may create in a day
MOST_DEVICES = 30  # devices where one user is signed in
UNUSED_DAYS = 90  # days until an unused table is erased, and a guest without a table is deleted
ERASING_DAYS = 7  # days during which an owner can restore an erased table
# The highest amount of a payment or result. A BigIntegerField can hold the sum of thousands of them.
MOST_MONEY = 10**15 - 1


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def is_code(text: str, *, length: int = CODE_LENGTH) -> bool:
    """Return whether the text has the form of a code or, with `IDENTITY_LENGTH`, of a table's identity."""
    return len(text) == length and set(text) <= set(ALPHABET)


def new_identity() -> str:
    """Return a new random identity for a table. Its copies on other sites have the same one."""
    return "".join(secrets.choice(ALPHABET) for _ in range(IDENTITY_LENGTH))
