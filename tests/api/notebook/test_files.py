"""Export and import of a table's file through the API: limited in size, and imported once.

The file is checked whole before anything is stored.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from games.api.notebook import files
from games.models import Role, Table
from games.notebook.restoring import TRIED
from games.notebook.writing import write_table
from games.shown.notebook.spreadsheets import SPREADSHEETS
from tests.api.described import wrong_in
from tests.tables import a_key, make_user, without_codes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache")]

BRINGING = "table-files/"


@pytest.fixture
def file(table, finished, owner, program_for):
    """Return the file of a table with one game, exported by its owner."""
    return json.dumps(program_for(owner).get(f"tables/{table.code}/file/").body)


def bring(program, file, *, key="k", again=""):
    return program.write(f"{BRINGING}{again}", file, key=key)


def test_an_imported_table_exports_the_same_file(program_for, table, file):
    nora = program_for(make_user("nora"))
    brought = bring(nora, file)
    again = Table.objects.get(code=brought.body["code"])

    assert [] == wrong_in(brought.body, BRINGING, method="post", status=201)
    assert (201, table.name, 1) == (brought.status, brought.body["name"], brought.body["games"])
    assert again != table
    assert without_codes(write_table(table)) == without_codes(write_table(again))
    file_there = json.dumps(nora.get(f"tables/{again.code}/file/").body)
    assert without_codes(file) == without_codes(file_there)
    assert Role.OWNER == again.grants.get().role


def test_a_file_with_the_same_idempotency_key_is_imported_once(program_for, file):
    nora = program_for(make_user("nora"))
    first, repeated = bring(nora, file), bring(nora, file)
    here = bring(nora, file, key="other")
    meant = bring(nora, file, key="other", again="?again=true")

    assert first.body == repeated.body
    assert (409, "here_already", first.body["code"]) == (*here.problem[:2], here.body["table"])
    assert (201, "Mesa de los jueves (2)") == (meant.status, meant.body["name"])


def test_an_anonymous_client_that_imports_a_file_becomes_a_guest(program, file):
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


def test_an_invalid_file_is_refused(program_for, owner, table):
    program = program_for(owner)
    for sent, status, code in NO_FILES:
        assert (status, code) == bring(program, sent).problem[:2], sent[:9]
    assert 1 == Table.objects.count()


def test_imports_are_limited_in_size_and_rate(program_for, owner, file, monkeypatch):
    program = program_for(owner)
    monkeypatch.setattr(files, "LARGEST", 100)
    assert (413, "too_large") == bring(program, file).problem[:2]
    monkeypatch.undo()
    answers = [bring(program, "{", key=a_key()).status for _time in range(TRIED.most + 1)]

    assert [*[400] * TRIED.most, 429] == answers


def test_an_import_without_an_idempotency_key_or_with_an_invalid_parameter_is_refused(
    program_for, owner, file
):
    program = program_for(owner)

    assert (400, "misshapen") == program.post(BRINGING, file).problem[:2]
    assert {"field": "again"} == bring(program, file, again="?again=si").place
    assert 1 == Table.objects.count()


def test_the_spreadsheets_equal_the_downloads_of_the_page(subtests, program_for, owner, table, finished):
    program, page = program_for(owner), Client(headers={"accept-language": "en"})
    page.force_login(owner)
    for what in SPREADSHEETS:
        with subtests.test(what=what):
            seen = page.get(reverse("download", args=[table.code, what]))
            answer = program.client.get(f"/api/v1/tables/{table.code}/spreadsheets/{what}/")

            assert (200, seen["Content-Type"]) == (answer.status_code, answer["Content-Type"])
            assert content(seen) == content(answer) != b""
    assert (404, "not_found") == program.get(f"tables/{table.code}/spreadsheets/grants/").problem[:2]


def content(answer):
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_a_game_is_exported_as_text_like_on_the_page(program_for, owner, table, finished):
    program = program_for(owner)
    page = Client()
    page.force_login(owner)
    answer = program.client.get(f"/api/v1/games/{finished.code}/text/")

    assert page.get(reverse("export", args=[finished.code])).content == answer.content


def test_only_an_owner_can_export_an_erased_table(program_for, owner, table, finished):
    Table.objects.update(erased_at=now())

    assert 200 == program_for(owner).client.get(f"/api/v1/tables/{table.code}/file/").status_code
    assert (404, "not_found") == program_for(make_user("nora")).get(f"tables/{table.code}/file/").problem[:2]


# --- a table that moved ------------------------------------------------------------------------------------------------
