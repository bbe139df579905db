"""A table whose only owner is gone: a scorer asks, everybody sees it, and an owner may come back."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils.timezone import localdate, now

from games.common.roles import RoleRequired
from games.models import Access, Role, Table
from games.scoring.errors import RuleError
from games.tables.services import authorization, confirmations, links, lobby, takeovers
from games.tables.services.authorization import Visitor
from tests.databases import FULL, NOT_STORED, refuse_writes
from tests.factories import confirm_as_member, grant_access, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def abandoned_table(table, owner):
    """The table, last opened by its owner forty days ago."""
    Table.objects.update(created_at=now() - timedelta(days=100))
    Access.objects.filter(user=owner).update(opened_on=localdate() - timedelta(days=40))
    return Table.objects.get(pk=table.pk)


@pytest.fixture
def scorer(table, owner, members_by_slug):
    return lobby.set_role(
        confirm_as_member(make_user("sonia"), members_by_slug["dani"]), Role.SCORER, by=owner
    ).user


def get_access(user):
    return Access.objects.select_related("table").get(user=user)


def backdate_requests():
    Access.objects.exclude(asked_at=None).update(asked_at=now() - timedelta(days=7, minutes=1))


def test_nobody_asks_while_an_owner_comes(table, owner, scorer):
    Table.objects.update(created_at=now() - timedelta(days=100))
    takeovers.record_visit(get_access(owner))

    with pytest.raises(RuleError, match="in the last thirty days"):
        takeovers.request_takeover(table, by=scorer)


def test_the_thirty_days_of_a_table_begin_on_the_day_on_which_it_was_made_there(
    table, owner, scorer, time_machine
):
    made = datetime(2026, 11, 20, 22, tzinfo=ZoneInfo("America/Argentina/Buenos_Aires"))
    Table.objects.update(created_at=made)
    Access.objects.filter(user=owner).update(opened_on=None)
    time_machine.move_to(made + timedelta(days=29))
    assert not takeovers.can_request_takeover(get_access(scorer))

    time_machine.move_to(made + timedelta(days=30))
    assert takeovers.can_request_takeover(get_access(scorer))


def test_a_scorer_asks_and_after_seven_days_is_in_charge(abandoned_table, scorer):
    revision = Table.objects.get(pk=abandoned_table.pk).revision
    takeovers.request_takeover(abandoned_table, by=scorer)
    assert revision + 1 == Table.objects.get(pk=abandoned_table.pk).revision
    assert (get_access(scorer), Role.SCORER) == (
        takeovers.takeover_request(abandoned_table),
        takeovers.record_visit(get_access(scorer)),
    )

    backdate_requests()
    assert (Role.OWNER, None) == (
        takeovers.record_visit(get_access(scorer)),
        takeovers.takeover_request(abandoned_table),
    )


@pytest.mark.parametrize("last", [*NOT_STORED])
def test_nobody_is_in_charge_by_a_request_that_could_not_store_it(abandoned_table, scorer, last):
    takeovers.request_takeover(abandoned_table, by=scorer)
    backdate_requests()
    access = get_access(scorer)
    with refuse_writes(FULL, NOT_STORED[last]):
        assert (Role.SCORER, None) == (takeovers.record_visit(access), access.took_over_at)
        with pytest.raises(RoleRequired):
            authorization.get_table(scorer, abandoned_table.code, for_owning=True)
    assert (Role.SCORER, access) == (get_access(scorer).role, takeovers.takeover_request(abandoned_table))

    assert Role.OWNER == authorization.get_table(scorer, abandoned_table.code, for_owning=True)[1]


def test_an_owner_whose_visit_could_not_be_stored_ends_the_wish_by_the_next_one(
    abandoned_table, owner, scorer
):
    takeovers.request_takeover(abandoned_table, by=scorer)
    with refuse_writes(FULL):
        assert Role.OWNER == takeovers.record_visit(get_access(owner))
    assert takeovers.takeover_request(abandoned_table) is not None
    takeovers.record_visit(get_access(owner))

    assert takeovers.takeover_request(abandoned_table) is None


def test_an_owner_who_comes_in_those_days_ends_the_wish(abandoned_table, owner, scorer):
    takeovers.request_takeover(abandoned_table, by=scorer)
    takeovers.record_visit(get_access(owner))

    assert (None, Role.SCORER) == (
        takeovers.takeover_request(abandoned_table),
        takeovers.record_visit(get_access(scorer)),
    )


def test_a_member_asks_only_where_there_is_no_scorer(abandoned_table, owner, members_by_slug, scorer):
    member = confirm_as_member(make_user("rosa"), members_by_slug["beto"])
    assert not takeovers.can_request_takeover(member)

    lobby.set_role(get_access(scorer), Role.WITNESS, by=owner)
    assert takeovers.can_request_takeover(get_access(member.user))


def test_an_owner_who_only_looks_at_sheets_has_opened_the_table_too(abandoned_table, owner, scorer):
    authorization.get_game(Visitor(owner), start(abandoned_table, owner).code)

    assert not takeovers.can_request_takeover(get_access(scorer))


@pytest.fixture
def table_after_takeover(abandoned_table, scorer):
    """The abandoned table, taken over by the scorer."""
    takeovers.request_takeover(abandoned_table, by=scorer)
    backdate_requests()
    takeovers.record_visit(get_access(scorer))
    return abandoned_table


def is_revocable_and_cannot_erase(access, owner):
    with pytest.raises(RuleError, match="after sixty days"):
        takeovers.check_can_erase(access)
    lobby.revoke(access, by=owner)
    return authorization.find_role(access.user, access.table) is None


def test_after_sixty_days_who_took_over_may_erase_the_table(table_after_takeover, scorer):
    Access.objects.filter(user=scorer).update(took_over_at=now() - timedelta(days=60, minutes=1))

    takeovers.check_can_erase(get_access(scorer))


def test_opening_a_game_on_another_day_does_not_forget_who_took_over(table_after_takeover, owner, scorer):
    game = start(table_after_takeover, owner)
    Access.objects.filter(user=scorer).update(opened_on=localdate() - timedelta(days=1))
    authorization.get_game(Visitor(scorer), game.code)

    assert is_revocable_and_cannot_erase(get_access(scorer), owner)


@pytest.mark.parametrize("way", ["role", "link", "new phone", "face"])
def test_another_phone_or_owner_is_no_way_around_the_sixty_days(
    table_after_takeover, owner, scorer, members_by_slug, way
):
    other = make_user("otra")
    match way:
        case "role":
            lobby.set_role(confirm_as_member(other, members_by_slug["beto"]), Role.OWNER, by=scorer)
        case "link":
            links.redeem_personal(
                links.create_personal(table_after_takeover, by=scorer, role=Role.OWNER)[0], other
            )
        case "new phone":
            link, _token = links.create_personal(
                table_after_takeover, by=scorer, role=Role.WITNESS, member=members_by_slug["dani"]
            )
            links.redeem_personal(link, other)
        case "face":
            grant_access(other, table_after_takeover, face="dani")
            confirmations.confirm(get_access(other), by=scorer, member=members_by_slug["dani"])

    assert Role.OWNER == authorization.find_role(other, table_after_takeover)
    assert is_revocable_and_cannot_erase(get_access(other), owner)
