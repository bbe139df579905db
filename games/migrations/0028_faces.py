"""The faces that users tap for one night of a table."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0027_shared_costs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Face",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("night", models.DateField()),
                ("tapped_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("agreed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "agreed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="faces", to="games.member"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="faces", to="games.table"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="faces",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("table", "user", "night"), name="face_once_a_user_and_night"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("agreed_at", None), ("agreed_by", None)),
                            models.Q(("agreed_at__isnull", False), ("agreed_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="face_agreed_says_by_whom",
                    ),
                ],
            },
        ),
    ]
