"""Faces: the member that a user claims to be for tonight."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from games.models import Face, Member, Newcomer, Role
from games.people.access import Visitor, role_at
from games.people.claims import claim
from games.people.deletion import delete_account
from games.people.faces import (
    MOST_NEWCOMERS,
    admit,
    agree,
    face_of,
    leave_face,
    propose,
    refuse,
    tap_face,
    turn_down,
)
from games.people.removals import put_out
from games.scoring.errors import RuleError
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db

TEN_AT_NIGHT = datetime(2026, 7, 9, 22, tzinfo=UTC) + timedelta(hours=3)


@pytest.fixture
def member(table):
    """`member("ana")` is the member with this slug."""
    return lambda slug: Member.objects.get(table=table, slug=slug)


def test_a_tapped_face_is_valid_until_the_night_ends(table, member):
    sofi = make_user("sofi")
    tap_face(member("ana"), sofi, at=TEN_AT_NIGHT)

    assert member("ana") == face_of(sofi, table, TEN_AT_NIGHT + timedelta(hours=5))
    assert face_of(sofi, table, TEN_AT_NIGHT + timedelta(hours=9)) is None


def test_a_user_without_a_tap_has_no_face(table):
    assert face_of(make_user("otto"), table, TEN_AT_NIGHT) is None


def test_a_second_tap_replaces_the_first_face(table, member):
    sofi = make_user("sofi")
    tap_face(member("ana"), sofi, at=TEN_AT_NIGHT)
    tap_face(member("beto"), sofi, at=TEN_AT_NIGHT)

    assert member("beto") == face_of(sofi, table, TEN_AT_NIGHT)
    assert 1 == table.faces.count()


def test_two_phones_can_tap_the_same_face(table, member):
    users = [make_user("sofi"), make_user("otto")]
    for user in users:
        tap_face(member("ana"), user, at=TEN_AT_NIGHT)

    assert [member("ana")] * 2 == [face_of(user, table, TEN_AT_NIGHT) for user in users]


def test_a_confirmed_face_cannot_be_tapped_by_another_phone_tonight(table, member, owner):
    sofi = make_user("sofi")
    let_in_as(sofi, table, Role.WITNESS)
    face = tap_face(member("ana"), sofi, at=TEN_AT_NIGHT)
    face.agreed_at, face.agreed_by = TEN_AT_NIGHT, owner
    face.save()

    with pytest.raises(RuleError, match="Another phone is already Ana"):
        tap_face(member("ana"), make_user("otto"), at=TEN_AT_NIGHT)
    tap_face(member("ana"), make_user("rosa"), at=TEN_AT_NIGHT + timedelta(days=7))


def test_a_confirmed_member_can_tap_no_other_face_and_nobody_else_theirs(table, member):
    sofi = make_user("sofi")
    claim(member("ana"), sofi, is_agreed=True)

    assert member("ana") == face_of(sofi, table, TEN_AT_NIGHT)
    with pytest.raises(RuleError, match="You are already Ana"):
        tap_face(member("beto"), sofi, at=TEN_AT_NIGHT)
    with pytest.raises(RuleError, match="Another phone is already Ana"):
        tap_face(member("ana"), make_user("otto"), at=TEN_AT_NIGHT)


# --- answers of owners and scorers ------------------------------------------------------------------------------------


@pytest.fixture
def tapped(table, member):
    """`tapped("sofi", "ana")` is the face that this user, who watches, tapped tonight."""

    def tap(name, slug):
        user = make_user(name)
        let_in_as(user, table, Role.WITNESS)
        return tap_face(member(slug), user)

    return tap


def test_an_owners_yes_makes_the_tap_a_confirmed_claim_and_ends_other_taps(table, member, owner, tapped):
    sofi, otto = tapped("sofi", "beto"), tapped("otto", "beto")
    agree(sofi, by=owner, role=Role.OWNER)

    assert member("beto").is_of(sofi.user)
    assert (member("beto"), None) == (face_of(sofi.user, table), face_of(otto.user, table))


def test_an_owners_yes_to_a_tap_overrides_another_users_unconfirmed_claim(table, member, owner, tapped):
    claim(member("beto"), make_user("wanda"), is_agreed=False)
    sofi = tapped("sofi", "beto")
    agree(sofi, by=owner, role=Role.OWNER)

    assert member("beto").is_of(sofi.user)


def test_an_owners_yes_to_a_tap_confirms_the_same_users_claim(member, owner, tapped):
    sofi = tapped("sofi", "beto")
    claim(member("beto"), sofi.user, is_agreed=False)
    agree(sofi, by=owner, role=Role.OWNER)

    assert member("beto").is_of(sofi.user)


def test_a_scorers_yes_confirms_the_tap_for_tonight_without_access_to_the_accounts(
    table, member, tapped, owner
):
    sofi = tapped("sofi", "beto")
    agree(sofi, by=owner, role=Role.SCORER)

    assert (None, owner) == (member("beto").user, table.faces.get().agreed_by)
    assert not Visitor(sofi.user).sees_accounts(table, Role.WITNESS)
    with pytest.raises(RuleError, match="Another phone is already Beto"):
        tapped("otto", "beto")


def test_a_scorer_can_confirm_two_phones_of_one_face_but_not_their_own(table, tapped, owner):
    sonia = tapped("sonia", "caro")
    for face in (tapped("sofi", "beto"), tapped("otto", "beto")):
        agree(face, by=sonia.user, role=Role.SCORER)
    with pytest.raises(RuleError, match="Another scorekeeper has to confirm that you are Caro"):
        agree(sonia, by=sonia.user, role=Role.SCORER)

    assert 2 == table.faces.exclude(agreed_at=None).count()


def test_a_confirmed_face_can_be_released_only_by_its_user_or_an_owner(table, tapped, owner):
    sofi = tapped("sofi", "beto")
    agree(sofi, by=owner, role=Role.SCORER)
    with pytest.raises(RuleError, match="A confirmed face can only be released"):
        refuse(sofi, by=make_user("sonia"), role=Role.SCORER)
    refuse(sofi, by=owner, role=Role.OWNER)
    assert 0 == table.faces.count()

    again = tap_face(sofi.member, sofi.user)
    agree(again, by=owner, role=Role.SCORER)
    leave_face(table, sofi.user)
    assert face_of(sofi.user, table) is None


def test_a_no_ends_the_tap_and_the_user_can_tap_again(table, member, tapped, owner):
    sofi = tapped("sofi", "beto")
    refuse(sofi, by=owner, role=Role.SCORER)
    assert face_of(sofi.user, table) is None

    tap_face(member("caro"), sofi.user)
    assert member("caro") == face_of(sofi.user, table)


@pytest.mark.parametrize("act", [agree, refuse])
def test_an_answer_to_a_tap_that_changed_meanwhile_is_refused(table, member, tapped, owner, act):
    sofi = tapped("sofi", "beto")
    tap_face(member("caro"), sofi.user)
    with pytest.raises(RuleError, match="this has changed meanwhile"):
        act(sofi, by=owner, role=Role.OWNER)

    otto = tapped("otto", "dani")
    put_out(table.grants.get(user=otto.user), by=owner)
    with pytest.raises(RuleError, match="this has changed meanwhile"):
        act(otto, by=owner, role=Role.OWNER)
    assert None is member("dani").user


def test_every_tap_and_answer_raises_the_tables_revision(table, member, tapped, owner):
    def version():
        table.refresh_from_db()
        return table.revision

    versions = [version()]
    sofi = tapped("sofi", "beto")
    for act in (
        lambda: agree(sofi, by=owner, role=Role.SCORER),
        lambda: refuse(sofi, by=owner, role=Role.OWNER),
        lambda: propose(table, sofi.user, "Lucho"),
        lambda: leave_face(table, sofi.user),
    ):
        versions.append(version())
        act()
    versions.append(version())

    assert sorted(set(versions)) == versions


def test_a_newcomer_added_by_an_owner_is_the_claimed_member_of_their_phone(table, tapped, owner):
    lucho = tapped("lucho", "beto").user
    newcomer = propose(table, lucho, "Lucho")
    assert face_of(lucho, table) is None
    admit(newcomer, by=owner)

    added = table.members.get(name="Lucho")
    assert (True, added, 0) == (added.is_of(lucho), face_of(lucho, table), table.newcomers.count())


def test_adding_a_newcomer_with_a_name_like_a_members_needs_a_confirmation(table, tapped, owner):
    newcomer = propose(table, tapped("lucho", "beto").user, "Aná")
    with pytest.raises(RuleError, match="Is Aná another person"):
        admit(newcomer, by=owner)
    admit(newcomer, by=owner, apart=["Aná"])

    assert 1 == table.members.filter(name="Aná").count()


def test_a_rejected_newcomer_stays_a_witness(table, tapped):
    lucho = tapped("lucho", "beto").user
    turn_down(propose(table, lucho, "Lucho"))

    assert (0, Role.WITNESS) == (table.newcomers.count(), role_at(lucho, table))


def test_the_number_of_waiting_newcomers_is_limited(table, tapped):
    for number in range(MOST_NEWCOMERS):
        propose(table, tapped(f"user{number}", "beto").user, f"Lucho {number}")
    with pytest.raises(RuleError, match="Too many names are waiting"):
        propose(table, tapped("pepe", "beto").user, "Pepe")


def test_clean_deletes_old_faces_and_newcomers_and_keeps_those_of_tonight(table, tapped):
    for name, days in (("sofi", 0), ("otto", 5)):
        face = tapped(name, "beto")
        Face.objects.filter(pk=face.pk).update(night=face.night - timedelta(days=days))
    newcomer = propose(table, tapped("lucho", "beto").user, "Lucho")
    Newcomer.objects.filter(pk=newcomer.pk).update(night=newcomer.night - timedelta(days=5))
    call_command("clean", stdout=StringIO())

    assert (["sofi"], 0) == ([face.user.username for face in Face.objects.all()], Newcomer.objects.count())


def test_deleting_an_account_deletes_its_faces_and_newcomers(table, tapped):
    sofi, lucho = tapped("sofi", "beto").user, tapped("lucho", "beto").user
    propose(table, lucho, "Lucho")
    for user in (sofi, lucho):
        delete_account(user)

    assert (0, 0) == (Face.objects.count(), Newcomer.objects.count())
