"""Events and payments have the moment at which the site got them; None for those of before."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0017_opening_balances")]

    operations = [
        migrations.AddField(
            model_name=name, name="arrived_at", field=models.DateTimeField(blank=True, null=True)
        )
        for name in ("record", "payment")
    ]
