"""The work of reading a table's file is counted before it is done, whatever a stranger sends.

`python -m tests.benchmarks.attacks --only files` measures the time of the largest of these files.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from django.utils.timezone import now

from games.common.json_reader import InvalidFile
from games.files.services import (
    file_reader,
    file_schema,
    game_reader,
    import_preview,
    ledger_proof,
    row_reader,
)
from games.files.services.file_contents import FileContents
from games.scoring.errors import ScoringError
from games.scoring.shares import main_payer
from games.scoring.step_budget import count_steps
from games.scoring.text import notation
from games.scoring.text.codec import EVENT_CLASSES
from tests import costly_files
from tests.costly_files import MULTIPLIED, enlarged_files, entry, expense, payment, sample_file, write
from tests.factories import make_table

FEW, MANY = 100, 400  # values of the enlarged object or list
COUNTS = 20, 60, 240  # people, rows or rounds of files whose rows multiply
COUNTS_OF_PAIRS = 8, 16, 32  # of the file with as many debts as pairs
MOST_WORK = 2.5  # executed lines and comparisons for each step


class ComparedText(str):
    """A text that counts how often it is compared, also inside a tuple, a list or a mapping."""

    comparisons = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        ComparedText.comparisons += 1
        return str.__eq__(self, other)


def with_compared_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {ComparedText(name): with_compared_texts(part) for name, part in value.items()}
    if isinstance(value, list):
        return [*map(with_compared_texts, value)]
    return ComparedText(value) if isinstance(value, str) else value


@contextmanager
def counted_lines() -> Iterator[Counter[str]]:
    """Count the lines that the package `games` executes in the `with` block."""
    lines, before = Counter[str](), sys.gettrace()

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        if "/games/" not in frame.f_code.co_filename:
            return None
        lines["lines"] += event == "line"
        return trace

    sys.settrace(trace)
    try:
        yield lines
    finally:
        sys.settrace(before)


def read_and_count(file: costly_files.File, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Read the file and prove its ledger. Return the steps and the work: executed lines and comparisons."""
    ComparedText.comparisons = 0
    refusals = suppress(InvalidFile, ScoringError)
    with count_steps(independent=True) as effort, counted_lines() as lines, refusals:
        ledger_proof.check_ledger(read_with_compared_texts(file, monkeypatch))
    return effort.used, lines["lines"] + ComparedText.comparisons


def read_with_compared_texts(file: costly_files.File, monkeypatch: pytest.MonkeyPatch) -> FileContents:
    text, value = write(file), with_compared_texts(file)
    with monkeypatch.context() as patched:
        patched.setattr("games.files.services.file_reader.json.loads", lambda _text: value)
        return file_reader.read_table(text)


