"""Expenses that several paid: who bears what, who owes whom, and how it is told (the seventh story)."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from django.urls import reverse

from games.common import days
from games.files.services import audit, file_reader, file_writer, table_import
from games.models import SharedCost
from games.money.services import expenses, member_merges
from games.money.services.expenses import Expense
from games.scoring.errors import RuleError
from games.tables.services import membership
from games.tables.services.roster import People
from tests.factories import make_user, new_key
from tests.money.conftest import ALL_FOUR, ROAST
from tests.reader import open_page, read_page

pytestmark = pytest.mark.django_db


def test_the_odd_unit_goes_first_to_who_paid_nothing_after_who_paid_most(roast):
    assert {"caro": 2501, "ana": 2500, "dani": 2500, "beto": 2500} == roast.cost.borne
    assert {("ana", "beto", 999), ("ana", "dani", 1501), ("caro", "beto", 2501)} == roast.debts
    assert ("beto", ROAST) == (roast.cost.payer.slug, roast.cost.paid)
    assert [] == audit.check_table(roast.table).differences


def test_each_line_names_all_who_paid_and_the_reader_last(roast):
    assert ["asado, pusieron Beto y Dani −25,00"] == roast.reasons("ana")
    assert ["asado, pusieron Dani y vos +35,00"] == roast.reasons("beto")


def test_one_payer_is_stored_as_before(roast):
    cost = roast.share({"caro": 900}, ana=1, caro=2)

    assert ("caro", {}, {"ana": 300, "caro": 600}) == (cost.payer.slug, cost.paid, cost.borne)


@pytest.mark.parametrize(
    ("paid", "borne", "field", "sentence"),
    [
        ({"beto": 5, "dani": 4}, {"ana": 10}, "payers", "1 is missing."),
        ({"beto": 5, "dani": 7}, {"ana": 10}, "payers", "2 too much."),
        ({"beto": 5, "dani": 5}, {"ana": 9}, "amounts", "1 is missing."),
        ({"beto": 5, "dani": 5}, {"beto": 5, "dani": 5}, "sharers", "exactly what they paid"),
        ({"beto": 10}, {"beto": 10}, "sharers", "besides the payer"),
    ],
)
def test_an_expense_whose_sums_differ_or_that_moves_nothing_is_refused(
    table, owner, members_by_slug, paid, borne, field, sentence
):
    payers, sharers = ({members_by_slug[slug]: part for slug, part in some.items()} for some in (paid, borne))
    expense = Expense(paid=payers, amount=10, borne=sharers)
    with pytest.raises(RuleError, match=sentence) as refusal:
        expenses.create(table, date(2026, 11, 19), expense, key=new_key(), by=owner)

    assert (field, 0) == (refusal.value.field, table.costs.count())


def test_only_one_person_is_forgiven_at_a_time(table, owner, members_by_slug):
    beto, dani, ana = (members_by_slug[slug] for slug in ("beto", "dani", "ana"))
    expense = Expense(paid={beto: 5, dani: 5}, amount=10, borne={ana: 10}, is_forgiven=True)
    with pytest.raises(RuleError, match="one person's") as refusal:
        expenses.create(table, date(2026, 11, 19), expense, key=new_key(), by=owner)

    assert "payers" == refusal.value.field


def test_merged_payers_add_up_and_may_become_who_paid_most(roast):
    danny = membership.add(roast.table, "Danny")
    cost = roast.share({"beto": 500, "dani": 400, "danny": 300}, ana=1)
    dani = roast.member("dani")
    member_merges.merge(danny, dani, seen=member_merges.preview(danny, dani).digest, by=roast.owner)

    expense = Expense.of(cost, People.of(roast.table))
    assert {"beto": 500, "dani": 700} == {payer.slug: amount for payer, amount in expense.paid.items()}
    assert "dani" == expense.payer.slug
    assert [] == audit.check_table(roast.table).differences


def test_an_expense_may_be_older_than_the_table_but_not_than_2000(table, share):
    old = share("beto", 90, "ana", "caro", night=date(2000, 1, 1))
    assert date(2000, 1, 1) == days.night_for(old.made_at, table) == table.entries.get(cost=old).night

    with pytest.raises(RuleError, match="before the year 2000") as refusal:
        share("beto", 90, "ana", night=date(1999, 12, 31))
    with pytest.raises(RuleError, match="in the future"):
        share("beto", 90, "ana", night=days.night_for(old.recorded_at, table) + timedelta(days=2))
    assert "night" == refusal.value.field


def test_a_tables_file_has_all_payers_and_only_where_there_are_several(roast):
    roast.share({"caro": 900}, ana=1, caro=2)
    text = file_writer.write_table(roast.table)
    assert [True, False] == ["paid" in cost for cost in json.loads(text)["costs"]]
    copy = table_import.create_table(
        file_reader.read_table(text.encode()), key=new_key(), by=make_user("nora")
    )

    assert [ROAST, {}] == [cost.paid for cost in copy.costs.order_by("pk")]
    assert [] == audit.check_table(copy).differences
    assert json.loads(text)["costs"] == json.loads(file_writer.write_table(copy))["costs"]


@pytest.mark.parametrize(
    ("paid", "wrong"), [({"beto": 1, "dani": 1}, "not paid as a whole"), ({"eva": 10001}, "another table")]
)
def test_the_audit_reports_payers_of_nobody_here_and_what_was_paid_in_part(roast, paid, wrong):
    SharedCost.objects.update(paid=paid)

    assert [True] == [wrong in str(difference) for difference in audit.check_table(roast.table).differences]


# --- pages and the API ------------------------------------------------------------------------------------------------


def test_several_payers_are_entered_on_the_page_and_shown_on_theirs(ana, table, finished):
    night = str(days.night_for(finished.started_at, table))
    data = {"amount": "10001", "paid-beto": "6000", "paid-dani": "4000", "night": night, "note": "asado"}
    data |= {f"for-{slug}": "yes" for slug in ALL_FOUR}
    address = reverse("share-cost", args=[table.code])
    page = read_page(refused := ana.post(address, {**data, "key": new_key()}))
    assert (422, ["$1 is missing."]) == (
        refused.status_code,
        [error.text for error in page.every("span", class_="wrong")],
    )
    assert ("6000", "4000") == (page.typed("paid-beto"), page.typed("paid-dani"))

    ana.post(address, {**data, "paid-dani": "4001", "key": new_key()})
    cost = SharedCost.objects.get()
    assert ROAST == cost.paid
    page = open_page(ana, reverse("cost", args=[table.code, cost.pk]))
    assert "B Beto D Dani paid $10,001" == page.only("div", class_="cloth paid").text
    assert ["B Beto $6,000", "D Dani $4,001"] == [row.text for row in page.only("ul", id="paid").every("li")]
    row = open_page(ana, reverse("accounts", args=[table.code])).only("div", id="moves").every("a")[0]
    assert "Asado Beto and Dani" in row.text
    text = open_page(ana, reverse("night", args=[table.code, night])).only("textarea", id="message").text
    assert "asado: Beto puso $ 6.000, Dani puso $ 4.001 · Ana $ 2.500" in text


def test_a_program_sends_one_payer_or_several_and_reads_both(ana, table, finished):
    where = reverse("api-cost-list", args=[table.code])
    night = str(days.night_for(finished.started_at, table))

    def send(**fields: object):
        body = {"night": night, "amount": 10001, "sharers": [*ALL_FOUR], **fields}
        return ana.post(where, body, "application/json", headers={"Idempotency-Key": new_key()})

    answer = send(payers=ROAST)
    assert (201, "beto", ROAST) == (answer.status_code, answer.json()["payer"], answer.json()["payers"])
    assert {"ana": 2500, "beto": 2500, "caro": 2501, "dani": 2500} == answer.json()["borne"]
    assert {"caro": 10001} == send(payer="caro").json()["payers"]
    wrong: list[dict[str, object]] = [
        {},
        {"payer": "ana", "payers": ROAST},
        {"payers": {}},
        {"payers": {"beto": 1}},
        {"payers": {"beto": 0}},
    ]
    for fields in wrong:
        assert send(**fields).status_code in (400, 422), fields
    assert 2 == table.costs.count()
