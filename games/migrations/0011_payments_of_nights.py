"""What was paid for a night of an old notebook goes and comes back with it, and says so."""

from __future__ import annotations

from django.db import migrations, models

TURNS = ["accepted", "confirmed", "disputed", "upheld", "amended", "cancelled", "discarded", "restored"]


class Migration(migrations.Migration):
    dependencies = [("games", "0010_archived_and_erased")]

    operations = [
        migrations.RemoveConstraint(model_name="paymentstep", name="payment_step_is_known"),
        migrations.AddConstraint(
            model_name="paymentstep",
            constraint=models.CheckConstraint(
                condition=models.Q(("turn__in", TURNS)), name="payment_step_is_known"
            ),
        ),
    ]
