"""`manage.py send_mail`: sends the queued mails, which `manage.py serve` would send by itself."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.management.mailing import send_due
from games.management.schema import refuse_an_old_schema
from games.models import Mail


class Command(BaseCommand):
    help = (
        "Send the mails that are due. `serve` does this by itself; run it every minute under another server."
    )

    def handle(self, *args: object, **options: object) -> None:
        refuse_an_old_schema()
        if not settings.SENDS_MAIL:
            raise CommandError("EMAIL_URL is not set, so this site sends no mail.")
        sent = send_due()
        self.stdout.write(f"Sent: {sent}. Waiting: {Mail.objects.count()}.")
