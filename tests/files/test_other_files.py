"""Files of other apps: each page says what a file seems to be, and where it can be imported."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.files.services import other_apps
from tests.factories import new_key
from tests.reader import read_page

SPLITWISE = "Date,Description,Category,Cost,Currency,Ana,Beto\n2024-06-05,Pizza,Food,20.00,EUR,10.00,-10.00\n"
LONG = "date,game,player,score\n2024-06-05,Chinchón,Ana,12\n2024-06-05,Chinchón,Beto,40\n"
PLAYS = json.dumps({"plays": [], "players": [], "games": []})
NIGHTS = "fecha;Ana;Beto\n31/5/24;300;-300\n"

SEEMS = [
    (b"", "This file is empty."),
    (b"\xff\xd8\xff\xe0JFIF", "This is a picture or a PDF."),
    (b"RIFF0000WEBPVP8 ", "This is a picture or a PDF."),
    (b"\x00\x00\x00\x18ftypheic", "This is a picture or a PDF."),
    (b"PK\3\4photo.jpg", "This is a compressed file"),
    (b"PK\3\4[Content_Types].xml xl/workbook.xml", "This is a spreadsheet's own file"),
    (PLAYS.encode(), "This looks like a file from BG Stats."),
    (SPLITWISE.encode(), "This looks like a list of expenses from Splitwise."),
    (LONG.encode(), "This has a row for each player."),
    (NIGHTS.encode(), "This looks like a spreadsheet."),
]


@pytest.mark.parametrize(
    ("content", "sentence"), SEEMS, ids=[message[:25] + str(i) for i, (_c, message) in enumerate(SEEMS)]
)
def test_advice_says_what_a_file_seems_to_be(content, sentence):
    seems = other_apps.find_advice(content)
    assert str(seems).startswith(sentence)


@pytest.mark.parametrize("content", [b'{"some": 1}', b"just a line", b"[1, 2]\n[3, 4]"])
def test_there_is_no_advice_about_an_unknown_file(content):
    assert other_apps.find_advice(content) is None


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["bring-file", "import-table", "import-nights"])
@pytest.mark.parametrize(("content", "sentence"), [SEEMS[1], SEEMS[6]], ids=["not JSON", "JSON"])
def test_each_page_shows_the_advice(ana, table, page, content, sentence):
    to = reverse(page, args=[] if page == "import-table" else [table.code])
    data = {"look": "1", "key": new_key(), "file": SimpleUploadedFile("file", content)}
    response = ana.post(to, data)
    (alert,) = read_page(response).alerts

    assert 422 == response.status_code
    assert alert.removeprefix("Nothing was imported. ").startswith(sentence)


@pytest.mark.django_db
def test_a_notebook_sent_to_the_wrong_page_is_passed_on_to_the_right_one(ana, table):
    data = {"look": "1", "key": new_key(), "file": SimpleUploadedFile("noches.csv", NIGHTS.encode())}
    response = ana.post(reverse("bring-file", args=[table.code]), data)
    page, carried = (
        read_page(response),
        response.content.decode().split('name="text" hidden>')[1].split("<")[0],
    )
    to = next(button.attrs["formaction"] for button in page.every("button") if "formaction" in button.attrs)
    preview = read_page(ana.post(to, {"look": "1", "text": carried}))
    no_table_yet = read_page(
        ana.post(reverse("import-table"), {**data, "file": SimpleUploadedFile("a", NIGHTS.encode())})
    )

    assert "1 game, 31/05/2024" in preview.only(class_="said").text
    assert reverse("bring") == no_table_yet.link("Create a table from an old notebook")
