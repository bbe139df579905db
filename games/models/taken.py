"""The idempotency keys of facts (entries that a phone sent later) whose own rows have no column for a key."""

from __future__ import annotations

from django.db import models

from games.models.limits import KEY_LENGTH
from games.models.people import Table


class TakenFact(models.Model):
    """The idempotency key of a fact (an entry that a phone sent later) that was recorded at this table.

    Only facts about new tables, steps of payments and discarded or restored games need it. Events, games and
    payments have a key in their own row.
    """

    # no index of its own: the unique constraint below serves as one
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="taken_facts", db_index=False)
    key = models.CharField(max_length=KEY_LENGTH)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="taken_fact_once_a_table"),
        ]

    def __str__(self) -> str:
        return self.key
