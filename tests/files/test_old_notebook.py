"""Importing an old notebook: parsing it, the resulting games, and that only what was previewed is stored."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import partial

import pytest
from django.utils.timezone import now

from games.common import regions
from games.files.services import (
    audit,
    file_reader,
    file_writer,
    import_preview,
    imports,
    notebook_cells,
    notebook_reader,
    table_import,
)
from games.files.services.notebook_reader import Figures
from games.models import Result, Table
from games.play.services import recording
from games.seasons.services import season_setup
from games.tables.services import membership
from tests.factories import end_season, load_balances, make_user, new_key
from tests.notebook_imports import TODAY, preview_nights, run_nights_import

A_NIGHT = "fecha;Ana;Beto;Caro\n31/05/2024;300;-200;-100\n"


def read(text):
    return notebook_reader.read_notebook(text, Table(unit="$", decimals=0), today=TODAY)


def problem_texts(notebook):
    return [(problem.line, str(problem.text)) for problem in notebook.problems]


def nights(notebook):
    assert [] == problem_texts(notebook)
    return [(night.day.isoformat(), [*night.results.items()]) for night in notebook.nights]


# --- dates and numbers, as their writers meant them ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("region", "text", "day"),
    [
        ("es-AR", "31/05/2024", date(2024, 5, 31)),
        ("es-AR", "01-02-2024", date(2024, 2, 1)),
        ("es-AR", " 2024-05-31T21:30:00 ", date(2024, 5, 31)),
        ("es-AR", "31/5/2024 21:30", date(2024, 5, 31)),
        ("es-AR", "Jueves, 30/5/2024", date(2024, 5, 30)),
        ("es-AR", "31/13/2024", None),
        ("es-AR", "hoy", None),
        ("en-US", "1/2/24", date(2024, 1, 2)),
        ("en-US", "31/5/2024", None),
        ("en-US", "2024-05-31", date(2024, 5, 31)),
    ],
)
def test_a_date_is_read_in_the_order_of_the_region_unless_the_year_comes_first(region, text, day):
    with regions.use_formats(region):
        assert day == notebook_cells.parse_day(text)


@pytest.mark.parametrize(
    ("text", "decimals", "number"),
    [
        ("23", 0, 23),
        ("−4", 0, -4),
        ("$ 1.000", 0, 1000),
        ("$ -1.000", 0, -1000),
        ("- $ 1,5", 2, -150),
        ("+50", 0, 50),
        ("1.234,50", 2, 123450),
        ("12,5", 0, None),
        ("3-5", 0, None),
        ("-3-", 0, None),
        ("12:30", 0, None),
        ("$" * 100_000 + "1" + "." * 100_000 + "x1", 0, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_money_won_or_lost_is_read_like_an_amount_with_a_sign_before_it(text, decimals, number):
    with regions.use_formats("es-AR"):
        assert number == notebook_cells.parse_figure(text, Table(unit="$", decimals=decimals))


def test_an_empty_cell_a_dash_or_a_word_for_absent_means_that_somebody_was_absent():
    cells = ["", " ", "—", "X", "no", "n/a", "Ausente", ".", "0", "-1", "no sé", "xx"]

    assert ["0", "-1", "no sé", "xx"] == [cell for cell in cells if not notebook_cells.is_absent(cell)]


# --- reading ----------------------------------------------------------------------------------------------------------

TWO = [("2024-05-31", [("Ana", 300), ("Beto", -300)]), ("2024-06-07", [("Ana", -50), ("Beto", 50)])]


@pytest.mark.parametrize("separator", ["\t", ";", ",", "|"])
@pytest.mark.parametrize(
    "rows",
    [
        ("fecha;Ana;Beto", "31/5/2024;300;-300", "7/6/2024;-50;50"),
        ("Ana;noche;Beto", "300;2024-05-31;-300", "-50;2024-06-07;50"),
        ("sep=;", "fecha;Ana;Beto", "31/5/2024;300;-300", "7/6/2024;-50;50"),
        ("El cuaderno de los jueves", "", "fecha;Ana;Beto", "vie 31/5/24;$ 300;-300", "7-6-24;−50;+50"),
    ],
)
def test_a_notebook_is_read_with_any_separator(separator, rows):
    assert TWO == nights(read("\n".join(row.replace(";", separator) for row in rows)))


def test_a_row_without_a_date_is_another_game_of_the_night_above():
    night = ("2024-05-31", [("Ana", 1), ("Beto", -1)])
    assert [night, night] == nights(read("fecha;Ana;Beto\n31/5/24;1;-1\n;1;-1\n"))


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [(0, "The column names are missing. One of the first rows must have “date” or “fecha”.")]),
        (
            "jugador;puntos\nAna;3\n",
            [(0, "The column names are missing. One of the first rows must have “date” or “fecha”.")],
        ),
        ("fecha;Ana;Beto\n", [(0, "There are no nights below the column names.")]),
        ("fecha;Ana;Beto\nayer;3;-3\n", [(2, "“ayer” is not a date. Write it like 31/05/2024.")]),
        (
            "fecha;Ana;Beto\n31/12/2026;3;-3\n",
            [(2, "31/12/2026 is in the future or too long ago.")],
        ),
        (
            "fecha;Ana;Beto\n31/5/24;1;dos\n7/6/24;1,5;2\n",
            [(2, "“dos” is not a whole number."), (3, "“1,5” is not a whole number.")],
        ),
        ("fecha;Ana;Beto\n31/5/24;1;-1;llovió\n", [(2, "“llovió” is in a column without a name.")]),
        ("fecha;Ana;ANA\n31/5/24;1;2\n", [(1, "Two columns are called ANA.")]),
        ('fecha;Ana;"Beto\n' + "31/5/24;1;2\n" * 20_000, [(1, "A double quote is never closed.")]),
        (
            "fecha;" + ";".join(f"j{number}" for number in range(60_000)) + "\n31/5/24;1;2",
            [(1, f"There are more than {notebook_reader.MOST_COLUMNS + 1} columns.")],
        ),
        (
            "fecha;Ana\n31/5/24;1" + ";z" * 60_000,
            [(2, f"There are more than {notebook_reader.MOST_COLUMNS + 1} columns.")],
        ),
        (
            "fecha;Ana\n31/5/24;1\n" + ";2\n" * 60_000,
            [
                (
                    notebook_reader.MOST_ROWS + 1,
                    f"There are more than {notebook_reader.MOST_ROWS} rows. Split the file.",
                )
            ],
        ),
        (
            "fecha;Ana;" + "\ufdfa" * 60_000,
            [(1, f"At most {notebook_reader.LONGEST_CELL} characters fit here.")],
        ),
        (
            "fecha;Ana;Beto\n" + "31/5/24;1;2\n" * (notebook_reader.MOST_NIGHTS + 1),
            [(0, f"There are more than {notebook_reader.MOST_NIGHTS} nights. Split the file.")],
        ),
        (
            "x" * (notebook_reader.LONGEST + 1),
            [(0, f"This has more than {notebook_reader.LONGEST} characters. Import it in parts.")],
        ),
    ],
)
def test_an_invalid_line_is_reported_with_its_number(text, problems):
    assert problems == problem_texts(read(text))


def test_quotes_and_line_breaks_within_a_cell_are_accepted():
    text = 'fecha;"An\na";"Be;to"\n"31/5/24";"1";-1\n1/6/24;1;"-1"\n'
    assert [[("An a", 1), ("Be;to", -1)]] * 2 == [entries for _day, entries in nights(read(text))]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_decoded_in_common_encodings(encoding):
    assert "fecha;Señor Raúl" == notebook_reader.decode("fecha;Señor Raúl".encode(encoding))


# --- what it becomes --------------------------------------------------------------------------------------------------


def import_problems(table, text, **options):
    with pytest.raises(ValueError) as problems:  # noqa: PT011 (the problems are compared)
        preview_nights(table, text, **options)
    return problems.value.args[0]


def results(table):
    fields = ("member__slug", "place", "points", "total", "net", "won", "variant")
    return list(Result.objects.filter(game__table=table).order_by("pk").values_list(*fields))


def test_a_night_becomes_a_finished_game(table):
    run_nights_import(table, A_NIGHT, variant="loba_menos")
    assert [
        ("ana", 1, 2, None, 300, True, "loba_menos"),
        ("beto", 3, 0, None, -200, False, "loba_menos"),
        ("caro", 2, 1, None, -100, False, "loba_menos"),
    ] == results(table)
    game = table.games.get()
    assert "2024-05-31" == date.fromordinal(game.night_number).isoformat()
    assert game.started_at == game.ended_at
    assert [] == audit.check_table(table).differences


@pytest.mark.parametrize(
    ("figures", "numbers", "expected_places"),
    [
        (Figures.MOST_WIN, "10;5;3", [("ana", 1), ("beto", 2), ("caro", 3)]),
        (Figures.MONEY, "-50;100;-50", [("ana", 2), ("beto", 1), ("caro", 2)]),
    ],
)
def test_places_of_an_unknown_game_are_derived_from_points_or_money(table, figures, numbers, expected_places):
    run_nights_import(table, f"fecha;Ana;Beto;Caro\n31/5/24;{numbers}\n", figures=figures)
    assert [(*row, "notebook") for row in expected_places] == [(*row[:2], row[-1]) for row in results(table)]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("fecha;Ana;Beto\n31/5/24;300;-200\n", [(2, "Wins and losses don't add up to zero.")]),
        ("fecha;Ana;Beto\n31/5/24;0;\n", [(2, "A night has 2 to 20 players.")]),
        ("fecha;Ana;Beto\n31/5/24;;\n", [(2, "This night has no results.")]),
        (
            f'fecha;"Be""to";{"x" * 21}\n31/5/24;1;-1\n7/6/24;1;-1\n',
            [
                (1, '“Be"to”: Write it without double quotes.'),
                (1, f"“{'x' * 21}”: At most 20 characters fit here."),
            ],
        ),
    ],
)
def test_an_impossible_night_is_reported_with_its_line(table, text, problems):
    assert problems == import_problems(table, text)
    assert 0 == table.games.count()


def test_unknown_names_become_members_and_known_ones_are_matched(table):
    run_nights_import(table, "fecha;ANA;Tío Raúl;Beto\n31/5/24;1;2;-3\n7/6/24;1;2;-3\n")
    assert ["ana", "beto", "caro", "dani", "tio_raul"] == sorted(table.members.values_list("slug", flat=True))
    assert {"ana", "beto", "tio_raul"} == {row[0] for row in results(table)}


def test_a_retired_or_merged_member_is_matched_in_old_nights(table):
    ana, dani = (table.members.get(slug=slug) for slug in ("ana", "dani"))
    membership.retire(dani)
    table.members.filter(slug="caro").update(merged_into=ana)
    run_nights_import(table, "fecha;Caro;Dani\n31/5/24;1;2\n", figures=Figures.FEWEST_WIN)
    assert ["ana", "dani"] == [row[0] for row in results(table)]


def test_importing_an_extended_notebook_adds_only_the_new_nights(table):
    text = "fecha;Ana;Beto\n31/5/24;1;-1\n31/5/24;1;-1\n"
    run_nights_import(table, text)
    preview = preview_nights(table, text + "7/6/24;3;-3\n31/5/24;1;-1\n")
    assert (2, 2) == (preview.known_count, len(preview.games))


def test_nights_are_assigned_to_the_seasons_of_their_days(table):
    season = table.seasons.get()
    season_setup.update(season, name=season.name, first_day=date(2024, 1, 1))
    end_season(season.table, last_day=date(2024, 6, 1), next_name="2")
    run_nights_import(table, "fecha;Ana;Beto\n1/5/20;1;-1\n31/5/24;1;-1\n7/6/24;1;-1\n")
    assert [str(table.seasons.first()), str(table.seasons.first()), "2"] == [
        str(game.season) for game in table.games.order_by("started_at")
    ]
    assert [] == audit.check_table(table).differences


# --- writing only what was seen ---------------------------------------------------------------------------------------


def test_nights_that_two_copies_of_a_table_have_from_one_notebook_are_not_doubled(table, owner):
    """The same nights with reordered columns, one of them played twice. The copy has one more night."""
    copy = table_import.create_table(
        file_reader.read_table(file_writer.write_table(table).encode()), key=new_key(), by=make_user("nora")
    )
    copy.members.filter(slug="caro").update(name="Carolina")
    run_nights_import(table, A_NIGHT + "31/05/2024;300;-200;-100\n")
    night = "31/05/2024;-100;-200;300\n"
    run_nights_import(copy, f"fecha;Carolina;Beto;Ana\n{night * 3}7/6/24;5;-5;\n")
    before = load_balances(table)
    for nights in (4, 4):
        contents, at = file_reader.read_table(file_writer.write_table(copy).encode()), now()
        look = partial(import_preview.build, table, contents, {}, by=owner, at=at)
        imports.run(table, look, seen=look().preview_digest, by=owner, at=at)
        assert nights == table.games.count()
    assert before == load_balances(table)
    assert [] == audit.check_table(table).differences


def test_paid_games_of_today_imported_in_the_afternoon_leave_no_debts(table):
    afternoon = datetime(2024, 5, 31, 18, tzinfo=UTC)
    run_nights_import(table, "fecha;Ana;Beto\n31/5/24;1;-1\n31/5/24;3;-3\n", at=afternoon)
    assert {(afternoon, afternoon)} == set(table.games.values_list("started_at", "ended_at"))
    assert {0} == set(load_balances(table).values())
    assert [] == audit.check_table(table).differences


def test_recording_into_an_imported_night_is_refused(table, owner):
    from games.scoring.errors import RuleError
    from games.scoring.events import Corrected, PlayersSeated, PointsAdjusted, Struck, TotalsAgreed

    run_nights_import(table, A_NIGHT)
    game = table.games.get()
    players = game.log()[0].players
    for event in (
        TotalsAgreed((("ana", 12),)),
        PointsAdjusted("ana", 5, "multa"),
        Struck(1),
        Corrected(1, PlayersSeated(players)),
    ):
        with pytest.raises(RuleError):
            recording.record(game, event, after=1, key=new_key(), by=owner)
    with pytest.raises(RuleError):
        recording.build_rematch(game)
    assert 1 == game.records.count()
