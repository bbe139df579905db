"""Access of users to a table, and the links by which a phone comes in or is signed in."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.tables.models.limits import DEVICE_WORD_LENGTH, NAME_LENGTH, TOKEN_NAME_LENGTH
from games.tables.models.people import Member, Role, Table


class AccessQuerySet(models.QuerySet["Access"]):
    """A queryset of accesses with filters for valid ones."""

    def valid(self) -> AccessQuerySet:
        """Filter to accesses that are valid now: neither ended nor past `until`."""
        return self.filter(Q(until=None) | Q(until__gt=now()), ended_at=None)

    def owners(self) -> AccessQuerySet:
        """Filter to the valid accesses of owners, in the order in which they came."""
        return self.valid().filter(role=Role.OWNER).order_by("made_at", "pk")

    def confirmed(self) -> AccessQuerySet:
        """Filter to valid accesses of users who are confirmed to be a member, if only for tonight."""
        return self.valid().filter(member__isnull=False, confirmed_at__isnull=False)

    def lasting(self) -> AccessQuerySet:
        """Filter to accesses of users who are confirmed for good to be a member."""
        return self.filter(until=None, ended_at=None, member__isnull=False, confirmed_at__isnull=False)


class Access(models.Model):
    """The access of a user to a table: their `role`, and the `member` who they are there, until `until`.

    `member` is null for who only watches, or who gave the `name` of somebody who is no member yet. Until
    `confirmed_at` the user said so themselves. Who is confirmed and whose access lasts is *confirmed for
    good*: they see the accounts, pay and answer.

    `raised_by` is the owner who made this user an owner; null for who opened the table. `opened_on` is the day
    on which an owner last opened the table. `asked_at` is when this user asked to take over a table without an
    owner, and `took_over_at` when they did.

    `denied_member` or `denied_name` is who this user said to be when that was answered with a no, so that the
    answer can be taken back and the user is told. A member may be confirmed on several accesses: one person,
    several browsers.
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
        return self.ended_at is None and (self.until is None or self.until > now())

    @property
    def person(self) -> Member | None:
        """The member who this user is or says to be, after merges."""
        return self.member and self.member.current

    @property
    def denied_name_shown(self) -> str:
        """The name of who this user said to be, to which the answer was no; "" if there was none."""
        return self.denied_name if self.denied_member is None else self.denied_member.current.name

    @property
    def is_confirmed(self) -> bool:
        """True if an owner or a scorer agreed that this user is the member, if only for tonight."""
        return self.is_current and self.confirmed_at is not None

    @property
    def is_pending(self) -> bool:
        """True if the user waits for a yes to who they say they are, or got a no."""
        says = self.member is not None or bool(self.name)
        return bool(self.denied_name_shown) or (says and not self.is_confirmed)

    @property
    def is_lasting(self) -> bool:
        """True if the user is confirmed to be the member and the access lasts."""
        return self.is_confirmed and self.until is None


class LinkKind(StrEnum):
    """The kind of a link: tonight's for everybody, a personal one, or one that signs its user in."""

    TONIGHT = "tonight"
    PERSONAL = "personal"
    SIGN_IN = "sign_in"


class LinkQuerySet(models.QuerySet["Link"]):
    """A queryset of links with a filter for valid ones."""

    def valid(self) -> LinkQuerySet:
        """Filter to valid links: not used, revoked or expired."""
        return self.filter(used_at=None, revoked_at=None, expires_at__gt=now())

    def revoke(self) -> None:
        """Revoke the valid links among these."""
        self.valid().update(revoked_at=now())


class Link(models.Model):
    """A link that gives access to a table or signs a user in. Only the hash of its token is stored.

    Tonight's link lets watch, any number of times; its token is computed from the row, so that it can be shown
    again. A personal link gives its `role` once, and makes the user its `member` if it has one. A sign-in link
    signs its `user` in once. `made_by` is null if the operator made it.
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
    """A phone or other browser on which a user is signed in: one session.

    Of the `User-Agent` header, only the names of the browser and the system are stored. A name is "" if the
    header does not tell it.
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
    """A queryset of API tokens with a filter for valid ones."""

    def valid(self) -> TokenQuerySet:
        """Filter to valid tokens: not revoked or expired, and made by an active user.

        For a token that is limited to one table, the maker must still have access to that table.
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
