"""The ledger through the services: every cause that moves money, and the scenes for which there is one list."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

import pytest
from django.db import transaction

from games.files.services import audit, imports
from games.models import EntryKind, Game, PaymentState, Role
from games.money.services import (
    accounting,
    balance_causes,
    cash_settlement,
    expenses,
    member_merges,
    night_summary,
    payments,
    simplification,
    starting_balances,
    statements,
)
from games.money.services.accounting import StaleAccounts
from games.play.services import recording
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, GameStopped, Stop, Struck
from games.tables.services import membership, setup
from games.tables.services.roster import People
from tests.brought import bring_nights
from tests.money.conftest import THURSDAY
from tests.worlds import a_key, become, debts_of, make_user, won_by

pytestmark = pytest.mark.django_db

NIGHT, HOUR, DAY = date(2026, 11, 19), timedelta(hours=1), timedelta(days=1)


def between(table, payer, payee):
    """Return the debt of one member to another."""
    ends = payer, payee
    return next(
        one for one in accounting.load_accounts(table).debts if (one.payer.slug, one.payee.slug) == ends
    )


@pytest.fixture(autouse=True)
def books(table):
    """Prove at the end of each test that entries and debts follow from games, payments and costs."""
    yield
    assert [] == [str(one) for one in audit.check_table(table).differences]


@pytest.fixture
def correct(owner):
    """`correct(game, "caro", "ana", "beto")` corrects the only round of a game: Caro won it."""

    def change(game, *players, at=None):
        event = Corrected(2, won_by(*players))
        recording.record(game, event, after=game.records.count(), key=a_key(), by=owner, at=at)

    return change


@pytest.fixture
def start_with(table, owner):
    """`start_with(ana=4000, beto=-4000)` records starting balances."""

    def open_them(**balances):
        return starting_balances.record(
            table, balances, seen=accounting.latest_entry_number(table), key=a_key(), by=owner, at=THURSDAY
        )

    return open_them


@pytest.fixture
def share(share):
    """Share a cost on Thursday."""
    return partial(share, at=THURSDAY + 2 * HOUR)


@pytest.fixture
def bring(table, owner):
    """`bring("fecha;Ana;Beto\\n1/5/26;5;-5\\n")` imports the nights of a notebook, and returns when they arrived."""

    def bring_one(text, *, paid=False):
        return bring_nights(table, text, paid=paid, at=THURSDAY)

    return bring_one


# --- every cause ------------------------------------------------------------------------------------------------------

FIRST = "beto>ana 100, caro>ana 100, dani>ana 100"  # Ana won 100 from each of the three others


@pytest.fixture
def causes(table, owner, who, anita, pay, won, correct, start_with, share, bring):
    """For each cause: what does it, what takes it back, the debts meanwhile, and the kinds of both entries."""
    game = won("ana", 100, "beto", "caro", "dani")

    def changed(act):
        return lambda *_done: act(game, after=game.records.count(), key=a_key(), by=owner)

    def strike(_done):
        recording.record(game, Struck(3), after=3, key=a_key(), by=owner)

    def merged():
        return member_merges.merge(
            anita, who["beto"], seen=member_merges.preview(anita, who["beto"]).digest, by=owner
        )

    def untick(payment):
        payments.void(payment, by=owner)

    def uncost(cost):
        expenses.void(cost, by=owner, at=THURSDAY + 3 * HOUR)

    def unopen(entry):
        starting_balances.void(table, entry.number, by=owner)

    def unbring(arrived_at):
        imports.revert(table.arrivals.get(at=arrived_at), by=owner)

    nights = "fecha;Ana;Dani\n8/5/26;20;-20\n1/5/26;5;-5\n"
    return [
        (lambda: pay("beto", "ana", 60), untick, "beto>ana 40, caro>ana 100, dani>ana 100", "paid unpaid"),
        (lambda: pay("beto", "ana", 150), untick, "ana>beto 50, caro>ana 100, dani>ana 100", "paid unpaid"),
        (
            lambda: share("beto", 90, "ana", "beto", "caro"),
            uncost,
            "beto>ana 40, caro>ana 130, dani>ana 100",
            "shared unshared",
        ),
        (
            lambda: share("dani", 100, "ana", "beto", is_forgiven=True),
            uncost,
            "beto>ana 150, caro>ana 100",
            "shared unshared",
        ),
        (lambda: start_with(caro=70, dani=-70), unopen, f"{FIRST}, dani>caro 70", "opened unopened"),
        (merged, lambda one: member_merges.unmerge(one, by=owner), FIRST, "merged parted"),
        (
            lambda: cash_settlement.mark_paid(game, by=owner),
            lambda _done: cash_settlement.unmark_paid(game, by=owner),
            "",
            "on_the_spot on_the_spot",
        ),
        (
            lambda: recording.discard_game(game),
            lambda _done: recording.restore_game(game),
            "",
            "discarded restored",
        ),
        (changed(recording.undo), changed(recording.redo), "", "reopened ended"),
        (
            lambda: correct(game, "beto", "ana", "caro", "dani"),
            strike,
            "ana>beto 100, caro>beto 100, dani>beto 100",
            "corrected corrected",
        ),
        (
            lambda: bring(nights),
            unbring,
            "beto>ana 100, caro>ana 100, dani>ana 125",
            "ended ended discarded discarded",
        ),
        (lambda: bring(nights, paid=True), unbring, FIRST, ""),
    ]


def reasons(table):
    """Return the causes of everybody's balance, each with its amount."""
    effects = statements.load_effects(table.entries.order_by("number"), People.of(table))
    return {
        slug: [(one.cause, one.amount) for one in balance_causes.compute(own)]
        for slug, own in effects.items()
    }


