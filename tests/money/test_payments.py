"""The services of the accounts: balances over all games, who pays whom, payments, dues and nights."""

from __future__ import annotations

import threading
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from games.keys import KeyReused
from games.locks import StaleGame
from games.models import Game, Member, Method, Payment
from games.money import holders, payments, ticks
from games.money.balances import StaleAccounts, balances_of, entries_of, read_accounts
from games.money.booking import StaleDues, TakenBack
from games.money.dues import dues_of
from games.money.evening import payments_of
from games.money.plans import replanned
from games.nights import games_of, night_of, nights_before
from games.people.members import add_member
from games.play import recording as services
from games.play.results import check_money
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, GameStopped, RulesAgreed, Stop, Struck
from games.scoring.ledger import Transfer
from tests.tables import a_key, a_round, end_season, loba, make_table, make_user, start

pytestmark = pytest.mark.django_db

THURSDAY = datetime(2026, 11, 20, 1, tzinfo=UTC)  # ten in the evening of the 19th in Buenos Aires
HOUR = timedelta(hours=1)


@pytest.fixture
def play(table, owner):
    """`play("ana", stake=100)` returns a game of four that Ana won: +300, and −100 for each of the others."""

    def play_one(winner, *, stake=100, at=None):
        game = services.start_game(table, loba(table, stake=stake), key=a_key(), by=owner, at=at)
        services.record(game, won_by(winner), after=1, key=a_key(), by=owner, at=at)
        game.refresh_from_db()
        return game

    return play_one


def won_by(winner):
    """Return a round after which everybody but the winner is out."""
    others: dict[str, Any] = {slug: 101 for slug in ("ana", "beto", "caro", "dani") if slug != winner}
    return a_round(winner, **others)


def plan(table):
    """Return the unpaid lines of the plan."""
    return [(line.payer.slug, line.payee.slug, line.left) for line in read_accounts(table).to_pay]


def correct(game, owner, winner, at=None):
    """Correct the game's only round, so that another player wins."""
    length = game.records.count()
    services.record(game, Corrected(2, won_by(winner)), after=length, key=a_key(), by=owner, at=at)


# --- balances ---------------------------------------------------------------------------------------------------------


def test_a_new_table_owes_nothing(table):
    assert {"ana": 0, "beto": 0, "caro": 0, "dani": 0} == balances_of(table)
    assert [] == plan(table)


def test_a_balance_is_the_sum_over_all_games(table, play):
    play("ana")
    play("beto", stake=10)

    assert {"ana": 290, "beto": -70, "caro": -110, "dani": -110} == balances_of(table)


def test_a_running_game_does_not_change_balances(table, owner):
    start(table, owner, stake=100)

    assert {0} == set(balances_of(table).values())


def test_a_payment_counts_at_once(table, play, pay):
    play("ana")
    pay("beto", "ana", 100)

    assert {"ana": 200, "beto": 0, "caro": -100, "dani": -100} == balances_of(table)


def test_a_discarded_game_does_not_count_until_it_is_restored(table, play):
    game = play("ana")
    services.discard_game(game)
    assert {0} == set(balances_of(table).values())
    services.restore_game(game)

    assert 300 == balances_of(table)["ana"]


def test_a_merged_member_has_no_balance_of_their_own(table, play, pay, who):
    play("ana")
    pay("dani", "ana", 40)
    caro = who["caro"]
    add_member(table, "Carola")
    Member.objects.filter(pk=caro.pk).update(merged_into=table.members.get(slug="carola"))

    assert {"ana": 260, "beto": -100, "dani": -60, "carola": -100} == balances_of(table)
    assert 0 == sum(balances_of(table).values())
    assert {("beto", "ana", 100), ("dani", "ana", 60), ("carola", "ana", 100)} == set(plan(table))


def test_a_merge_changes_the_plan(table, owner, play):
    play("ana")
    carola = add_member(table, "Carola")
    with replanned(table, at=THURSDAY, is_merge=True):
        Member.objects.filter(slug="caro").update(merged_into=carola)
    changed = table.plans.first()

    assert {("beto", "ana", 100), ("dani", "ana", 100), ("carola", "ana", 100)} == set(plan(table))
    assert changed == read_accounts(table).plan


