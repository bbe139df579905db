"""Rows and columns of an old notebook that may be sums: which are offered, what a tick changes, what is said."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.files.services import notebook_games, notebook_reader, notebook_subtotals
from games.files.services.notebook_reader import Figures
from games.models import Table
from tests.examples import examples
from tests.notebook_imports import TODAY

POINTS = Figures.FEWEST_WIN
DOUBLE_OR_NOTHING = "fecha;Ana;Beto\n1/5/26;300;-300\n;-100;100\n;200;-200\n"
# Ana has the points of Beto and Caro together, each night.
THREE_NIGHTS = "fecha;Ana;Beto;Caro\n1/5/26;10;4;6\n8/5/26;7;7;0\n15/5/26;12;5;7\n"


def read(text, figures=Figures.MONEY, ticked=()):
    """Return the notebook with the boxes of these lines and columns ticked."""
    table = Table(unit="$", decimals=0, timezone="UTC")

    def read_with(keys):
        return notebook_reader.read_notebook(text, table, today=TODAY, figures=figures, ticked=keys)

    keys = {name_of(each): str(each.key) for each in read_with(()).possible_sums}
    notebook = read_with([keys[name] for name in ticked])
    notebook_games.build_contents(table, notebook)
    return notebook


def name_of(possible_sum):
    return possible_sum.text if possible_sum.key.place >= 0 else possible_sum.key.line


def totals(notebook):
    """Return everybody's total. Assert that nothing was refused."""
    assert [] == [str(problem.text) for problem in notebook.problems]
    sums: dict[str, int] = {}
    for night in notebook.nights:
        for name, figure in night.results.items():
            sums[name] = sums.get(name, 0) + figure
    return sums


def left_out(notebook):
    return [name_of(each) for each in notebook.possible_sums if not each.is_counted]


def counted(notebook):
    return [name_of(each) for each in notebook.possible_sums if each.is_counted]


# --- rows -------------------------------------------------------------------------------------------------------------

HEAD = "fecha;Ana;Beto;Caro\n"
TWO_NIGHTS = "31/5/24;300;-200;-100\n7/6/24;-50;50;0\n"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (TWO_NIGHTS + "Total;250;-150;-100\n", [4]),
        (TWO_NIGHTS + "TOTALES;;;\n", [4]),
        (TWO_NIGHTS + ";250;-150;-100\n", [4]),
        (TWO_NIGHTS + "junio;250;-150;-100\n", [4]),
        (TWO_NIGHTS + "Total junio:;250;-150;-100\nGran total;250;-150;-100\n", [4, 5]),
        (TWO_NIGHTS + ";250;-150;-100\n;250;-150;-100\n", [4, 5]),
        ("31/5/24;300;-200;-100\nTotal mayo;300;-200;-100\n7/6/24;-50;50;0\n", [3]),
        (TWO_NIGHTS + "Σ;250;-150;-100\n", [4]),
    ],
)
def test_a_row_of_sums_is_left_out(rows, lines):
    notebook = read(HEAD + rows)

    assert ({"Ana": 250, "Beto": -150, "Caro": -100}, lines) == (totals(notebook), left_out(notebook))
    assert lines == notebook.report.left_out_lines


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_a_total_may_stand_beside_the_dates_in_a_column_without_a_name(separator):
    text = f";{HEAD};31/5/24;300;-200;-100\n;7/6/24;-50;50;0\nTotal;;250;-150;-100\n".replace(";", separator)

    assert [4] == left_out(read(text))
    assert 500 == totals(read(text, ticked=[4]))["Ana"]


def test_double_or_nothing_counts_once_its_box_is_ticked():
    assert ({"Ana": 200, "Beto": -200}, [4]) == (
        totals(notebook := read(DOUBLE_OR_NOTHING)),
        left_out(notebook),
    )
    assert {"Ana": 400, "Beto": -400} == totals(read(DOUBLE_OR_NOTHING, ticked=[4]))


def test_subtotals_of_each_month_and_their_total_are_found_with_labels_and_without():
    month = "{0}/{1}/24;3;-3\n{2}/{1}/24;4;-4\n"
    for label in ("Subtotal", ""):
        rows = "".join(f"{month.format(1, number, 8)}{label};7;-7\n" for number in (1, 2, 3))
        notebook = read(f"fecha;Ana;Beto\n{rows}{label};21;-21\n")
        assert ({"Ana": 21, "Beto": -21}, [4, 7, 10, 11]) == (totals(notebook), left_out(notebook))


