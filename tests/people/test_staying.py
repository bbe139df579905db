"""A user whom an owner accepted as a member keeps access until somebody ends it."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils.timezone import now

from games.models import Role
from games.notebook.books.trails import wrong_trail
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
    """`come("wanda")` lets a user in to watch, who claims to be Beto or another member."""

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


def test_who_was_accepted_reads_the_accounts_the_day_after(phone_of, table, come, clock, finished):
    """Wanda watches and claims to be Beto; an owner agrees, and 25 hours later Wanda looks again."""
    wanda = come("wanda")
    accept(table, wanda)
    clock.shift(LATER)

    assert 200 == phone_of(wanda).get(reverse("accounts", args=[table.code])).status_code
    assert [] == list(wrong_trail(table))


def test_who_was_not_accepted_is_out_the_day_after(table, come, clock):
    wanda = come("wanda")
    clock.shift(LATER)

    assert role_at(wanda, table) is None


def test_who_is_accepted_too_late_comes_back_without_the_programs(table, come, clock):
    wanda = come("wanda")
    token, _secret = make_token(wanda, "reloj", Role.WITNESS, lasts=LIVES["year"], table=table)
    clock.shift(LATER)
    accept(table, wanda)
    token.refresh_from_db()

    assert (Role.WITNESS, None) == (role_at(wanda, table), table.grants.get(user=wanda).expires_at)
    assert token.revoked_at is not None
    assert [] == list(wrong_trail(table))


def test_who_was_removed_or_whose_invitation_was_revoked_stays_out_when_accepted(table, owner, come, clock):
    removed, revoked = come("wanda"), come("waldo", claiming="caro")
    put_out(table.grants.get(user=removed), by=owner)
    clock.shift(LATER)
    invite = table.grants.get(user=revoked).invite
    revoke_invite(invite, by=owner)
    accept(table, removed)
    accept(table, revoked, "caro")

    assert [None, None] == [role_at(user, table) for user in (removed, revoked)]


def test_who_was_accepted_while_removed_stays_once_that_is_undone(table, owner, come, clock):
    wanda = come("wanda")
    removal = put_out(table.grants.get(user=wanda), by=owner)
    accept(table, wanda)
    undo_removal(removal, by=owner)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)
    assert [] == list(wrong_trail(table))


def test_who_was_accepted_while_removed_with_the_invitation_stays_once_that_is_undone(
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
    assert [] == list(wrong_trail(table))


def test_a_member_who_comes_in_again_stays(table, owner, come, clock):
    wanda = come("wanda")
    accept(table, wanda)
    put_out(table.grants.get(user=wanda), by=owner)
    clock.shift(LATER)
    accept_invite(an_invitation(table, owner), wanda)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)


def test_the_new_phone_of_a_member_who_only_watches_stays(table, owner, come, clock):
    wanda, phone = come("wanda"), make_user("new_phone")
    accept(table, wanda)
    accept_invite(make_new_phone(table.members.get(slug="beto"), by=owner)[0], phone)
    clock.shift(LATER)

    assert [None, Role.WITNESS] == [role_at(user, table) for user in (wanda, phone)]
    assert [] == list(wrong_trail(table))


def test_a_new_phone_where_the_lost_one_is_out_already_stays(table, owner, come, clock):
    wanda, phone = come("wanda"), make_user("new_phone")
    accept(table, wanda)
    put_out(table.grants.get(user=wanda), by=owner)
    accept_invite(make_new_phone(table.members.get(slug="beto"), by=owner)[0], phone)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(phone, table)


def test_a_claim_that_a_guest_brings_along_keeps_the_user_in(table, owner, come, clock):
    """Wanda's old phone is removed; somebody signs in on it as Wanda, who watches for a day."""
    guest, wanda = come("guest"), come("wanda", claiming="")
    accept(table, guest)
    put_out(table.grants.get(user=guest), by=owner)
    bring_along(guest, wanda)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)
    assert [] == list(wrong_trail(table))


def test_ending_the_claim_leaves_the_access_to_who_lets_people_in(table, come, clock):
    wanda = come("wanda")
    accept(table, wanda)
    services.end_claim(table.members.get(slug="beto"), of=wanda.pk)
    clock.shift(LATER)

    assert Role.WITNESS == role_at(wanda, table)


def test_accepting_one_user_keeps_nobody_else(table, come, clock):
    wanda, _waldo = come("wanda"), come("waldo", claiming="caro")
    accept(table, wanda)

    assert ["waldo"] == [grant.user.username for grant in table.grants.exclude(expires_at=None)]