def test_an_account_breaks_the_balance_down_into_games_payments_and_forgiven_debts(table, play, pay):
    play("ana")
    pay("beto", "ana", 30)
    pay("beto", "ana", 20, method=Method.FORGIVEN)
    beto, ana = (read_accounts(table).accounts[slug] for slug in ("beto", "ana"))

    assert (1, -100, 30, 0, 20, -50) == (
        beto.games,
        beto.won,
        beto.paid,
        beto.received,
        beto.forgiven,
        beto.balance,
    )
    assert (300, 0, 30, -20, 250) == (ana.won, ana.paid, ana.received, ana.forgiven, ana.balance)


def test_a_game_that_moves_more_money_than_a_column_can_hold_is_refused_with_a_sentence(table, owner):
    """Two such games would add up to more than a column of the database holds."""
    game = start(table, owner, variant="chinchon", stake=10**9, chinchon_prize=10**9)
    chinchon = a_round("ana", closing="chinchon", beto=5, caro=5, dani=5)
    with pytest.raises(RuleError) as refused:
        services.record(game, chinchon, after=1, key=a_key(), by=owner)

    assert "Ana would win or lose 3000000003000000003" in str(refused.value)
    assert 1 == game.records.count()
    cheaper = Corrected(1, RulesAgreed("chinchon", (("stake", 10), ("cut_prize", 0)), "", "right"))
    services.record(game, cheaper, after=1, key=a_key(), by=owner)
    services.record(game, chinchon, after=2, key=a_key(), by=owner)
    assert 60 == balances_of(table)["ana"]


def test_the_largest_amount_a_game_can_move_is_paid_with_one_tap(table, owner):
    game = start(table, owner, variant="chinchon", stake=1, chinchon_prize=10**9)
    services.record(
        game, a_round("ana", closing="chinchon", beto=5, caro=5, dani=5), after=1, key=a_key(), by=owner
    )
    on_the_spot(game, owner)

    assert {0} == set(balances_of(table).values())


def test_the_entries_of_an_account_lead_from_zero_to_its_balance(table, play, pay):
    play("ana", at=THURSDAY)
    pay("beto", "ana", 30, at=THURSDAY + HOUR)
    payments.take_back(pay("beto", "ana", 5, at=THURSDAY + 2 * HOUR), by=make_user("eva"), reason="no fue")
    play("beto", stake=10, at=THURSDAY + 3 * HOUR)
    accounts = read_accounts(table)
    account = accounts.accounts["beto"]
    entries, more = entries_of(account, accounts.people, start=0, count=10)

    assert [(30, -40), (0, -70), (30, -70), (-100, -100)] == [(e.amount, e.balance) for e in entries]
    assert not more
    page, more = entries_of(account, accounts.people, start=2, count=1)
    assert [(30, -70)] == [(e.amount, e.balance) for e in page]
    assert more


# --- plan of payments -------------------------------------------------------------------------------------------------


def test_the_plan_has_the_fewest_payments(table, play):
    play("ana")

    assert [("beto", "ana", 100), ("caro", "ana", 100), ("dani", "ana", 100)] == plan(table)


def test_the_lines_of_the_plan_are_in_the_order_of_the_members(table, play):
    play("ana")
    made = table.plans.get()
    made.pk, made.lines = None, made.lines[::-1]
    made.save()

    assert [("beto", "ana", 100), ("caro", "ana", 100), ("dani", "ana", 100)] == plan(table)


@pytest.mark.parametrize("paid", [1, 60, 100])
@pytest.mark.parametrize("payer", ["beto", "caro", "dani"])
def test_paying_one_line_of_the_plan_does_not_change_the_others(table, play, pay, payer, paid):
    play("ana")
    before = {line[0]: line for line in plan(table)}
    pay(payer, "ana", paid)
    after = {line[0]: line for line in plan(table)}

    assert 1 == table.plans.count()
    for other in set(before) - {payer}:
        assert before[other] == after[other]
    assert 100 - paid == sum(line[2] for line in plan(table) if line[0] == payer)


