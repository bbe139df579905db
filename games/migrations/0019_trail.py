"""The audit trail of each table, which begins with what the table has now. Payment details get a salt."""

from __future__ import annotations

from functools import partial

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games import trail

AT_ONCE = 1000  # rows held at a time


def salt_accounts(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    members = apps.get_model("games", "Member").objects
    for member in members.exclude(account="").only("account").iterator(AT_ONCE):
        members.filter(pk=member.pk).update(account_salt=trail.new_salt(member.account))


def begin_trails(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    model = partial(apps.get_model, "games")
    for table in model("Table").objects.order_by("pk"):
        for entry in trail.entries(table, trail.whole(table, model), of=model("TrailEntry")):
            entry.save(force_insert=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0018_arrivals")]

    operations = [
        migrations.AddField(
            model_name="member",
            name="account_salt",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
        migrations.CreateModel(
            name="TrailEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("data", models.TextField()),
                ("hash", models.CharField(max_length=64)),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trail",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "number"), name="trail_number_once_a_table")
                ],
            },
        ),
        migrations.RunPython(salt_accounts, migrations.RunPython.noop),
        migrations.RunPython(begin_trails, migrations.RunPython.noop),
    ]
