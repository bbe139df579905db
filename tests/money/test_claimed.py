"""Claimed payments: recorded by the payer, confirmed, disputed, upheld, dated back and amended."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from games.keys import KeyReused
from games.models import Method, Payment, PaymentStep, StepKind
from games.money import payments
from games.money.amendments import Words, amend
from games.money.balances import StaleAccounts, awaiting, balances_of, read_accounts, to_settle
from games.money.booking import TakenBack
from games.money.dues import dues_of
from games.money.evening import payments_of
from games.money.ticks import note_tick, tick
from games.nights import last_night
from games.notebook.books.audit import check_table
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer
from tests.tables import a_key, a_round, loba, make_user

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
THURSDAY = datetime(2026, 11, 20, 1, tzinfo=UTC)  # ten in the evening of the 19th in Buenos Aires
NIGHT = date(2026, 11, 19)


@pytest.fixture
def table(table):
    """The table, with its opening dated a week back."""
    table.created_at = THURSDAY - 7 * DAY
    table.save(update_fields=["created_at"])
    return table


@pytest.fixture
def beto(claims):
    """Return the user of a witness who has claimed the member Beto."""
    return claims(make_user("beto_himself"), "beto")


@pytest.fixture
def anas(claims):
    """Return the user of a witness who has claimed the member Ana."""
    return claims(make_user("ana_herself"), "ana")


@pytest.fixture
def played(table, owner):
    """A game of Thursday that Ana won: +300, and −100 for each of the others."""
    game = services.start_game(table, loba(table, stake=100), key=a_key(), by=owner, at=THURSDAY)
    lost = a_round("ana", beto=101, caro=101, dani=101)
    services.record(game, lost, after=1, key=a_key(), by=owner, at=THURSDAY + HOUR)
    game.refresh_from_db()
    return game


@pytest.fixture
def say(pay, beto):
    """`say(60)` records Beto's claim to have paid Ana this amount."""

    def say_one(amount, payer="beto", payee="ana", **how):
        return pay(payer, payee, amount, **{"by": beto, "is_claimed": True, "at": THURSDAY + 2 * HOUR, **how})

    return say_one


def line(table, payer="beto"):
    """Return the unpaid amount of this member's line in the plan, and the part of it claimed as paid."""
    return next((one.left, one.claimed) for one in read_accounts(table).to_pay if one.payer.slug == payer)


def turns(payment):
    return [step.turn for step in payment.steps.all()]


def differences(table):
    return [str(difference) for difference in check_table(table).differences]


# --- claimed, and confirmed -------------------------------------------------------------------------------------------


def test_a_claimed_payment_does_not_count_and_its_line_is_marked_as_claimed(table, played, say):
    claim = say(100)

    assert -100 == balances_of(table)["beto"]
    assert (100, 100) == line(table)
    assert [claim] == list(to_settle(table))
    assert 1 == table.plans.count()


@pytest.mark.parametrize("amount", [40, 100, 130])
def test_a_claimed_payment_counts_once_the_payee_confirms_it(table, played, say, anas, amount):
    claim = say(amount)
    assert [claim] == list(awaiting(anas, table.members.filter(slug="ana")))
    payments.confirm(claim, by=anas)

    assert amount - 100 == balances_of(table)["beto"]
    assert [] == list(to_settle(table))
    assert [] == list(awaiting(anas, table.members.filter(slug="ana")))
    assert (amount <= 100) == (1 == table.plans.count()), "paying along the plan leaves it as it stands"
    assert [StepKind.CONFIRMED] == turns(claim)
    assert [] == differences(table)


def test_the_payee_can_still_confirm_a_claimed_payment_that_an_owner_accepted(
    table, played, say, owner, anas
):
    claim = payments.accept(say(130), by=owner)

    assert 30 == balances_of(table)["beto"]
    assert claim.confirmed_at is None
    assert [claim] == list(awaiting(anas, table.members.filter(slug="ana")))
    assert claim == payments.accept(claim, by=owner)
    assert [StepKind.ACCEPTED] == turns(claim)


