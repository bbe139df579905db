"""`manage.py clean`: what nobody can bring back or use any more goes for good."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand
from django.db.models import Exists, OuterRef
from django.utils.timezone import now

from games.management.schema import refuse_an_old_schema
from games.models import Grant, Invite, Removal
from games.people.devices import forget_all_the_dead
from games.people.erasing import finish_all

KEPT = timedelta(days=90)  # of an invitation that is over


class Command(BaseCommand):
    help = "Erases the tables nobody can bring back any more, ended sessions with their devices, and invitations long over."

    def handle(self, *args: object, **options: object) -> None:
        refuse_an_old_schema()
        tables = finish_all()
        sessions, _kinds = Session.objects.filter(expire_date__lt=now()).delete()
        forget_all_the_dead()
        self.stdout.write(
            f"Gone for good: {_counted(tables, 'table')}, {_counted(sessions, 'ended session')}, "
            f"{_counted(_drop_old_invites(), 'old invitation')}."
        )


def _drop_old_invites() -> int:
    """How many invitations went: long over, and nobody came in by them or could again if that is undone."""
    over = Invite.objects.filter(expires_at__lt=now() - KEPT)
    for kind in (Grant, Removal):
        over = over.filter(~Exists(kind.objects.filter(invite=OuterRef("pk"))))
    count, _kinds = over.delete()
    return count


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