def test_running_totals_are_found_even_after_a_single_night():
    rows = "1/5/24;3;-3\n;3;-3\n2/5/24;-5;5\n;-2;2\n3/5/24;2;-2\n;0;0\n4/5/24;9;-9\n;9;-9\n"
    notebook = read(f"fecha;Ana;Beto\n{rows}")

    assert ({"Ana": 9, "Beto": -9}, [3, 5, 7, 9]) == (totals(notebook), left_out(notebook))


@pytest.mark.parametrize(
    ("rows", "ana"),
    [
        ("31/5/24;1;-1\n;1;-1\n", 2),  # a second game with the same figures
        ("31/5/24;1;-1\n7/6/24;1;-1\n14/6/24;2;-2\n", 4),  # a row with a date
        ("31/5/24;1;-1\n;-1;1\n;0;0\n", 0),  # a game that nobody won
    ],
)
def test_other_rows_count_without_a_question(rows, ana):
    notebook = read("fecha;Ana;Beto\n" + rows)

    assert (ana, []) == (totals(notebook)["Ana"], notebook.possible_sums)


def test_a_tick_does_not_change_what_is_asked_about_the_other_rows():
    text = DOUBLE_OR_NOTHING + ";400;-400\n"  # and once more

    for ticked, ana in (([], 200), ([4], 400), ([5], 600), ([4, 5], 800)):
        notebook = read(text, ticked=ticked)
        assert (ana, [4, 5]) == (
            totals(notebook)["Ana"],
            [name_of(each) for each in notebook.possible_sums],
        )


def test_a_ticked_total_belongs_to_the_night_above_or_has_its_own_date():
    text = "fecha;Ana;Beto\n31/5/24;3;-3\nTotal;3;-3\nTotal 7/6/24;3;-3\n"
    days = [date(2024, 5, 31), date(2024, 5, 31), date(2024, 6, 7)]

    assert days == [night.day for night in read(text, ticked=[3, 4]).nights]


# --- columns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "Total",
        "TOTALES",
        "Suma",
        "Sum",
        "Saldo final",
        "Gran total",
        "Running total",
        "Ana (acum.)",
        "Sub-total",
        "Σ",
    ],
)
def test_a_column_called_a_sum_is_left_out_and_counts_when_ticked(name):
    text = f"fecha;Ana;{name};Beto\n31/5/24;10;30;20\n7/6/24;5;9;4\n"

    assert ({"Ana": 15, "Beto": 24}, [name]) == (totals(notebook := read(text, POINTS)), left_out(notebook))
    assert ({"Ana": 15, name: 39, "Beto": 24}, []) == (
        totals(notebook := read(text, POINTS, ticked=[name])),
        left_out(notebook),
    )


@pytest.mark.parametrize("name", ["Todos", "Sumaya", "Toto", "Tota", "Bala", "Ana"])
def test_a_person_whose_figures_are_no_sum_counts_without_a_question(name):
    notebook = read(f"fecha;{name};Beto;Caro\n31/5/24;10;20;30\n7/6/24;5;4;7\n", POINTS)

    assert (15, []) == (totals(notebook)[name], notebook.possible_sums)


def test_a_person_whose_figures_are_always_the_sum_of_the_others_counts_unless_ticked():
    assert ({"Ana": 29, "Beto": 16, "Caro": 13}, ["Ana"]) == (
        totals(notebook := read(THREE_NIGHTS, POINTS)),
        counted(notebook),
    )
    assert {"Beto": 16, "Caro": 13} == totals(read(THREE_NIGHTS, POINTS, ticked=["Ana"]))


def test_a_column_of_zeros_beside_money_that_adds_up_counts_unless_ticked():
    text = "fecha;Ana;Beto;Mesa\n31/5/24;300;-300;0\n7/6/24;-50;50;0\n"

    assert ["Mesa"] == counted(read(text))
    assert {"Ana": 250, "Beto": -250} == totals(read(text, ticked=["Mesa"]))


def test_a_column_that_adds_up_with_a_person_called_a_sum_is_offered_once_that_person_counts():
    text = "fecha;Ana;Suma;Mesa\n31/5/24;1;2;3\n7/6/24;4;4;8\n"

    assert [] == counted(read(text, POINTS))
    assert ["Suma", "Mesa"] == counted(read(text, POINTS, ticked=["Suma"]))