def test_an_unplanned_payment_changes_the_plan(table, play, pay):
    play("ana")
    pay("beto", "caro", 40)

    assert {("caro", "ana", 140), ("beto", "ana", 60), ("dani", "ana", 100)} == set(plan(table))


def test_a_payer_who_paid_too_much_is_owed_the_difference(table, play, pay):
    play("ana")
    for payer, amount in (("beto", 150), ("caro", 100), ("dani", 100)):
        pay(payer, "ana", amount)

    assert [("ana", "beto", 50)] == plan(table)


def test_a_corrected_game_changes_the_plan(table, owner, play, pay):
    game = play("ana")
    pay("beto", "ana", 100)
    correct(game, owner, "caro")

    assert {"ana": -200, "beto": 0, "caro": 300, "dani": -100} == balances_of(table)
    assert {("ana", "caro", 200), ("dani", "caro", 100)} == set(plan(table))


def test_undoing_a_correction_restores_the_previous_plan(table, owner, play, pay):
    game = play("ana")
    play("caro", stake=35)
    pay("beto", "ana", 17)
    before, balances = plan(table), balances_of(table)
    correct(game, owner, "dani")
    assert before != plan(table)
    services.record(game, Struck(3), after=3, key=a_key(), by=owner)

    assert balances == balances_of(table)
    assert before == plan(table)


def test_a_payment_taken_back_restores_its_line_of_the_plan_and_changes_no_other(table, play, pay):
    play("ana")
    before = plan(table)
    payment = pay("beto", "ana", 60)
    pay("dani", "ana", 100)
    payments.take_back(payment, by=payment.recorded_by)

    assert before[:2] == plan(table)
    assert 1 == table.plans.count()


def test_a_game_without_money_does_not_change_the_plan(table, play):
    play("ana")
    play("beto", stake=0)

    assert 1 == table.plans.count()


def test_the_plan_is_computed_if_none_is_stored(table, play, pay):
    play("ana")
    table.plans.all().delete()
    assert [("beto", "ana", 100), ("caro", "ana", 100), ("dani", "ana", 100)] == plan(table)
    pay("beto", "ana", 60)

    assert [("beto", "ana", 40), ("caro", "ana", 100), ("dani", "ana", 100)] == plan(table)


# --- payments ---------------------------------------------------------------------------------------------------------


def test_an_idempotency_key_records_a_payment_once(table, play, pay):
    play("ana")
    first = pay("beto", "ana", 100, key="tap")
    again = pay("beto", "ana", 100, key="tap")

    assert first == again
    assert 0 == balances_of(table)["beto"]


def test_an_idempotency_key_used_for_another_payment_is_refused(subtests, table, play, pay):
    play("ana")
    pay("beto", "ana", 100, key="tap")
    for other in [("beto", "ana", 99), ("caro", "ana", 100), ("beto", "dani", 100)]:
        with subtests.test(other=other):
            with pytest.raises(KeyReused):
                pay(*other, key="tap")
            assert 1 == table.payments.count()


def test_an_invalid_payment_is_refused_with_the_name_of_its_field(subtests, table, pay):
    for payment, field in [
        (("beto", "beto", 100), "payee"),
        (("beto", "ana", 0), "amount"),
        (("beto", "ana", -5), "amount"),
        (("beto", "ana", 10**15), "amount"),
    ]:
        with subtests.test(payment=payment, field=field):
            with pytest.raises(RuleError) as refused:
                pay(*payment)

            assert field == refused.value.field
            assert 0 == table.payments.count()


@pytest.mark.parametrize("note", ["x" * 201, "a\x00b"])
def test_a_note_that_is_too_long_or_has_a_nul_character_is_refused(table, pay, note):
    with pytest.raises(RuleError) as refused:
        pay("beto", "ana", 5, note=note)

    assert "note" == refused.value.field


def test_a_member_of_another_table_can_be_neither_payer_nor_payee(table, owner, pay, who):
    other = make_table(owner, name="Otra").members.get(slug="ana")

    for payer, payee in ((other, who["beto"]), (who["beto"], other)):
        with pytest.raises(RuleError):
            payments.pay(table, payer, payee, 5, method=Method.CASH, key=a_key(), by=owner)
    assert 0 == Payment.objects.count()


