"""Guests play without an account; when they sign in on their phone, their tables move to the account."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models.signals import post_save
from django.utils.timezone import now

from games.models import Grant, Role
from games.people.access import role_at
from games.people.claims import claim
from games.people.deletion import delete_account
from games.people.faces import agree, face_of, propose, tap_face
from games.people.guests import bring_along, make_guest, tables_open_to
from games.people.invitations import accept_invite, make_invite
from games.people.removals import revoke_invite
from games.play import recording as services
from games.play.hands import SentHand, hands_of, offer_hand
from games.play.snapshot import Snapshot
from tests.tables import a_key, a_round, make_table, make_user, start

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_a_guest_has_no_password():
    one, other = make_guest(), make_guest()

    assert one != other
    assert not one.has_usable_password()


def test_a_form_sent_twice_makes_one_guest():
    assert make_guest("k") == make_guest("k")
    assert make_guest("k") != make_guest("other")


def test_a_concurrent_second_tap_gets_the_same_guest():
    taps = []

    def tap_again(**_how):
        post_save.disconnect(tap_again, sender=User)
        taps.append(make_guest("k"))

    post_save.connect(tap_again, sender=User)
    taps.append(make_guest("k"))

    assert [User.objects.get()] * 2 == taps


# --- signing in -------------------------------------------------------------------------------------------------------


@pytest.fixture
def guest():
    return make_guest()


@pytest.fixture
def olga():
    return make_user("olga")


@pytest.fixture
def table(guest):
    return make_table(guest)


def grant(table, user, role, *, lasts=None):
    Grant.objects.update_or_create(
        user=user, table=table, defaults={"role": role, "expires_at": lasts and now() + lasts}
    )


def test_a_guests_table_belongs_to_the_user_who_signs_in(guest, olga, table):
    bring_along(guest, olga)

    assert (Role.OWNER, None) == (role_at(olga, table), role_at(guest, table))
    assert [] == list(tables_open_to(guest))


@pytest.mark.parametrize(
    ("as_guest", "as_user", "after"),
    [
        (Role.SCORER, Role.WITNESS, Role.SCORER),
        (Role.WITNESS, Role.SCORER, Role.SCORER),
        (Role.OWNER, Role.OWNER, Role.OWNER),
    ],
)
def test_of_the_guests_and_the_users_role_the_stronger_is_kept(guest, olga, as_guest, as_user, after):
    table = make_table(make_user("ana"))
    grant(table, guest, as_guest)
    grant(table, olga, as_user)
    bring_along(guest, olga)

    assert (after, None) == (role_at(olga, table), role_at(guest, table))


@pytest.mark.parametrize(("as_guest", "as_user"), [(DAY, 2 * DAY), (2 * DAY, DAY), (None, DAY), (DAY, None)])
def test_of_the_guests_and_the_users_witness_grant_the_longer_is_kept(guest, olga, as_guest, as_user):
    table = make_table(make_user("ana"))
    grant(table, guest, Role.WITNESS, lasts=as_guest)
    grant(table, olga, Role.WITNESS, lasts=as_user)
    bring_along(guest, olga)
    kept = table.grants.get(user=olga).expires_at

    is_for_good = None in (as_guest, as_user)
    assert is_for_good if kept is None else kept > now() + DAY + DAY / 2


def test_an_expired_grant_of_the_guest_does_not_move_to_the_user(guest, olga):
    table = make_table(make_user("ana"))
    grant(table, guest, Role.WITNESS, lasts=-DAY)
    bring_along(guest, olga)

    assert role_at(olga, table) is None


def test_a_grant_moved_to_the_user_still_ends_with_its_invitation(guest, olga):
    ana = make_user("ana")
    table = make_table(ana)
    invite, _token = make_invite(table, Role.SCORER, lasts=DAY, by=ana)
    accept_invite(invite, guest)
    bring_along(guest, olga)
    assert Role.SCORER == role_at(olga, table)
    revoke_invite(invite, by=ana)

    assert role_at(olga, table) is None


def test_the_guests_claim_moves_to_the_user(guest, olga, table):
    claim(table.members.get(slug="ana"), guest, is_agreed=True)
    bring_along(guest, olga)

    assert table.members.get(slug="ana").is_of(olga)


def test_a_user_with_a_claim_keeps_that_and_the_guests_claim_ends(guest, olga, table):
    grant(table, olga, Role.SCORER)
    claim(table.members.get(slug="ana"), guest, is_agreed=True)
    claim(table.members.get(slug="beto"), olga, is_agreed=False)
    bring_along(guest, olga)

    assert ["beto"] == list(table.members.filter(user=olga).values_list("slug", flat=True))
    assert (None, None) == table.members.values_list("user", "claimed_at").get(slug="ana")


# --- a guest who tapped a face ---------------------------------------------------------------------------------------


@pytest.fixture
def ana():
    return make_user("ana")


@pytest.fixture
def game(ana, guest):
    """A game at Ana's table, at which the guest tapped Beto's face tonight."""
    table = make_table(ana)
    grant(table, guest, Role.WITNESS)
    tap_face(table.members.get(slug="beto"), guest)
    return start(table, ana)


def offer(game, user, text, *, at=None):
    return offer_hand(game, SentHand(text, after=game.records.count()), by=user, at=at)


def standing(game):
    """Return the hands that stand, with their users."""
    hands = hands_of(game, Snapshot.read(game))
    return {player: [(one.user.username, one.hand) for one in some] for player, some in hands.offers.items()}


def test_the_guests_face_and_offered_hand_move_to_the_user(guest, olga, ana, game):
    agree(game.table.faces.get(), by=ana, role=Role.SCORER)
    sent = offer(game, guest, "[K 9]")
    bring_along(guest, olga)

    assert (game.table.members.get(slug="beto"), None) == (
        face_of(olga, game.table),
        face_of(guest, game.table),
    )
    assert game.table.faces.get().agreed_at is not None
    assert {"beto": [("olga", "[K 9]")]} == standing(game)
    round_played = a_round("ana", beto=19, caro=7, dani=9)
    services.record(game, round_played, after=1, key=a_key(), by=ana, brought=[sent.pk])
    assert ["olga"] == [source.brought_by.username for source in game.hand_sources.all()]


def test_the_source_of_a_recorded_hand_stays_with_the_guest(guest, olga, ana, game):
    sent = offer(game, guest, "[K 9]")
    round_played = a_round("ana", beto=19, caro=7, dani=9)
    services.record(game, round_played, after=1, key=a_key(), by=ana, brought=[sent.pk])
    bring_along(guest, olga)

    assert [guest] == [source.brought_by for source in game.hand_sources.all()]


@pytest.mark.parametrize(("minutes", "kept"), [(-1, "[K 9]"), (1, "[5]")])
def test_of_the_guests_and_the_users_offered_hand_the_newer_is_kept(guest, olga, game, minutes, kept):
    grant(game.table, olga, Role.WITNESS)
    tap_face(game.table.members.get(slug="beto"), olga)
    sent = offer(game, guest, "[K 9]")
    offer(game, olga, "[5]", at=sent.offered_at + timedelta(minutes=minutes))
    bring_along(guest, olga)

    assert {"beto": [("olga", kept)]} == standing(game)


@pytest.mark.parametrize("is_agreed", [True, False])
def test_a_user_who_claimed_another_member_keeps_that_and_the_guests_face_and_hand_end(
    guest, olga, game, is_agreed
):
    grant(game.table, olga, Role.WITNESS)
    claim(game.table.members.get(slug="caro"), olga, is_agreed=is_agreed)
    offer(game, guest, "[K 9]")
    bring_along(guest, olga)

    assert (0, {}) == (game.table.faces.count(), standing(game))


def test_the_guests_newcomer_entry_ends_if_the_user_has_a_claim(guest, olga, game):
    grant(game.table, olga, Role.WITNESS)
    propose(game.table, guest, "Zoe")
    claim(game.table.members.get(slug="caro"), olga, is_agreed=True)
    bring_along(guest, olga)

    assert 0 == game.table.newcomers.count()


def test_the_guests_newcomer_entry_moves_to_the_user(guest, olga, game):
    propose(game.table, guest, "Zoe")
    bring_along(guest, olga)

    assert [("olga", "Zoe")] == [(one.user.username, one.name) for one in game.table.newcomers.all()]


def test_a_deleted_account_leaves_no_offered_hand(guest, game):
    offer(game, guest, "[K 9]")
    delete_account(guest)

    assert 0 == game.offers.count()
