"""The form that corrects an expense, its page with the former versions, and the same by the API."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import SharedCost
from games.money.services import expenses
from tests.factories import load_balances, make_user, new_key
from tests.reader import Walker, open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def address(cost, name="cost"):
    return reverse(name, args=[cost.table.code, cost.pk])


def test_an_expense_is_corrected_on_its_form_and_that_is_undone_by_a_tap(ana, table, pizza):
    before = load_balances(table)
    walker = Walker(ana)
    walker.open(address(pizza))
    walker.follow("Correct it")
    form, _button = walker.page.form_with("Save")
    assert ("10001", "pizza", "beto") == tuple(form.fields[name] for name in ("amount", "note", "payer"))
    assert set() == {"night", "reason"} & form.fields.keys()
    walker.press("Save", amount="9000", note="pizzas")

    assert "B Beto paid $9,000" == walker.page.only("div", class_="cloth paid").text
    facts = walker.page.only("dl", class_="card rows").text
    assert "Corrected pizza: Beto paid $10,001 · Ana $3,334, Beto $3,333, Caro $3,334" in facts
    moves = open_page(ana, reverse("accounts", args=[table.code])).only("div", id="moves").every("a")
    assert [True, False] == ["izza" in move.text for move in moves][:2], "one line for all versions"
    walker.press("Undo")
    assert before == load_balances(table)
    assert "B Beto paid $10,001" == walker.page.only("div", class_="cloth paid").text


def test_a_refused_correction_keeps_all_that_was_typed(ana, pizza):
    data = {"amount": "9.000", "payer": "caro", "note": "x", "split": "amounts", "share-ana": "8000"}
    refused = ana.post(address(pizza, "correct-cost"), {**data, "key": new_key()})
    page = read_page(refused)

    assert (422, ["$1,000 is missing."]) == (
        refused.status_code,
        [error.text for error in page.every("span", class_="wrong")],
    )
    form, _button = page.form_with("Save")
    assert data == {name: form.fields[name] for name in data}


def test_a_later_correction_needs_a_reason(ana, pizza):
    SharedCost.objects.update(recorded_by=make_user("otto"))
    data = {"amount": "9000", "payer": "beto", "for-ana": "yes", "key": new_key()}
    page = read_page(ana.post(address(pizza, "correct-cost"), data))
    assert ["Say why you're correcting it."] == [error.text for error in page.every("span", class_="wrong")]
    corrected = ana.post(address(pizza, "correct-cost"), {**data, "reason": "eran 9000"})

    assert "eran 9000" in open_page(ana, corrected["Location"]).only("dl", class_="card rows").text
    assert corrected["Location"] == ana.get(address(pizza))["Location"]


def test_who_corrects_or_voids_what_was_corrected_meanwhile_reads_how_it_is_now(ana, pizza):
    data = {"amount": "9000", "payer": "beto", "for-ana": "yes", "note": "pizza"}
    ana.post(address(pizza, "correct-cost"), {**data, "key": new_key()})
    late = ana.post(address(pizza, "correct-cost"), {**data, "amount": "8000", "key": new_key()})
    voided = ana.post(address(pizza))

    assert [409, 409] == [late.status_code, voided.status_code]
    assert "this expense has changed meanwhile" in read_page(late).only("main").text
    assert "$9,000" in read_page(voided).only("main").text
    pizza.refresh_from_db()
    assert 9000 == expenses.current_version(pizza).amount
    assert 302 == ana.get(address(pizza, "correct-cost")).status_code


def test_a_program_corrects_an_expense_and_reads_its_versions(ana, table, pizza):
    where, key = reverse("api-cost-correct", args=[table.code, pizza.pk]), new_key()

    def send(body, key=key):
        return ana.post(where, body, "application/json", headers={"Idempotency-Key": key})

    right = {"payers": {"beto": 6000, "caro": 3000}, "amount": 9000, "parts": {"ana": 65, "beto": 35}}
    answer = send(right)
    assert 201 == answer.status_code
    new = answer.json()
    assert ("counts", pizza.pk, pizza.pk) == (new["state"], new["replaces"], new["first"])
    assert {"ana": 5850, "beto": 3150} == new["borne"]
    assert new["id"] == send(right).json()["id"]
    assert ("stale", 409) == (send(right, new_key()).json()["code"], send(right, new_key()).status_code)

    rows = ana.get(reverse("api-cost-list", args=[table.code])).json()["results"]
    assert {new["id"]: "counts", pizza.pk: "replaced"} == {row["id"]: row["state"] for row in rows}
    feed = ana.get(reverse("api-table-events", args=[table.code])).json()["results"]
    entries = [row["data"] for row in feed if row["kind"] == "entry" and row["data"]["cost"]]
    assert [("shared", pizza.pk), ("corrected", pizza.pk)] == [
        (data["kind"], data["cost"]) for data in entries
    ]
