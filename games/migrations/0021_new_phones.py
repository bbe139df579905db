"""Invitations for a member's new phone, which takes the place of a lost one."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

A_USER: dict[str, Any] = {
    "blank": True,
    "null": True,
    "on_delete": django.db.models.deletion.PROTECT,
    "related_name": "+",
    "to": settings.AUTH_USER_MODEL,
}


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0020_sign_in_links"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="invite",
            name="member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="invites",
                to="games.member",
            ),
        ),
        migrations.AddField(model_name="invite", name="replaces", field=models.ForeignKey(**A_USER)),
        migrations.AddField(model_name="invite", name="used_by", field=models.ForeignKey(**A_USER)),
        migrations.AddField(
            model_name="removal",
            name="new_phone",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="replacement",
                to="games.invite",
            ),
        ),
        migrations.AddConstraint(
            model_name="invite",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("member", None), ("replaces", None), ("used_by", None)),
                    models.Q(("is_spare", False), ("member__isnull", False)),
                    _connector="OR",
                ),
                name="invite_replaces_for_a_member",
            ),
        ),
    ]
