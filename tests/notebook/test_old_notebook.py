"""Importing an old notebook: parsing it, the resulting games, and that only what was previewed is stored."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils.timezone import now

from games.keys import KeyReused
from games.models import NOTE_LENGTH, Game, PlanReason, Result
from games.money.balances import balances_of, read_accounts
from games.money.holders import retire
from games.notebook.books.audit import check_table
from games.notebook.old_games import MOST_NEWCOMERS, import_preview_of, variant_called
from games.notebook.old_nights import (
    LONGEST,
    MOST_COLUMNS,
    MOST_NIGHTS,
    MOST_SUMS,
    Figures,
    decode,
    read_old_notebook,
)
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.taking_over import StaleOutlook, bring_night_back, take_back, take_night_away, take_over
from games.notebook.writing import write_table
from games.people.members import add_member
from games.play import recording as services
from games.scoring.events import GameStarted
from games.season.seasons import change_season, close_season, first_day_of
from tests.tables import a_key, make_user, seated, without_codes

TODAY = date(2026, 10, 1)

ONE_EACH = """fecha;juego;jugador;puesto;puntos;plata
31/05/2024;Loba;Ana;1;12;300
31/05/2024;Loba;Beto;3;104;-200
31/05/2024;Loba;Caro;2;97;-100
"""


def read(text, decimals=0, figures=Figures.GUESSED):
    return read_old_notebook(text, decimals=decimals, today=TODAY, figures=figures)


def problems_of(notebook):
    """Return each problem of the notebook with its line."""
    return [(problem.line, str(problem.text)) for problem in notebook.problems]


def nights(notebook):
    assert [] == problems_of(notebook)
    return [
        (
            night.day.isoformat(),
            night.game,
            [(entry.name, entry.place, entry.total, entry.net) for entry in night.entries],
        )
        for night in notebook.nights
    ]


# --- reading ----------------------------------------------------------------------------------------------------------


def test_one_row_per_player_makes_one_night():
    ana, beto, caro = ("Ana", 1, 12, 300), ("Beto", 3, 104, -200), ("Caro", 2, 97, -100)
    assert [("2024-05-31", "Loba", [ana, beto, caro])] == nights(read(ONE_EACH))


@pytest.mark.parametrize("separator", ["\t", ";", ",", "|"])
@pytest.mark.parametrize(
    "head",
    [
        "fecha jugador puntos",
        "Date PLAYER Points",
        "Día Nombre Total",
        "NOCHE QUIÉN PUNTOS",
        "day name score",
    ],
)
def test_any_separator_and_either_language_is_accepted(separator, head):
    text = "\n".join(
        [
            head.replace(" ", separator),
            f"31/5/24{separator}Ana{separator}12",
            separator.join(("2024-05-31", "Beto", "104")),
        ]
    )
    assert [("2024-05-31", "", [("Ana", None, 12, None), ("Beto", None, 104, None)])] == nights(read(text))


def test_columns_may_be_in_any_order_below_a_title_and_beside_unknown_columns():
    text = 'Nuestro cuaderno;;\n\n;;\nmesa;plata;jugador;fecha\nbar;"-1.000,50";Beto;31/5/2024\nbar;1000,5;Ana;31/5/2024\n'
    expected = [("Beto", None, None, -100050), ("Ana", None, None, 100050)]
    assert [("2024-05-31", "", expected)] == nights(read(text, decimals=2))


def test_a_date_applies_to_the_rows_below_it():
    text = "fecha;jugador;puntos\n31/5/2024;Ana;1\n;Beto;2\n;Caro;3\n1/6/2024;Ana;5\n;Beto;4\n"
    assert [3, 2] == [len(night.entries) for night in read(text).nights]
    assert [2, 5] == [night.line for night in read(text).nights]


def test_a_repeated_name_on_the_same_day_begins_another_game():
    text = "fecha;jugador;puntos\n" + "31/5/2024;Ana;1\n31/5/2024;BETO;2\n" * 3
    assert [2, 4, 6] == [night.line for night in read(text).nights]


def test_rows_of_two_named_games_of_one_day_may_be_mixed():
    text = "fecha;juego;jugador;puntos\n31/5/24;Loba;Ana;1\n31/5/24;Chinchón;Ana;2\n31/5/24;Loba;Beto;3\n31/5/24;Chinchón;Beto;4\n"
    assert [("Loba", [1, 3]), ("Chinchón", [2, 4])] == [
        (night.game, [entry.total for entry in night.entries]) for night in read(text).nights
    ]


def test_one_row_per_night_that_adds_up_to_zero_is_money():
    text = "Fecha,Ana,Beto,Caro,Nota\n2024-05-31,300,-200,-100,en el bar\n2024-06-07,-50,50,,\nTotal,250,-150,-100,\n"
    notebook = read(text)
    assert (True, Figures.MONEY, [4]) == (notebook.is_wide, notebook.figures, notebook.sums)
    assert [
        (
            "2024-05-31",
            "",
            [("Ana", None, None, 300), ("Beto", None, None, -200), ("Caro", None, None, -100)],
        ),
        ("2024-06-07", "", [("Ana", None, None, -50), ("Beto", None, None, 50)]),
    ] == nights(notebook)


def test_one_row_per_night_that_does_not_add_up_is_points():
    notebook = read("fecha;Ana;Beto;Total\n31/5/24;12;104;116\n7/6/24;0;99;99\n")
    assert Figures.FEWEST_WIN == notebook.figures
    assert [[12, 104], [0, 99]] == [[entry.total for entry in night.entries] for night in notebook.nights]


MONEY_NIGHTS = "fecha;Ana;Beto\n31/5/24;300;-300\n7/6/24;-50;50\n"


@pytest.mark.parametrize(
    ("odd", "problem"),
    [
        ("14/6/24;100;-90\n", (4, "Wins and losses don't add up to zero.")),
        ("14/6/24;100;cien\n", (4, "“cien” is not a whole number.")),
    ],
)
def test_one_invalid_night_among_nights_of_money_is_refused(table, odd, problem):
    assert [problem] == wrong(table, MONEY_NIGHTS + odd)


def test_one_of_two_nights_that_adds_up_makes_the_numbers_money(table):
    text = "fecha;Ana;Beto\n31/5/24;300;-300\n7/6/24;60;-50\n"
    assert [(3, "Wins and losses don't add up to zero.")] == wrong(table, text)


def test_one_night_of_points_may_add_up_to_zero_by_chance():
    notebook = read("fecha;Ana;Beto\n31/5/24;12;104\n7/6/24;-10;10\n14/6/24;0;99\n21/6/24;0;0\n")
    assert Figures.FEWEST_WIN == notebook.figures


def test_a_single_night_that_does_not_add_up_may_be_points_or_money_and_needs_an_answer(table):
    text = "fecha;Ana;Beto\n31/5/24;300;-290\n"
    question = "These numbers do not add up to zero: say whether they are points or money."
    notebook = read(text)
    assert (True, [(2, question)], []) == (notebook.is_unclear, problems_of(notebook), notebook.nights)
    points = read(text, figures=Figures.FEWEST_WIN)
    assert (False, []) == (points.is_unclear, problems_of(points))
    message = "Wins and losses don't add up to zero."
    assert [(2, message)] == wrong(table, text, figures=Figures.MONEY)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("31/5/24;300;dos\n", (2, "“dos” is not a whole number.")),
        ("31/5/24;300;-300\nTotal;1;2\n", None),
        ("31/5/24;300;-290\nTotal;300;-290\n", (2, "These numbers do not add up to zero: say whether they are points or money.")),
        ("31/5/24;300;-290\n7/6/24;1;2\n", None),
        ("31/5/24;0;0\n", None),
    ],
)  # fmt: skip
def test_a_notebook_that_is_unambiguous_or_invalid_needs_no_answer(rows, problem):
    assert ([problem] if problem else []) == problems_of(read(f"fecha;Ana;Beto\n{rows}"))


# --- sums -------------------------------------------------------------------------------------------------


def differences(text, decimals=0):
    """Return each total that differs from its rows, with its line."""
    notebook = read(text, decimals=decimals)
    assert [] == problems_of(notebook)
    return [(difference.line, str(difference.text)) for difference in notebook.differences]


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        ("Total;250;-250", []),
        ("Total;;", []),
        ("Suma;240;-250", [(4, "The total of Ana says 240, but the rows above add up to 250.")]),
        (
            "Total;250;-250\n14/6/24;10;-10\nTotal;10;-10\n21/6/24;5;-5\nTotal;265;-15",
            [(8, "The total of Beto says -15, but the rows above add up to -265.")],
        ),
    ],
)
def test_a_total_is_compared_with_the_nights_since_the_last_total_or_all_above(total, expected):
    assert expected == differences(f"fecha;Ana;Beto\n31/5/24;300;-300\n7/6/24;-50;50\n{total}\n")


@pytest.mark.parametrize(
    ("total", "expected"),
    [
        ("Total;Ana;13;350,50", []),
        ("Total;Ana;14;350,50", [(6, "The total of Ana says 14, but the rows above add up to 13.")]),
        ("Total;Ana;13;350", [(6, "The total of Ana says 35000, but the rows above add up to 35050.")]),
        ("Total;;317;0", []),
        (";Total;316;0", [(6, "The total says 316, but the rows above add up to 317.")]),
    ],
)
def test_a_total_among_rows_of_players_is_for_the_named_player_or_for_all(total, expected):
    rows = "31/5/24;Ana;12;300\n;Beto;104;-300\n1/6/24;Ana;1;50,50\n;Beto;200;-50,50\n"
    assert expected == differences(f"fecha;jugador;puntos;plata\n{rows}{total}\n", decimals=2)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("fecha;Ana;Beto;Nota\n31/5/24;300;-300;en el bar\n7/6/24;-50;50;\n", ["en el bar", ""]),
        (
            "fecha;Ana;Beto\n31/5/24;300;-300\nNota;llovió;mucho\nObservaciones;;paga Ana\n7/6/24;-50;50\n",
            ["llovió mucho · paga Ana", ""],
        ),
        ('fecha;Ana;Beto;nota\n31/5/24;300;-300;"dos\nrenglones"\n', ["dos renglones"]),
        (
            "fecha;jugador;puntos;nota\n31/5/24;Ana;1;en el bar\n;Beto;2;en el bar\n;Caro;3;se fue\n1/6/24;Ana;5;\n"
            ";Beto;4;\nnota;otra vez\n",
            ["en el bar · se fue", "otra vez"],
        ),
    ],
)  # fmt: skip
def test_the_note_of_a_night_is_read_from_a_column_or_from_the_line_below(text, notes):
    notebook = read(text)
    assert [] == problems_of(notebook)
    assert notes == [night.note for night in notebook.nights]


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("palabra " * 40, f"{'palabra ' * 24}palabra"),
        ("en\u200b el\u202e \x07bar", "en el bar"),
        ("\u200b", ""),
        (f"{'x' * 199}👩\u200d🌾", "x" * 199),
        ("ganó 'el \"Beto\"'", "ganó 'el ”Beto”'"),
    ],
)
def test_a_note_is_tidied_and_shortened_to_the_limit_of_a_game(table, note, kept):
    quoted = note.replace('"', '""')
    preview = import_preview_of(table, read(f'fecha;Ana;Beto;nota\n31/5/24;300;-300;"{quoted}"\n'))

    assert [] == preview.problems
    assert [(kept, len(note) > NOTE_LENGTH)] == [
        (game.event.note, game.is_note_shortened) for game in preview.games
    ]


def test_a_total_may_spell_a_player_in_other_letters():
    assert [] == differences("fecha;jugador;puntos\n31/5/24;Ana;12\n;Beto;104\nTotal;ANA;12\n")


def test_a_subtotal_of_one_player_does_not_affect_the_others():
    night = "fecha;jugador;puntos\n31/5/24;Ana;12\n;Beto;104\nTotal;Ana;12\nTotal;Beto;104\n"
    later = "7/6/24;Ana;1\n;Beto;2\nTotal;Ana;1\nTotal;Beto;2\nTotal;;119\n"
    assert [] == differences(night + later)


def test_the_number_of_compared_totals_is_limited():
    assert 2 * MOST_SUMS == len(
        differences("fecha;Ana;Beto\n31/5/24;300;-300\n" + "Total;1;2\n" * 2 * MOST_SUMS)
    )


def test_a_note_above_all_nights_is_refused():
    text = "fecha;Ana;Beto\nNota;llovió;\n31/5/24;300;-300\n"
    assert [(2, "“Nota” is not a date. Write it like 31/5/2024.")] == problems_of(read(text))


def test_the_meaning_of_the_numbers_can_be_chosen():
    text = "fecha;Ana;Beto\n31/5/24;-20;20\n"
    assert [Figures.MONEY, Figures.MOST_WIN, Figures.FEWEST_WIN] == [
        read(text, figures=figures).figures
        for figures in (Figures.GUESSED, Figures.MOST_WIN, Figures.FEWEST_WIN)
    ]


def test_dashes_and_crosses_mark_absent_players():
    night = read("fecha;Ana;Beto;Caro;Dani\n31/5/24;12;-;x;-12\n").nights[0]
    assert ["Ana", "Dani"] == [entry.name for entry in night.entries]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [(0, "The column names are missing. One of the first rows must have “date” or “fecha”.")]),
        (
            "jugador;puntos\nAna;3\n",
            [(0, "The column names are missing. One of the first rows must have “date” or “fecha”.")],
        ),
        ("fecha;jugador;puntos\n", [(0, "There are no nights below the names of the columns.")]),
        ("fecha;jugador;puntos\nayer;Ana;3\n", [(2, "“ayer” is not a date. Write it like 31/5/2024.")]),
        (
            "fecha;jugador;puntos\n31/12/2026;Ana;3\n",
            [(2, "The day 31/12/2026 is in the future or too long ago.")],
        ),
        ("fecha;jugador;puntos\n31/5/24;;3\n", [(2, "This row names no player.")]),
        ("fecha;jugador;puntos\n31/5/24;Ana;mucho\n", [(2, "“mucho” is not a whole number.")]),
        (
            "fecha;Ana;Beto\n31/5/24;1;dos\n7/6/24;1,5;2\n",
            [(2, "“dos” is not a whole number."), (3, "“1,5” is not a whole number.")],
        ),
        ("fecha;Ana;ANA\n31/5/24;1;2\n", [(1, "Two columns are called ANA.")]),
        ('fecha;Ana;"Beto\n' + "31/5/24;1;2\n" * 20_000, [(1, "A double quote is never closed.")]),
        ('fecha;Ana;"Beto\n31/5/24;1;2\n', [(1, "A double quote is never closed.")]),
        (
            'fecha;Ana;Beto;nota\n31/5/24;1;2;"bar"\n1/6/24;1;2;"hasta las 3\n2/6/24;1;2\n3/6/24;1;2\n',
            [(3, "A double quote is never closed.")],
        ),
        (
            "fecha;" + ";".join(f"j{number}" for number in range(60_000)) + "\n31/5/24;1;2",
            [(1, f"More than {MOST_COLUMNS} columns look like players.")],
        ),
        ("x" * (LONGEST + 1), [(0, f"This exceeds {LONGEST} characters: import it in parts.")]),
    ],
)
def test_an_invalid_line_is_reported_with_its_number(text, problems):
    assert problems == problems_of(read(text))


def test_quotes_and_line_breaks_within_a_cell_are_accepted():
    text = 'fecha;Ana;"Be;to";nota\n31/5/24;1;2;"dos\nrenglones"\n1/6/24;1;2;mesa de 60" y "Tito" López\n'
    assert ["2024-05-31", "2024-06-01"] == [day for day, _game, _entries in nights(read(text))]


def test_a_notebook_of_thirty_thousand_rows_is_parsed():
    text = "fecha;jugador;puntos\n" + "".join(f"31/5/24;j{number};1\n" for number in range(30_000))
    assert [30_000] == [len(entries) for _day, _game, entries in nights(read(text))]


def test_money_with_too_many_decimals_is_refused():
    text = "fecha;jugador;plata\n31/5/24;Ana;1,255\n31/5/24;Beto;0,2555\n"
    assert [(3, "“0,2555” is not a number with at most 2 decimals.")] == problems_of(read(text, decimals=2))


def test_too_many_nights_are_refused():
    text = "fecha;Ana;Beto\n" + "31/5/24;1;2\n" * (MOST_NIGHTS + 1)
    assert [(0, f"There are more than {MOST_NIGHTS} nights. Split the file.")] == problems_of(read(text))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_is_decoded_in_common_encodings(encoding):
    assert "fecha;Señor Raúl" == decode("fecha;Señor Raúl".encode(encoding))


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("Loba", "loba_menos"),
        ("LOBA DE MENOS", "loba_menos"),
        ("Loba de Más", "loba_mas"),
        ("loba_mas", "loba_mas"),
        ("Loba centroamericana", "loba_ca"),
        ("Central American Loba", "loba_ca"),
        ("Chinchón", "chinchon"),
        ("Carioca", "carioca_ar"),
        ("Carioca chilena", "carioca_cl"),
        ("Truco", ""),
        ("", ""),
        ("3", ""),
    ],
)
def test_the_variant_is_recognised_by_its_name(name, variant):
    assert variant == variant_called(name)


# --- what it becomes --------------------------------------------------------------------------------------------------


def bring(table, text, *, key=None, paid=True, variant="", figures=Figures.GUESSED, by=None):
    notebook = read(text, decimals=table.decimals, figures=figures)

    def look():
        return import_preview_of(table, notebook, variant=variant)

    by = by or table.grants.get().user
    return take_over(table, look, seen=look().seen, paid=paid, key=key or a_key(), by=by)


def wrong(table, text, *, figures=Figures.GUESSED, **options):
    notebook = read(text, decimals=table.decimals, figures=figures)
    return problems_of(import_preview_of(table, notebook, **options))


def results(table):
    fields = ("member__slug", "place", "points", "total", "net", "won", "variant")
    return list(Result.objects.filter(game__table=table).order_by("pk").values_list(*fields))


def test_a_night_becomes_a_finished_game(table):
    assert 1 == bring(table, ONE_EACH)
    assert [
        ("ana", 1, 2, 12, 300, True, "loba_menos"),
        ("beto", 3, 0, 104, -200, False, "loba_menos"),
        ("caro", 2, 1, 97, -100, False, "loba_menos"),
    ] == results(table)
    game = table.games.get()
    assert "2024-05-31" == date.fromordinal(game.night_number).isoformat()
    assert game.started_at == game.ended_at
    assert [] == check_table(table).differences


def test_a_paid_night_leaves_no_debts(table):
    bring(table, ONE_EACH, paid=True)
    assert {0} == set(balances_of(table).values())
    assert 0 == len(read_accounts(table).to_pay)
    assert {"cash"} == set(table.payments.values_list("method", flat=True))


def test_an_unpaid_night_leaves_debts(table):
    bring(table, ONE_EACH, paid=False)
    assert {"ana": 300, "beto": -200, "caro": -100, "dani": 0} == balances_of(table)
    assert str(PlanReason.IMPORTED) == table.plans.first().because


def test_places_are_derived_from_points(table):
    bring(table, "fecha;Ana;Beto;Caro\n31/5/24;10;5;10\n", figures=Figures.FEWEST_WIN)
    assert [("ana", 2), ("beto", 1), ("caro", 2)] == [row[:2] for row in results(table)]


def test_the_highest_points_win_in_a_variant_won_by_most_points(table):
    bring(table, "fecha;juego;jugador;puntos\n31/5/24;Loba de Más;Ana;150\n31/5/24;Loba de Más;Beto;90\n")
    assert [("ana", 1), ("beto", 2)] == [row[:2] for row in results(table)]


def test_an_unknown_game_can_be_declared_as_won_by_most_points(table):
    bring(table, "fecha;Ana;Beto\n31/5/24;10;5\n", figures=Figures.MOST_WIN)
    assert [("ana", 1, "notebook"), ("beto", 2, "notebook")] == [
        (*row[:2], row[-1]) for row in results(table)
    ]


def test_places_are_derived_from_money_and_the_points_stay_unknown(table):
    bring(table, "fecha;Ana;Beto;Caro\n31/5/24;-50;100;-50\n")
    assert [("ana", 2, None), ("beto", 1, None), ("caro", 2, None)] == [
        (*row[:2], row[3]) for row in results(table)
    ]


def test_shared_places_without_gaps_are_renumbered(table):
    bring(table, "fecha;jugador;puesto\n31/5/24;Ana;1\n31/5/24;Beto;1\n31/5/24;Caro;2\n31/5/24;Dani;2º\n")
    assert [1, 1, 3, 3] == [row[1] for row in results(table)]


def test_a_chosen_variant_applies_to_nights_without_one(table):
    bring(
        table,
        "fecha;juego;jugador;puntos\n31/5/24;;Ana;10\n;;Beto;5\n1/6/24;Loba;Ana;3\n;Loba;Beto;4\n",
        variant="chinchon",
    )
    assert {"chinchon", "loba_menos"} == set(table.games.values_list("variant", flat=True))


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "fecha;jugador;plata\n31/5/24;Ana;300\n;Beto;-200\n",
            [(2, "Wins and losses don't add up to zero.")],
        ),
        (
            "fecha;jugador;puntos\n31/5/24;Ana;300\n;Beto;\n",
            [(2, "Some players of this night have points and some have none.")],
        ),
        (
            "fecha;jugador;puesto\n31/5/24;Ana;1\n;Beto;\n",
            [(2, "Some players of this night have a place and some have none.")],
        ),
        ("fecha;jugador;puntos\n31/5/24;Ana;1\n", [(2, "A night has 2 to 20 players.")]),
        ("fecha;jugador\n31/5/24;Ana\n;Beto\n", [(2, "This night has no results.")]),
        (
            "fecha;Ana;Beto\n31/5/24;1;200001\n",
            [(2, "A number is too large: the limit is 100000.")],
        ),
        (
            'fecha;Ana;"Be""to"\n31/5/24;1;2\n7/6/24;1;2\n',
            [(2, "Write it without double quotes."), (3, "Write it without double quotes.")],
        ),
        (f"fecha;Ana;{'B' * 21}\n31/5/24;1;2\n", [(2, "At most 20 characters fit here.")]),
        (
            "fecha;Ana;E\u202eva\n31/5/24;1;2\n",
            [(2, "It contains an invisible character (U+202E): type it again.")],
        ),
    ],
)
def test_an_impossible_night_is_reported_with_its_line(table, text, problems):
    assert problems == wrong(table, text, figures=Figures.FEWEST_WIN)
    assert 0 == table.games.count()


def test_unknown_names_become_members_and_known_ones_are_matched(table):
    bring(table, "fecha;ANA;Tío Raúl;Beto\n31/5/24;1;2;3\n7/6/24;1;2;3\n")
    assert ["ana", "beto", "caro", "dani", "tio_raul"] == sorted(table.members.values_list("slug", flat=True))
    assert {"ana", "beto", "tio_raul"} == {row[0] for row in results(table)}


def test_a_retired_or_merged_member_is_matched_in_old_nights(table, owner):
    ana, dani = (table.members.get(slug=slug) for slug in ("ana", "dani"))
    retire(dani, key=a_key(), by=owner)
    table.members.filter(slug="caro").update(merged_into=ana)
    bring(table, "fecha;Caro;Dani\n31/5/24;1;2\n", figures=Figures.FEWEST_WIN)
    assert ["ana", "dani"] == [row[0] for row in results(table)]


def test_two_members_merged_into_one_cannot_play_in_one_night(table):
    table.members.filter(slug="caro").update(merged_into=table.members.get(slug="ana"))
    text = "fecha;Ana;Caro\n31/5/24;-1;1\n"
    assert [(2, "A person is named twice.")] == wrong(table, text)


def test_too_many_new_people_are_refused(table):
    text = "fecha;jugador;puntos\n" + "".join(
        f"{1 + number % 28}/{1 + number // 28}/24;J{number};1\n;Ana;2\n"
        for number in range(MOST_NEWCOMERS + 2)
    )
    sentence = f"This would add more than {MOST_NEWCOMERS} new people to the table."
    assert [(2 * MOST_NEWCOMERS + 2, sentence), (2 * MOST_NEWCOMERS + 4, sentence)] == wrong(table, text)


def test_a_night_imported_before_a_merge_is_recognised_again(table):
    text = "fecha;Ana;Caro\n31/5/24;1;-1\n"
    bring(table, text)
    table.members.filter(slug="caro").update(merged_into=table.members.get(slug="dani"))
    outlook = import_preview_of(table, read(text))
    assert ([2], []) == (outlook.known_lines, outlook.games)


def test_importing_an_extended_notebook_adds_only_the_new_nights(table):
    text = "fecha;Ana;Beto\n31/5/24;1;2\n31/5/24;1;2\n"
    bring(table, text)
    outlook = import_preview_of(table, read(text + "7/6/24;3;2\n31/5/24;1;2\n"))
    assert ([2, 3], [4, 5]) == (outlook.known_lines, [game.night.line for game in outlook.games])


def test_the_first_season_begins_with_the_oldest_night_until_the_import_is_undone(table, owner):
    season, key = table.seasons.get(), a_key()
    began = first_day_of(season)
    bring(table, "fecha;Ana;Beto\n31/5/24;1;2\n7/6/24;1;2\n", key=key)
    assert date(2024, 5, 31) == first_day_of(season) < began

    take_back(table, key=key, by=owner)
    assert began == first_day_of(season)


def test_nights_are_assigned_to_the_seasons_of_their_days(table, owner):
    season = table.seasons.get()
    change_season(season, name=season.name, first_day=date(2024, 1, 1))
    close_season(season, last_day=date(2024, 6, 1), next_name="2")
    bring(table, "fecha;Ana;Beto\n1/5/20;1;2\n31/5/24;1;2\n7/6/24;1;2\n")
    assert [str(table.seasons.first()), str(table.seasons.first()), "2"] == [
        str(game.season) for game in table.games.order_by("started_at")
    ]
    assert [] == check_table(table).differences


def test_games_of_one_night_keep_their_order(table):
    bring(table, "fecha;Ana;Beto\n31/5/24;1;2\n31/5/24;4;3\n")
    games = list(table.games.order_by("started_at"))
    assert 60 == (games[1].started_at - games[0].started_at).total_seconds()
    assert [["ana"], ["beto"]] == [list(game.state().outcome.winners) for game in games]


# --- writing only what was seen ---------------------------------------------------------------------------------------


def test_an_import_sent_twice_is_imported_once(table):
    key = a_key()
    assert [1, 1] == [bring(table, ONE_EACH, key=key), bring(table, ONE_EACH, key=key)]
    assert 1 == table.games.count()


ANOTHER = "fecha;Ana;Beto\n7/6/24;-7;7\n"


def begun_under(key, table, owner):
    """Return a running game that was started with this key."""
    return services.start_game(table, GameStarted("loba_menos", (), seated(table)), key=key, by=owner)


def test_two_imports_with_similar_keys_are_independent(table, owner):
    bring(table, ONE_EACH, key="import:1")

    assert 1 == bring(table, ANOTHER, key="import")
    assert 2 == table.games.count()
    assert 1 == take_back(table, key="import", by=owner)
    assert ["2024-05-31"] == [
        date.fromordinal(game.night_number).isoformat() for game in table.games.filter(discarded_at=None)
    ]


def test_undoing_an_import_keeps_a_game_with_a_similar_key(table, owner):
    game = begun_under("import:7", table, owner)
    bring(table, ANOTHER, key="import")

    assert 1 == take_back(table, key="import", by=owner)
    assert [game] == list(table.games.filter(discarded_at=None))


def test_an_import_with_a_key_of_a_game_or_a_payment_is_refused(table, pay, owner):
    begun_under("game:1", table, owner)
    pay("beto", "ana", 7, key="payment:1")
    before = table.games.count()

    for key in ("game", "payment"):
        with pytest.raises(KeyReused):
            bring(table, "fecha;Beto;Ana\n7/6/24;-7;7\n", key=key)
    assert before == table.games.count()


def test_an_import_whose_result_changed_since_the_preview_is_refused_as_stale(table, owner):
    notebook = read("fecha;Ana;Eva\n31/5/24;1;2\n")

    def look():
        return import_preview_of(table, notebook)

    seen = look().seen
    add_member(table, "Eva")
    with pytest.raises(StaleOutlook) as stale:
        take_over(table, look, seen=seen, paid=True, key=a_key(), by=owner)
    assert {} == stale.value.outlook.newcomers
    assert 0 == table.games.count()


def test_paid_games_of_today_imported_in_the_afternoon_leave_no_debts(table, owner):
    notebook, afternoon = (
        read("fecha;Ana;Beto\n31/5/24;1;2\n31/5/24;3;2\n"),
        datetime(2024, 5, 31, 18, tzinfo=UTC),
    )

    def look():
        return import_preview_of(table, notebook)

    assert 2 == take_over(table, look, seen=look().seen, paid=True, key=a_key(), by=owner, at=afternoon)
    assert {(afternoon, afternoon)} == set(table.games.values_list("started_at", "ended_at"))
    assert {0} == set(balances_of(table).values())
    assert [] == check_table(table).differences


def test_a_notebook_with_problems_stores_nothing(table, owner):
    notebook = read("fecha;Ana;Eva\n31/5/24;1;2\n7/6/24;;2\n")

    def look():
        return import_preview_of(table, notebook)

    with pytest.raises(StaleOutlook):
        take_over(table, look, seen=look().seen, paid=True, key=a_key(), by=owner)
    assert (0, 4) == (table.games.count(), table.members.count())


def test_undoing_an_import_removes_its_games_and_payments_from_the_accounts(table, owner):
    bring(table, "fecha;Ana;Beto\n1/5/24;-7;7\n", paid=False)
    before = balances_of(table)
    key = a_key()
    bring(table, ONE_EACH, key=key)
    assert 1 == take_back(table, key=key, by=owner)
    assert before == balances_of(table)
    assert [0, 1] == [table.payments.counting().count(), table.games.filter(discarded_at=None).count()]
    assert 0 == take_back(table, key=key, by=owner)
    assert [] == check_table(table).differences


def test_a_discarded_night_has_the_time_of_its_discarding(table, owner):
    bring(table, ONE_EACH)
    game, at = table.games.get(), datetime(2026, 5, 31, tzinfo=UTC)

    take_night_away(game, by=owner, at=at)

    assert at == game.discarded_at


def test_a_restored_night_counts_again(table, owner):
    bring(table, ONE_EACH, paid=False)
    before, (game,) = results(table), table.games.all()
    services.discard_game(game)
    assert [] == results(table)
    services.restore_game(Game.objects.get(pk=game.pk))
    assert before == results(table)
    assert [] == check_table(table).differences


def test_recording_into_an_imported_night_is_refused(table, owner):
    from games.scoring.errors import RuleError
    from games.scoring.events import Corrected, PlayersSeated, PointsAdjusted, Struck, TotalsAgreed

    bring(table, ONE_EACH)
    game = table.games.get()
    players = game.log()[0].players
    for event in (
        TotalsAgreed((("ana", 12),)),
        PointsAdjusted("ana", 5, "multa"),
        Struck(1),
        Corrected(1, PlayersSeated(players)),
    ):
        with pytest.raises(RuleError):
            services.record(game, event, after=1, key=a_key(), by=owner)
    with pytest.raises(RuleError):
        services.rematch_of(game)
    assert 1 == game.records.count()


def test_a_table_with_old_nights_is_byte_identical_after_export_and_import(table):
    bring(table, ONE_EACH)
    text = write_table(table)
    again = restore_table(read_table(text.encode()), key=a_key(), by=make_user("nora"))
    assert without_codes(text) == without_codes(write_table(again))
    assert results(table) == results(again)


def steps(payment):
    return [(step.turn, step.by.username, step.at) for step in payment.steps.all()]


def test_a_nights_payment_has_steps_for_discarding_and_restoring(table, owner):
    """Olga discards the night and Nora restores it: the payment and the file say both."""
    bring(table, ONE_EACH)
    game, nora, at = table.games.get(), make_user("nora"), now()
    payment, _other = game.payments.all()
    take_night_away(game, by=owner, at=at)
    gone = [("discarded", owner.username, at)]

    assert gone == steps(payment)
    assert [] == check_table(table).differences
    bring_night_back(game, by=nora, at=at + timedelta(hours=1))

    assert [*gone, ("restored", "nora", at + timedelta(hours=1))] == steps(payment)
    assert [] == check_table(table).differences
    text = write_table(table)
    again = restore_table(read_table(text.encode()), key=a_key(), by=nora)
    assert without_codes(text) == without_codes(write_table(again))
    assert [] == check_table(again).differences


def test_undoing_an_import_adds_a_step_to_each_payment(table, owner):
    key = a_key()
    bring(table, "fecha;Ana;Beto\n31/5/24;-7;7\n7/6/24;3;-3\n", key=key)
    take_back(table, key=key, by=owner)

    assert [[("discarded", owner.username)]] * 2 == [
        [(turn, by) for turn, by, _at in steps(payment)] for payment in table.payments.all()
    ]
