"""Correcting an expense: one act and one entry, as if it had been entered right, undone by a tap."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest

from games.common.locks import IdempotencyKeyReused
from games.files.presenters import spreadsheets
from games.files.services import audit, file_reader, file_writer, ledger_proof, table_import
from games.models import EntryKind
from games.money.services import expense_corrections, expenses, night_summary
from games.money.services.expenses import StaleExpense
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.tables.services.roster import People
from tests.factories import make_user, new_key
from tests.money.conftest import ALL_FOUR, ROAST

pytestmark = pytest.mark.django_db


def entry_kinds(story):
    return [entry.kind for entry in story.table.entries.all()]


def test_the_seventh_story_of_a_roast_that_is_corrected_twice_and_taken_back(roast):
    first = roast.recorrect(roast.cost, ROAST, ana=1, beto=1, caro=1)
    assert {"ana": 3334, "beto": 3333, "caro": 3334} == first.borne
    assert {("ana", "dani", 3334), ("caro", "beto", 2667), ("caro", "dani", 667)} == roast.debts

    roast.go_to_day(12)
    roast.game("Loba", ana=-900, caro=900)
    assert {
        ("ana", "caro", 900),
        ("ana", "dani", 3334),
        ("caro", "beto", 2667),
        ("caro", "dani", 667),
    } == roast.debts
    second = roast.recorrect(first, ROAST, ana=65, beto=35)
    assert {"ana": 6501, "beto": 3500} == second.borne
    assert {
        ("ana", "beto", 2500),
        ("ana", "caro", 1567),
        ("ana", "dani", 3334),
        ("caro", "dani", 667),
    } == roast.debts
    assert ["asado, pusieron Beto y Dani −65,01", "Loba que ganó Caro −9,00"] == roast.reasons("ana")

    roast.void(second)
    assert {("ana", "caro", 900)} == roast.debts
    assert ["Loba que ganó Caro −9,00"] == roast.reasons("ana")
    assert ["shared", "corrected", "ended", "corrected", "unshared"] == entry_kinds(roast)
    assert {date(2026, 3, 5)} == {entry.night for entry in roast.table.entries.filter(cost=roast.cost)}
    assert [] == audit.check_table(roast.table).differences


def test_who_is_no_longer_a_sharer_is_left_out_when_it_is_settled_anew(story):
    """The pizza of the second story: Dani did not eat, and Dani's debt to Beto stays whole."""
    pizza = story("Ana", "Beto", "Caro", "Dani")
    pizza.game("Loba", ana=-300, beto=900, caro=-300, dani=-300)
    pizza.go_to_day(12)
    pizza.game("Chinchón", ana=200, beto=-100, caro=-100)
    cost = pizza.share({"ana": 7502}, **ALL_FOUR)
    pizza.recorrect(cost, {"ana": 7502}, ana=1, beto=1, caro=1)

    assert {("beto", "ana", 2001), ("caro", "ana", 2901), ("dani", "beto", 300)} == pizza.debts


def test_a_correction_at_once_is_as_if_it_had_been_entered_right(story):
    wrong, right = (story("Ana", "Beto", "Caro", "Dani") for _table in range(2))
    for table in (wrong, right):
        table.game("Loba", ana=-300, beto=900, caro=-300, dani=-300)
    wrong.recorrect(wrong.share({"ana": 9000}, **ALL_FOUR), {"caro": 900}, ana=2, dani=1)
    right.share({"caro": 900}, ana=2, dani=1)

    assert right.debts == wrong.debts


def test_undoing_a_correction_restores_the_former_version_and_its_debts(roast):
    before = roast.debts, roast.balances
    corrected = roast.recorrect(roast.cost, {"caro": 900}, ana=1, beto=1, reason="")
    assert expense_corrections.can_undo(corrected, roast.owner)
    former = expense_corrections.undo(corrected, by=roast.owner)
    again = expense_corrections.undo(corrected, by=roast.owner)

    assert (roast.cost, roast.cost) == (former, again)
    assert (former.counts, expenses.current_version(corrected)) == (True, former)
    assert before == (roast.debts, roast.balances)
    assert ["shared", "corrected", "corrected"] == entry_kinds(roast)
    assert ["asado, pusieron Beto y Dani −25,00"] == roast.reasons("ana")
    roast.void(former)
    assert set() == roast.debts
    assert [] == audit.check_table(roast.table).differences


def test_only_who_corrected_it_undoes_that_and_only_that_night(roast):
    corrected = roast.recorrect(roast.cost, {"caro": 900}, ana=1, beto=1)
    with pytest.raises(RuleError, match="Only the person who corrected"):
        expense_corrections.undo(corrected, by=make_user("otto"))
    roast.go_to_day(7)
    with pytest.raises(RuleError, match="on the same night"):
        expense_corrections.undo(corrected, by=roast.owner)


