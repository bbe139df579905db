"""The lines that refused corrections say to write, obeyed until the right game is accepted."""

from __future__ import annotations

import re

import pytest

from games.scoring import Game
from games.scoring.errors import RuleError

CHINCHON = """game chinchon packs=2 stake=1000
players a b c d
round a cut a=1 b=10 c=101 d=20
{answer}round b cut a=10 b=2 d=30
round a cut a=3 b=20 d=12
"""
SAID, SILENT = CHINCHON.format(answer="stay_out c\n"), CHINCHON.format(answer="")
RIGHT = """game chinchon packs=2 stake=1000
players a b c d
round a cut a=1 b=10 c=101 d=20
reenter c
round b cut a=10 b=2 c=7 d=30
round a cut a=3 b=20 c=7 d=12
"""
CLOSED_BUST = "game loba_menos reentries=0\nplayers a b c\nround a out b=90 c=3\nround b out a=5 c=9\n"
LOBA = """game loba_menos late_entry=on
players a b c d
round a out b=5 c=6 d=7
round b out a=5 c=6 d=7
leave d
round c out a=5 b=6
replace b by f
round a out c=6 f=8
"""


def refusal_of(game: Game, line: str) -> str:
    with pytest.raises(RuleError) as refused:
        game.play(line)
    return str(refused.value)


def obey(game: Game, line: str, **filled: str) -> Game:
    """Play the line with what its refusals say to write, until it is accepted."""
    for _time in range(9):
        try:
            return game.play(line)
        except RuleError as refusal:
            advised = re.split(r"(?:[Ww]rite|Write on the same line): ", str(refusal))[1].split(", or: ")[0]
            for word, value in {"a=HAND": "a=0", "HAND": "7", "HOW": "out", "CLOSER": "a", **filled}.items():
                advised = advised.replace(word, value)
            line = advised if line in advised or "reenter" in line.split()[0] else f"{line} ; {advised}"
    raise AssertionError(f"refused for ever: {line}")


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            SAID,
            "reenter c",
            "c was out after round 1 (event 3). If they came back, write: "
            "correct 3 reenter c ; correct 4 round b cut a=10 b=2 d=30 c=HAND",
        ),
        (
            SILENT,
            "reenter c",
            "c was out after round 1 (event 3). If they came back, write: "
            "before 3 reenter c ; correct 3 round b cut a=10 b=2 d=30 c=HAND",
        ),
        (
            SAID,
            "correct 3 reenter c",
            "c's hand is missing in rounds 2, 3 (events 4, 5). Write on the same line: "
            "correct 4 round b cut a=10 b=2 d=30 c=HAND",
        ),
        (
            SAID,
            "correct 3 reenter c ; correct 4 round b cut a=10 b=2 c=7 d=30",
            "c's hand is missing in round 3 (event 5). Write on the same line: "
            "correct 5 round a cut a=3 b=20 d=12 c=HAND",
        ),
        (
            SAID.replace("d=12\n", "d=12 c=1\n")
            .replace("stay_out", "reenter")
            .replace("d=30\n", "d=30 c=2\n"),
            "correct 4 round b cut a=10 b=2 d=30 c=90",
            "c has not answered: reenter or stay_out. That is round 3 (event 5). Write on the same line: "
            "before 5 reenter c, or: correct 5 round a cut a=3 b=20 d=12",
        ),
        (
            LOBA,
            "strike 4",
            "d's hand is missing in rounds 3, 4 (events 5, 7). Write on the same line: "
            "correct 5 round c out a=5 b=6 d=HAND",
        ),
        (
            LOBA,
            "strike 6 ; before 3 replace b by f",
            "b is not at this table. That is round 2 (event 3). Write on the same line: "
            "correct 3 round f out a=5 c=6 d=7",
        ),
        (
            CLOSED_BUST,
            "correct 2 round a out b=101 c=3",
            "b is not in the game. That is round 2 (event 3). Write on the same line: "
            "correct 3 round CLOSER out a=HAND c=HAND",
        ),
        (
            CLOSED_BUST.replace("reentries=0", "reentries=unlimited"),
            "correct 2 round a out b=101 c=3 ; before 3 stay_out b",
            "b is not in the game. That is round 2 (event 3). Write on the same line: "
            "correct 3 round CLOSER out a=HAND c=HAND",
        ),
        (
            CLOSED_BUST.replace("round b", 'adjust b=2 "late"\nround b'),
            "correct 2 round a out b=101 c=3",
            "b is not in the game. That is round 2 (event 3). Write on the same line: strike 3",
        ),
        (
            CLOSED_BUST.replace("round b", "round a out b=4 c=5\nround b"),
            "correct 2 round a out b=101 c=3",
            "b is not in the game. That is round 2 (event 3). Write on the same line: "
            "correct 3 round a out c=HAND",
        ),
        (
            "game points closes=nobody\nplayers a b\nround nobody played a=5 b=6\n",
            "correct 1 game points closes=one",
            "A round does not end with “played” here. Allowed: out, in_one_go, stock_out. That is round 1 (event 2). "
            "Write on the same line: correct 2 round CLOSER HOW a=HAND b=HAND",
        ),
    ],
)
def test_a_refusal_names_the_event_the_rounds_and_hands_and_what_it_says_to_write_is_accepted(
    text, line, sentence
):
    game = Game.from_text(text)
    assert sentence == refusal_of(game, line)
    assert obey(game, line).log[: len(game.log)] == game.log


@pytest.mark.parametrize("line", ["reenter c", "correct 3 reenter c"])
def test_a_late_reentry_obeyed_is_the_game_played_so_from_the_start(line):
    obeyed = obey(Game.from_text(SAID), line)
    assert Game.from_text(RIGHT).state.players == obeyed.state.players


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("reenter a", "a has no re-entry to decide on."),
        ("correct 2 round a cut a=1", "b's hand is missing."),
        ("round a cut a=1", "b's hand is missing."),
        ("strike 9", "There is no event 9 before this one."),
    ],
)
def test_any_other_refusal_stays_as_it_was(line, sentence):
    assert sentence == refusal_of(Game.from_text(SAID), line)
