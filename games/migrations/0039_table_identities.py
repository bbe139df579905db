"""A table has an identity, which its file carries: a copy of the table elsewhere has the same one."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

from games.models.limits import new_identity


def name_tables(apps: Any, _schema: Any) -> None:
    """Give each table that is there an identity."""
    table = apps.get_model("games", "Table")
    for pk in table.objects.order_by("pk").values_list("pk", flat=True):
        table.objects.filter(pk=pk, identity="").update(identity=new_identity())


class Migration(migrations.Migration):
    dependencies = [("games", "0038_taken_facts")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="identity",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=26),
        ),
        migrations.RunPython(name_tables, migrations.RunPython.noop),
    ]
