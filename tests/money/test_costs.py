"""Expenses: recorded, refused, forgiven among all and voided; `test_debts.py` has the ledger.

`money/views/test_costs.py` has their pages.
"""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import time_machine
from django.utils.timezone import now

from games.common import days
from games.files.services import audit
from games.models import SharedCost
from games.money.services import expenses, member_merges
from games.money.services.expenses import Expense
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from games.tables.services.roster import People
from tests.factories import debt_texts, get_last_night, load_balances, make_table, make_user, new_key

pytestmark = pytest.mark.django_db

HOUR, NIGHT = timedelta(hours=1), date(2026, 11, 19)


def test_the_cost_of_an_old_night_counts_from_the_end_of_its_last_game(table, play, share):
    with time_machine.travel(now() - 7 * 24 * HOUR, tick=False):
        game = play("ana", "beto")
    game.refresh_from_db()
    cost = share("beto", 100, "ana")

    assert timedelta(microseconds=1) == cost.made_at - game.ended_at
    assert (get_last_night(table), get_last_night(table)) == (cost.night, days.night_for(cost.made_at, table))
    without_games = share("beto", 100, "ana", night=get_last_night(table) + 24 * HOUR)
    assert (
        without_games.night
        == days.night_for(without_games.made_at, table)
        == get_last_night(table) + 24 * HOUR
    )


@pytest.mark.parametrize(("payer", "sharer", "field"), [("eva", "ana", "payer"), ("ana", "eva", "sharers")])
def test_a_member_of_another_table_can_neither_pay_nor_share_a_cost(
    members_by_slug, share, payer, sharer, field
):
    members_by_slug["eva"] = make_table(make_user("o"), people=("Eva",), name="Otra").members.get()
    with pytest.raises(RuleError) as refusal:
        share(payer, 5, sharer, night=NIGHT)

    assert field == refusal.value.field


@pytest.mark.parametrize(
    ("parts", "is_forgiven"), [({"ana": 0}, False), ({"beto": 3}, False), ({"beto": 1}, True), ({}, False)]
)
def test_an_expense_that_moves_nothing_is_refused(table, owner, members_by_slug, parts, is_forgiven):
    shares = {members_by_slug[slug]: part for slug, part in parts.items()}
    paid = {members_by_slug["beto"]: 90}

    def record():
        borne = expenses.split_by_parts(90, paid, shares, People.of(table), is_forgiven=is_forgiven)
        expense = Expense(paid=paid, amount=90, borne=borne, is_forgiven=is_forgiven)
        expenses.create(table, days.night_for(now(), table), expense, key=new_key(), by=owner)

    with pytest.raises(RuleError, match="besides the payer") as refusal:
        record()

    assert ("sharers", 0) == (refusal.value.field, table.costs.count())


def test_what_each_bore_stays_after_a_merge_and_is_added_up(table, owner, anita, members_by_slug, share):
    members_by_slug["anita"] = anita
    cost = share("beto", 101, "ana", "anita", "beto", night=days.night_for(now(), table))
    assert {"anita": 34, "ana": 34, "beto": 33} == cost.borne
    member_merges.merge(
        anita,
        members_by_slug["ana"],
        seen=member_merges.preview(anita, members_by_slug["ana"]).digest,
        by=owner,
    )

    parts = expenses.current_shares(cost, People.of(table))
    assert {"ana": 68, "beto": 33} == {member.slug: part for member, part in parts.items()}
    assert [] == audit.check_table(table).differences


def test_a_debtor_cannot_record_that_they_are_forgiven(table, play, share, confirm_as):
    play("ana", "beto")
    beto = confirm_as(make_user("beto"), "beto")
    with pytest.raises(RuleError, match="You can't forgive your own debt") as refusal:
        share("beto", 100, "ana", by=beto, is_forgiven=True)

    assert ("payer", 0) == (refusal.value.field, table.costs.count())
    assert share("beto", 100, "ana", by=beto).counts


def test_a_cost_taken_back_keeps_its_row_and_its_key_but_does_not_count(table, owner, play, share):
    play("ana", "beto", "caro", "dani")
    before = load_balances(table), debt_texts(table)
    cost = share("beto", 10001, "ana", "beto", "caro")
    on_another_phone = SharedCost.objects.get(pk=cost.pk)
    expenses.void(cost, by=owner, reason="pagó la casa")
    again = expenses.void(on_another_phone, by=make_user("otto"), reason="otra vez")

    assert before == (load_balances(table), debt_texts(table))
    assert (owner, "pagó la casa") == (again.ended_by, again.reason)
    assert [] == audit.check_table(table).differences
    with pytest.raises(AlreadyVoided):
        share("beto", 10001, "ana", "beto", "caro", key=cost.key)


def test_a_reason_is_needed_unless_who_recorded_the_cost_takes_it_back_the_same_night(table, owner, pizza):
    other, at_six = make_user("otto"), days.night_bounds(days.night_for(pizza.recorded_at, table), table)[1]
    for by, at in [(other, pizza.recorded_at), (owner, at_six)]:
        with pytest.raises(RuleError, match="Say why") as refusal:
            expenses.void(pizza, by=by, at=at, reason=" ")
        assert "reason" == refusal.value.field

    assert not expenses.void(pizza, by=owner, at=at_six - timedelta(microseconds=1)).counts


@pytest.mark.parametrize(
    ("borne", "wrong"),
    [({"eva": 10001}, "speaks of a member of another table"), ({"ana": 10000}, "is not borne as a whole")],
)
def test_the_audit_reports_a_cost_of_nobody_here_or_borne_in_part(table, pizza, borne, wrong):
    SharedCost.objects.update(borne=borne)

    assert [wrong in str(difference) for difference in audit.check_table(table).differences][:1] == [True]
