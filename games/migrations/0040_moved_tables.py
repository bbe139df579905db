"""A table can move to another place by its file. Here it is read-only until it is brought back."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0039_table_identities")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="moved_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="table",
            name="moved_to",
            field=models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
        migrations.AddField(
            model_name="table",
            name="bases",
            field=models.JSONField(blank=True, db_default=[], default=list, editable=False),
        ),
    ]
