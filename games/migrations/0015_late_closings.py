"""A closing note says as of which moment it is: until now that in which it was made."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F
from django.utils.timezone import now


def of_when_they_were_made(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What a note said was as of the moment in which it was made."""
    apps.get_model("games", "ClosingNote").objects.update(as_of=F("made_at"))


class Migration(migrations.Migration):
    dependencies = [("games", "0014_merges")]

    operations = [
        migrations.AddField(
            model_name="closingnote",
            name="as_of",
            field=models.DateTimeField(default=now),
            preserve_default=False,
        ),
        migrations.RunPython(of_when_they_were_made, migrations.RunPython.noop),
    ]
