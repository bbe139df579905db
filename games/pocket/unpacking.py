"""Unpack the copy of a user's tables into the database of the phone of this user, the *reader*.

Pages rendered from this database equal the site's pages.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils.timezone import now

from games.models import (
    ClosingNote,
    CostShare,
    CostStep,
    Flag,
    Game,
    Grant,
    HandSource,
    Invite,
    Member,
    Payment,
    PaymentStep,
    Plan,
    Record,
    Removal,
    Result,
    Role,
    Season,
    SharedCost,
    Table,
)
from games.people.invitations import SPARE_LASTS
from games.people.users import DELETED
from games.pocket.columns import VERSION, fields_of, is_a_user, name_of
from games.pocket.copying import Copy
from games.pocket.people import Somebody

ELSEWHERE = "elsewhere"  # replaces the hash of a password, which only the site knows; no password matches
Row = TypeVar("Row", bound=Model)


class OtherVersion(Exception):
    """Raised for a copy that was made by a release with other columns."""


@transaction.atomic
def unpack(copy: Copy) -> User:
    """Store a copy in a migrated, empty database. Return the user whose copy it is.

    Raise OtherVersion for a copy that was made by a release with other columns.
    """
    if copy["version"] != VERSION:
        raise OtherVersion
    profile = copy["user"]
    reader = User.objects.create(
        username=profile["name"],
        first_name=profile["called"],
        password=ELSEWHERE if profile["has_password"] else UNUSABLE_PASSWORD_PREFIX,
    )
    for table in copy["tables"]:
        _Unpacked(table, reader).store()
    return reader


class _Unpacked:
    """A card table in a downloaded copy, to be stored in this phone's database."""

    def __init__(self, copy: Copy, reader: User) -> None:
        self._copy, self._reader = copy, reader
        self._users = [reader, *User.objects.bulk_create(map(_stand_in, copy["others"]))]

    def store(self) -> None:
        """Insert all rows of this card table into the phone's database."""
        (self._table,) = self._store(Table)
        self._store_grants()
        for model in (Season, Member, Game):
            self._store(model, table=self._table)
        self._store_new_phones()
        self._store(Record)
        self._store(Result)
        self._store(HandSource)
        self._store(Flag)
        if name_of(Payment) in self._copy:
            self._store_money()

    def _store(self, model: type[Row], **same: Model) -> Sequence[Row]:
        """Insert the copy's rows of this model, and return them.

        `same` has fields that are not in the copy, with the value that all rows get, e.g. the table.
        """
        return model._default_manager.bulk_create(list(self._rows(model, **same)))

    def _rows(self, model: type[Row], **same: Model) -> Iterator[Row]:
        fields = fields_of(model)
        for values in self._copy[name_of(model)]:
            columns = {
                field.attname: self._key_of(value) if is_a_user(field) else field.to_python(value)
                for field, value in zip(fields, values, strict=True)
            }
            yield model(**same, **columns)

    def _key_of(self, number: int | None) -> int | None:
        """Return the primary key of the user who has this number in the copy; None for None."""
        return None if number is None else self._users[number].pk

    # --- grants ---

    def _store_grants(self) -> None:
        """Store the reader's grant, and a grant for each other user and each user who left.

        Of the other users with access, the copy says only how many have each role, so anonymous users are
        made for them.
        """
        (own,) = self._rows(Grant)
        own.user, own.table = self._reader, self._table
        own.save(force_insert=True)
        for role, count in self._copy["let_in"].items():
            for _somebody in range(count):
                Grant.objects.create(user=_nobody(), table=self._table, role=role)
        for number, role, at in self._copy["left"]:
            gone = self._users[number]
            removal = Removal.objects.create(table=self._table, made_by=gone, made_at=at)
            Grant.objects.create(user=gone, table=self._table, role=role, removal=removal)
        if own.role == Role.OWNER and not self._copy["is_only_way_in"]:
            self._keep_a_way_in()

    def _keep_a_way_in(self) -> None:
        """Store an invitation as a stand-in for the owner's other access to the table, besides this phone.

        With it, pages do not warn that the table depends on this phone. The real link is not in the copy.
        """
        Invite.objects.create(
            table=self._table, role=Role.OWNER, made_by=self._reader, is_spare=True,
            token_hash=secrets.token_hex(32), expires_at=now() + SPARE_LASTS,
        )  # fmt: skip

    def _store_new_phones(self) -> None:
        """Store the removal of each lost phone that a new phone replaced: the table's page lists them.

        Only the site can undo such a removal.
        """
        for member, at in self._copy["new_phones"]:
            invite = Invite.objects.create(
                table=self._table, role=Role.WITNESS, made_by=_nobody(), member_id=member,
                token_hash=secrets.token_hex(32), made_at=at, expires_at=now() + SPARE_LASTS, used_at=now(),
            )  # fmt: skip
            Removal.objects.create(table=self._table, made_by=invite.made_by, made_at=at, new_phone=invite)

    def _store_money(self) -> None:
        self._store(Payment, table=self._table)
        self._store(PaymentStep)
        self._store(SharedCost, table=self._table)
        self._store(CostShare)
        self._store(CostStep)
        self._store(Plan, table=self._table)
        self._store(ClosingNote, table=self._table)


def _stand_in(person: Somebody) -> User:
    """Return an unsaved user with only the data that pages show, which may be nothing."""
    is_deleted = person["is_deleted"]
    return User(
        username=f"{DELETED if is_deleted else ''}{secrets.token_hex(8)}",
        first_name=person["name"],
        is_active=person["is_active"],
        password=UNUSABLE_PASSWORD_PREFIX,
    )


def _nobody() -> User:
    return User.objects.create(username=secrets.token_hex(8), password=UNUSABLE_PASSWORD_PREFIX)
