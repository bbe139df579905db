"""Who is put out stays out, and can be brought back: removals, the order of owners, an owner's spare link.

Owners stand in the order in which they came in. A link that was made before keeps its life; where whoever made it owns
the table no longer, it lets nobody in from now on.
"""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Exists, F, OuterRef, Q
from django.utils.timezone import now


def fill_in(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    grants, invites = (apps.get_model("games", name).objects for name in ("Grant", "Invite"))
    grants.update(ranks_from=F("made_at"))
    makers = grants.filter(
        Q(expires_at=None) | Q(expires_at__gt=now()),
        table=OuterRef("table"),
        user=OuterRef("made_by"),
        role="owner",
    )
    invites.filter(~Exists(makers), used_at=None).update(used_at=now())


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_season_figures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Removal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "invite",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revocations",
                        to="games.invite",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="removals",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="removals", to="games.table"
                    ),
                ),
            ],
            options={"ordering": ["-made_at", "-pk"]},
        ),
        migrations.AddField(
            model_name="grant",
            name="ranks_from",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AddField(
            model_name="grant",
            name="removal",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="grants",
                to="games.removal",
            ),
        ),
        migrations.AddField(model_name="invite", name="is_spare", field=models.BooleanField(default=False)),
        migrations.AddField(
            model_name="invite",
            name="removal",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invites",
                to="games.removal",
            ),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.CheckConstraint(
                condition=Q(("is_spare", False), ("role", "owner"), _connector="OR"),
                name="invite_spare_is_an_owners",
            ),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
