"""The hash chain: it covers every row that a service writes, and every alteration is detected."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from games.chain import chain_payments, cost_entries, link
from games.guards import install_record_guards, remove_record_guards
from games.models import (
    CostLink,
    CostStep,
    EventLink,
    Method,
    Payment,
    PaymentLink,
    PaymentStep,
    Record,
    Result,
    SharedCost,
)
from games.money import payments, ticks
from games.money.amendments import Words, amend
from games.money.balances import read_accounts
from games.money.closings import close_night, last_night, seen_now
from games.money.costs import CostWords, amend_cost, cancel_cost, share_cost
from games.notebook.books.links import wrong_costs, wrong_events, wrong_payments
from games.notebook.fingerprints import fingerprint_of, fingerprint_of_note
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.taking_over import bring_night_back, take_night_away
from games.notebook.writing import write_table
from games.people.members import change_member
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.events import Corrected
from games.scoring.text.notation import read_line
from tests.commands import output_and_error_of
from tests.tables import a_key, a_round, become, make_table, make_user, start
from tests.test_changes import an_evening, following

pytestmark = pytest.mark.django_db


@pytest.fixture
def running(table, owner):
    """A game of four with rounds played, in progress."""
    game = start(table, owner, stake=100)
    for points in (5, 6, 7, 8):
        write(game, a_round("ana", beto=points, caro=2, dani=3), owner)
    return game


@pytest.fixture
def finished(table, owner):
    """A game of four for 100 each that Ana won."""
    game = start(table, owner, stake=100, reentries=0)
    write(game, a_round("ana", beto=101, caro=120, dani=130), owner)
    return game


def write(game, event, owner):
    return services.record(game, event, after=game.records.count(), key=a_key(), by=owner)


def pay(table, owner, payer="beto", payee="ana", amount=60, **how):
    payer, payee = (table.members.get(slug=slug) for slug in (payer, payee))
    return payments.pay(table, payer, payee, amount, method=Method.CASH, key=a_key(), by=owner, **how)


def wrong_links(table):
    """Return a message for each altered, missing or added entry of the games, payments and shared costs."""
    wrong: list[str] = []
    for game in table.games.all():
        kept = dict(game.links.values_list("number", "hash"))
        wrong += wrong_events(game.records.all(), kept)
    return wrong + [problem for _pk, problem in (*wrong_payments(table), *wrong_costs(table))]


def hashes(table):
    """Return all hashes of a table, in an order that is the same in every copy of the table."""
    of_games = EventLink.objects.filter(game__table=table).order_by("game__started_at", "game_id", "number")
    links = (of_games, table.payment_links.all(), table.cost_links.all())
    return [list(of_kind.values_list("hash", flat=True)) for of_kind in links]


def restored(table):
    """Import the table's file as a new user and return the new table."""
    by = make_user(a_key())
    return restore_table(read_table(write_table(table).encode()), key=a_key(), by=by)


def check(*options):
    """Return the lines that `check_books` prints, without the last one."""
    output, _error = output_and_error_of("check_books", *options)
    return [line for line in output.splitlines() if "replayed in" not in line]


@contextmanager
def past_the_guards():
    """Remove the triggers for the `with` block, as somebody with access to the database could."""
    remove_record_guards(connection)
    yield
    install_record_guards(connection)


def execute(sql, *params):
    with connection.cursor() as cursor:
        cursor.execute(sql, params)


def rewrite(game, number, **hands):
    """Change the points of a recorded round directly in the database."""
    record = game.records.get(number=number)
    data = {**record.data, "hands": [[player, str(points)] for player, points in hands.items()]}
    execute("UPDATE games_record SET data = %s WHERE id = %s", json.dumps(data), record.pk)


# --- what is in it ----------------------------------------------------------------------------------------------------


