"""A table that the site's operator erased is restored by the operator alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0006_versions_of_rows")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="erased_by_operator",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
