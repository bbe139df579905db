"""Guests play without an account. When they sign in on their phone, their tables move to the account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models.signals import post_save
from django.utils.timezone import now

from games.models import BY_STRENGTH, Access, Link, Role, Token
from games.play.services import hand_offers
from games.play.services.hand_offers import SubmittedHand
from games.play.services.snapshots import Snapshot
from games.tables.services import authorization, guests, links, lobby, tokens
from tests.factories import confirm_as_member, grant_access, make_table, make_user, move_all_tables, start

pytestmark = pytest.mark.django_db


def test_a_concurrent_second_tap_gets_the_same_guest():
    taps = []

    def tap_again(**_how):
        post_save.disconnect(tap_again, sender=User)
        taps.append(guests.create("k"))

    post_save.connect(tap_again, sender=User)
    taps.append(guests.create("k"))

    assert [User.objects.get()] * 2 == taps


# --- signing in -------------------------------------------------------------------------------------------------------


@pytest.fixture
def guest():
    return guests.create()


@pytest.fixture
def olga():
    return make_user("olga")


NOBODY, NAMED, TAPPED, TONIGHT, LASTING = "nobody", "named", "tapped", "tonight", "for good"
# A role, the certainty of the user's identity, and the hours until the access ends; None is for good.
STATES = [
    (Role.WITNESS, NOBODY, 5),
    (Role.WITNESS, NOBODY, None),
    (Role.WITNESS, NAMED, 5),
    (Role.WITNESS, TAPPED, 6),
    (Role.WITNESS, TAPPED, None),
    (Role.WITNESS, TONIGHT, 5),
    (Role.WITNESS, LASTING, None),
    (Role.SCORER, TONIGHT, 6),
    (Role.SCORER, LASTING, None),
    (Role.OWNER, NOBODY, None),
    (Role.OWNER, LASTING, None),
]


def create_access(user, table, state, face):
    """Create an access in this state, for a user who is or claims to be this member."""
    role, certainty, hours = state
    is_somebody = certainty not in (NOBODY, NAMED)
    is_confirmed = certainty in (TONIGHT, LASTING)
    return Access.objects.create(
        user=user,
        table=table,
        role=role,
        member=table.members.get(slug=face) if is_somebody else None,
        name=f"Somebody like {face}" if certainty == NAMED else "",
        confirmed_at=now() if is_confirmed else None,
        confirmed_by=table.accesses.first().user if is_confirmed else None,
        until=None if hours is None else now() + timedelta(hours=hours),
    )


def identity(access):
    return access.person or access.name or None


def certainty_key(access):
    return (access.is_lasting, access.is_confirmed, identity(access) is not None)


@pytest.mark.parametrize(
    "as_guest",
    [pytest.param(state, marks=[] if state in STATES[::3] else pytest.mark.long) for state in STATES],
)
@pytest.mark.parametrize("face", ["beto", "caro"])
def test_of_any_two_accesses_the_user_keeps_the_stronger_and_their_own_face_first(
    guest, olga, table, as_guest, face
):
    third = confirm_as_member(make_user("third"), table.members.get(slug="dani"))
    for as_user in STATES:
        if face == "caro" and {as_guest[1], as_user[1]} <= {TONIGHT, LASTING}:
            continue  # a member has one confirmed phone
        guest_access, user_access = (
            create_access(user, table, state, slug)
            for user, state, slug in ((guest, as_guest, face), (olga, as_user, "caro"))
        )
        move_all_tables(guest, olga)
        final_access = table.accesses.get(user=olga)
        pair = (as_guest, as_user)

        stronger = max(as_guest[0], as_user[0], key=BY_STRENGTH.index)
        assert (stronger, None) == (final_access.role, authorization.find_role(guest, table)), pair
        ends = [guest_access.until, user_access.until]
        assert (None if None in ends else max(ends)) == final_access.until, pair
        first = max((user_access, guest_access), key=certainty_key)
        assert identity(first) == identity(final_access), pair
        assert first.is_lasting == final_access.is_lasting, pair
        assert (
            first.is_confirmed and (first.is_lasting or final_access.until is not None)
        ) == final_access.is_confirmed, pair
        assert third == table.accesses.lasting().get(user__username="third"), pair
        final_access.delete()


@pytest.mark.parametrize(("as_guest", "as_user"), [("raised", "opened"), ("opened", "raised")])
def test_an_owner_whom_nobody_made_one_stays_so(guest, olga, owner, table, as_guest, as_user):
    for user, way in ((guest, as_guest), (olga, as_user)):
        raised_by = owner if way == "raised" else None
        Access.objects.create(user=user, table=table, role=Role.OWNER, raised_by=raised_by)
    move_all_tables(guest, olga)

    assert table.accesses.get(user=olga).raised_by is None


def test_whom_the_guest_put_in_charge_can_be_changed_by_the_user(guest, olga, table):
    confirm_as_member(guest, table.members.get(slug="beto"))
    table.accesses.filter(user=guest).update(role=Role.OWNER)
    other = confirm_as_member(make_user("otto"), table.members.get(slug="caro"))
    lobby.set_role(other, Role.OWNER, by=guest)
    move_all_tables(guest, olga)

    assert Role.SCORER == lobby.set_role(other, Role.SCORER, by=olga).role


@pytest.mark.parametrize("end_fields", [{"until": now() - timedelta(hours=1)}, {"ended_at": now()}])
def test_an_access_that_is_over_does_not_come_along(guest, olga, table, end_fields):
    confirm_as_member(guest, table.members.get(slug="beto"))
    table.accesses.filter(user=guest).update(**end_fields)
    move_all_tables(guest, olga)

    assert (None, []) == (authorization.find_role(olga, table), list(guests.accessible_tables(olga)))


def test_what_a_users_ended_access_had_does_not_come_back(guest, olga, table):
    confirm_as_member(olga, table.members.get(slug="beto"))
    table.accesses.filter(user=olga).update(role=Role.OWNER, ended_at=now())
    Token.objects.create(
        user=olga, table=table, name="p", token_hash="h", expires_at=now() + timedelta(days=1)
    )
    grant_access(guest, table)
    move_all_tables(guest, olga)

    assert (Role.WITNESS, None) == (
        authorization.find_role(olga, table),
        table.accesses.get(user=olga).person,
    )
    assert 0 == olga.tokens.valid().count()


def test_who_was_sent_away_does_not_come_back_as_a_guest_of_tonights_link(guest, olga, table):
    confirm_as_member(olga, table.members.get(slug="beto"))
    table.accesses.filter(user=olga).update(ended_at=now())
    grant_access(guest, table, until=now() + timedelta(hours=3))
    move_all_tables(guest, olga)

    assert authorization.find_role(olga, table) is None


def test_the_guests_links_to_tables_go_on_as_the_users_and_those_that_sign_in_end(guest, olga):
    table = make_table(guest)
    link, _token = links.create_personal(table, by=guest, role=Role.WITNESS)
    links.create_sign_in(guest)
    tokens.create(guest, "for all tables")
    move_all_tables(guest, olga)

    assert [link] == list(olga.links.valid())
    assert [0, 0] == [rows.valid().count() for rows in (guest.sign_in_links, guest.tokens)]


def test_what_a_guest_has_at_other_tables_stays_theirs(guest, olga):
    chosen, other = (make_table(guest, name=name) for name in ("Jueves", "Sábados"))
    made = {table: links.create_personal(table, by=guest, role=Role.WITNESS)[0] for table in (chosen, other)}
    links.create_sign_in(guest)
    for table in (chosen, other, None):
        tokens.create(guest, "reloj", table=table)
    raised = grant_access(make_user("otto"), other, Role.OWNER)
    Access.objects.filter(pk=raised.pk).update(raised_by=guest)
    tables = guests.move_tables(guest, olga, [chosen.accesses.get().pk])

    assert [chosen] == list(tables)
    assert ([chosen], [other]) == tuple(list(guests.accessible_tables(user)) for user in (olga, guest))
    assert (olga, guest) == tuple(Link.objects.get(pk=made[table].pk).made_by for table in (chosen, other))
    assert {chosen} == {token.table for token in olga.tokens.valid()}
    assert {other, None} == {token.table for token in guest.tokens.valid()}
    assert 1 == guest.sign_in_links.valid().count()
    assert guest == Access.objects.get(pk=raised.pk).raised_by


def test_somebody_elses_access_is_never_moved(guest, olga, owner, table):
    access = table.accesses.get(user=owner)

    assert [] == guests.move_tables(guest, olga, [access.pk])
    assert owner == Access.objects.get(pk=access.pk).user


# --- the hands that the guest offered ----------------------------------------------------------------------


@pytest.fixture
def game(table, owner, guest):
    """A game at Ana's table, where the guest tapped Beto's face tonight."""
    grant_access(guest, table, face="beto", until=now() + timedelta(hours=5))
    return start(table, owner)


def test_the_guests_offered_hand_becomes_the_users_in_place_of_one_from_another_phone(guest, olga, game):
    grant_access(olga, game.table, face="beto")
    for user, hand in ((olga, "[5]"), (guest, "[K 9]")):
        hand_offers.submit(game, SubmittedHand(hand, after=1), by=user)
    move_all_tables(guest, olga)
    offers = hand_offers.load_for_round(game, Snapshot.load(game)).offers

    assert [("olga", "[K 9]")] == [(offer.user.username, offer.hand) for offer in offers["beto"]]
