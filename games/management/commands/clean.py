"""`manage.py clean`: deletes rows that nobody can use or restore any more, and closes unused tables."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils.timezone import now

from games.common import program
from games.management import backups
from games.management.schema import SiteCommand
from games.models import Link
from games.play.services import hand_offers
from games.tables.services import devices, erasure, operators

LINK_RETENTION = timedelta(days=90)  # how long an expired link is kept
BATCH_SIZE = 500  # sessions deleted in one transaction


class Command(SiteCommand):
    help = (
        "Delete erased tables and accounts past their restoration period, ended sessions and their devices, old links and "
        "accesses, guests without a table, and databases that a restore replaced; close tables at which nobody ever played."
    )

    def handle(self, *args: object, **options: object) -> None:
        tables = erasure.purge()
        accounts, sole_owners = operators.purge_accounts()
        sessions = _delete_ended_sessions()
        devices.delete_expired()
        erasure.delete_expired_accesses()
        erasure.delete_past_pens()
        unused, guests = erasure.erase_unused(), erasure.delete_inactive_guests()
        links = Link.objects.filter(expires_at__lt=now() - LINK_RETENTION).delete()[0]
        self.stdout.write(
            f"Gone for good: {_count_label(tables, 'table')}, {_count_label(accounts, 'account')}, {_count_label(sessions, 'ended session')}, "
            f"{_count_label(links, 'old link')}, {_count_label(guests, 'lost guest')}."
        )
        for user in sole_owners:
            self.stdout.write(
                f"{user.username} is not deleted yet: a table would have no owner. `{program.NAME} make_owner` makes another."
            )
        hand_offers.delete_expired()
        if replaced := backups.delete_replaced():
            self.stdout.write(
                f"Deleted from copies/: {_count_label(replaced, 'database')} that a restore replaced."
            )
        if unused:
            self.stdout.write(f"Shut, since nobody ever played there: {_count_label(unused, 'table')}.")


def _delete_ended_sessions() -> int:
    """Delete expired sessions, in batches that keep each lock short, and return their number."""
    count = 0
    while some := list(
        Session.objects.filter(expire_date__lt=now()).values_list("pk", flat=True)[:BATCH_SIZE]
    ):
        count += Session.objects.filter(pk__in=some).delete()[0]
    return count


def _count_label(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
