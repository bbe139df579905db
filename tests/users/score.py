"""Count hands, a contract and debts, without a game.

It prints:
    27
    14 left beside 10c 10e *
    4S * 6S 7S · 9C 9D 9H
    10 points kept
    beto pays ana 500
    caro pays ana 200
    The pack has no 8o.
"""

from __future__ import annotations

from anotador import Bajada, Leftover, RuleError, Settlement, lay_down, least_leftover, score_hand, settle

points: int = score_hand("loba_menos", "[K 7 *]", ace=15)
print(points)

best: Leftover = least_leftover("chinchon", "[4o 5o * 10c 10e 2b 3b]", pack=50, wilds="jokers")
print(best.points, "left beside", *best.groups)

laid = lay_down("carioca_cl", "1E1T", "[4S * 6S 7S 9H 9D 9C K]")
if isinstance(laid, Bajada):
    print(*(" ".join(map(str, meld)) for meld in laid.games), sep=" · ")
    print(laid.left, "points kept")
else:
    print("missing:", laid.lacking.sets, "sets")

settlement: Settlement = settle({"ana": 700, "beto": -500, "caro": -200})
for transfer in settlement.transfers:
    print(transfer.payer, "pays", transfer.payee, transfer.amount)

try:
    score_hand("chinchon", "[1o 2o 8o]", pack=40)
except RuleError as error:
    print(error)
