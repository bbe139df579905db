"""A table whose only owner is gone: a scorer asks, everybody sees it, and an owner may come back."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils.timezone import localdate, now

from games.models import Access, Role, Table
from games.scoring.errors import RuleError
from games.tables.services import authorization, confirmations, links, lobby
from games.tables.services.authorization import Visitor
from tests.worlds import become, let_in_as, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def abandoned(table, owner):
    """The table, which its owner opened last forty days ago."""
    Table.objects.update(created_at=now() - timedelta(days=100))
    Access.objects.filter(user=owner).update(opened_on=localdate() - timedelta(days=40))
    return Table.objects.get(pk=table.pk)


@pytest.fixture
def scorer(table, owner, who):
    return lobby.set_role(become(make_user("sonia"), who["dani"]), Role.SCORER, by=owner).user


def access_of(user):
    return Access.objects.select_related("table").get(user=user)


def a_week_passes():
    Access.objects.exclude(asked_at=None).update(asked_at=now() - timedelta(days=7, minutes=1))


def test_nobody_asks_while_an_owner_comes(table, owner, scorer):
    Table.objects.update(created_at=now() - timedelta(days=100))
    authorization.record_visit(access_of(owner))

    with pytest.raises(RuleError, match="in the last thirty days"):
        authorization.request_takeover(table, by=scorer)


def test_the_thirty_days_of_a_table_begin_on_the_day_on_which_it_was_made_there(
    table, owner, scorer, time_machine
):
    made = datetime(2026, 11, 20, 22, tzinfo=ZoneInfo("America/Argentina/Buenos_Aires"))
    Table.objects.update(created_at=made)
    Access.objects.filter(user=owner).update(opened_on=None)
    time_machine.move_to(made + timedelta(days=29))
    assert not authorization.can_request_takeover(access_of(scorer))

    time_machine.move_to(made + timedelta(days=30))
    assert authorization.can_request_takeover(access_of(scorer))


def test_a_scorer_asks_and_after_seven_days_is_in_charge(abandoned, scorer):
    authorization.request_takeover(abandoned, by=scorer)
    assert (access_of(scorer), Role.SCORER) == (
        authorization.takeover_request(abandoned),
        authorization.record_visit(access_of(scorer)),
    )

    a_week_passes()
    assert (Role.OWNER, None) == (
        authorization.record_visit(access_of(scorer)),
        authorization.takeover_request(abandoned),
    )


def test_an_owner_who_comes_in_those_days_ends_the_wish(abandoned, owner, scorer):
    authorization.request_takeover(abandoned, by=scorer)
    authorization.record_visit(access_of(owner))

    assert (None, Role.SCORER) == (
        authorization.takeover_request(abandoned),
        authorization.record_visit(access_of(scorer)),
    )


def test_a_member_asks_only_where_there_is_no_scorer(abandoned, owner, who, scorer):
    member = become(make_user("rosa"), who["beto"])
    assert not authorization.can_request_takeover(member)

    lobby.set_role(access_of(scorer), Role.WITNESS, by=owner)
    assert authorization.can_request_takeover(access_of(member.user))


def test_an_owner_who_only_looks_at_sheets_has_opened_the_table_too(abandoned, owner, scorer):
    authorization.get_game(Visitor(owner), start(abandoned, owner).code)

    assert not authorization.can_request_takeover(access_of(scorer))


@pytest.fixture
def taken_over(abandoned, scorer):
    """The abandoned table, taken over by the scorer."""
    authorization.request_takeover(abandoned, by=scorer)
    a_week_passes()
    authorization.record_visit(access_of(scorer))
    return abandoned


def may_be_ended_and_not_erase(access, owner):
    with pytest.raises(RuleError, match="after sixty days"):
        authorization.check_can_erase(access)
    lobby.revoke(access, by=owner)
    return authorization.find_role(access.user, access.table) is None


def test_opening_a_game_on_another_day_does_not_forget_who_took_over(taken_over, owner, scorer):
    game = start(taken_over, owner)
    Access.objects.filter(user=scorer).update(opened_on=localdate() - timedelta(days=1))
    authorization.get_game(Visitor(scorer), game.code)

    assert may_be_ended_and_not_erase(access_of(scorer), owner)


@pytest.mark.parametrize("way", ["role", "link", "new phone", "face"])
def test_another_phone_or_owner_is_no_way_around_the_sixty_days(taken_over, owner, scorer, who, way):
    other = make_user("otra")
    match way:
        case "role":
            lobby.set_role(become(other, who["beto"]), Role.OWNER, by=scorer)
        case "link":
            links.redeem_personal(links.create_personal(taken_over, by=scorer, role=Role.OWNER)[0], other)
        case "new phone":
            link, _token = links.create_personal(taken_over, by=scorer, role=Role.WITNESS, member=who["dani"])
            links.redeem_personal(link, other)
        case "face":
            let_in_as(other, taken_over, face="dani")
            confirmations.confirm(access_of(other), by=scorer, member=who["dani"])

    assert Role.OWNER == authorization.find_role(other, taken_over)
    assert may_be_ended_and_not_erase(access_of(other), owner)
