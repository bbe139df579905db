"""Statements as text: the events they parse to, stored as JSON, and statements that fit no form."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from games import scoring
from games.scoring.errors import NotationError
from games.scoring.text.codec import Data, from_data, to_data
from games.scoring.text.notation import parse_line, parse_number
from tests.scoring.example_files import DATA, examples


@pytest.mark.parametrize("example", examples("statements.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_line_is_read_as_its_events_which_are_the_same_as_json(example):
    line, *rows = example.rstrip("\n").split("\n")
    events = parse_line(line)
    assert rows == [f"{event.kind} {json.dumps(to_data(event), ensure_ascii=False)}" for event in events]
    assert events == tuple(from_data(*parse_row(row)) for row in rows)


def parse_row(row: str) -> tuple[str, Data]:
    """Return the kind and the data of an event in a text."""
    kind, data = row.split(" ", 1)
    return kind, json.loads(data)


def test_a_statement_in_no_known_form_is_unreadable(subtests):
    for line in data_lines("unreadable.txt"):
        with subtests.test(line), pytest.raises(NotationError):
            parse_line(line)


NOTATION = (Path(scoring.__file__).parent / "NOTATION.md").read_text(encoding="utf-8")
STATEMENTS = NOTATION.partition("## Statements\n")[2].partition("\n## ")[0]
HEAD = {"game", "players"}  # data/refused.txt has what is wrong with them
# The first words of the statements of a game under way.
WORDS = {
    word
    for forms in re.findall(r"^\| (`[a-z].*?`) \|", STATEMENTS, re.MULTILINE)
    for word in re.findall(r"`([a-z_]{2,}) ", forms)
} - HEAD
CORRECTIONS = {"correct", "before", "strike"}  # no correction corrects one


def test_an_incomplete_statement_says_how_it_is_written(subtests):
    assert {"round", "stay_out", "join", "won", "stop", *CORRECTIONS} < WORDS
    cut_short = {
        "round ana",
        "correct 2",
        "before 2",
        "replace ana beto",
        "replace ana by",
        "adjust ana=5",
        "join a b",
    }
    too_long = {"strike 2 3", "deal ana beto", "leave ana beto", "reenter ana beto"}
    in_corrections = {
        f"{before} 2 {word}" for before in ("correct", "before") for word in WORDS - CORRECTIONS
    }
    for statement in sorted(WORDS | cut_short | too_long | in_corrections):
        with subtests.test(statement):
            with pytest.raises(NotationError) as refusal:
                parse_line(statement)
            _sentence, written = str(refusal.value).removesuffix(".").split(": ")
            [word] = {example.split()[0] for example in written.split(", ")}
            assert word in statement.split()
            assert all(parse_line(example) for example in written.split(", "))


def test_data_that_is_no_event_is_refused(subtests):
    for row in data_lines("no_events.txt"):
        with subtests.test(row), pytest.raises(NotationError):
            from_data(*parse_row(row))


def data_lines(name: str) -> list[str]:
    """Return the lines of a file in `data/`, without its headings. Assert that there are many."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line and not line.startswith("#")]
    assert 40 < len(rows)
    return rows


def test_deeply_nested_corrections_are_refused():
    nested: Data = {"number": 2}
    for _level in range(2000):
        nested = {"number": 2, "kind": "corrected", "event": nested}
    with pytest.raises(NotationError):
        from_data("corrected", nested)


def test_an_extremely_long_number_is_parsed_as_a_large_one():
    assert parse_number("9" * 100_000) > 10**15
    assert -5 == parse_number("-" + "0" * 60 + "5")
