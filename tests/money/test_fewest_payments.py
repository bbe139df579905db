"""The setting *always the fewest payments*, and the tick of a debt that something else replaced."""

from __future__ import annotations

from functools import partial

import pytest

from games.files.services import audit
from games.models import EntryKind, Role
from games.money.services import accounting, debt_settlement, fewest_payments, member_merges, payments
from games.money.services.accounting import StaleAccounts
from games.money.services.debt_settlement import DebtReplaced
from games.play.services import recording
from games.tables.services import membership
from tests.factories import new_key

pytestmark = pytest.mark.django_db


def debt_lines(text: str) -> set[tuple[str, str, int]]:
    """Return debts written as `ana>beto 100, beto>caro 50`."""
    lines = (line.replace(">", " ").split() for line in text.split(",") if line.strip())
    return {(payer, payee, int(amount)) for payer, payee, amount in lines}


def number_of_entries(story):
    return story.table.entries.count()


def assert_consistent(story) -> None:
    assert [] == [str(difference) for difference in audit.check_table(story.table).differences]


SEVEN = debt_lines(
    "ana>dani 50, ana>eva 150, beto>ana 100, beto>eva 200, caro>ana 100, fede>caro 200, fede>eva 100"
)
FOUR = debt_lines("beto>eva 300, fede>caro 100, fede>dani 50, fede>eva 150")


def test_turning_it_on_settles_all_debts_by_one_entry_and_turning_it_off_leaves_them(six):
    balances, entries = six.balances, number_of_entries(six)
    assert SEVEN == six.debts
    six.turn(is_on=True)

    assert FOUR == six.debts
    assert balances == six.balances
    assert [entries + 1, EntryKind.SIMPLIFIED] == [number_of_entries(six), six.table.entries.last().kind]
    six.go_to_day(33)
    loba = six.game("Loba", beto=200, dani=-200)
    assert debt_lines("beto>caro 100, dani>eva 150, fede>eva 300") == six.debts
    assert entries + 2 == number_of_entries(six), "one entry for the game and what it settles anew"
    recording.undo(loba, after=2, key=new_key(), by=six.owner)
    assert FOUR == six.debts, "taken back at once, the list is exactly the one before"

    six.turn(is_on=False)
    assert FOUR == six.debts
    assert entries + 3 == number_of_entries(six)
    six.go_to_day(40)
    six.game("Carioca", ana=100, beto=-100)
    assert FOUR | debt_lines("beto>ana 100") == six.debts
    assert_consistent(six)


def test_a_second_tap_changes_nothing_and_an_outdated_preview_is_refused(six):
    seen = accounting.latest_entry_number(six.table)
    six.pay("caro", "ana", 100)
    with pytest.raises(StaleAccounts):
        fewest_payments.update(six.table, is_on=True, seen=seen, by=six.owner)
    six.turn(is_on=True)
    entries = number_of_entries(six)
    fewest_payments.update(six.table, is_on=True, seen=0, by=six.owner)

    assert entries == number_of_entries(six)


def test_a_claim_keeps_its_debt_until_it_is_denied(claimed):
    assert debt_lines("ana>beto 400, beto>caro 400") == claimed.debts
    payments.dispute(claimed.claim, by=claimed.users["beto"])

    assert debt_lines("ana>caro 400") == claimed.debts
    entry = claimed.table.entries.last()
    assert (EntryKind.SIMPLIFIED, {0}) == (entry.kind, {*entry.differences.values()})
    assert_consistent(claimed)


def test_a_visitor_s_debts_stay_until_they_have_played_on_an_earlier_night(story):
    story = story("Ana", "Beto", "Caro", "Primo")
    story.turn(is_on=True)
    story.game("Loba", ana=-400, beto=400, caro=0)
    story.go_to_day(12)
    story.game("Chinchón", ana=300, caro=-150, primo=-150)
    assert debt_lines("ana>beto 250, caro>beto 150, primo>ana 150") == story.debts
    story.go_to_day(19)
    story.game("Carioca", beto=-200, caro=200)
    assert debt_lines("ana>beto 50, ana>caro 50, primo>beto 150") == story.debts
    story.go_to_day(26)
    story.game("Loba", ana=-100, primo=100)

    assert debt_lines("ana>beto 200, primo>caro 50") == story.debts
    assert_consistent(story)


def test_retiring_keeps_a_debt_apart_and_playing_again_settles_it(story):
    story = story("Ana", "Beto", "Caro", "Dani")
    story.go_to_day(1)
    story.game("Loba", ana=0, beto=0, caro=0, dani=0)
    story.go_to_day(5)
    story.game("Loba", ana=-400, beto=400)
    membership.retire(story.member("ana"))
    story.go_to_day(12)
    story.game("Loba", beto=-400, caro=400)
    story.turn(is_on=True)
    assert debt_lines("ana>beto 400, beto>caro 400") == story.debts
    membership.reactivate(story.member("ana"))

    assert debt_lines("ana>caro 400") == story.debts
    assert_consistent(story)


