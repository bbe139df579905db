"""The record of the long tests: whose subject has changed is due, up to the seconds that a commit may wait."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests import whole_run
from tests.whole_run import Row


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A tree with the long tests of a lake and of a river, which passed in 100 and 30 seconds."""
    monkeypatch.setattr(whole_run, "ROOT", tmp_path)
    monkeypatch.setattr(whole_run, "SUBJECTS_FILE", tmp_path / "subjects")
    monkeypatch.setattr(whole_run, "RECORD_FILE", tmp_path / "record")
    write(tmp_path, "subjects", '"tests/lake.py" = ["games/lake.py"]\n"tests/river.py" = ["games/**/*"]\n')
    write(tmp_path, "record", "")
    for name in ("tests/lake.py", "tests/river.py", "games/lake.py", "games/water/river.py", "static/a.css"):
        write(tmp_path, name, "first")
    record({"tests/lake.py": 100, "tests/river.py": 30, whole_run.POSTGRES: 200})
    return tmp_path


def write(tree: Path, name: str, text: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(text)


def record(passed: dict[str, int]) -> None:
    subjects, product = whole_run.load_subjects(), whole_run.digest(whole_run.PRODUCT)
    whole_run.write_record(
        {
            name: Row(whole_run.subject_digest(name, subjects), product, seconds)
            for name, seconds in passed.items()
        }
    )


def due_and_left() -> tuple[list[str], list[str]]:
    return whole_run.split_due(whole_run.find_changed())


def test_a_file_is_due_when_its_tests_or_their_subject_have_changed(tree, subtests):
    for name, expected in {
        "static/a.css": [],
        "games/water/river.py": ["tests/river.py"],
        "games/water/new.py": ["tests/river.py"],
        "games/water/__pycache__/river.pyc": [],
        "tests/lake.py": ["tests/lake.py"],
    }.items():
        with subtests.test(name):
            record({"tests/lake.py": 100, "tests/river.py": 30})
            write(tree, name, "second")
            assert expected == whole_run.find_changed()
            write(tree, name, "first")


def test_the_quickest_are_due_first_and_only_as_many_as_a_commit_has_time_for(tree):
    write(tree, "games/lake.py", "second")

    assert (["tests/river.py"], ["tests/lake.py"]) == due_and_left()
    record({"tests/lake.py": whole_run.MOST_SECONDS - 30, "tests/river.py": 30})
    write(tree, "games/lake.py", "third")
    assert (["tests/river.py", "tests/lake.py"], []) == due_and_left()


def test_a_file_whose_tests_never_passed_is_left_to_the_whole_run(tree):
    write(tree, "subjects", '"tests/lake.py" = ["games/lake.py"]\n"tests/sea.py" = ["games/lake.py"]\n')
    write(tree, "tests/sea.py", "first")

    assert ([], ["tests/sea.py"]) == due_and_left()


def test_any_change_of_the_product_outdates_what_was_not_run_since(tree):
    assert [] == whole_run.find_outdated()
    write(tree, "tests/lake.py", "second")
    assert [] == whole_run.find_outdated()
    write(tree, "static/a.css", "second")
    record({"tests/lake.py": 100})
    assert ["tests/river.py", whole_run.POSTGRES] == whole_run.find_outdated()


def test_a_file_passes_only_as_a_whole():
    report = ElementTree.fromstring("""<testsuites><testsuite>
        <testcase file="tests/a.py" time="1.2"/><testcase file="tests/a.py" time="2.0"/>
        <testcase file="tests/b.py" time="1"/><testcase file="tests/b.py" time="1"><failure/></testcase>
        <testcase file="tests/c.py" time="1"/><testcase file="tests/c.py" time="1"><skipped/></testcase>
        <testcase name="tests.d" time="0"><error/></testcase>
    </testsuite></testsuites>""")

    assert {"tests/a.py": 3} == dict(whole_run.read_report(report))


def test_the_table_of_subjects_and_the_record_name_only_what_there_is(subtests):
    subjects = whole_run.load_subjects()
    for name, patterns in subjects.items():
        with subtests.test(name):
            assert [name] == [str(file.relative_to(whole_run.ROOT)) for file in whole_run.list_files([name])]
            assert [] == [pattern for pattern in patterns if not whole_run.list_files([pattern])]
            assert patterns
    assert set() == whole_run.load_record().keys() - subjects.keys() - {whole_run.POSTGRES}
    assert [] == [pattern for pattern in whole_run.PRODUCT if not whole_run.list_files([pattern])]
