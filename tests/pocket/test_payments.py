"""Payments recorded on a phone without a network: each is recorded once, whatever others recorded meanwhile."""

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
from games.notebook.fingerprints import fingerprint_of_note
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


def test_what_was_paid_and_what_became_of_it_is_at_the_site_once(over, table, pocket):
    with pocket.away() as by:
        pay(by, "caro", "ana", 70, note="taxi", method=Method.TRANSFER)
        payments.cancel(pay(by, "beto", "ana", 30), by=by, text="no fue")
        amend(
            pay(by, "dani", "ana", 20), Words(25, Method.CASH), after=0, by=by, is_keeper=True, text="era 25"
        )
    facts = pocket.outbox()
    for _time in range(2):  # the first answer is lost
        assert {DONE} == set(statuses(pocket.send(facts)))

    assert [("dani", 25, ""), ("beto", 30, ""), ("caro", 70, "taxi")] == [
        (one.payer.slug, one.amount, one.note) for one in table.payments.all()
    ]
    assert {"ana": 205, "beto": -100, "caro": -30, "dani": -75} == balances_of(table)
    assert [("cancelled", "no fue"), ("amended", "era 25")] == [
        (step.turn, step.text) for one in table.payments.order_by("pk") for step in one.steps.all()
    ]
    assert [] == list(check_table(table).differences)


def test_what_becomes_of_a_payment_that_was_there_before(over, table, owner, empty, tmp_path):
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


def test_a_game_paid_on_the_spot_is_paid_once_however_many_ticked_it_off(over, table, owner, pocket):
    with pocket.away() as by:
        game = Table.objects.get().games.get()
        pay_on_the_spot(game, after=2, key=a_key(), by=by)
    pay_on_the_spot(over, after=2, key=a_key(), by=owner)

    assert [DONE] * 3 == statuses(pocket.sync())
    assert 3 == table.payments.count()
    assert {0} == set(balances_of(table).values())


def test_a_game_paid_on_the_spot_on_the_phone_alone_is_paid_here_line_by_line(over, table, pocket):
    with pocket.away() as by:
        pay_on_the_spot(Table.objects.get().games.get(), after=2, key=a_key(), by=by)
    facts = pocket.outbox()
    for _time in range(2):
        assert [DONE] * 3 == statuses(pocket.send(facts))

    assert {over} == {payment.game for payment in table.payments.all()}
    assert {0} == set(balances_of(table).values())


def test_a_line_of_the_plan_that_another_phone_ticked_off_too_is_one_payment(over, table, owner, pocket):
    with pocket.away() as by:
        pay(by, "beto", "ana", 100)
        pay(by, "beto", "ana", 9)
    pay(owner, "beto", "ana", 100)

    assert [DONE, DONE] == statuses(pocket.sync())
    assert {9, 100} == {payment.amount for payment in table.payments.all()}
    assert 2 == table.payments.count()


def test_an_amendment_of_what_was_amended_here_is_held_alone(over, table, owner, pocket):
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


def test_a_closing_note_stays_as_everybody_saw_it_whatever_comes_late(over, running, table, owner, pocket):
    with pocket.away() as by:
        game = Table.objects.get().games.get(code=running.code)
        services.record(game, *read_line("stop lowest_wins"), after=2, key=a_key(), by=by)
        pay(by, "caro", "ana", 5)
    night = the_night(table)
    note = close_night(table, night, seen=seen_now(read_accounts(table)), by=owner)
    printed = fingerprint_of_note(note)
    assert [DONE, DONE] == statuses(pocket.sync())

    assert printed == fingerprint_of_note(note)
    closing = closing_of(night, table, People.of(table))
    assert closing is not None
    assert not closing.broken
    assert running.records.get(number=3).recorded_at > note.made_at
    assert table.payments.get().made_at > note.made_at


def test_a_line_of_the_night_ticked_on_two_phones_is_one_payment(over, table, owner, empty, tmp_path):
    phones = [Pocket(owner, empty, tmp_path / f"{number}.sqlite3") for number in range(2)]
    night = the_night(table)
    for phone in phones:
        with phone.away() as by:
            tick_night(Table.objects.get(), night, Transfer("beto", "ana", 100), key=a_key(), by=by)

    assert [[DONE], [DONE]] == [statuses(phone.sync()) for phone in phones]
    (payment,) = table.payments.all()
    assert (night, 100) == (payment.night, payment.amount)
    assert [] == list(check_table(table).differences)


def test_a_tick_of_the_night_whose_line_is_gone_is_held(over, table, owner, pocket):
    night = the_night(table)
    with pocket.away() as by:
        tick_night(Table.objects.get(), night, Transfer("beto", "ana", 100), key=a_key(), by=by)
    services.record(over, *read_line("correct 1 game loba_menos stake=50"), after=2, key=a_key(), by=owner)

    assert [HELD] == statuses(pocket.sync())
    assert not table.payments.exists()


def test_who_only_watches_ticks_nothing_off_for_the_night(over, table, owner, empty, tmp_path):
    """Dani is a member who watches, and sends by hand what only a keeper of the accounts may."""
    dani = make_user("dani")
    Grant.objects.create(user=dani, table=table, role=Role.WITNESS)
    table.members.filter(slug="dani").update(user=dani, claimed_at=over.ended_at)
    night, phone = last_night(table), Pocket(dani, empty, tmp_path / "dani.sqlite3")
    assert night is not None
    with phone.away() as by:
        tick_night(Table.objects.get(), night, Transfer("beto", "ana", 100), key=a_key(), by=by)

    assert [HELD] == statuses(phone.sync())
    assert not table.payments.exists()


def test_a_tick_of_what_an_earlier_payment_left_open_is_a_payment_of_its_own(
    over, table, owner, empty, tmp_path
):
    """Beto has paid Ana 40 of 100 in the accounts; the phone knows, and ticks off the other 60."""
    pay(owner, "beto", "ana", 40)
    pocket = Pocket(owner, empty, tmp_path / "keeper.sqlite3")
    with pocket.away() as by:
        game = Table.objects.get().games.get()
        tick(game, Transfer("beto", "ana", 60), after=2, key=a_key(), by=by)

    assert [DONE] == statuses(pocket.sync())
    assert 0 == balances_of(table)["beto"]


def test_a_line_ticked_off_on_a_result_and_in_the_night_is_one_payment(over, table, owner, pocket):
    with pocket.away() as by:
        game = Table.objects.get().games.get()
        tick(game, Transfer("beto", "ana", 100), after=2, key=a_key(), by=by)
    night = the_night(table)
    tick_night(table, night, Transfer("beto", "ana", 100), key=a_key(), by=owner)

    assert [DONE] == statuses(pocket.sync())
    assert 1 == table.payments.count()
