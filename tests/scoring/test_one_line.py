"""The rule for a line of text: what it accepts, changes and refuses. A game can hold every accepted line.

`test_one_line.py` has the fields that follow the rule.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.scoring.errors import RuleError
from games.scoring.events import GameStarted, Log, Player, PlayerJoined, PointsAdjusted, SeatHandedOver
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_game
from games.scoring.text_line import MAX_TEXT_LENGTH, clean_line, shorten
from games.scoring.variants import get_variant
from tests.text_strategies import REFUSED, line_texts


def cleaned_text(text: str, *, longest: int = 40, quoted: bool = False) -> str:
    """Return the text as it is stored, or the sentence that refuses it."""
    try:
        return clean_line(text, longest=longest, field="name", quoted=quoted)
    except RuleError as refusal:
        return f"{refusal.field}: {refusal.text}"


@pytest.mark.parametrize(
    "text",
    [
        "José María", "Ñandú #1; [x] {y} = «z»", "Ana 👩\u200d🍳", "👩🏽\u200d🍳", "👨\u200d👩\u200d👧\u200d👦", "🙂\u200d↔️",
        "🏴\u200d☠️", "🏳️\u200d🌈", "❤️\u200d🔥", "👍🏽", "🇦🇷", "1️⃣", "☎︎",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # England
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "क्\u200dष", "ന്\u200d", "한국", "葛\U000e0100飾区", "कि",
        "\U0001fae9",  # an emoji younger than this Python
    ],
)  # fmt: skip
def test_ordinary_texts_are_accepted_unchanged(text):
    assert text == cleaned_text(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Eva   Luz ", "Eva Luz"),
        ("Eva\u00a0Luz\u3000", "Eva Luz"),
        ("Zoe\u0301", "Zoé"),
        ("Ana\r\n", "Ana"),
        ("", ""),
        (" \t ", ""),
    ],
)
def test_letters_are_normalised_and_blanks_reduced(text, expected):
    assert expected == cleaned_text(text)


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items())
def test_invisible_and_direction_changing_characters_are_refused(text, sentence):
    assert f"name: {sentence}" == cleaned_text(text)


def test_a_lone_surrogate_is_refused():
    assert "name: It contains an invisible character (U+D83D): type it again." == cleaned_text("\ud83d")


def test_double_quotes_are_refused_where_the_text_will_be_quoted():
    assert 'el "loco"' == cleaned_text('el "loco"')
    assert "name: Write it without double quotes." == cleaned_text('el "loco"', quoted=True)


def test_the_limit_applies_to_the_trimmed_text():
    assert "x" * 40 == cleaned_text(f" {'x' * 40} ")
    assert "name: At most 40 characters fit here." == cleaned_text("x" * 41)


@given(line_texts(40))
def test_an_accepted_line_is_accepted_again_unchanged(line):
    assert line == clean_line(line, longest=40, field="")
    assert line == line.strip()


@example("\u0646\u0645\u06cc\u200c\u062f\u0627", 4)  # Persian; this character joins its words
@given(line_texts(60), st.integers(1, 60))
def test_a_shortened_line_is_still_valid(line, longest):
    short = shorten(line, longest)
    assert line.startswith(short)
    assert len(short) <= longest
    assert short == clean_line(short, longest=longest, field="")


# --- in a game --------------------------------------------------------------------------------------------------------


def a_game(*texts: str) -> str:
    """Return a game file with these texts as the names of three players and the reason of a penalty."""
    first, second, third, reason = texts
    rules = get_variant("loba_menos").house({"late_entry": "on"}).options
    return write_game(
        (
            GameStarted("loba_menos", rules, (Player("ana", first), Player("beto", "Beto"))),
            *parse_line("round ana out beto=5"),
            PlayerJoined(Player("caro", second)),
            SeatHandedOver("beto", Player("dani", third)),
            PointsAdjusted("ana", 5, reason),
        )
    )


@given(st.tuples(*[line_texts(MAX_TEXT_LENGTH, quoted=True)] * 4))
def test_a_game_can_hold_every_accepted_name_and_reason(texts):
    text = a_game(*texts)
    played = play_game_file(parse_game_file(text))

    assert [] == played.problems
    assert text == write_game(played.log)
    assert texts == _event_texts(played.log)


def _event_texts(log: Log) -> tuple[str, str, str, str]:
    start, _round, join_event, handed, adjusted = log
    assert isinstance(start, GameStarted)
    assert isinstance(join_event, PlayerJoined)
    assert isinstance(handed, SeatHandedOver)
    assert isinstance(adjusted, PointsAdjusted)
    return start.players[0].name, join_event.player.name, handed.to.name, adjusted.reason


@pytest.mark.parametrize(("place", "line"), [(0, 2), (1, 4), (2, 5), (3, 6)])
def test_a_file_with_a_refused_text_is_refused_at_its_line(place, line):
    texts = ["Ana", "Caro", "Dani", "multa"]
    texts[place] = "a\u202eb"
    (problem,) = play_game_file(parse_game_file(a_game(*texts))).problems

    assert (REFUSED[texts[place]], line) == (problem.text, problem.line)
