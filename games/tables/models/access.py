"""Accesses of users to tables, the links that admit or sign in a phone, devices, and API tokens.

An access is of one user to one table. Its `member` is the person at the table who the user claims to be, and
`confirmed_at` is set once somebody has confirmed that. A user who gave a `name` that no member has yet, or
who only watches, has no `member`. A user is *confirmed for good* if the access is confirmed and has no
`until`: they can see the accounts, pay, and answer payments. A member may be confirmed on several accesses:
one person, several browsers.

A claim that was denied is kept as `denied_member` or `denied_name`, so that it can be shown and undone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.tables.models.limits import DEVICE_WORD_LENGTH, ERASING_DAYS, NAME_LENGTH, TOKEN_NAME_LENGTH
from games.tables.models.people import Member, Role, Table


class AccessQuerySet(models.QuerySet["Access"]):
    def valid(self) -> AccessQuerySet:
        return self.filter(Q(until=None) | Q(until__gt=now()), ended_at=None, suspended_at=None)

    def owners(self) -> AccessQuerySet:
        """Filter to the valid accesses of owners, oldest first."""
        return self.valid().filter(role=Role.OWNER).order_by("made_at", "pk")

    def confirmed(self) -> AccessQuerySet:
        """Filter to valid accesses of users who are confirmed to be a member, if only for tonight."""
        return self.valid().filter(member__isnull=False, confirmed_at__isnull=False)

    def lasting(self) -> AccessQuerySet:
        """Filter to accesses of users who are confirmed for good to be a member."""
        return self.filter(
            until=None, ended_at=None, suspended_at=None, member__isnull=False, confirmed_at__isnull=False
        )


class Access(models.Model):
    """The access of a user to a table: their `role`, and the `member` that they claim or are confirmed to be.

    `raised_by` is the owner who made this user an owner; null for the founder. `opened_on` is the last day an
    owner opened the table. `asked_at` is when this user requested to take over a table without an owner, and
    `took_over_at` when they did. `suspended_at` is set while the user's account is erased and can be restored.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="accesses")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="accesses")
    role = models.CharField(max_length=10)
    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, null=True, blank=True, related_name="accesses"
    )
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    made_at = models.DateTimeField(default=now)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    raised_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    denied_member = models.ForeignKey(
        Member, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    denied_name = models.CharField(max_length=NAME_LENGTH, blank=True)
    opened_on = models.DateField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    took_over_at = models.DateTimeField(null=True, blank=True)
    suspended_at = models.DateTimeField(null=True, blank=True)

    objects = AccessQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "table"], name="access_once_a_user_and_table"),
            models.CheckConstraint(
                condition=Q(role__in=[str(role) for role in Role]), name="access_role_is_known"
            ),
            models.CheckConstraint(condition=Q(member=None) | Q(name=""), name="access_name_is_of_no_member"),
            models.CheckConstraint(
                condition=Q(confirmed_at=None) | Q(member__isnull=False), name="access_confirms_a_member"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"

    @property
    def is_current(self) -> bool:
        is_open = self.ended_at is None and self.suspended_at is None
        return is_open and (self.until is None or self.until > now())

    @property
    def person(self) -> Member | None:
        """The member that this user is or claims to be, after merges."""
        return self.member and self.member.current

    @property
    def denied_name_shown(self) -> str:
        """The name in the user's denied claim; "" if none was denied."""
        return self.denied_name if self.denied_member is None else self.denied_member.current.name

    @property
    def is_confirmed(self) -> bool:
        """True if an owner or scorer has confirmed that this user is the member, if only for tonight."""
        return self.is_current and self.confirmed_at is not None

    @property
    def is_pending(self) -> bool:
        """True if the user's claim is unconfirmed or was denied."""
        says = self.member_id is not None or bool(self.name)
        return bool(self.denied_name_shown) or (says and not self.is_confirmed)

    @property
    def is_lasting(self) -> bool:
        """True if the member is confirmed and the access has no end."""
        return self.is_confirmed and self.until is None

    @cached_property
    def has_pen(self) -> bool:
        """True if the user has the table's pen. It is set to False on the access of a program."""
        return self.table.pens.filter(user=self.user_id).find_valid() is not None


class AccountErasure(models.Model):
    """A user whom the site's operator erased, and who can be restored until `restorable_until`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="erasure")
    erased_at = models.DateTimeField(default=now)
    was_blocked = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user}: erased"

    @property
    def restorable_until(self) -> datetime:
        return self.erased_at + timedelta(days=ERASING_DAYS)


class Vouch(models.Model):
    """A user's word that the owner whom an access claims to be has a new phone, which is this one."""

    access = models.ForeignKey(Access, on_delete=models.CASCADE, related_name="vouches")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vouches")
    given_at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["access", "user"], name="vouch_once_an_access_and_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.access}"


class LinkKind(StrEnum):
    """The kind of a link: tonight's for everybody, a personal one, or one that signs its user in."""

    TONIGHT = "tonight"
    PERSONAL = "personal"
    SIGN_IN = "sign_in"


class LinkQuerySet(models.QuerySet["Link"]):
    def valid(self) -> LinkQuerySet:
        return self.filter(used_at=None, revoked_at=None, expires_at__gt=now())

    def revoke(self) -> None:
        """Revoke the valid links among these."""
        self.valid().update(revoked_at=now())


class Link(models.Model):
    """A link that gives access to a table or signs a user in. Only the hash of its token is stored.

    Tonight's link lets people watch, any number of times; its token is computed from the row, so that it can
    be shown again. A personal link grants its `role` once, and makes the user its `member` if it has one. A
    sign-in link signs its `user` in once. `made_by` is null if the operator created it.
    """

    kind = models.CharField(max_length=10)
    token_hash = models.CharField(max_length=64, unique=True)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="links")
    role = models.CharField(max_length=10, blank=True)
    member = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, blank=True, related_name="links")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="sign_in_links",
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="links"
    )
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = LinkQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind=str(LinkKind.SIGN_IN), user__isnull=False, table=None, member=None, role="")
                | Q(
                    kind=str(LinkKind.TONIGHT),
                    user=None,
                    table__isnull=False,
                    member=None,
                    role=str(Role.WITNESS),
                )
                | Q(
                    kind=str(LinkKind.PERSONAL),
                    user=None,
                    table__isnull=False,
                    role__in=[str(role) for role in Role],
                ),
                name="link_has_what_its_kind_has",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="link_ends_after_it_is_made"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.table or self.user}"

    @property
    def is_current(self) -> bool:
        return self.used_at is None and self.revoked_at is None and self.expires_at > now()