def test_a_correction_of_the_note_alone_makes_no_entry(roast):
    content = roast.content(ROAST, ALL_FOUR, note="asado del jueves")
    corrected = expense_corrections.correct(roast.cost, content, key=new_key(), by=roast.owner)
    unchanged = expense_corrections.correct(corrected, content, key=new_key(), by=roast.owner)

    assert (["shared"], corrected, 2) == (entry_kinds(roast), unchanged, roast.table.costs.count())
    assert ["asado del jueves, pusieron Beto y Dani −25,00"] == roast.reasons("ana")
    assert {"asado del jueves"} == {list(row)[4] for row in list(spreadsheets.entry_rows(roast.table))[1:]}


def test_a_version_that_was_replaced_is_stale(roast):
    other_phone = roast.table.costs.get()
    corrected = roast.recorrect(roast.cost, {"caro": 900}, ana=1, beto=1)
    with pytest.raises(StaleExpense):
        roast.recorrect(other_phone, {"caro": 800}, ana=1, beto=1)
    with pytest.raises(StaleExpense):
        expenses.void(other_phone, by=roast.owner)
    roast.void(corrected)
    with pytest.raises(StaleExpense):
        roast.recorrect(corrected, {"caro": 800}, ana=1, beto=1)
    with pytest.raises(StaleExpense):
        expense_corrections.undo(corrected, by=roast.owner)


def test_a_repeated_key_answers_with_the_version_that_counts(roast):
    right, key = roast.content({"caro": 900}, {"ana": 1, "beto": 1}), new_key()
    corrected = expense_corrections.correct(roast.cost, right, key=key, by=roast.owner)
    again = expense_corrections.correct(roast.cost, right, key=key, by=roast.owner)
    as_first = expenses.create(
        roast.table, roast.cost.night, roast.content(ROAST, ALL_FOUR), key=roast.cost.key, by=roast.owner
    )
    assert (corrected, corrected, 2) == (again, as_first, roast.table.costs.count())

    with pytest.raises(IdempotencyKeyReused):
        expense_corrections.correct(roast.cost, roast.content(ROAST, {"ana": 1}), key=key, by=roast.owner)
    pizza = roast.share({"dani": 500}, ana=1)
    with pytest.raises(IdempotencyKeyReused):
        expense_corrections.correct(pizza, right, key=key, by=roast.owner)
    roast.void(corrected)
    with pytest.raises(AlreadyVoided):
        expense_corrections.correct(roast.cost, right, key=key, by=roast.owner)


def test_a_reason_is_needed_as_for_taking_back(roast):
    right = roast.content({"caro": 900}, {"ana": 1, "beto": 1})
    how = {"key": new_key(), "at": roast.at + timedelta(days=1)}
    with pytest.raises(RuleError, match="Say why you're correcting it") as refusal:
        expense_corrections.correct(roast.cost, right, by=roast.owner, reason=" ", **how)
    assert "reason" == refusal.value.field

    expense_corrections.correct(roast.cost, right, by=roast.owner, reason="faltaba Caro", **how)
    roast.cost.refresh_from_db()
    assert ("faltaba Caro", False) == (roast.cost.reason, roast.cost.counts)


def test_what_was_forgiven_stays_forgiven(roast):
    forgiven = roast.expense("dani", 900, "ana", "beto")
    content = expenses.Expense(
        paid={roast.member("dani"): 900}, amount=900, borne={roast.member("ana"): 900}, is_forgiven=True
    )
    with pytest.raises(RuleError, match="Void it, and record it again"):
        expense_corrections.correct(forgiven, content, key=new_key(), by=roast.owner)


def test_a_night_counts_a_corrected_expense_once(roast):
    roast.recorrect(roast.cost, {"caro": 900}, ana=1, beto=1)
    summary = night_summary.summarize(date(2026, 3, 5), roast.table, People.of(roast.table))

    assert {"ana": -450, "beto": -450, "caro": 900} == {
        attendee.member.slug: attendee.expenses for attendee in summary.attendees
    }
    assert [900] == [cost.amount for cost in expenses.load_for_night(date(2026, 3, 5), roast.table)]


def test_a_tables_file_has_all_versions_and_comes_in_with_the_same_figures(roast):
    first = roast.recorrect(roast.cost, ROAST, ana=1, beto=1, caro=1)
    roast.go_to_day(12)
    second = roast.recorrect(first, ROAST, ana=65, beto=35)
    expense_corrections.undo(second, by=roast.owner)
    text = file_writer.write_table(roast.table)
    assert [None, 1, 2] == [cost.get("replaces") for cost in json.loads(text)["costs"]]
    contents = file_reader.read_table(text.encode())
    ledger_proof.check_ledger(contents)
    copy = table_import.create_table(contents, key=new_key(), by=make_user("nora"))

    assert [] == audit.check_table(copy).differences
    assert json.loads(text)["costs"] == json.loads(file_writer.write_table(copy))["costs"]
    corrected = expenses.load_current([copy.costs.earliest("pk").pk], copy)
    assert [first.borne] == [cost.borne for cost in corrected.values()]
    assert EntryKind.CORRECTED in [entry.kind for entry in copy.entries.all()]