def test_a_witness_can_claim_only_their_own_payments(subtests, table, played, say):
    cases: list[tuple[Any, ...]] = [
        ({"payer": "caro"}, "payer"),
        ({"method": Method.WRITE_OFF}, "method"),
        ({"payee": "beto"}, "payee"),
    ]
    for how, field in cases:
        with subtests.test(how=how):
            with pytest.raises(RuleError) as refused:
                say(100, **how)

            assert field == refused.value.field
            assert 0 == table.payments.count()


def test_a_claimed_payment_can_be_withdrawn_by_its_payer_until_it_is_answered(
    table, played, say, beto, owner
):
    claim, other = say(10), say(20)
    payments.withdraw(claim, by=beto)
    payments.accept(other, by=owner)
    with pytest.raises(RuleError):
        payments.withdraw(other, by=beto)

    assert [StepKind.CANCELLED] == turns(claim)
    assert -80 == balances_of(table)["beto"]
    with pytest.raises(RuleError):
        payments.accept(claim, by=owner)
    with pytest.raises(RuleError):
        payments.withdraw(other, by=owner)
    assert [] == differences(table)


def test_an_idempotency_key_claims_a_payment_once_and_not_again_after_its_cancellation(
    table, played, say, owner
):
    first, again = say(100, key="tap"), say(100, key="tap", at=THURSDAY + 5 * HOUR)
    assert first == again
    payments.cancel(first, by=owner)

    with pytest.raises(TakenBack):
        say(100, key="tap")


def test_an_equal_claim_within_the_hour_asks_for_confirmation(table, played, say):
    first = say(100)

    with pytest.raises(payments.PaidAgain) as warning:
        say(100, is_asking=True)
    assert first == warning.value.before


def test_a_payment_of_an_already_claimed_debt_asks_for_confirmation(table, played, say, pay):
    first, later = say(100), THURSDAY + 5 * HOUR
    with pytest.raises(payments.PaidAgain) as warning:
        pay("beto", "ana", 100, is_asking=True, at=later)
    assert first == warning.value.before
    with pytest.raises(payments.PaidTooMuch) as too_much:
        pay("beto", "ana", 90, is_asking=True, at=later)

    assert (0, 100) == (too_much.value.owes, too_much.value.claimed)


def test_a_claimed_payment_does_not_pay_the_games_debt_and_blocks_its_tick(table, played, say, owner):
    say(100)
    dues = dues_of(played, played.state())

    assert ["caro", "dani"] == [due.payer.slug for due in dues.to_tick]
    assert 3 == len(dues.lines)
    assert [("beto", 100)] == [(one.payer.slug, one.amount) for one in dues.claimed]


def test_after_a_partial_claim_the_rest_can_be_ticked_at_the_game(table, played, say, owner, anas):
    claim = say(1)
    dues = dues_of(played, played.state())
    assert [("beto", 99), ("caro", 100), ("dani", 100)] == [
        (due.payer.slug, due.unsaid) for due in dues.to_tick
    ]
    tick(played, Transfer("beto", "ana", 99), after=2, key=a_key(), by=owner)
    assert ["caro", "dani"] == [due.payer.slug for due in dues_of(played, played.state()).to_tick]
    payments.confirm(claim, by=anas)

    assert 0 == balances_of(table)["beto"]


def test_a_tick_queued_in_the_accounts_accepts_an_equal_claimed_payment(table, played, say, owner, who):
    payments.pay(table, who["caro"], who["ana"], 1, method=Method.CASH, key=a_key(), by=owner)
    claim = say(100)
    how = {"method": Method.CASH, "by": owner, "on_result_of": played}
    ticked = [
        payments.note_payment(table, who["beto"], who["ana"], 100, key=a_key(), **how) for _time in range(2)
    ]

    assert [claim, claim] == ticked
    assert 0 == balances_of(table)["beto"]


