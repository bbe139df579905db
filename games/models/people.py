"""Tables, their members, and the rights of users: invitations, grants and tokens.

A grant gives a user a role at a table. A member is a player of the table, with or without a user: a user may
claim to be a member, and the claim takes effect once an owner confirms it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now
from django.utils.timezone import now

from games.models.limits import (
    ACCOUNT_LENGTH,
    COLOURS,
    DECIMALS,
    ERASING_DAYS,
    IDENTITY_LENGTH,
    NAME_LENGTH,
    REGION_LENGTH,
    TABLE_NAME_LENGTH,
    TOKEN_NAME_LENGTH,
    UNIT_LENGTH,
    new_code,
)


class Role(StrEnum):
    """A user's role at a table: an owner manages it, a scorer records, a witness only watches."""

    OWNER = "owner"
    SCORER = "scorer"
    WITNESS = "witness"


class TableQuerySet(models.QuerySet["Table"]):
    """A queryset of tables with a filter for those to be deleted."""

    def past_return(self) -> TableQuerySet:
        """Filter to tables erased too long ago to be restored."""
        return self.filter(erased_at__lt=Now() - timedelta(days=ERASING_DAYS))


class Table(models.Model):
    """A table (mesa): the people who play together, and their currency.

    A table with `erased_at` is erased: nobody can open it, but an owner can restore it until `gone_at`.
    """

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    # The table's file has it too, so that a copy on another site is recognized; it is not unique.
    identity = models.CharField(
        max_length=IDENTITY_LENGTH, default="", db_default="", blank=True, editable=False
    )
    name = models.CharField(max_length=TABLE_NAME_LENGTH)
    unit = models.CharField(max_length=UNIT_LENGTH, default="$")
    decimals = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=12)
    # decides the hours that are shown, and the night of what is recorded from now on (`games/nights.py`)
    timezone = models.CharField(max_length=64)
    # decides the formats of numbers, money and dates (`games/regions.py`); "" at tables older than this
    # column
    region = models.CharField(max_length=REGION_LENGTH, default="", db_default="", blank=True)
    # the habit *se paga en la mesa*: a game that ends is marked as paid on the spot
    pays_on_the_spot = models.BooleanField(default=False)
    # increased by every change that a live page shows, except for events
    revision = models.PositiveIntegerField(default=0)
    # raised once for each write (`raise_version` in `games/locks.py`)
    version = models.PositiveBigIntegerField(default=0)
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
        """The moment from which the erased table cannot be restored; None if the table is not erased."""
        return None if self.erased_at is None else self.erased_at + timedelta(days=ERASING_DAYS)


class MemberQuerySet(models.QuerySet["Member"]):
    """A queryset of members with a filter for active ones."""

    def active(self) -> MemberQuerySet:
        """Filter to members who may play: neither retired nor merged into another member."""
        return self.filter(merged_into=None, retired_at=None)


class Member(models.Model):
    """A player at a table. The slug is the player id inside events and never changes.

    `user` is the user who claims to be this member, null if nobody does. `claimed_at` is the moment when the
    claim took effect; it is null while an owner has not confirmed the claim.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="members")
    slug = models.CharField(max_length=40)
    name = models.CharField(max_length=NAME_LENGTH)
    colour = models.PositiveSmallIntegerField()
    # free text that tells others how to send this member money: a bank alias, a number, a phone
    account = models.CharField(max_length=ACCOUNT_LENGTH, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="members"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged"
    )
    merged_at = models.DateTimeField(null=True, blank=True)
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    # True if the merge moved this member's user to the member in `merged_into`
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
        """The member at the end of the chain of merges; the member itself if it was not merged."""
        member = self
        while member.merged_into is not None:
            member = member.merged_into
        return member

    @property
    def has_phone(self) -> bool:
        """True if an owner confirmed that a user is this member."""
        return self.claimed_at is not None and self.user_id is not None

    def is_of(self, user: User | AnonymousUser) -> bool:
        """Return whether this user claimed this member and an owner confirmed the claim."""
        return self.has_phone and self.user_id == user.pk


class Removal(models.Model):
    """The removal of a user from a table, or the revocation of an invitation. It can be undone.

    The grants and invitations that the removal ended refer to it, so that undoing restores exactly those.
    `invite` is the revoked invitation; it is null if a user was removed. `new_phone` is set
    if the user was removed because a member's new phone took the place of the old one: it is the invitation
    that the new phone accepted.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="removals")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="removals")
    made_at = models.DateTimeField(default=now)
    undone_at = models.DateTimeField(null=True, blank=True)
    invite = models.ForeignKey(
        "Invite", on_delete=models.CASCADE, null=True, blank=True, related_name="revocations"
    )
    new_phone = models.OneToOneField(
        "Invite", on_delete=models.CASCADE, null=True, blank=True, related_name="replacement"
    )

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.table}: {self.made_at}"


