"""Examples of places and payments (RULES 1.3); the laws are in test_laws.py and test_settlement.py."""

from __future__ import annotations

from games.scoring.ledger import pairwise, places
from games.scoring.money import Cause, movements
from tests.scoring.written import state_of


def test_each_pair_settles_the_difference_of_its_totals():
    state = state_of(
        """\
game carioca_ar settlement=pairs point_value=2
players ana beto caro
round ana out beto=45 caro=17
stop lowest_wins
"""
    )
    assert {
        **{("ana", "beto"): 90, ("beto", "ana"): -90},
        **{("ana", "caro"): 34, ("caro", "ana"): -34},
        **{("caro", "beto"): 56, ("beto", "caro"): -56},
    } == pairwise(movements(state))


ENDED = """\
game loba_menos reentries=0 late_entry=on
players a b c d e
round a out b=40 c=101 d=101 e=50
leave b
join f
round a out e=51 f=1
round a out f=50
"""


def test_places_go_to_winners_then_to_later_bust_players_then_to_leavers():
    # a wins; f was bust last, e before f, c and d first and together; b left
    expected = {"a": 1, "f": 2, "e": 3, "c": 4, "d": 4, "b": 6}
    assert expected == places(state_of(ENDED))


def test_places_of_a_running_game_follow_the_totals():
    state = state_of("game loba_menos\nplayers a b c d\nround b out a=5 c=5 d=101\n")
    assert {"b": 1, "a": 2, "c": 2, "d": 4} == places(state)


def test_players_bust_in_the_same_round_are_placed_by_total():
    state = state_of("game loba_menos\nplayers a b c\nround a out b=120 c=101\n")
    assert {"a": 1, "c": 2, "b": 3} == places(state)


def test_places_of_bust_players_follow_playing_order_after_an_insertion():
    text = """\
game loba_menos reentries=0
players a b c d
round a out b=50 c=50 d=101
round a out b=50 c=51
before 2 round a out b=1 c=0 d=1
"""
    assert {"a": 1, "c": 2, "b": 2, "d": 4} == places(state_of(text))


def test_joint_winners_share_the_first_place():
    state = state_of("game loba_menos\nplayers a b c\nround a out b=0 c=7\nstop lowest_wins\n")
    assert {"a": 1, "b": 1, "c": 3} == places(state)


def test_every_movement_names_the_event_that_caused_it():
    state = state_of("""\
game loba_menos stake=5 reentry_price=linear
players a b c
round a out b=1 c=101
reenter c
round a out b=1 c=100
reenter c
stop lowest_wins
""")
    assert [
        ("a", 5, Cause.STAKE, 1, 0),
        ("b", 5, Cause.STAKE, 1, 0),
        ("c", 5, Cause.STAKE, 1, 0),
        ("c", 5, Cause.REENTRY, 3, 1),
        ("c", 10, Cause.REENTRY, 5, 2),
        ("(pot)", 30, Cause.POT, 6, 0),
    ] == [(m.payer, m.amount, m.cause, m.number, m.count) for m in movements(state)]
