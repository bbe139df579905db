"""A file of many games: tags, laziness, and a game that cannot be played does not hide the next one."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.scoring import __version__
from games.scoring.__main__ import main
from games.scoring.errors import UnreadableLine
from games.scoring.text.collection import split_games, write_tags

ROOT = Path(__file__).parents[2]
HEAD = "game loba_menos reentries=0\nplayers ana beto\n"
MANY = f"""\
# two nights
tags date=2026-11-21 table="Los jueves" place="Lo de Ana"
{HEAD}round ana out beto=12

tags date=2026-11-22
tags table=otra  # continued
{HEAD}tags
{HEAD}"""


def each_game(text: str) -> list[tuple[int, dict[str, str]]]:
    """Return the first line of each game and its tags."""
    return [(game.line, dict(game.tags())) for game in split_games(text.split("\n"))]


def test_each_game_has_the_tags_above_it():
    assert [
        (2, {"date": "2026-11-21", "table": "Los jueves", "place": "Lo de Ana"}),
        (7, {"date": "2026-11-22", "table": "otra"}),
        (11, {}),
    ] == each_game(MANY)


def test_a_file_without_tags_is_one_game_even_when_it_is_empty():
    assert [(2, {})] == each_game(f"\n{HEAD}")
    assert [(1, {})] == each_game("")


def test_a_game_is_yielded_before_the_next_one_is_read():
    def lines() -> Iterator[str]:
        yield from ("tags a=1", *HEAD.splitlines(), "tags a=2")
        pytest.fail("a line was read too early")

    assert {"a": "1"} == next(split_games(lines())).tags()


@pytest.mark.parametrize(
    ("tags", "error"),
    [
        ("tags date", "“date” should read id=…, without blanks around “=”."),
        ("tags Date=2026-11-21", "“Date=2026-11-21” should read id=…, without blanks around “=”."),
        ("tags date=21-11-2026", "“21-11-2026” is not a day. Write it like 2026-11-22."),
        ("tags date=2026-02-30", "“2026-02-30” is not a day. Write it like 2026-11-22."),
        ("tags date=20261121", "“20261121” is not a day. Write it like 2026-11-22."),
        ("tags a=1 a=2", "a appears twice."),
        ("tags a=1\ntags a=2", "a appears twice."),
        ('tags a="', "A quote or a bracket is not closed."),
        ('tags a="x"y', '"x"y must be in double quotes.'),
        ('tags a=""', '"" must be in double quotes.'),
        ("tags a=1 ; game chinchon", "A semicolon has no statement beside it."),
    ],
)
def test_invalid_tags_are_refused_at_their_line(tags, error):
    [game] = split_games(f"\n{tags}\n{HEAD}".split("\n"))

    with pytest.raises(UnreadableLine) as raised:
        game.tags()
    assert (1 + len(tags.split("\n")), error) == (raised.value.line, str(raised.value.error))


def test_written_tags_are_parsed_unchanged():
    tags = {"date": "2026-11-21", "table": "Los jueves # ; [", "place": "ñ"}
    [game] = split_games([write_tags(tags), HEAD])

    assert tags == game.tags()


# --- the command line -------------------------------------------------------------------------------------


def played(capsys, path: Path | str, *options: str) -> tuple[int, str, str]:
    """Return the exit code, the output and the errors of `play`, with `FILE` for the path."""
    code = main(["play", str(path), *options])
    out, err = capsys.readouterr()
    return code, out, err.replace(f"{path}:", "FILE:")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "many.games"
    path.write_text(MANY, encoding="utf-8")
    return path


def test_json_has_one_line_for_each_game_with_its_tags(capsys, path):
    code, out, err = played(capsys, path, "--json")
    summaries = [json.loads(line) for line in out.splitlines()]

    assert (0, "") == (code, err)
    assert ["2026-11-21", "2026-11-22", None] == [
        summary.get("tags", {}).get("date") for summary in summaries
    ]
    assert [12, 0, 0] == [summary["players"][1]["total"] for summary in summaries]
    assert "tags" not in summaries[2]


def test_a_refused_or_unreadable_game_does_not_stop_the_next_one(capsys, tmp_path):
    path = tmp_path / "many.games"
    path.write_text(
        f"tags\n{HEAD}shuffle\ntags\n{HEAD}leave zoe\ntags\n{HEAD}expect pot 1\ntags x\n{HEAD}tags\n{HEAD}"
    )
    code, out, err = played(capsys, path, "--json")

    assert (2, 3) == (code, len(out.splitlines()))
    assert ["4", "8", "12", "13"] == [line.split(":")[1] for line in err.splitlines()]


def as_a_program(*arguments: str, text: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process with an ASCII terminal."""
    return subprocess.run(
        [sys.executable, "-m", "games.scoring", *arguments],
        cwd=ROOT,
        input=text,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )


def test_standard_input_is_read_as_utf_8_on_an_ascii_terminal():
    text = f'\ufefftags place="La peña"\n{HEAD}'
    result = as_a_program("play", "-", "--json", text=text.encode())

    assert (0, "La peña", b"") == (
        result.returncode,
        json.loads(result.stdout.decode())["tags"]["place"],
        result.stderr,
    )


def test_standard_input_that_is_not_utf_8_exits_with_2():
    result = as_a_program("play", "-", text=b"tags place=\xff\n" + HEAD.encode())

    assert (2, b"-:1: ", 1) == (result.returncode, result.stderr[:5], len(result.stderr.splitlines()))


def test_a_closed_pipe_ends_the_program_without_a_traceback():
    program = f"{sys.executable} -m games.scoring play - --json | head -1"
    text = f"tags\n{HEAD}".encode() * 2000
    result = subprocess.run(program, shell=True, cwd=ROOT, input=text, capture_output=True, check=False)

    assert (1, b"") == (len(result.stdout.splitlines()), result.stderr)


def test_the_program_prints_its_version():
    assert f"naipes {__version__}" == as_a_program("--version", text=b"").stdout.decode().strip()


def test_standard_input_is_played_like_a_file(capsys, path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MANY.encode())))

    assert played(capsys, path, "--json") == played(capsys, "-", "--json")
