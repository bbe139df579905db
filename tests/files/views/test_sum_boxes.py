"""Boxes for what may be a sum in an old notebook, on the page of a new table and at a table, without scripts."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import Game, Result, Table
from tests.factories import make_user
from tests.notebook_imports import run_nights_import
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db

DOUBLE_OR_NOTHING = "fecha;Ana;Beto\n31/5/2024;300;-300\n;-100;100\n;200;-200\n"
TOTAL = "fecha;Ana;Beto;Total\n31/5/2024;300;-200;-100\n17/6/2024;50;-30;-20\n"
POINTS = "fecha;Ana;Beto;Caro\n13/5/2024;10;4;6\n18/5/2024;7;7;0\n25/5/2024;12;5;7\n"


class NewTable:
    """The form that creates a table from a notebook, with its keys and the status of a changed preview."""

    read_key, import_key, at_change = "Read it first", "Create the table", 200

    def __init__(self, client, table):
        self.walker, self.text = Walker(client), ""
        self.walker.open(self.address(table))

    def address(self, _table):
        return "/bring/?what=notebook"

    def read(self, text, **fields):
        """Send the form with this text to be read and return the page."""
        return self._send(self.read_key, text, fields)

    def bring(self, text="", **fields):
        """Send the form to be imported, perhaps with another text, and return the page."""
        return self._send(self.import_key, text, fields)

    def _send(self, key, text, fields):
        self.text = text or self.text  # whose line breaks the reader of pages drops
        return self.walker.send(key, {"text": self.text, **fields})


class AtTable(NewTable):
    """The form that imports a notebook into a table."""

    read_key, import_key, at_change = "Preview first", "Import", 409

    def address(self, table):
        return reverse("import-nights", args=[table.code])


@pytest.fixture(params=[NewTable, AtTable])
def form(request, ana, table):
    return request.param(ana, table)


def boxes(page):
    """Return each box as its label reads, with a ✓ if it is ticked."""
    return [
        ("✓ " if "checked" in label.only("input").attrs else "") + label.text
        for label in page.every("label", class_="opt")
        if label.every("input", type="checkbox")
    ]


def ticks(page):
    """Return the fields of all boxes, ticked."""
    return {box.attrs["name"]: "yes" for box in page.every("input", type="checkbox")}


def report(page):
    return [sentence.text for sentence in page.only("ul", id="report").every("li")]


def nets():
    totals: dict[str, int] = {}
    for name, net in Result.objects.values_list("member__name", "net"):
        totals[name] = totals.get(name, 0) + net
    return totals


def test_double_or_nothing_is_asked_ticked_shown_again_and_counted(form):
    page = form.read(DOUBLE_OR_NOTHING)
    assert ["Count line 4: “200 · -200” It is the sum of lines above."] == boxes(page)
    assert ["Lines read: 3 · counted: 2 · left out: 1"] == report(page)

    page = form.bring(**ticks(page))
    assert (form.at_change, 0) == (form.walker.status, Game.objects.count())
    assert ["✓ Count line 4: “200 · -200” It is the sum of lines above."] == boxes(page)
    assert ["Lines read: 3 · counted: 3 · left out: 0"] == report(page)

    page = form.bring()
    assert {"Ana": 400, "Beto": -400} == nets()
    assert ["Everything was imported."] == page.notices
    assert ["Lines read: 3 · counted: 3 · left out: 0"] == report(page)


def test_without_the_tick_the_page_after_the_import_says_what_was_left_out(form):
    form.read(DOUBLE_OR_NOTHING)
    page = form.bring()

    assert {"Ana": 200, "Beto": -200} == nets()
    assert ["Imported. A part of the notebook was left out."] == page.notices
    assert ["Lines read: 3 · counted: 2 · left out: 1", "Left out as sums: line 4"] == report(page)


def test_the_page_after_the_import_says_all_that_is_not_kept(form):
    text = "Los jueves\nfecha;Ana;Beto;Dani;Total\n31/5/24 21:30;3;-3;x;0\n;;;;\n17/6/24;5;-5;–;0\nTotal;8;-8;;0\n"
    notes = [
        "Left out above the column names: “Los jueves”",
        "Left out, because it has no figures: “Dani”",
        "Left out beside the dates: “21:30”",
        "Read as “was not there”: “x”, “–”",
        "Empty lines: 1",
    ]
    page = form.read(text)
    assert ["Lines read: 3 · counted: 2 · left out: 1", *notes] == report(page)
    page = form.bring()
    sums = "Left out as sums: line 6, the column “Total”"
    assert ["Lines read: 3 · counted: 2 · left out: 1", sums, *notes] == report(page)
    assert [] == read_page(form.walker.client.get(form.walker.address)).every(id="report")


def test_a_refusal_names_the_box_that_counts_the_column_and_keeps_its_tick(form):
    with_total = "With the column “Total” it adds up to zero: its box is below."
    page = form.read(TOTAL)
    assert 422 == form.walker.status
    assert [f"Line {line}: Wins and losses don't add up to zero. {with_total}" for line in (2, 3)] == [
        alert for alert in page.alerts if alert.startswith("Line")
    ]
    assert ["Count the column “Total” It is called a sum."] == boxes(page)

    page = form.read(TOTAL.replace("-20\n", "-30\n"), **ticks(page))
    without_total = "Without the column “Total” it adds up to zero: its box is below."
    assert 422 == form.walker.status
    assert ["✓ Count the column “Total” It is called a sum."] == boxes(page)
    assert ["Line 3: Wins and losses don't add up to zero."] == [
        alert for alert in page.alerts if alert.startswith("Line")
    ]
    assert without_total not in page.text

    page = form.read(TOTAL)
    form.bring()
    assert {"Ana": 350, "Beto": -230, "Total": -120} == nets()


def test_a_person_with_the_points_of_two_others_is_there_and_can_be_left_out(form):
    page = form.read(POINTS, figures="most")
    assert ["Leave out the column “Ana” Its figures are the sum of the others."] == boxes(page)
    assert "Ana 3 games" in page.only("main").text
    page = form.bring(**ticks(page))
    assert "Ana 3 games" not in page.only("main").text
    page = form.bring()
    assert {"Beto", "Caro"} == set(Result.objects.values_list("member__name", flat=True))
    assert "Left out as sums: the column “Ana”" in report(page)


def test_a_line_that_changes_loses_its_tick_with_a_word(form):
    page = form.read(DOUBLE_OR_NOTHING)
    page = form.bring(**ticks(page))
    changed = DOUBLE_OR_NOTHING.replace(";200;-200", "Total;200;-200")
    page = form.bring(changed)

    assert ["Line 4 changed after its box was ticked: look at it again."] == [
        sentence.text for sentence in page.only(id="lost-ticks").every("li")
    ]
    assert ["Count line 4: “Total · 200 · -200” It is called a sum."] == boxes(page)
    assert 0 == Game.objects.count()

    page = form.bring(**ticks(page))
    assert [] == page.every(id="lost-ticks")
    assert ["✓ Count line 4: “Total · 200 · -200” It is called a sum."] == boxes(page)


def test_a_line_that_becomes_a_sum_after_the_preview_is_shown_before_the_import(form):
    """The nights stay the same, so only the rows left out tell the previews apart."""
    text = DOUBLE_OR_NOTHING.removesuffix(";200;-200\n")
    form.read(text)
    page = form.bring(DOUBLE_OR_NOTHING)

    assert (form.at_change, 0) == (form.walker.status, Game.objects.count())
    assert ["Count line 4: “200 · -200” It is the sum of lines above."] == boxes(page)


def test_a_tick_survives_a_text_that_cannot_be_read_for_now(form):
    page = form.read(DOUBLE_OR_NOTHING)
    tick = ticks(page)
    for text in ('"' + DOUBLE_OR_NOTHING, "Ana;Beto\n1;2\n", " "):
        form.bring(text, **tick) if tick else form.read(text)
        assert 422 == form.walker.status
        tick = {}
    page = form.read(DOUBLE_OR_NOTHING)
    assert ["✓ Count line 4: “200 · -200” It is the sum of lines above."] == boxes(page)


def test_many_boxes_stand_in_a_fold_that_is_open_while_one_of_them_is_ticked(form):
    rows = "".join(f"{number}/5/2024;1;-1\nTotal;{number};-{number}\n" for number in range(13, 21))
    page = form.read(f"fecha;Ana;Beto\n{rows}")
    names = [*ticks(page)]
    (fold,) = (fold for fold in page.every("details") if fold.every("input", type="checkbox"))
    assert (8, 3, "… and 3 more.", False) == (
        len(names),
        len(fold.every("input", type="checkbox")),
        fold.only("summary").text,
        "open" in fold.attrs,
    )

    page = form.bring(**{names[-1]: "yes"})
    (fold,) = (fold for fold in page.every("details") if fold.every("input", type="checkbox"))
    assert "open" in fold.attrs


def test_a_double_tap_repeats_the_report_of_the_import(ana, table):
    to = reverse("import-nights", args=[table.code])
    run_nights_import(table, "fecha;Ana;Beto\n31/5/2024;300;-300\n")
    page = read_page(ana.post(to, {"text": DOUBLE_OR_NOTHING, "look": "1"}))
    known = "Lines read: 3 · counted: 1 · already here: 1 · left out: 1"
    assert [known] == report(page)
    data = {"text": DOUBLE_OR_NOTHING, "take": "1"} | {
        name: page.only("input", name=name).attrs["value"] for name in ("key", "seen")
    }
    pages = [read_page(ana.post(to, data, follow=True)) for _tap in range(2)]
    assert [[known, "Left out as sums: line 4"]] * 2 == [report(page) for page in pages]
    assert 2 == table.games.count()


def test_a_tick_marks_no_question_that_nobody_answered(ana, table):
    text = DOUBLE_OR_NOTHING.replace("Beto", "Tío Raúl")
    to = reverse("import-nights", args=[table.code])
    page = read_page(ana.post(to, {"text": text, "look": "1"}))
    response = ana.post(to, {"text": text, "look": "tick", "who-tio_raul": "", **ticks(page)})

    assert (200, 1) == (response.status_code, len(boxes(read_page(response))))


@pytest.mark.parametrize("name", ["Caro", "Total"], ids=["read", "refused"])
def test_a_file_beside_another_text_is_read_and_says_so(form, name):
    file = SimpleUploadedFile("noches.csv", TOTAL.replace("Total", name).encode())
    page = form.read(DOUBLE_OR_NOTHING, file=file)

    assert "The file was read, not the text in the box." == report(page)[0]
    assert f"Beto;{name}" in page.typed("text")


def test_another_owner_of_a_table_sees_no_report_of_an_import(ana, client_for, table):
    form = AtTable(ana, table)
    form.read(DOUBLE_OR_NOTHING)
    form.bring()
    other = make_user("otra")
    Table.objects.get(pk=table.pk).accesses.create(user=other, role="owner")

    assert [] == read_page(client_for(other).get(form.walker.address)).every(id="report")
