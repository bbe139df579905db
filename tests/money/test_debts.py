"""The ledger through the services: every cause that moves money, and the cases for a single list of debts.

`browser/test_debts.py` has the taps on the list; `money/views/test_debts.py` has the forms of the list;
`scoring/test_debts.py` has the law of debts without a database.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

import pytest
from django.db import transaction

from games.files.services import audit, imports
from games.models import EntryKind, Game, PaymentState, Role
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expenses,
    fewest_payments,
    member_merges,
    night_summary,
    payments,
    starting_balances,
)
from games.money.services.accounting import StaleAccounts
from games.money.services.entry_history import EntryHistory
from games.play.services import recording
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, GameStopped, Stop, Struck
from games.tables.services import membership, setup
from games.tables.services.roster import People
from tests.factories import confirm_as_member, debt_texts, make_user, new_key, winning_round
from tests.money.conftest import THURSDAY
from tests.notebook_imports import run_nights_import

pytestmark = pytest.mark.django_db

NIGHT, HOUR, DAY = date(2026, 11, 19), timedelta(hours=1), timedelta(days=1)


def get_debt(table, payer, payee):
    ends = payer, payee
    return next(
        debt for debt in accounting.load_accounts(table).debts if (debt.payer.slug, debt.payee.slug) == ends
    )


@pytest.fixture(autouse=True)
def audit_afterwards(table):
    """Prove at the end of each test that entries and debts follow from games, payments and expenses."""
    yield
    assert [] == [str(difference) for difference in audit.check_table(table).differences]


@pytest.fixture
def correct_game(owner):
    """`correct_game(game, "caro", "ana", "beto")` corrects the only round of a game: Caro won it."""

    def change(game, *players, at=None):
        event = Corrected(2, winning_round(*players))
        recording.record(game, event, after=game.records.count(), key=new_key(), by=owner, at=at)

    return change


@pytest.fixture
def add_starting_balances(table, owner):
    """`add_starting_balances(ana=4000, beto=-4000)` records starting balances."""

    def add_balances(**balances):
        return starting_balances.record(
            table, balances, seen=accounting.latest_entry_number(table), key=new_key(), by=owner, at=THURSDAY
        )

    return add_balances


@pytest.fixture
def share(share):
    """Share an expense on Thursday."""
    return partial(share, at=THURSDAY + 2 * HOUR)


@pytest.fixture
def import_notebook(table):
    r"""`import_notebook("fecha;Ana;Beto\n1/5/26;5;-5\n")` imports these nights and returns the time."""

    def import_text(text, *, paid=False):
        return run_nights_import(table, text, paid=paid, at=THURSDAY)

    return import_text


# --- every cause ------------------------------------------------------------------------------------------------------

FIRST = "beto>ana 100, caro>ana 100, dani>ana 100"  # Ana won 100 from each of the three others


@pytest.fixture
def causes(
    table,
    owner,
    members_by_slug,
    anita,
    pay,
    win_game,
    correct_game,
    add_starting_balances,
    share,
    import_notebook,
):
    """For each cause: an act, its reversal, the debts in between, and the kinds of both entries."""
    game = win_game("ana", 100, "beto", "caro", "dani")

    def in_game(act):
        return lambda *_done: act(game, after=game.records.count(), key=new_key(), by=owner)

    def strike(_done):
        recording.record(game, Struck(3), after=3, key=new_key(), by=owner)

    def merge_anita():
        return member_merges.merge(
            anita,
            members_by_slug["beto"],
            seen=member_merges.preview(anita, members_by_slug["beto"]).digest,
            by=owner,
        )

    def void_payment(payment):
        payments.void(payment, by=owner)

    def void_cost(cost):
        expenses.void(cost, by=owner, at=THURSDAY + 3 * HOUR)

    def void_balances(entry):
        starting_balances.void(table, entry.number, by=owner)

    def revert_import(arrived_at):
        imports.revert(table.arrivals.get(at=arrived_at), by=owner)

    nights = "fecha;Ana;Dani\n8/5/26;20;-20\n1/5/26;5;-5\n"
    return [
        (
            lambda: pay("beto", "ana", 60),
            void_payment,
            "beto>ana 40, caro>ana 100, dani>ana 100",
            "paid unpaid",
        ),
        (
            lambda: pay("beto", "ana", 150),
            void_payment,
            "ana>beto 50, caro>ana 100, dani>ana 100",
            "paid unpaid",
        ),
        (
            lambda: share("beto", 90, "ana", "beto", "caro"),
            void_cost,
            "beto>ana 40, caro>ana 130, dani>ana 100",
            "shared unshared",
        ),
        (
            lambda: share("dani", 100, "ana", "beto", is_forgiven=True),
            void_cost,
            "beto>ana 150, caro>ana 100",
            "shared unshared",
        ),
        (
            lambda: add_starting_balances(caro=70, dani=-70),
            void_balances,
            f"{FIRST}, dani>caro 70",
            "opened unopened",
        ),
        (merge_anita, lambda member: member_merges.unmerge(member, by=owner), FIRST, "merged parted"),
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
        (in_game(recording.undo), in_game(recording.redo), "", "reopened ended"),
        (
            lambda: correct_game(game, "beto", "ana", "caro", "dani"),
            strike,
            "ana>beto 100, caro>beto 100, dani>beto 100",
            "corrected corrected",
        ),
        (
            lambda: import_notebook(nights),
            revert_import,
            "beto>ana 100, caro>ana 100, dani>ana 125",
            "ended ended discarded discarded",
        ),
        (lambda: import_notebook(nights, paid=True), revert_import, FIRST, ""),
    ]


def reasons_by_member(table):
    """Return the causes of everybody's balance, each with its amount."""
    people = People.of(table)
    history = EntryHistory.of_entries(table.entries.all(), people)
    return {
        member.slug: [(reason.cause, reason.amount) for reason in history.causes(member.slug)]
        for member in people.current_members
    }


