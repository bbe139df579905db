"""The states of a payment: who records it, who answers it, who voids it, and when it counts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import transaction

from games.files.services import audit
from games.models import Member, Method, Payment, PaymentState, Role
from games.money.services import accounting, debt_settlement, payments
from games.scoring.errors import RuleError
from games.tables.services.roster import People
from tests.factories import confirm_as_member, grant_access, load_balances, make_user, new_key
from tests.money.conftest import THURSDAY

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = date(2026, 11, 19)
COUNTS, CLAIMED, DISPUTED, ENDED = PaymentState


@pytest.fixture
def table(table):
    """The table, dated back a week."""
    table.created_at = THURSDAY - 7 * DAY
    table.save(update_fields=["created_at"])
    return table


@pytest.fixture
def users(table, owner, confirm_as):
    """Users by name: Olga the owner, Sara the scorer, viewers Beto, Ana and Caro. All but Olga are members."""
    made = {"olga": (owner, Role.OWNER)}
    for name, slug in {"sara": "dani", "beto": "beto", "ana": "ana", "caro": "caro"}.items():
        role = Role.SCORER if name == "sara" else Role.WITNESS
        user = grant_access(make_user(f"{name}_herself"), table, role).user
        made[name] = confirm_as(user, slug), role
    return made


@pytest.fixture
def by(users):
    """`by("beto")` returns this user and their role, as the arguments of a service."""

    def user(name):
        return {"by": users[name][0], "role": users[name][1]}

    return user


@pytest.fixture
def thursday_game(win_game):
    """A game on Thursday that Ana won: +300, and −100 for each of the others."""
    return win_game("ana", 100, "beto", "caro", "dani")


@pytest.fixture
def claim_payment(thursday_game, pay, by):
    """`claim_payment(60)` records an unconfirmed payment: Beto says that they paid Ana this amount."""

    def claim(amount, **how):
        return pay("beto", "ana", amount, **{**by("beto"), "at": THURSDAY + 2 * HOUR, **how})

    return claim


@pytest.fixture
def payment_in_state(claim_payment, by):
    """`payment_in_state("disputed")` returns Beto's payment of 100 to Ana in this state, recorded by Sara."""

    def record_payment(state):
        if state == "claimed":
            return claim_payment(100)
        payment = claim_payment(100, **by("sara"))
        if state == "disputed":
            payments.dispute(payment, by=by("ana")["by"], objection="no me llegó", at=THURSDAY + 2 * HOUR)
        if state == "ended":
            payments.void(payment, **by("sara"), at=THURSDAY + 2 * HOUR)
        return payment

    return record_payment


def refusal_field(act, *args, **how):
    """Return the field of the refusal of this act, or None if it is accepted."""
    try:
        with transaction.atomic():
            act(*args, **how)
    except RuleError as refusal:
        return refusal.field
    return None


# --- recorded ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "payer", "payee", "state"),
    [
        ("ana", "beto", "ana", COUNTS),  # the payee
        ("olga", "beto", "ana", COUNTS),  # an owner who is neither
        ("sara", "beto", "ana", COUNTS),  # a scorer who is neither
        ("beto", "beto", "ana", CLAIMED),  # the payer
        ("sara", "dani", "ana", CLAIMED),  # the payer, who is a scorer
        ("caro", "beto", "ana", None),  # a viewer who is neither
    ],
)
def test_who_records_a_payment_decides_whether_it_counts(thursday_game, pay, by, name, payer, payee, state):
    field = refusal_field(pay, payer, payee, 60, **by(name))

    assert (None if state else "payer") == field
    assert [state] * bool(state) == [payment.state for payment in Payment.objects.all()]


def test_a_payment_to_somebody_without_a_phone_counts_and_may_be_disputed_once_they_have_one(
    table, thursday_game, pay, by, users
):
    table.accesses.filter(user=users["ana"][0]).update(confirmed_at=None)
    payment = pay("beto", "ana", 60, **by("beto"))
    assert (COUNTS, -40) == (payment.state, load_balances(table)["beto"])
    confirm_as_member(users["ana"][0], table.members.get(slug="ana"))
    payments.dispute(payment, by=users["ana"][0])

    assert (DISPUTED, -100) == (payment.state, load_balances(table)["beto"])


@pytest.mark.parametrize(
    ("name", "payer", "payee", "is_allowed"),
    [
        ("ana", "beto", "ana", True),
        ("olga", "beto", "ana", False),  # Ana has a phone
        ("olga", "beto", "elsa", True),
        ("sara", "beto", "elsa", False),  # not an owner
        ("beto", "beto", "ana", False),
        ("beto", "beto", "elsa", False),
    ],
)
def test_only_the_payee_forgives_or_an_owner_for_a_payee_without_a_phone(
    table, thursday_game, by, add_elsa, name, payer, payee, is_allowed
):
    ends = (table.members.get(slug=slug) for slug in (payer, payee))
    how = {"method": Method.FORGIVEN, "key": new_key(), **by(name)}

    assert (None if is_allowed else "method") == refusal_field(payments.create, table, *ends, 60, **how)
    assert is_allowed == Payment.objects.exists()


@pytest.fixture
def add_elsa(table):
    """Add the member Elsa, without a phone."""
    return Member.objects.create(table=table, slug="elsa", name="Elsa", colour=5)


def test_an_owner_does_not_forgive_a_debt_of_their_own(table, thursday_game, by, add_elsa, owner, confirm_as):
    beto = table.members.get(slug="beto")
    confirm_as(owner, "beto")

    assert "method" == refusal_field(
        payments.create, table, beto, add_elsa, 60, method=Method.FORGIVEN, key=new_key(), **by("olga")
    )


