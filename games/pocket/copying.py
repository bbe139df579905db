"""The copy for a user's phone: the rows of the user's tables that this user (the reader) may read.

A table that is too large is left out. A copy
refers to users by numbers instead of ids, and instead of idempotency keys of other users it has stand-ins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, DateField, DateTimeField, Field, Max, Model, QuerySet
from django.db.models.functions import Coalesce

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
    Role,
    Season,
    SharedCost,
    Table,
)
from games.notebook.writing import moment_in_text, one_moment
from games.people.access import WRITERS, Visitor
from games.people.invitations import only_ways_in
from games.people.leaving import left_by_themselves
from games.people.users import mark_of
from games.pocket.columns import COLUMNS, VERSION, fields_of, is_a_user, name_of
from games.pocket.people import Others

MOST_GAMES = 300  # games of a table in the copy
MOST_RECORDS = 20_000  # records of all tables in the copy; tables played most recently come first

Copy = dict[str, Any]
Row = dict[str, Any]
Rows = list[list[Any]]


def copy_for(user: User) -> Copy:
    """Return the copy for this user's phone as JSON values, all read as of one moment.

    Equal data gives an equal copy. Its key `left_out` has the names of the tables that are too large.
    """
    with one_moment():
        grants = list(_grants_of(user))
        fitting = list(_fitting(grants))
        lost = only_ways_in([grant.table for grant in fitting], user)
        return {
            "version": VERSION,
            "person": mark_of(user),
            "user": _profile_of(user),
            "tables": [_table(grant, user, is_lost=grant.table_id in lost) for grant in fitting],
            "left_out": [grant.table.name for grant in grants if grant not in fitting],
        }


def _profile_of(user: User) -> Row:
    """Return, by key, the user's user name and display name, and whether they have a password.

    Guests have no password.
    """
    has_password = user.has_usable_password()
    return {"name": user.username, "called": user.first_name, "has_password": has_password}


# --- tables -------------------------------------------------------------------------------------------------


def _grants_of(user: User) -> QuerySet[Any]:
    """Return the user's valid grants, that of the most recently played table first.

    Each is annotated with how many games and records its table has, as `games` and `records`.
    """
    standing: QuerySet[Grant] = user.grants.standing().filter(table__erased_at=None)
    counted = standing.annotate(
        games=Count("table__games", distinct=True),
        records=Count("table__games__records"),
        played_at=Coalesce(Max("table__games__started_at"), "table__created_at"),
    )
    return counted.select_related("table").order_by("-played_at", "-table")


def _fitting(grants: Sequence[Any]) -> Iterator[Any]:
    room = MOST_RECORDS
    for grant in grants:
        if grant.games <= MOST_GAMES and grant.records <= room:
            room -= grant.records
            yield grant


# --- a table ------------------------------------------------------------------------------------------------


def _table(grant: Grant, reader: User, *, is_lost: bool) -> Copy:
    """Return the rows of a table by model, each row as a list of values, and the other users of the table.

    `is_lost` is True if the reader would lose the table by losing this phone.
    """
    page = _Reader(grant, reader)
    return {
        **{name_of(rows.model): page.read(rows) for rows in page.readable()},
        "let_in": page.let_in(),
        "left": page.left(),
        "new_phones": page.new_phones(),
        "is_only_way_in": is_lost,
        "others": page.others.as_rows(),  # last, because the rows above refer to these users
    }


class _Reader:
    """The reader of one table: a user with a role, which determines the rows and values in the copy."""

    def __init__(self, grant: Grant, reader: User) -> None:
        self.grant, self.table, self.reader = grant, grant.table, reader
        self.role = grant.present_role
        self.sees_accounts = Visitor(reader).sees_accounts(self.table, self.role)
        self.others = Others(reader)
        self._batches: dict[str, int] = {}

    def readable(self) -> Iterator[QuerySet[Any]]:
        """Yield one queryset for each model, with the rows that this reader may read.

        Foreign keys refer to rows of querysets that were yielded before.
        """
        table = self.table
        yield Table.objects.filter(pk=table.pk)
        yield Grant.objects.filter(pk=self.grant.pk)
        yield Season.objects.filter(table=table)
        yield Member.objects.filter(table=table)
        yield Game.objects.filter(table=table)
        yield Record.objects.filter(game__table=table).order_by("game", "number")
        yield Result.objects.filter(game__table=table)
        yield HandSource.objects.filter(game__table=table).order_by("game", "number", "pk")
        yield Flag.objects.filter(game__table=table, resolved_at=None)
        if self.sees_accounts:
            yield Payment.objects.filter(table=table)
            yield PaymentStep.objects.filter(payment__table=table)
            yield SharedCost.objects.filter(table=table)
            yield CostShare.objects.filter(cost__table=table)
            yield CostStep.objects.filter(cost__table=table)
            yield Plan.objects.filter(table=table)
            yield ClosingNote.objects.filter(table=table)

    def let_in(self) -> dict[str, int]:
        """Return the number of other users with access to the table, by role."""
        others = self.table.grants.standing().exclude(pk=self.grant.pk)
        return dict(sorted(Counter(others.present_roles()).items()))

    def left(self) -> Rows:
        """Return a list `[user's number, role, time]` for each user who left the table by themselves.

        For a reader who is not an owner, return [].
        """
        gone = left_by_themselves(self.table).reverse() if self.role is Role.OWNER else ()
        return [
            [
                self.others.number(grant.user_id, is_shown=True),
                grant.role,
                moment_in_text(grant.removal.made_at),
            ]
            for grant in gone
            if grant.removal is not None
        ]

    def new_phones(self) -> Rows:
        """Return a list `[member's id, time]` for each new phone that took the place of a lost one.

        Replacements that were undone are left out.
        """
        replaced = self.table.removals.filter(new_phone__isnull=False, undone_at=None).order_by(
            "made_at", "pk"
        )
        rows = replaced.values_list("new_phone__member", "made_at")
        return [[member, moment_in_text(made_at)] for member, made_at in rows]

    def read(self, rows: QuerySet[Any]) -> Rows:
        """Return these rows, in order, as lists of the values of their columns.

        Values that the reader may not see are cleared or replaced.
        """
        columns = [(field.name, self._as_json(field)) for field in fields_of(rows.model)]
        hide = self._hidden(rows.model)
        in_order = rows if rows.query.order_by else rows.order_by("pk")
        shown = map(hide, in_order.values(*COLUMNS[rows.model]))
        return [[convert(row[name]) if convert else row[name] for name, convert in columns] for row in shown]

    def _as_json(self, field: Field[Any, Any]) -> Callable[[Any], object] | None:
        """Return the function that converts a value of this field to JSON; None if none is needed."""
        if is_a_user(field):
            is_shown = self._is_shown(field.model)
            return lambda user: self.others.number(user, is_shown=is_shown(user))
        if isinstance(field, DateTimeField):
            return moment_in_text
        return _day if isinstance(field, DateField) else None

    # --- hidden from this reader ---

    def _is_shown(self, model: type[Model]) -> Callable[[int], bool]:
        """Return a predicate on the ids of the users to whom rows of this model refer.

        It is true for a user whose own name pages show to this reader. For a confirmed member, pages show the
        member's name at the table instead.
        """
        if model is Flag:
            return lambda _user: self.role in WRITERS
        if model not in (Payment, PaymentStep, SharedCost, CostStep, ClosingNote):
            return lambda _user: False
        claimed = self.table.members.filter(merged_into=None, claimed_at__isnull=False)
        members = set(claimed.values_list("user", flat=True))
        return lambda user: user not in members

    def _hidden(self, model: type[Model]) -> Callable[[Row], Row]:
        """Return the function that clears, in a row of this model, the values that the reader may not see."""
        if model is Member:
            return self._member
        if model is Game:
            begun = Record.objects.filter(game__table=self.table, number=1, recorded_by=self.reader)
            own = set(begun.values_list("game", flat=True))
            return lambda row: row if row["id"] in own else {**row, "key": _no_key(row["id"])}
        if model is Record:
            return self._record
        if model is SharedCost:
            return self._cost
        return self._payment if model is Payment else lambda row: row

    def _member(self, row: Row) -> Row:
        """Hide a member's payment details from readers who may not read the accounts.

        Hide the user who claims to be the member too, except from owners, from the user, and, if the claim is
        confirmed, from readers who may read the accounts.
        """
        is_claimed = row["claimed_at"] is not None
        is_seen = self.role is Role.OWNER or (self.sees_accounts and is_claimed)
        hidden: Row = {} if self.sees_accounts else {"account": ""}
        if not is_seen and row["user"] != self.reader.pk:
            hidden |= {"user": None, "claimed_at": None}
        if self.role is not Role.OWNER:
            hidden |= {"merged_at": None, "merged_by": None, "gave_claim": False}
        elif not is_claimed:  # the owner has to confirm the claim, which names the user
            self.others.number(row["user"], is_shown=True)
        return {**row, **hidden}

    def _record(self, row: Row) -> Row:
        is_own = row["key"] is None or row["recorded_by"] == self.reader.pk
        return row if is_own else {**row, "key": _no_key(row["number"])}

    def _payment(self, row: Row) -> Row:
        """Replace another user's idempotency key by a stand-in.

        Payments that were recorded together under one key get the same stand-in.
        """
        first = self._batches.setdefault(row["key"], row["id"])
        return row if row["recorded_by"] == self.reader.pk else {**row, "key": _no_key(first)}

    def _cost(self, row: Row) -> Row:
        return row if row["recorded_by"] == self.reader.pk else {**row, "key": _no_key(row["id"])}


def _no_key(number: int) -> str:
    """Return the stand-in for another user's idempotency key.

    `number` is the id of the row with the key, or the number of the record in its game.
    """
    return f"~{number}"


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
