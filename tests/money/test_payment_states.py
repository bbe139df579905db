"""The states of a payment: who records it, who answers it, who takes it back, and when it counts."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import transaction

from games.files.services import audit
from games.models import Member, Method, Payment, PaymentState, Role
from games.money.services import accounting, payments
from games.scoring.errors import RuleError
from games.tables.services.roster import People
from tests.money.conftest import THURSDAY
from tests.worlds import a_key, balances_of, become, let_in_as, make_user

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = date(2026, 11, 19)
COUNTS, CLAIMED, DISPUTED, ENDED = PaymentState


@pytest.fixture
def table(table):
    """The table, with its opening dated a week back."""
    table.created_at = THURSDAY - 7 * DAY
    table.save(update_fields=["created_at"])
    return table


@pytest.fixture
def users(table, owner, claims):
    """Users by name: Olga the owner, the scorer Sara, and Beto, Ana and Caro, who watch; only Olga is no member."""
    made = {"olga": (owner, Role.OWNER)}
    for name, slug in {"sara": "dani", "beto": "beto", "ana": "ana", "caro": "caro"}.items():
        role = Role.SCORER if name == "sara" else Role.WITNESS
        user = let_in_as(make_user(f"{name}_herself"), table, role).user
        made[name] = claims(user, slug), role
    return made


@pytest.fixture
def by(users):
    """`by("beto")` returns this user and their role, as the arguments of a service."""

    def user(name):
        return {"by": users[name][0], "role": users[name][1]}

    return user


@pytest.fixture
def played(won):
    """A game of Thursday that Ana won: +300, and −100 for each of the others."""
    return won("ana", 100, "beto", "caro", "dani")


@pytest.fixture
def say(played, pay, by):
    """`say(60)` records Beto's claim to have paid Ana this amount."""

    def say_one(amount, **how):
        return pay("beto", "ana", amount, **{**by("beto"), "at": THURSDAY + 2 * HOUR, **how})

    return say_one


@pytest.fixture
def paid(say, by):
    """`paid("disputed")` returns a payment of 100 from Beto to Ana in this state, which Sara recorded."""

    def one(state):
        if state == "claimed":
            return say(100)
        payment = say(100, **by("sara"))
        if state == "disputed":
            payments.dispute(payment, by=by("ana")["by"], objection="no me llegó", at=THURSDAY + 2 * HOUR)
        if state == "ended":
            payments.void(payment, **by("sara"), at=THURSDAY + 2 * HOUR)
        return payment

    return one


def refused(act, *args, **how):
    """Return the field of the refusal of this act; None if it is not refused."""
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
        ("caro", "beto", "ana", None),  # a watcher who is neither
    ],
)
def test_who_records_a_payment_decides_whether_it_counts(played, pay, by, name, payer, payee, state):
    field = refused(pay, payer, payee, 60, **by(name))

    assert (None if state else "payer") == field
    assert [state] * bool(state) == [payment.state for payment in Payment.objects.all()]


def test_a_payment_to_somebody_without_a_phone_counts_and_may_be_disputed_once_they_have_one(
    table, played, pay, by, users
):
    table.accesses.filter(user=users["ana"][0]).update(confirmed_at=None)
    payment = pay("beto", "ana", 60, **by("beto"))
    assert (COUNTS, -40) == (payment.state, balances_of(table)["beto"])
    become(users["ana"][0], table.members.get(slug="ana"))
    payments.dispute(payment, by=users["ana"][0])

    assert (DISPUTED, -100) == (payment.state, balances_of(table)["beto"])


@pytest.mark.parametrize(
    ("name", "payer", "payee", "is_allowed"),
    [
        ("ana", "beto", "ana", True),
        ("olga", "beto", "ana", False),  # Ana has a phone
        ("olga", "beto", "elsa", True),
        ("sara", "beto", "elsa", False),  # no owner
        ("beto", "beto", "ana", False),
        ("beto", "beto", "elsa", False),
    ],
)
def test_only_the_payee_forgives_or_an_owner_for_a_payee_without_a_phone(
    table, played, by, add_elsa, name, payer, payee, is_allowed
):
    ends = (table.members.get(slug=slug) for slug in (payer, payee))
    how = {"method": Method.FORGIVEN, "key": a_key(), **by(name)}

    assert (None if is_allowed else "method") == refused(payments.create, table, *ends, 60, **how)
    assert is_allowed == Payment.objects.exists()


