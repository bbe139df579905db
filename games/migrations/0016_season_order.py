"""What the table of a season is sorted by, where its owners chose."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0015_late_closings")]

    operations = [
        migrations.AddField(
            "season",
            "order",
            models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
        migrations.AddConstraint(
            "season",
            models.CheckConstraint(
                condition=models.Q(order__in=["", "wins", "points", "average", "money"]),
                name="season_known_order",
            ),
        ),
    ]
