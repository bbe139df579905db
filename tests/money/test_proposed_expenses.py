"""Expenses that wait: a member proposes one they paid into, and an owner or scorer answers (the second story)."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from games.common.locks import IdempotencyKeyReused
from games.files.services import audit, file_reader, file_writer, ledger_proof, table_import
from games.models import ExpenseState
from games.money.services import expense_corrections, expenses, member_merges, night_summary, proposals
from games.money.services.expenses import StaleExpense
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.tables.services import membership
from games.tables.services.roster import People
from tests.factories import confirm_as_member, make_user, new_key
from tests.money.conftest import ALL_FOUR

pytestmark = pytest.mark.django_db


@pytest.fixture
def pizza(story):
    """Ana, who may not record, proposes on the 5th a pizza for all four."""
    pizza = story("Ana", "Beto", "Caro", "Dani")
    pizza.ana = make_user("user-of-ana")
    confirm_as_member(pizza.ana, pizza.member("ana"))
    pizza.game("Loba", ana=-300, beto=900, caro=-300, dani=-300)
    pizza.cost = pizza.propose(pizza.ana, {"ana": 7502}, note="pizza", **ALL_FOUR)
    return pizza


def test_the_second_story_of_a_pizza_that_waits_and_counts_on_the_night_of_the_5th(pizza):
    assert {"ana": 1875, "beto": 1876, "caro": 1876, "dani": 1875} == pizza.cost.borne
    assert {("ana", "beto", 300), ("caro", "beto", 300), ("dani", "beto", 300)} == pizza.debts
    night = night_summary.summarize(date(2026, 3, 5), pizza.table, People.of(pizza.table))
    assert [0, 0, 0, 0] == [attendee.expenses for attendee in night.attendees]
    assert [] == expenses.load_for_night(date(2026, 3, 5), pizza.table)

    pizza.go_to_day(12)
    pizza.game("Chinchón", ana=200, beto=-100, caro=-100)
    assert {("ana", "beto", 100), ("caro", "beto", 400), ("dani", "beto", 300)} == pizza.debts
    pizza.go_to_day(13)
    accepted = proposals.accept(pizza.cost, by=pizza.owner)
    assert {("beto", "ana", 1076), ("caro", "ana", 2276), ("dani", "ana", 2175)} == pizza.debts
    entry = pizza.table.entries.get(cost=accepted)
    assert (date(2026, 3, 5), pizza.at, pizza.owner) == (entry.night, entry.at, entry.by)
    people = [
        "En parte: se lo pagás a Ana porque le debías a Beto, y Beto a Ana. Son 3 pagos en vez de 5."
    ] * 2
    assert people == [pizza.why(slug, slug)[f"{slug}>ana"] for slug in ("caro", "dani")]

    pizza.recorrect(accepted, {"ana": 7502}, ana=1, beto=1, caro=1)
    assert {("beto", "ana", 2001), ("caro", "ana", 2901), ("dani", "beto", 300)} == pizza.debts
    assert [] == audit.check_table(pizza.table).differences


def test_undoing_a_yes_or_a_no_lets_it_wait_again_with_the_debts_of_before(pizza):
    before = pizza.debts
    accepted = proposals.accept(pizza.cost, by=pizza.owner)
    proposals.undo_answer(accepted, by=pizza.owner)
    assert (ExpenseState.WAITS, before) == (accepted.state, pizza.debts)

    refused = proposals.refuse(pizza.cost, by=pizza.owner, objection="ya está anotada")
    assert (ExpenseState.REFUSED, before) == (refused.state, pizza.debts)
    waiting = proposals.undo_answer(refused, by=pizza.owner)
    assert (ExpenseState.WAITS, "") == (waiting.state, waiting.objection)
    proposals.accept(waiting, by=pizza.owner)
    assert ["shared", "unshared", "shared"] == [
        entry.kind for entry in pizza.table.entries.exclude(cost=None)
    ]
    assert [] == audit.check_table(pizza.table).differences


def test_a_keeper_accepts_it_with_changes_and_undoing_that_lets_it_wait_again(pizza):
    before = pizza.debts
    changed = expense_corrections.correct(
        pizza.cost, pizza.content({"ana": 7500}, {"ana": 1, "beto": 1}), key=new_key(), by=pizza.owner
    )
    assert [("replaced", None), ("counts", pizza.cost.pk)] == [
        (cost.state, cost.replaces_id) for cost in pizza.table.costs.order_by("pk")
    ]
    assert ("beto", "ana", 3450) in pizza.debts
    waiting = expense_corrections.undo(changed, by=pizza.owner)

    assert (ExpenseState.WAITS, before) == (waiting.state, pizza.debts)
    proposals.accept(waiting, by=pizza.owner)
    assert [] == audit.check_table(pizza.table).differences


def test_of_two_keepers_the_first_counts_and_the_same_answer_changes_nothing(pizza):
    other_phone, otto = pizza.table.costs.get(), make_user("otto")
    proposals.accept(pizza.cost, by=pizza.owner)
    again = proposals.accept(other_phone, by=otto)
    assert (pizza.owner, 1) == (again.accepted_by, pizza.table.entries.exclude(cost=None).count())
    with pytest.raises(StaleExpense):
        proposals.refuse(other_phone, by=otto)

    proposals.undo_answer(pizza.cost, by=pizza.owner)
    proposals.refuse(pizza.cost, by=pizza.owner)
    assert pizza.owner == proposals.refuse(other_phone, by=otto, objection="no").refused_by
    with pytest.raises(StaleExpense):
        proposals.accept(other_phone, by=otto)
    with pytest.raises(StaleExpense):
        pizza.recorrect(pizza.cost, {"ana": 1}, beto=1)
    with pytest.raises(StaleExpense):
        expenses.void(pizza.cost, by=pizza.ana)


def test_only_who_answered_undoes_that_and_only_that_night(pizza):
    proposals.accept(pizza.cost, by=pizza.owner)
    with pytest.raises(RuleError, match="Only the person who answered"):
        proposals.undo_answer(pizza.cost, by=make_user("otto"))
    with pytest.raises(RuleError, match="on the same night"):
        proposals.undo_answer(pizza.cost, by=pizza.owner, at=pizza.at + timedelta(days=1))


def test_its_proposer_takes_it_back_while_it_waits(pizza):
    with pytest.raises(RuleError, match="Only Ana can take this back"):
        expenses.void(pizza.table.costs.get(), by=pizza.owner, reason="no")
    taken_back = expenses.void(pizza.cost, by=pizza.ana)

    assert (ExpenseState.TAKEN_BACK, 1) == (taken_back.state, pizza.table.entries.count())
    for answer in (proposals.accept, proposals.refuse, proposals.undo_answer):
        with pytest.raises(StaleExpense):
            answer(pizza.table.costs.get(), by=pizza.owner)


def test_only_what_the_proposer_paid_into_waits(pizza):
    with pytest.raises(RuleError, match="that you paid into") as refusal:
        pizza.propose(pizza.ana, {"beto": 100}, ana=1)
    assert "payer" == refusal.value.field
    with pytest.raises(RuleError, match="that you paid into"):
        pizza.propose(make_user("nobody"), {"ana": 100}, beto=1)
    assert ExpenseState.WAITS == pizza.propose(pizza.ana, {"beto": 60, "ana": 40}, caro=1).state


def test_twenty_of_a_member_wait_at_most(pizza):
    for _number in range(19):
        pizza.propose(pizza.ana, {"ana": 100}, beto=1)
    with pytest.raises(RuleError, match="20 of your expenses wait already"):
        pizza.propose(pizza.ana, {"ana": 100}, beto=1)
    proposals.refuse(pizza.cost, by=pizza.owner)

    assert pizza.propose(pizza.ana, {"ana": 100}, beto=1).pk


def test_a_repeated_key_answers_with_what_became_of_the_proposal(pizza):
    def again():
        content = pizza.content({"ana": 7502}, ALL_FOUR, note="pizza")
        how = {"key": pizza.cost.key, "by": pizza.ana, "is_proposal": True}
        return expenses.create(pizza.table, pizza.cost.night, content, **how)

    assert "waits" == again().state
    proposals.accept(pizza.cost, by=pizza.owner)
    assert "counts" == again().state
    proposals.undo_answer(pizza.cost, by=pizza.owner)
    proposals.refuse(pizza.cost, by=pizza.owner)
    assert "refused" == again().state
    proposals.undo_answer(pizza.cost, by=pizza.owner)
    expenses.void(pizza.cost, by=pizza.ana)
    with pytest.raises(AlreadyVoided):
        again()
    other, dearer = pizza.propose(pizza.ana, {"ana": 5}, beto=1), pizza.content({"ana": 6}, {"beto": 1})
    with pytest.raises(IdempotencyKeyReused):
        expenses.create(pizza.table, other.night, dearer, key=other.key, by=pizza.ana)


def test_a_refusal_is_news_for_its_proposer_until_read_and_for_a_week(pizza):
    def news():
        people = People.of(pizza.table)
        return [
            cost.objection
            for cost in proposals.list_open(pizza.table, people, people.by_slug["ana"], is_scorer=False)
        ]

    proposals.refuse(pizza.cost, by=pizza.owner, objection="ya está")
    assert ["ya está"] == news()
    proposals.mark_seen(pizza.cost, by=pizza.owner)
    assert ["ya está"] == news(), "only its proposer reads it"
    pizza.go_to_day(13)
    assert [] == news()
    pizza.go_to_day(5)
    proposals.mark_seen(pizza.cost, by=pizza.ana)
    assert [] == news()


def test_a_merged_proposer_keeps_their_proposals(story):
    table = story("Ana", "Beto")
    anita = membership.add(table.table, "Anita")
    user = make_user("anita")
    confirm_as_member(user, anita)
    cost = table.propose(user, {"anita": 90}, beto=1)
    user.accesses.all().delete()
    ana = table.member("ana")
    member_merges.merge(anita, ana, seen=member_merges.preview(anita, ana).digest, by=table.owner)
    confirm_as_member(user, ana)

    assert "taken_back" == expenses.void(cost, by=user).state


def test_a_tables_file_keeps_what_waits_and_what_was_answered(pizza):
    for number, answer in enumerate((proposals.accept, proposals.refuse)):
        answer(pizza.propose(pizza.ana, {"ana": 100 + number}, beto=1), by=pizza.owner)
    text = file_writer.write_table(pizza.table)
    contents = file_reader.read_table(text.encode())
    ledger_proof.check_ledger(contents)
    copy = table_import.create_table(contents, key=new_key(), by=make_user("nora"))

    assert ["waits", "counts", "refused"] == [cost.state for cost in copy.costs.order_by("pk")]
    assert json.loads(text)["costs"] == json.loads(file_writer.write_table(copy))["costs"]
    assert [] == audit.check_table(copy).differences
