"""Examples for the OpenAPI schema.

The answers are computed from complete games when the schema is generated, so they always match the code.
"""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample

from games.scoring.replay import replay
from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.report import full_summary
from games.scoring.text.script import play_script, read_script
from games.shown.common.sentences import translate

# Four players with a stake of 100 each; each re-entry costs more than the one before. Beto goes bust (exceeds
# the highest allowed total) and re-enters.
A_GAME = """\
game loba_menos stake=100 reentry_price=linear reentries=unlimited
players ana beto caro="Carolina" dani
round caro out ana=23 beto=47 dani=12
round ana in_one_go beto=[K K 10 8] caro=21 dani=9
round dani out ana=8 beto=29 caro=16
reenter beto
"""
_LOG = play_script(read_script(A_GAME)).log

GAME_EXAMPLES = [
    OpenApiExample("a game as text", value={"game": A_GAME}, request_only=True),
    OpenApiExample(
        "the same game as events",
        value={"events": [{"kind": kind_of(event), "data": to_data(event)} for event in _LOG]},
        request_only=True,
    ),
    OpenApiExample(
        "how it stands",
        value=full_summary(replay(_LOG), translate),
        response_only=True,
    ),
]
HOUSE_EXAMPLE = OpenApiExample(
    "a stake and a ladder",
    value={"variant": "loba_menos", "options": {"stake": 100, "reentry_price": "linear"}},
    request_only=True,
)
HAND_EXAMPLE = OpenApiExample(
    "seven cards of Chinchón",
    value={"variant": "chinchon", "hand": "[1o 2o 3o 7c 7e 7b 12o]"},
    request_only=True,
)
EVENTS_EXAMPLES = [
    OpenApiExample(
        "the first round of that game",
        value={"after": 1, "events": [{"kind": kind_of(_LOG[1]), "data": to_data(_LOG[1])}]},
        request_only=True,
    ),
    OpenApiExample(
        "a round that was wrong, corrected",
        value={
            "after": 2,
            "events": [
                {
                    "kind": "corrected",
                    "data": {"number": 2, "kind": kind_of(_LOG[1]), "event": to_data(_LOG[1])},
                }
            ],
            "at": "2026-11-20T23:15:00-03:00",
        },
        request_only=True,
    ),
]
HANDS_EXAMPLE = OpenApiExample(
    "Beto sent his hand, and nobody has closed the round",
    value={
        "after": 1,
        "round": 1,
        "player": "beto",
        "own": {
            "id": 7,
            "player": "beto",
            "hand": "[K K 10 8]",
            "closing": "",
            "at": "2026-11-20T23:15:00-03:00",
        },
        "sent": ["beto"],
        "hands": [],
        "closer": None,
        "disputed": [],
    },
    response_only=True,
)
SETTLEMENT_EXAMPLE = OpenApiExample(
    "Ana won the pot of two stakes",
    value={
        "code": "abcdefghjkm",
        **{"unit": "$", "decimals": 0, "over": "stopped", "winners": ["ana"], "pot": 0},
        "transfers": [{"from": "beto", "to": "ana", "amount": 100}],
        "pairwise": {},
        "nets": {"ana": 100, "beto": -100},
        "places": {"ana": 1, "beto": 2},
        "causes": [
            {"from": "ana", "to": "(pot)", "amount": 100, "cause": "stake", "number": 1, "count": 0},
            {"from": "beto", "to": "(pot)", "amount": 100, "cause": "stake", "number": 1, "count": 0},
            {"from": "(pot)", "to": "ana", "amount": 200, "cause": "pot", "number": 3, "count": 0},
        ],
    },
    response_only=True,
)
GAME_WANTED_EXAMPLE = OpenApiExample(
    "Loba for a hundred, with somebody new",
    value={
        "variant": "loba_menos",
        "options": {"stake": 100},
        "players": [{"name": "Ana"}, {"name": "Beto"}, {"name": "Caro"}],
        "dealer": 2,
    },
    request_only=True,
)
TABLE_EXAMPLE = OpenApiExample(
    "a table that plays for pesos",
    value={"name": "Los jueves", "unit": "$", "timezone": "America/Argentina/Buenos_Aires"},
    request_only=True,
)
