"""A table, who plays at it, and who may do what there."""

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
    """What a grant lets its user do at a table."""

    OWNER = "owner"
    SCORER = "scorer"
    WITNESS = "witness"


class TableQuerySet(models.QuerySet["Table"]):
    """Tables, and those of them that nobody brings back."""

    def past_return(self) -> TableQuerySet:
        """Erased so long ago that the guards let go of them; the database's clock says so here and there."""
        return self.filter(erased_at__lt=Now() - timedelta(days=ERASING_DAYS))


class Table(models.Model):
    """A table (mesa): the people who play together, and the money they play for.

    One that was erased, at `erased_at`, is shut to everybody; an owner can bring it back until `gone_at`.
    """

    code = models.CharField(max_length=16, unique=True, default=new_code, editable=False)
    name = models.CharField(max_length=TABLE_NAME_LENGTH)
    unit = models.CharField(max_length=UNIT_LENGTH, default="$")
    decimals = models.PositiveSmallIntegerField(default=0)
    language = models.CharField(max_length=12)
    timezone = models.CharField(max_length=64)
    # raised by whatever a watching phone shows besides events
    revision = models.PositiveIntegerField(default=0)
    # of its feed; handed out by this row alone, see `games/changes.py`
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
        """From when on nobody brings it back, None for a table that is not erased."""
        return None if self.erased_at is None else self.erased_at + timedelta(days=ERASING_DAYS)


class MemberQuerySet(models.QuerySet["Member"]):
    """Members, and those of them who play on."""

    def active(self) -> MemberQuerySet:
        """Who may sit down: neither retired nor merged into somebody else."""
        return self.filter(merged_into=None, retired_at=None)


class Member(models.Model):
    """Somebody who plays at a table; the slug is the player id inside events and never changes."""

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
    # unknown of who was merged before that was kept
    merged_at = models.DateTimeField(null=True, blank=True)
    merged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    # whoever was this member is by now the one it was merged into
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
        """Who this member is by now."""
        found = self
        while found.merged_into is not None:
            found = found.merged_into
        return found

    def is_of(self, user: User | AnonymousUser) -> bool:
        """Whether an owner accepted that this user is this member."""
        return self.claimed_at is not None and self.user_id is not None and self.user_id == user.pk


class Spelling(models.Model):
    """Another way in which old notebooks write a member's name, as somebody said who took one over."""

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
    """Somebody put out of a table, or an invitation revoked: by it what ended then comes back, and nothing else.

    The grants that ended point to it, and so do the invitations that ended with their makers; `invite` is the one that
    was revoked, none where somebody was put out.
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
    """Invitations, and those of them that still let somebody in."""

    def standing(self) -> InviteQuerySet:
        """Neither ended, nor used up, nor past their end, and made by somebody who owns the table still."""
        makers = Grant.objects.standing().filter(
            table=models.OuterRef("table"), user=models.OuterRef("made_by"), role=Role.OWNER
        )
        open_still = self.filter(revoked_at=None, removal=None, used_at=None, expires_at__gt=now())
        return open_still.filter(models.Exists(makers))


class Invite(models.Model):
    """A link that gives a role at a table to whoever accepts it; only the hash of its token is kept.

    One that lets somebody write is used up by the first who accepts it. One that `is_spare` is its maker's own: who
    opens it on another phone goes ahead of the phone that made it. `revoked_at` says that an owner revoked it,
    `removal` that it ended with somebody who was put out.
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
    """Grants, and those of them that have not ended."""

    def standing(self) -> GrantQuerySet:
        """The grants that let somebody in now."""
        return self.filter(Q(expires_at__isnull=True) | Q(expires_at__gt=now()), removal=None)

    def owning(self) -> GrantQuerySet:
        """The grants of those who own a table now, the first owner at the front."""
        return self.standing().filter(role=Role.OWNER).order_by("ranks_from", "pk")


class Grant(models.Model):
    """What a user may do at a table, and until when.

    Owners stand in the order of `ranks_from`, which is when they came in until the table is handed over. A grant that a
    `removal` ended stays, so that undoing it brings back the same. The table stands last on the home of a user who has
    `archived` it.
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
    """Tokens of programs, and those of them that still open something."""

    def standing(self) -> TokenQuerySet:
        """Neither revoked nor past their end, and their makers let in still where they are for."""
        there = Grant.objects.standing().filter(
            user=models.OuterRef("user"), table=models.OuterRef("table"), table__erased_at=None
        )
        return self.filter(
            Q(table=None) | models.Exists(there), revoked_at=None, expires_at__gt=now(), user__is_active=True
        )

    def revoke(self) -> None:
        """Ends them; those that were revoked before stay as they are."""
        self.filter(revoked_at=None).update(revoked_at=now())


class Token(models.Model):
    """By it another program acts as its maker, in this role at most: at one table, or at all of theirs (no `table`).

    Only the hash of what the program sends is kept.
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
