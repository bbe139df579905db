"""An expense that a member proposes, on the accounts page of both, on its own page, and by the API."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.common import days
from games.models import SharedCost
from tests.factories import get_last_night, load_balances, make_user, new_key
from tests.reader import Walker, open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def caro(table, finished, confirm_as, client_for):
    """The phone of Caro, a member who may not record."""
    return client_for(confirm_as(make_user("caro"), "caro"))


def propose(phone, table, **fields):
    data = {"payer": "caro", "amount": "7502", "note": "pizza", "night": str(get_last_night(table)), **fields}
    data |= {f"for-{slug}": "yes" for slug in ("ana", "beto", "caro", "dani")}
    return phone.post(reverse("share-cost", args=[table.code]), {**data, "key": new_key()})


def accounts(phone, table):
    return open_page(phone, reverse("accounts", args=[table.code]))


def address(cost):
    return reverse("cost", args=[cost.table.code, cost.pk])


def test_a_member_proposes_an_expense_and_a_keeper_accepts_it_by_one_tap(ana, caro, table):
    before = load_balances(table)
    walker = Walker(caro)
    walker.open(propose(caro, table)["Location"])
    assert ["Waiting for a scorekeeper's yes: pizza, $7,502"] == walker.page.notices
    assert "waits for a yes" in walker.page.only("div", id="moves").every("a")[0].text
    assert before == load_balances(table)

    keeper = Walker(ana)
    keeper.open(reverse("accounts", args=[table.code]))
    assert "Record pizza, $7,502, paid by Caro?" in keeper.page.only(id="to-confirm").text
    keeper.press("Yes")
    assert ["Recorded: pizza, $7,502"] == keeper.page.notices
    assert before["caro"] + 5627 == load_balances(table)["caro"]
    keeper.press("Undo")
    assert before == load_balances(table)
    assert "Record pizza" in keeper.page.only(id="to-confirm").text


def test_a_question_has_the_night_and_the_parts_whatever_the_payer_is_called(ana, caro, table):
    table.members.filter(slug="caro").update(name="Caro · Li")
    propose(caro, table)
    question = accounts(ana, table).only(id="to-confirm").text

    assert (
        f"{days.format_day(get_last_night(table))} · Ana $1,876, Beto $1,875, Caro · Li $1,875, Dani $1,876"
        in question
    )


def test_a_refused_expense_is_told_to_its_proposer_until_they_have_seen_it(ana, caro, table):
    propose(caro, table)
    cost = SharedCost.objects.get()
    ana.post(address(cost), {"act": "refuse", "objection": "ya está anotada"})
    walker = Walker(caro)
    walker.open(reverse("accounts", args=[table.code]))
    news = walker.page.only(id="to-confirm").text
    assert "Not recorded: pizza, $7,502" in news
    assert "“ya está anotada”" in news
    walker.press("OK")

    assert [] == walker.page.every(id="to-confirm")
    assert "not recorded" in accounts(ana, table).only("div", id="moves").every("a")[0].text


def test_a_keeper_accepts_it_with_changes_on_the_form_and_undoes_that(ana, caro, table):
    propose(caro, table)
    keeper = Walker(ana)
    keeper.open(reverse("accounts", args=[table.code]))
    keeper.follow("With changes")
    keeper.press("Save", amount="7500")
    assert "C Caro paid $7,500" == keeper.page.only("div", class_="cloth paid").text
    assert 5625 == sum(load_balances(table)[slug] - balance for slug, balance in {"caro": -100}.items())

    keeper.press("Undo")
    assert "It counts when an owner or scorekeeper says yes." in keeper.page.only("main").text
    assert 7502 == SharedCost.objects.get(replaced_at=None).amount


def test_its_proposer_takes_it_back_while_it_waits_and_not_later(ana, caro, table):
    for _number in range(2):
        propose(caro, table)
    first, second = SharedCost.objects.order_by("pk")
    walker = Walker(caro)
    walker.open(address(first))
    walker.press("Take it back")
    assert "voided" in walker.page.only("div", class_="cloth paid").text

    ana.post(address(second), {"act": "accept"})
    assert [403] * 3 == [
        caro.post(address(second), {"act": act}).status_code for act in ("", "accept", "refuse")
    ]
    second.refresh_from_db()
    assert second.counts


def test_a_member_proposes_only_what_they_paid_into(caro, table):
    refused = propose(caro, table, payer="beto")

    assert (422, 0) == (refused.status_code, SharedCost.objects.count())
    assert "You can only propose an expense that you paid into." in read_page(refused).only("main").text


def test_who_answers_after_somebody_else_reads_how_it_is_now(ana, caro, table):
    propose(caro, table)
    cost = SharedCost.objects.get()
    ana.post(address(cost), {"act": "accept"})
    late = ana.post(address(cost), {"act": "refuse"})

    assert 409 == late.status_code
    assert "this expense has changed meanwhile" in read_page(late).only("main").text


def test_programs_propose_answer_and_take_back(ana, caro, table):
    def send(phone, path, body, key=None):
        headers = {"Idempotency-Key": key or new_key()}
        return phone.post(
            f"{reverse('api-cost-list', args=[table.code])}{path}", body, "application/json", headers=headers
        )

    pizza = {"night": str(get_last_night(table)), "payer": "caro", "amount": 100, "sharers": ["ana", "caro"]}
    first, second, third = (send(caro, "", pizza).json() for _number in range(3))
    assert ("waits", "caro", False) == (first["state"], first["proposer"], first["counts"])
    assert 403 == send(caro, f"{first['id']}/accept/", {}).status_code

    accepted = send(ana, f"{first['id']}/accept/", {}).json()
    assert ("counts", True) == (accepted["state"], accepted["counts"])
    assert "counts" == send(ana, f"{first['id']}/accept/", {}).json()["state"]
    assert "stale" == send(ana, f"{first['id']}/refuse/", {}).json()["code"]
    refused = send(ana, f"{second['id']}/refuse/", {"note": "ya está"}).json()
    assert ("refused", "ya está") == (refused["state"], refused["objection"])
    assert 200 == send(caro, f"{second['id']}/see/", {}).status_code
    assert SharedCost.objects.get(pk=second["id"]).seen_at
    assert "taken_back" == send(caro, f"{third['id']}/cancel/", {}).json()["state"]
    assert 403 == send(caro, f"{first['id']}/cancel/", {}).status_code
