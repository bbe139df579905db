from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=games.models.new_code, editable=False, max_length=16, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("unit", models.CharField(default="$", max_length=12)),
                ("decimals", models.PositiveSmallIntegerField(default=0)),
                ("language", models.CharField(max_length=12)),
                ("timezone", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("erased_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="table_is_named"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("unit", ""), _negated=True), name="table_has_a_unit"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("decimals__gte", 0), ("decimals__lte", 3)),
                        name="table_decimals_up_to_three",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("starts_on", models.DateField()),
                ("ends_on", models.DateField(blank=True, null=True)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seasons", to="games.table"
                    ),
                ),
            ],
            options={
                "ordering": ["starts_on", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.CharField(max_length=40)),
                ("name", models.CharField(max_length=20)),
                ("colour", models.PositiveSmallIntegerField()),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="merged",
                        to="games.member",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="members",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="members", to="games.table"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Grant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("role", models.CharField(max_length=10)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="grants",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grants", to="games.table"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=games.models.new_code, editable=False, max_length=16, unique=True
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("discarded_at", models.DateTimeField(blank=True, null=True)),
                ("variant", models.CharField(max_length=32)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="games", to="games.season"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="games", to="games.table"
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Record",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=40)),
                ("data", models.JSONField()),
                ("key", models.CharField(blank=True, max_length=64, null=True)),
                ("recorded_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="records", to="games.game"
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="records",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="record_number_once_a_game"),
                    models.UniqueConstraint(fields=("game", "key"), name="record_key_once_a_game"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="record_numbers_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("key__isnull", True), models.Q(("key", ""), _negated=True), _connector="OR"
                        ),
                        name="record_key_not_blank",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Result",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("points", models.PositiveSmallIntegerField()),
                ("net", models.BigIntegerField()),
                ("won", models.BooleanField()),
                ("reentries", models.PositiveSmallIntegerField()),
                ("rounds_won", models.PositiveSmallIntegerField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="results", to="games.game"
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="results", to="games.member"
                    ),
                ),
            ],
            options={
                "ordering": ["game", "place", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "member"), name="result_once_a_member"),
                    models.CheckConstraint(
                        condition=models.Q(("place__isnull", True), ("place__gte", 1), _connector="OR"),
                        name="result_places_from_one",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("won", False), ("place", 1), _connector="OR"),
                        name="result_winners_are_first",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ends_on__isnull", True)),
                fields=("table",),
                name="season_one_open_a_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True), ("ends_on__gte", models.F("starts_on")), _connector="OR"
                ),
                name="season_ends_after_it_starts",
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.UniqueConstraint(fields=("table", "slug"), name="member_slug_once_a_table"),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(("slug__in", ["", "nobody"]), _negated=True),
                name="member_slug_is_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="member_is_named"
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(("colour__gte", 1), ("colour__lte", 8)), name="member_colour_one_to_eight"
            ),
        ),
        migrations.AddConstraint(
            model_name="member",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("merged_into__isnull", True),
                    models.Q(("merged_into", models.F("pk")), _negated=True),
                    _connector="OR",
                ),
                name="member_not_merged_into_self",
            ),
        ),
        migrations.AddConstraint(
            model_name="grant",
            constraint=models.UniqueConstraint(fields=("user", "table"), name="grant_once_a_user_and_table"),
        ),
        migrations.AddConstraint(
            model_name="grant",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["owner", "scorer", "witness"])), name="grant_role_is_known"
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["table", "-started_at"], name="game_by_table_and_start"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.UniqueConstraint(fields=("table", "key"), name="game_key_once_a_table"),
        ),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(("key", ""), _negated=True), name="game_has_a_key"
            ),
        ),
    ]
