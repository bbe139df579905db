"""`manage.py operator`: makes a registered user an operator of the site, revokes this, or lists operators."""

from __future__ import annotations

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from games.management.schema import refuse_an_old_schema, registered_user


class Command(BaseCommand):
    help = "Make a registered user an operator, who may read the lists at /admin/. Without a name, list them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the name with which the user signs in")
        parser.add_argument("--end", action="store_true", help="the user is an operator no longer")

    def handle(self, *, name: str | None, end: bool, **options: object) -> None:
        refuse_an_old_schema()
        if name is None and end:
            raise CommandError("--end needs the name of the operator.")
        if name is None:
            names = User.objects.filter(is_staff=True).order_by("username").values_list("username", flat=True)
            self.stdout.write("\n".join(names) or "There is no operator: manage.py operator NAME makes one.")
            return
        user = registered_user(name, "An operator needs a name and a password: they choose them at /you/.")
        user.is_staff = not end
        user.save(update_fields=["is_staff"])
        if end:
            self.stdout.write(f"{user.username} is an operator no longer.")
        else:
            self.stdout.write(f"{user.username} is an operator: signed in at /login/, they open /admin/.")