# --- paid in cash at the game -----------------------------------------------------------------------------------------


def on_the_spot(game, owner, **how):
    return ticks.pay_on_the_spot(game, **{"after": game.records.count(), "key": a_key(), "by": owner, **how})


def tick(game, owner, line, **how):
    return ticks.tick(game, line, **{"after": game.records.count(), "key": a_key(), "by": owner, **how})


def test_games_paid_in_cash_at_once_leave_no_debt(table, owner, play):
    on_the_spot(play("ana"), owner)
    on_the_spot(play("dani", stake=30), owner)

    assert {0} == set(balances_of(table).values())
    assert [] == plan(table)
    assert {Method.CASH} == {payment.method for payment in table.payments.all()}


def test_cash_paid_for_a_game_does_not_change_earlier_debts(table, owner, play, pay):
    play("ana")
    pay("beto", "ana", 30)
    before = plan(table)
    on_the_spot(play("dani", stake=30), owner)

    assert before == plan(table)


def test_a_correction_after_a_cash_payment_leaves_exactly_the_difference(table, owner, play):
    game = play("ana")
    on_the_spot(game, owner)
    correct(game, owner, "beto")

    assert {"ana": -400, "beto": 400, "caro": 0, "dani": 0} == balances_of(table)
    dues = dues_of(game, game.state())
    assert [("ana", "beto", 400)] == [(due.payer.slug, due.payee.slug, due.amount) for due in dues.lines]
    on_the_spot(game, owner)
    assert {0} == set(balances_of(table).values())


def test_the_record_written_last_decides_although_its_timestamp_is_earlier(table, owner, play):
    game = play("ana")
    correct(game, owner, "beto", at=game.ended_at - HOUR)

    assert {"beto"} == {due.payee.slug for due in dues_of(game, game.state()).lines}


def test_a_tick_of_another_amount_than_the_debt_is_refused_as_stale(table, owner, play):
    game = play("ana")

    with pytest.raises(StaleDues):
        tick(game, owner, Transfer("caro", "ana", 99))
    assert 0 == table.payments.count()


def test_one_due_of_a_game_is_ticked_off_alone(table, owner, play):
    game = play("ana")
    tick(game, owner, Transfer("caro", "ana", 100))

    assert {"ana": 200, "beto": -100, "caro": 0, "dani": -100} == balances_of(table)
    dues = dues_of(game, game.state())
    assert ["beto", "dani"] == [due.payer.slug for due in dues.lines]
    assert ["caro"] == [payment.payer.slug for payment in dues.paid]


def test_a_second_tap_does_not_pay_twice(table, owner, play):
    game = play("ana")
    first = on_the_spot(game, owner, key="tap")
    again = on_the_spot(game, owner, key="tap")

    assert first == again
    assert 3 == table.payments.count()
    with pytest.raises(RuleError):
        on_the_spot(game, owner)
    with pytest.raises(KeyReused):
        on_the_spot(play("beto"), owner, key="tap")
    with pytest.raises(KeyReused):
        tick(game, owner, Transfer("beto", "ana", 100), key="tap")


def test_a_payment_taken_back_and_sent_again_with_its_key_is_refused(table, owner, play, pay):
    game = play("ana")
    ticked = tick(game, owner, Transfer("beto", "ana", 100), key="ticked")
    spot, paid = on_the_spot(game, owner, key="spot"), pay("dani", "ana", 7, key="paid")
    for payment in (ticked, *spot, paid):
        payments.take_back(payment, by=owner)

    with pytest.raises(TakenBack):
        tick(game, owner, Transfer("beto", "ana", 100), key="ticked")
    with pytest.raises(TakenBack):
        on_the_spot(game, owner, key="spot")
    with pytest.raises(TakenBack):
        pay("dani", "ana", 7, key="paid")
    assert 0 == table.payments.counting().count()


