"""Hands that players send from their phones, and the source of each recorded hand."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0030_tonights_invitation"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="HandSource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("player", models.CharField(max_length=40)),
                ("is_changed", models.BooleanField()),
                (
                    "brought_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="brought_hands",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hand_sources",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "ordering": ["number", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "number", "player"), name="hand_source_once_a_hand"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 2)), name="hand_source_never_of_the_start"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("player", ""), _negated=True),
                        name="hand_source_of_somebodys_hand",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Offer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("player", models.CharField(max_length=40)),
                ("round_number", models.PositiveIntegerField()),
                ("after", models.PositiveIntegerField()),
                ("closing", models.CharField(blank=True, max_length=64)),
                ("hand", models.CharField(blank=True, max_length=500)),
                ("offered_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="offers", to="games.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="offers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "player", "user"), name="offer_once_a_player_and_user"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("closing", ""), ("hand", ""), _negated=True),
                        name="offer_has_a_hand_or_closing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("player", ""), _negated=True), name="offer_of_somebody"
                    ),
                ],
            },
        ),
    ]
