"""`manage.py check_books`: it checks derived data against the records and rebuilds the data with `--repair`."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F

from games.common import triggers
from games.files.services import file_writer
from games.models import Debt, Entry, EntryKind, Game, Method, Payment, Record, Result, SharedCost
from games.money.services import accounting, expenses, payments
from games.play.services import recording
from games.scoring.events import PlayerReentered
from games.scoring.text.codec import to_data
from games.tables.services import membership
from tests.factories import (
    build_expense,
    build_round,
    get_last_night,
    load_balances,
    make_table,
    make_user,
    new_key,
    start,
    store_unchecked,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(table, owner):
    """A game of four for 100 each that Ana won."""
    game = start(table, owner, stake=100, reentries=0)
    recording.record(game, build_round("ana", beto=101, caro=120, dani=130), after=1, key=new_key(), by=owner)
    return game


def check(*options: str) -> tuple[list[str], str]:
    """Return the lines that the command printed, and its error message ("" if it succeeded)."""
    output, error = StringIO(), ""
    try:
        call_command("check_books", *options, stdout=output)
    except CommandError as refusal:
        error = str(refusal)
    return output.getvalue().splitlines(), error


def output_line(table, line):
    """Return a line about this table in the command's format."""
    return f"{table.name} ({table.code}), {line}"


def rows(queryset):
    return list(queryset.order_by("pk").values())


def test_it_says_how_many_games_it_replayed_and_that_there_are_no_differences(finished):
    (replayed, added_up), error = check()
    assert (True, True) == ("1 game" in replayed, "a second" in replayed)
    assert ("Everything adds up.", "") == (added_up, error)


def test_repair_changes_nothing_if_there_are_no_differences(table, finished):
    before = file_writer.write_table(table), rows(Game.objects), rows(Result.objects), rows(Entry.objects)
    check("--repair")
    assert before == (
        file_writer.write_table(table),
        rows(Game.objects),
        rows(Result.objects),
        rows(Entry.objects),
    )


def test_every_figure_of_a_result_is_checked_and_repaired(finished):
    figures = ("place", "points", "total", "rounds_won", "reentries", "survived", "in_one_go", "night_number")
    right = list(Result.objects.filter(member__slug="beto").values(*figures, "net", "variant"))
    Result.objects.filter(member__slug="beto").update(variant="chinchon", **dict.fromkeys(figures, 9))
    lines, error = check()

    assert {"variant", *figures} == {
        line.split("beto: ")[1].split(" is ")[0] for line in lines if "beto: " in line
    }
    assert f"{len(figures) + 1} differences." == error
    assert "" == check("--repair")[1]
    assert right == list(Result.objects.filter(member__slug="beto").values(*figures, "net", "variant"))
    assert ["Everything adds up."] == check()[0][1:]


def test_every_derived_column_of_a_game_is_checked_and_repaired(finished):
    right, wrong = rows(Game.objects), {"variant": "chinchon", "pot": 7, "decided_in": 9, "ended_at": None}
    Game.objects.update(**wrong)
    lines, error = check()
    for column, value in wrong.items():
        assert 1 == sum(f": {column} is {value}, and should be" in line for line in lines)
    assert f"{len(wrong)} differences." == error
    assert "" == check("--repair")[1]
    assert right == rows(Game.objects)


def test_missing_and_surplus_results_are_reported_and_rebuilt(table, finished):
    eva = membership.add(table, "Eva")
    right = rows(Result.objects)
    Result.objects.filter(member__slug="caro").update(member=eva)
    printed = " ".join(check()[0])
    assert "caro has no result" in printed
    assert "eva has a result that should not be there" in printed
    check("--repair")
    assert [{**row, "id": None} for row in right] == [{**row, "id": None} for row in rows(Result.objects)]
    Game.objects.filter(pk=finished.pk).update(discarded_at=finished.started_at)
    assert 4 == sum("should not be there" in line for line in check()[0])


def test_records_that_do_not_replay_are_reported_and_not_repaired(finished, owner):
    store_unchecked(finished, PlayerReentered("ana"), owner)
    for options in ((), ("--repair",)):
        lines, error = check(*options)
        assert lines[0].endswith(": the records do not replay: event 3: The game is over.")
        assert "1 " in error


def test_a_missing_event_is_reported(table, finished, owner):
    event = build_round("ana", beto=1, caro=2, dani=3)
    Record.objects.create(
        game=start(table, owner), number=5, kind=event.kind, data=to_data(event), key=new_key(),
        recorded_at=finished.started_at, recorded_by=owner,
    )  # fmt: skip
    assert check()[0][0].endswith(": an event is missing")


# --- the ledger -------------------------------------------------------------------------------------------------------


def debt_amounts(table):
    return {(debt.payer.slug, debt.payee.slug, debt.amount) for debt in accounting.load_accounts(table).debts}


def record_payment_and_expense(table, owner):
    """Record that Beto paid Ana 40, and that Ana paid 90 for three. Return the payment and the expense."""
    ana, beto, caro = (table.members.get(slug=slug) for slug in ("ana", "beto", "caro"))
    expense = build_expense(ana, 90, (ana, beto, caro))
    cost = expenses.create(table, get_last_night(table), expense, key=new_key(), by=owner)
    return payments.create(table, beto, ana, 40, key=new_key(), by=owner), cost


def test_debts_that_are_not_what_the_entries_left_are_settled_anew(table, finished):
    right = debt_amounts(table)
    Debt.objects.filter(other__slug="beto").update(amount=300)
    expected = [
        output_line(table, "debts: are not what the entries left"),
        output_line(table, "debts: do not add up to the balances"),
    ]
    assert expected == check()[0][:2]
    assert "" == check("--repair")[1]
    assert (right, EntryKind.REPAIRED) == (debt_amounts(table), table.entries.last().kind)
    assert ["Everything adds up."] == check()[0][1:]


