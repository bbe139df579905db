"""The unsent changes of phones that leave no key of their own among the rows that they change."""

from __future__ import annotations

from django.db import models

from games.models.limits import KEY_LENGTH
from games.models.people import Table


class TakenFact(models.Model):
    """The key of a fact (an unsent change of a phone) that was recorded at this table.

    Only new tables, steps of payments and discarded or restored games need it. Entries, games and payments have
    their own key in their row.
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
