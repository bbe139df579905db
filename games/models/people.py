"""Tables, their members, and what users may do there."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.timezone import now

from games.models.limits import (
    ACCOUNT_LENGTH,
    COLOURS,
    DECIMALS,
    ERASING_DAYS,
    NAME_LENGTH,
    TABLE_NAME_LENGTH,
    TOKEN_NAME_LENGTH,
    UNIT_LENGTH,
    new_code,
)


class Role(StrEnum):
    """The rights that a grant gives its user at a table."""

    OWNER = "owner"
    SCORER = "scorer"
    WITNESS = "witness"


class TableQuerySet(models.QuerySet["Table"]):
    """A queryset of tables with a filter for erased ones."""

    def past_return(self) -> TableQuerySet:
        """Filter to tables erased too long ago to be restored, by the database's clock, as in the guards."""
        return self.filter(erased_at__lt=Now() - timedelta(days=ERASING_DAYS))


class Table(models.Model):
    """A table (mesa): the people who play together, and the money for which they play.

    An erased table, with `erased_at`, is closed to everybody; an owner can restore it until `gone_at`.
    """

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=TABLE_NAME_LENGTH)
    unit = models.CharField(max_length=UNIT_LENGTH, default="$")
    decimals = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=12)
    timezone = models.CharField(max_length=64)
    # increased by every change a watching phone shows, except events
    revision = models.PositiveIntegerField(default=0)
    # the last number of its change feed; only this row hands numbers out, see `games/changes.py`
    newest_change = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(default=now)
    erased_at = models.DateTimeField(null=True, blank=True)

    objects = TableQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="table_is_named"),
            models.CheckConstraint(condition=~Q(unit=""), name="table_has_a_unit"),
            models.CheckConstraint(
                condition=Q(decimals__gte=0, decimals__lte=DECIMALS), name="table_decimals_up_to_three"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def gone_at(self) -> datetime | None:
        """When it can no longer be restored; None for a table that is not erased."""
        return None if self.erased_at is None else self.erased_at + timedelta(days=ERASING_DAYS)


class MemberQuerySet(models.QuerySet["Member"]):
    """A queryset of members with a filter for active ones."""

    def active(self) -> MemberQuerySet:
        """Filter to members who may play: neither retired nor merged into another."""
        return self.filter(merged_into=None, retired_at=None)


class Member(models.Model):
    """A player at a table. The slug is the player id inside events and never changes."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="members")
    slug = models.CharField(max_length=40)
    name = models.CharField(max_length=NAME_LENGTH)
    colour = models.PositiveSmallIntegerField()
    # where to send money: an alias, a number, any words
    account = models.CharField(max_length=ACCOUNT_LENGTH, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="members"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged"
    )
    # null if the merge is older than this column
    merged_at = models.DateTimeField(null=True, blank=True)
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    # the user's claim moved to the member into which this one was merged
    gave_claim = models.BooleanField(default=False)
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = MemberQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "slug"], name="member_slug_once_a_table"),
            models.CheckConstraint(condition=~Q(slug__in=["", "nobody"]), name="member_slug_is_somebody"),
            models.CheckConstraint(condition=~Q(name=""), name="member_is_named"),
            models.CheckConstraint(
                condition=Q(colour__gte=1, colour__lte=COLOURS), name="member_colour_one_to_eight"
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("pk")),
                name="member_not_merged_into_self",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=False)
                | Q(merged_at__isnull=True, merged_by__isnull=True, gave_claim=False),
                name="member_merged_says_when",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def now(self) -> Member:
        """The member into which this one was finally merged, or itself."""
        member = self
        while member.merged_into is not None:
            member = member.merged_into
        return member

    def is_of(self, user: User | AnonymousUser) -> bool:
        """Return whether this user is this member, confirmed by an owner."""
        return self.claimed_at is not None and self.user_id is not None and self.user_id == user.pk


class Spelling(models.Model):
    """Another spelling of a member's name in old notebooks, as chosen at an import."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="spellings")
    written = models.CharField(max_length=NAME_LENGTH)
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="spellings")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "written"], name="spelling_once_a_table"),
            models.CheckConstraint(condition=~Q(written=""), name="spelling_is_written"),
        ]

    def __str__(self) -> str:
        return f"{self.written}: {self.member}"


