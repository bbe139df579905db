"""Links that sign in: made by a user for another phone of theirs, or by the operator for a lost password."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now


class SignInLink(models.Model):
    """A single-use link that signs its user in. Only the hash of the link's token is stored.

    A user has at most one: a newer one takes its place. With `is_operators`, the operator made it, and the
    phone that opens it may set a new password without the old one.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_link"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    is_operators = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="sign_in_link_ends_after_it_is_made"
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)
