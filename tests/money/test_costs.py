"""Shared costs: recorded and taken back, forgiven among all, in balances, debts, merges and the audit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from games.common.days import night_of, window_of
from games.files.books.audit import check_table
from games.models import SharedCost
from games.money import merging
from games.money.balances import balances_of, read_accounts
from games.money.booking import TakenBack
from games.money.costs import CostWords, cancel_cost, present_at, share_cost
from games.money.merging import came_after, preview_merge, unmerge
from games.scoring.errors import RuleError
from games.tables.people import People
from tests.worlds import a_key, make_table, make_user, start, the_night

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def words(who):
    """`words("beto", 10001, "ana", "beto", "caro")` returns the content of a cost that Beto paid for these three."""

    def of(payer, amount, *sharers, note="pizza", is_forgiven=False):
        return CostWords(who[payer], amount, tuple(who[slug] for slug in sharers), note, is_forgiven)

    return of


@pytest.fixture
def share(table, owner, words):
    """`share("beto", 10001, "ana", "beto", "caro")` records the cost of the last night."""

    def share_one(*what, night=None, note="pizza", is_forgiven=False, **how):
        how = {"key": a_key(), "by": owner, **how}
        content = words(*what, note=note, is_forgiven=is_forgiven)
        return share_cost(table, night or the_night(table), content, **how)

    return share_one


@pytest.fixture
def pizza(play, share):
    """Ana won 300 from three others; then Beto paid 10,001 for Ana, Beto and Caro."""
    play("ana", "beto", "caro", "dani")
    return share("beto", 10001, "ana", "beto", "caro")


def debts(table):
    return [f"{one.payer.slug}>{one.payee.slug} {one.amount}" for one in read_accounts(table).to_pay]


def checked(table):
    return [str(one) for one in check_table(table).differences]


def people(table):
    return People.of(table)


# --- recorded ---------------------------------------------------------------------------------------------------------


def test_members_who_played_a_finished_or_running_game_are_present_at_the_night(table, owner, play):
    play("ana", "caro")
    night = the_night(table)
    assert ["ana", "caro"] == [member.slug for member in present_at(night, table, people(table))]

    start(table, owner)
    assert ["ana", "beto", "caro", "dani"] == [
        member.slug for member in present_at(night, table, people(table))
    ]


def test_the_cost_of_an_old_night_counts_from_the_end_of_its_last_game(table, play, share):
    with time_machine.travel(now() - 7 * 24 * HOUR, tick=False):
        game = play("ana", "beto")
    game.refresh_from_db()
    cost = share("beto", 100, "ana")

    assert timedelta(microseconds=1) == cost.made_at - game.ended_at
    assert (the_night(table), the_night(table)) == (cost.night, night_of(cost.made_at, table))
    assert [] == checked(table)


# --- refused ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("payer", "sharer", "field"), [("eva", "ana", "payer"), ("ana", "eva", "sharers")])
def test_a_member_of_another_table_can_neither_pay_nor_share_a_cost(
    table, owner, play, who, payer, sharer, field
):
    play("ana", "beto")
    who["eva"] = make_table(make_user("o"), people=("Eva",), name="Otra").members.get()

    words = CostWords(who[payer], 5, (who[sharer],))
    with pytest.raises(RuleError) as refusal:
        share_cost(table, the_night(table), words, key=a_key(), by=owner)
    assert field == refusal.value.field


def test_neither_the_payer_nor_anybody_else_need_have_played_on_the_night_of_a_cost(table, share):
    share("beto", 100, "ana", night=night_of(now(), table))

    assert {"ana": -100, "beto": 100, "caro": 0, "dani": 0} == balances_of(table)


def test_a_cost_taken_back_and_sent_again_with_its_key_is_refused(owner, pizza, share):
    cancel_cost(pizza, by=owner)
    with pytest.raises(TakenBack):
        share("beto", 10001, "ana", "beto", "caro", key=pizza.key)


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": 0},
        {"key": ""},
        {"made_at": datetime(2090, 1, 1, tzinfo=UTC)},
        {"pk": None},
        {"ended_at": datetime(2026, 1, 1, tzinfo=UTC)},
        {"reason": "no era"},
    ],
)
def test_a_database_constraint_refuses_an_invalid_cost(pizza, wrong):
    for name, value in wrong.items():
        setattr(pizza, name, value)
    with pytest.raises(IntegrityError), transaction.atomic():
        pizza.save()


# --- forgiven among all -----------------------------------------------------------------------------------------------


def test_a_debtor_cannot_record_that_they_are_forgiven(table, play, share, claims):
    play("ana", "beto")
    beto = make_user("beto")
    claims(beto, "beto")
    with pytest.raises(RuleError, match="your own debt is forgiven") as refusal:
        share("beto", 100, "ana", by=beto, is_forgiven=True)

    assert ("payer", 0) == (refusal.value.field, table.costs.count())
    assert share("beto", 100, "ana", by=beto).counts


# --- taken back -------------------------------------------------------------------------------------------------------


def test_a_cost_taken_back_keeps_its_row_but_does_not_count(table, owner, play, share):
    play("ana", "beto", "caro", "dani")
    before = balances_of(table), debts(table)
    cost = share("beto", 10001, "ana", "beto", "caro")
    cancel_cost(cost, by=owner, reason="pagó la casa")
    again = cancel_cost(cost, by=make_user("otto"), reason="otra vez")

    assert before == (balances_of(table), debts(table))
    assert (owner, "pagó la casa") == (again.ended_by, again.reason)
    assert [] == checked(table)


def test_a_reason_is_needed_unless_who_recorded_the_cost_takes_it_back_the_same_night(table, owner, pizza):
    other, at_six = make_user("otto"), window_of(night_of(pizza.recorded_at, table), table)[1]
    for by, at in [(other, pizza.recorded_at), (owner, at_six)]:
        with pytest.raises(RuleError, match="Say why") as refusal:
            cancel_cost(pizza, by=by, at=at, reason=" ")
        assert "reason" == refusal.value.field

    assert not cancel_cost(pizza, by=owner, at=at_six - timedelta(microseconds=1)).counts


# --- merges -----------------------------------------------------------------------------------------------------------


def merge(member, into):
    return merging.merge(member, into, seen=preview_merge(member, into).seen, by=make_user(a_key()))


def test_a_merge_can_be_undone_unless_a_cost_of_the_merged_member_was_taken_back_since(
    table, owner, play, share, who, anita
):
    play("ana", "beto", "caro", "dani")
    who["anita"] = anita
    cost = share("ana", 10000, "beto", "anita")
    before = balances_of(table)
    merge(anita, who["ana"])
    unmerge(anita, by=owner)
    assert before == balances_of(table)

    merge(anita, who["ana"])
    cancel_cost(cost, by=owner)
    anita.refresh_from_db()
    assert "an expense of theirs" in str(came_after(anita))


# --- the audit --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("altered", "says"),
    [
        ({"amount": 20000}, "moved something else than its entries say"),
        ({"sharers": ["ana"]}, "moved something else than its entries say"),
        ({"sharers": ["eva"]}, "speaks of nobody, or of a member of another"),
        ({"sharers": []}, "speaks of nobody, or of a member of another"),
    ],
)
def test_the_audit_reports_a_cost_altered_in_the_database(table, pizza, altered, says):
    SharedCost.objects.update(**altered)

    assert any(says in line for line in checked(table))
