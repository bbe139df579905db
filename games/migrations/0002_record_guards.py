from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.guards import install_record_guards, remove_record_guards


def install(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    install_record_guards(schema_editor.connection)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    remove_record_guards(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_tables")]

    operations = [migrations.RunPython(install, remove)]
