"""A closing note says as of which moment it is: until now that in which it was made."""

from __future__ import annotations

from django.db import migrations, models
from django.db.models import F


def of_when_they_were_made(apps, schema_editor):
    """What a note said was as of the moment in which it was made."""
    apps.get_model("games", "ClosingNote").objects.update(as_of=F("made_at"))


class Migration(migrations.Migration):
    dependencies = [("games", "0013_chain")]

    operations = [
        migrations.AddField("closingnote", "as_of", models.DateTimeField(null=True)),
        migrations.RunPython(of_when_they_were_made, migrations.RunPython.noop),
        migrations.AlterField("closingnote", "as_of", models.DateTimeField()),
    ]
