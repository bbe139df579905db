"""The house rules in one line, at the end of every text to send.

`browser/test_sending.py` has the share sheet and the picture.
"""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.models import Table
from games.money.presenters import sharing
from games.scoring.events import GameStarted, Player
from games.scoring.replay import replay

TABLE = Table(unit="$", decimals=0)


@pytest.mark.parametrize(
    ("variant", "options", "line"),
    [
        ("loba_menos", {"settlement": "none"}, "Limit 101 · Money: points only"),
        (
            "loba_menos",
            {"stake": 500, "reentry_fee": 200, "joker": 25},
            "Limit 101 · stake $500 · Joker: 25 · Re-entry fee: $200",
        ),
        ("loba_mas", {"point_value": 10}, "Ends at 150 · $10 a point"),
        (
            "loba_mas",
            {"target": 200, "settlement": "pot_and_pairs", "stake": 50, "point_value": 3},
            "Ends at 200 · stake $50 · $3 a point · Money: a pot, and the difference pair by pair",
        ),
        ("loba_ca", {}, "Contracts: six, up to a trio and two runs"),
        (
            "carioca_ar",
            {"settlement": "to_winner", "point_value": 5, "buy_points": 10},
            "Contracts: seven, up to three runs · $5 a point · Each bought card: 10 · Money: everyone pays their points to the winner",
        ),
        ("chinchon", {}, "Limit 101 · stake $10 · $1 for a cut · $10 for a chinchón"),
        (
            "chinchon",
            {"cut_prize": 0, "chinchon_prize": 3, "cut_max": 5},
            "Limit 101 · stake $10 · $30 for a chinchón · Cut with at most: 5",
        ),
        ("chinchon", {"chinchon": -50}, "Limit 101 · stake $10 · $1 for a cut · A chinchón: \u221250"),
    ],
)
def test_the_house_rules_in_one_line_name_limit_stakes_and_unusual_options(variant, options, line):
    players = (Player("ana", "Ana"), Player("beto", "Beto"))
    state = replay((GameStarted(variant, tuple(options.items()), players),))
    with override("en"):
        assert line == sharing.rules_summary(state, TABLE).replace("\u00a0", " ")