def test_a_tick_queued_at_the_game_accepts_an_equal_claimed_payment(table, played, say, owner, who):
    claim = say(100)
    how = {"after": 2, "by": owner, "ticked_at": played.ended_at}
    ticked = [note_tick(played, who["beto"], who["ana"], 100, key=a_key(), **how) for _time in range(2)]

    assert [claim, claim] == ticked
    assert 0 == balances_of(table)["beto"]


# --- disputed, and answered -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_claimed", [True, False])
def test_a_disputed_payment_counts_again_once_an_owner_upholds_it(
    table, played, say, owner, anas, is_claimed
):
    paid = say(100, is_claimed=is_claimed)
    payments.dispute(paid, by=anas, objection="no llegó")
    assert [paid] == list(to_settle(table))
    assert -100 == balances_of(table)["beto"]
    payments.uphold(paid, by=owner, text="lo vimos todos")

    assert 0 == balances_of(table)["beto"]
    assert [] == list(to_settle(table))
    assert [] == list(awaiting(anas, table.members.filter(slug="ana"))), "she was answered"
    assert [("disputed", "no llegó"), ("upheld", "lo vimos todos")] == [
        (step.turn, step.text) for step in paid.steps.all()
    ]
    assert [] == differences(table)


def test_cancelling_a_disputed_payment_answers_the_dispute(table, played, say, owner, anas):
    paid = payments.dispute(say(100), by=anas)
    payments.cancel(paid, by=owner, text="era de otra mesa")

    assert [] == list(to_settle(table))
    assert ["", "era de otra mesa"] == [step.text for step in paid.steps.all()]
    with pytest.raises(RuleError):
        payments.uphold(paid, by=owner)


def test_amending_a_disputed_payment_answers_the_dispute(table, played, say, owner, anas):
    paid = payments.dispute(say(100), by=anas, objection="eran 60")
    with pytest.raises(RuleError):
        amend(paid, Words(100, Method.CASH), after=0, by=owner, is_keeper=True)
    amend(paid, Words(60, Method.CASH), after=0, by=owner, is_keeper=True)

    assert -40 == balances_of(table)["beto"]
    assert [] == list(to_settle(table))
    assert [paid] == list(awaiting(anas, table.members.filter(slug="ana"))), "she has not seen this one"


# --- amended ----------------------------------------------------------------------------------------------------------


def test_an_amended_payment_keeps_its_previous_version_which_can_be_restored(table, played, pay, owner):
    paid = pay("beto", "ana", 100, note="por la pizza", at=THURSDAY + 2 * HOUR)
    amend(
        paid, Words(60, Method.TRANSFER, "a medias"), after=0, by=owner, is_keeper=True, text="contamos mal"
    )
    (old,) = paid.steps.all()

    assert (100, "cash", "por la pizza", "contamos mal") == (old.amount, old.method, old.note, old.text)
    assert (-40, 1) == (balances_of(table)["beto"], table.plans.count())
    amend(paid, Words.of(old), after=1, by=owner, is_keeper=True)
    assert 0 == balances_of(table)["beto"]
    assert Words(100, Method.CASH, "por la pizza") == Words.of(Payment.objects.get())
    assert [100, 60] == list(paid.steps.values_list("amount", flat=True))


def test_an_amendment_without_a_change_adds_no_step_and_a_stale_one_is_refused(table, played, pay, owner):
    paid = pay("beto", "ana", 100)
    amend(paid, Words(100, Method.CASH), after=0, by=owner, is_keeper=True)
    assert 0 == PaymentStep.objects.count()
    amend(paid, Words(90, Method.CASH), after=0, by=owner, is_keeper=True)

    with pytest.raises(StaleAccounts):
        amend(paid, Words(80, Method.CASH), after=0, by=owner, is_keeper=True)
    assert 90 == Payment.objects.get().amount


def test_a_confirmed_or_cancelled_payment_cannot_be_amended(table, played, pay, owner, anas):
    confirmed = payments.confirm(pay("beto", "ana", 100), by=anas)
    cancelled = payments.cancel(pay("caro", "ana", 100), by=owner)

    for paid in (confirmed, cancelled):
        with pytest.raises(RuleError):
            amend(paid, Words(80, Method.CASH), after=0, by=owner, is_keeper=True)


