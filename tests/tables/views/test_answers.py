"""Answers to claims by their forms: the undo of one yes, old pages, full tables, and a yes for tonight only."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from games.models import MOST_ACTIVE, MOST_MEMBERS, Access, Member, Role
from games.tables.services import confirmations, lobby, membership
from games.tables.views.lobby import LAST_CONFIRMATION
from tests.factories import confirm_as_member, grant_access, make_table, make_user
from tests.reader import Walker, open_page, read_page
from tests.tables.claim_rows import answers_offered

pytestmark = pytest.mark.django_db

CHANGED = ["Not saved: this has changed in the meantime. Check it and try again."]


@pytest.fixture
def address(table):
    return reverse("lobby", args=[table.code])


def is_confirmed(access):
    return Access.objects.get(pk=access.pk).is_confirmed


# --- the undo of one yes ----------------------------------------------------------------------------------


def test_undo_undoes_the_yes_that_its_page_names_or_nothing(ana, address, enter_tonight):
    """The page after a yes to Beto stays open. In another tab, Ana says yes to Caro, and then taps *Undo* here."""
    beto, caro = enter_tonight("b", "beto"), enter_tonight("c", "caro")
    first = Walker(ana)
    first.open(address)
    first.press("Yes: A phone says it's Beto")
    other = Walker(ana)
    other.open(address)
    other.press("Yes: A phone says it's Caro")

    assert CHANGED == first.press("Undo").alerts
    assert (True, True) == (is_confirmed(beto), is_confirmed(caro))
    assert ["You said yes to Caro"] == other.page.notices[:1]
    other.press("Undo")
    assert (True, False) == (is_confirmed(beto), is_confirmed(caro))


def test_a_yes_on_the_first_page_stays_there_and_is_undone_there(ana, table, enter_tonight):
    beto = enter_tonight("b", "beto")
    walker = Walker(ana)
    answer = reverse("change-access", args=[table.code, beto.pk])
    ana.post(answer, {"act": "confirm", "member": "beto", "page": "home"})
    page = walker.open("/")

    assert (True, True) == (is_confirmed(beto), "You said yes to Beto" in page.text)
    walker.press("Undo")
    assert ("/", False) == (walker.address, is_confirmed(beto))


def test_another_tables_form_leaves_the_undo_where_it_is(ana, owner, address, enter_tonight):
    enter_tonight("b", "beto")
    elsewhere = make_table(owner, name="Otra")
    walker = Walker(ana)
    walker.open(address)
    walker.press("Yes: A phone says it's Beto")
    digest = ana.session[LAST_CONFIRMATION]["digest"]
    response = ana.post(
        reverse("confirm-all", args=[elsewhere.code]), {"act": "undo", "confirmation": digest}
    )

    assert (422, CHANGED) == (response.status_code, read_page(response).alerts)
    assert "You said no" not in walker.press("Undo").only("main").text
    assert LAST_CONFIRMATION not in ana.session


def test_a_key_of_an_older_page_that_named_nobody_says_so(ana, table, enter_tonight):
    beto = enter_tonight("b", "beto")
    response = ana.post(reverse("confirm-all", args=[table.code]))

    assert (422, CHANGED) == (response.status_code, read_page(response).alerts)
    assert not is_confirmed(beto)


# --- no question has an answer that is refused ------------------------------------------------------------


def fill_table(table, count):
    Member.objects.bulk_create(
        Member(table=table, slug=f"m{number}", name=f"Más {number}", colour=1) for number in range(count)
    )


def test_a_full_table_offers_no_yes_to_who_no_longer_plays_or_is_new(
    ana, table, address, enter_tonight, members_by_slug
):
    membership.retire(members_by_slug["beto"])
    fill_table(table, MOST_ACTIVE - table.members.active().count())
    enter_tonight("b", "beto"), enter_tonight("n", new_name="Nina"), enter_tonight("c", "caro")
    page = open_page(ana, address)

    assert ["No", "No", "Yes", "No"] == answers_offered(page)  # Beto, Caro, Nina
    reason = f"At most {MOST_ACTIVE} people can play at a table. Remove one from future games first."
    assert 2 == page.only("main").text.count(reason)


def test_a_table_with_all_the_people_it_holds_offers_no_new_name(ana, table, address, enter_tonight):
    fill_table(table, MOST_MEMBERS - table.members.count())
    Member.objects.filter(name__startswith="Más").update(retired_at=now())
    enter_tonight("n", new_name="Nina")
    page = open_page(ana, address)

    assert ["No"] == answers_offered(page)
    assert f"A table holds at most {MOST_MEMBERS} people" in page.only("main").text


def test_more_phones_than_one_answer_confirms_are_answered_one_by_one(ana, table, address, members_by_slug):
    phones = [
        lobby.enter(
            table, make_user(f"b{number}"), until=now() + timedelta(hours=5), face=members_by_slug["beto"]
        )
        for number in range(confirmations.MOST_PHONES + 1)
    ]
    page = open_page(ana, address)
    assert "All of them" not in answers_offered(page)

    response = ana.post(
        reverse("change-access", args=[table.code, phones[0].pk]),
        {"act": "beside", "member": "beto", "phones": " ".join(str(phone.pk) for phone in phones)},
    )
    assert (422, CHANGED) == (response.status_code, read_page(response).alerts)
    assert not any(is_confirmed(phone) for phone in phones)


# --- for tonight only -------------------------------------------------------------------------------------


def test_a_new_name_is_added_for_tonight_only(ana, table, address, enter_tonight):
    nina = enter_tonight("nina", new_name="Nina")
    walker = Walker(ana)
    page = walker.open(address)
    assert ["No", "Add", "Just for tonight"] == answers_offered(page)
    walker.press("Just for tonight: Nina is new here")
    access = table.members.get(name="Nina").accesses.get(pk=nina.pk)

    assert (True, False) == (access.is_confirmed, access.is_lasting)


def test_who_is_here_for_tonight_has_one_yes_and_it_is_for_tonight(client_for, table, address, enter_tonight):
    until = now() + timedelta(hours=5)
    scorer = grant_access(make_user("sole"), table, Role.SCORER, face="dani", until=until)
    enter_tonight("nina", new_name="Nina")

    assert ["No", "Add"] == answers_offered(open_page(client_for(scorer.user), address))


# --- many phones ------------------------------------------------------------------------------------------


def test_many_guests_who_wait_cost_a_sheet_no_more_queries_than_two(ana, table, owner, game, members_by_slug):
    confirm_as_member(owner, members_by_slug["ana"])
    sheet = reverse("sheet", args=[game.code])
    until = now() + timedelta(hours=5)

    def count():
        with CaptureQueriesContext(connection) as queries:
            assert 200 == ana.get(sheet).status_code
        return len(queries)

    def enter(numbers):
        for number in numbers:
            lobby.enter(table, make_user(f"g{number}"), until=until, face=members_by_slug["ana"])

    enter(range(2))
    count()  # the first visit of the day
    few = count()
    enter(range(2, 40))
    assert few == count()