# --- answered and taken back ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "act", "allowed", "after"),
    [
        ("claimed", "confirm", {"ana", "olga", "sara"}, COUNTS),
        ("disputed", "confirm", {"ana", "olga", "sara"}, COUNTS),
        ("claimed", "dispute", {"ana"}, ENDED),
        ("counts", "dispute", {"ana"}, DISPUTED),
        ("claimed", "void", {"ana", "olga", "sara", "beto"}, ENDED),
        ("disputed", "void", {"ana", "beto", "olga", "sara"}, ENDED),
        ("counts", "void", {"olga", "sara"}, ENDED),
        ("ended", "confirm", set(), ENDED),
        ("ended", "dispute", {"ana"}, ENDED),
    ],
)
def test_who_may_answer_a_payment_and_what_becomes_of_it(
    table, payment_in_state, by, users, state, act, allowed, after
):
    payment = payment_in_state(state)
    before = Payment.objects.filter(pk=payment.pk).values()
    for name in users:
        how = by(name) if act != "dispute" else {"by": users[name][0]}
        more = {"reason": "no fue"} if act == "void" else {}
        with transaction.atomic():
            was_allowed = refusal_field(getattr(payments, act), payment, **how, **more) is None
            payment.refresh_from_db()
            assert (name in allowed, after if name in allowed else PaymentState(state)) == (
                was_allowed,
                payment.state,
            )
            assert (0 if payment.counts else -100) == load_balances(table)["beto"]
            if was_allowed:
                assert [] == audit.check_table(table).differences
            transaction.set_rollback(True)
        payment.refresh_from_db()
    assert list(before) == list(Payment.objects.filter(pk=payment.pk).values())


@pytest.mark.parametrize(
    ("state", "name", "later", "needs_reason"),
    [
        ("counts", "sara", HOUR, False),  # Sara recorded it
        ("counts", "sara", DAY, True),
        ("counts", "olga", HOUR, True),
        ("claimed", "beto", HOUR, False),
        ("claimed", "beto", DAY, True),
        ("disputed", "ana", DAY, False),
        ("disputed", "olga", HOUR, True),
    ],
)
def test_a_payment_is_taken_back_without_a_reason_only_by_its_recorder_that_night(
    payment_in_state, by, state, name, later, needs_reason
):
    payment, how = payment_in_state(state), {**by(name), "at": THURSDAY + later}
    assert ("reason" if needs_reason else None) == refusal_field(payments.void, payment, **how)
    payments.void(payment, reason="era de otra mesa", **how)

    assert ENDED == payment.state
    assert ("era de otra mesa" if needs_reason else "") == payment.reason


@pytest.mark.parametrize(("state", "before"), [("claimed", CLAIMED), ("disputed", DISPUTED)])
def test_who_confirmed_a_payment_takes_that_back_on_the_same_night(payment_in_state, by, state, before):
    payment, how = payment_in_state(state), by("ana")
    payments.confirm(payment, at=THURSDAY + HOUR, **how)
    for name, later in (("olga", HOUR), ("ana", DAY)):
        assert "" == refusal_field(
            payments.undo_confirmation, payment, by=by(name)["by"], at=THURSDAY + later
        )
    for _tap in range(2):
        payments.undo_confirmation(payment, by=how["by"], at=THURSDAY + HOUR)
        assert before == payment.state


@pytest.mark.parametrize("act", [payments.confirm, payments.void, payments.dispute])
def test_repeating_an_answer_changes_nothing(payment_in_state, users, act):
    payment, anas = payment_in_state("disputed"), users["ana"][0]
    act(payment, by=anas, at=THURSDAY + 3 * HOUR)
    first = Payment.objects.values().get()
    act(payment, by=anas, at=THURSDAY + 4 * HOUR)

    assert first == Payment.objects.values().get()


@pytest.mark.parametrize(
    ("state", "names"),
    [("claimed", {"ana", "olga", "sara"}), ("disputed", {"ana", "olga", "sara"}), ("counts", set())],
)
def test_a_payment_waits_for_the_answer_of_its_payee_or_of_keepers(
    table, payment_in_state, users, state, names
):
    payment_in_state(state)
    people = People.of(table)

    assert names == {
        name
        for name, (user, role) in users.items()
        if accounting.pending_payments(user, table, people, is_scorer=role is not Role.WITNESS).exists()
    }


def test_who_is_neither_payer_nor_payee_nor_keeper_ticks_nothing(table, thursday_game, by):
    debt = next(
        candidate for candidate in accounting.load_accounts(table).debts if candidate.payer.slug == "beto"
    )
    how = {"version": debt.version, "claims": debt.claims, **by("caro")}

    assert "payer" == refusal_field(debt_settlement.settle, table, debt.payer, debt.payee, **how)


# --- backdated --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("day", [NIGHT, NIGHT + DAY])
def test_a_payment_dated_tonight_or_today_is_not_backdated(thursday_game, pay, day):
    at = THURSDAY + 4 * HOUR  # 2 a.m. on the 20th
    paid = pay("beto", "ana", 100, day=day, at=at)

    assert (at, None) == (paid.made_at, paid.paid_on)


def test_a_payment_resent_days_later_with_its_key_and_day_is_the_same_payment(thursday_game, pay):
    first = pay("beto", "ana", 100, day=NIGHT, key="tap", at=THURSDAY + 2 * HOUR)

    assert first == pay("beto", "ana", 100, day=NIGHT, key="tap", at=THURSDAY + 2 * DAY)
