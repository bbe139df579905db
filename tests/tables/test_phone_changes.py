"""An owner's new phone: the pen for tonight, and the table beside the old phone if that one is silent."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from games.common import locks
from games.common.locks import ConcurrentChange
from games.common.roles import RoleRequired
from games.models import Access, Pen, Role, Table, Vouch
from games.scoring.errors import RuleError
from games.tables.services import (
    authorization,
    confirmation_undo,
    confirmations,
    links,
    lobby,
    membership,
    phone_changes,
    takeovers,
    tokens,
    vouches,
)
from games.tables.services.authorization import NoAccess, Visitor
from tests.databases import FULL, NOT_STORED, refuse_writes
from tests.factories import (
    SECRET,
    confirm_as_member,
    make_table,
    make_user,
    move_all_tables,
    reload_access,
    start,
)
from tests.tables.conftest import EVENING

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("evening")]

A_WEEK = timedelta(days=7, minutes=1)


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
    assert (Role.WITNESS, False) == (reload_access(claim).role, reload_access(claim).is_confirmed)
    assert Role.OWNER == authorization.find_role(friends["ana"], table)
    game = start(table, friends["ana"])
    assert game == authorization.get_game(Visitor(claim.user), game.code, for_recording=True)[0]


def test_giving_the_pen_and_vouching_raise_the_revision(table, friends, claim):
    revisions = [Table.objects.get(pk=table.pk).revision]
    for give, giver in ((phone_changes.lend_pen, "beto"), (phone_changes.vouch, "caro")):
        give(claim, by=friends[giver])
        revisions.append(Table.objects.get(pk=table.pk).revision)

    assert revisions == sorted(set(revisions))


def test_a_phone_that_ended_since_gets_nothing(table, friends, claim):
    lobby.revoke(claim, by=friends["ana"])

    with pytest.raises(ConcurrentChange):
        phone_changes.lend_pen(claim, by=friends["beto"])


def test_who_made_them_an_owner_confirms_it_as_before(table, friends, members_by_slug):
    lobby.set_role(table.accesses.get(user=friends["caro"]), Role.OWNER, by=friends["ana"])
    until = now() + timedelta(hours=5)
    new = lobby.enter(table, make_user("nueva"), until=until, face=members_by_slug["caro"])
    with pytest.raises(ConcurrentChange):
        phone_changes.lend_pen(new, by=friends["ana"])
    confirmations.confirm(new, by=friends["ana"], member=members_by_slug["caro"])

    assert (Role.OWNER, None) == (reload_access(new).role, authorization.find_role(friends["caro"], table))


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
    confirmations.remove_identity(reload_access(claim), by=friends["beto"])

    assert not table.pens.valid().exists()
    assert 0 == Vouch.objects.count()
    assert EVENING.replace(day=26, hour=6) == reload_access(claim).until


# --- in seven days --------------------------------------------------------------------------------------------------


@pytest.fixture
def vouched(claim, friends):
    """The new phone, after two people said that it is Ana's."""
    phone_changes.lend_pen(claim, by=friends["beto"])
    phone_changes.vouch(claim, by=friends["caro"])
    return reload_access(claim)


@pytest.fixture
def root(table, friends):
    """Root, the second owner, whom Ana made one."""
    access = confirm_as_member(make_user("root"), membership.add(table, "Root"), EVENING - timedelta(days=7))
    lobby.set_role(access, Role.OWNER, by=friends["ana"])
    return access.user


def takes_over(access):
    """Return whether a request of this phone makes it an owner's; it may have ended meanwhile."""
    with suppress(NoAccess):
        open_table(access.user, access.table)
    return reload_access(access).role == Role.OWNER


def wait_for_a_week(time_machine):
    time_machine.move_to(EVENING + A_WEEK, tick=False)


def test_after_seven_days_of_silence_the_new_phone_owns_beside_the_old_one(
    table, friends, vouched, time_machine, members_by_slug
):
    time_machine.move_to(EVENING + timedelta(days=6, hours=23), tick=False)
    assert Role.WITNESS == open_table(vouched.user, table)
    wait_for_a_week(time_machine)

    assert is_owned_beside(vouched, friends, table)
    assert (members_by_slug["ana"], True) == (
        reload_access(vouched).person,
        reload_access(vouched).is_lasting,
    )
    with pytest.raises(RuleError, match="after sixty days"):
        takeovers.check_can_erase(reload_access(vouched))