# --- the devices on which users are signed in -------------------------------------------------------------------------


class Device(models.Model):
    """A phone or other browser where a user is signed in: one session.

    Only the names of the browser and the system are stored from the `User-Agent` header; "" for an unknown
    one.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices")
    session_key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=DEVICE_WORD_LENGTH, blank=True)
    system = models.CharField(max_length=DEVICE_WORD_LENGTH, blank=True)
    since = models.DateTimeField(default=now)
    seen_on = models.DateField()

    class Meta:
        ordering = ["-seen_on", "-since", "-pk"]

    def __str__(self) -> str:
        return f"{self.browser} {self.system}"


# --- tokens of programs, which act as the user who made them ----------------------------------------------------------


class TokenQuerySet(models.QuerySet["Token"]):
    def valid(self) -> TokenQuerySet:
        """Filter to valid tokens: not revoked or expired, and of an active user.

        If a token is limited to one table, the user must still have access to that table.
        """
        there = Access.objects.valid().filter(
            user=models.OuterRef("user"), table=models.OuterRef("table"), table__erased_at=None
        )
        return self.filter(
            Q(table=None) | models.Exists(there),
            revoked_at=None,
            expires_at__gt=now(),
            user__is_active=True,
        )

    def revoke(self) -> None:
        """Revoke these tokens. A token that was revoked before keeps its `revoked_at`."""
        self.filter(revoked_at=None).update(revoked_at=now())


class Token(models.Model):
    """An API token: a program that sends it acts as the token's maker; with `reads_only`, it records nothing.

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
