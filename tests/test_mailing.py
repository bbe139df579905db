"""Sending mails to a real mail server: down and up again, by two processes at once, by `manage.py serve`."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import OperationalError, connection, connections
from django.utils.translation import override

from games.management import mailing
from games.management.copies import copy_database
from games.management.mailing import send_due
from games.models import Mail, MailKind
from games.people.outgoing import is_new, queue
from tests.commands import output_of, refusal_of
from tests.mails import SITE, arrived, give_address, mail_server
from tests.outside import FORGERY, PATIENCE, Phone, Site

pytestmark = pytest.mark.django_db

OLGAS = "olga@example.org"
QUEUED = """
import json, sys, django
django.setup()
from django.contrib.auth.models import User
from django.utils.timezone import now
from games.models import Address, Mail, MailKind
from games.people.outgoing import is_new, queue
for number in range(int(sys.argv[1])):
    user = User.objects.create_user(f"olga-{number}", password="tres lobas negras")
    Address.objects.create(user=user, confirmed=f"olga-{number}@example.org")
    if sys.argv[2] == "asks":
        queue(MailKind.RESET, f"olga-{number}@example.org")
Mail.objects.update(due_at=now())
print("null")
"""
WAITING = """
import json, django
django.setup()
from games.models import Mail
print(json.dumps(Mail.objects.count()))
"""


@pytest.fixture
def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.fixture
def by_smtp(sends_mail, port):
    """Settings with which mails go to a mail server of the test, if one is running."""
    sends_mail.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    sends_mail.EMAIL_HOST, sends_mail.EMAIL_PORT, sends_mail.EMAIL_TIMEOUT = "127.0.0.1", port, 5
    return sends_mail


@pytest.fixture
def request_waits(sends_mail):
    """Olga has an address, and asked for a new password."""
    olga = User.objects.create_user("olga", password="tres lobas negras")
    give_address(olga, OLGAS)
    with override("en"):
        queue(MailKind.RESET, OLGAS)


# --- a mail server that is down, or refuses ---------------------------------------------------------------


def test_a_mail_server_that_was_down_gets_the_mail_once(request_waits, by_smtp, port, caplog):
    with time_machine.travel("2026-11-20T21:00Z", tick=False) as clock:
        Mail.objects.update(due_at="2026-11-20T21:00Z")
        assert (0, 1) == (send_due(), Mail.objects.count())
        assert [
            f"mail {Mail.objects.get().pk} (attempt 1): ConnectionRefusedError; it is tried again"
        ] == caplog.messages
        with mail_server(port) as mails:
            assert 0 == send_due()  # not yet
            clock.shift(timedelta(minutes=1))
            assert (1, 0) == (send_due(), send_due())

    (mail,) = mails
    assert (OLGAS, "A new password") == (mail["To"], mail["Subject"])
    assert f"{SITE}/in/" in mail.get_content()
    assert 0 == Mail.objects.count()


@pytest.mark.parametrize(
    ("reply", "waiting", "ending"),
    [("550 No such user", 0, "it is given up"), ("451 Try again later", 1, "it is tried again")],
)
def test_an_address_refused_for_good_is_given_up_and_one_refused_for_now_is_not(
    request_waits, by_smtp, port, caplog, reply, waiting, ending
):
    with mail_server(port, reply) as mails:
        assert 0 == send_due()

    assert ([], waiting) == (mails, Mail.objects.count())
    assert caplog.messages[0].endswith(f"SMTPRecipientsRefused; {ending}")
    assert "example" not in caplog.text


def test_one_mail_that_fails_holds_back_no_other(request_waits, sends_mail, monkeypatch):
    queue(MailKind.RESET, OLGAS)
    compose = mailing.compose
    texts = iter([ValueError("a fault of the program")])

    def once_broken(mail):
        for error in texts:
            raise error
        return compose(mail)

    monkeypatch.setattr(mailing, "compose", once_broken)

    assert ([OLGAS], 1) == ([mail.to[0] for mail in arrived()], Mail.objects.count())


@pytest.mark.parametrize("error", [OperationalError("the database is locked"), ValueError(OLGAS)])
def test_whatever_fails_is_tried_again_and_only_its_kind_is_logged(monkeypatch, sends_mail, caplog, error):
    attempts = iter([error])
    waits: list[float] = []

    class Ended(BaseException):
        pass

    def fail_once():
        for error in attempts:
            raise error
        raise Ended

    monkeypatch.setattr(mailing, "send_due", fail_once)
    monkeypatch.setattr(is_new, "wait", waits.append)
    monkeypatch.setattr(connections, "close_all", lambda: None)
    with pytest.raises(Ended):
        mailing.send_for_ever()

    assert [mailing.LOOKS_EVERY] == waits
    assert [f"the mails that wait cannot be read: {type(error).__name__}"] == caplog.messages


# --- the command ------------------------------------------------------------------------------------------


def test_the_command_sends_what_is_due_and_says_what_waits(request_waits, sends_mail):
    queue(MailKind.RESET, OLGAS)
    Mail.objects.filter(pk=Mail.objects.latest("pk").pk).update(due_at="2999-01-01T00:00Z")

    assert "Sent: 1. Waiting: 1.\n" == output_of("send_mail")


def test_without_a_mail_server_the_command_says_so():
    assert "EMAIL_URL is not set, so this site sends no mail." == refusal_of("send_mail")


# --- processes of their own -------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path, tmp_path_factory, monkeypatch, port):
    """A site with processes of its own, whose mail server is at `port`."""
    monkeypatch.setenv("EMAIL_URL", f"smtp://127.0.0.1:{port}")
    monkeypatch.setenv("SITE_URL", SITE)
    folder = tmp_path / "site" / "data"
    folder.mkdir(parents=True, mode=0o700)
    made = Site(folder, tmp_path_factory.getbasetemp() / "static")
    yield made
    made.stop()


@pytest.mark.slow
def test_two_processes_send_each_mail_once(site, port):
    copy_database(Path(connection.settings_dict["NAME"]), site.folder / "db.sqlite3")
    site.asked(QUEUED, 20, "asks")
    with mail_server(port) as mails, ThreadPoolExecutor(2) as both:
        ended = list(both.map(site.manage, ["send_mail"] * 2))

    assert [0, 0] == [each.returncode for each in ended], ended
    assert [f"olga-{number}@example.org" for number in range(20)] == sorted(
        (mail["To"] for mail in mails), key=lambda address: int(address[5:].partition("@")[0])
    )
    assert 0 == site.asked(WAITING)


@pytest.mark.slow
def test_a_served_site_sends_the_mail_outside_the_request(site, port):
    site.start()
    site.asked(QUEUED, 1, "does not ask")
    phone = Phone(site, "", ())
    with mail_server(port) as mails:
        began = time.monotonic()
        status, _text = phone.post(
            "/login/forgotten/", email="olga-0@example.org", csrfmiddlewaretoken=FORGERY
        )
        while not mails and time.monotonic() - began < PATIENCE:
            time.sleep(0.02)
        time.sleep(1)  # the other worker could send it too

    assert (302, ["olga-0@example.org"]) == (status, [mail["To"] for mail in mails])
    assert 0 == site.asked(WAITING)