def test_what_a_link_is_made_of_never_changes():
    first = link("", 1, "round_played", {"closer": "zoë", "hands": [["ana", "23"]], "closing": "out"})
    assert "8dae6d35debe16acedd11263d36b67a99f785f041d6d1572bbb29478ddfa45b1" == first
    assert "004aac3c703c94b02521cda82d0d32fba1f005234b0652a7026255892528279f" == link(
        first, 2, "struck", {"number": 1}
    )


def test_what_the_link_of_a_shared_cost_is_made_of_never_changes(table, owner, finished):
    before = fingerprint_of(table)
    with transaction.atomic():
        cost = a_pizza(table, owner, finished)
        SharedCost.objects.filter(pk=cost.pk).update(night="2026-11-19")
        cost.refresh_from_db()
        entries = list(cost_entries(cost, list(cost.steps.select_related("payer"))))
        transaction.set_rollback(True)
    words = {"payer": "beto", "sharers": ["ana", "beto"], "note": "pizza"}

    assert [
        ("shared", {"night": "2026-11-19", **words, "amount": 1000}),
        ("amended", {"text": "era menos", **words, "amount": 900}),
        ("cancelled", {"text": ""}),
    ] == entries
    assert before == fingerprint_of(table)


def a_pizza(table, owner, game):
    """Return a cost that Beto paid for Ana and Beto, amended and then cancelled."""
    ana, beto, *_others = table.members.all()
    words = CostWords(beto, 1000, (ana, beto), "pizza")
    night = date.fromordinal(game.night_number)
    cost = share_cost(table, night, words, key=a_key(), by=owner)
    amend_cost(cost, replace(words, amount=900), after=0, by=owner, text="era menos")
    return cancel_cost(cost, by=owner)


def test_a_shared_cost_changes_the_fingerprint_and_no_link_of_a_game_or_payment(table, owner, finished):
    pay(table, owner)
    before, fingerprint = hashes(table), fingerprint_of(table)
    a_pizza(table, owner, finished)
    *others, costs = hashes(table)

    assert (before[:2], 3, True) == (others, len(costs), fingerprint != fingerprint_of(table))


def test_the_fingerprint_of_a_closed_night_has_its_cost_and_stays_when_it_is_amended(table, owner, finished):
    ana, beto, *_others = table.members.all()
    bare = fingerprint_of_note(close(table, owner))
    words = CostWords(beto, 1000, (ana, beto), "pizza")
    cost = share_cost(table, date.fromordinal(finished.night_number), words, key=a_key(), by=owner)
    note = close(table, owner)
    before = fingerprint_of_note(note)
    amend_cost(cost, replace(words, amount=900), after=0, by=owner)

    assert (before, before) == (
        fingerprint_of_note(note),
        fingerprint_of_note(restored(table).closing_notes.first()),
    )
    assert bare != before


def test_whatever_a_service_writes_is_in_the_chain_and_comes_in_elsewhere_with_the_same(table, owner):
    walk = an_evening(table, owner)
    name, act = next(walk)
    while name:
        came_to = act()
        assert [] == wrong_links(table), name
        if name in (
            "cancel",
            "cancel_cost",
            "withdraw",
            "take_night_away",
            "bring_night_back",
            "take_back",
            "write_games",
        ):
            elsewhere = restored(table)
            assert hashes(table) == hashes(elsewhere), name
            assert fingerprint_of(table) == fingerprint_of(elsewhere), name
        name, act = following(walk, came_to)

    entries = (Record.objects, EventLink.objects), (Payment.objects, PaymentLink.objects.filter(number=0))
    assert [True, True] == [rows.count() == links.count() > 0 for rows, links in entries]
    assert PaymentStep.objects.count() == PaymentLink.objects.filter(number__gt=0).count() > 0
    assert SharedCost.objects.count() == CostLink.objects.filter(number=0).count() > 0
    assert CostStep.objects.count() == CostLink.objects.filter(number__gt=0).count() > 0