def added_work(files: Iterable[costly_files.File], monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the work that each file adds to the one before it, for each step that it adds."""
    counts = [read_and_count(file, monkeypatch) for file in files]
    return [
        (work - before) / (steps - steps_before) for (steps_before, before), (steps, work) in pairwise(counts)
    ]


# --- the files --------------------------------------------------------------------------------------------------------


def test_the_sample_has_every_field_and_every_kind_of_event():
    sample = sample_file()
    first = sample["games"][0]
    (batch, *_batches), (hand,) = first["batches"], first["hands"]
    kinds = {game["batches"][-1]["events"][0]["kind"] for game in sample["games"]}
    inside = {
        event["data"]["kind"]
        for game in sample["games"]
        for event in game["batches"][-1]["events"]
        if event["kind"] == "corrected"
    }

    assert file_reader.FILE_FIELDS == set(sample)
    assert set(file_schema.TABLE) == set(sample["table"])
    for name, fields in (
        ("members", file_schema.PERSON),
        ("seasons", file_schema.SEASON),
        ("payments", file_schema.PAYMENT),
        ("entries", file_schema.ENTRY),
    ):
        assert set(fields) == set(sample[name][0])
    assert {*file_schema.COST, "sharers"} == {name for row in sample["costs"] for name in row}
    assert row_reader.DEBT_FIELDS - {"since"} == set(sample["debts"][0])
    assert game_reader.GAME_FIELDS == set(first)
    assert game_reader.BATCH_FIELDS == set(batch)
    assert game_reader.HAND_FIELDS == set(hand)
    assert game_reader.SPOT_FIELDS == set(first["spot"])
    assert set(EVENT_CLASSES) == kinds | inside


# --- counted before it is read ----------------------------------------------------------------------------------------


def test_every_key_and_item_is_counted_before_the_file_is_parsed(subtests, monkeypatch):
    def parse(_text: object) -> None:
        raise ValueError

    monkeypatch.setattr("games.files.services.file_reader.json.loads", parse)

    def used(file: costly_files.File) -> int:
        with count_steps(independent=True) as effort, pytest.raises(InvalidFile):
            file_reader.read_table(write(file))
        return effort.used

    for (name, few), (_name, many) in zip(enlarged_files(FEW), enlarged_files(MANY), strict=True):
        with subtests.test(name):
            assert used(many) - used(few) >= (MANY - FEW) // 2 * file_reader.VALUE_STEPS


def test_a_file_of_more_values_than_fit_the_budget_is_refused_unparsed(monkeypatch):
    monkeypatch.setattr("games.files.services.file_reader.json.loads", None)
    text = b"," * (file_reader.MOST_STEPS // file_reader.VALUE_STEPS + 1)

    with pytest.raises(InvalidFile) as refusal:
        file_reader.read_checked(text)

    assert (file_reader.TOO_MUCH,) == refusal.value.problems


def test_the_work_of_reading_any_object_or_list_is_counted(subtests, monkeypatch):
    for (name, few), (_name, many) in zip(enlarged_files(FEW), enlarged_files(MANY), strict=True):
        with subtests.test(name):
            (added,) = added_work((few, many), monkeypatch)
            assert added <= MOST_WORK


@pytest.mark.parametrize("name", MULTIPLIED)
def test_the_work_of_rows_that_multiply_one_another_is_counted(name, monkeypatch):
    build, _largest = MULTIPLIED[name]
    counts = COUNTS_OF_PAIRS if build is costly_files.debts_beside_entries else COUNTS
    first, later = added_work(map(build, counts), monkeypatch)

    assert first <= MOST_WORK
    assert later <= max(1.1 * first, 0.5)  # caches fill while little is counted for much


def test_the_books_of_a_group_fit_many_times():
    """Twelve people who share 2,000 expenses, or pay one another 4,000 times, import their table with a page."""

    def books(count: int) -> tuple[costly_files.File, ...]:
        people = costly_files.names(12)
        borne, paid = dict.fromkeys(people, 1), {"m0": 1, "m1": -1}
        differences, lines = {**borne, "m0": -11}, costly_files.debts_in_circles(people, 11)
        numbers = range(1, count + 1)
        shared = [
            entry(number, differences, kind="shared", cost=number, key=None, before=lines, after=lines)
            for number in numbers
        ]
        moved = [
            entry(number, paid, kind="paid", payment=number, key=None, before=lines[:1], after=lines[:1])
            for number in numbers
        ]
        return (
            costly_files.new_file(
                people, costs=[expense(number, borne, "m0") for number in numbers], entries=shared
            ),
            costly_files.new_file(
                people, payments=[payment(number, "m0", "m1") for number in numbers], entries=moved
            ),
        )

    def steps(file: costly_files.File) -> int:
        with count_steps() as effort:
            file_reader.read_table(write(file))
        return effort.used

    (few_expenses, few_payments), (expenses, payments) = (map(steps, books(count)) for count in (10, 20))
    assert 2000 * (expenses - few_expenses) / 10 <= file_reader.MOST_STEPS
    assert 4000 * (payments - few_payments) / 10 <= file_reader.MOST_STEPS


def test_the_proof_of_the_ledger_shares_the_budget_of_reading(monkeypatch):
    text = write(costly_files.debts_beside_entries(10))
    with count_steps() as effort:
        contents = file_reader.read_table(text)
    monkeypatch.setattr(file_reader, "MOST_STEPS", effort.used)

    with pytest.raises(InvalidFile) as refusal:
        file_reader.read_checked(text)

    assert (file_reader.TOO_MUCH,) == refusal.value.problems
    assert 20 == len(contents.entries)  # the command, without a limit, reads them


def test_a_text_that_no_event_has_is_refused_by_its_length(monkeypatch):
    """Normalizing accents that are out of order takes time that grows with the square of their number."""
    monkeypatch.setattr(notation, "normalize", None)
    long_id = "a" + "\u0301\u0316" * 1000
    file = costly_files.new_file(games=[costly_files.game("", costly_files.started((long_id, "beto")))])

    with pytest.raises(InvalidFile, match=r"Game 1: event 1: At most 2000 characters fit here\."):
        file_reader.read_table(write(file))


# --- into a table -----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("build", [costly_files.shares, costly_files.payers])
def test_the_work_of_a_preview_grows_with_the_people_of_the_table_and_the_file(build, owner, monkeypatch):
    work = []
    for count in COUNTS:
        table = make_table(owner, people=tuple(costly_files.names(count)), name=f"Mesa de {count}")
        contents = read_with_compared_texts(build(count), monkeypatch)
        ComparedText.comparisons = 0
        with counted_lines() as lines:
            preview = import_preview.build(table, contents, {}, by=owner, at=now())
        assert 4 == len(preview.costs)
        work.append(lines["lines"] + ComparedText.comparisons)
    first, later = (
        (most - least) / (many - few)
        for (few, many), (least, most) in zip(pairwise(COUNTS), pairwise(work), strict=True)
    )

    assert later <= 1.3 * first  # longer names take more lines


def test_who_paid_most_is_found_without_comparing_each_payer_with_each_person():
    people = [*map(ComparedText, costly_files.names(100))]
    ComparedText.comparisons = 0

    assert "m99" == main_payer({**dict.fromkeys(people, 1), people[99]: 2}, people)
    assert ComparedText.comparisons <= 100
