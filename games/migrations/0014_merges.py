"""Two members of a table who are one: since when, by whom, what ceased to count, and how else a name is written."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TURNS = [
    *("accepted", "confirmed", "disputed", "upheld", "amended", "cancelled", "discarded", "restored"),
    *("merged", "parted"),
]
REASONS = [
    *("ended", "corrected", "reopened", "discarded", "restored", "paid", "cancelled", "disputed"),
    *("confirmed", "accepted", "upheld", "amended", "merged", "parted", "imported", "repaired"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0013_chain"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="member", name="merged_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="member",
            name="merged_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(model_name="member", name="gave_claim", field=models.BooleanField(default=False)),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("merged_into__isnull", False),
                    models.Q(("gave_claim", False), ("merged_at__isnull", True), ("merged_by__isnull", True)),
                    _connector="OR",
                ),
                name="member_merged_says_when",
            ),
        ),
        migrations.RemoveConstraint(
            model_name="payment", name="payment_confirmed_is_neither_disputed_nor_cancelled"
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("confirmed_at__isnull", True), ("disputed_at__isnull", True), _connector="OR"
                ),
                name="payment_confirmed_is_not_disputed",
            ),
        ),
        migrations.RemoveConstraint(model_name="paymentstep", name="payment_step_is_known"),
        migrations.AddConstraint(
            model_name="paymentstep",
            constraint=models.CheckConstraint(
                condition=models.Q(("turn__in", TURNS)), name="payment_step_is_known"
            ),
        ),
        migrations.RemoveConstraint(model_name="plan", name="plan_reason_is_known"),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(("because__in", REASONS)), name="plan_reason_is_known"
            ),
        ),
        migrations.CreateModel(
            name="Spelling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("written", models.CharField(max_length=20)),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="spellings",
                        to="games.member",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="spellings",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "written"), name="spelling_once_a_table"),
                    models.CheckConstraint(
                        condition=models.Q(("written", ""), _negated=True), name="spelling_is_written"
                    ),
                ],
            },
        ),
    ]
