"""The queue of outgoing mails, in the database.

A request only stores a row, in its transaction. The processes of `manage.py serve` and `manage.py send_mail`
send the mails (`games/management/mailing.py`).
"""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from random import uniform

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import get_language

from games.models import Mail, MailKind
from games.people.tries import Tries

# The bounds, in seconds, of the random time until a new mail is due. Sending at once would slow down the
# response to the request that asked for it, and this delay would tell whether an account has the address.
PAUSE = 1.0, 4.0
LEASE = timedelta(minutes=5)  # longer than any conversation with a mail server that times out
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)
MOST_ATTEMPTS = 12  # over some six hours
# After this time a mail that was not sent, for example because EMAIL_URL was removed, is not sent any more.
KEPT = timedelta(days=1)
BY_CLIENT = Tries("mail-here", most=20, window=15 * 60)  # a whole club may share one address
TO_ADDRESS = Tries("mail-to", most=5, window=60 * 60, is_listed=False)

is_new = threading.Event()  # set after a request of this process has queued a mail


def exceeded(asker: str, address: str) -> Tries | None:
    """Count a request for a mail. Return the rate limit that it exceeds, or None.

    `asker` is the client's key (`games.network.client_key`). What is counted does not depend on whether an
    account has this address.
    """
    if not BY_CLIENT.take(asker):
        return BY_CLIENT
    if not TO_ADDRESS.take(address.lower()):
        BY_CLIENT.give_back(asker)
        return TO_ADDRESS
    return None


def queue(kind: MailKind, address: str, user: User | None = None) -> None:
    """Queue a mail in the present language. Call this inside the transaction of the change it is about.

    `user` is the user whose address it is or was; None for a sign-in link, whose user is looked up later.
    """
    due_at = now() + timedelta(seconds=uniform(*PAUSE))
    language = get_language() or ""
    Mail.objects.create(kind=kind, address=address, user=user, language=language, due_at=due_at)
    transaction.on_commit(is_new.set)


def claim() -> Mail | None:
    """Lease the mail that is due next for five minutes, and return it; None if none is due.

    Of two processes that read the same row, only one changes it: a mail is sent twice only if a process dies
    between the mail server's answer and the deletion of the row.
    """
    while mail := _kept().filter(due_at__lte=now()).first():
        same = Mail.objects.filter(pk=mail.pk, attempts=mail.attempts, due_at=mail.due_at)
        if same.update(attempts=F("attempts") + 1, due_at=now() + LEASE):
            mail.attempts += 1
            return mail
    return None


def drop(mail: Mail) -> None:
    """Delete a mail that was sent, or that cannot be sent."""
    Mail.objects.filter(pk=mail.pk).delete()


def postpone(mail: Mail) -> bool:
    """Make a leased mail due again later, doubling the wait each time. After the last attempt delete it.

    Return whether it is still queued.
    """
    if mail.attempts >= MOST_ATTEMPTS:
        drop(mail)
        return False
    wait = min(FIRST_WAIT * 2 ** (mail.attempts - 1), LONGEST_WAIT)
    Mail.objects.filter(pk=mail.pk).update(due_at=now() + wait)
    return True


def next_due() -> datetime | None:
    """Return the moment at which the next mail is due, or None if the queue is empty."""
    due_at: datetime | None = _kept().aggregate(due_at=Min("due_at"))["due_at"]
    return due_at


def is_waiting(kind: MailKind, address: str, user: User) -> bool:
    """Return whether a mail of this kind still waits to be sent to this address."""
    return _kept().filter(kind=kind, address=address, user=user).exists()


def _kept() -> QuerySet[Mail]:
    """Return the queued mails that are at most a day old; older ones are not sent any more.

    Older ones exist only after a backup was restored, or if `manage.py clean` did not run.
    """
    return Mail.objects.filter(made_at__gt=now() - KEPT)


def drop_links_that_wait(user: User, confirmed: str) -> None:
    """Delete the queued mails that would bring this user a link.

    These are confirmations of any address, and sign-in links to `confirmed`, the address that the user has
    confirmed ("" for none). A mail that tells a former address of the change stays. So do all mails of
    others: somebody may have asked for an address that is not theirs.
    """
    confirms = Q(kind=MailKind.CONFIRM, user=user)
    resets = Q(kind=MailKind.RESET, address__iexact=confirmed) if confirmed else Q(pk=None)
    Mail.objects.filter(confirms | resets).delete()


def drop_old_mails() -> int:
    """Delete the mails that waited too long, and return their number."""
    count, _kinds = Mail.objects.filter(made_at__lt=now() - KEPT).delete()
    return count
