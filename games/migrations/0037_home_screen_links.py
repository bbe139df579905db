"""A link that a device makes for the app on its home screen, beside the link for a lost password."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0036_regions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="signinlink",
            name="device",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="sign_in_link",
                to="games.device",
            ),
        ),
        migrations.AlterField(
            model_name="signinlink",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="sign_in_links",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="signinlink",
            constraint=models.UniqueConstraint(
                condition=models.Q(("device", None)), fields=("user",), name="one_sign_in_link_for_a_password"
            ),
        ),
    ]