def test_a_tick_at_a_column_that_no_longer_adds_up_is_said_and_works_again_when_it_does():
    ticked = [str(read(THREE_NIGHTS, POINTS).possible_sums[0].key)]
    table = Table(unit="$", decimals=0)
    typing = THREE_NIGHTS + "22/5/26;3"

    def read_ticked(text):
        return notebook_reader.read_notebook(text, table, today=TODAY, figures=POINTS, ticked=ticked)

    notebook = read_ticked(typing)
    assert ["The column “Ana” no longer looks like a sum, so it counts."] == [*map(str, notebook.lost_ticks)]
    assert ticked == [*map(str, notebook.kept_ticks)]
    assert ({"Beto": 18, "Caro": 14}, []) == (
        totals(notebook := read_ticked(typing + ";2;1\n")),
        notebook.lost_ticks,
    )


# --- a refusal names the box that would help ------------------------------------------------------------------------------

ADDS = "Wins and losses don't add up to zero."
TICKED = "It counts because its box below is ticked."


@pytest.mark.parametrize(
    ("text", "ticked", "problems"),
    [
        (
            "fecha;Ana;Beto;Total\n31/5/24;300;-200;-100\n7/6/24;5;-5;0\n",
            [],
            [(2, ADDS, "With the column “Total” it adds up to zero: its box is below.")],
        ),
        (
            "fecha;Ana;Beto;Total\n31/5/24;300;-300;300\n",
            ["Total"],
            [(2, ADDS, "Without the column “Total” it adds up to zero: its box is below.")],
        ),
        (
            "fecha;Ana;Beto;Pozo\n31/5/24;300;-300;600\n7/6/24;5;-5;10\n8/6/24;5;-6;10\n",
            [],
            [
                (2, ADDS, "Without the column “Pozo” it adds up to zero: its box is below."),
                (3, ADDS, "Without the column “Pozo” it adds up to zero: its box is below."),
                (4, ADDS, None),
            ],
        ),
        ("fecha;Ana;Beto;Mesa\n31/5/24;300;-300;0\n7/6/24;5;-7;0\n", [], [(3, ADDS, None)]),
        ("fecha;Ana;Beto\n31/5/24;3;-3\nTotal;3;3\n", [3], [(3, ADDS, TICKED)]),
        (
            "fecha;Ana;Beto\nTotal;3;-3\n31/5/24;3;-3\n",
            [2],
            [(2, "This line has no date, and there is none above it.", TICKED)],
        ),
        (
            "fecha;Ana;Beto\nTotal;3;-3\n",
            [],
            [(0, "All lines are left out as sums: their boxes are below.", None)],
        ),
        (
            "fecha;Suma;Saldo\n31/5/24;300;-300\n",
            [],
            [(2, "This night has no results.", "The column “Suma” is left out: its box is below.")],
        ),
        (
            "fecha;Ana;Total\n31/5/24;300;-300\n",
            [],
            [
                (
                    2,
                    "A night has 2 to 20 players.",
                    "With the column “Total” it adds up to zero: its box is below.",
                )
            ],
        ),
    ],
)
def test_a_refusal_names_the_box_that_would_make_the_line_add_up(text, ticked, problems):
    assert problems == [
        (problem.line, str(problem.text), problem.cure and str(problem.cure))
        for problem in read(text, ticked=ticked).problems
    ]


# --- ticks of lines that changed ------------------------------------------------------------------------------------------

CHANGED = "Line {} changed after its box was ticked: look at it again."


@pytest.mark.parametrize(
    ("before", "after", "lost", "kept"),
    [
        (";200;-200", ";250;-250", [4], 1),  # it counts by itself now
        (";200;-200", "Total;200;-200", [4], 1),
        ("fecha", "\nfecha", [4], 1),  # the same row, in another line
        (";200;-200\n", "", [4], 1),
        ("1/5/26;300;-300", "1/5/26;400;-400", [], 1),  # the ticked row is no sum any longer, and counts
        ("fecha", "día", [], 0),
        ("fecha;Ana;Beto", "", [], 1),  # unreadable for now
    ],
)
def test_a_tick_is_lost_with_a_word_if_its_line_changes(before, after, lost, kept):
    ticked = [str(read(DOUBLE_OR_NOTHING).possible_sums[0].key)]
    text = DOUBLE_OR_NOTHING.replace(before, after)
    notebook = notebook_reader.read_notebook(text, Table(unit="$", decimals=0), today=TODAY, ticked=ticked)

    assert ([CHANGED.format(line) for line in lost], kept) == (
        [*map(str, notebook.lost_ticks)],
        len(notebook.kept_ticks),
    )


def test_a_lost_tick_is_forgotten_once_the_line_or_the_same_cells_are_ticked_again():
    old = str(read(DOUBLE_OR_NOTHING).possible_sums[0].key)
    for text in (
        DOUBLE_OR_NOTHING.replace(";200;-200", "Total;200;-200"),
        f"Los jueves\n{DOUBLE_OR_NOTHING}",
    ):
        new = str(read(text).possible_sums[0].key)
        notebook = notebook_reader.read_notebook(
            text, Table(unit="$", decimals=0), today=TODAY, ticked=[old, new]
        )
        assert ([], [], [True]) == (
            notebook.lost_ticks,
            notebook.kept_ticks,
            [each.is_ticked for each in notebook.possible_sums],
        )


