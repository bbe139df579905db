"""The form of starting balances: an organizer enters earlier debts, also in two tabs or with a mistake."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.money.services import starting_balances
from games.tables.services import membership
from tests.factories import load_balances, make_table, new_key
from tests.reader import Walker, open_page, read_page

pytestmark = pytest.mark.django_db


def address(table):
    return reverse("opening-balances", args=[table.code])


def legends(page):
    return [legend.text for legend in page.every("legend")]


@pytest.fixture
def form(ana, table):
    """The initial fields of the form."""
    return open_page(ana, address(table)).only("form", class_="sheetform").fields


def test_entered_balances_are_in_the_accounts(ana, table):
    walker = Walker(ana)
    walker.open(reverse("table-settings", args=[table.code]))
    walker.follow("The table's file")
    page = walker.follow("Starting balances What you owed each other, without the games")
    assert ["Ana", "Beto", "Caro", "Dani"] == legends(page)
    data = {"amount_ana": "12.000", "amount_beto": "4000", "side_beto": "owes", "amount_caro": "8000"}
    page = walker.press("Save", **data, side_caro="owes")

    assert ["Starting balances saved"] == page.notices
    assert f"{reverse('accounts', args=[table.code])}?opened=1" == walker.address
    assert {"ana": 12_000, "beto": -4_000, "caro": -8_000, "dani": 0} == load_balances(table)


def test_balances_that_do_not_add_up_are_refused_with_the_side_that_is_short(ana, table):
    walker = Walker(ana)
    walker.open(address(table))
    page = walker.press("Save", amount_ana="500", amount_beto="300", side_beto="owes")

    assert 422 == walker.status
    assert ["Debts are $200 short: people owe $300 and are owed $500."] == page.alerts
    assert ("500", "300") == (page.typed("amount-ana"), page.typed("amount-beto"))
    assert not starting_balances.list_valid(table).exists()


def test_a_person_is_added_on_the_form_and_what_was_typed_stays(ana, owner):
    table = make_table(owner, people=("Ana",))
    walker = Walker(ana)
    walker.open(address(table))
    page = walker.press("Add", name="Eva", amount_ana="500")

    assert (["Added: Eva"], ["Ana", "Eva"]) == (page.notices, legends(page))
    assert ("500", "") == (page.typed("amount-ana"), page.typed("name"))

    page = walker.press("Add", name="eva", amount_eva="500", side_eva="owes")
    assert (422, EVA_IS_HERE) == (walker.status, page.said_at("name"))
    assert ("500", "owes", "eva") == tuple(map(page.typed, ("amount-eva", "side-eva", "name")))

    walker.press("Save", name="")
    assert {"ana": 500, "eva": -500} == load_balances(table)


def test_who_no_longer_plays_can_be_brought_back_from_the_form(ana, owner):
    table = make_table(owner, people=("Ana", "Caro"))
    membership.retire(table.members.get(slug="caro"))
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Add", name="caro", amount_ana="500")
    page = walker.press("Caro no longer plays: add them again")

    assert (["Added: Caro"], ["Ana", "Caro"]) == (page.notices, legends(page))
    assert ("500", "") == (page.typed("amount-ana"), page.typed("name"))


def test_adding_nobody_saves_no_balances(ana, table):
    walker = Walker(ana)
    walker.open(address(table))
    page = walker.press("Add", amount_ana="500", amount_beto="500", side_beto="owes")

    assert (422, "Enter a name.") == (walker.status, page.said_at("name"))
    assert ("500", False) == (page.typed("amount-ana"), starting_balances.list_valid(table).exists())


EVA_IS_HERE = "This table already has a member called Eva. Choose another name."


def test_the_second_of_two_tabs_gets_409_with_the_balances_of_the_first(ana, table, form):
    data = {"amount-ana": "300", "amount-beto": "300", "side-beto": "owes"}
    first = ana.post(address(table), {**form, **data})
    second = ana.post(address(table), {**form, **data, "key": new_key()})
    page = read_page(second)

    assert (302, 409) == (first.status_code, second.status_code)
    assert ["Not recorded: the accounts have changed. This is how they are now."] == page.notices
    assert ["now +$300; this is added", "now −$300; this is added"] == [
        row.text for row in page.only(class_="card ledger").every("span", class_="sub") if row.text
    ]
    assert "Starting balances were already entered." in page.text
    assert "300" == page.typed("amount-ana")
    assert {"ana": 300, "beto": -300, "caro": 0, "dani": 0} == load_balances(table)


def test_saved_balances_are_listed_as_what_they_are_and_undone(ana, table, form):
    ana.post(address(table), {**form, "amount-ana": "300", "amount-beto": "300", "side-beto": "owes"})
    walker = Walker(ana)
    (balance_list,) = walker.open(address(table)).every("dl")
    assert "Ana +$300 Beto −$300" in balance_list.text
    undo = next(button.attrs["formaction"] for button in balance_list.every("button"))
    again = [ana.post(undo, form).status_code for _tap in range(2)]

    assert [302, 422] == again
    assert {0} == {*load_balances(table).values()}
    assert [] == open_page(ana, address(table)).every("dl")
