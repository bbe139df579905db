"""An expense stores what each bears in place of who shares it, and what is brought into a table is listed."""

from typing import Any

from django.conf import settings
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


def a_user(related_name: str) -> Any:
    """Return a field for a user who may be let go of."""
    user = settings.AUTH_USER_MODEL
    return models.ForeignKey(user, models.PROTECT, null=True, blank=True, related_name=related_name)


ONCE = models.UniqueConstraint(fields=("table", "at"), name="arrival_once_a_moment")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_several_phones"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("sharedcost", "borne", models.JSONField(default=dict), preserve_default=False),
        migrations.RunPython(bear, migrations.RunPython.noop),
        migrations.RemoveField("sharedcost", "sharers"),
        migrations.CreateModel(
            "Arrival",
            [
                ("id", models.BigAutoField("ID", auto_created=True, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("file", models.CharField(blank=True, max_length=80)),
                ("games", models.PositiveIntegerField()),
                ("payments", models.PositiveIntegerField()),
                ("expenses", models.PositiveIntegerField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                ("ended_by", a_user("+")),
                ("table", models.ForeignKey("games.table", models.PROTECT, related_name="arrivals")),
                ("user", a_user("arrivals")),
            ],
            options={"ordering": ["-at"], "constraints": [ONCE]},
        ),
    ]