def test_each_cause_is_entered_and_taken_back_leaves_no_trace_in_debts_and_reasons(subtests, table, causes):
    before = reasons(table)
    for number, (act, back, meanwhile, kinds) in enumerate(causes):
        with subtests.test(number, kinds=kinds), transaction.atomic():
            assert FIRST == ", ".join(debts_of(table))
            done = act()
            assert meanwhile == ", ".join(debts_of(table))
            back(done)
            assert (FIRST, before) == (", ".join(debts_of(table)), reasons(table))
            assert kinds.split() == [entry.kind for entry in table.entries.filter(number__gt=1)]
            assert [] == audit.check_table(table).differences
            transaction.set_rollback(True)


def test_the_nights_of_an_import_are_entered_in_the_order_of_their_end(table, bring):
    bring("fecha;Ana;Dani\n8/5/26;20;-20\n1/5/26;5;-5\n")

    assert [(date(2026, 5, 1), 5), (date(2026, 5, 8), 20)] == [
        (entry.night, entry.differences["ana"]) for entry in table.entries.all()
    ]


# --- version ------------------------------------------------------------------------------------------------------------


def test_a_version_never_repeats_even_if_the_debt_is_as_it_was(table, owner, won, pay):
    won("ana", 100, "beto")
    first = between(table, "beto", "ana")
    payments.void(pay("beto", "ana", 100), by=owner)
    again = between(table, "beto", "ana")

    assert (first.amount, 1, 3) == (again.amount, first.version, again.version)
    with pytest.raises(StaleAccounts):
        payments.settle(table, first.payer, first.payee, version=1, claims=0, by=owner)


def test_two_phones_that_tick_one_debt_make_one_payment(table, owner, won):
    debtor = membership.add(table, "Maximiliano de Rosas").slug  # of the longest names, whose ids are long
    won("ana", 100, debtor, "caro")
    debt = between(table, debtor, "ana")
    how = {"version": debt.version, "claims": debt.claims, "by": owner}
    ticked = [payments.settle(table, debt.payer, debt.payee, **how) for _phone in range(2)]

    assert ticked == [table.payments.get()] * 2
    assert ["caro>ana 100"] == debts_of(table)


@pytest.mark.parametrize("claims_seen", [0, 1])  # on an old page, and on one that shows the claim
def test_a_tick_of_a_claimed_debt_confirms_the_claim_for_its_payee_alone(
    table, owner, won, claims, claims_seen
):
    won("ana", 100, "beto")
    anas, betos = (claims(make_user(name[0]), name) for name in ("ana", "beto"))
    debt = between(table, "beto", "ana")
    tick = partial(payments.settle, table, debt.payer, debt.payee, version=debt.version)
    claim = tick(claims=0, by=betos, role=Role.WITNESS)
    assert claim == tick(claims=0, by=betos, role=Role.WITNESS)
    for keeper, seen in ((owner, claims_seen), (betos, 1)):
        with pytest.raises(StaleAccounts):
            tick(claims=seen, by=keeper)
    claim.refresh_from_db()
    assert PaymentState.CLAIMED == claim.state
    ticked = tick(claims=claims_seen, by=anas, role=Role.WITNESS)

    assert (claim, PaymentState.COUNTS, []) == (ticked, ticked.state, debts_of(table))