def test_owning_it_ends_what_was_asked_said_and_lent_before(table, friends, vouched, time_machine):
    """Dani asked to own the table, and the new phone has the pen of that evening."""
    wait_for_a_week(time_machine)
    table.accesses.filter(user=friends["dani"]).update(asked_at=now())
    phone_changes.lend_pen(vouched, by=friends["beto"])
    assert takes_over(vouched)

    assert (0, None) == (Vouch.objects.count(), table.accesses.get(user=friends["dani"]).asked_at)
    assert not table.pens.filter(ended_at=None).exists()


def test_a_request_of_the_old_phone_raises_the_revision(table, friends, vouched, client_for):
    before = Table.objects.get(pk=table.pk).revision
    client_for(friends["ana"]).get("/")

    assert (before + 1, 0) == (Table.objects.get(pk=table.pk).revision, Vouch.objects.count())


def test_nobody_vouches_for_who_is_confirmed(table, friends, claim, members_by_slug):
    confirmations.confirm(claim, by=friends["ana"], member=members_by_slug["ana"], is_tonight=True)

    with pytest.raises(RoleRequired):
        phone_changes.vouch(reload_access(claim), by=friends["caro"])


@pytest.mark.parametrize("last", [*NOT_STORED])
def test_it_owns_nothing_by_a_request_that_could_not_store_it(table, friends, vouched, time_machine, last):
    wait_for_a_week(time_machine)
    with refuse_writes(FULL, NOT_STORED[last]):
        assert Role.WITNESS == open_table(vouched.user, table)
    assert (Role.WITNESS, 2) == (reload_access(vouched).role, Vouch.objects.count())

    assert is_owned_beside(vouched, friends, table)


def test_a_request_of_the_old_phone_that_could_not_be_stored_ends_it_by_the_next_one(
    friends, vouched, client_for
):
    phone = client_for(friends["ana"])
    with refuse_writes(FULL, 'DELETE FROM "games_vouch"'):
        assert 200 == phone.get("/").status_code
    assert 2 == Vouch.objects.count()
    phone.get("/")

    assert 0 == Vouch.objects.count()


def test_any_owner_undoes_it(table, friends, vouched, time_machine):
    wait_for_a_week(time_machine)
    open_table(vouched.user, table)
    lobby.revoke(reload_access(vouched), by=friends["ana"])

    assert authorization.find_role(vouched.user, table) is None
    assert Role.OWNER == authorization.find_role(friends["ana"], table)


@pytest.mark.parametrize(
    ("minutes", "where"),
    [
        *(
            (1, where)
            for where in ("the table", "a game", "another table", "the first page", "their account")
        ),
        (6 * 24 * 60, "the first page"),
    ],
)
def test_any_request_of_the_old_phone_ends_it_the_same_day_included(
    table, friends, vouched, time_machine, minutes, where, client_for
):
    other, game = make_table(friends["ana"], name="Otra"), start(table, friends["ana"])
    addresses = {
        "the table": reverse("lobby", args=[table.code]),
        "a game": reverse("sheet", args=[game.code]),
        "another table": reverse("lobby", args=[other.code]),
        "the first page": "/",
        "their account": reverse("yours"),
    }
    time_machine.move_to(EVENING + timedelta(minutes=minutes), tick=False)
    client_for(friends["ana"]).get(addresses[where])
    assert 0 == Vouch.objects.count()

    time_machine.move_to(EVENING + A_WEEK + timedelta(days=7), tick=False)
    with pytest.raises(NoAccess):  # it watched on only for that
        open_table(vouched.user, table)


def test_a_program_of_the_owner_is_no_request_of_the_old_phone(table, friends, vouched, time_machine, client):
    _token, secret = tokens.create(friends["ana"], "respaldo", table=table)
    answer = client.get(f"/api/v1/tables/{table.code}/", headers={"authorization": f"Bearer {secret}"})
    assert 200 == answer.status_code
    wait_for_a_week(time_machine)

    assert is_owned_beside(vouched, friends, table)


def test_an_owner_with_a_password_signs_in_instead(table, friends, claim):
    friends["ana"].set_password(SECRET)
    friends["ana"].save()
    phone_changes.lend_pen(claim, by=friends["beto"])

    assert 0 == Vouch.objects.count()
    with pytest.raises(RoleRequired):
        phone_changes.vouch(claim, by=friends["caro"])


