"""Payments recorded on a phone without a network: each is recorded once at the site, whatever others
recorded meanwhile.
"""

from __future__ import annotations

import pytest

from games.models import Grant, Method, Payment, Role, Table
from games.money import payments
from games.money.amendments import Words, amend
from games.money.balances import People, StaleAccounts, balances_of, read_accounts
from games.money.closings import close_night, closing_of, last_night, seen_now
from games.money.settling import tick_night
from games.money.ticks import pay_on_the_spot, tick
from games.notebook.books.audit import check_table
from games.play import recording as services
from games.pocket.taking import DONE, HELD, WAITS
from games.scoring.ledger import Transfer
from games.scoring.text.notation import read_line
from tests.pocket.phones import Pocket
from tests.tables import a_key, make_user, the_night

pytestmark = pytest.mark.django_db


def pay(by, payer, payee, amount, **how):
    """Record a payment in the open books."""
    table = Table.objects.get()
    payer, payee = (table.members.get(slug=slug) for slug in (payer, payee))
    how = {"method": Method.CASH, "key": a_key(), "by": by, **how}
    return payments.pay(table, payer, payee, amount, **how)


def statuses(answers):
    return [answer.status for answer in answers]


def test_payments_cancellations_and_amendments_made_offline_are_recorded_once(over, table, pocket):
    with pocket.away() as by:
        pay(by, "caro", "ana", 70, note="taxi", method=Method.TRANSFER)
        payments.cancel(pay(by, "beto", "ana", 30), by=by, text="no fue")
        amend(
            pay(by, "dani", "ana", 20), Words(25, Method.CASH), after=0, by=by, is_keeper=True, text="era 25"
        )
    facts = pocket.outbox()
    for _time in range(2):  # the first response is lost
        assert {DONE} == set(statuses(pocket.send(facts)))

    assert [("dani", 25, ""), ("beto", 30, ""), ("caro", 70, "taxi")] == [
        (one.payer.slug, one.amount, one.note) for one in table.payments.all()
    ]
    assert {"ana": 205, "beto": -100, "caro": -30, "dani": -75} == balances_of(table)
    assert [("cancelled", "no fue"), ("amended", "era 25")] == [
        (step.turn, step.text) for one in table.payments.order_by("pk") for step in one.steps.all()
    ]
    assert [] == list(check_table(table).differences)


def test_an_offline_step_of_an_earlier_payment_is_recorded_or_held(over, table, owner, empty, tmp_path):
    """Dani, a witness, has claimed a payment; Dani's phone and the owner's phone each record a step of it."""
    dani = make_user("dani")
    Grant.objects.create(user=dani, table=table, role=Role.WITNESS)
    table.members.filter(slug="dani").update(user=dani, claimed_at=over.ended_at)
    claimed = pay(dani, "dani", "ana", 40, is_claimed=True)
    theirs, hers = (Pocket(user, empty, tmp_path / f"{user.username}.sqlite3") for user in (owner, dani))
    with theirs.away() as by:
        payments.accept(Payment.objects.get(), by=by)
    with hers.away() as by:
        payments.withdraw(Payment.objects.get(), by=by)

    assert [DONE] == statuses(theirs.sync())
    assert [HELD] == statuses(hers.sync())
    claimed.refresh_from_db()
    assert claimed.counts


def test_a_game_settled_on_the_phone_and_at_the_site_is_paid_once(over, table, owner, pocket):
    with pocket.away() as by:
        game = Table.objects.get().games.get()
        pay_on_the_spot(game, after=2, key=a_key(), by=by)
    pay_on_the_spot(over, after=2, key=a_key(), by=owner)

    assert [DONE] * 3 == statuses(pocket.sync())
    assert 3 == table.payments.count()
    assert {0} == set(balances_of(table).values())


def test_a_game_settled_only_on_the_phone_is_recorded_line_by_line(over, table, pocket):
    with pocket.away() as by:
        pay_on_the_spot(Table.objects.get().games.get(), after=2, key=a_key(), by=by)
    facts = pocket.outbox()
    for _time in range(2):
        assert [DONE] * 3 == statuses(pocket.send(facts))

    assert {over} == {payment.game for payment in table.payments.all()}
    assert {0} == set(balances_of(table).values())


def test_a_line_of_the_plan_paid_on_two_phones_is_one_payment(over, table, owner, pocket):
    with pocket.away() as by:
        pay(by, "beto", "ana", 100)
        pay(by, "beto", "ana", 9)
    pay(owner, "beto", "ana", 100)

    assert [DONE, DONE] == statuses(pocket.sync())
    assert {9, 100} == {payment.amount for payment in table.payments.all()}
    assert 2 == table.payments.count()


