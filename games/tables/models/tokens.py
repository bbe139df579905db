"""Tokens of programs, which act as the user who made them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.tables.models.access import Access
from games.tables.models.limits import TOKEN_NAME_LENGTH
from games.tables.models.people import Table


class TokenQuerySet(models.QuerySet["Token"]):
    """A queryset of API tokens with a filter for valid ones."""

    def standing(self) -> TokenQuerySet:
        """Filter to valid tokens: not revoked or expired, and made by an active user.

        For a token that is limited to one table, the maker must still have access to that table.
        """
        there = Access.objects.standing().filter(
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