def test_a_tap_repeated_has_one_link(running, owner):
    again = a_round("ana", beto=1, caro=2, dani=3)
    for _tap in range(2):
        services.record(running, again, after=5, key="tap", by=owner)

    assert [1, 2, 3, 4, 5, 6] == list(running.links.values_list("number", flat=True))


def test_what_was_refused_leaves_no_link(running, owner):
    before = hashes(running.table)
    with transaction.atomic():
        write(running, a_round("ana", beto=1, caro=2, dani=3), owner)
        transaction.set_rollback(True)

    assert before == hashes(running.table)


def test_what_somebody_is_called_is_not_in_it(running, owner):
    before = fingerprint_of(running.table)
    change_member(running.table.members.get(slug="beto"), name="Norberto", colour=7)

    assert (before, []) == (fingerprint_of(running.table), wrong_links(running.table))


@pytest.mark.slow
def test_a_database_written_before_there_was_a_chain_is_given_the_same(transactional_db):
    """Migrate back to the last version without a chain, and forward again: the hashes are the same."""
    owner = make_user()
    table = make_table(owner)
    game = start(table, owner, stake=100, reentries=0)
    write(game, a_round("ana", beto=101, caro=120, dani=130), owner)
    ticks.pay_on_the_spot(game, after=2, key=a_key(), by=owner)
    paid = pay(table, owner)
    amend(paid, Words(50, Method.TRANSFER), after=0, by=owner, is_keeper=True)
    payments.cancel(paid, by=owner)
    pay(make_table(owner, name="Otra"), owner, amount=7)
    before = hashes(table)
    for version in (["0012"], []):  # and forward again to the newest
        call_command("migrate", "games", *version, interactive=False, verbosity=0)

    assert (2, 6, 0) == tuple(map(len, before))
    assert (before, ["Everything adds up."]) == (hashes(table), check())


# --- what was changed past the program --------------------------------------------------------------------------------


def test_three_hands_changed_in_a_running_game_are_named_each_and_nothing_puts_them_right(running, owner):
    with past_the_guards():
        for number in (2, 3, 5):
            rewrite(running, number, beto=1, caro=2, dani=3)
    where = f"{running.table.name} ({running.table.code}), game {running.code} of"
    wrong = [f"event {number}: is not what was recorded" for number in (2, 3, 5)]

    def named():
        return [line.split(": ", 1)[1] for line in check("--repair") if line.startswith(where)]

    assert wrong == named()
    write(running, a_round("ana", beto=1, caro=2, dani=3), owner)
    services.undo(running, after=6, key=a_key(), by=owner)
    services.discard_game(running)
    services.restore_game(running)
    call_command("migrate", interactive=False, verbosity=0)
    assert wrong == named()


def test_results_are_not_made_anew_from_a_record_that_was_changed(finished):
    before = list(Result.objects.order_by("pk").values())
    with past_the_guards():
        rewrite(finished, 2, beto=5, caro=120, dani=130)
    assert any(line.endswith("event 2: is not what was recorded") for line in check("--repair"))
    Result.objects.filter(member__slug="ana").update(net=0)
    lines = check("--repair")

    assert not any("put right" in line for line in lines)
    assert [row["net"] for row in before[1:]] == list(
        Result.objects.order_by("pk").values_list("net", flat=True)[1:]
    )


def test_an_event_taken_away_is_missed_and_nothing_takes_its_place(running, owner):
    with past_the_guards():
        execute("DELETE FROM games_change WHERE record_id = %s", running.records.get(number=5).pk)
        execute("DELETE FROM games_record WHERE game_id = %s AND number = 5", running.pk)
    with pytest.raises(RuleError, match="earlier records are missing"):
        write(running, a_round("ana", beto=1, caro=2, dani=3), owner)
    assert ["event 5: was recorded, and is gone"] == wrong_links(running.table)