def test_a_debt_paid_in_the_accounts_after_the_game_is_not_due_at_the_game(table, owner, play, pay):
    game = play("ana")
    pay("beto", "ana", 100)

    dues = dues_of(game, game.state())
    assert ["caro", "dani"] == [due.payer.slug for due in dues.to_tick]
    assert [("beto", 100)] == [(due.payer.slug, due.whole) for due in dues.settled]
    on_the_spot(game, owner)
    assert {0} == set(balances_of(table).values())


def test_a_cash_payment_for_an_outdated_state_of_the_game_is_refused(table, owner, play):
    game = play("ana")
    correct(game, owner, "beto")

    with pytest.raises(StaleGame):
        on_the_spot(game, owner, after=2)
    assert 0 == table.payments.count()


def test_a_running_or_discarded_game_has_no_dues(table, owner, play):
    running, discarded = start(table, owner, stake=100), play("ana")
    services.discard_game(discarded)
    for game in (running, discarded):
        assert () == dues_of(game, game.state()).lines
        with pytest.raises(RuleError):
            on_the_spot(game, owner)


def test_a_game_that_ended_after_its_row_was_read_has_no_dues_yet(table, owner):
    game = start(table, owner, stake=100)
    before = Game.objects.get(pk=game.pk)
    services.record(game, won_by("ana"), after=1, key=a_key(), by=owner)

    assert before.state().is_over
    assert () == dues_of(before, before.state()).lines


# --- nights -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moment", "night"),
    [
        (datetime(2026, 11, 19, 9, 0, tzinfo=UTC), date(2026, 11, 19)),
        (datetime(2026, 11, 20, 8, 59, tzinfo=UTC), date(2026, 11, 19)),
        (datetime(2026, 11, 20, 9, 0, tzinfo=UTC), date(2026, 11, 20)),
    ],
)
def test_a_night_lasts_from_six_to_six_in_the_tables_time_zone(table, moment, night):
    assert night == night_of(moment, table)


def test_games_and_payments_belong_to_the_night_in_which_they_began(table, owner, play, pay):
    first = play("ana", at=THURSDAY)
    late = play("beto", at=THURSDAY + 7 * HOUR)
    play("caro", at=THURSDAY + 12 * HOUR)
    payment = pay("beto", "ana", 5, at=THURSDAY + 2 * HOUR)
    night = date(2026, 11, 19)

    assert [first, late] == list(games_of(night, table))
    assert [payment] == list(payments_of(night, table))
    assert [date(2026, 11, 20), night] == nights_before(table, None, count=5)
    assert [night] == nights_before(table, date(2026, 11, 20), count=5)
    assert [date(2026, 11, 20)] == nights_before(table, None, count=1)


# --- people -----------------------------------------------------------------------------------------------------------


def test_payment_details_are_trimmed_and_limited_in_length(who):
    assert "ana.loba.mp" == holders.set_account(who["ana"], "  ana.loba.mp ").account
    assert "" == holders.set_account(who["ana"], " ").account
    with pytest.raises(RuleError):
        holders.set_account(who["ana"], "x" * 81)


def test_a_member_without_a_balance_retires_and_comes_back(table, owner, who):
    retired = holders.retire(who["dani"], key=a_key(), by=owner)
    assert ["ana", "beto", "caro"] == [member.slug for member in table.members.active()]
    assert retired.retired_at == holders.retire(retired, key=a_key(), by=owner).retired_at
    holders.bring_back(retired)

    assert 4 == table.members.active().count()
    assert 0 == table.payments.count()


@pytest.mark.parametrize("member", ["ana", "dani"])
def test_a_member_with_a_balance_retires_only_if_it_is_written_off(table, owner, play, who, member):
    play("ana")
    with pytest.raises(StaleAccounts):
        holders.retire(who[member], key=a_key(), by=owner)
    balance = balances_of(table)[member]
    retired = holders.retire(who[member], written_off=balance, key=a_key(), by=owner)

    assert retired.retired_at is not None
    assert 0 == balances_of(table)[member]
    assert 0 == sum(balances_of(table).values())
    assert {Method.FORGIVEN} == {payment.method for payment in table.payments.all()}


