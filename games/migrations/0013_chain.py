"""The chain beside what was recorded: a link for every event, payment and step there is, made from what they say now."""

from __future__ import annotations

from itertools import groupby

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.chain import UNLINKED, link, payment_hashes

AT_ONCE = 1000  # rows held at a time


def link_events(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    records, links = (apps.get_model("games", name) for name in ("Record", "EventLink"))
    rows, last, before = [], None, UNLINKED
    found = records.objects.order_by("game_id", "number").values_list("game", "number", "kind", "data")
    for game, number, kind, data in found.iterator(AT_ONCE):
        before = link(before if game == last else UNLINKED, number, kind, data)
        last = game
        rows.append(links(game_id=game, number=number, hash=before))
        if len(rows) == AT_ONCE:
            links.objects.bulk_create(rows)
            rows = []
    links.objects.bulk_create(rows)


def link_payments(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    events, payments, links = (
        apps.get_model("games", name) for name in ("EventLink", "Payment", "PaymentLink")
    )
    first = events.objects.filter(game=models.OuterRef("game"), number=1).values("hash")
    found = payments.objects.select_related("payer", "payee").prefetch_related(
        models.Prefetch("steps", apps.get_model("games", "PaymentStep").objects.order_by("pk"))
    )
    found = found.annotate(first=models.Subquery(first)).order_by("table_id", "pk")
    for table, paid in groupby(found.iterator(AT_ONCE), key=lambda payment: payment.table_id):
        before = UNLINKED
        for payment in paid:
            steps = list(payment.steps.all())
            hashes = list(payment_hashes(payment, steps, payment.first, before=before))
            links.objects.bulk_create(
                links(table_id=table, payment=payment, number=number, hash=one)
                for number, one in enumerate(hashes)
            )
            before = hashes[0]


class Migration(migrations.Migration):
    dependencies = [("games", "0012_folded_names")]

    operations = [
        migrations.CreateModel(
            name="EventLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("hash", models.CharField(max_length=64)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="links",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="event_link_once_an_event"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="event_links_from_one"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PaymentLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("hash", models.CharField(max_length=64)),
                (
                    "payment",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="links",
                        to="games.payment",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="payment_links",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "ordering": ["payment_id", "number"],
                "indexes": [
                    models.Index(fields=["table", "number", "payment"], name="payment_link_by_table")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("payment", "number"), name="payment_link_once_a_step"),
                ],
            },
        ),
        migrations.RunPython(link_events, migrations.RunPython.noop),
        migrations.RunPython(link_payments, migrations.RunPython.noop),
    ]
