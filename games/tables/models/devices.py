"""The devices on which users are signed in."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from games.tables.models.limits import DEVICE_WORD_LENGTH


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
