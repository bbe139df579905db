"""The rounds of Chinchón that take longest to solve, for tests and for the benchmark of a request's cost."""

from __future__ import annotations

from itertools import cycle, permutations

from games.scoring.events import Event, GameStarted, Player, PlayerReentered
from games.scoring.replay import apply, replay
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_event

HARD = (
    "p0 cut p0=[5b 5b 6b 6b 7b 4e 8b] p1=[8b 9b 9e 10b 10b 11b 9o] p2=[* * 12b * 2c 2c 1o] p3=[10c 4c 4c 5c 6e 6c 12o] p4=[3c 7c 8c 3b 9c 9c 10c] p5=[8e 5c 11c 9b 12c 1e 1e] p6=[2e 2e 3e 3e 7b 4e 5e] p7=[5e 6e 11c 7e 7e * 8e]",
    "p0 cut p0=[* * 5b 7e 8e 6o 6e] p1=[11e 8b 8b 8e 8o 8c 3c] p2=[2b 6c 9c 4e 5e 12c 10o] p3=[9e 9c 9o 9b 9e 9o 1o] p4=[3o 4b 10o 6b 10c 11b 8o] p5=[11b * 5o 11e 11c 11c 11o] p6=[12c 12b 6c 1e 12e 12o 8c] p7=[5o 10e 10b 12o * 11o 4o]",
)  # rounds with two packs and jokers; a search found that these take longest to solve
CONGA = (("pack", 50), ("packs", 2), ("wilds", "jokers"), ("out_at", 500), ("settlement", "none"))
EIGHT = tuple(Player(f"p{number}", f"P{number}") for number in range(8))


def hard_rounds(count: int) -> list[Event]:
    """Return the log of `count` rounds whose hands are slow to solve. Every bust player re-enters."""
    log: list[Event] = [GameStarted("chinchon", CONGA, EIGHT)]
    state = replay(log)
    suits = (str.maketrans("oceb", "".join(other)) for other in permutations("oceb"))
    # In other suits the same rounds are as slow, and no cached result helps with the next one.
    rounds = cycle(
        f"round p0 cut {text.removeprefix('p0 cut ').translate(other)}" for other in suits for text in HARD
    )
    while len(state.rounds) < count:
        event: Event
        if state.pending:
            event = PlayerReentered(state.pending[0].id)
        else:
            (event,) = parse_line(next(rounds))
        state = apply(state, len(log) + 1, event)  # type: ignore[arg-type]
        log.append(event)
    return log


def game_text(log: list[Event]) -> str:
    options = " ".join(f"{name}={value}" for name, value in CONGA)
    people = " ".join(player.id for player in EIGHT)
    return "\n".join([f"game chinchon {options}", f"players {people}", *map(write_event, log[1:])]) + "\n"
