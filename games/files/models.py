"""Arrivals: records of imports into an existing table, from a file or a notebook."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.tables.models.people import Table

FILE_LENGTH = 80


class Arrival(models.Model):
    """Games, payments and expenses that were imported into a table at one moment.

    The imported rows have this moment as their `arrived_at`, so that they can be reverted together, at
    `ended_at`. `file` is the name of the file, if one was sent. `user` and `ended_by` become null when an
    account is deleted.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="arrivals")
    at = models.DateTimeField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="arrivals"
    )
    file = models.CharField(max_length=FILE_LENGTH, blank=True)
    games = models.PositiveIntegerField()
    payments = models.PositiveIntegerField()
    expenses = models.PositiveIntegerField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-at"]
        constraints = [models.UniqueConstraint(fields=["table", "at"], name="arrival_once_a_moment")]

    def __str__(self) -> str:
        return f"{self.table}, {self.at}: {self.file}"
