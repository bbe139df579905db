"""Payments that people make themselves: claimed, accepted, dated back, amended, with what became of each.

All that were recorded before were recorded when they were made, and count as they did.
"""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def fill_in(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("games", "Payment").objects.update(recorded_at=F("made_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0008_tokens_and_devices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PaymentStep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("turn", models.CharField(max_length=10)),
                ("text", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField()),
                ("amount", models.BigIntegerField(blank=True, null=True)),
                ("method", models.CharField(blank=True, max_length=10)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField(blank=True, null=True)),
                ("paid_on", models.DateField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="plan",
            name="plan_reason_is_known",
        ),
        migrations.AddField(
            model_name="payment",
            name="accepted_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="payment",
            name="claimed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="payment",
            name="paid_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="payment",
            name="recorded_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("accepted_at__isnull", True), ("claimed_at__isnull", False), _connector="OR"
                ),
                name="payment_accepted_was_claimed",
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("confirmed_at__isnull", True),
                    ("claimed_at__isnull", True),
                    ("accepted_at__isnull", False),
                    _connector="OR",
                ),
                name="payment_confirmed_is_accepted",
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("made_at__lte", models.F("recorded_at"))),
                name="payment_made_before_it_is_recorded",
            ),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(("paid_on__isnull", True), ("game__isnull", True), _connector="OR"),
                name="payment_on_the_spot_is_of_then",
            ),
        ),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "because__in",
                        [
                            "ended",
                            "corrected",
                            "reopened",
                            "discarded",
                            "restored",
                            "paid",
                            "cancelled",
                            "disputed",
                            "confirmed",
                            "accepted",
                            "upheld",
                            "amended",
                            "merged",
                            "imported",
                            "repaired",
                        ],
                    )
                ),
                name="plan_reason_is_known",
            ),
        ),
        migrations.AddField(
            model_name="paymentstep",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="payment_steps",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="paymentstep",
            name="payment",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="steps", to="games.payment"
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentstep",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("turn__in", ["accepted", "confirmed", "disputed", "upheld", "amended", "cancelled"])
                ),
                name="payment_step_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="paymentstep",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("amount__gt", 0),
                        ("made_at__isnull", False),
                        ("method__in", ["cash", "transfer", "write_off"]),
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
