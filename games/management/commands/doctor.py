"""`manage.py doctor`: says all that is wrong with an installation."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from games.management.complaints import LOOKED_AT, complaints


class Command(BaseCommand):
    help = "Says all that is wrong with settings, folders, secret, room, database, texts and files; ends with 1 then."
    requires_system_checks = []  # their complaints stand among the others

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
