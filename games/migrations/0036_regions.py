"""A table has a region: numbers, money and days are written there as people write them in it.

It is empty at older tables, where the reader's language decides as before.
"""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0035_scopes")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="region",
            field=models.CharField(blank=True, db_default="", default="", max_length=8),
        ),
    ]