def test_a_step_taken_away_is_missed_and_nothing_takes_its_place(table, owner):
    become(owner, table.members.get(slug="ana"))
    paid = payments.dispute(pay(table, owner), by=owner, objection="no me llegó")
    execute("DELETE FROM games_paymentstep WHERE payment_id = %s", paid.pk)
    execute("UPDATE games_payment SET disputed_at = NULL WHERE id = %s", paid.pk)
    with pytest.raises(RuleError, match="earlier records are missing"):
        payments.confirm(paid, by=owner)
    assert ["step 1 was recorded, and is gone"] == wrong_links(table)


def chain_anew(table):
    """Rebuild the chain of the payments as the migration and an import do."""
    table.payment_links.all().delete()
    chain_payments(table, list(table.payments.order_by("pk")))


def test_what_was_disputed_before_steps_were_kept_is_answered_as_ever(table, owner):
    paid = pay(table, owner)
    execute("UPDATE games_payment SET disputed_at = made_at WHERE id = %s", paid.pk)
    chain_anew(table)
    for elsewhere in (table, restored(table)):
        assert [] == wrong_links(elsewhere)
        payments.uphold(elsewhere.payments.get(), by=owner)
        assert [] == wrong_links(elsewhere)


def test_what_was_cancelled_with_its_night_before_steps_said_so_comes_back_and_goes_again(finished, owner):
    ticks.pay_on_the_spot(finished, after=2, key=a_key(), by=owner)
    take_night_away(finished, by=owner)
    PaymentStep.objects.all().delete()
    chain_anew(finished.table)
    assert [] == wrong_links(finished.table)

    for act in (bring_night_back, take_night_away, bring_night_back):
        act(finished, by=owner)
        assert [] == wrong_links(finished.table)
    assert hashes(finished.table) == hashes(restored(finished.table))


def test_a_link_taken_away_is_told_and_the_game_goes_on(running, owner):
    execute("DELETE FROM games_eventlink WHERE game_id = %s AND number IN (3, 5)", running.pk)
    write(running, a_round("ana", beto=1, caro=2, dani=3), owner)
    missing = [f"event {number}: has no link in the chain" for number in (3, 5)]
    assert missing == wrong_links(running.table)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("UPDATE games_payment SET amount = 5 WHERE id = %s", "step 1 is not what was recorded"),
        ("UPDATE games_payment SET note = 'otra' WHERE id = %s", "step 1 is not what was recorded"),
        ("UPDATE games_payment SET cancelled_at = NULL WHERE id = %s", "was cancelled, and does not say so"),
        ("UPDATE games_paymentstep SET amount = 5 WHERE payment_id = %s AND turn = 'amended'", "is not what"),
        ("UPDATE games_paymentstep SET text = 'x' WHERE payment_id = %s AND turn = 'cancelled'", "step 2 is"),
        (
            "UPDATE games_paymentlink SET hash = 'x' WHERE payment_id = %s AND number = 2",
            "step 2 is not what",
        ),
        (
            "DELETE FROM games_paymentstep WHERE payment_id = %s AND turn = 'cancelled'",
            "step 2 is not what was recorded",
        ),
    ],
)
def test_a_payment_changed_past_the_program_is_named(table, owner, change, wrong):
    pay(table, owner, amount=7)
    paid = pay(table, owner)
    amend(paid, Words(50, Method.TRANSFER), after=0, by=owner, is_keeper=True)
    payments.cancel(paid, by=owner)
    pay(table, owner, amount=8)
    assert [] == wrong_links(table)
    execute(change, paid.pk)

    assert any(f"payment {paid.pk}: " in line and wrong in line for line in check("--repair"))


@pytest.mark.parametrize("what", ["cancelled", "disputed"])
def test_a_payment_that_was_never_cancelled_or_disputed_cannot_say_so(table, owner, what):
    paid = pay(table, owner)
    execute(f"UPDATE games_payment SET {what}_at = made_at WHERE id = %s", paid.pk)
    assert ["step 1 has no link in the chain"] == wrong_links(table)


