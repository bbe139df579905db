"""Balances that come from another table, or go to it: one more way in which a payment came about."""

from __future__ import annotations

from django.db import migrations, models

METHODS = ["cash", "transfer", "write_off", "opening"]


class Migration(migrations.Migration):
    dependencies = [("games", "0016_season_order")]

    operations = [
        migrations.RemoveConstraint(model_name="payment", name="payment_method_is_known"),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("method__in", METHODS)), name="payment_method_is_known"
            ),
        ),
        migrations.RemoveConstraint(model_name="paymentstep", name="payment_step_amended_keeps_what_it_said"),
        migrations.AddConstraint(
            model_name="paymentstep",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("amount__gt", 0),
                        ("made_at__isnull", False),
                        ("method__in", METHODS),
                        ("turn", "amended"),
                    ),
                    models.Q(
                        models.Q(("turn", "amended"), _negated=True),
                        ("amount__isnull", True),
                        ("made_at__isnull", True),
                        ("method", ""),
                        ("note", ""),
                        ("paid_on__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="payment_step_amended_keeps_what_it_said",
            ),
        ),
    ]
