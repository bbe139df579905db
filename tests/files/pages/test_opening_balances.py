"""The form of starting balances: an organizer enters earlier debts, also in two tabs or with a mistake."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.money.opening import openings_of
from tests.reader import Walker, open_page, read_page
from tests.worlds import a_key, balances_of, make_table

pytestmark = pytest.mark.django_db


def address(table):
    return reverse("opening-balances", args=[table.code])


def legends(page):
    """Return the caption of each row."""
    return [legend.text for legend in page.every("legend")]


@pytest.fixture
def form(ana, table):
    """The fields of the form as it is first shown."""
    return open_page(ana, address(table)).only("form", class_="sheetform").fields


def test_entered_balances_are_in_the_accounts(ana, table):
    walker = Walker(ana)
    walker.open(reverse("table-settings", args=[table.code]))
    page = walker.follow("Starting balances What you owed each other, without the games")
    assert ["Ana", "Beto", "Caro", "Dani"] == legends(page)
    typed = {"amount_1": "12.000", "amount_2": "4000", "side_2": "owes", "amount_3": "8000", "side_3": "owes"}
    walker.press("Save", **typed)

    assert ["Starting balances saved"] == page.notices
    assert f"{reverse('accounts', args=[table.code])}?opened=1" == walker.address
    assert {"ana": 12_000, "beto": -4_000, "caro": -8_000, "dani": 0} == balances_of(table)


def test_balances_that_do_not_add_up_are_refused_with_the_difference(ana, table):
    walker = Walker(ana)
    walker.open(address(table))
    page = walker.press("Save", amount_1="500", amount_2="300", side_2="owes")

    assert 422 == walker.status
    assert ["Amounts owed and debts must be equal. They differ by $ 200."] == page.alerts
    assert ("500", "300") == (page.typed("amount-1"), page.typed("amount-2"))
    assert not openings_of(table).exists()


def test_new_people_are_added_with_their_balances(ana, owner):
    table = make_table(owner, people=())
    walker = Walker(ana)
    page = walker.open(address(table))
    assert ["New person"] * 4 == legends(page)
    page = walker.press("Add another person", name_1="Ana", amount_1="50")
    assert (8, "Ana", "50") == (len(legends(page)), page.typed("name-1"), page.typed("amount-1"))
    walker.press("Save", name_8="Tío Raúl", amount_8="50", side_8="owes")

    assert {"ana": 50, "tio_raul": -50} == balances_of(table)


NO_CENTS = (
    "This table has no cents: enter a whole amount. An owner finds its smallest coin in the table's settings."
)


def test_an_invalid_row_is_refused_at_its_field_and_the_typed_values_are_kept(subtests, ana, table, form):
    for typed, field, message in [
        ({"amount-1": "mucho"}, "amount-1", "Write an amount, such as $ 1,500."),
        ({"amount-1": "-5"}, "amount-1", "Write an amount, such as $ 1,500."),
        ({"amount-1": "1,5"}, "amount-1", NO_CENTS),
        ({"rows": "5", "amount-5": "5"}, "amount-5", "Enter a name."),
        ({"rows": "5", "name-5": "x" * 21}, "amount-5", "At most 20 characters fit here."),
    ]:
        with subtests.test(typed=typed):
            response = ana.post(address(table), {**form, "amount-2": "70", **typed})
            page = read_page(response)

            assert (422, message) == (response.status_code, page.said_at(field))
            assert {"amount-2": "70", **typed} == {name: page.typed(name) for name in ("amount-2", *typed)}
            assert not openings_of(table).exists()


def test_the_second_of_two_tabs_gets_409_with_the_balances_of_the_first(ana, table, form):
    typed = {"amount-1": "300", "amount-2": "300", "side-2": "owes"}
    first = ana.post(address(table), {**form, **typed})
    second = ana.post(address(table), {**form, **typed, "key": a_key()})
    page = read_page(second)

    assert (302, 409) == (first.status_code, second.status_code)
    assert ["Not recorded: the accounts have changed. This is how they are now."] == page.notices
    assert ["Ana now +$ 300", "Beto now −$ 300", "Caro", "Dani"] == legends(page)[:4]
    assert "Earlier balances were already entered." in page.text
    assert "300" == page.typed("amount-1")
    assert {"ana": 300, "beto": -300, "caro": 0, "dani": 0} == balances_of(table)


def test_saved_balances_are_listed_as_what_they_are_and_undone(ana, table, form):
    ana.post(address(table), {**form, "amount-1": "300", "amount-2": "300", "side-2": "owes"})
    walker = Walker(ana)
    (listed,) = walker.open(address(table)).every("dl")
    assert "Ana +$ 300 Beto −$ 300" in listed.text
    accounts = open_page(ana, reverse("accounts", args=[table.code]))
    assert "No game and no payment yet." == accounts.only("div", id="moves").text
    assert "Starting balance" in accounts.only("div", id="debt-beto-ana").text
    undo = next(button.attrs["formaction"] for button in listed.every("button"))
    again = [ana.post(undo, form).status_code for _tap in range(2)]

    assert [302, 422] == again
    assert {0} == {*balances_of(table).values()}
    assert [] == open_page(ana, address(table)).every("dl")