def test_the_full_yes_of_the_old_phone_settles_it(table, friends, vouched, members_by_slug):
    confirmations.confirm(vouched, by=friends["ana"], member=members_by_slug["ana"])

    assert (Role.OWNER, 0) == (reload_access(vouched).role, Vouch.objects.count())
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

    phones = list(lobby.valid_accesses(table))
    assert 1 == len(vouches.moments(reload_access(claim), phones))


def test_what_somebody_said_counts_only_while_they_are_confirmed(table, friends, vouched, time_machine):
    lobby.revoke(table.accesses.get(user=friends["caro"]), by=friends["ana"])
    wait_for_a_week(time_machine)

    assert Role.WITNESS == open_table(vouched.user, table)


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

    assert 0 == Vouch.objects.count()
    assert not table.pens.valid().exists()


@pytest.mark.parametrize("end", ["ended", "made a viewer", "retired", "given a password"])
def test_who_is_no_owner_any_more_gets_nothing_back_by_the_phone_they_left_behind(
    table, friends, vouched, root, time_machine, end, members_by_slug
):
    access = table.accesses.get(user=friends["ana"])
    Access.objects.filter(pk=access.pk).update(raised_by=root)
    if end == "ended":
        lobby.revoke(access, by=root)
    elif end == "made a viewer":
        lobby.set_role(access, Role.WITNESS, by=root)
    elif end == "retired":
        membership.retire(members_by_slug["ana"])
    else:
        friends["ana"].set_password(SECRET)
        friends["ana"].save()
    wait_for_a_week(time_machine)

    assert not takes_over(vouched)
    assert not reload_access(vouched).is_confirmed


@pytest.fixture
def second_claim(table, friends, members_by_slug):
    """A second phone that claims to be Ana's; nobody vouches for it."""
    return lobby.enter(
        table, make_user("otra"), until=now() + timedelta(hours=5), face=members_by_slug["ana"]
    )


@pytest.mark.parametrize("end", ["says no", "is denied", "is vouched for and says no", "is confirmed"])
def test_what_becomes_of_another_claim_leaves_the_old_phones_request_as_strong(
    table, friends, vouched, second_claim, end, client_for, time_machine, root, members_by_slug
):
    if "vouched" in end:
        for slug in ("caro", "dani"):
            phone_changes.vouch(second_claim, by=friends[slug])
    if end == "is denied":
        confirmations.remove_identity(second_claim, by=friends["beto"])
    elif end == "is confirmed":
        confirmations.confirm_phones([second_claim], by=friends["ana"], member=members_by_slug["ana"])
    else:
        confirmations.remove_identity(second_claim, by=second_claim.user)
    client_for(friends["ana"]).get("/")
    wait_for_a_week(time_machine)

    assert not takes_over(vouched)


@pytest.mark.parametrize("answer", ["no to all", "yes to another phone"])
def test_a_no_to_many_or_a_yes_to_another_phone_takes_the_pen_and_what_others_said(
    table, friends, vouched, second_claim, members_by_slug, answer
):
    if answer == "no to all":
        confirmations.deny_all(table, by=friends["beto"])
    else:
        confirmations.confirm(second_claim, by=friends["ana"], member=members_by_slug["ana"])

    assert (0, 0) == (Vouch.objects.count(), Pen.objects.valid().count())
    assert EVENING.replace(day=26, hour=6) == reload_access(vouched).until
    assert not reload_access(vouched).is_confirmed


def test_undoing_the_yes_to_another_phone_leaves_it_tonight(
    table, friends, vouched, second_claim, members_by_slug
):
    yes = confirmations.confirm_phones([second_claim], by=friends["ana"], member=members_by_slug["ana"])
    confirmation_undo.undo(table, yes.undo_data, by=friends["ana"])

    assert members_by_slug["ana"] == reload_access(vouched).person
    assert (0, EVENING.replace(day=26, hour=6)) == (Vouch.objects.count(), reload_access(vouched).until)


@pytest.mark.parametrize("way", ["signs in", "gets a link", "is confirmed"])
def test_after_any_other_way_to_own_the_table_requests_write_nothing_more(
    table, friends, vouched, time_machine, way, members_by_slug
):
    new = vouched.user
    if way == "signs in":
        move_all_tables(new, friends["ana"])
        new = friends["ana"]
    elif way == "gets a link":
        link, _token = links.create_personal(
            table, by=friends["ana"], role=Role.OWNER, member=members_by_slug["ana"]
        )
        links.redeem_personal(link, new)
    else:
        confirmations.confirm(vouched, by=friends["ana"], member=members_by_slug["ana"])
    wait_for_a_week(time_machine)
    assert Role.OWNER == open_table(new, table)
    revision = Table.objects.get(pk=table.pk).revision

    assert Role.OWNER == open_table(new, table)
    assert revision == Table.objects.get(pk=table.pk).revision
    assert 0 == Vouch.objects.count()


