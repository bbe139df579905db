"""A table is archived by one of its people for himself; and erased: the guards let go of it after its last day."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.guards import install_record_guards


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    install_record_guards(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0009_payments_by_members")]

    operations = [
        migrations.AddField(model_name="grant", name="archived", field=models.BooleanField(default=False)),
        migrations.RunPython(install, migrations.RunPython.noop),
    ]
