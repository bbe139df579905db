"""Tonight's invitation, the names of newcomers, and the pen that a witness has for one night."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0029_time_zones"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="grant",
            name="records_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="invite",
            name="night",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("night", None),
                    models.Q(("is_spare", False), ("member", None), ("role", "witness")),
                    _connector="OR",
                ),
                name="invite_for_a_night_lets_watch",
            ),
        ),
        migrations.CreateModel(
            name="Newcomer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=20)),
                ("night", models.DateField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="newcomers",
                        to="games.table",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="newcomers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "user", "night"), name="newcomer_once_a_user_and_night"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="newcomer_is_named"
                    ),
                ],
            },
        ),
    ]
