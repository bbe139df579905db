"""A site that sends mail, and what arrives: in memory, or at a mail server of the tests' own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.contrib.auth.models import User
from django.core import mail

from games.management.mailing import send_due
from games.people import outgoing
from games.people.addresses import ask_to_confirm, confirm

SITE = "https://cards.example.org"


@pytest.fixture
def at_once(monkeypatch):
    """Mails are due as soon as they are queued."""
    monkeypatch.setattr(outgoing, "PAUSE", (0, 0))


@pytest.fixture
def sends_mail(settings, at_once):
    """Settings as with EMAIL_URL; mails go to `django.core.mail.outbox`."""
    settings.SENDS_MAIL, settings.SITE_URL = True, SITE
    return settings


def arrived() -> list[Any]:
    """Send the mails that are due, and return those that arrived since the last call."""
    send_due()
    mails, mail.outbox[:] = list(mail.outbox), []
    return mails


def link_in(message: Any) -> str:
    """Return the path of the link in a mail."""
    (path,) = re.findall(rf"^{SITE}(/\S+)$", message.body, re.MULTILINE)
    return str(path)


def give_address(user: User, address: str) -> None:
    """Let the user confirm this address, and forget the mails about it."""
    ask_to_confirm(user, address)
    confirm(link_in(arrived()[-1]).strip("/").split("/")[-1])
    arrived()


class Mailbox:
    """A mail server's handler, which keeps every mail. It answers `reply` to each recipient if that is set."""

    def __init__(self, reply: str = "") -> None:
        self.reply = reply
        self.mails: list[EmailMessage] = []

    async def handle_RCPT(
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        """Accept the recipient, or refuse them."""
        if not self.reply:
            envelope.rcpt_tos.append(address)
        return self.reply or "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        """Keep the mail."""
        self.mails.append(BytesParser(EmailMessage, policy=default).parsebytes(envelope.content))
        return "250 OK"


@contextmanager
def mail_server(port: int, reply: str = "") -> Iterator[list[EmailMessage]]:
    """Run a mail server on this machine. Yields the list of the mails that it accepted."""
    mailbox = Mailbox(reply)
    server = Controller(mailbox, hostname="127.0.0.1", port=port)
    server.start()
    try:
        yield mailbox.mails
    finally:
        server.stop()
