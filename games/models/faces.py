"""Faces (which member a user says they are, for one night), and the names that newcomers give."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.models.limits import NAME_LENGTH
from games.models.people import Member, Table


class Face(models.Model):
    """A face (cara): the member whom a user says they are, for one night of a table.

    Unlike a claim, a face gives no access. Several users may tap the same face until an owner or a scorer
    agrees to one of them (`agreed_at`). A user may send the hands of the tapped member until the night ends.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="faces")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="faces")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="faces")
    night = models.DateField()
    tapped_at = models.DateTimeField(default=now)
    agreed_at = models.DateTimeField(null=True, blank=True)
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "user", "night"], name="face_once_a_user_and_night"),
            models.CheckConstraint(
                condition=Q(agreed_at=None, agreed_by=None)
                | Q(agreed_at__isnull=False, agreed_by__isnull=False),
                name="face_agreed_says_by_whom",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.member}"


class Newcomer(models.Model):
    """A user who accepted an invitation for one night and is no member yet, with the name that they gave.

    An owner adds them as a member, or refuses them. Until then the user only watches.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="newcomers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="newcomers")
    name = models.CharField(max_length=NAME_LENGTH)
    night = models.DateField()
    made_at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "user", "night"], name="newcomer_once_a_user_and_night"),
            models.CheckConstraint(condition=~Q(name=""), name="newcomer_is_named"),
        ]

    def __str__(self) -> str:
        return self.name
