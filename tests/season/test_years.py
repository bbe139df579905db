"""A year of a table: its flow of money, compared with a plain calculation, its nights, and its summary."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction

import pytest
from django.utils.timezone import now

from games.models import Result
from games.money.balances import People
from games.nights import night_of
from games.season.years import year_of, years_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]


def members_year(table, member=None):
    """Return the year of all members or of one."""
    people = People.of(table)
    return year_of(table, people, night_of(now(), table).year, member and people.by_slug[member])


def test_each_members_flows_of_money_add_up_to_their_net_result(table, play):
    play("ana", "beto", "caro", "dani", days=9)
    play("beto", "ana", "caro", stake=300, days=8)
    play("ana", "beto", "dani", days=7)
    year_found = members_year(table)
    moved: Counter[str] = Counter()
    for flow in year_found.flows:
        moved[flow.giver.slug] -= flow.amount
        moved[flow.taker.slug] += flow.amount

    assert {share.member.slug: share.net for share in year_found.shares if share.net} == {
        slug: amount for slug, amount in moved.items() if amount
    }
    assert all(flow.amount > 0 for flow in year_found.flows)


def test_opposite_flows_between_two_members_are_netted(table, play):
    play("ana", "beto", stake=500, days=2)
    play("beto", "ana", stake=200, days=1)

    assert [("beto", "ana", 300)] == [
        (flow.giver.slug, flow.taker.slug, flow.amount) for flow in members_year(table).flows
    ]


def test_a_loser_pays_several_winners_in_proportion_to_their_wins(table, play):
    game = play("ana", "beto", "caro", stake=100)
    Result.objects.filter(game=game, member__slug="ana").update(net=150)
    Result.objects.filter(game=game, member__slug="beto").update(net=50)
    Result.objects.filter(game=game, member__slug="caro").update(net=-200)

    assert {("caro", "ana"): Fraction(150), ("caro", "beto"): Fraction(50)} == {
        (flow.giver.slug, flow.taker.slug): flow.amount for flow in members_year(table).flows
    }


def test_the_money_moved_is_the_sum_of_each_games_wins_without_netting(table, play):
    play("ana", "beto", stake=500, days=2)
    play("beto", "ana", stake=500, days=1)

    assert [0, 0] == [share.net for share in members_year(table).shares]
    assert 1000 == members_year(table).moved


def test_the_nights_the_games_and_the_biggest_pot_are_only_those_of_the_year(table, play):
    play("ana", "beto", stake=9000, days=400)
    play("ana", "beto", days=2)
    dearest = play("beto", "ana", "caro", stake=400, days=2)
    play("ana", "beto", days=1)
    year_found = members_year(table)

    assert {date(2026, 11, 17): 2, date(2026, 11, 18): 1} == year_found.nights
    assert (3, dearest) == (year_found.games, year_found.dearest)
    assert range(2025, 2027) == years_of(table, People.of(table))


def test_a_members_year_has_only_their_games_and_their_flows_of_money(table, play):
    play("ana", "beto", days=2)
    play("beto", "caro", days=1)
    year_found = members_year(table, "ana")

    assert ({date(2026, 11, 17): 1}, 1) == (year_found.nights, year_found.games)
    assert [("beto", "ana", 100)] == [
        (flow.giver.slug, flow.taker.slug, flow.amount) for flow in year_found.flows
    ]
    assert ["ana"] == [share.member.slug for share in year_found.shares]
