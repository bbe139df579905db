"""An expense stores what each bears of it, in equal parts so far, in place of those who share it."""

from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def bear(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Store what each bears of the expenses of before. Members who were merged bear it under their own ids."""
    model: Any = apps.get_model("games", "SharedCost")
    seats_of: dict[int, list[tuple[int, str]]] = {}
    members = apps.get_model("games", "Member").objects.order_by("pk")
    for table, pk, slug in members.values_list("table", "pk", "slug"):
        seats_of.setdefault(table, []).append((pk, slug))
    for cost in model.objects.order_by("pk").iterator():
        seats = seats_of[cost.table_id]
        after = [pk for pk, _slug in seats].index(cost.payer_id) + 1
        order = [slug for _pk, slug in (*seats[after:], *seats[:after]) if slug in cost.sharers]
        part, odd = divmod(cost.amount, len(order))
        cost.borne = {slug: part + (place < odd) for place, slug in enumerate(order)}
        cost.save(update_fields=["borne"])


class Migration(migrations.Migration):
    dependencies = [("games", "0003_several_phones")]

    operations = [
        migrations.AddField("sharedcost", "borne", models.JSONField(default=dict), preserve_default=False),
        migrations.RunPython(bear, migrations.RunPython.noop),
        migrations.RemoveField("sharedcost", "sharers"),
    ]