def test_every_later_entry_of_a_cause_has_the_night_of_its_first(table, owner, pay, start_with):
    payment, opening = pay("beto", "ana", 60, at=THURSDAY), start_with(caro=70, dani=-70)
    setup.change_settings(table, timezone="Pacific/Kiritimati")  # where it was Friday already
    payment.refresh_from_db()
    become(phone := make_user("phone"), payment.payee)
    payments.dispute(payment, by=phone)
    payments.confirm(payment, by=owner)
    starting_balances.void(table, opening.number, by=owner, at=THURSDAY + 72 * HOUR)

    kinds = [EntryKind.PAID, EntryKind.OPENED, EntryKind.UNPAID, EntryKind.PAID, EntryKind.UNOPENED]
    assert [(str(kind), opening.night) for kind in kinds] == list(table.entries.values_list("kind", "night"))


def test_a_merge_cannot_be_undone_once_a_debt_of_theirs_changed(table, owner, who, won, anita):
    """Anita was merged into Ana; since then Simplificar settled a circle anew."""
    won("ana", 100, "beto")
    won("beto", 100, "caro")
    member_merges.merge(anita, who["ana"], seen=member_merges.preview(anita, who["ana"]).digest, by=owner)
    simplification.simplify(table, seen=accounting.latest_entry_number(table), by=owner)
    assert ["caro>ana 100"] == debts_of(table)
    with pytest.raises(RuleError, match="a debt of theirs has changed since"):
        member_merges.unmerge(anita, by=owner)


# --- paid on the spot -------------------------------------------------------------------------------------------------


@pytest.fixture(params=[True, False], ids=["by habit", "by a tap"])
def marked(request, table, owner, won):
    """`marked()` returns a game in which Ana won 100 from Beto and from Caro, paid on the spot."""

    def mark():
        table.pays_on_the_spot = request.param
        table.save(update_fields=["pays_on_the_spot"])
        game = won("ana", 100, "beto", "caro")
        if not request.param:
            cash_settlement.mark_paid(game, by=owner)
        return game

    return mark


def test_a_later_correction_of_a_game_paid_on_the_spot_moves_only_its_difference(
    table, owner, marked, correct
):
    game = marked()
    assert [] == debts_of(table)
    correct(game, "beto", "ana", "caro")
    assert ["ana>beto 300"] == debts_of(table)
    cash_settlement.unmark_paid(game, by=owner)

    assert ["ana>beto 100", "caro>beto 100"] == debts_of(table)


def test_a_mark_that_somebody_took_back_is_not_set_again_by_the_habit(table, owner, marked):
    game = marked()
    cash_settlement.unmark_paid(game, by=owner)
    for act in (recording.undo, recording.redo):
        act(game, after=game.records.count(), key=a_key(), by=owner)

    assert ["beto>ana 100", "caro>ana 100"] == debts_of(table)


def test_a_marked_game_that_ends_anew_with_a_refund_moves_only_the_difference(table, owner, marked):
    game = marked()
    recording.undo(game, after=2, key=a_key(), by=owner)
    recording.record(game, GameStopped(Stop.REFUND), after=3, key=a_key(), by=owner)

    by_habit = table.pays_on_the_spot  # which marks the refund anew
    assert ([] if by_habit else ["ana>beto 100", "ana>caro 100"]) == debts_of(table)


def test_a_correction_begun_before_the_mark_was_set_moves_only_its_difference(table, owner, won, correct):
    game = won("ana", 100, "beto")
    cash_settlement.mark_paid(Game.objects.get(pk=game.pk), by=owner)
    correct(game, "beto", "ana")

    assert ["ana>beto 200"] == debts_of(table)


# --- the scenes of one list; those of the law alone are in tests/scoring/test_debts.py ---------------------------------


def test_8_a_correction_of_an_old_game_moves_its_difference_and_changes_no_other_night(
    table, won, pay, correct
):
    first = won("ana", 100, "beto", "caro", "dani")
    pay("beto", "ana", 100, at=THURSDAY + HOUR)
    for week in (1, 2, 3):
        won("caro", 100, "ana", "dani", at=THURSDAY + 7 * week * DAY)
    people, nights = People.of(table), [NIGHT + 7 * week * DAY for week in (1, 2, 3)]
    before = [night_summary.summarize(night, table, people) for night in nights], debts_of(table)
    correct(first, "beto", "ana", "caro", "dani")
    entry = table.entries.last()

    assert {"ana": -400, "beto": 400} == {slug: net for slug, net in entry.differences.items() if net}
    assert before[0] == [night_summary.summarize(night, table, people) for night in nights]
    assert ["ana>beto 400"] == [line for line in debts_of(table) if line not in before[1]]