def test_a_payer_can_amend_a_claimed_payment_until_it_is_accepted(table, played, say, beto, owner):
    claim = say(100)
    amend(claim, Words(60, Method.CASH), after=0, by=beto, is_keeper=False)
    assert (100, 60) == line(table)
    with pytest.raises(RuleError):
        amend(claim, Words(60, Method.WRITE_OFF), after=1, by=beto, is_keeper=False)
    payments.accept(claim, by=owner)

    with pytest.raises(RuleError):
        amend(claim, Words(100, Method.CASH), after=1, by=beto, is_keeper=False)


def test_a_payment_resent_with_its_key_after_an_amendment_records_nothing_new(table, played, pay, owner):
    paid = pay("beto", "ana", 100, key="tap")
    amend(paid, Words(60, Method.CASH), after=0, by=owner, is_keeper=True)

    assert paid == pay("beto", "ana", 100, key="tap")
    with pytest.raises(KeyReused):
        pay("beto", "ana", 60, key="tap")


def test_a_tick_resent_with_its_key_after_an_amendment_records_nothing_new(table, played, owner):
    def send():
        return tick(played, Transfer("beto", "ana", 100), after=2, key="tap", by=owner)

    paid = send()
    amend(paid, Words(60, Method.CASH), after=0, by=owner, is_keeper=True)

    assert paid == send()
    assert -40 == balances_of(table)["beto"]


# --- backdated --------------------------------------------------------------------------------------------------------


def test_a_backdated_payment_counts_in_its_night(table, played, pay):
    paid = pay("beto", "ana", 100, day=NIGHT, at=THURSDAY + 5 * DAY)

    assert NIGHT == last_night(table)
    assert [paid] == list(payments_of(NIGHT, table))
    (settled,) = dues_of(played, played.state()).settled
    assert "beto" == settled.payer.slug, "it was paid after the game"
    assert [] == differences(table)


@pytest.mark.parametrize("day", [NIGHT, NIGHT + DAY])
def test_a_payment_dated_tonight_or_today_is_not_backdated(table, played, pay, day):
    at = THURSDAY + 4 * HOUR  # two in the morning of the 20th
    paid = pay("beto", "ana", 100, day=day, at=at)

    assert (at, None) == (paid.made_at, paid.paid_on)


def test_a_payment_dated_in_the_future_or_before_the_table_was_made_is_refused(subtests, table, played, pay):
    for day in [NIGHT + 2 * DAY, date(2026, 11, 11), date(1, 1, 1), date(9999, 12, 31)]:
        with subtests.test(day=day):
            with pytest.raises(RuleError) as refused:
                pay("beto", "ana", 100, day=day, at=THURSDAY + 4 * HOUR)

            assert "day" == refused.value.field


def test_a_payment_resent_days_later_with_its_key_and_day_is_the_same_payment(table, played, pay):
    first = pay("beto", "ana", 100, day=NIGHT, key="tap", at=THURSDAY + 2 * HOUR)

    assert first == pay("beto", "ana", 100, day=NIGHT, key="tap", at=THURSDAY + 2 * DAY)


# --- database constraints and the audit -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"accepted_at": THURSDAY},
        {"claimed_at": THURSDAY, "confirmed_at": THURSDAY},
        {"recorded_at": THURSDAY},
    ],
)
def test_a_database_constraint_refuses_an_impossible_state_of_a_payment(table, played, pay, wrong):
    pay("beto", "ana", 100)

    with pytest.raises(IntegrityError), transaction.atomic():
        Payment.objects.update(**wrong)


@pytest.mark.parametrize(
    ("wrong", "difference"),
    [
        ({"accepted_at": None}, "was accepted, and does not say so"),
    ],
)
def test_the_audit_finds_a_payment_that_contradicts_its_steps(table, played, say, owner, wrong, difference):
    claim = payments.accept(say(10), by=owner)
    Payment.objects.update(**wrong)

    assert f"payment {claim.pk}: {difference}" in differences(table)