def test_each_cause_is_entered_and_taken_back_leaves_no_trace_in_debts_and_reasons(subtests, table, causes):
    before = reasons_by_member(table)
    for number, (act, back, meanwhile, kinds) in enumerate(causes):
        with subtests.test(number, kinds=kinds), transaction.atomic():
            assert FIRST == ", ".join(debt_texts(table))
            done = act()
            assert meanwhile == ", ".join(debt_texts(table))
            back(done)
            assert (FIRST, before) == (", ".join(debt_texts(table)), reasons_by_member(table))
            assert kinds.split() == [entry.kind for entry in table.entries.filter(number__gt=1)]
            assert [] == audit.check_table(table).differences
            transaction.set_rollback(True)


def test_the_nights_of_an_import_are_entered_in_the_order_of_their_end(table, import_notebook):
    import_notebook("fecha;Ana;Dani\n8/5/26;20;-20\n1/5/26;5;-5\n")

    assert [(date(2026, 5, 1), 5), (date(2026, 5, 8), 20)] == [
        (entry.night, entry.differences["ana"]) for entry in table.entries.all()
    ]


# --- version ------------------------------------------------------------------------------------------------------------


def test_a_version_never_repeats_even_if_the_debt_is_as_it_was(table, owner, win_game, pay):
    win_game("ana", 100, "beto")
    first = get_debt(table, "beto", "ana")
    payments.void(pay("beto", "ana", 100), by=owner)
    again = get_debt(table, "beto", "ana")

    assert (first.amount, 1, 3) == (again.amount, first.version, again.version)
    with pytest.raises(StaleAccounts):
        debt_settlement.settle(table, first.payer, first.payee, version=1, claims=0, by=owner)


def test_two_phones_that_tick_one_debt_make_one_payment(table, owner, win_game):
    debtor = membership.add(table, "Maximiliano de Rosas").slug  # with the longest names, whose ids are long
    win_game("ana", 100, debtor, "caro")
    debt = get_debt(table, debtor, "ana")
    how = {"version": debt.version, "claims": debt.claims, "by": owner}
    ticked = [debt_settlement.settle(table, debt.payer, debt.payee, **how) for _phone in range(2)]

    assert ticked == [table.payments.get()] * 2
    assert ["caro>ana 100"] == debt_texts(table)


@pytest.mark.parametrize("claims_seen", [0, 1])  # on an old page, and on one showing the claim
def test_a_tick_of_a_claimed_debt_confirms_the_claim_for_its_payee_alone(
    table, owner, win_game, confirm_as, claims_seen
):
    win_game("ana", 100, "beto")
    anas, betos = (confirm_as(make_user(name[0]), name) for name in ("ana", "beto"))
    debt = get_debt(table, "beto", "ana")
    tick = partial(debt_settlement.settle, table, debt.payer, debt.payee, version=debt.version)
    claim = tick(claims=0, by=betos, role=Role.WITNESS)
    assert claim == tick(claims=0, by=betos, role=Role.WITNESS)
    for keeper, seen in ((owner, claims_seen), (betos, 1)):
        with pytest.raises(StaleAccounts):
            tick(claims=seen, by=keeper)
    claim.refresh_from_db()
    assert PaymentState.CLAIMED == claim.state
    ticked = tick(claims=claims_seen, by=anas, role=Role.WITNESS)

    assert (claim, PaymentState.COUNTS, []) == (ticked, ticked.state, debt_texts(table))