def test_an_amendment_of_a_payment_amended_meanwhile_is_held(over, table, owner, pocket):
    first = pay(owner, "beto", "ana", 10)
    pocket.come_back()
    with pocket.away() as by:
        there = Payment.objects.get()
        amend(there, Words(11, Method.CASH), after=0, by=by, is_keeper=True)
        payments.cancel(there, by=by)
        pay(by, "caro", "ana", 5)
    amend(first, Words(12, Method.CASH), after=0, by=owner, is_keeper=True)
    amended, cancelled, paid = pocket.sync()

    assert (HELD, WAITS, DONE) == (amended.status, cancelled.status, paid.status)
    assert isinstance(amended.why, StaleAccounts)


def test_late_entries_do_not_change_a_closing_note(over, running, table, owner, pocket):
    with pocket.away() as by:
        game = Table.objects.get().games.get(code=running.code)
        services.record(game, *read_line("stop lowest_wins"), after=2, key=a_key(), by=by)
        pay(by, "caro", "ana", 5)
    night = the_night(table)
    note = close_night(table, night, seen=seen_now(read_accounts(table)), by=owner)
    assert [DONE, DONE] == statuses(pocket.sync())

    closing = closing_of(night, table, People.of(table))
    assert closing is not None
    assert not closing.broken
    assert running.records.get(number=3).recorded_at > note.made_at
    assert table.payments.get().made_at > note.made_at


def test_a_line_of_the_night_paid_on_two_phones_is_one_payment(over, table, owner, empty, tmp_path):
    phones = [Pocket(owner, empty, tmp_path / f"{number}.sqlite3") for number in range(2)]
    night = the_night(table)
    for phone in phones:
        with phone.away() as by:
            tick_night(Table.objects.get(), night, Transfer("beto", "ana", 100), key=a_key(), by=by)

    assert [[DONE], [DONE]] == [statuses(phone.sync()) for phone in phones]
    (payment,) = table.payments.all()
    assert (night, 100) == (payment.night, payment.amount)
    assert [] == list(check_table(table).differences)


def test_a_payment_of_a_line_that_no_longer_exists_is_held(over, table, owner, pocket):
    night = the_night(table)
    with pocket.away() as by:
        tick_night(Table.objects.get(), night, Transfer("beto", "ana", 100), key=a_key(), by=by)
    services.record(over, *read_line("correct 1 game loba_menos stake=50"), after=2, key=a_key(), by=owner)

    assert [HELD] == statuses(pocket.sync())
    assert not table.payments.exists()


def test_a_witness_cannot_pay_a_line_of_the_night(over, table, owner, empty, tmp_path):
    """Dani is a member who watches, and sends a fact that only a keeper of the accounts may send."""
    dani = make_user("dani")
    Grant.objects.create(user=dani, table=table, role=Role.WITNESS)
    table.members.filter(slug="dani").update(user=dani, claimed_at=over.ended_at)
    night, phone = last_night(table), Pocket(dani, empty, tmp_path / "dani.sqlite3")
    assert night is not None
    with phone.away() as by:
        tick_night(Table.objects.get(), night, Transfer("beto", "ana", 100), key=a_key(), by=by)

    assert [HELD] == statuses(phone.sync())
    assert not table.payments.exists()


def test_a_payment_of_the_rest_of_a_partly_paid_line_is_a_second_payment(over, table, owner, empty, tmp_path):
    """Beto has paid Ana 40 of 100 in the accounts; the phone knows that, and marks the other 60 as paid."""
    pay(owner, "beto", "ana", 40)
    pocket = Pocket(owner, empty, tmp_path / "keeper.sqlite3")
    with pocket.away() as by:
        game = Table.objects.get().games.get()
        tick(game, Transfer("beto", "ana", 60), after=2, key=a_key(), by=by)

    assert [DONE] == statuses(pocket.sync())
    assert 0 == balances_of(table)["beto"]


def test_a_line_paid_on_the_result_page_and_in_the_night_is_one_payment(over, table, owner, pocket):
    with pocket.away() as by:
        game = Table.objects.get().games.get()
        tick(game, Transfer("beto", "ana", 100), after=2, key=a_key(), by=by)
    night = the_night(table)
    tick_night(table, night, Transfer("beto", "ana", 100), key=a_key(), by=owner)

    assert [DONE] == statuses(pocket.sync())
    assert 1 == table.payments.count()
