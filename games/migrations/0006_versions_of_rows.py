"""Records and entries keep the table's version that wrote them, so that programs follow a table by it."""

from typing import Any

from django.db import migrations, models


def a_version() -> Any:
    """Return the column, which rows of before have empty: their version is unknown."""
    return models.PositiveBigIntegerField(blank=True, null=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0005_disputes_seen")]

    operations = [
        migrations.AddField("record", "version", a_version()),
        migrations.AddField("entry", "version", a_version()),
        migrations.AddIndex("record", models.Index(fields=["game", "version"], name="record_by_game_and_version")),
        migrations.AddIndex("entry", models.Index(fields=["table", "version"], name="entry_by_table_and_version")),
    ]
