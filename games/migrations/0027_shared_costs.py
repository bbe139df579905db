"""Shared costs of nights: their shares, their history, the links of their hash chain, and plans made because of them."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

REASONS = [
    *("ended", "corrected", "reopened", "discarded", "restored", "paid", "cancelled", "disputed"),
    *("confirmed", "accepted", "upheld", "amended", "merged", "parted", "imported", "repaired"),
    *("shared", "reshared", "unshared"),
]


def an_id() -> models.BigAutoField[int, int]:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0026_settled_nights"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SharedCost",
            fields=[
                ("id", an_id()),
                ("night", models.DateField()),
                ("amount", models.BigIntegerField()),
                ("sharers", models.JSONField()),
                ("note", models.CharField(blank=True, max_length=200)),
                ("key", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
                ("recorded_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("arrived_at", models.DateTimeField(blank=True, null=True)),
                ("cancelled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "cancelled_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "payer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="costs_paid",
                        to="games.member",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="costs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="costs", to="games.table"
                    ),
                ),
            ],
            options={
                "ordering": ["-made_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "key"), name="cost_key_once_a_table"),
                    models.UniqueConstraint(
                        condition=models.Q(("cancelled_at", None)),
                        fields=("table", "night"),
                        name="cost_once_a_night",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gt", 0)), name="cost_is_of_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("key", ""), _negated=True), name="cost_has_a_key"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("made_at__lte", models.F("recorded_at"))),
                        name="cost_made_before_it_is_recorded",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CostShare",
            fields=[
                ("id", an_id()),
                ("net", models.BigIntegerField()),
                (
                    "cost",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shares",
                        to="games.sharedcost",
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cost_shares",
                        to="games.member",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("cost", "member"), name="cost_share_once_a_member")
                ],
            },
        ),
        migrations.CreateModel(
            name="CostStep",
            fields=[
                ("id", an_id()),
                ("turn", models.CharField(max_length=10)),
                ("text", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField()),
                ("amount", models.BigIntegerField(blank=True, null=True)),
                ("sharers", models.JSONField(blank=True, null=True)),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cost_steps",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "cost",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="steps",
                        to="games.sharedcost",
                    ),
                ),
                (
                    "payer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.member",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("amount__isnull", True),
                                ("note", ""),
                                ("payer__isnull", True),
                                ("sharers__isnull", True),
                                ("turn", "cancelled"),
                            ),
                            models.Q(
                                ("amount__gt", 0),
                                ("payer__isnull", False),
                                ("sharers__isnull", False),
                                ("turn", "amended"),
                            ),
                            _connector="OR",
                        ),
                        name="cost_step_amended_keeps_what_it_said",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CostLink",
            fields=[
                ("id", an_id()),
                ("number", models.PositiveIntegerField()),
                ("hash", models.CharField(max_length=64)),
                (
                    "cost",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="links",
                        to="games.sharedcost",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cost_links",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "ordering": ["cost_id", "number"],
                "indexes": [
                    models.Index(fields=["table", "number", "cost"], name="cost_link_by_table"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("cost", "number"), name="cost_link_once_a_step")
                ],
            },
        ),
        migrations.AddField(
            model_name="change",
            name="cost",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="games.sharedcost",
            ),
        ),
        migrations.AddField(
            model_name="plan",
            name="cost",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="plans",
                to="games.sharedcost",
            ),
        ),
        migrations.RemoveConstraint(model_name="plan", name="plan_reason_is_known"),
        migrations.AddConstraint(
            model_name="plan",
            constraint=models.CheckConstraint(
                condition=models.Q(("because__in", REASONS)), name="plan_reason_is_known"
            ),
        ),
    ]
