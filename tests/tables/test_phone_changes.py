"""An owner's new phone: the pen for tonight, and the table beside the old phone if that one is silent."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils.timezone import now

from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Role, Vouch
from games.scoring.errors import RuleError
from games.tables.services import (
    authorization,
    confirmations,
    links,
    lobby,
    membership,
    phone_changes,
    takeovers,
)
from games.tables.services.authorization import NoAccess, Visitor
from tests.factories import SECRET, confirm_as_member, make_table, make_user, start

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 25, 22, tzinfo=ZoneInfo("America/Argentina/Buenos_Aires"))
A_WEEK = timedelta(days=7, minutes=1)


@pytest.fixture(autouse=True)
def evening(time_machine):
    time_machine.move_to(EVENING, tick=False)


@pytest.fixture
def friends(table, owner, members_by_slug, evening):
    """Ana, the only owner, a guest without a password; Beto, who records; Caro and Dani. All from earlier nights."""
    earlier = EVENING - timedelta(days=7)
    confirm_as_member(owner, members_by_slug["ana"], earlier)
    known = {
        slug: confirm_as_member(make_user(f"user_{slug}"), members_by_slug[slug], earlier).user
        for slug in ("beto", "caro", "dani")
    }
    Access.objects.filter(user=known["beto"]).update(role=Role.SCORER)
    return {"ana": owner, **known}


@pytest.fixture
def claim(table, friends, members_by_slug):
    """The access of Ana's new phone, which came by tonight's link and tapped her face."""
    until = links.get_or_create_tonight(table, by=friends["ana"]).expires_at
    return lobby.enter(table, make_user("nueva"), until=until, face=members_by_slug["ana"])


def reload(access):
    return Access.objects.select_related("table", "user", "member__merged_into").get(pk=access.pk)


def open_table(user, table):
    """Request a page of the table, and return the role."""
    return authorization.get_table(user, table.code)[1]


def is_owned_beside(claim, friends, table):
    """Return whether the new phone owns the table now, and the old one too."""
    return (
        open_table(claim.user, table) is Role.OWNER
        and table.accesses.owners().filter(user=friends["ana"]).exists()
    )


# --- tonight --------------------------------------------------------------------------------------------------------


def test_who_records_gives_the_new_phone_the_pen_and_the_old_access_stays(table, friends, claim):
    phone_changes.lend_pen(claim, by=friends["beto"])

    assert claim.user == table.pens.valid().get().user
    assert (Role.WITNESS, False) == (reload(claim).role, reload(claim).is_confirmed)
    assert Role.OWNER == authorization.find_role(friends["ana"], table)
    game = start(table, friends["ana"])
    assert game == authorization.get_game(Visitor(claim.user), game.code, for_recording=True)[0]


def test_who_made_them_an_owner_confirms_it_as_before(table, friends, members_by_slug):
    lobby.set_role(table.accesses.get(user=friends["caro"]), Role.OWNER, by=friends["ana"])
    until = now() + timedelta(hours=5)
    new = lobby.enter(table, make_user("nueva"), until=until, face=members_by_slug["caro"])
    with pytest.raises(ConcurrentChange):
        phone_changes.lend_pen(new, by=friends["ana"])
    confirmations.confirm(new, by=friends["ana"], member=members_by_slug["caro"])

    assert (Role.OWNER, None) == (reload(new).role, authorization.find_role(friends["caro"], table))


def test_only_who_records_gives_the_pen_and_only_to_an_owners_new_phone(
    table, friends, claim, members_by_slug
):
    with pytest.raises(RoleRequired):
        phone_changes.lend_pen(claim, by=friends["caro"])
    until = now() + timedelta(hours=5)
    other = lobby.enter(table, make_user("otra"), until=until, face=members_by_slug["caro"])
    with pytest.raises(ConcurrentChange):
        phone_changes.lend_pen(other, by=friends["beto"])


def test_a_no_takes_the_pen_and_what_others_said(table, friends, claim):
    phone_changes.lend_pen(claim, by=friends["beto"])
    phone_changes.vouch(claim, by=friends["caro"])
    confirmations.remove_identity(reload(claim), by=friends["beto"])

    assert not table.pens.valid().exists()
    assert (0, None) == (Vouch.objects.count(), reload(claim).vouched_at)
    assert EVENING.replace(day=26, hour=6) == reload(claim).until


# --- in seven days --------------------------------------------------------------------------------------------------


@pytest.fixture
def vouched(claim, friends):
    """The new phone, after two people said that it is Ana's."""
    phone_changes.lend_pen(claim, by=friends["beto"])
    assert reload(claim).vouched_at is None
    phone_changes.vouch(claim, by=friends["caro"])
    return reload(claim)