@pytest.fixture
def add_elsa(table):
    """Add the member Elsa, without a phone."""
    return Member.objects.create(table=table, slug="elsa", name="Elsa", colour=5)


def test_an_owner_does_not_forgive_a_debt_of_their_own(table, played, by, add_elsa, owner, claims):
    beto = table.members.get(slug="beto")
    claims(owner, "beto")

    assert "method" == refused(
        payments.create, table, beto, add_elsa, 60, method=Method.FORGIVEN, key=a_key(), **by("olga")
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
def test_who_may_answer_a_payment_and_what_becomes_of_it(table, paid, by, users, state, act, allowed, after):
    payment = paid(state)
    before = Payment.objects.filter(pk=payment.pk).values()
    for name in users:
        how = by(name) if act != "dispute" else {"by": users[name][0]}
        more = {"reason": "no fue"} if act == "void" else {}
        with transaction.atomic():
            was_allowed = refused(getattr(payments, act), payment, **how, **more) is None
            payment.refresh_from_db()
            assert (name in allowed, after if name in allowed else PaymentState(state)) == (
                was_allowed,
                payment.state,
            )
            assert (0 if payment.counts else -100) == balances_of(table)["beto"]
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
    paid, by, state, name, later, needs_reason
):
    payment, how = paid(state), {**by(name), "at": THURSDAY + later}
    assert ("reason" if needs_reason else None) == refused(payments.void, payment, **how)
    payments.void(payment, reason="era de otra mesa", **how)

    assert ENDED == payment.state
    assert ("era de otra mesa" if needs_reason else "") == payment.reason


@pytest.mark.parametrize(("state", "before"), [("claimed", CLAIMED), ("disputed", DISPUTED)])
def test_who_confirmed_a_payment_takes_that_back_on_the_same_night(paid, by, state, before):
    payment, how = paid(state), by("ana")
    payments.confirm(payment, at=THURSDAY + HOUR, **how)
    for name, later in (("olga", HOUR), ("ana", DAY)):
        assert "" == refused(payments.undo_confirmation, payment, by=by(name)["by"], at=THURSDAY + later)
    for _tap in range(2):
        payments.undo_confirmation(payment, by=how["by"], at=THURSDAY + HOUR)
        assert before == payment.state


@pytest.mark.parametrize("act", [payments.confirm, payments.void, payments.dispute])
def test_repeating_an_answer_changes_nothing(paid, users, act):
    payment, anas = paid("disputed"), users["ana"][0]
    act(payment, by=anas, at=THURSDAY + 3 * HOUR)
    first = Payment.objects.values().get()
    act(payment, by=anas, at=THURSDAY + 4 * HOUR)

    assert first == Payment.objects.values().get()


@pytest.mark.parametrize(
    ("state", "names"),
    [("claimed", {"ana", "olga", "sara"}), ("disputed", {"ana", "olga", "sara"}), ("counts", set())],
)
def test_a_payment_waits_for_the_answer_of_its_payee_or_of_keepers(table, paid, users, state, names):
    paid(state)
    people = People.of(table)

    assert names == {
        name
        for name, (user, role) in users.items()
        if accounting.pending_payments(user, table, people, is_scorer=role is not Role.WITNESS).exists()
    }


def test_who_is_neither_payer_nor_payee_nor_keeper_ticks_nothing(table, played, by):
    debt = next(one for one in accounting.load_accounts(table).debts if one.payer.slug == "beto")
    how = {"version": debt.version, "claims": debt.claims, **by("caro")}

    assert "payer" == refused(payments.settle, table, debt.payer, debt.payee, **how)


# --- backdated --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("day", [NIGHT, NIGHT + DAY])
def test_a_payment_dated_tonight_or_today_is_not_backdated(table, played, pay, day):
    at = THURSDAY + 4 * HOUR  # two in the morning of the 20th
    paid = pay("beto", "ana", 100, day=day, at=at)

    assert (at, None) == (paid.made_at, paid.paid_on)


def test_a_payment_resent_days_later_with_its_key_and_day_is_the_same_payment(table, played, pay):
    first = pay("beto", "ana", 100, day=NIGHT, key="tap", at=THURSDAY + 2 * HOUR)

    assert first == pay("beto", "ana", 100, day=NIGHT, key="tap", at=THURSDAY + 2 * DAY)
