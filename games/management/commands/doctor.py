"""`manage.py doctor`: reports everything that is wrong with an installation."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from games.management.complaints import LOOKED_AT, complaints


class Command(BaseCommand):
    help = (
        "Report problems with settings, folders, secret, disk space, database, translations and files; "
        "exit with 1 if there are any."
    )
    requires_system_checks = []  # `complaints` runs these checks and lists their warnings

    def handle(self, *args: object, **options: object) -> None:
        wrong = list(dict.fromkeys(complaints()))
        for sentence in wrong:
            self.stdout.write(sentence)
        if wrong:
            raise CommandError(f"{len(wrong)} wrong.")
        self.stdout.write(
            f"Nothing is wrong with {', '.join(look.__name__.removeprefix('of_') for look in LOOKED_AT)}. "
            "What games and accounts say is proved by `manage.py check_books`."
        )
