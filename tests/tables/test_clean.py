"""`manage.py clean`: what it deletes, what it leaves, and what it prints."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils.timezone import now

from games.common import days
from games.models import Access, Device, Link, Pen, PenRequest, Role, Table
from games.money.services import expenses
from games.tables.services import guests, links, tokens
from tests.factories import build_expense, confirm_as_member, make_table, make_user, new_key, start

pytestmark = pytest.mark.django_db


def clean():
    output = StringIO()
    call_command("clean", stdout=output)
    return output.getvalue().strip()


@pytest.mark.database_clock
def test_clean_deletes_erased_tables_expired_sessions_and_old_links():
    ana = make_user("ana")
    current_table, shut, gone = (make_table(ana, name=name) for name in ("A", "B", "C"))
    for table, age in ((shut, 6), (gone, 8)):
        start(table, ana)
        Table.objects.filter(pk=table.pk).update(erased_at=now() - timedelta(days=age))
    for key, rest in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now() + timedelta(days=rest))
    _old, young = (links.create_personal(current_table, by=ana, role=Role.WITNESS)[0] for _time in range(2))
    links.create_sign_in(ana)
    for link, age in ((young, 30), *((link, 120) for link in Link.objects.exclude(pk=young.pk))):
        made_at = now() - timedelta(days=age)
        Link.objects.filter(pk=link.pk).update(made_at=made_at, expires_at=made_at + timedelta(hours=1))

    assert "Gone for good: 1 table, 0 accounts, 1 ended session, 2 old links, 0 lost guests." == clean()
    assert ({current_table, shut}, {"new"}, {young}) == (
        set(Table.objects.all()),
        set(Session.objects.values_list("session_key", flat=True)),
        set(Link.objects.all()),
    )
    assert "Gone for good: 0 tables, 0 accounts, 0 ended sessions, 0 old links, 0 lost guests." == clean()


def test_clean_leaves_a_table_with_a_proposed_expense(table, owner, members_by_slug):
    """Nobody has agreed to it yet, so no ledger entry has it."""
    ana, beto = members_by_slug["ana"], members_by_slug["beto"]
    confirm_as_member(owner, ana)
    tonight = days.night_for(now(), table)
    pizza = build_expense(ana, 100, (ana, beto))
    expenses.create(table, tonight, pizza, key=new_key(), by=owner, is_proposal=True)
    Table.objects.update(created_at=now() - timedelta(days=200))
    clean()

    assert Table.objects.get().erased_at is None


def test_clean_deletes_the_devices_of_guests_whose_sessions_expired(client_for):
    """Guests never sign in again, so nothing else would remove their devices."""
    expired_phone, current_phone = client_for(guests.create()), client_for(guests.create())
    for phone in (expired_phone, current_phone):
        phone.get("/")
    Session.objects.filter(session_key=expired_phone.session.session_key).update(
        expire_date=now() - timedelta(days=1)
    )
    Device.objects.create(user=guests.create(), session_key="flushed long ago", seen_on="2026-01-01")
    clean()

    assert [current_phone.session.session_key] == list(Device.objects.values_list("session_key", flat=True))


def test_clean_leaves_what_ended_lately_and_a_new_guest(table):
    guest, lost = guests.create(), guests.create()
    Access.objects.create(user=guest, table=table, role=Role.WITNESS, until=now() - timedelta(days=80))

    assert "0 lost guests." in clean()
    assert {guest.pk, lost.pk} <= set(User.objects.values_list("pk", flat=True))
    assert guest in {access.user for access in table.accesses.all()}


def test_clean_deletes_the_pens_of_past_nights_and_the_questions_about_them(table, members_by_slug):
    caro, dani, asked_at = members_by_slug["caro"], members_by_slug["dani"], now() - timedelta(hours=9)
    for member, until in ((caro, now() - timedelta(hours=1)), (dani, now() + timedelta(hours=1))):
        about = {"table": table, "user": make_user(member.slug), "member": member, "until": until}
        PenRequest.objects.create(**about, asked_at=asked_at, answered_at=asked_at)
        Pen.objects.create(**about, since=asked_at, ended_at=asked_at)
    clean()

    assert ([dani], [dani]) == tuple(
        [row.member for row in rows.all()] for rows in (Pen.objects, PenRequest.objects)
    )


def test_clean_deletes_what_ended_with_its_night_and_the_guest_who_came_for_it(table, owner):
    guest, lasting, ended, program = four = [guests.create() for _number in range(4)]
    for user in four:
        Access.objects.create(user=user, table=table, role=Role.WITNESS)
    tokens.create(program, "Reloj", table=table)
    past = now() - timedelta(days=99)
    table.accesses.filter(user__in=[guest, ended, program]).update(until=past)
    table.accesses.filter(user=ended).update(ended_at=past)
    User.objects.filter(pk__in=[guest.pk, lasting.pk]).update(date_joined=past)

    assert "1 lost guest." in clean()
    assert {owner, lasting, ended, program} == {access.user for access in table.accesses.all()}
    assert not User.objects.filter(pk=guest.pk).exists()
