"""Links that sign in a user who lost the password, or who opens the app on the home screen of a device."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.models.devices import Device


class SignInLink(models.Model):
    """A single-use link that signs its user in. Only the hash of the link's token is stored.

    A user has at most one link for a lost password, from the operator, and at most one from each
    `device` for the app on that device's home screen. A newer link of the same kind replaces an older
    one. A device's link ends with the device's session.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    device = models.OneToOneField(
        Device, on_delete=models.CASCADE, null=True, blank=True, related_name="sign_in_link"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("made_at")), name="sign_in_link_ends_after_it_is_made"
            ),
            models.UniqueConstraint(
                fields=["user"], condition=Q(device=None), name="one_sign_in_link_for_a_password"
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)