@pytest.mark.parametrize(
    ("queryset", "change"),
    [
        (Payment.objects, {"amount": 70}),
        (SharedCost.objects, {"amount": 30, "borne": {"ana": 15, "beto": 15}}),
        (SharedCost.objects, {"borne": {"ana": 45, "beto": 45}}),
        (Game.objects, {"spot_nets": {"ana": 300, "beto": -100, "caro": -100, "dani": -100}}),
    ],
)
def test_a_cause_that_moves_something_else_than_its_entries_say_is_entered_again(
    table, finished, owner, queryset, change
):
    record_payment_and_expense(table, owner)
    queryset.update(**change)
    cause = queryset.get()
    kind = {Payment: "payment", SharedCost: "cost", Game: "game"}[type(cause)]
    where = output_line(table, f"{kind} {cause.pk}: moved something else than its entries say")
    assert [where] == check()[0][:1]
    assert "" == check("--repair")[1]
    assert ["Everything adds up."] == check()[0][1:]
    assert 0 == sum(load_balances(table).values())


def test_a_missing_entry_is_reported_and_what_it_moved_entered_again(table, finished, owner):
    payment, _cost = record_payment_and_expense(table, owner)
    triggers.remove_record_guards(connection)
    payment.entries.all().delete()
    printed = " ".join(check()[0])
    assert f"payment {payment.pk}: moved something else" in printed
    assert "debts: do not add up to the balances" in printed
    assert "" == check("--repair")[1]
    assert ["Everything adds up."] == check()[0][1:]


def test_an_altered_entry_is_reported(finished):
    triggers.remove_record_guards(connection)
    Entry.objects.update(differences={"ana": 7}, after=[])
    printed = " ".join(check()[0])
    for what in ("entry 1 does not add up to zero", "are not what the entries left"):
        assert f"debts: {what}" in printed


@pytest.mark.parametrize("side", ["payer", "payee"])
def test_a_payment_of_a_member_of_another_table_is_reported_and_cannot_be_repaired(
    table, finished, owner, side
):
    other = make_table(make_user("sara"), name="Otra mesa")
    beto, ana = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    payment = payments.create(table, beto, ana, 40, method=Method.CASH, key=new_key(), by=owner)
    Payment.objects.update(**{side: other.members.first()})
    lines, error = check("--repair")
    assert output_line(table, f"payment {payment.pk}: speaks of a member of another table") == lines[0]
    assert "1 of 1 differences remain." == error


def test_members_merged_in_a_circle_are_reported(table, finished):
    ana, beto = (table.members.get(slug=slug) for slug in ("ana", "beto"))
    table.members.filter(pk=ana.pk).update(merged_into=beto)
    table.members.filter(pk=beto.pk).update(merged_into=ana)
    lines, error = check()
    assert output_line(table, "member ana: is merged into nobody of this table") in lines
    assert "2 differences." == error


def test_an_erased_table_is_not_checked(table, finished):
    Result.objects.update(net=F("net") + 1)
    type(table).objects.update(erased_at=finished.started_at)
    assert ["Everything adds up."] == check()[0][1:]


def test_a_game_recorded_during_the_check_is_no_difference(finished, monkeypatch):
    """Games are first checked without a lock; one that looks wrong is checked again under its lock."""
    from games.files.services.game_proof import TableBooks

    def load_games(books, pks, *, again=TableBooks.load_games):
        games = list(again(books, pks))
        if len(pks) > 0 and not seen:
            seen.append(True)
            for game in games:
                game.results.clear()
        return iter(games)

    seen: list[bool] = []
    monkeypatch.setattr(TableBooks, "load_games", load_games)
    assert ["Everything adds up."] == check()[0][1:]


# --- rows that refer to nothing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--repair",)])
def test_a_row_that_refers_to_a_deleted_row_is_named_and_no_more_is_checked(table, finished, owner, options):
    beto, ana = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    payment = payments.create(table, beto, ana, 40, method=Method.CASH, key=new_key(), by=owner)
    with transaction.atomic():
        stored_payments = Payment._base_manager.filter(pk=payment.pk)
        stored_payments._raw_delete(stored_payments.db)
        _lines, error = check(*options)
        assert ("games_entry" in error, error.endswith(" Nothing else was checked.")) == (True, True)
        transaction.set_rollback(True)


# --- triggers ---------------------------------------------------------------------------------------------------------


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def test_a_missing_trigger_is_named_and_restored_by_a_repair_alone(finished):
    on = " ON games_record" if connection.vendor == "postgresql" else ""
    execute(f"DROP TRIGGER games_record_no_update{on}")
    assert "guard: games_record_no_update is gone" == check()[0][0]
    call_command("migrate", interactive=False, verbosity=0)

    assert "guard: games_record_no_update is gone – put right" == check("--repair")[0][0]
    assert "" == check()[1]


def test_a_trigger_that_no_longer_refuses_is_named_and_restored():
    if connection.vendor == "postgresql":
        execute("ALTER TABLE games_record DISABLE TRIGGER games_record_no_update")
    else:
        execute("DROP TRIGGER games_record_no_update")
        execute("CREATE TRIGGER games_record_no_update BEFORE UPDATE ON games_record BEGIN SELECT 1; END")
    assert "guard: games_record_no_update is not what it was" == check()[0][0]
    check("--repair")
    assert "" == check()[1]