def test_a_claim_nobody_accepted_cannot_say_so(table, owner):
    become(owner, table.members.get(slug="beto"))
    paid = pay(table, owner, is_claimed=True)
    execute("UPDATE games_payment SET accepted_at = made_at WHERE id = %s", paid.pk)
    assert any("says that it was accepted, and was not" in line for line in check())


def test_a_plan_is_not_made_anew_from_a_payment_that_was_changed(table, owner, finished):
    paid = pay(table, owner)
    plan = table.plans.first()
    execute("UPDATE games_payment SET amount = 1000 WHERE id = %s", paid.pk)
    assert not any("put right" in line for line in check("--repair"))
    assert plan == table.plans.first()


# --- the guards -------------------------------------------------------------------------------------------------------


def test_a_guard_that_is_gone_is_named_and_put_back_only_where_it_is_asked_for(running):
    on = " ON games_record" if connection.vendor == "postgresql" else ""
    execute(f"DROP TRIGGER games_record_no_update{on}")
    for options in ((), ("--repair",)):
        assert ["guard: games_record_no_update is gone"] == check(*options)
        call_command("migrate", interactive=False, verbosity=0)

    assert ["guard: games_record_no_update is gone – put right"] == check("--guards")[:1]
    assert ["Everything adds up."] == check()


def test_a_guard_that_lets_go_is_named():
    if connection.vendor == "postgresql":
        execute("ALTER TABLE games_record DISABLE TRIGGER games_record_no_update")
    else:
        execute("DROP TRIGGER games_record_no_update")
        execute("CREATE TRIGGER games_record_no_update BEFORE UPDATE ON games_record BEGIN SELECT 1; END")
    assert ["guard: games_record_no_update is not what it was"] == check()
    check("--guards")
    assert ["Everything adds up."] == check()


# --- fingerprints -----------------------------------------------------------------------------------------------------


def close(table, owner):
    seen, night = seen_now(read_accounts(table)), last_night(table)
    assert night is not None
    return close_night(table, night, seen=seen, by=owner, text="todo bien")


def test_a_fingerprint_can_be_read_aloud_and_changes_with_whatever_counts(table, owner, finished):
    seen = {fingerprint_of(table)}
    for act in (
        lambda: write(finished, Corrected(2, a_round("ana", beto=101, caro=120, dani=131)), owner),
        lambda: pay(table, owner),
        lambda: payments.cancel(table.payments.get(), by=owner),
    ):
        act()
        seen.add(fingerprint_of(table))
    assert 4 == len(seen)
    assert all([3, 3, 3] == [len(group) for group in one.split("-")] for one in seen)

    before = fingerprint_of(table)
    services.discard_game(finished)
    assert before != fingerprint_of(table)
    services.restore_game(finished)
    assert before == fingerprint_of(table)


def test_the_fingerprint_of_a_closed_night_stays_whatever_is_corrected_later(table, owner, finished):
    pay(table, owner)
    note = close(table, owner)
    before = fingerprint_of_note(note)
    write(finished, Corrected(2, a_round("ana", beto=101, caro=120, dani=131)), owner)
    write(start(table, owner), read_line("stop lowest_wins")[0], owner)
    pay(table, owner, amount=7)
    services.discard_game(finished)

    assert before == fingerprint_of_note(note)
    assert before == fingerprint_of_note(restored(table).closing_notes.get())
    with past_the_guards():
        execute("UPDATE games_eventlink SET hash = %s WHERE game_id = %s AND number = 2", "x", finished.pk)
    assert before != fingerprint_of_note(note)


# --- two at once ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write at a time")
def test_payments_of_many_phones_at_once_are_one_chain(transactional_db):
    owner = make_user()
    table = make_table(owner)

    def tap():
        try:
            pay(table, owner, amount=7)
        finally:
            connection.close()

    taps = [threading.Thread(target=tap) for _phone in range(6)]
    for each in taps:
        each.start()
    for each in taps:
        each.join()

    assert (6, []) == (table.payment_links.count(), wrong_links(table))
