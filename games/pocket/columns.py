"""The columns of each model in the copy of a user's tables that a phone downloads.

`copying.py`, which makes the copy, and `unpacking.py`, which stores it on the phone, share this list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from django.contrib.auth.models import User
from django.db.models import Field, ForeignKey, Model

from games.models import (
    ClosingNote,
    CostShare,
    CostStep,
    Flag,
    Game,
    Grant,
    HandSource,
    Member,
    Payment,
    PaymentStep,
    Plan,
    Record,
    Result,
    Season,
    SharedCost,
    Table,
)

# If no URL, no order and no other row needs a model's ids, `id` is left out, and the phone makes new ids.
COLUMNS: Mapping[type[Model], Sequence[str]] = {
    Table: (
        *("id", "code", "name", "unit", "decimals", "language", "timezone", "region"),
        *("settles_before", "quick_keys", "revision", "newest_change", "created_at", "erased_at"),
    ),
    Grant: ("role", "made_at", "ranks_from", "expires_at", "records_until", "archived"),
    Season: ("id", "name", "starts_on", "ends_on", "order"),
    Member: (
        *("id", "slug", "name", "colour", "account", "user", "claimed_at"),
        *("merged_into", "merged_at", "merged_by", "gave_claim", "retired_at"),
    ),
    Game: (
        *("id", "season", "code", "key", "discarded_at", "variant"),
        *("started_at", "night_number", "ended_at", "pot", "decided_in"),
    ),
    Record: ("game", "number", "kind", "data", "key", "recorded_at", "arrived_at", "recorded_by"),
    Result: (
        *("game", "member", "place", "points", "net", "won", "reentries", "rounds_won"),
        *("total", "in_one_go", "survived", "variant", "night_number"),
    ),
    HandSource: ("game", "number", "player", "brought_by", "is_changed"),
    Flag: ("game", "number", "player", "by", "note", "flagged_at", "resolved_at"),
    Payment: (
        *("id", "payer", "payee", "amount", "method", "note", "game", "key", "made_at", "paid_on", "night"),
        *("recorded_at", "arrived_at", "recorded_by", "claimed_at", "accepted_at", "confirmed_at"),
        *("disputed_at", "objection", "cancelled_at", "cancelled_by"),
    ),
    PaymentStep: (
        *("id", "payment", "turn", "text", "at", "by"),
        *("amount", "method", "note", "made_at", "paid_on"),
    ),
    SharedCost: (
        *("id", "night", "payer", "amount", "sharers", "note", "key", "made_at", "recorded_at"),
        *("arrived_at", "recorded_by", "cancelled_at", "cancelled_by"),
    ),
    CostShare: ("cost", "member", "net"),
    CostStep: ("id", "cost", "turn", "text", "at", "by", "payer", "amount", "sharers", "note"),
    Plan: ("id", "lines", "before", "because", "game", "number", "payment", "cost", "made_at"),
    ClosingNote: ("id", "night", "balances", "lines", "text", "as_of", "made_at", "made_by"),
}
# The models in an order in which they can be stored: foreign keys refer to models that come before.
OF_GAMES = (Season, Member, Game, Record, Result, HandSource, Flag)
OF_MONEY = (Payment, PaymentStep, SharedCost, CostShare, CostStep, Plan, ClosingNote)


def fields_of(model: type[Model]) -> Sequence[Field[object, object]]:
    """Return the fields of this model's columns in the copy, in order."""
    return [model._meta.get_field(name) for name in COLUMNS[model]]  # type: ignore[misc]


def name_of(model: type[Model]) -> str:
    """Return the key under which a copy has the rows of this model."""
    return str(model._meta.model_name)


def is_a_user(field: Field[object, object]) -> bool:
    """Return whether the field refers to a user.

    A copy refers to users by numbers, which are valid only in that copy.
    """
    return isinstance(field, ForeignKey) and field.related_model is User


def _version() -> str:
    columns_text = ";".join(f"{name_of(model)}:{','.join(columns)}" for model, columns in COLUMNS.items())
    return f"2-{sha256(columns_text.encode()).hexdigest()[:8]}"


VERSION = _version()  # changes with every column, so no phone reads a copy with other columns
