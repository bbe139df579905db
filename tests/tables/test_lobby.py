"""The lobby: who comes in, who confirms them, who records, and whose access ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.common.locks import ConcurrentChange
from games.models import Access, Role
from games.scoring.errors import RuleError
from games.tables.services import authorization, confirmations, links, lobby, tokens
from games.tables.services.authorization import AccessEnded
from games.tables.services.lobby import LobbySnapshot
from tests.worlds import become, let_in_as, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def tonight(table, owner):
    return links.get_or_create_tonight(table, by=owner)


@pytest.fixture
def comes(table, tonight):
    """`comes("rosa", "beto")` lets that user in by tonight's link; they tap Beto's face. Returns the access."""

    def enter(name, face="", *, new_name="", network="here"):
        member = table.members.get(slug=face) if face else None
        until = tonight.expires_at
        return lobby.enter(table, make_user(name), until=until, face=member, name=new_name, network=network)

    return enter


@pytest.fixture
def scorer(table):
    access = become(make_user("sonia"), table.members.get(slug="dani"))
    access.role = Role.SCORER
    access.save()
    return access.user


def again(access):
    return Access.objects.select_related("table", "user", "member").get(pk=access.pk)


# --- who comes in -----------------------------------------------------------------------------------------


def test_somebody_new_gives_a_name_and_is_added_when_confirmed(comes, table, owner):
    nina = comes("nina", new_name=" Nina ")
    before = table.members.count()
    confirmations.confirm(nina, by=owner, member=None)

    assert (before + 1, "Nina") == (table.members.count(), again(nina).person.name)


def test_a_name_too_many_takes_the_place_of_the_oldest_from_its_network_or_is_refused(
    comes, table, owner, fresh_cache
):
    first, second, *_others = [
        comes(f"new{number}", new_name=f"New {number}", network="away" if number == 0 else "here")
        for number in range(8)
    ]
    comes("late", new_name="Late")

    assert ["New 0", ""] == [again(first).name, again(second).name]
    with pytest.raises(RuleError, match="Too many names"):
        comes("later", new_name="Later", network="elsewhere")
    confirmations.deny_all(table, by=owner)
    assert "Later" == comes("last", new_name="Later", network="elsewhere").name


def test_the_only_owner_who_tapped_a_wrong_face_taps_another_or_none(table, owner, who):
    lobby.claim(table, owner, face=who["beto"])
    owner_access = lobby.claim(table, owner, face=who["ana"])
    assert (who["ana"], True, owner) == (
        again(owner_access).person,
        again(owner_access).is_lasting,
        again(owner_access).confirmed_by,
    )

    confirmations.remove_identity(again(owner_access), by=owner)
    assert (None, Role.OWNER) == (
        LobbySnapshot(table).find_member(owner),
        authorization.find_role(owner, table),
    )


def test_a_tap_of_somebody_whose_access_has_just_ended_finds_nothing(comes, table, owner, who):
    rosa = comes("rosa")
    lobby.revoke(rosa, by=owner)

    with pytest.raises(AccessEnded):
        lobby.claim(table, rosa.user, face=who["beto"])


# --- who confirms -----------------------------------------------------------------------------------------


def test_all_at_once_counts_for_the_night_only(comes, table, owner, tonight):
    rosa, raul, nina = comes("rosa", "beto"), comes("raul", "caro"), comes("nina", new_name="Nina")

    assert [rosa, raul] == list(confirmations.confirm_all(table, by=owner))
    assert [(True, False)] * 2 == [
        (again(access).is_confirmed, again(access).is_lasting) for access in (rosa, raul)
    ]
    assert (tonight.expires_at, False) == (again(rosa).until, again(nina).is_confirmed)


def test_all_at_once_leaves_out_a_face_of_two_phones_and_whose_access_lasts(comes, table, owner):
    comes("rosa", "beto"), comes("raul", "beto")
    let_in_as(make_user("nina"), table, face="caro")

    assert [] == list(confirmations.confirm_all(table, by=owner))


def test_nobody_confirms_themselves_where_somebody_else_can(table, owner, scorer, who):
    other = become(make_user("olga"), who["caro"])
    lobby.set_role(other, Role.OWNER, by=owner)
    owner_access = lobby.claim(table, owner, face=who["ana"])

    with pytest.raises(RuleError, match="Another person has to confirm"):
        confirmations.confirm(owner_access, by=owner, member=who["ana"])


def test_a_scorer_of_one_night_confirms_for_that_night_and_nobody_who_stays(comes, table, owner, who):
    rosa = comes("rosa", "beto")
    confirmations.confirm_all(rosa.table, by=owner)
    lobby.set_role(again(rosa), Role.SCORER, by=owner)
    raul = confirmations.confirm(comes("raul", "caro"), by=rosa.user, member=who["caro"])
    assert (True, False) == (raul.is_confirmed, raul.is_lasting)

    stays = let_in_as(make_user("olaf"), table, face="dani")
    with pytest.raises(RuleError, match="for tonight only"):
        confirmations.confirm(stays, by=rosa.user, member=who["dani"])


def test_a_yes_to_what_the_phone_no_longer_says_is_refused(comes, table, owner, who):
    rosa = comes("rosa", "beto")
    lobby.claim(table, rosa.user, face=who["caro"])

    with pytest.raises(ConcurrentChange):
        confirmations.confirm(rosa, by=owner, member=who["beto"])


def test_a_scorer_neither_gives_a_lasting_face_to_another_phone_nor_adds_one_to_it(comes, scorer, who):
    become(make_user("viejo"), who["beto"])
    new, beto = comes("nueva", "beto"), who["beto"]

    for act in (
        lambda: confirmations.confirm(new, by=scorer, member=beto),
        lambda: confirmations.confirm_phones([new], by=scorer, member=beto),
    ):
        with pytest.raises(RuleError, match="An owner can change"):
            act()


def test_a_second_phone_of_another_owner_is_as_little_to_be_added_as_to_replace_theirs(
    table, owner, comes, who
):
    olga = become(make_user("olga"), who["beto"])
    lobby.set_role(olga, Role.OWNER, by=owner)
    become(owner, who["ana"])
    otto = become(make_user("otto"), who["caro"])
    lobby.set_role(otto, Role.OWNER, by=owner)

    with pytest.raises(RuleError, match="Only they themselves"):
        confirmations.confirm_phones([comes("nueva", "beto")], by=otto.user, member=who["beto"])


def test_a_scorer_may_say_that_two_that_come_are_one_persons(table, comes, scorer, who):
    both = [comes("chat", "beto"), comes("real", "beto")]
    confirmations.confirm_phones(both, by=scorer, member=who["beto"])

    assert [True, True] == [again(access).is_lasting for access in both]


def test_who_says_somebody_else_since_is_not_asked_about_again(comes, table, owner, who):
    rosa = comes("rosa", "beto")
    confirmations.remove_identity(rosa, by=owner)
    lobby.claim(table, rosa.user, face=who["caro"])

    with pytest.raises(ConcurrentChange):
        confirmations.undo_denial(again(rosa), by=owner)


def test_who_made_an_owner_still_may_change_them_after_their_phone_replaced_another(table, owner, who):
    become(make_user("viejo"), who["beto"])
    link, _token = links.create_personal(table, by=owner, role=Role.OWNER)
    new = links.redeem_personal(link, make_user("nueva"))
    lobby.claim(table, new.user, face=who["beto"])
    confirmations.confirm(again(new), by=owner, member=who["beto"])

    assert owner == again(new).raised_by


# --- roles ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.OWNER, Role.SCORER])
def test_who_is_not_known_gets_no_role(comes, owner, role):
    with pytest.raises(RuleError, match="Confirm who they are"):
        lobby.set_role(comes("rosa"), role, by=owner)


def test_an_owner_is_changed_by_themselves_and_by_who_made_them_one(table, owner, who):
    olga, otto = (become(make_user(name), who[slug]) for name, slug in (("olga", "beto"), ("otto", "caro")))
    lobby.set_role(olga, Role.OWNER, by=owner)
    lobby.set_role(otto, Role.OWNER, by=olga.user)

    for access, by in ((table.accesses.get(user=owner), olga.user), (otto, owner)):
        with pytest.raises(RuleError, match="Only they themselves"):
            lobby.set_role(again(access), Role.WITNESS, by=by)
    lobby.set_role(again(otto), Role.SCORER, by=olga.user)
    lobby.set_role(again(olga), Role.SCORER, by=olga.user)
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


def test_who_was_sent_away_does_not_come_back_by_tonights_link_old_or_new(comes, table, owner, tonight):
    rosa = comes("rosa", "beto")
    lobby.revoke(rosa, by=owner)
    tokens_of_both = [
        links.tonight_token(tonight),
        links.tonight_token(links.get_or_create_tonight(table, by=owner)),
    ]

    assert [None, None] == [links.find(token, rosa.user) for token in tokens_of_both]
    with pytest.raises(ConcurrentChange):
        lobby.enter(table, rosa.user, until=tonight.expires_at)
    assert authorization.find_role(rosa.user, table) is None


def test_a_personal_link_brings_back_who_was_sent_away_without_what_they_had(comes, table, owner, who):
    rosa = confirmations.confirm(comes("rosa", "beto"), by=owner, member=who["beto"])
    lobby.set_role(rosa, Role.SCORER, by=owner)
    tokens.create(rosa.user, "bot", table=table)
    lobby.revoke(again(rosa), by=owner)
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS)
    links.redeem_personal(link, rosa.user)

    assert (Role.WITNESS, False) == (again(rosa).role, again(rosa).is_confirmed)
    assert [] == list(rosa.user.tokens.valid())


def test_the_links_that_somebody_made_end_with_their_access(table, owner, who):
    olga = become(make_user("olga"), who["beto"])
    lobby.set_role(olga, Role.OWNER, by=owner)
    _link, token = links.create_personal(table, by=olga.user, role=Role.SCORER)
    lobby.revoke(again(olga), by=owner)

    assert links.find(token, None) is None


def test_no_soy_beto_is_for_who_is_not_confirmed(comes, table, owner, who):
    rosa = comes("rosa", "beto")
    confirmations.remove_identity(rosa, by=rosa.user)
    assert LobbySnapshot(table).find_member(rosa.user) is None

    lobby.claim(table, rosa.user, face=who["beto"])
    confirmations.confirm(again(rosa), by=owner, member=who["beto"])
    with pytest.raises(RuleError, match="Another owner"):
        confirmations.remove_identity(again(rosa), by=rosa.user)
    confirmations.remove_identity(again(rosa), by=owner)
    assert LobbySnapshot(table).find_member(rosa.user) is None


def test_an_access_ends_with_the_night_and_the_next_night_begins_anew(comes, table, owner, tonight):
    rosa = comes("rosa", "beto")
    confirmations.confirm_all(table, by=owner)
    lobby.set_role(again(rosa), Role.SCORER, by=owner)
    assert (Role.SCORER, tonight.expires_at) == (again(rosa).role, again(rosa).until)
    Access.objects.filter(pk=rosa.pk).update(until=now() - timedelta(minutes=1))
    assert authorization.find_role(rosa.user, table) is None

    lobby.enter(table, rosa.user, until=tonight.expires_at, face=again(rosa).member)
    assert (Role.WITNESS, False) == (again(rosa).role, again(rosa).is_confirmed)
