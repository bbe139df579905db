"""A table keeps the time zones that it had before, so that earlier nights keep their hours."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0028_faces")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="earlier_zones",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]
