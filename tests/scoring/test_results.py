"""The results of a game beside the scores of the golden games: places, movements, figures of a season,
refusals.

The games and their results are in `data/results.txt`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from games.scoring.errors import RuleError
from games.scoring.game_statistics import longest_survival, pot_won, rounds_in_one_go, rounds_to_win
from games.scoring.ledger import pair_nets, places
from games.scoring.money import movements
from games.scoring.rematch import rematch_deal
from games.scoring.replay import replay_until_refused
from games.scoring.state import GameState
from games.scoring.text.game_file import parse_game_file
from tests.scoring.example_files import examples


def pairs_text(numbers: Mapping[str, object]) -> str:
    return " ".join(f"{player}={number}" for player, number in numbers.items())


def movements_text(state: GameState) -> str:
    """Return each movement with its cause, and the event and the re-entry that it is for."""
    return ", ".join(
        f"{movement.payer}>{movement.payee}={movement.amount} {movement.cause} {movement.number} {movement.count}"
        for movement in movements(state)
    )


READINGS: Mapping[str, Callable[[GameState], str]] = {
    "places": lambda state: pairs_text(places(state)),
    "movements": movements_text,
    "pairwise": lambda state: pairs_text(
        {f"{a}<{b}": net for (a, b), net in pair_nets(movements(state)).items()}
    ),
    "pot won": lambda state: str(pot_won(state)),
    "rounds to win": lambda state: str(rounds_to_win(state)),
    "in one go": lambda state: pairs_text(rounds_in_one_go(state)),
    "survived": lambda state: pairs_text(
        {player: times for player, times in longest_survival(state).items() if times}
    ),
    "rounds": lambda state: " | ".join(
        f"{result.dealer}: {pairs_text(result.points)}" for result in state.rounds
    ),
    "steps": lambda state: " | ".join(pairs_text(step.moved) for step in state.steps),
    "last totals": lambda state: pairs_text(state.steps[-1].totals),
    "seats of beto": lambda state: " ".join(step.seats["beto"] for step in state.steps),
    "disagreements": lambda state: ", ".join(
        f"{result.number} {result.player}={result.agreed}, counted {result.counted}"
        for result in state.disagreements
    ),
    "doubts": lambda state: " | ".join(
        f"{doubt.player}: {doubt.text}" for played in state.rounds for doubt in played.doubts
    ),
    "rematch": lambda state: " ".join(rematch_deal(state)),
    "printed": lambda state: f"{state!r} {state.rounds[0]!r}",
}


def refusal_text(refusal: RuleError) -> str:
    where = (str(refusal.number), refusal.code, refusal.field, refusal.player)
    return f"{' '.join(filter(None, where))}: {refusal}"


@pytest.mark.parametrize("example", examples("results.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_game_has_the_results_of_the_example(example):
    game, *expected = example.partition("\n")[2].rstrip().split("\n= ")
    log = [event for line in parse_game_file(game) for event in line.events]
    state, refusal = replay_until_refused(log)
    for line in expected:
        reading, _colon, result = line.partition(":")
        if reading == "refused":
            assert refusal is not None
            assert result.strip() == refusal_text(refusal)
        else:
            assert state is not None
            assert (line, refusal) == (f"{reading}: {READINGS[reading](state)}".strip(), None)
