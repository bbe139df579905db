"""A table's file taken home by one program and brought by another; it is bounded, checked whole, and comes in once."""

from __future__ import annotations

import json

import pytest

from games.api.notebook import files
from games.models import Grant, Role, Table
from games.notebook.restoring import TRIED
from games.notebook.writing import write_table
from tests.api.described import wrong_in
from tests.tables import a_key, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache")]

BRINGING = "table-files/"


@pytest.fixture
def file(table, finished, owner, program_for):
    """The file of a table with a game, as the owner's program takes it home."""
    return json.dumps(program_for(owner).get(f"tables/{table.code}/file/").body)


def bring(program, file, *, key="k", again=""):
    return program.write(f"{BRINGING}{again}", file, key=key)


def test_a_table_is_the_same_wherever_it_was_brought(program_for, table, file):
    nora = program_for(make_user("nora"))
    brought = bring(nora, file)
    again = Table.objects.get(code=brought.body["code"])

    assert [] == wrong_in(brought.body, BRINGING, method="post", status=201)
    assert (201, table.name, 1) == (brought.status, brought.body["name"], brought.body["games"])
    assert again != table
    assert write_table(table) == write_table(again)
    assert json.loads(file) == nora.get(f"tables/{again.code}/file/").body
    assert Role.OWNER == again.grants.get().role


def test_the_same_file_under_the_same_key_comes_in_once(program_for, file):
    nora = program_for(make_user("nora"))
    first, repeated = bring(nora, file), bring(nora, file)
    here = bring(nora, file, key="other")
    meant = bring(nora, file, key="other", again="?again=true")

    assert first.body == repeated.body
    assert (409, "here_already") == here.problem[:2]
    assert (201, "Mesa de los jueves (2)") == (meant.status, meant.body["name"])


def test_a_stranger_who_brings_a_file_becomes_a_guest(program, file):
    brought = bring(program, file)

    assert 200 == program.get(f"tables/{brought.body['code']}/file/").status


NO_FILES: list[tuple[str | bytes, int, str]] = [
    ("", 400, "malformed"),
    ("{", 400, "misshapen"),
    ("[]", 400, "misshapen"),
    ('{"format": "anotador-table", "version": 99}', 400, "misshapen"),
    ('{"format": "anotador-table", "version": 1, "x": 1}', 400, "misshapen"),
    ("[" * 100_000, 400, "misshapen"),
    (b"\xff\xfe", 400, "misshapen"),
]


def test_what_is_no_such_file_is_refused_and_makes_nothing(program_for, owner, table):
    program = program_for(owner)
    for sent, status, code in NO_FILES:
        assert (status, code) == bring(program, sent).problem[:2], sent[:9]
    assert 1 == Table.objects.count()


def test_a_file_has_a_size_and_a_person_so_many_tries(program_for, owner, file, monkeypatch):
    program = program_for(owner)
    monkeypatch.setattr(files, "LARGEST", 100)
    assert (413, "too_large") == bring(program, file).problem[:2]
    monkeypatch.undo()
    answers = [bring(program, "{", key=a_key()).status for _time in range(TRIED.most + 1)]

    assert [*[400] * TRIED.most, 429] == answers


def test_without_a_key_or_with_another_word_for_again_nothing_comes(program_for, owner, file):
    program = program_for(owner)

    assert (400, "misshapen") == program.post(BRINGING, file).problem[:2]
    assert {"field": "again"} == bring(program, file, again="?again=si").place
    assert 1 == Table.objects.count()


def test_a_witness_takes_no_accounts_home(program_for, table, finished):
    waldo = make_user("waldo")
    Grant.objects.create(user=waldo, table=table, role=Role.WITNESS)

    assert (403, "forbidden") == program_for(waldo).get(f"tables/{table.code}/file/").problem[:2]