def test_every_later_entry_of_a_cause_has_the_night_of_its_first(table, owner, pay, add_starting_balances):
    payment, opening = pay("beto", "ana", 60, at=THURSDAY), add_starting_balances(caro=70, dani=-70)
    setup.change_settings(table, timezone="Pacific/Kiritimati")  # where it was already Friday
    payment.refresh_from_db()
    confirm_as_member(phone := make_user("phone"), payment.payee)
    payments.dispute(payment, by=phone)
    payments.confirm(payment, by=owner)
    starting_balances.void(table, opening.number, by=owner, at=THURSDAY + 72 * HOUR)

    kinds = [EntryKind.PAID, EntryKind.OPENED, EntryKind.UNPAID, EntryKind.PAID, EntryKind.UNOPENED]
    assert [(str(kind), opening.night) for kind in kinds] == list(table.entries.values_list("kind", "night"))


def test_a_merge_cannot_be_undone_once_a_debt_of_theirs_changed(
    table, owner, members_by_slug, win_game, anita
):
    """Anita was merged into Ana. Since then, the fewest payments have settled a circle of debts."""
    win_game("ana", 100, "beto")
    win_game("beto", 100, "caro")
    member_merges.merge(
        anita,
        members_by_slug["ana"],
        seen=member_merges.preview(anita, members_by_slug["ana"]).digest,
        by=owner,
    )
    fewest_payments.update(table, is_on=True, seen=accounting.latest_entry_number(table), by=owner)
    assert ["caro>ana 100"] == debt_texts(table)
    with pytest.raises(RuleError, match="one of their debts has changed since"):
        member_merges.unmerge(anita, by=owner)


# --- paid on the spot -------------------------------------------------------------------------------------------------


@pytest.fixture(params=[True, False], ids=["by habit", "by a tap"])
def game_paid_on_spot(request, table, owner, win_game):
    """`game_paid_on_spot()` returns a game in which Ana won 100 from Beto and from Caro, paid in cash."""

    def mark():
        table.pays_on_the_spot = request.param
        table.save(update_fields=["pays_on_the_spot"])
        game = win_game("ana", 100, "beto", "caro")
        if not request.param:
            cash_settlement.mark_paid(game, by=owner)
        return game

    return mark


def test_a_later_correction_of_a_game_paid_on_the_spot_moves_only_its_difference(
    table, owner, game_paid_on_spot, correct_game
):
    game = game_paid_on_spot()
    assert [] == debt_texts(table)
    correct_game(game, "beto", "ana", "caro")
    assert ["ana>beto 300"] == debt_texts(table)
    cash_settlement.unmark_paid(game, by=owner)

    assert ["ana>beto 100", "caro>beto 100"] == debt_texts(table)


def test_a_mark_that_somebody_took_back_is_not_set_again_by_the_habit(table, owner, game_paid_on_spot):
    game = game_paid_on_spot()
    cash_settlement.unmark_paid(game, by=owner)
    for act in (recording.undo, recording.redo):
        act(game, after=game.records.count(), key=new_key(), by=owner)

    assert ["beto>ana 100", "caro>ana 100"] == debt_texts(table)


def test_a_marked_game_that_ends_anew_with_a_refund_moves_only_the_difference(
    table, owner, game_paid_on_spot
):
    game = game_paid_on_spot()
    recording.undo(game, after=2, key=new_key(), by=owner)
    recording.record(game, GameStopped(Stop.REFUND), after=3, key=new_key(), by=owner)

    by_habit = table.pays_on_the_spot  # the refund is marked again
    assert ([] if by_habit else ["ana>beto 100", "ana>caro 100"]) == debt_texts(table)


def test_a_correction_begun_before_the_mark_was_set_moves_only_its_difference(
    table, owner, win_game, correct_game
):
    game = win_game("ana", 100, "beto")
    cash_settlement.mark_paid(Game.objects.get(pk=game.pk), by=owner)
    correct_game(game, "beto", "ana")

    assert ["ana>beto 200"] == debt_texts(table)


# --- the scenes of one list; those of the law alone are in tests/scoring/test_debts.py ---------------------------------


def test_8_a_correction_of_an_old_game_moves_its_difference_and_changes_no_other_night(
    table, win_game, pay, correct_game
):
    first = win_game("ana", 100, "beto", "caro", "dani")
    pay("beto", "ana", 100, at=THURSDAY + HOUR)
    for week in (1, 2, 3):
        win_game("caro", 100, "ana", "dani", at=THURSDAY + 7 * week * DAY)
    people, nights = People.of(table), [NIGHT + 7 * week * DAY for week in (1, 2, 3)]
    before = [night_summary.summarize(night, table, people) for night in nights], debt_texts(table)
    correct_game(first, "beto", "ana", "caro", "dani")
    entry = table.entries.last()

    assert {"ana": -400, "beto": 400} == {slug: net for slug, net in entry.differences.items() if net}
    assert before[0] == [night_summary.summarize(night, table, people) for night in nights]
    assert ["ana>beto 400"] == [line for line in debt_texts(table) if line not in before[1]]
