"""The outbox of mails: each is sent once, retried at growing intervals, and finally given up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connections
from django.utils.timezone import now

from games.models import Mail, MailKind
from games.people import outgoing
from games.people.addresses import ask_to_confirm
from games.people.outgoing import (
    LEASE,
    LONGEST_WAIT,
    MOST_ATTEMPTS,
    claim,
    drop_old_mails,
    next_due,
    postpone,
    queue,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_once")]

START = "2026-11-20T21:00Z"


def test_a_mail_claimed_by_one_process_is_free_for_another_only_after_its_lease():
    with time_machine.travel(START, tick=False) as clock:
        queue(MailKind.RESET, "olga@example.org")
        taken = claim()
        assert taken is not None
        assert claim() is None

        clock.shift(LEASE)  # the process died
        again = claim()

        assert again is not None
        assert (taken.pk, 2) == (again.pk, again.attempts)


def test_a_process_that_read_a_mail_before_another_claimed_it_claims_nothing(monkeypatch):
    queue(MailKind.RESET, "olga@example.org")
    (seen,) = Mail.objects.all()
    assert claim() is not None
    rows = iter([seen, None])
    monkeypatch.setattr(type(Mail.objects.all()), "first", lambda _rows: next(rows))

    assert claim() is None


@pytest.mark.django_db(transaction=True)
def test_eight_threads_claim_each_mail_once():
    for number in range(20):
        queue(MailKind.RESET, f"a{number}@example.org")

    def take(_thread):
        try:
            return [mail.pk for mail in iter(claim, None)]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        taken = [pk for pks in threads.map(take, range(8)) for pk in pks]

    assert sorted(Mail.objects.values_list("pk", flat=True)) == sorted(taken)


def test_a_failing_mail_is_retried_at_doubling_intervals_and_then_given_up():
    with time_machine.travel(START, tick=False) as clock:
        queue(MailKind.RESET, "olga@example.org")
        waits = []
        while mail := claim():
            if not postpone(mail):
                break
            due_at = Mail.objects.get().due_at
            waits.append(due_at - now())
            clock.move_to(due_at)

    assert [1, 2, 4, 8, 16, 32] == [wait / timedelta(minutes=1) for wait in waits[:6]]
    assert ({LONGEST_WAIT}, MOST_ATTEMPTS - 1) == (set(waits[6:]), len(waits))
    assert 0 == Mail.objects.count()


def test_a_mail_unsent_for_a_day_is_dropped():
    for hours in (23, 25):
        queue(MailKind.RESET, f"a{hours}@example.org")
        Mail.objects.filter(address=f"a{hours}@example.org").update(made_at=now() - timedelta(hours=hours))

    assert (1, ["a23@example.org"]) == (
        drop_old_mails(),
        list(Mail.objects.values_list("address", flat=True)),
    )


def test_a_mail_older_than_a_day_is_never_claimed():
    queue(MailKind.RESET, "olga@example.org")
    Mail.objects.update(made_at=now() - timedelta(hours=25))

    assert (None, None) == (claim(), next_due())


def test_a_mail_is_due_a_random_few_seconds_after_its_request(monkeypatch):
    monkeypatch.undo()
    with time_machine.travel(START, tick=False):
        for _time in range(20):
            queue(MailKind.RESET, "olga@example.org")
        waits = {(mail.due_at - now()).total_seconds() for mail in Mail.objects.all()}

    assert 20 == len(waits)
    assert 1 <= min(waits) <= max(waits) <= 4


@pytest.mark.django_db(transaction=True)
def test_the_sending_thread_wakes_up_once_the_mail_is_stored(monkeypatch):
    outgoing.is_new.clear()
    ask_to_confirm(User.objects.create_user("olga"), "olga@example.org")

    assert outgoing.is_new.is_set()
    outgoing.is_new.clear()
