"""Links: tonight's, which is shown again, and personal ones, which work once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.common.roles import RoleMissing
from games.models import MOST_LINKS, Access, Link, Role, Table
from games.scoring.errors import RuleError
from games.tables.access import role_at
from games.tables.links import (
    LinkGone,
    find_link,
    let_in,
    make_personal,
    night_token,
    revoke_link,
    show_tonight,
    use_personal,
)
from games.tables.lobby import end, phones_of, set_role
from tests.worlds import become, let_in_as, make_user

pytestmark = pytest.mark.django_db


def test_tonights_link_is_the_same_when_shown_again_and_only_its_hash_is_stored(table, owner):
    first, second = show_tonight(table, by=owner), show_tonight(table, by=owner)

    assert (1, first) == (Link.objects.count(), second)
    assert night_token(first) not in str(Link.objects.values().get())
    assert first == find_link(night_token(first), None)


def test_a_scorer_makes_tonights_link_and_no_other(table, owner):
    scorer = let_in_as(make_user("sonia"), table, Role.SCORER).user

    assert show_tonight(table, by=scorer) == show_tonight(table, by=owner)
    with pytest.raises(RoleMissing):
        make_personal(table, by=scorer, role=Role.WITNESS)


def test_a_personal_link_gives_its_role_for_good_and_works_once(table, owner):
    link, token = make_personal(table, by=owner, role=Role.SCORER)
    rosa, raul = make_user("rosa"), make_user("raul")
    access = use_personal(link, rosa)

    assert (Role.SCORER, None) == (access.role, access.until)
    assert [None, link] == [find_link(token, user) for user in (raul, rosa)]
    assert access == use_personal(link, rosa)  # the second tap
    with pytest.raises(LinkGone):
        use_personal(link, raul)


def test_a_link_for_a_member_takes_the_place_of_their_lost_phone_with_its_role(table, owner, who):
    lost = become(make_user("lost"), who["beto"])
    set_role(lost, Role.SCORER, by=owner)
    link, _token = make_personal(table, by=owner, role=Role.WITNESS, member=who["beto"])
    new = use_personal(link, make_user("nueva"))

    assert (None, Role.SCORER) == (role_at(lost.user, table), role_at(new.user, table))
    assert (True, new) == (new.is_for_good, *phones_of(table, who["beto"]))


def test_a_second_link_for_a_member_ends_the_first(table, owner, who):
    _first, token = make_personal(table, by=owner, role=Role.WITNESS, member=who["beto"])
    make_personal(table, by=owner, role=Role.WITNESS, member=who["beto"])

    assert find_link(token, None) is None


def test_a_link_lowers_no_role_and_changes_no_confirmed_face(table, owner, who):
    rosa = become(make_user("rosa"), who["beto"])
    set_role(rosa, Role.SCORER, by=owner)
    watch, _token = make_personal(table, by=owner, role=Role.WITNESS)
    as_caro, _token = make_personal(table, by=owner, role=Role.WITNESS, member=who["caro"])

    assert Role.SCORER == use_personal(watch, rosa.user).role
    with pytest.raises(RuleError, match="You are already Beto"):
        use_personal(as_caro, rosa.user)
    assert who["beto"] == Access.objects.get(user=rosa.user).person


def test_only_themselves_and_who_made_them_owner_replace_an_owners_phone(table, owner, who):
    olga = become(make_user("olga"), who["beto"])
    set_role(olga, Role.OWNER, by=owner)
    become(owner, who["ana"])

    with pytest.raises(RuleError, match="an owner here"):
        make_personal(table, by=olga.user, role=Role.WITNESS, member=who["ana"])
    for maker, member in ((owner, "beto"), (owner, "ana"), (olga.user, "beto")):
        assert Role.OWNER == make_personal(table, by=maker, role=Role.WITNESS, member=who[member])[0].role


def test_a_confirmation_of_one_night_does_not_become_one_for_good(table, owner):
    rosa = let_in_as(make_user("rosa"), table, face="beto", until=now() + timedelta(hours=3))
    Access.objects.filter(pk=rosa.pk).update(confirmed_at=now(), confirmed_by=owner)
    link, _token = make_personal(table, by=owner, role=Role.SCORER)
    use_personal(link, rosa.user)

    assert not Access.objects.get(pk=rosa.pk).is_confirmed


def test_a_table_has_at_most_fifty_open_links(table, owner):
    for _number in range(MOST_LINKS):
        make_personal(table, by=owner, role=Role.WITNESS)

    with pytest.raises(RuleError, match="At most 50 links"):
        make_personal(table, by=owner, role=Role.WITNESS)


def test_a_link_for_a_member_who_became_an_owner_since_is_not_for_others_to_use(table, owner, who):
    otto = become(make_user("otto"), who["caro"])
    set_role(otto, Role.OWNER, by=owner)
    beto = become(make_user("beto"), who["beto"])
    by_otto, _token = make_personal(table, by=otto.user, role=Role.WITNESS, member=who["beto"])
    set_role(beto, Role.OWNER, by=owner)

    with pytest.raises(LinkGone):
        use_personal(by_otto, make_user("nueva"))
    assert Role.OWNER == role_at(beto.user, table)


def test_a_link_of_the_operator_gives_the_role_that_the_phone_has_by_then(table, owner, who):
    beto = become(make_user("beto"), who["beto"])
    link, _token = let_in(who["beto"])
    set_role(beto, Role.OWNER, by=owner)
    end(table.accesses.get(user=owner), by=owner)

    assert Role.OWNER == use_personal(link, make_user("nueva")).role


def test_the_second_tap_on_a_link_by_which_an_owner_changes_the_phone_succeeds(table, owner, who):
    become(owner, who["ana"])
    link, token = make_personal(table, by=owner, role=Role.WITNESS, member=who["ana"])
    new = make_user("nueva")
    access = use_personal(link, new)

    assert (link, access) == (find_link(token, new), use_personal(link, new))


@pytest.mark.parametrize("act", ["ended", "lowered"])
def test_a_link_for_a_member_ends_when_their_access_is_ended_or_lowered(table, owner, who, act):
    beto = set_role(become(make_user("beto"), who["beto"]), Role.SCORER, by=owner)
    _link, token = make_personal(table, by=owner, role=Role.WITNESS, member=who["beto"])
    end(beto, by=owner) if act == "ended" else set_role(beto, Role.WITNESS, by=owner)

    assert find_link(token, beto.user) is None


def test_a_revoked_code_is_replaced_by_another_and_other_screens_show_it_no_more(table, owner):
    link, before = show_tonight(table, by=owner), Table.objects.get(pk=table.pk).revision
    revoke_link(link, by=owner)

    assert find_link(night_token(link), None) is None
    assert link != show_tonight(table, by=owner)
    assert before < Table.objects.get(pk=table.pk).revision
