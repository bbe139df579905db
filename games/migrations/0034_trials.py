"""A table made for trying the API ends after an hour."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0033_quick_keys")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="ends_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
