"""Payments that were ticked off on the page that settles a night name it; a table chooses how it settles."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0025_confirmed_at")]

    operations = [
        migrations.AddField(
            model_name="payment", name="night", field=models.DateField(blank=True, null=True)
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=Q(night__isnull=True) | Q(game__isnull=True), name="payment_of_night_or_game"
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="settles_before",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
