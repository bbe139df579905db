"""Expenses: the form over the accounts, and the places that show an expense.

`money/test_costs.py` has the services of expenses.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.files.services import audit
from games.models import SharedCost
from games.money.services import member_merges
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
        **{f"for-{slug}": "yes" for slug in ("ana", "beto", "caro")},
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


def test_a_tick_and_a_number_that_contradict_each_other_are_refused_with_the_names(ana, table, finished):
    """Without scripts, nobody clears the share of who is unchecked, or unchecks who has no amount."""
    night = str(get_last_night(table))
    for fields, sentence in [
        (
            {"for-ana": "yes", "share-beto": "2", "share-caro": "1", "share-dani": "0"},
            "With a share, but not checked: Beto and Caro. Check them, or clear the share.",
        ),
        (
            {"for-ana": "yes", "for-dani": "yes", "split": "amounts", "share-ana": "60", "share-beto": "30"},
            "Checked, but without an amount: Dani. Enter the amount, or uncheck them.",
        ),
        (
            {"for-ana": "yes", "for-caro": "yes", "share-caro": "2", "forgiven": "on"},
            "The person who is forgiven bears no share.",
        ),
    ]:
        data = {"payer": "caro", "amount": "90", "night": night, **fields, "key": new_key()}
        page = read_page(refused := ana.post(address(table), data))
        assert (422, sentence) == (refused.status_code, page.said_at("for-ana"))
        assert fields["for-ana"] == page.typed("for-ana")
        assert SharedCost.objects.count() == 0


@pytest.mark.parametrize(
    ("fields", "borne"),
    [
        (
            {"for-ana": "yes", "share-ana": "60", "share-beto": "30", "split": "amounts"},
            {"ana": 60, "beto": 30},
        ),
        ({"for-ana": "yes", "for-beto": "yes", "share-beto": "0", "share-dani": "0"}, {"ana": 90}),
        ({"for-ana": "yes", "for-beto": "yes", "share-beto": "2"}, {"ana": 30, "beto": 60}),
        ({"for-ana": "yes", "for-beto": "yes", "for-caro": "yes", "forgiven": "on"}, {"ana": 45, "beto": 45}),
    ],
)
def test_what_stands_in_the_form_is_recorded(ana, table, finished, fields, borne):
    data = {"payer": "caro", "amount": "90", "night": str(get_last_night(table)), **fields}
    ana.post(address(table), {**data, "key": new_key()})

    assert borne == SharedCost.objects.get().borne


def test_what_was_typed_for_two_who_became_one_meanwhile_is_added_up(ana, table, owner, finished):
    """The form was open on another phone when Eva, added by mistake, was merged into Dani."""
    eva, dani = membership.add(table, "Eva"), table.members.get(slug="dani")
    member_merges.merge(eva, dani, seen=member_merges.preview(eva, dani).digest, by=owner)
    everyday = {"payer": "ana", "amount": "90", "night": str(get_last_night(table))}
    for fields, borne in [
        ({"for-ana": "yes", "for-dani": "yes", "for-eva": "yes"}, {"ana": 30, "dani": 60}),
        ({"for-dani": "yes", "share-dani": "2", "for-eva": "yes", "for-ana": "yes"}, {"ana": 22, "dani": 68}),
        (
            {"split": "amounts", "share-ana": "20", "share-dani": "40", "share-eva": "30"},
            {"ana": 20, "dani": 70},
        ),
        ({"for-ana": "yes", "for-beto": "yes", "paid-dani": "50", "paid-eva": "40"}, {"ana": 45, "beto": 45}),
    ]:
        ana.post(address(table), {**everyday, **fields, "key": new_key()})
        assert borne == SharedCost.objects.latest("pk").borne


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
