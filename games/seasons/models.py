"""The seasons of a table."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.tables.models.limits import ORDER_LENGTH, SEASON_NAME_LENGTH
from games.tables.models.people import Table


class SeasonOrder(models.TextChoices):
    """The order of a season's standings (tabla).

    If nobody chose one, they are ordered by money if somebody won or lost any, otherwise by wins.
    """

    WINS = "wins"
    POINTS = "points"
    AVERAGE = "average"
    MONEY = "money"


class Season(models.Model):
    """A season (temporada) of a table: a name and a first night. It ends where the next one begins."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=SEASON_NAME_LENGTH)
    starts_on = models.DateField()
    # a SeasonOrder; "" if nobody chose one
    order = models.CharField(max_length=ORDER_LENGTH, blank=True, default="", db_default="")

    class Meta:
        ordering = ["starts_on", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "starts_on"], name="season_one_a_first_night"),
            models.CheckConstraint(
                condition=Q(order__in=["", *SeasonOrder.values]), name="season_known_order"
            ),
        ]

    def __str__(self) -> str:
        return self.name