class InviteQuerySet(models.QuerySet["Invite"]):
    """A queryset of invitations with a filter for valid ones."""

    def standing(self) -> InviteQuerySet:
        """Filter to valid invitations: not ended, used up or expired, and made by a present owner.

        An invitation for a member's new phone is valid only while the member's user is still the same as when
        it was made.
        """
        makers = Grant.objects.standing().filter(
            table=models.OuterRef("table"), user=models.OuterRef("made_by"), role=Role.OWNER
        )
        same_user = Q(replaces=None, member__claimed_at=None)
        same_user |= Q(member__user=F("replaces"), member__claimed_at__isnull=False)
        open_still = self.filter(revoked_at=None, removal=None, used_at=None, expires_at__gt=now())
        open_still = open_still.filter(Q(member=None) | same_user & Q(member__merged_into=None))
        return open_still.filter(models.Exists(makers))


class Invite(models.Model):
    """An invitation: a link that gives a role at a table. Only the hash of the link's token is stored.

    An invitation to a role that may write gives access to one user only. A spare invitation (`is_spare`) is
    an owner's backup for a lost phone: the user who accepts it becomes an owner, and ranks before the owner
    who made it. `revoked_at` is set if an owner revoked the invitation, `removal` if it ended because a
    user was removed.

    An invitation with a `night` is tonight's invitation: whoever opens it may watch until that night ends.
    Its token is derived from the row (`games/people/tonight.py`), so that the link can be shown again.

    An invitation with a `member` is for the member's new phone: the user who accepts it (`used_by`) becomes
    the member. `replaces` is the user who was the member until then, null if nobody was; their access ends.
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
    night = models.DateField(null=True, blank=True)
    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, null=True, blank=True, related_name="invites"
    )
    replaces = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

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
            models.CheckConstraint(
                condition=Q(member=None, replaces=None, used_by=None)
                | Q(member__isnull=False, is_spare=False),
                name="invite_replaces_for_a_member",
            ),
            models.CheckConstraint(
                condition=Q(night=None) | Q(role=str(Role.WITNESS), member=None, is_spare=False),
                name="invite_for_a_night_lets_watch",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.role}"


class GrantQuerySet(models.QuerySet["Grant"]):
    """A queryset of grants with filters for valid ones."""

    def standing(self) -> GrantQuerySet:
        """Filter to grants that are valid now: not expired and not ended by a removal."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now()), removal=None)

    def owning(self) -> GrantQuerySet:
        """Filter to the valid grants of owners, ordered by the owners' rank."""
        return self.standing().filter(role=Role.OWNER).order_by("ranks_from", "pk")

    def present_roles(self) -> models.QuerySet[Grant, str]:
        """Return a queryset with one value per grant: the role that it gives now (`Grant.present_role`)."""
        with_pen = When(role=Role.WITNESS, records_until__gt=now(), then=Value(str(Role.SCORER)))
        present = Case(with_pen, default=F("role"), output_field=models.CharField())
        return self.annotate(present=present).values_list("present", flat=True)


class Grant(models.Model):
    """A user's role at a table, valid until `expires_at`.

    Owners rank by `ranks_from`, the earliest first: the moment at which the grant was made, unless the table
    was handed over. A grant that a `removal` ended is not deleted, so that undoing the removal restores it.

    A witness to whom an owner lent the pen has a scorer's rights until `records_until`.
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
    records_until = models.DateTimeField(null=True, blank=True)
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

    @property
    def has_pen(self) -> bool:
        """True for a witness to whom an owner lent the pen (the right to record) and who may record now."""
        until = self.records_until
        return self.role == Role.WITNESS and until is not None and until > now()

    @property
    def present_role(self) -> Role:
        """The role that this grant gives now: a scorer's to a witness with the pen, else `role`."""
        return Role.SCORER if self.has_pen else Role(self.role)


class TokenQuerySet(models.QuerySet["Token"]):
    """A queryset of API tokens with a filter for valid ones."""

    def standing(self) -> TokenQuerySet:
        """Filter to valid tokens: not revoked or expired, and made by an active user.

        For a token that is limited to one table, the maker must still have access to that table.
        """
        there = Grant.objects.standing().filter(
            user=models.OuterRef("user"), table=models.OuterRef("table"), table__erased_at=None
        )
        return self.filter(
            Q(table=None) | models.Exists(there), revoked_at=None, expires_at__gt=now(), user__is_active=True
        )

    def revoke(self) -> None:
        """Revoke these tokens. A token that was revoked before keeps its `revoked_at`."""
        self.filter(revoked_at=None).update(revoked_at=now())


class Token(models.Model):
    """An API token: a program that sends it acts as the token's maker; with `reads_only`, it only reads.

    The token is valid at one table or, if `table` is null, at all tables of its maker. Only its hash is
    stored.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="tokens")
    name = models.CharField(max_length=TOKEN_NAME_LENGTH)
    reads_only = models.BooleanField(default=False)
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
                condition=Q(expires_at__gt=F("made_at")), name="token_ends_after_it_is_made"
            ),
        ]

    def __str__(self) -> str:
        return self.name