class Removal(models.Model):
    """The removal of a user from a table, or of an invitation; undoing it restores exactly what it ended.

    The grants it ended point to it, and so do the invitations that ended with their makers. `invite` is the
    revoked invitation, null if a user was removed.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="removals")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="removals")
    made_at = models.DateTimeField(default=now)
    undone_at = models.DateTimeField(null=True, blank=True)
    invite = models.ForeignKey(
        "Invite", on_delete=models.CASCADE, null=True, blank=True, related_name="revocations"
    )

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.table}: {self.made_at}"


class InviteQuerySet(models.QuerySet["Invite"]):
    """A queryset of invitations with a filter for valid ones."""

    def standing(self) -> InviteQuerySet:
        """Filter to valid invitations: not ended, used up or expired, and made by a present owner."""
        makers = Grant.objects.standing().filter(
            table=models.OuterRef("table"), user=models.OuterRef("made_by"), role=Role.OWNER
        )
        open_still = self.filter(revoked_at=None, removal=None, used_at=None, expires_at__gt=now())
        return open_still.filter(models.Exists(makers))


class Invite(models.Model):
    """A link that gives a role at a table; only its token's hash is stored.

    An invitation to write is used up by the first user who accepts it. One that `is_spare` is its maker's
    own: the phone that opens it ranks before the phone that made it. `revoked_at` is set if an owner revoked
    it, `removal` if it ended when somebody was removed.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invites")
    role = models.CharField(max_length=10)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invites")
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    removal = models.ForeignKey(
        Removal, on_delete=models.CASCADE, null=True, blank=True, related_name="invites"
    )
    is_spare = models.BooleanField(default=False)

    objects = InviteQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=[str(role) for role in Role]), name="invite_role_is_known"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="invite_ends_after_it_is_made"
            ),
            models.CheckConstraint(
                condition=Q(is_spare=False) | Q(role=str(Role.OWNER)), name="invite_spare_is_an_owners"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.role}"


class GrantQuerySet(models.QuerySet["Grant"]):
    """A queryset of grants with filters for valid ones."""

    def standing(self) -> GrantQuerySet:
        """Filter to grants that are valid now."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now()), removal=None)

    def owning(self) -> GrantQuerySet:
        """Filter to the valid grants of owners, the first owner first."""
        return self.standing().filter(role=Role.OWNER).order_by("ranks_from", "pk")


class Grant(models.Model):
    """A user's role at a table, and until when.

    Owners rank by `ranks_from`, which is when they came in until the table is handed over. A grant that a
    `removal` ended is kept, so that undoing it restores the same. An `archived` table comes last on its
    user's home page.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="grants")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="grants")
    role = models.CharField(max_length=10)
    invite = models.ForeignKey(
        Invite, on_delete=models.SET_NULL, null=True, blank=True, related_name="grants"
    )
    made_at = models.DateTimeField(default=now)
    ranks_from = models.DateTimeField(default=now)
    expires_at = models.DateTimeField(null=True, blank=True)
    archived = models.BooleanField(default=False)
    removal = models.ForeignKey(
        Removal, on_delete=models.CASCADE, null=True, blank=True, related_name="grants"
    )

    objects = GrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "table"], name="grant_once_a_user_and_table"),
            models.CheckConstraint(
                condition=Q(role__in=[str(role) for role in Role]), name="grant_role_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class TokenQuerySet(models.QuerySet["Token"]):
    """A queryset of API tokens with a filter for valid ones."""

    def standing(self) -> TokenQuerySet:
        """Filter to valid tokens: not revoked or expired, and the maker still has access to their table."""
        there = Grant.objects.standing().filter(
            user=models.OuterRef("user"), table=models.OuterRef("table"), table__erased_at=None
        )
        return self.filter(
            Q(table=None) | models.Exists(there), revoked_at=None, expires_at__gt=now(), user__is_active=True
        )

    def revoke(self) -> None:
        """Revoke these tokens; those revoked before keep their date."""
        self.filter(revoked_at=None).update(revoked_at=now())


class Token(models.Model):
    """An API token: a program acts as its maker, at most in this role, at one table or (no `table`) at all.

    Only its hash is stored.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="tokens")
    name = models.CharField(max_length=TOKEN_NAME_LENGTH)
    role = models.CharField(max_length=10)
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="token_is_named"),
            models.CheckConstraint(
                condition=Q(role__in=[str(role) for role in Role]), name="token_role_is_known"
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="token_ends_after_it_is_made"
            ),
        ]

    def __str__(self) -> str:
        return self.name
