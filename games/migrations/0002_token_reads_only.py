from __future__ import annotations

from django.db import migrations, models

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def add_unless_it_is_there(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the column, which databases of the first commit called 1.0.0 have already."""
    token = apps.get_model('games', 'Token')
    with schema_editor.connection.cursor() as cursor:
        columns = schema_editor.connection.introspection.get_table_description(cursor, token._meta.db_table)
    if 'reads_only' not in {column.name for column in columns}:
        field = models.BooleanField(default=False)
        field.set_attributes_from_name('reads_only')
        schema_editor.add_field(token, field)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    field = models.BooleanField(default=False)
    field.set_attributes_from_name('reads_only')
    schema_editor.remove_field(apps.get_model('games', 'Token'), field)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0001_one_way_in'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add_unless_it_is_there, remove)],
            state_operations=[
                migrations.AddField(
                    model_name='token',
                    name='reads_only',
                    field=models.BooleanField(default=False),
                ),
            ],
        ),
    ]
