"""Files from editors, chats and web pages: many games, blanks, marks, line ends, and bytes other than UTF-8."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.scoring.events import GameStarted
from games.scoring.facade import Game, read_games
from games.scoring.text.collection import split_games, write_tags
from games.scoring.text.file_lines import numbered_lines
from games.scoring.text.game_file import parse_game_file
from tests.scoring.console import play

# --- many games -------------------------------------------------------------------------------------------------------

HEAD = "game loba_menos reentries=0\nplayers ana beto\n"


def each_game(text: str) -> list[tuple[int, dict[str, str]]]:
    """Return the first line of each game and its tags."""
    return [(game.line, dict(game.tags())) for game in split_games(text.split("\n"))]


def test_each_game_has_the_tags_above_it():
    tags = {"date": "2026-11-21", "table": "Los jueves # ; [", "place": "ñ"}
    written = write_tags(tags)
    assert [(2, tags), (5, {"date": "2026-11-22", "table": "otra"}), (9, {})] == each_game(
        f"# two nights\n{written}\n{HEAD}tags date=2026-11-22\ntags table=otra  # continued\n{HEAD}tags\n{HEAD}"
    )


def test_a_file_without_tags_is_one_game_even_when_it_is_empty():
    assert [(2, {})] == each_game(f"\n{HEAD}")
    assert [(1, {})] == each_game("")


def test_a_game_is_yielded_before_the_next_one_is_read():
    def lines() -> Iterator[str]:
        yield from ("tags a=1", *HEAD.splitlines(), "tags a=2")
        pytest.fail("a line was read too early")

    assert {"a": "1"} == next(split_games(lines())).tags()


# --- blanks, marks and line ends --------------------------------------------------------------------------------------

PLAIN = "game loba_menos\nplayers aldo beba\nround aldo out beba=[K 7 *]\nexpect totals aldo=0 beba=27\n"

# The same game in other bytes.
ALIKE = {
    "a byte order mark": b"\xef\xbb\xbf" + PLAIN.encode(),
    "a byte order mark and CRLF": b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode(),
    "CR alone": PLAIN.replace("\n", "\r").encode(),
    "all line ends": PLAIN.replace("\n", "\r\n", 1).replace("beba\n", "beba\r", 1).encode(),
    "no line end at the end": PLAIN.strip().encode(),
    "no-break spaces in a hand": PLAIN.replace("K 7 *", "K\u00a0 7\u00a0 *").encode(),
    "zero-width spaces in a hand": PLAIN.replace("K 7 *", "K\u200b7\u200b*").encode(),
    "a no-break space in a statement": PLAIN.replace("round ", "round\u00a0").encode(),
    "a narrow no-break space": PLAIN.replace("players ", "players\u202f").encode(),
    "a no-break space before a statement": PLAIN.replace("round ", "\u00a0round ").encode(),
    "a mark of direction before a statement": PLAIN.replace("round ", "\u200eround ").encode(),
    "marks of direction around a hand": PLAIN.replace("[K 7 *]", "\u2067[K 7 *]\u2069").encode(),
    "a comment with all of these": ("# \u200e\u00a0Peña\n" + PLAIN).encode(),
}


@pytest.mark.parametrize("content", ALIKE.values(), ids=ALIKE)
def test_the_same_game_in_other_bytes_is_read_alike(tmp_path: Path, content: bytes):
    plain = Game.from_text(PLAIN)
    assert play(tmp_path, PLAIN, "--json") == play(tmp_path, content, "--json")
    assert ((), [plain], plain) == (
        plain.unmet,
        list(read_games(tmp_path / "a.game")),
        Game.from_text(content.decode()),
    )


def test_blanks_and_marks_between_double_quotes_stay():
    name = "A\u00a0B\u200eC\u200bD"
    [head] = parse_game_file(f'game loba_menos\u00a0stake=5\nplayers aldo="{name}" \u200ebeba\n')
    [start_event] = head.events
    assert isinstance(start_event, GameStarted)
    assert [name, "beba"] == [player.name for player in start_event.players]


def test_lines_keep_their_numbers():
    assert [(1, "a"), (3, "b"), (5, "c")] == list(numbered_lines("\ufeffa\r\r\nb\n# x\r\u00a0c"))


@pytest.mark.parametrize("blank", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_a_control_character_is_no_blank(tmp_path: Path, blank: str):
    assert 2 == play(tmp_path, PLAIN.replace("round ", f"round{blank}")).code


# --- what is not UTF-8 ------------------------------------------------------------------------------------------------

LATIN_1 = 'game loba_menos\nplayers aldo="Aldo Peña" beba\nround aldo out beba=4\n'.encode("latin-1")


@pytest.mark.parametrize("line_end", [b"\n", b"\r"])
def test_text_that_is_not_utf_8_is_reported_at_its_line(tmp_path: Path, line_end: bytes):
    ran = play(tmp_path, LATIN_1.replace(b"\n", line_end))
    assert (2, "", "a.game:2: The text is not UTF-8. Save it as UTF-8.\n") == (ran.code, ran.out, ran.err)


def test_the_games_before_text_that_is_not_utf_8_are_played(tmp_path: Path):
    ran = play(tmp_path, b"tags\n" + PLAIN.encode() + b"tags\n" + LATIN_1, "--json")
    total = json.loads(ran.out)["players"][1]["total"]
    assert (2, 27, "a.game:8:") == (ran.code, total, ran.err.split(" ")[0])
