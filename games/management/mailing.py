"""Sending the queued mails (`games/people/outgoing.py`).

Each process of `manage.py serve` has a thread for it. Under another server, `manage.py send_mail` does it.
"""

from __future__ import annotations

import logging
from smtplib import SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connections
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import override

from games.models import Mail, MailKind
from games.people.addresses import is_taken, make_confirmation, user_at
from games.people.outgoing import claim, drop, is_new, next_due, postpone
from games.people.sign_in_links import make_mailed_link
from games.shown.people import mails
from games.shown.people.mails import MailText

LOOKS_EVERY = 60.0  # seconds between two looks into the queue for mails that other processes left unsent
REFUSED_FOR_GOOD = 500  # SMTP reply codes from this one on are permanent errors

log = logging.getLogger(__name__)


def send_for_ever() -> None:
    """Send each mail when it is due, for ever. Log every exception, because nothing restarts this thread."""
    while True:
        try:
            send_due()
            wait = _seconds_to_wait()
        except Exception as error:
            log.warning("the mails that wait cannot be read: %s", type(error).__name__)
            wait = LOOKS_EVERY
        finally:
            connections.close_all()
        is_new.wait(wait)
        is_new.clear()


def send_due() -> int:
    """Send the mails that are due, and return the number of those sent."""
    sent = 0
    while mail := claim():
        sent += _send(mail)
    return sent


def compose(mail: Mail) -> MailText | None:
    """Return the text of a mail; None if it is pointless by now, for example because the account was deleted.

    Links are made only here, so that they are valid for an hour from the sending, and no stored mail has one.
    For a new password, `mail.address` is replaced by the address as it was confirmed: the address that
    somebody typed may be another mailbox, because some mail servers distinguish capitals.
    """
    with override(mail.language):
        if mail.kind == MailKind.RESET:
            user = user_at(mail.address)
            if user is None:
                return None
            mail.address = user.mail_address.confirmed
            token = make_mailed_link(user)
            if token is None:
                return None
            return mails.new_password(user.username, settings.SITE_URL, _link("sign-in-link", token))
        if mail.user is None or not mail.user.is_active:  # the account was deleted a moment ago
            return None
        account = mail.user.username, settings.SITE_URL
        if mail.kind == MailKind.REPLACED:
            return mails.replaced(*account)
        if mail.kind == MailKind.REMOVED:
            return mails.removed(*account)
        # also for an address of another account, so that nobody learns which addresses have accounts
        token = make_confirmation(mail.user, mail.address)
        if token is None:
            return None
        if is_taken(mail.user, mail.address):
            return mails.taken(*account)
        return mails.confirmation(*account, _link("confirm-address", token))


def _send(mail: Mail) -> bool:
    """Send a mail that this process has leased (see `claim`), and return whether it was sent.

    If sending fails, make the mail due again later, or drop it. The log has neither the address nor the mail
    server's sentence, which may repeat the address.
    """
    try:
        text = compose(mail)
        if text is not None:
            headers = {"Auto-Submitted": "auto-generated"}  # asks for no out-of-office reply
            EmailMessage(text.subject, text.body, to=[mail.address], headers=headers).send()
    except Exception as error:
        stays = not _is_final(error) and postpone(mail)
        if not stays:
            drop(mail)
        ending = "it is tried again" if stays else "it is given up"
        log.warning("mail %s (attempt %s): %s; %s", mail.pk, mail.attempts, _in_words(error), ending)
        return False
    drop(mail)
    return text is not None


def _is_final(error: Exception) -> bool:
    """Return whether the mail server refused the recipient's address with a permanent error."""
    if not isinstance(error, SMTPRecipientsRefused):
        return False
    return all(code >= REFUSED_FOR_GOOD for code, _sentence in error.recipients.values())


def _in_words(error: Exception) -> str:
    code = f" {error.smtp_code}" if isinstance(error, SMTPResponseException) else ""
    return f"{type(error).__name__}{code}"


def _link(name: str, token: str) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=[token])}"


def _seconds_to_wait() -> float:
    """Return the number of seconds until the next mail is due, at most LOOKS_EVERY (60)."""
    due_at = next_due()
    if due_at is None:
        return LOOKS_EVERY
    return min(LOOKS_EVERY, max(0.0, (due_at - now()).total_seconds()))