def test_a_write_off_does_not_change_other_members_lines_of_the_plan(table, owner, play, who):
    play("ana")
    holders.retire(who["dani"], written_off=-100, key=a_key(), by=owner)

    assert [("beto", "ana", 100), ("caro", "ana", 100)] == plan(table)
    assert {"ana": 200, "beto": -100, "caro": -100, "dani": 0} == balances_of(table)


def test_a_member_in_a_running_game_cannot_retire(table, owner, who):
    game = start(table, owner, stake=0)
    with pytest.raises(RuleError, match=r"^Dani is playing in a game under way\. End it first\.$"):
        holders.retire(who["dani"], key=a_key(), by=owner)
    services.record(game, GameStopped(Stop.REFUND), after=1, key=a_key(), by=owner)

    assert holders.retire(who["dani"], key=a_key(), by=owner).retired_at is not None


def test_a_correction_in_favour_of_a_retired_member_makes_them_a_creditor(table, owner, play, who):
    game = play("ana")
    holders.retire(who["dani"], written_off=-100, key=a_key(), by=owner)
    correct(game, owner, "dani")

    assert {"ana": -200, "beto": -100, "caro": -100, "dani": 400} == balances_of(table), (
        "what was forgiven stays"
    )


# --- database constraints ---------------------------------------------------------------------------------------------


def test_a_database_constraint_refuses_an_invalid_payment(subtests, table, owner, pay, who):
    pay("beto", "ana", 1, key="taken")
    cases: list[Any] = [
        {"amount": 0},
        {"amount": -1},
        {"payee": "payer"},
        {"method": "cheque"},
        {"key": ""},
        {"key": "taken"},
    ]
    for wrong in cases:
        with subtests.test(wrong=wrong):
            content = {
                "payer": who["beto"],
                "payee": who["ana"],
                "amount": 1,
                "method": "cash",
                "key": a_key(),
                **wrong,
            }
            if content["payee"] == "payer":
                content["payee"] = content["payer"]

            with pytest.raises(IntegrityError), transaction.atomic():
                table.payments.create(made_at=THURSDAY, recorded_by=owner, **content)


def test_payments_and_plans_have_a_readable_string_form(table, owner, play, pay):
    play("ana", at=THURSDAY)

    assert "Beto → Ana: 5" == str(pay("beto", "ana", 5))
    assert "Mesa de los jueves: 2026-11-20" == str(table.plans.get())


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write at a time")
def test_two_games_that_end_concurrently_both_count_in_the_balances(table, owner):
    games = [start(table, owner, stake=100), start(table, owner, stake=10)]

    def end(game, winner):
        services.record(game, won_by(winner), after=1, key=a_key(), by=owner)
        connection.close()

    threads = [
        threading.Thread(target=end, args=(game, winner))
        for game, winner in zip(games, ("ana", "beto"), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    accounts = read_accounts(table)
    assert 2 == Game.objects.exclude(ended_at=None).count()
    assert accounts.plan is not None
    assert {"ana": 290, "beto": -70, "caro": -110, "dani": -110} == accounts.balances


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write at a time")
def test_ending_a_game_and_a_season_concurrently_do_not_deadlock(table, owner, monkeypatch):
    """Every writer locks the table before its games, so two of them cannot deadlock."""
    game, refused = start(table, owner, stake=100), []
    season = table.seasons.get()
    table.seasons.update(starts_on=season.starts_on - timedelta(days=9))
    is_held, others_began = threading.Event(), threading.Event()

    def wait(state):
        is_held.set()
        others_began.wait(5)
        time.sleep(0.3)
        check_money(state)

    monkeypatch.setattr(services, "check_money", wait)

    def end():
        services.record(game, won_by("ana"), after=1, key=a_key(), by=owner)

    def end_the_season():
        is_held.wait(5)
        others_began.set()
        end_season(season.table, last_day=season.starts_on - timedelta(days=1), next_name="La que viene")

    def do(act):
        try:
            act()
        except OperationalError as error:
            refused.append(error)
        connection.close()

    threads = [threading.Thread(target=do, args=(act,)) for act in (end, end_the_season)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    game.refresh_from_db()
    assert [] == refused
    assert "La que viene" == game.season.name
    assert 300 == balances_of(table)["ana"]
