"""Tonight's invitation: made and shown by owners, shown by scorers, valid until the night ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import override_settings

from games.models import Face, Grant, Invite, Newcomer, Role
from games.people.access import role_at
from games.people.claims import claim
from games.people.faces import agree, face_of
from games.people.guests import bring_along, make_guest
from games.people.invitations import InviteGone, find_invite, hash_of
from games.people.removals import put_out, revoke_invite, undo_removal
from games.people.tonight import come_in, night_token, show_tonight, standing_tonight
from games.scoring.errors import RuleError
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db

TEN_AT_NIGHT = datetime(2026, 7, 10, 1, tzinfo=UTC)  # 22:00 in Buenos Aires
SIX = datetime(2026, 7, 10, 9, tzinfo=UTC)  # when that night ends


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(TEN_AT_NIGHT, tick=False) as traveller:
        yield traveller


@pytest.fixture
def invite(table, owner):
    return show_tonight(table, by=owner)


@pytest.fixture
def sonia(table):
    """Return a user who is a scorer and no owner."""
    user = make_user("sonia")
    let_in_as(user, table, Role.SCORER)
    return user


def test_tonights_invitation_is_for_witnesses_until_six_and_has_the_same_link_each_time(table, owner, invite):
    again = show_tonight(table, by=owner)

    assert (invite, night_token(invite)) == (again, night_token(again))
    assert (Role.WITNESS, SIX) == (again.role, again.expires_at)
    assert again == find_invite(night_token(again), None)


def test_the_token_of_tonights_invitation_is_derived_from_its_row_and_only_its_hash_is_stored(table, invite):
    token = night_token(invite)

    assert hash_of(token) == invite.token_hash
    assert 32 == len(token)
    others = [Invite(**{**stored(invite), **change}) for change in ({"pk": 99}, {"made_at": SIX})]
    assert token not in [night_token(other) for other in others]


def stored(invite):
    return Invite.objects.filter(pk=invite.pk).values().get()


def test_after_a_change_of_the_secret_key_the_old_link_works_and_a_new_one_is_shown(table, owner, invite):
    token = night_token(invite)
    with override_settings(SECRET_KEY="another"):
        assert standing_tonight(table) is None
        assert invite != show_tonight(table, by=owner)
        assert invite == find_invite(token, None)


def test_an_invitation_shown_shortly_before_six_lasts_two_hours(table, owner, clock):
    clock.move_to(SIX - timedelta(minutes=30))

    assert SIX + timedelta(minutes=90) == show_tonight(table, by=owner).expires_at


def test_an_invitation_shown_again_by_a_scorer_shortly_before_six_lasts_two_hours(
    table, sonia, invite, clock
):
    clock.move_to(SIX - timedelta(minutes=30))

    assert SIX + timedelta(minutes=90) == show_tonight(table, by=sonia).expires_at


def test_a_scorer_can_show_tonights_invitation_but_not_make_one(table, owner, sonia):
    with pytest.raises(RuleError, match="An owner has to show the code first"):
        show_tonight(table, by=sonia)
    assert 0 == table.invites.count()

    assert show_tonight(table, by=owner) == show_tonight(table, by=sonia)


def test_the_next_night_has_a_new_invitation(table, owner, sonia, invite, clock):
    clock.move_to(SIX + timedelta(minutes=1))

    assert find_invite(night_token(invite), None) is None
    with pytest.raises(RuleError):
        show_tonight(table, by=sonia)
    assert invite != show_tonight(table, by=owner)


def test_tonights_invitation_ends_with_its_makers_grant(table, owner, invite):
    other = make_user("oscar")
    let_in_as(other, table, Role.OWNER)
    put_out(table.grants.get(user=other), by=owner)
    assert invite == standing_tonight(table)

    table.grants.filter(user=owner).update(expires_at=TEN_AT_NIGHT)
    assert standing_tonight(table) is None


def test_a_guest_who_taps_a_face_is_a_witness_until_the_invitation_expires(table, who, invite, clock):
    sofi = make_guest()
    come_in(invite, sofi, member=who["beto"])
    assert (Role.WITNESS, who["beto"]) == (role_at(sofi, table), face_of(sofi, table))

    clock.move_to(SIX)
    assert role_at(sofi, table) is None


def test_a_guest_who_taps_a_claimed_face_gets_no_access(table, who, invite):
    claim(who["ana"], make_user("olga"), is_agreed=True)
    guest = make_guest()
    with pytest.raises(RuleError, match="Another phone is already Ana"):
        come_in(invite, guest, member=who["ana"])

    assert (None, 0) == (role_at(guest, table), Face.objects.count())


def test_a_scorer_who_uses_tonights_invitation_stays_a_scorer(table, sonia, who, invite):
    come_in(invite, sonia, member=who["caro"])

    assert Role.SCORER == role_at(sonia, table)
    assert table.grants.get(user=sonia).expires_at is None


def test_tonights_invitation_extends_a_shorter_grant_and_does_not_shorten_a_longer_one(table, who, invite):
    for number, (until, kept) in enumerate(
        [(SIX - timedelta(hours=3), SIX), (SIX + timedelta(hours=9), SIX + timedelta(hours=9))]
    ):
        user = make_user(f"user{number}")
        Grant.objects.create(user=user, table=table, role=Role.WITNESS, expires_at=until)
        come_in(invite, user)

        assert kept == table.grants.get(user=user).expires_at


def test_a_guest_confirmed_by_an_owner_keeps_access_beyond_the_night(table, owner, who, invite, clock):
    sofi = make_guest()
    come_in(invite, sofi, member=who["beto"])
    agree(table.faces.get(), by=owner, role=Role.OWNER)
    clock.shift(timedelta(days=3))

    assert (Role.WITNESS, "Beto") == (role_at(sofi, table), sofi.__class__.objects.get(pk=sofi.pk).first_name)


@pytest.mark.parametrize("role", [Role.OWNER, Role.SCORER])
def test_revoking_tonights_invitation_removes_only_unconfirmed_guests(table, owner, sonia, who, invite, role):
    beto, stranger = make_guest(), make_guest()
    come_in(invite, beto, member=who["beto"])
    agree(table.faces.get(), by=owner if role is Role.OWNER else sonia, role=role)
    come_in(invite, stranger)
    revoke_invite(invite, by=owner)

    assert (Role.WITNESS, None) == (role_at(beto, table), role_at(stranger, table))


def test_a_removed_guest_cannot_use_tonights_invitation_again_and_their_face_is_free(
    table, owner, who, invite
):
    otto, sofi = make_guest(), make_guest()
    come_in(invite, otto, member=who["beto"])
    agree(table.faces.get(), by=owner, role=Role.SCORER)
    removal = put_out(table.grants.get(user=otto), by=owner)
    assert find_invite(night_token(invite), otto) is None
    with pytest.raises(InviteGone):
        come_in(invite, otto, member=who["caro"])

    undo_removal(removal, by=owner)
    assert who["beto"] == face_of(otto, table)
    put_out(table.grants.get(user=otto), by=owner)
    come_in(show_tonight(table, by=owner), sofi, member=who["beto"])
    assert who["beto"] == face_of(sofi, table)


def test_a_guests_face_moves_to_the_account(table, who, invite):
    guest, sofi = make_guest(), make_user("sofi")
    come_in(invite, guest, member=who["beto"])
    bring_along(guest, sofi)

    assert who["beto"] == face_of(sofi, table)


def test_a_guest_who_enters_a_name_becomes_a_witness_and_a_waiting_newcomer(table, invite):
    lucho = make_guest()
    come_in(invite, lucho, name=" Lucho ")

    assert ["Lucho"] == list(Newcomer.objects.values_list("name", flat=True))
    assert (Role.WITNESS, None) == (role_at(lucho, table), face_of(lucho, table))


@pytest.mark.parametrize(
    ("name", "refusal"), [("", "Enter a name"), ("ana", "Ana is already here: tap their face")]
)
def test_an_empty_name_or_a_members_name_is_refused(table, invite, name, refusal):
    with pytest.raises(RuleError, match=refusal):
        come_in(invite, make_guest(), name=name)
    assert 0 == Newcomer.objects.count()
