"""Members whom an owner had accepted get access without an end; those whom its end had locked out come back."""

from __future__ import annotations

from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Exists, OuterRef, Q
from django.utils.timezone import now

from games import trail
from games.chain import UNLINKED


def keep_members(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Remove the end of the grants of confirmed members. Mark the grants that had expired.

    Those stay ended if the table is erased, the user is inactive, or the invitation was revoked or ended by
    a removal. The tokens that had ended with a grant stay ended too.
    """
    members = apps.get_model("games", "Member").objects.filter(
        table=OuterRef("table"), user=OuterRef("user"), claimed_at__isnull=False, merged_into=None
    )
    at = now()
    is_open = Q(expires_at__gt=at) | Q(invite__revoked_at=None, invite__removal=None)
    grants = apps.get_model("games", "Grant").objects.filter(Exists(members), is_open, removal=None)
    grants = grants.filter(expires_at__isnull=False, user__is_active=True, table__erased_at=None)
    tokens = apps.get_model("games", "Token").objects.filter(revoked_at=None)
    of_table: dict[int, list[Any]] = {}
    for grant in list[Any](grants.order_by("table", "pk")):
        if grant.expires_at <= at:
            grant.returned_at = at
            tokens.filter(table=grant.table_id, user=grant.user_id).update(revoked_at=at)
        grant.expires_at = None
        grant.save(update_fields=["expires_at", "returned_at"])
        of_table.setdefault(grant.table_id, []).append(grant)
    for table, changed in of_table.items():
        _note(apps, table, changed)


def _note(apps: Apps, table: int, grants: list[Any]) -> None:
    """Add the new content of these grants to the table's audit trail."""
    model = apps.get_model("games", "TrailEntry")
    newest = model.objects.filter(table=table).order_by("-number").values_list("number", "hash").first()
    number, before = newest or (0, UNLINKED)
    parts = [trail.grants(grants)]
    the_table = apps.get_model("games", "Table").objects.get(pk=table)
    for entry in trail.entries(the_table, parts, number=number, before=before, of=model):
        entry.save(force_insert=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0022_mail")]

    operations = [
        migrations.AddField(
            model_name="grant",
            name="returned_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(keep_members, migrations.RunPython.noop),
    ]
