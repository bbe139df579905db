"""Bringing a table in: checked whole, owned by who brings it, and nothing kept of a bad file."""

from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.access import role_at
from games.models import Role, Table
from games.notebook.writing import write_table
from games.scoring.events import Corrected
from games.views import imports
from tests.pages.reader import read_page
from tests.tables import a_key, a_round

pytestmark = pytest.mark.django_db

ADDRESS = "/import/"


def bring(client, text, *, key=None):
    file = SimpleUploadedFile("mesa.json", text if isinstance(text, bytes) else text.encode())
    return client.post(ADDRESS, {"file": file, "key": key or a_key()})


def test_the_page_asks_for_a_file(nobody):
    page = read_page(nobody.get(ADDRESS))
    assert "file" == page.only("input", type="file").attrs["name"]
    assert "multipart/form-data" == page.only("form").attrs["enctype"]


def test_a_stranger_brings_a_table_and_owns_it(nobody, table, finished):
    text = write_table(table)
    response = bring(nobody, text)
    again = Table.objects.exclude(pk=table.pk).get()
    assert f"{reverse('export-table', args=[again.code])}?imported=1" == response["Location"]
    assert 200 == nobody.get(response["Location"]).status_code
    assert role_at(again.grants.get().user, again) is Role.OWNER
    assert text == write_table(again)


def test_the_owner_who_brings_his_own_table_has_two_of_it(ana, owner, table, finished):
    bring(ana, write_table(table))
    assert 2 == Table.objects.filter(grants__user=owner).count()
    assert 2 == len(set(Table.objects.values_list("code", flat=True)))


def test_a_double_tap_brings_it_once_and_another_file_is_another_table(ana, table, finished):
    key = a_key()
    text = write_table(table)
    first, second = bring(ana, text, key=key), bring(ana, text, key=key)
    assert first["Location"] == second["Location"]
    bring(ana, text.replace(table.name, "Otra"), key=key)
    assert 3 == Table.objects.count()


def test_a_bad_file_is_told_in_sentences_and_nobody_becomes_a_guest(nobody, table, finished):
    whole = json.loads(write_table(table))
    whole["games"][0]["batches"][1]["events"][0]["data"]["closer"] = "dani"
    response = bring(nobody, json.dumps(whole))
    assert 422 == response.status_code
    assert "sessionid" not in response.cookies
    (alert,) = read_page(response).alerts
    assert re.search(r"Game 1: Loba de Menos, \d\d/\d\d/\d{4}: event 2 does not fit", alert)
    assert 1 == Table.objects.count()


def test_without_a_file_nothing_happens(ana):
    response = ana.post(ADDRESS, {"key": a_key()})
    assert (422, ["Choose the file of a table."]) == (response.status_code, read_page(response).alerts[-1:])


def test_a_key_that_is_none_is_refused(ana, table):
    response = ana.post(
        ADDRESS, {"file": SimpleUploadedFile("x.json", write_table(table).encode()), "key": ""}
    )
    assert 422 == response.status_code
    assert 1 == Table.objects.count()


def test_a_file_that_is_too_large_is_not_read(ana, table, monkeypatch):
    monkeypatch.setattr(imports, "LARGEST", 100)
    response = bring(ana, write_table(table))
    assert 413 == response.status_code
    assert "too large" in read_page(response).alerts[-1]
    assert 1 == Table.objects.count()


def test_a_file_that_would_keep_everybody_waiting_is_for_the_command_line(
    ana, table, game, write, monkeypatch
):
    for _time in range(3):
        write(game, a_round("ana", beto=5, caro=7, dani=9))
    write(game, Corrected(2, a_round("ana", beto=6, caro=7, dani=9)))
    write(game, Corrected(2, a_round("ana", beto=7, caro=7, dani=9)))
    text = write_table(table)
    monkeypatch.setattr(
        imports, "PATIENCE", 10
    )  # the first correction plays five events again, the second six
    response = bring(ana, text)
    assert (422, 1) == (response.status_code, Table.objects.count())
    (*_others, alert) = read_page(response).alerts
    assert alert.startswith("Game 1: Loba de Menos, ")
    assert alert.endswith(
        ": Too much was corrected to play it all again here. Whoever runs this site can bring it in from the command line."
    )
    monkeypatch.setattr(imports, "PATIENCE", 11)
    assert 302 == bring(ana, text).status_code


def test_too_many_files_have_to_wait(ana, table):
    for _time in range(imports.TRIED.most):
        bring(ana, "{}")
    response = bring(ana, write_table(table))
    assert (429, 1) == (response.status_code, Table.objects.count())
    assert ["Too many files. Wait 15 minutes."] == read_page(response).alerts[-1:]
