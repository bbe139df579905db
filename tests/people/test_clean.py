"""`manage.py clean`: what it deletes, what it leaves, and what it prints."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils.timezone import now

from games.models import Device, Grant, Invite, Role, Table
from games.people.claims import claim
from games.people.guests import make_guest
from games.people.invitations import LASTS, accept_invite, make_invite, make_new_phone
from games.people.removals import revoke_invite
from tests.tables import make_table, make_user, start

pytestmark = pytest.mark.django_db


def clean():
    output = StringIO()
    call_command("clean", stdout=output)
    return output.getvalue().strip()


def test_clean_deletes_erased_tables_expired_sessions_and_old_unused_invitations():
    ana = make_user("ana")
    kept, shut, gone = (make_table(ana, name=name) for name in ("A", "B", "C"))
    for table, days in ((shut, 6), (gone, 8)):
        start(table, ana)
        Table.objects.filter(pk=table.pk).update(erased_at=now() - timedelta(days=days))
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=now() + timedelta(days=days))
    long_ago = now() - timedelta(days=200)
    _old, used, revoked, young = (
        make_invite(kept, Role.WITNESS, lasts=LASTS["week"], by=ana, at=at)[0]
        for at in (long_ago, now(), now(), now() - timedelta(days=30))
    )
    phone = _replaced_phone(kept, ana)
    accept_invite(used, make_user("waldo"))
    revoke_invite(revoked, by=ana)
    for invite in (used, revoked, phone):
        Invite.objects.filter(pk=invite.pk).update(made_at=long_ago, expires_at=long_ago + timedelta(days=1))

    assert "Gone for good: 1 table, 1 ended session, 1 old invitation, 0 lost guests." == clean()
    assert ({kept, shut}, {"new"}, {used, revoked, young, phone}) == (
        set(Table.objects.all()),
        set(Session.objects.values_list("session_key", flat=True)),
        set(Invite.objects.all()),
    )
    assert "Gone for good: 0 tables, 0 ended sessions, 0 old invitations, 0 lost guests." == clean()


def _replaced_phone(table, owner):
    """Return the invitation by which another owner, whose grant does not refer to it, replaced a phone."""
    beto, caro = make_user("beto"), make_user("caro")
    for user in (beto, caro):
        Grant.objects.create(user=user, table=table, role=Role.OWNER)
    member = table.members.get(slug="beto")
    claim(member, beto, is_agreed=True)
    invite, _token = make_new_phone(member, by=owner)
    accept_invite(invite, caro)
    return invite


def test_clean_deletes_the_devices_of_guests_whose_sessions_expired(phone_of):
    """Guests never sign in again, so that nothing else would remove their devices."""
    left, here = phone_of(make_guest()), phone_of(make_guest())
    for phone in (left, here):
        phone.get("/")
    Session.objects.filter(session_key=left.session.session_key).update(expire_date=now() - timedelta(days=1))
    Device.objects.create(user=make_guest(), session_key="flushed long ago", seen_on="2026-01-01")
    clean()

    assert [here.session.session_key] == list(Device.objects.values_list("session_key", flat=True))
