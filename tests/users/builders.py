"""Build a game event by event, without writing a line of text.

It prints:
    {'Ana': 5, 'Daniela': 7, 'Beto': 37, 'Caro': 42}
    {'Ana': 5, 'Daniela': 80, 'Beto': 40, 'Caro': 110}
    ['round nobody stock_out ana=1 beto=2 caro=3 dani=4', 'stop split_pot'] {'ana': 13, 'dani': 12, 'beto': 12, 'caro': -37}
    The game is over.
"""

from __future__ import annotations

from anotador import Card, Event, Game, RuleError, Stop
from anotador.entries import adjust, closed, correct, game, join, nobody, reenter, stop, strike

night = Game.begin("loba_menos", {"ana": "Ana", "beto": "Beto", "caro": "Caro"}, late_entry="on", stake=50)
night = night.add(
    closed("ana", {"beto": "K 7", "caro": 12}),
    join("dani", "Daniela", after="ana"),
    closed("dani", {"ana": 5, "beto": [Card("K"), Card("*")], "caro": 20}, how="in_one_go"),
    adjust("caro", 10, "late again"),
)
print({player.name: player.total for player in night.state.players})

changes: tuple[Event, ...] = (strike(5), correct(2, closed("ana", {"beto": "K 7 3", "caro": 90})))
night = night.add(*changes)
print({player.name: player.total for player in night.state.players})

night = night.add(
    reenter("caro"), correct(1, game("loba_menos", late_entry="on", stake=50, stock_end="end_round"))
)
night = night.add(nobody({"ana": 1, "beto": 2, "caro": 3, "dani": 4}, how="stock_out"), stop(Stop.SPLIT_POT))
print(night.text().splitlines()[-2:], dict(night.nets()))

try:
    night.add(closed("ana", {"beto": 1}))
except RuleError as error:
    print(error)
