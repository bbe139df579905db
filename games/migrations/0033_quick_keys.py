"""A table chooses the quick keys of its games of points."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0031_hands")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="quick_keys",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]
