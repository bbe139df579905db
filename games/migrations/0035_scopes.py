"""A token may be limited further than by its role: it may not read the money, or not record."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0034_trials")]

    operations = [
        migrations.AddField(
            model_name="token",
            name="reads_money",
            field=models.BooleanField(db_default=True, default=True),
        ),
        migrations.AddField(
            model_name="token",
            name="records",
            field=models.BooleanField(db_default=True, default=True),
        ),
    ]