def test_what_a_guest_said_counts_after_they_sign_in(table, friends, vouched, time_machine):
    move_all_tables(friends["caro"], make_user("carolina"))
    wait_for_a_week(time_machine)

    assert is_owned_beside(vouched, friends, table)


def test_what_was_said_about_one_owners_phone_is_not_said_about_anothers(
    table, friends, vouched, root, members_by_slug
):
    """The new phone signs in as a user who claims to be Root there."""
    until = now() + timedelta(hours=5)
    claim = lobby.enter(table, make_user("uli"), until=until, face=table.members.get(name="Root"))
    move_all_tables(vouched.user, claim.user)
    merged = table.accesses.get(user=claim.user)

    assert ("Root", False) == (merged.person and merged.person.name, merged.is_confirmed)
    assert 0 == Vouch.objects.count()
    assert EVENING.replace(day=26, hour=6) == merged.until


@pytest.mark.parametrize("change", ["retired", "the owner", "the other one who said so"])
def test_who_said_so_counts_as_who_they_are_now(
    table, friends, vouched, time_machine, members_by_slug, change
):
    caro = table.accesses.filter(user=friends["caro"])
    if change == "retired":
        membership.retire(members_by_slug["caro"])
    else:
        caro.update(member=members_by_slug["ana" if change == "the owner" else "beto"])
    wait_for_a_week(time_machine)

    assert Role.WITNESS == open_table(vouched.user, table)


def test_a_yes_for_tonight_to_a_phone_that_others_vouched_for_ends_with_the_night(
    table, friends, vouched, members_by_slug
):
    confirmations.confirm(vouched, by=friends["ana"], member=members_by_slug["ana"], is_tonight=True)

    assert EVENING.replace(day=26, hour=6) == reload_access(vouched).until


def test_a_yes_for_tonight_leaves_the_lasting_phone_and_its_role(
    table, friends, claim, members_by_slug, time_machine
):
    """Ana answers her new phone on the old one. If her lasting access ended, nobody would own the table at six."""
    confirmations.confirm(claim, by=friends["ana"], member=members_by_slug["ana"], is_tonight=True)
    assert (Role.WITNESS, True) == (reload_access(claim).role, reload_access(claim).is_confirmed)
    time_machine.move_to(EVENING.replace(day=26, hour=6), tick=False)

    assert Role.OWNER == authorization.find_role(friends["ana"], table)
    assert authorization.find_role(claim.user, table) is None


def test_a_lent_pen_ends_with_the_claim_it_was_lent_for(table, friends, claim, members_by_slug):
    phone_changes.lend_pen(claim, by=friends["beto"])
    Access.objects.filter(pk=claim.pk).update(member=members_by_slug["dani"])

    assert not Pen.objects.valid().exists()


def test_the_old_phone_ends_all_questions_about_it_with_a_fixed_number_of_queries(
    table, friends, vouched, members_by_slug
):
    def end():
        with CaptureQueriesContext(connection) as queries:
            vouches.end_about(friends["ana"].pk)
        return len(queries)

    until = now() + timedelta(hours=5)
    of_one = end()
    for number in range(5):
        claim = lobby.enter(table, make_user(f"m{number}"), until=until, face=members_by_slug["ana"])
        for slug in ("caro", "dani"):
            phone_changes.vouch(claim, by=friends[slug])

    assert (of_one, 0) == (end(), Vouch.objects.count())


def test_another_owner_ends_nothing_and_locks_nothing(table, friends, vouched, root, monkeypatch):
    monkeypatch.setattr(locks, "lock", pytest.fail)
    vouches.end_about(root.pk)

    assert 2 == Vouch.objects.count()


@pytest.mark.parametrize("change", ["only watches now", "has left"])
def test_what_others_said_about_an_owner_ends_when_they_own_no_more(table, friends, vouched, root, change):
    """Else it would count again, with all its days, when they are made an owner again."""
    ana = table.accesses.get(user=friends["ana"])
    if change == "has left":
        lobby.revoke(ana, by=friends["ana"])
    else:
        lobby.set_role(ana, Role.WITNESS, by=friends["ana"])

    assert 0 == Vouch.objects.count()