def test_after_seven_days_of_silence_the_new_phone_owns_beside_the_old_one(
    table, friends, vouched, time_machine, members_by_slug
):
    time_machine.move_to(EVENING + timedelta(days=6, hours=23), tick=False)
    assert Role.WITNESS == open_table(vouched.user, table)
    time_machine.move_to(EVENING + A_WEEK, tick=False)

    assert is_owned_beside(vouched, friends, table)
    assert (members_by_slug["ana"], True) == (reload(vouched).person, reload(vouched).is_lasting)
    with pytest.raises(RuleError, match="after sixty days"):
        takeovers.check_can_erase(reload(vouched))


def test_any_owner_undoes_it(table, friends, vouched, time_machine):
    time_machine.move_to(EVENING + A_WEEK, tick=False)
    open_table(vouched.user, table)
    lobby.revoke(reload(vouched), by=friends["ana"])

    assert authorization.find_role(vouched.user, table) is None
    assert Role.OWNER == authorization.find_role(friends["ana"], table)


@pytest.mark.parametrize("minutes", [1, 6 * 24 * 60])
@pytest.mark.parametrize("where", ["the table", "a game", "another table", "the first page"])
def test_any_request_of_the_old_phone_ends_it_the_same_day_included(
    table, friends, vouched, time_machine, minutes, where, client_for
):
    other = make_table(friends["ana"], name="Otra")
    game = start(table, friends["ana"])
    open_table(friends["ana"], other)
    Access.objects.filter(user=friends["ana"]).update(opened_on=EVENING.date())
    time_machine.move_to(EVENING + timedelta(minutes=minutes), tick=False)
    match where:
        case "the table":
            open_table(friends["ana"], table)
        case "a game":
            authorization.get_game(Visitor(friends["ana"]), game.code)
        case "another table":
            open_table(friends["ana"], other)
        case "the first page":
            client_for(friends["ana"]).get("/")
    assert (None, 0) == (reload(vouched).vouched_at, Vouch.objects.count())

    time_machine.move_to(EVENING + A_WEEK + timedelta(days=7), tick=False)
    with pytest.raises(NoAccess):  # it watched on only for that
        open_table(vouched.user, table)


def test_an_owner_with_a_password_signs_in_instead(table, friends, claim):
    friends["ana"].set_password(SECRET)
    friends["ana"].save()
    phone_changes.lend_pen(claim, by=friends["beto"])

    assert 0 == Vouch.objects.count()
    with pytest.raises(RoleRequired):
        phone_changes.vouch(claim, by=friends["caro"])


def test_the_full_yes_of_the_old_phone_settles_it(table, friends, vouched, members_by_slug):
    confirmations.confirm(vouched, by=friends["ana"], member=members_by_slug["ana"])

    assert (Role.OWNER, None, 0) == (reload(vouched).role, reload(vouched).vouched_at, Vouch.objects.count())
    assert authorization.find_role(friends["ana"], table) is None


# --- attacks --------------------------------------------------------------------------------------------------------


def test_two_people_confirmed_tonight_do_not_count(table, friends, claim, members_by_slug):
    membership.add(table, "Eva"), membership.add(table, "Fer")
    until = now() + timedelta(hours=5)
    for slug in ("eva", "fer"):
        face = table.members.get(slug=slug)
        phone = lobby.enter(table, make_user(slug), until=until, face=face)
        confirmations.confirm(phone, by=friends["beto"], member=face)
        with pytest.raises(RoleRequired):
            phone_changes.vouch(claim, by=phone.user)


def test_one_person_says_it_once_from_two_phones_or_as_two_merged_members(
    table, friends, claim, members_by_slug
):
    second = confirm_as_member(make_user("caro2"), members_by_slug["caro"], EVENING - timedelta(days=7)).user
    Access.objects.filter(user=friends["caro"]).update(confirmed_at=EVENING - timedelta(days=7))
    members_by_slug["dani"].merged_into = members_by_slug["caro"]
    members_by_slug["dani"].save()
    for user in (friends["caro"], second, friends["dani"], friends["caro"]):
        phone_changes.vouch(claim, by=user)

    assert (1, None) == (takeovers.count_vouchers(reload(claim)), reload(claim).vouched_at)


def test_what_somebody_said_counts_only_while_they_are_confirmed(table, friends, vouched, time_machine):
    lobby.revoke(table.accesses.get(user=friends["caro"]), by=friends["ana"])
    time_machine.move_to(EVENING + A_WEEK, tick=False)

    assert Role.WITNESS == open_table(vouched.user, table)
    assert reload(vouched).vouched_at is None


def test_a_retired_member_and_the_claimant_say_nothing(table, friends, claim, members_by_slug):
    membership.retire(members_by_slug["dani"])

    for user in (friends["dani"], claim.user):
        with pytest.raises(RoleRequired):
            phone_changes.vouch(claim, by=user)


def test_a_phone_that_claims_somebody_else_since_takes_nothing_along(
    table, friends, vouched, time_machine, members_by_slug
):
    lobby.claim(table, vouched.user, face=members_by_slug["dani"])
    time_machine.move_to(EVENING + timedelta(hours=1), tick=False)

    assert (0, None) == (Vouch.objects.count(), reload(vouched).vouched_at)
    assert not table.pens.valid().exists()