def test_a_tick_at_a_column_is_lost_with_a_word_if_the_names_change():
    text = "fecha;Ana;Beto;Total\n31/5/24;1;2;3\n"
    ticked = [str(read(text, POINTS).possible_sums[0].key)]
    notebook = notebook_reader.read_notebook(
        text.replace("Beto", "Bea"), Table(), today=TODAY, figures=POINTS, ticked=ticked
    )

    assert ([CHANGED.format(1)], ["Total"]) == ([*map(str, notebook.lost_ticks)], left_out(notebook))


@pytest.mark.parametrize(
    "key", ["", "4", "x-52c101adf367", "4-52c101adf367-", "٤-52c101adf367", "4-" + "a" * 99]
)
def test_another_text_is_no_key(key):
    assert None is notebook_subtotals.SumKey.parse(key)


# --- nothing is dropped without a word ---------------------------------------------------------------------------------------


def test_the_report_counts_and_quotes_what_is_not_read():
    report = read(
        "El cuaderno;de los jueves\nsep=;\nfecha;Ana;Beto;Dani\nvie. 31/5/24 21:30;3;-3;x\n;;;\n"
        "lunes 1/6/24, en lo de Ana;3;-3;-\n2024-06-02T00:00:00;3;-3;X\n\n"
    ).report

    assert (3, 3, 1) == (report.rows, report.nights, report.empty_rows)
    assert {"El cuaderno de los jueves": 1} == report.above_names
    assert ["Dani"] == report.empty_columns
    assert {"21:30": 1, "lunes": 1, "en lo de Ana": 1} == report.day_notes  # that was a Saturday
    assert {"x": 1, "-": 1, "X": 1} == report.absences


def test_only_some_texts_are_quoted_and_the_others_counted():
    rows = "".join(f"1/6/24 nota {number};3;-3\n" for number in (1, 2, 2, 3, 4, 5))

    assert {"nota 1": 1, "nota 2": 2, "nota 3": 1, "…": 2} == read("fecha;Ana;Beto\n" + rows).report.day_notes


def test_a_row_without_a_date_above_all_nights_is_refused_at_its_line():
    (problem,) = read("fecha;Ana;Beto\n;3;-3\n31/5/24;3;-3\n").problems

    assert (2, "This line has no date, and there is none above it.") == (problem.line, str(problem.text))


# --- laws -------------------------------------------------------------------------------------------------------------


@st.composite
def notebooks(draw):
    """Draw a notebook of points with small figures, so that many rows and columns add up."""
    names = draw(st.lists(st.sampled_from(["Ana", "Beto", "Caro", "Total", "Suma"]), min_size=2, unique=True))
    cell = st.sampled_from(["0", "1", "1", "2", "3", "x", ""])
    rows = [f"fecha;{';'.join(names)}"]
    for number in range(draw(st.integers(1, 7))):
        day = (date(2024, 1, 1) + timedelta(number)).isoformat()
        label = day if not number else draw(st.sampled_from([day, "", "", "Total"]))
        rows.append(";".join((label, *draw(st.tuples(*[cell] * len(names))))))
    return "\n".join(rows)


@given(notebooks(), st.data())
@examples(300)
def test_every_row_and_column_counts_as_its_box_says_and_no_other_is_dropped(text, data):
    """The oracle adds up the cells of the text."""
    offered = read(text, POINTS).possible_sums
    ticked = data.draw(
        st.lists(st.sampled_from([*map(name_of, offered)]), unique=True) if offered else st.just([])
    )
    notebook = read(text, POINTS, ticked=ticked)
    out = set(left_out(notebook))
    lines = [line.split(";") for line in text.splitlines()]
    expected = {
        (number, name): int(cell)
        for number, row in enumerate(lines[1:], start=2)
        for name, cell in zip(lines[0][1:], row[1:], strict=True)
        if cell.isdigit() and number not in out and name not in out
    }

    assert expected == {
        (night.line, name): figure for night in notebook.nights for name, figure in night.results.items()
    }
    report = notebook.report
    assert len(lines) - 1 == report.rows + report.empty_rows
    assert report.rows == report.nights + len(report.left_out_lines)
    rows = {each.key for each in notebook.possible_sums if each.key.place < 0}
    assert rows == {each.key for each in offered if each.key.place < 0}
