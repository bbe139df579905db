"""The page that imports a table's file into a table: asked, previewed, imported, reverted, or refused."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.files.services import file_writer
from games.models import Table
from tests.factories import make_table, make_user, new_key, start, with_new_codes
from tests.files.test_table_files import put
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("new_window")]


@pytest.fixture
def file():
    """The file of another table with a game in progress, where Beto is spelled with an accent."""
    cabin = make_table(owner := make_user("cabin"), people=("Ana", "Béto", "Primo"), name="La cabaña")
    start(cabin, owner)
    return with_new_codes(file_writer.write_table(cabin))


def send(client, table, file, **fields):
    data = {"file": SimpleUploadedFile("mesa.json", file if isinstance(file, bytes) else file.encode())}
    return client.post(reverse("bring-file", args=[table.code]), {**data, **fields})


def preview_fields(page):
    """Return the hidden fields of the preview's form, and its choices."""
    form = page.only("form", enctype="multipart/form-data")
    return {field.attrs["name"]: field.attrs.get("value", "") for field in form.every("input", type="hidden")}


def test_who_is_alike_is_asked_then_what_comes_is_shown_brought_and_undone(ana, table, file):
    question = read_page(send(ana, table, file, look="1"))
    assert "Who is Béto here?" in question.only("main").text
    response = send(ana, table, file, look="1", **{"who-beto": ""})
    assert (422, "Choose who this is, each person once.") == (
        response.status_code,
        read_page(response).only(id="who-beto-error").text,
    )
    answers = {"who-beto": "beto", "who-primo": "+"}
    page = read_page(send(ana, table, file, look="1", **answers))
    lines = [row.text for row in page.only(class_="said").every("li")]
    assert lines[0].startswith("1 game, ")
    assert ["New at this table: Primo"] == lines[1:]
    assert 0 == table.games.count()

    response = send(ana, table, file, take="1", **preview_fields(page), **answers)
    assert (302, 1, 5) == (response.status_code, table.games.count(), table.members.count())
    done = read_page(ana.get(response["Location"]))
    assert ["Everything was imported."] == done.notices
    again = read_page(send(ana, table, file, look="1", **{"who-beto": "beto"}))
    assert "Nothing new: everything in it is already here" in again.only("main").text
    (row,) = done.only(id="arrivals").every("li")
    assert row.text.startswith("mesa.json 1 game · ")
    out = {"remove": done.only("button", name="remove").attrs["value"]}
    without = read_page(ana.post(response["Location"], out))
    assert ["Ana $0", "Beto $0"] == [link.text[2:] for link in without.only(id="arrivals").every("a")[:2]]
    assert 1 == table.games.filter(discarded_at=None).count()
    ana.post(response["Location"], {"undo": without.only("button", name="undo").attrs["value"]})
    assert 0 == table.games.filter(discarded_at=None).count()
    page = read_page(ana.get(response["Location"]))
    assert ([], [], True) == (
        page.notices,
        page.every("button", name="remove"),
        "removed by" in page.only(id="arrivals").text,
    )


def test_another_file_than_the_one_that_was_previewed_is_shown_again(ana, table, file):
    answers = {"who-beto": "beto", "who-primo": "+"}
    page = read_page(send(ana, table, file, look="1", **answers))
    response = send(
        ana, table, file.replace("La cabaña", "Otra"), take="1", **preview_fields(page), **answers
    )
    assert (409, 0) == (response.status_code, table.games.count())
    assert (
        "Not saved: this has changed in the meantime. Check it and try again." in read_page(response).notices
    )


BAD = (
    (put("games", 0, "batches", 0, "events", 0, "data", "variant", "truco"), "Game 1: "),
    (lambda _whole: " " * 12 * 2**20, "This file is too large."),
    (lambda _whole: "", "Choose a table file."),
    (lambda _whole: '{"format": "otra"}', "This is not a table file"),
)


IN_OTHER_MONEY = put("table", "unit", "€"), "This file counts in €, this table in $."


@pytest.mark.parametrize(
    ("page_name", "cases"), [("import-table", BAD), ("bring-file", (*BAD, IN_OTHER_MONEY))]
)
def test_a_bad_file_is_refused_next_to_the_field_and_nothing_is_lost(
    subtests, ana, table, file, page_name, cases
):
    address = reverse(page_name, args=[table.code] if page_name == "bring-file" else [])
    before = file_writer.write_table(table)
    for spoil, sentence in cases:
        with subtests.test(sentence):
            whole = json.loads(file)
            text = spoil(whole)
            upload = SimpleUploadedFile("mesa.json", (json.dumps(whole) if text is None else text).encode())
            files = {} if text == "" else {"file": upload}
            response = ana.post(address, {**files, "key": new_key(), "look": "1"})
            page = read_page(response)
            assert 422 == response.status_code
            assert any(alert.startswith(sentence) for alert in page.alerts), page.alerts
            assert "true" == page.only("input", type="file").attrs["aria-invalid"]
            assert (before, 2) == (file_writer.write_table(table), Table.objects.count())
