"""Follow a night: who is in, who deals, what is doubtful, and who pays whom at the end.

It prints:
    Round 1: {'ana': 0, 'beto': 40, 'caro': 11}; beto deals next
    Round 2: {'ana': 0, 'beto': 0, 'caro': 90}; caro may come back
       ana has 0 points but did not go out.
    Round 3: {'ana': 0, 'beto': 70, 'caro': 61}; over
    ana won; places: {'ana': 1, 'beto': 3, 'caro': 2}
    caro pays ana 30
    beto pays ana 5
"""

from __future__ import annotations

from collections import Counter

from anotador import Game, GameState, Reason, RoundResult, Seat, settle

LINES = (
    "round ana out beto=40 caro=11",
    "round beto out ana=0 caro=90",
    "reenter caro",
    "round ana out beto=70 caro=61",
)


def round_line(state: GameState, played: RoundResult) -> str:
    """Return the line that a display shows after a round."""
    pending_names = [player.name for player in state.players if player.seat is Seat.PENDING]
    follows = (
        f"{' and '.join(pending_names)} may come back" if pending_names else f"{state.dealer} deals next"
    )
    return f"Round {len(state.rounds)}: {dict(played.points)}; {'over' if state.is_over else follows}"


game = Game.begin("loba_menos", ["ana", "beto", "caro"], stake=10)
for line in LINES:
    rounds, game = len(game.state.rounds), game.play(line)
    for played in game.state.rounds[rounds:]:
        print(round_line(game.state, played))
        for doubt in played.doubts:
            print("  ", doubt.text)

outcome = game.state.outcome
assert outcome is not None
assert outcome.reason is Reason.LAST_IN
print(*outcome.winners, "won; places:", dict(game.places()))

night = Counter(game.nets())
night.update({"ana": 5, "beto": 5, "caro": -10})  # another game
for transfer in settle(night).transfers:
    print(transfer.payer, "pays", transfer.payee, transfer.amount)
