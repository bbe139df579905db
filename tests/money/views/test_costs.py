"""Expenses: the form over the accounts, and the places that show an expense."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.files.services import audit
from games.models import SharedCost
from games.tables.services import membership
from tests.factories import get_last_night, load_balances, new_key
from tests.reader import Walker, open_page, picture_data, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def address(table):
    return reverse("share-cost", args=[table.code])


def night_address(table):
    return reverse("night", args=[table.code, get_last_night(table).isoformat()])


def cost_address(cost, name="cost"):
    return reverse(name, args=[cost.table.code, cost.pk])


def test_a_shared_cost_is_recorded_taken_back_and_entered_again(ana, table, play):
    """Four play, Eva does not. Beto pays a pizza for three of them, first 10,001, then 9,000."""
    membership.add(table, "Eva")
    play("ana", "beto", "caro", "dani")
    season = reverse("season", args=[table.code])
    before = open_page(ana, season).only("main").text
    walker = Walker(ana)
    walker.open(night_address(table))
    walker.follow("An expense")
    form, _button = walker.page.form_with("Record the expense")
    assert {"for-ana", "for-beto", "for-caro", "for-dani"} == {name for name in form.fields if "for-" in name}

    data = {"payer": "beto", "amount": "10.001", "note": "pizza", "night": form.fields["night"]}
    three = {f"for-{slug}": "yes" for slug in ("ana", "beto", "caro")}
    ana.post(address(table), {**data, **three, "key": new_key()})
    walker.open(f"{reverse('accounts', args=[table.code])}?shared={SharedCost.objects.get().pk}")
    assert {"ana": -3034, "beto": 6568, "caro": -3434, "dani": -100, "eva": 0} == load_balances(table)
    assert ["Recorded: pizza, $10,001"] == walker.page.notices

    walker.press("Undo")
    assert {"ana": 300, "beto": -100, "caro": -100, "dani": -100, "eva": 0} == load_balances(table)
    assert "It stays visible but no longer counts." in walker.page.only("main").text
    walker.follow("Record again")
    walker.press("Record the expense", amount="9000")
    assert {"ana": -2700, "beto": 5900, "caro": -3100, "dani": -100, "eva": 0} == load_balances(table)
    assert before == open_page(ana, season).only("main").text
    assert [] == list(audit.check_table(table).differences)


def test_an_expense_is_shared_by_different_parts_and_amounts(ana, table, finished):
    data = {
        "payer": "beto",
        "amount": "1001",
        "night": str(get_last_night(table)),
        "for-beto": "yes",
        "for-caro": "yes",
    }

    def answer(**shares):
        return ana.post(address(table), {**data, **shares, "key": new_key()})

    for shares, sentence in [
        ({"share-ana": "100"}, "Shares are numbers from 0 to 99."),
        ({"split": "amounts", "share-ana": "x"}, "Each number is an amount, or nothing."),
        ({"split": "amounts", "share-ana": "500", "share-beto": "500"}, "$1 is missing."),
        ({"split": "amounts", "share-ana": "1002"}, "That's $1 too much."),
        ({"share-ana": "1", "forgiven": "yes", "share-caro": "3"}, "A debt is forgiven in equal shares."),
    ]:
        page = read_page(response := answer(**shares))
        assert (422, [sentence]) == (
            response.status_code,
            [error.text for error in page.every("span", class_="wrong")],
        )
        assert shares["share-ana"] == page.typed("share-ana")

    answer(**{"share-ana": "2"})
    cost = SharedCost.objects.get()
    assert {"ana": 500, "beto": 250, "caro": 251} == cost.borne
    row = open_page(ana, reverse("accounts", args=[table.code])).only("div", id="moves").every("a")[0]
    assert "Ana $500, Beto $250, Caro $251" in row.text
    ana.post(cost_address(cost))
    walker = Walker(ana)
    walker.open(cost_address(cost))
    walker.follow("Record again")
    walker.press("Record the expense")
    assert [cost.borne] == [again.borne for again in SharedCost.objects.filter(ended_at=None)]


def test_a_debt_is_forgiven_among_all_by_one_tick(ana, table, play):
    play("ana", "dani", stake=100)
    play("beto", "caro", stake=60)
    walker = Walker(ana)
    walker.open(f"{reverse('accounts', args=[table.code])}?night={get_last_night(table)}")
    walker.press(
        "Record the expense", payer="dani", amount="20", forgiven="on", for_caro="yes", for_dani="yes"
    )

    assert {"ana": 93, "beto": 53, "caro": -66, "dani": -80} == load_balances(table)
    assert "is forgiven $20" in open_page(ana, cost_address(SharedCost.objects.get())).only("main").text


def test_a_cost_shows_who_paid_and_everybodys_part(ana, pizza):
    page = open_page(ana, cost_address(pizza))

    assert "B Beto paid $10,001" == page.only("div", class_="cloth paid").text
    assert ["Void it"] == [button.text for button in page.every("button")]
    assert ["A Ana $3,334", "B Beto $3,333", "C Caro $3,334"] == [
        row.text for row in page.only("ul", id="parts").every("li")
    ]


def test_a_nights_page_text_and_picture_show_its_shared_costs(ana, table, pizza, share):
    share("ana", 4, "beto", note="")
    page = open_page(ana, night_address(table))
    lines = [
        "pizza: Beto paid $10,001 · Ana $3,334, Beto $3,333, Caro $3,334",
        "Expense: Ana paid $4 · Beto $4",
    ]

    assert ["$10,001", "$4"] == [row.every("b")[-1].text for row in page.only("div", id="costs").every("a")]
    assert " ".join(lines) in page.only("textarea", id="message").text
    assert lines == picture_data(page)["notes"]
