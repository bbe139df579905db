"""What is stored: tables, their people, and the append-only records every game is replayed from."""

from __future__ import annotations

from games.models.limits import (
    ACCOUNT_LENGTH,
    ALPHABET,
    CODE_LENGTH,
    COLOURS,
    DECIMALS,
    KEY_LENGTH,
    MOST_MONEY,
    NAME_LENGTH,
    NOTE_LENGTH,
    SEASON_NAME_LENGTH,
    TABLE_NAME_LENGTH,
    UNIT_LENGTH,
    VARIANT_LENGTH,
    new_code,
)
from games.models.money import Because, ClosingNote, Method, Payment, PaymentQuerySet, Plan
from games.models.people import Grant, Invite, Member, Removal, Role, Table
from games.models.play import Flag, Game, Record, RecordIsFinal, Result
from games.models.season import Season

__all__ = [
    "ACCOUNT_LENGTH",
    "ALPHABET",
    "CODE_LENGTH",
    "COLOURS",
    "DECIMALS",
    "KEY_LENGTH",
    "MOST_MONEY",
    "NAME_LENGTH",
    "NOTE_LENGTH",
    "SEASON_NAME_LENGTH",
    "TABLE_NAME_LENGTH",
    "UNIT_LENGTH",
    "VARIANT_LENGTH",
    "Because",
    "ClosingNote",
    "Flag",
    "Game",
    "Grant",
    "Invite",
    "Member",
    "Method",
    "Payment",
    "PaymentQuerySet",
    "Plan",
    "Record",
    "RecordIsFinal",
    "Removal",
    "Result",
    "Role",
    "Season",
    "Table",
    "new_code",
]
