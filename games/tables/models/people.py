"""Tables and their members.

A member is a player of the table, with or without a phone: `access.py` says which user is which member.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.functional import cached_property
from django.utils.timezone import now

from games.tables.models import limits

if TYPE_CHECKING:
    from games.tables.models.access import Access


class Role(StrEnum):
    """A user's role at a table: an owner administers it, a scorer records, a witness only watches."""

    OWNER = "owner"
    SCORER = "scorer"
    WITNESS = "witness"


BY_STRENGTH = (Role.WITNESS, Role.SCORER, Role.OWNER)


class TableQuerySet(models.QuerySet["Table"]):
    def purgeable(self) -> TableQuerySet:
        return self.filter(erased_at__lt=Now() - timedelta(days=limits.ERASING_DAYS))


class Table(models.Model):
    """A table (mesa): the people who play together, and their currency.

    A table with `erased_at` is erased: nobody can open it, but an owner can restore it until
    `restorable_until`. If the site's operator erased it (`erased_by_operator`), only the operator can restore
    it.
    """

    code = models.CharField(max_length=16, unique=True, default=limits.new_code, editable=False)
    # Also in the table's file, so that a copy on another site is recognized. Copies are why it is not unique.
    identity = models.CharField(
        max_length=limits.IDENTITY_LENGTH, default="", db_default="", blank=True, editable=False
    )
    name = models.CharField(max_length=limits.TABLE_NAME_LENGTH)
    unit = models.CharField(max_length=limits.UNIT_LENGTH, default="$")
    decimals = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=12)
    # for the hours that are shown, and for the night of new games and payments (`games/common/days.py`)
    timezone = models.CharField(max_length=64)
    # for the formats of numbers, money and dates (`games/common/regions.py`); "" leaves them to the language
    region = models.CharField(max_length=limits.REGION_LENGTH, default="", db_default="", blank=True)
    # the habit *se paga en la mesa*: a finished game is marked as paid on the spot
    pays_on_the_spot = models.BooleanField(default=False)
    # *siempre los menos pagos*: every ledger entry ends with settling all debts anew
    always_fewest = models.BooleanField(default=False, db_default=False)
    # increased by every change that live pages show, except for events
    revision = models.PositiveIntegerField(default=0)
    # increased once for each write (`bump_version` in `games/common/locks.py`)
    version = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=now)
    erased_at = models.DateTimeField(null=True, blank=True)
    erased_by_operator = models.BooleanField(default=False, db_default=False)

    # the letters on the members' faces by their ids; None until first used
    face_letters: Mapping[int, str] | None = None
    # the access of the request's user, once it was checked
    reader_access: Access | None = None

    objects = TableQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="table_is_named"),
            models.CheckConstraint(condition=~Q(unit=""), name="table_has_a_unit"),
            models.CheckConstraint(
                condition=Q(decimals__gte=0, decimals__lte=limits.DECIMALS), name="table_decimals_up_to_three"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def restorable_until(self) -> datetime | None:
        """The moment until which owners can restore the erased table; None if they cannot."""
        if self.erased_at is None or self.erased_by_operator:
            return None
        return self.erased_at + timedelta(days=limits.ERASING_DAYS)


class MemberQuerySet(models.QuerySet["Member"]):
    def active(self) -> MemberQuerySet:
        return self.filter(merged_into=None, retired_at=None)


class Member(models.Model):
    """A player at a table. The slug is the player id inside events and never changes."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="members")
    slug = models.CharField(max_length=40)
    name = models.CharField(max_length=limits.NAME_LENGTH)
    colour = models.PositiveSmallIntegerField()
    # free text that tells others how to send this member money: a bank alias, a number, a phone
    account = models.CharField(max_length=limits.ACCOUNT_LENGTH, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged"
    )
    merged_at = models.DateTimeField(null=True, blank=True)
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    retired_at = models.DateTimeField(null=True, blank=True)

    load_user_ids: Callable[[Member], Collection[int]] | None = None

    objects = MemberQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "slug"], name="member_slug_once_a_table"),
            models.CheckConstraint(condition=~Q(slug__in=["", "nobody"]), name="member_slug_is_somebody"),
            models.CheckConstraint(condition=~Q(name=""), name="member_is_named"),
            models.CheckConstraint(
                condition=Q(colour__gte=1, colour__lte=limits.COLOURS), name="member_colour_one_to_eight"
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("pk")),
                name="member_not_merged_into_self",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=False) | Q(merged_at__isnull=True, merged_by__isnull=True),
                name="member_merged_says_when",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def current(self) -> Member:
        """The member at the end of the chain of merges; the member itself if it was not merged."""
        member = self
        while member.merged_into is not None:
            member = member.merged_into
        return member

    @cached_property
    def user_ids(self) -> Collection[int]:
        """The ids of the users who are confirmed for good to be this person, or a member merged into them.

        `People.of` sets `load_user_ids`, which loads them for all members of a table at once.
        """
        if self.load_user_ids is not None:
            return self.load_user_ids(self)
        rows, newest = [self.pk], [self.pk]
        while newest:
            newest = list(Member.objects.filter(merged_into__in=newest).values_list("pk", flat=True))
            rows += newest
        lasting = self.table.accesses.lasting()
        return frozenset(lasting.filter(member__in=rows).values_list("user", flat=True))

    @property
    def has_phone(self) -> bool:
        return bool(self.user_ids)

    def belongs_to(self, user: User | AnonymousUser) -> bool:
        return user.pk in self.user_ids
