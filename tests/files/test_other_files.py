"""Files of other apps and sums in a notebook: each is named, and nothing is counted twice."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.files.services import notebook_reader, other_apps
from games.files.services.notebook_reader import Figures
from games.models import Table
from tests.factories import new_key
from tests.notebook_imports import TODAY
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


# --- sums in a notebook ----------------------------------------------------------------------------------------------


def read(text, figures=Figures.MONEY):
    notebook = notebook_reader.read_notebook(text, Table(unit="$", decimals=0), today=TODAY, figures=figures)
    assert [] == notebook.problems
    sums: dict[str, int] = {}
    for night in notebook.nights:
        for name, figure in night.results.items():
            sums[name] = sums.get(name, 0) + figure
    return len(notebook.nights), sums, [str(text) for text in notebook.skipped_sums]


ROW, COLUMN = (
    "Line {} is a sum of the rows above: it is skipped.",
    "The column “{}” is a sum of others: it is skipped.",
)
TWO_NIGHTS = "31/5/24;300;-200;-100\n7/6/24;-50;50;0\n"


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (TWO_NIGHTS + "Total;250;-150;-100\n", 4),
        (TWO_NIGHTS + "TOTALES;;;\n", 4),
        (TWO_NIGHTS + ";250;-150;-100\n", 4),
        ("31/5/24;300;-200;-100\nTotal mayo;300;-200;-100\n7/6/24;-50;50;0\n", 3),
    ],
)
def test_a_row_of_sums_is_skipped_and_named(rows, line):
    expected = (2, {"Ana": 250, "Beto": -150, "Caro": -100}, [ROW.format(line)])

    assert expected == read("fecha;Ana;Beto;Caro\n" + rows)


def test_a_column_that_is_called_a_sum_is_skipped():
    text = "fecha;Ana;Beto;Total;Control\n31/5/24;300;-300;0;ok\n7/6/24;-50;50;0;?\n"

    assert (2, {"Ana": 250, "Beto": -250}, [COLUMN.format("Total"), COLUMN.format("Control")]) == read(text)


def test_a_column_that_adds_up_in_every_row_is_skipped_whatever_its_name():
    rows = [(10, 20), (5, 0), (7, 8)]
    text = "fecha;Ana;Beto;Mesa\n" + "".join(
        f"{day}/5/24;{a};{b};{a + b}\n" for day, (a, b) in enumerate(rows, 1)
    )

    assert (3, {"Ana": 22, "Beto": 28}, [COLUMN.format("Mesa")]) == read(text, Figures.FEWEST_WIN)


def test_a_column_that_adds_up_only_once_is_a_person():
    text = "fecha;Ana;Beto;Caro\n1/5/24;10;20;30\n2/5/24;10;5;15\n3/5/24;10;5;8\n"

    assert (3, {"Ana": 30, "Beto": 30, "Caro": 53}, []) == read(text, Figures.FEWEST_WIN)


def test_a_second_game_of_a_night_with_the_figures_of_the_first_is_a_game():
    assert (2, {"Ana": 2, "Beto": -2}, []) == read("fecha;Ana;Beto\n31/5/24;1;-1\n;1;-1\n")
