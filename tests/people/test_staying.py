"""A user whose claim of a member an owner confirmed keeps access until somebody ends it."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils.timezone import now

from games.models import Role
from games.people import claims as services
from games.people.access import role_at
from games.people.guests import bring_along
from games.people.invitations import LASTS, accept_invite, make_invite, make_new_phone
from games.people.removals import put_out, revoke_invite, undo_removal
from games.people.tokens import LIVES, make_token
from tests.tables import make_user

pytestmark = pytest.mark.django_db

LATER = timedelta(hours=25)


@pytest.fixture
def clock():
    with time_machine.travel(now(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def come(table, owner):
    """`come("wanda")` makes a witness who claims to be Beto or another member."""

    def come_to_watch(name, *, claiming="beto"):
        user = make_user(name)
        accept_invite(an_invitation(table, owner), user)
        if claiming:
            services.claim(table.members.get(slug=claiming), user, is_agreed=False)
        return user

    return come_to_watch


def an_invitation(table, owner):
    return make_invite(table, Role.WITNESS, lasts=LASTS["year"], by=owner)[0]


def accept(table, user, slug="beto"):
    services.accept_claim(table.members.get(slug=slug), of=user.pk)


def test_a_confirmed_member_still_reads_the_accounts_the_day_after(phone_of, table, come, clock, finished):
    """Wanda, a witness, claims to be Beto; an owner confirms it, and 25 hours later Wanda opens the accounts."""
    wanda = come("wanda")
    accept(table, wanda)
    clock.shift(LATER)

    assert 200 == phone_of(wanda).get(reverse("accounts", args=[table.code])).status_code


def test_an_unconfirmed_witness_has_no_access_the_day_after(table, come, clock):
    wanda = come("wanda")
    clock.shift(LATER)

    assert role_at(wanda, table) is None


def test_a_member_confirmed_after_their_grant_expired_gets_access_back_but_not_their_tokens(
    table, come, clock
):
    wanda = come("wanda")
    token, _secret = make_token(wanda, "reloj", lasts=LIVES["year"], table=table, reads_only=True)
    clock.shift(LATER)
    accept(table, wanda)
    token.refresh_from_db()

    assert (Role.WITNESS, None) == (role_at(wanda, table), table.grants.get(user=wanda).expires_at)
    assert token.revoked_at is not None


def test_confirming_a_removed_or_revoked_user_gives_no_access(table, owner, come, clock):
    removed, revoked = come("wanda"), come("waldo", claiming="caro")
    put_out(table.grants.get(user=removed), by=owner)
    clock.shift(LATER)
    invite = table.grants.get(user=revoked).invite
    revoke_invite(invite, by=owner)
    accept(table, removed)
    accept(table, revoked, "caro")

    assert [None, None] == [role_at(user, table) for user in (removed, revoked)]


def test_a_member_confirmed_while_removed_keeps_access_after_the_undo(table, owner, come, clock):
    wanda = come("wanda")
    removal = put_out(table.grants.get(user=wanda), by=owner)
    accept(table, wanda)
    undo_removal(removal, by=owner)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)


def test_a_member_confirmed_while_removed_with_their_inviter_keeps_access_after_the_undo(
    table, owner, come, clock
):
    """Wanda came by an invitation of Olga and is removed with Olga; that is undone only after a day."""
    olga, wanda = make_user("olga"), make_user("wanda")
    accept_invite(make_invite(table, Role.OWNER, lasts=LASTS["year"], by=owner)[0], olga)
    accept_invite(make_invite(table, Role.WITNESS, lasts=LASTS["year"], by=olga)[0], wanda)
    services.claim(table.members.get(slug="beto"), wanda, is_agreed=False)
    removal = put_out(table.grants.get(user=olga), by=owner, also=[table.grants.get(user=wanda).pk])
    accept(table, wanda)
    clock.shift(LATER)
    undo_removal(removal, by=owner)

    assert Role.WITNESS == role_at(wanda, table)


def test_a_confirmed_member_who_returns_by_a_new_invitation_keeps_access(table, owner, come, clock):
    wanda = come("wanda")
    accept(table, wanda)
    put_out(table.grants.get(user=wanda), by=owner)
    clock.shift(LATER)
    accept_invite(an_invitation(table, owner), wanda)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)


def test_the_new_phone_of_a_confirmed_witness_keeps_access(table, owner, come, clock):
    wanda, phone = come("wanda"), make_user("new_phone")
    accept(table, wanda)
    accept_invite(make_new_phone(table.members.get(slug="beto"), by=owner)[0], phone)
    clock.shift(LATER)

    assert [None, Role.WITNESS] == [role_at(user, table) for user in (wanda, phone)]


def test_the_new_phone_of_a_removed_member_keeps_access(table, owner, come, clock):
    wanda, phone = come("wanda"), make_user("new_phone")
    accept(table, wanda)
    put_out(table.grants.get(user=wanda), by=owner)
    accept_invite(make_new_phone(table.members.get(slug="beto"), by=owner)[0], phone)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(phone, table)


def test_a_user_who_takes_over_a_guests_confirmed_claim_keeps_access(table, owner, come, clock):
    """Wanda's old phone is removed; somebody signs in on it as Wanda, who watches for a day."""
    guest, wanda = come("guest"), come("wanda", claiming="")
    accept(table, guest)
    put_out(table.grants.get(user=guest), by=owner)
    bring_along(guest, wanda)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)


def test_ending_a_confirmed_claim_does_not_end_access(table, come, clock):
    wanda = come("wanda")
    accept(table, wanda)
    services.end_claim(table.members.get(slug="beto"), of=wanda.pk)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)


def test_confirming_one_user_does_not_change_another_users_expiry(table, come, clock):
    wanda, _waldo = come("wanda"), come("waldo", claiming="caro")
    accept(table, wanda)

    assert ["waldo"] == [grant.user.username for grant in table.grants.exclude(expires_at=None)]
