"""Finds who signs in by the name in small letters without reading every user's."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0011_payments_of_nights"),
    ]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX games_folded_name ON auth_user (LOWER(username))",
            "DROP INDEX games_folded_name",
        ),
    ]
