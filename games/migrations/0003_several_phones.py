"""A member may be confirmed on several phones, and a no to who somebody says to be can be taken back."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0002_token_reads_only")]

    operations = [
        migrations.RemoveConstraint(model_name="access", name="access_one_confirmed_a_member"),
        migrations.AddField(
            model_name="access",
            name="denied_member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.member",
            ),
        ),
        migrations.AddField(
            model_name="access",
            name="denied_name",
            field=models.CharField(blank=True, max_length=20),
        ),
    ]
