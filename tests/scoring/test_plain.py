"""Text as it comes from editors, chats and web pages: blanks, marks, line ends, and bytes that are not UTF-8."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from games.scoring.__main__ import main
from games.scoring.events import GameStarted
from games.scoring.front import Game, read_games
from games.scoring.rounds import Hand
from games.scoring.text.notation import read_hand
from games.scoring.text.plain import rows_of
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_game

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
LATIN_1 = 'game loba_menos\nplayers aldo="Aldo Peña" beba\nround aldo out beba=4\n'.encode("latin-1")


def played(path: Path) -> tuple[int, str, str]:
    """Return the exit code, the output and the errors of the command line."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["play", "--json", str(path)])
    return code, out.getvalue(), err.getvalue().replace(str(path), "a.game")


@pytest.mark.parametrize("content", ALIKE.values(), ids=ALIKE)
def test_the_same_game_in_other_bytes_is_read_alike(tmp_path: Path, content: bytes):
    path, plain = tmp_path / "a.game", tmp_path / "plain.game"
    path.write_bytes(content)
    plain.write_text(PLAIN)

    assert (0, played(plain)[1], "") == played(path)
    log = play_script(read_script(content.decode())).log
    assert write_game(play_script(read_script(PLAIN)).log) == write_game(log)
    assert [log] == [game.log for game in read_games(path)]
    assert log == Game.from_text(content.decode()).log


def test_text_that_is_not_utf_8_is_reported_at_its_line(tmp_path: Path):
    path = tmp_path / "a.game"
    path.write_bytes(LATIN_1)
    assert (2, "", "a.game:2: The text is not UTF-8. Save it as UTF-8.\n") == played(path)

    path.write_bytes(LATIN_1.replace(b"\n", b"\r"))
    assert "a.game:2: " == played(path)[2][:10]


def test_the_games_before_text_that_is_not_utf_8_are_played(tmp_path: Path):
    path = tmp_path / "a.game"
    path.write_bytes(b"tags\n" + PLAIN.encode() + b"tags\n" + LATIN_1)
    code, out, err = played(path)

    assert (2, 27, "a.game:8:") == (code, json.loads(out)["players"][1]["total"], err.split(" ")[0])


def test_blanks_and_marks_between_double_quotes_stay():
    name = "A\u00a0B\u200eC\u200bD"
    [head] = read_script(f'game loba_menos\u00a0stake=5\nplayers aldo="{name}" \u200ebeba\n')
    [begun] = head.events

    assert isinstance(begun, GameStarted)
    assert [name, "beba"] == [player.name for player in begun.players]


def test_lines_keep_their_numbers():
    assert [(1, "a"), (3, "b"), (5, "c")] == list(rows_of("\ufeffa\r\r\nb\n# x\r\u00a0c"))


@pytest.mark.parametrize("text", ["[K 7]", "[K\u00a07]", "[K\u200b7]", "\u200e[K 7]", "[\u2009K 7]"])
def test_a_hand_alone_is_read_alike(text: str):
    assert Hand(held=read_hand("[K 7]").held) == read_hand(text)


@pytest.mark.parametrize("blank", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_a_control_character_is_no_blank(tmp_path: Path, blank: str):
    path = tmp_path / "a.game"
    path.write_text(PLAIN.replace("round ", f"round{blank}"), encoding="utf-8")
    assert 2 == played(path)[0]
