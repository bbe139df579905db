"""The moment at which an e-mail address was confirmed."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0024_operators")]

    operations = [
        migrations.AddField(
            model_name="address",
            name="confirmed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
