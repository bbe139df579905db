"""The figures of a game for its season: the pot, the length, and each player's achievements."""

from __future__ import annotations

from games.scoring.figures import closed_in_one_go, pot_won, rounds_to_win, survived
from tests.scoring.written import state_of

LADDER = state_of("""\
game loba_menos stake=100 reentry_price=linear reentries=unlimited
players ana beto caro dani
round ana in_one_go beto=101 caro=50 dani=1
reenter beto
round ana out beto=60 caro=20 dani=1
reenter beto
round dani in_one_go ana=1 beto=5 caro=20
round dani in_one_go ana=1 beto=9 caro=4
round ana out beto=5 caro=2 dani=200
reenter dani
round ana out beto=101 caro=101 dani=101
""")


def test_the_pot_won_includes_all_re_entries():
    # Four stakes of 100, Beto's first and second re-entry, Dani's first.
    assert 4 * 100 + 100 + 200 + 100 == pot_won(LADDER)


def test_a_running_game_has_neither_pot_nor_length():
    running = state_of("game loba_menos stake=100\nplayers ana beto\nround ana out beto=9")

    assert (0, None) == (pot_won(running), rounds_to_win(running))


def test_a_refunded_pot_does_not_count():
    refunded = state_of("game loba_menos stake=100\nplayers ana beto\nround ana out beto=9\nstop refund")

    assert (0, None) == (pot_won(refunded), rounds_to_win(refunded))


def test_the_length_of_a_game_is_its_number_of_rounds():
    assert 6 == rounds_to_win(LADDER)


def test_a_game_that_was_not_won_by_a_round_has_no_length():
    stopped = state_of("game loba_menos\nplayers ana beto\nround ana out beto=9\nstop lowest_wins")
    left = state_of("game loba_menos\nplayers ana beto\nround ana out beto=9\nleave beto")
    penalty = state_of('game loba_menos\nplayers ana beto\nround ana out beto=9\nadjust beto=+100 "late"')

    assert [None, None, None] == [rounds_to_win(state) for state in (stopped, left, penalty)]


def test_games_with_a_fixed_number_of_rounds_have_no_length():
    contracts = state_of("game carioca_ar\nplayers ana beto\n" + "\n".join(["round ana out beto=9"] * 7))

    assert contracts.is_over
    assert None is rounds_to_win(contracts)


def test_rounds_closed_in_one_go_are_counted_by_player():
    assert {"ana": 1, "dani": 2} == dict(closed_in_one_go(LADDER))


def survivals(text: str) -> dict[str, int]:
    """Return, by player, the longest series of rounds survived close to being bust, without players who
    have none.
    """
    return {player: rounds for player, rounds in survived(state_of(text)).items() if rounds}


def test_survival_counts_from_ten_points_below_the_limit():
    text = "game loba_menos out_at=101\nplayers ana beto caro\nround ana out beto=91 caro=90\n"

    assert {"beto": 1} == survivals(text + "round ana out beto=9 caro=1")


def test_a_round_that_makes_a_player_bust_is_not_survived():
    text = "game loba_menos\nplayers ana beto caro\nround ana out beto=95 caro=95\n"

    assert {"caro": 1} == survivals(text + "round ana out beto=6 caro=5")


def test_the_longest_series_of_survived_rounds_counts():
    text = (
        "game loba_menos reentries=unlimited\nplayers ana beto caro\nround ana out beto=91 caro=50\n"
        "round ana out beto=1 caro=1\nround beto out ana=1 caro=1\nround beto out ana=1 caro=1\n"
        "round ana out beto=20 caro=41\nreenter beto\nround beto out ana=1 caro=1\n"
    )
    # Beto holds 91, 92, 92, 92, is bust with 112, comes back at 94 with Caro, and survives once more.
    assert {"beto": 3, "caro": 1} == survivals(text)


def test_a_total_that_falls_below_the_threshold_ends_the_series():
    text = (
        "game loba_menos in_one_go=-10\nplayers ana beto\nround ana out beto=95\nround beto in_one_go ana=1\n"
        "round ana out beto=9\nround ana out beto=1\n"
    )
    # 95, 85, 94, 95: the round that Beto closed counts, the one begun at 85 does not.
    assert {"beto": 1} == survivals(text)


def test_a_penalty_that_makes_a_player_bust_ends_the_series():
    text = (
        "game loba_menos\nplayers ana beto caro\nround ana out beto=92 caro=93\nround ana out beto=1 caro=1\n"
        'adjust beto=+20 "talk"\nreenter beto\nround ana out beto=1 caro=1\n'
    )
    assert {"beto": 1, "caro": 2} == survivals(text)


def test_the_survival_threshold_depends_on_the_limit():
    text = "game loba_menos out_at=151\nplayers ana beto caro\nround ana out beto=140 caro=141\n"

    assert {"caro": 1} == survivals(text + "round ana out beto=1 caro=1")


def test_a_game_without_a_limit_counts_no_survival():
    assert {} == survivals("game loba_mas\nplayers ana beto\nround ana out ana=95 beto=95")
