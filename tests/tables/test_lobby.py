"""The lobby: who comes in, who confirms them, who records, and whose access ends.

`tables/views/test_lobby.py` has its pages.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.common import days
from games.common.locks import ConcurrentChange
from games.models import MOST_ACTIVE, Access, Role
from games.scoring.errors import RuleError
from games.tables.services import authorization, confirmations, links, lobby, membership, tokens
from games.tables.services.authorization import AccessEnded
from games.tables.services.lobby import LobbySnapshot
from tests.factories import confirm_as_member, grant_access, make_user, reload_access

pytestmark = pytest.mark.django_db


@pytest.fixture
def scorer(table):
    access = confirm_as_member(make_user("sonia"), table.members.get(slug="dani"))
    access.role = Role.SCORER
    access.save()
    return access.user


# --- who comes in -----------------------------------------------------------------------------------------


def test_somebody_new_gives_a_name_and_is_added_when_confirmed(enter_tonight, table, owner):
    nina = enter_tonight("nina", new_name=" Nina ")
    before = table.members.count()
    confirmations.confirm(nina, by=owner, member=None)

    assert (before + 1, "Nina") == (table.members.count(), str(reload_access(nina).person))


def test_a_name_too_many_takes_the_place_of_the_oldest_from_its_network_or_is_refused(
    enter_tonight, table, owner, fresh_cache
):
    first, second, *_others = [
        enter_tonight(f"new{number}", new_name=f"New {number}", network="away" if number == 0 else "here")
        for number in range(8)
    ]
    enter_tonight("late", new_name="Late")

    assert ["New 0", ""] == [reload_access(first).name, reload_access(second).name]
    with pytest.raises(RuleError, match="Too many names"):
        enter_tonight("later", new_name="Later", network="elsewhere")
    confirmations.deny_all(table, by=owner)
    assert "Later" == enter_tonight("last", new_name="Later", network="elsewhere").name


def test_the_only_owner_who_tapped_a_wrong_face_taps_another_or_none(table, owner, members_by_slug):
    lobby.claim(table, owner, face=members_by_slug["beto"])
    owner_access = lobby.claim(table, owner, face=members_by_slug["ana"])
    assert (members_by_slug["ana"], True, owner) == (
        reload_access(owner_access).person,
        reload_access(owner_access).is_lasting,
        reload_access(owner_access).confirmed_by,
    )

    confirmations.remove_identity(reload_access(owner_access), by=owner)
    assert (None, Role.OWNER) == (
        LobbySnapshot(table).find_member(owner),
        authorization.find_role(owner, table),
    )


def test_a_tap_of_somebody_whose_access_has_just_ended_finds_nothing(
    enter_tonight, table, owner, members_by_slug
):
    rosa = enter_tonight("rosa")
    lobby.revoke(rosa, by=owner)

    with pytest.raises(AccessEnded):
        lobby.claim(table, rosa.user, face=members_by_slug["beto"])


# --- who confirms -----------------------------------------------------------------------------------------


def test_a_yes_is_for_good_one_by_one_or_all_at_once(enter_tonight, table, owner, members_by_slug):
    rosa, raul, nina = (
        enter_tonight("rosa", "beto"),
        enter_tonight("raul", "caro"),
        enter_tonight("nina", new_name="Nina"),
    )
    confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])

    assert [raul] == list(confirmations.confirm_all(table, by=owner).accesses)
    assert [True, True, False] == [reload_access(access).is_lasting for access in (rosa, raul, nina)]


def test_only_for_today_ends_with_the_night(enter_tonight, owner, members_by_slug, tonight_link):
    rosa = enter_tonight("rosa", "beto")
    confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"], is_tonight=True)

    assert (True, tonight_link.expires_at) == (reload_access(rosa).is_confirmed, reload_access(rosa).until)


def test_all_at_once_leaves_out_what_needs_a_look(enter_tonight, table, owner, members_by_slug):
    enter_tonight("rosa", "beto"), enter_tonight("raul", "beto")
    confirm_as_member(make_user("vieja"), members_by_slug["caro"])
    enter_tonight("nueva", "caro"), enter_tonight("nina", new_name="Nina")

    assert () == tuple(confirmations.confirm_all(table, by=owner).accesses)


def test_all_at_once_confirms_nobody_whom_the_key_did_not_name(enter_tonight, table, owner):
    rosa = enter_tonight("rosa", "beto")
    enter_tonight("raul", "caro")

    assert [rosa] == list(confirmations.confirm_all(table, by=owner, named={rosa.pk}).accesses)


def test_all_at_once_brings_back_who_no_longer_plays_if_there_is_room(
    enter_tonight, table, owner, members_by_slug, monkeypatch
):
    membership.retire(members_by_slug["beto"])
    rosa, raul = enter_tonight("rosa", "beto"), enter_tonight("raul", "caro")
    monkeypatch.setattr(confirmations, "MOST_ACTIVE", 3)
    assert [raul] == list(confirmations.confirm_all(table, by=owner).accesses)
    monkeypatch.undo()

    assert [rosa] == list(confirmations.confirm_all(table, by=owner).accesses)
    assert table.members.active().filter(slug="beto").exists()


def test_nobody_confirms_themselves_where_somebody_else_can(table, owner, scorer, members_by_slug):
    other = confirm_as_member(make_user("olga"), members_by_slug["caro"])
    lobby.set_role(other, Role.OWNER, by=owner)
    owner_access = lobby.claim(table, owner, face=members_by_slug["ana"])

    with pytest.raises(RuleError, match="Another person has to confirm"):
        confirmations.confirm(owner_access, by=owner, member=members_by_slug["ana"])


def test_a_scorer_of_one_night_confirms_for_that_night_and_nobody_who_stays(
    enter_tonight, table, owner, members_by_slug
):
    rosa = enter_tonight("rosa", "beto")
    confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"], is_tonight=True)
    lobby.set_role(reload_access(rosa), Role.SCORER, by=owner)
    raul = enter_tonight("raul", "caro")
    confirmations.confirm(raul, by=rosa.user, member=members_by_slug["caro"])
    assert (True, False) == (reload_access(raul).is_confirmed, reload_access(raul).is_lasting)

    stays = grant_access(make_user("olaf"), table, face="dani")
    with pytest.raises(RuleError, match="only for tonight"):
        confirmations.confirm(stays, by=rosa.user, member=members_by_slug["dani"])


def test_a_yes_to_what_the_phone_no_longer_says_is_refused(enter_tonight, table, owner, members_by_slug):
    rosa = enter_tonight("rosa", "beto")
    lobby.claim(table, rosa.user, face=members_by_slug["caro"])

    with pytest.raises(ConcurrentChange):
        confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])


def test_a_scorer_neither_gives_a_lasting_face_to_another_phone_nor_adds_one_to_it(
    enter_tonight, scorer, members_by_slug
):
    confirm_as_member(make_user("viejo"), members_by_slug["beto"])
    new, beto = enter_tonight("nueva", "beto"), members_by_slug["beto"]

    for act in (
        lambda: confirmations.confirm(new, by=scorer, member=beto),
        lambda: confirmations.confirm_phones([new], by=scorer, member=beto),
    ):
        with pytest.raises(RuleError, match="An owner can change"):
            act()


def test_a_second_phone_of_another_owner_is_as_little_to_be_added_as_to_replace_theirs(
    table, owner, enter_tonight, members_by_slug
):
    olga = confirm_as_member(make_user("olga"), members_by_slug["beto"])
    lobby.set_role(olga, Role.OWNER, by=owner)
    confirm_as_member(owner, members_by_slug["ana"])
    otto = confirm_as_member(make_user("otto"), members_by_slug["caro"])
    lobby.set_role(otto, Role.OWNER, by=owner)

    with pytest.raises(RuleError, match="Only they can change that"):
        confirmations.confirm_phones(
            [enter_tonight("nueva", "beto")], by=otto.user, member=members_by_slug["beto"]
        )


def test_a_scorer_may_say_that_two_that_come_are_one_persons(table, enter_tonight, scorer, members_by_slug):
    both = [enter_tonight("chat", "beto"), enter_tonight("real", "beto")]
    confirmations.confirm_phones(both, by=scorer, member=members_by_slug["beto"])

    assert [True, True] == [reload_access(access).is_lasting for access in both]


def test_a_no_to_all_of_a_scorer_leaves_an_owners_claim(enter_tonight, table, owner, scorer, members_by_slug):
    """A scorer is not offered to deny it by itself either."""
    other = confirm_as_member(make_user("olga"), members_by_slug["caro"])
    lobby.set_role(other, Role.OWNER, by=owner)
    owner_access = lobby.claim(table, owner, face=members_by_slug["ana"])
    rosa = enter_tonight("rosa", "beto")
    confirmations.deny_all(table, by=scorer)

    assert (members_by_slug["ana"], None) == (reload_access(owner_access).person, reload_access(rosa).person)


def test_who_says_somebody_else_since_is_not_asked_about_again(enter_tonight, table, owner, members_by_slug):
    rosa = enter_tonight("rosa", "beto")
    confirmations.remove_identity(rosa, by=owner)
    lobby.claim(table, rosa.user, face=members_by_slug["caro"])

    with pytest.raises(ConcurrentChange):
        confirmations.undo_denial(reload_access(rosa), by=owner)


def test_who_made_an_owner_still_may_change_them_after_their_phone_replaced_another(
    table, owner, members_by_slug
):
    confirm_as_member(make_user("viejo"), members_by_slug["beto"])
    link, _token = links.create_personal(table, by=owner, role=Role.OWNER)
    new = links.redeem_personal(link, make_user("nueva"))
    lobby.claim(table, new.user, face=members_by_slug["beto"])
    confirmations.confirm(reload_access(new), by=owner, member=members_by_slug["beto"])

    assert owner == reload_access(new).raised_by


# --- roles ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.OWNER, Role.SCORER])
def test_who_is_not_known_gets_no_role(enter_tonight, owner, role):
    with pytest.raises(RuleError, match="Confirm who they are"):
        lobby.set_role(enter_tonight("rosa"), role, by=owner)


def test_an_owner_is_changed_by_themselves_and_by_who_made_them_one(table, owner, members_by_slug):
    olga, otto = (
        confirm_as_member(make_user(name), members_by_slug[slug])
        for name, slug in (("olga", "beto"), ("otto", "caro"))
    )
    lobby.set_role(olga, Role.OWNER, by=owner)
    lobby.set_role(otto, Role.OWNER, by=olga.user)

    for access, by in ((table.accesses.get(user=owner), olga.user), (otto, owner)):
        with pytest.raises(RuleError, match="Only they can change that"):
            lobby.set_role(reload_access(access), Role.WITNESS, by=by)
    lobby.set_role(reload_access(otto), Role.SCORER, by=olga.user)
    lobby.set_role(reload_access(olga), Role.SCORER, by=olga.user)
    assert [Role.SCORER] * 2 == [
        authorization.find_role(former_owner.user, table) for former_owner in (olga, otto)
    ]


def test_the_last_owner_stays_one(table, owner):
    owner_access = table.accesses.get(user=owner)

    for act in (
        lambda: lobby.set_role(owner_access, Role.WITNESS, by=owner),
        lambda: lobby.revoke(owner_access, by=owner),
    ):
        with pytest.raises(RuleError, match="always needs an owner"):
            act()


# --- endings ----------------------------------------------------------------------------------------------


def test_who_was_sent_away_does_not_come_back_by_tonights_link_old_or_new(
    enter_tonight, table, owner, tonight_link
):
    rosa = enter_tonight("rosa", "beto")
    lobby.revoke(rosa, by=owner)
    tokens_of_both = [
        links.tonight_token(tonight_link),
        links.tonight_token(links.get_or_create_tonight(table, by=owner)),
    ]

    assert [None, None] == [links.find(token, rosa.user) for token in tokens_of_both]
    with pytest.raises(ConcurrentChange):
        lobby.enter(table, rosa.user, until=tonight_link.expires_at)
    assert authorization.find_role(rosa.user, table) is None


def test_a_personal_link_brings_back_who_was_sent_away_without_what_they_had(
    enter_tonight, table, owner, members_by_slug
):
    rosa = enter_tonight("rosa", "beto")
    confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"])
    lobby.set_role(reload_access(rosa), Role.SCORER, by=owner)
    tokens.create(rosa.user, "bot", table=table)
    lobby.revoke(reload_access(rosa), by=owner)
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS)
    links.redeem_personal(link, rosa.user)

    assert (Role.WITNESS, False) == (reload_access(rosa).role, reload_access(rosa).is_confirmed)
    assert [] == list(rosa.user.tokens.valid())


def test_the_links_that_somebody_made_end_with_their_access(table, owner, members_by_slug):
    olga = confirm_as_member(make_user("olga"), members_by_slug["beto"])
    lobby.set_role(olga, Role.OWNER, by=owner)
    _link, token = links.create_personal(table, by=olga.user, role=Role.SCORER)
    lobby.revoke(reload_access(olga), by=owner)

    assert links.find(token, None) is None


def test_no_soy_beto_is_for_who_is_not_confirmed(enter_tonight, table, owner, members_by_slug):
    rosa = enter_tonight("rosa", "beto")
    confirmations.remove_identity(rosa, by=rosa.user)
    assert LobbySnapshot(table).find_member(rosa.user) is None

    lobby.claim(table, rosa.user, face=members_by_slug["beto"])
    confirmations.confirm(reload_access(rosa), by=owner, member=members_by_slug["beto"])
    with pytest.raises(RuleError, match="Another owner"):
        confirmations.remove_identity(reload_access(rosa), by=rosa.user)
    confirmations.remove_identity(reload_access(rosa), by=owner)
    assert LobbySnapshot(table).find_member(rosa.user) is None


def test_a_confirmed_phone_is_detached_by_another_owner_or_if_it_is_for_tonight_by_a_scorer(
    enter_tonight, owner, scorer, members_by_slug
):
    rosa = enter_tonight("rosa", "beto")
    confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"], is_tonight=True)
    confirmations.remove_identity(reload_access(rosa), by=scorer)
    raul = enter_tonight("raul", "beto")
    confirmations.confirm(raul, by=owner, member=members_by_slug["beto"])

    assert not reload_access(rosa).is_confirmed
    with pytest.raises(RuleError, match="Another owner"):
        confirmations.remove_identity(reload_access(raul), by=scorer)


def test_who_takes_back_a_name_of_their_own_is_told_of_no_no(enter_tonight):
    nina = enter_tonight("nina", new_name="Nina")
    confirmations.remove_identity(nina, by=nina.user)

    assert "" == reload_access(nina).denied_name


def test_a_yes_to_a_name_that_was_changed_since_is_none(enter_tonight, table, owner):
    nina = enter_tonight("nina", new_name="Nina")
    lobby.claim(table, nina.user, face=None, name="Nora")

    with pytest.raises(ConcurrentChange):
        confirmations.confirm(nina, by=owner, member=None)


def test_a_yes_for_tonight_ends_with_the_night_whatever_else_the_access_had(
    enter_tonight, table, owner, members_by_slug
):
    rosa = enter_tonight("rosa", "beto")
    Access.objects.filter(pk=rosa.pk).update(until=now() + timedelta(days=3))
    confirmations.confirm(rosa, by=owner, member=members_by_slug["beto"], is_tonight=True)

    assert days.tonight_end(now(), table) == reload_access(rosa).until


@pytest.mark.parametrize(("active_count", "count"), [(MOST_ACTIVE - 1, 1), (MOST_ACTIVE, 0)])
def test_a_yes_to_all_brings_back_as_many_as_have_room(
    enter_tonight, owner, table, members_by_slug, active_count, count
):
    membership.retire(members_by_slug["beto"])
    rosa = reload_access(enter_tonight("rosa", "beto"))
    by_access = table.accesses.get(user=owner)

    assert count == len(confirmations.simple_claims([rosa], by_access, active_count=active_count))


def test_who_has_no_access_any_more_changes_nothing(enter_tonight, table, owner):
    rosa = enter_tonight("rosa", "beto")
    lobby.revoke(table.accesses.get(user=rosa.user), by=owner)

    with pytest.raises(AccessEnded):
        lobby.claim(table, rosa.user, face=None)


def test_an_access_ends_with_the_night_and_the_next_night_begins_anew(
    enter_tonight, table, owner, tonight_link
):
    rosa = enter_tonight("rosa", "beto")
    confirmations.confirm(rosa, by=owner, member=rosa.member, is_tonight=True)
    lobby.set_role(reload_access(rosa), Role.SCORER, by=owner)
    assert (Role.SCORER, tonight_link.expires_at) == (reload_access(rosa).role, reload_access(rosa).until)
    Access.objects.filter(pk=rosa.pk).update(until=now() - timedelta(minutes=1))
    assert authorization.find_role(rosa.user, table) is None

    lobby.enter(table, rosa.user, until=tonight_link.expires_at, face=reload_access(rosa).member)
    assert (Role.WITNESS, False) == (reload_access(rosa).role, reload_access(rosa).is_confirmed)
