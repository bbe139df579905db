"""Links: tonight's, which is shown again, and personal ones, which work once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.common.roles import RoleRequired
from games.models import MOST_LINKS, Access, Link, Role, Table
from games.scoring.errors import RuleError
from games.tables.services import authorization, links, lobby
from games.tables.services.links import InvalidLink
from tests.factories import confirm_as_member, grant_access, make_user

pytestmark = pytest.mark.django_db


def test_tonights_link_is_the_same_when_shown_again_and_only_its_hash_is_stored(table, owner):
    first, second = links.get_or_create_tonight(table, by=owner), links.get_or_create_tonight(table, by=owner)

    assert (1, first) == (Link.objects.count(), second)
    assert links.tonight_token(first) not in str(Link.objects.values().get())
    assert first == links.find(links.tonight_token(first), None)


def test_a_scorer_makes_tonights_link_and_no_other(table, owner):
    scorer = grant_access(make_user("sonia"), table, Role.SCORER).user

    assert links.get_or_create_tonight(table, by=scorer) == links.get_or_create_tonight(table, by=owner)
    with pytest.raises(RoleRequired):
        links.create_personal(table, by=scorer, role=Role.WITNESS)


def test_a_personal_link_gives_its_role_for_good_and_works_once(table, owner):
    link, token = links.create_personal(table, by=owner, role=Role.SCORER)
    rosa, raul = make_user("rosa"), make_user("raul")
    access = links.redeem_personal(link, rosa)

    assert (Role.SCORER, None) == (access.role, access.until)
    assert [None, link] == [links.find(token, user) for user in (raul, rosa)]
    assert access == links.redeem_personal(link, rosa)  # the second tap
    with pytest.raises(InvalidLink):
        links.redeem_personal(link, raul)


def test_a_link_for_a_member_takes_the_place_of_their_lost_phone_with_its_role(table, owner, members_by_slug):
    old_access = confirm_as_member(make_user("lost"), members_by_slug["beto"])
    lobby.set_role(old_access, Role.SCORER, by=owner)
    link, _token = links.create_personal(table, by=owner, role=Role.WITNESS, member=members_by_slug["beto"])
    new = links.redeem_personal(link, make_user("nueva"))

    assert (None, Role.SCORER) == (
        authorization.find_role(old_access.user, table),
        authorization.find_role(new.user, table),
    )
    assert (True, new) == (new.is_lasting, *lobby.member_phones(table, members_by_slug["beto"]))


def test_a_second_link_for_a_member_ends_the_first(table, owner, members_by_slug):
    _first, token = links.create_personal(table, by=owner, role=Role.WITNESS, member=members_by_slug["beto"])
    links.create_personal(table, by=owner, role=Role.WITNESS, member=members_by_slug["beto"])

    assert links.find(token, None) is None


def test_a_link_lowers_no_role_and_changes_no_confirmed_face(table, owner, members_by_slug):
    rosa = confirm_as_member(make_user("rosa"), members_by_slug["beto"])
    lobby.set_role(rosa, Role.SCORER, by=owner)
    watch, _token = links.create_personal(table, by=owner, role=Role.WITNESS)
    as_caro, _token = links.create_personal(
        table, by=owner, role=Role.WITNESS, member=members_by_slug["caro"]
    )

    assert Role.SCORER == links.redeem_personal(watch, rosa.user).role
    with pytest.raises(RuleError, match="You are already Beto"):
        links.redeem_personal(as_caro, rosa.user)
    assert members_by_slug["beto"] == Access.objects.get(user=rosa.user).person


def test_only_themselves_and_who_made_them_owner_replace_an_owners_phone(table, owner, members_by_slug):
    olga = confirm_as_member(make_user("olga"), members_by_slug["beto"])
    lobby.set_role(olga, Role.OWNER, by=owner)
    confirm_as_member(owner, members_by_slug["ana"])

    with pytest.raises(RuleError, match="an owner here"):
        links.create_personal(table, by=olga.user, role=Role.WITNESS, member=members_by_slug["ana"])
    for maker, member in ((owner, "beto"), (owner, "ana"), (olga.user, "beto")):
        assert (
            Role.OWNER
            == links.create_personal(table, by=maker, role=Role.WITNESS, member=members_by_slug[member])[
                0
            ].role
        )


def test_a_confirmation_of_one_night_does_not_become_one_for_good(table, owner):
    rosa = grant_access(make_user("rosa"), table, face="beto", until=now() + timedelta(hours=3))
    Access.objects.filter(pk=rosa.pk).update(confirmed_at=now(), confirmed_by=owner)
    link, _token = links.create_personal(table, by=owner, role=Role.SCORER)
    links.redeem_personal(link, rosa.user)

    assert not Access.objects.get(pk=rosa.pk).is_confirmed


def test_a_table_has_at_most_fifty_open_links(table, owner):
    for _number in range(MOST_LINKS):
        links.create_personal(table, by=owner, role=Role.WITNESS)

    with pytest.raises(RuleError, match="At most 50 links"):
        links.create_personal(table, by=owner, role=Role.WITNESS)


def test_a_link_for_a_member_who_became_an_owner_since_is_not_for_others_to_use(
    table, owner, members_by_slug
):
    otto = confirm_as_member(make_user("otto"), members_by_slug["caro"])
    lobby.set_role(otto, Role.OWNER, by=owner)
    beto = confirm_as_member(make_user("beto"), members_by_slug["beto"])
    by_otto, _token = links.create_personal(
        table, by=otto.user, role=Role.WITNESS, member=members_by_slug["beto"]
    )
    lobby.set_role(beto, Role.OWNER, by=owner)

    with pytest.raises(InvalidLink):
        links.redeem_personal(by_otto, make_user("nueva"))
    assert Role.OWNER == authorization.find_role(beto.user, table)


def test_a_link_of_the_operator_gives_the_role_that_the_phone_has_by_then(table, owner, members_by_slug):
    beto = confirm_as_member(make_user("beto"), members_by_slug["beto"])
    link, _token = links.create_for_member(members_by_slug["beto"])
    lobby.set_role(beto, Role.OWNER, by=owner)
    lobby.revoke(table.accesses.get(user=owner), by=owner)

    assert Role.OWNER == links.redeem_personal(link, make_user("nueva")).role


def test_the_second_tap_on_a_link_by_which_an_owner_changes_the_phone_succeeds(table, owner, members_by_slug):
    confirm_as_member(owner, members_by_slug["ana"])
    link, token = links.create_personal(table, by=owner, role=Role.WITNESS, member=members_by_slug["ana"])
    new = make_user("nueva")
    access = links.redeem_personal(link, new)

    assert (link, access) == (links.find(token, new), links.redeem_personal(link, new))


@pytest.mark.parametrize("act", ["ended", "lowered"])
def test_a_link_for_a_member_ends_when_their_access_is_ended_or_lowered(table, owner, members_by_slug, act):
    beto = lobby.set_role(
        confirm_as_member(make_user("beto"), members_by_slug["beto"]), Role.SCORER, by=owner
    )
    _link, token = links.create_personal(table, by=owner, role=Role.WITNESS, member=members_by_slug["beto"])
    lobby.revoke(beto, by=owner) if act == "ended" else lobby.set_role(beto, Role.WITNESS, by=owner)

    assert links.find(token, beto.user) is None


def test_a_revoked_code_is_replaced_by_another_and_other_screens_show_it_no_more(table, owner):
    link, before = links.get_or_create_tonight(table, by=owner), Table.objects.get(pk=table.pk).revision
    links.revoke(link, by=owner)

    assert links.find(links.tonight_token(link), None) is None
    assert link != links.get_or_create_tonight(table, by=owner)
    assert before < Table.objects.get(pk=table.pk).revision


def test_an_owners_link_changes_nothing_about_who_made_whom_an_owner(table, owner):
    second, visitor = make_user("second"), make_user("visitor")
    links.redeem_personal(links.create_personal(table, by=owner, role=Role.OWNER)[0], second)
    links.redeem_personal(links.create_personal(table, by=second, role=Role.OWNER)[0], owner)
    links.redeem_personal(links.create_personal(table, by=second, role=Role.WITNESS)[0], visitor)

    made_by = {access.user: access.raised_by for access in table.accesses.all()}
    assert {owner: None, second: owner, visitor: None} == made_by


def test_a_link_with_a_name_names_who_has_none(table, owner):
    named, nameless = make_user("olga"), make_user("nobody")
    for user, name in ((named, "Olga"), (nameless, "")):
        user.first_name = name
        user.save()
        links.redeem_personal(links.create_personal(table, by=owner, role=Role.WITNESS)[0], user, name="Otra")

    assert ("Olga", "Otra") == tuple(User.objects.get(pk=user.pk).first_name for user in (named, nameless))
