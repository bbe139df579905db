"""E-mail addresses of accounts, outgoing mails, and sign-in links sent by mail."""

from __future__ import annotations

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0021_new_phones"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="signinlink",
            name="is_mailed",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name="Address",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("confirmed", models.CharField(blank=True, max_length=254)),
                ("pending", models.CharField(blank=True, max_length=254)),
                ("token_hash", models.CharField(blank=True, max_length=64)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_address",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("confirmed"),
                        condition=models.Q(("confirmed", ""), _negated=True),
                        name="address_confirmed_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("token_hash", ""), _negated=True),
                        fields=("token_hash",),
                        name="address_token_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Mail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=10)),
                ("address", models.CharField(max_length=254)),
                ("language", models.CharField(max_length=12)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["due_at", "pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["confirm", "reset", "replaced", "removed"])),
                        name="mail_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "reset"), ("user", None)),
                            models.Q(
                                models.Q(("kind", "reset"), _negated=True),
                                models.Q(("user", None), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="mail_is_of_somebody_unless_a_reset",
                    ),
                ],
            },
        ),
    ]
