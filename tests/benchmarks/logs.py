"""Logs of long games for timing: Loba de Menos, all hands as cards, and every bust player re-enters."""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.scoring.events import Event, GameStarted, Player, PlayerReentered, PlayEvent, RoundPlayed
from games.scoring.replay import apply, replay
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.variants import find_variant
from tests.scoring.hands import PACK

IDS = ("ana", "beto", "caro", "dani", "eva")


def a_game(seed: int, rounds: int) -> list[Event]:
    """Return the log of a game of five players with this many rounds."""
    house = find_variant("loba_menos").house({"reentries": "unlimited", "in_one_go": -50})
    start = GameStarted("loba_menos", house.options, tuple(Player(player, player) for player in IDS))
    return [start, *events_after([start], seed, rounds)]


def events_after(log: Sequence[Event], seed: int, rounds: int) -> list[Event]:
    """Return the events of this many rounds after the start of a game of those five players."""
    chance = random.Random(seed)
    state, events = replay(log), list[Event]()
    while len(state.rounds) < rounds or state.pending:
        event = PlayerReentered(state.pending[0].id) if state.pending else _a_round(chance)
        after = apply(state, len(log) + len(events) + 1, event)
        if not after.is_over:
            state = after
            events.append(event)
    return events


def _a_round(chance: random.Random) -> PlayEvent:
    """Return a round in which one player goes out and the others hold one to four cards."""
    pack = chance.sample(PACK, len(PACK))
    closer = chance.choice(IDS)
    hands = tuple(
        (player, Hand(held=tuple(pack.pop() for _card in range(chance.randint(1, 4)))))
        for player in IDS
        if player != closer
    )
    return RoundPlayed(RoundEntry(closer, "in_one_go" if chance.random() < 0.8 else "out", hands))