def test_merging_settles_anew_as_its_preview_says_and_is_undone_at_once(story):
    story = story("Ana", "Beto", "Caro", "Dani", "Anita")
    story.go_to_day(1)
    story.game("Loba", ana=0, beto=0, caro=0, dani=0)
    story.go_to_day(5)
    story.game("Loba", anita=-400, beto=400)
    story.turn(is_on=True)
    story.game("Loba", dani=-400, ana=400)
    before = story.debts
    assert debt_lines("anita>beto 400, dani>ana 400") == before
    anita, ana = story.member("anita"), story.member("ana")
    preview = member_merges.preview(anita, ana)
    member_merges.merge(anita, ana, seen=preview.digest, by=story.owner)

    assert debt_lines("dani>beto 400") == story.debts
    assert story.debts == {(debt.payer, debt.payee, debt.amount) for debt in preview.debts_after}
    assert_consistent(story)
    member_merges.unmerge(story.member("anita"), by=story.owner)
    assert before == story.debts
    assert_consistent(story)


# --- a tick of a debt that was replaced -------------------------------------------------------------------------------


@pytest.fixture
def replaced(story):
    """Ana owed Beto 500, and after another night owes Caro instead. `tick` is what her phone still shows."""
    story = story("Ana", "Beto", "Caro", "Dani")
    story.go_to_day(1)
    story.game("Loba", ana=0, beto=0, caro=0, dani=0)
    story.turn(is_on=True)
    story.go_to_day(5)
    story.game("Loba", ana=-500, beto=500)
    (debt,) = accounting.load_accounts(story.table).debts
    settle = partial(debt_settlement.settle, story.table, debt.payer, debt.payee, by=story.owner)
    story.settle = partial(settle, version=debt.version, claims=debt.claims)
    story.go_to_day(12)
    return story


def test_a_tick_of_a_replaced_debt_asks_and_yes_records_one_payment(replaced):
    replaced.game("Chinchón", beto=-500, caro=500)
    assert debt_lines("ana>caro 500") == replaced.debts
    with pytest.raises(DebtReplaced) as asked:
        replaced.settle()
    assert (500, [("caro", 500)]) == (
        asked.value.amount,
        [(payee.slug, amount) for payee, amount in asked.value.owed],
    )
    paid = [replaced.settle(is_sure=True) for _phone in range(2)]

    assert [paid[0].pk] * 2 == [payment.pk for payment in paid]
    assert (500, debt_lines("beto>caro 500")) == (paid[0].amount, replaced.debts)
    assert_consistent(replaced)


def test_a_tick_of_a_debt_that_was_paid_or_grew_is_stale(replaced):
    replaced.game("Chinchón", ana=-100, beto=100)
    with pytest.raises(StaleAccounts):
        replaced.settle()
    replaced.pay("ana", "beto", 600)
    with pytest.raises(StaleAccounts):
        replaced.settle(is_sure=True)


def test_a_tick_of_a_debt_that_was_paid_and_then_came_and_fell_again_is_stale(replaced):
    replaced.pay("ana", "beto", 500)
    replaced.game("Loba", ana=-300, beto=300)
    replaced.game("Loba", ana=200, beto=-200)
    with pytest.raises(StaleAccounts):
        replaced.settle()


def test_a_tick_of_a_replaced_debt_asks_for_what_was_not_paid_of_it_yet(replaced):
    replaced.pay("ana", "beto", 200)
    replaced.game("Chinchón", beto=-300, caro=300)
    with pytest.raises(DebtReplaced) as asked:
        replaced.settle()
    assert 300 == asked.value.amount


def test_a_tick_of_a_debt_that_came_back_is_stale(replaced):
    """The phone shows the right amount of an earlier debt."""
    game = replaced.game("Chinchón", beto=-500, caro=500)
    recording.undo(game, after=2, key=new_key(), by=replaced.owner)
    with pytest.raises(StaleAccounts):
        replaced.settle()


def test_a_tick_of_a_replaced_debt_asks_nothing_while_a_claim_waits(replaced):
    replaced.game("Loba", ana=200, beto=-200)
    replaced.give_phones("ana", "beto")
    claim = replaced.tick("beto", by=replaced.users["ana"], role=Role.WITNESS)
    assert not claim.counts
    with pytest.raises(StaleAccounts):
        replaced.settle()


def test_a_no_that_settled_anew_is_undone_with_what_it_settled(claimed):
    before = claimed.debts
    payments.dispute(claimed.claim, by=claimed.users["beto"])
    assert debt_lines("ana>caro 400") == claimed.debts
    payments.undo_denial(claimed.claim, by=claimed.users["beto"])

    assert before == claimed.debts
    assert_consistent(claimed)
    payments.confirm(claimed.claim, by=claimed.users["beto"])
    assert debt_lines("beto>caro 400") == claimed.debts
    assert_consistent(claimed)
