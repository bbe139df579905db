"""Goal P10: decode and replay the stored events of games of five players and forty rounds, with every rule.

Every round of the timing has games of its own.

The goal counts actions of people: a hand shown, a round closed, a re-entry answered. A stored event is a
whole round with all its hands, so both rates are printed. An action of pokerkit and a move of python-chess
are one action each.

    python -m tests.benchmarks.replay        # the other libraries need the extra `bench`
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from statistics import mean
from typing import Any

from games.scoring.events import Event, GameStarted, Player, PlayerReentered, PlayEvent, RoundPlayed
from games.scoring.replay import apply, replay
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.state import GameState
from games.scoring.text.codec import from_data, kind_of, to_data
from games.scoring.variants import find_variant
from tests.benchmarks.goals import say
from tests.benchmarks.measure import Contestant, compare
from tests.scoring.hands import PACK

IDS = ("ana", "beto", "caro", "dani", "eva")
ROUNDS = 40
GAMES = 88
MILLISECONDS, A_SECOND = 5.0, 40_000

Stored = tuple[str, dict[str, Any]]

POKER = """
variant = "NT"
antes = [0, 0, 0, 0, 0, 0]
blinds_or_straddles = [1, 2, 0, 0, 0, 0]
min_bet = 2
starting_stacks = [200, 200, 200, 200, 200, 200]
actions = [
  "d dh p1 Ah7d", "d dh p2 KsQs", "d dh p3 2c2d", "d dh p4 3c3d", "d dh p5 4c4d", "d dh p6 5c5d",
  "p3 cbr 6", "p4 cc", "p5 cc", "p6 cc", "p1 cc", "p2 cc", "d db 7c8d9h", "p1 cc", "p2 cc", "p3 cbr 8", "p4 cc",
  "p5 cc", "p6 cc", "p1 cc", "p2 f", "d db Ts", "p1 cc", "p3 cc", "p4 cc", "p5 cc", "p6 cc", "d db 3s", "p1 cbr 20",
  "p3 cc", "p4 f", "p5 f", "p6 f", "p1 sm Ah7d", "p3 sm 2c2d",
]
"""


def a_game(chance: random.Random) -> list[Event]:
    """Return a log of forty rounds of Loba de Menos, all hands as cards; every bust player re-enters."""
    house = find_variant("loba_menos").house({"reentries": "unlimited", "in_one_go": -50})
    log: list[Event] = [
        GameStarted("loba_menos", house.options, tuple(Player(player, player) for player in IDS))
    ]
    state = replay(log)
    while len(state.rounds) < ROUNDS or state.pending:
        event = PlayerReentered(state.pending[0].id) if state.pending else a_round(chance)
        after = apply(state, len(log) + 1, event)
        if not after.is_over:
            state = after
            log.append(event)
    return log


def a_round(chance: random.Random) -> PlayEvent:
    """Return a round in which one player goes out and the others hold one to four cards."""
    pack = chance.sample(PACK, len(PACK))
    closer = chance.choice(IDS)
    hands = tuple(
        (player, Hand(held=tuple(pack.pop() for _card in range(chance.randint(1, 4)))))
        for player in IDS
        if player != closer
    )
    return RoundPlayed(RoundEntry(closer, "in_one_go" if chance.random() < 0.8 else "out", hands))


def things_done(log: list[Event]) -> int:
    """Return the number of actions in this game: hands shown, rounds closed, and each other event."""
    return sum(1 + len(event.entry.hands) if isinstance(event, RoundPlayed) else 1 for event in log)


def play(stored: list[Stored]) -> GameState:
    """Return the game's state after decoding and replaying its stored events."""
    return replay(tuple(from_data(kind, data) for kind, data in stored))


def poker() -> tuple[Callable[[str], object], list[str], int] | None:
    """Return a function that replays a hand with pokerkit, its inputs, and the number of actions.

    Return None if pokerkit is not installed.
    """
    if find_spec("pokerkit") is None:
        return None
    history: Any = import_module("pokerkit").HandHistory
    return lambda text: sum(1 for _state in history.loads(text)), [POKER], len(history.loads(POKER).actions)


def chess() -> tuple[Callable[[list[str]], object], list[list[str]], int] | None:
    """Return a function that plays random moves with python-chess, its inputs, and the number of moves.

    Return None if python-chess is not installed.
    """
    if find_spec("chess") is None:
        return None
    board: Any = import_module("chess").Board
    chance, here = random.Random(64), board()
    moves: list[str] = []
    while len(moves) < 80:
        move = chance.choice(list(here.legal_moves))
        moves.append(move.uci())
        here.push(move)

    def push(game: list[str]) -> None:
        on = board()
        for move in game:
            on.push_uci(move)

    return push, [moves], len(moves)


def main() -> None:
    """Time the game, alone and against each library that is installed."""
    logs = [a_game(random.Random(seed)) for seed in range(GAMES)]
    games: list[list[Stored]] = [
        [(kind_of(event), json.loads(json.dumps(to_data(event)))) for event in log] for log in logs
    ]
    done, events = mean(map(things_done, logs)), mean(map(len, logs))
    alone, beside = games[: GAMES // 2], games[GAMES // 2 :]
    seconds = 1 / Contestant("ours", play, alone).rate()
    assert [replay(log) for log in logs[:3]] == list(map(play, games[:3]))
    ours = Contestant("ours", play, beside)
    print(f"      {ROUNDS} rounds, {len(IDS)} players: {events:.0f} stored events, {done:.0f} things done")
    say(f"P10 the game ≤ {MILLISECONDS} ms", f"{seconds * 1e3:.2f} ms", met=seconds * 1e3 <= MILLISECONDS)
    say(
        f"P10 things done ≥ {A_SECOND:,}/s",
        f"{done / seconds:,.0f}/s ({events / seconds:,.0f} stored events/s)",
        met=done / seconds >= A_SECOND,
    )
    for name, peer, wanted in (("pokerkit", poker(), 2.5), ("python-chess push_uci", chess(), 0.4)):
        if peer is None:
            print(f"      {name} is not installed: pip install -e '.[bench]'")
            continue
        run, same, count = peer
        comparison = compare(ours, Contestant(name, run, same * GAMES))  # these libraries keep no answers
        ratio = comparison.ratio * done / count
        by_event = comparison.ratio * events / count
        say(
            f"P10 ≥ {wanted} × {name}",
            f"{ratio:.2f} × by things done, {by_event:.2f} × by stored events; {name} {comparison.peer_rate * count:,.0f}/s",
            met=ratio >= wanted,
        )


if __name__ == "__main__":
    main()
