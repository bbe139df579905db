"""The scoresheet: a column's points add up to its total, even after a seat is handed over; contracts as
words.
"""

from __future__ import annotations

import pytest
from django.utils.translation import activate, override

from games.common import name_marks
from games.common.naming import Person
from games.models import Game, Table
from games.play.presenters import scoresheet, scoresheet_columns
from games.scoring.replay import replay
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation import parse_line

SEAT_HANDED_OVER = """\
game loba_menos stake=100
players ana beto caro
round ana out beto=60 caro=20
round ana out beto=50 caro=20
reenter beto
round ana out beto=7 caro=2
replace beto by eva
round ana out eva=5 caro=3
"""


@pytest.fixture(autouse=True)
def in_english():
    """Activate English: the sheet's rows are built on first access, in the active language."""
    activate("en")


PLAYERS = ("ana", "beto", "caro", "eva", "fabi", "gabi")


def sheet(text, *more, ana="Ana", **how):
    log = play_game_file(parse_game_file(text)).log
    for line in more:
        log += parse_line(line)
    people = {player: Person(player, player.title(), 1) for player in PLAYERS} | {
        "ana": Person("ana", ana, 1)
    }
    return scoresheet.build(
        Game(code="code", table=Table(unit="$", decimals=0)), log, replay(log), people, **how
    )


def column_texts(paper, place):
    return [row.cells[place].text for row in paper.rows if row.cells]


def test_a_handed_over_seat_keeps_its_column():
    paper = sheet(SEAT_HANDED_OVER)
    assert ["60", "50", "7", "5"] == column_texts(paper, 1)
    assert ["back at 40"] == [note.text for note in paper.rows[1].cells[1].notes]
    assert "Beto came back for $100" in paper.rows[1].cells[1].label
    assert ("Eva", "52", "to bust") == (paper.columns[1].person.name, paper.columns[1].total, paper.margins)
    assert paper.rows[0].cells[1].href.endswith("/correct/2/?hand=beto")


LATER_ROUNDS = ["round ana out eva=1 caro=1"] * 4


def test_a_fold_has_the_totals_after_its_rounds_and_what_came_between():
    folds = sheet(SEAT_HANDED_OVER, *LATER_ROUNDS).folds
    assert [(4, "1–4", ("0", "52", "45")), (5, "1–3", ("0", "47", "42"))] == [
        (fold.kept, fold.head, fold.totals) for fold in folds if fold.kept in (4, 5)
    ]


def test_rounds_that_could_stay_do_not_fold():
    assert [2, 3] == [fold.kept for fold in sheet(SEAT_HANDED_OVER).folds]
    assert () == sheet(MAS).folds


def test_only_the_corrected_figure_is_marked():
    paper = sheet(SEAT_HANDED_OVER, "correct 2 round ana out beto=59 caro=20")
    assert ["cut", "fixed", ""] == [cell.marks for cell in paper.rows[0].cells]


def test_a_round_that_a_correction_put_in_place_of_another_event_is_marked_whole():
    fined = 'game loba_menos\nplayers ana beto caro\nround ana out beto=3 caro=2\nadjust beto=+5 "tarde"'
    paper = sheet(fined, "correct 3 round beto out ana=5 caro=4")
    assert ["fixed", "cut fixed", "fixed"] == [cell.marks for cell in paper.rows[1].cells]


CARIOCA = """\
game carioca_ar
players ana beto caro
round ana out beto=60 caro=1200
round ana out beto=50 caro=20
"""
MAS = """\
game loba_mas tie=play_on
players ana beto caro
round ana out ana=140 beto=145 caro=-20
round beto out ana=10 beto=5 caro=-20
"""


def test_each_round_has_its_contract_and_the_sheet_names_that_of_the_next_one():
    paper = sheet(CARIOCA)
    assert [("2T", "2 trios"), ("1R1T", "1 trio and 1 run")] == [
        (row.contract, row.contract_label) for row in paper.rows
    ]
    assert "3 of 7" == paper.contract
    assert ("", "behind") == (paper.goal, paper.margins)  # a contract game has no limit


def test_the_sheet_lists_the_contracts_to_come_and_explains_them():
    first = sheet(CARIOCA.split("round")[0])
    assert ("1 of 7", []) == (first.contract, list(first.rows))
    assert [*range(1, 8)] == [number for number, _contract, _asks in first.ahead]
    third, *_fourth_to_sixth, last = sheet(CARIOCA).ahead
    assert (
        3,
        "2 runs",
        "A run is four cards of one suit in sequence. Each player is dealt 11 cards.",
    ) == third
    assert (7, "3 runs") == last[:2]


def test_a_long_run_is_explained_with_its_first_and_last_card():
    *_others, dirty, royal = sheet("game carioca_cl contracts=cl10\nplayers ana beto\n").ahead
    assert [
        "sucia is a dirty run: ace to king, in any suits. Each player is dealt 12 cards.",
        "real is the royal run: ace to king, in one suit. Each player is dealt 12 cards.",
    ] == [asks for _number, _contract, asks in (dirty, royal)]


def test_a_game_without_contracts_or_a_finished_one_lists_none_to_come():
    assert [] == sheet(MAS).ahead
    paper = sheet("game carioca_ar\nplayers ana beto\n" + "round ana out beto=5\n" * 7)
    assert ([], "", True) == (paper.ahead, paper.contract, paper.has_contracts)


def test_a_contract_game_shows_how_far_each_player_is_behind():
    paper = sheet(CARIOCA)
    assert ["", "110 behind Ana", "1,220 behind Ana"] == [column.margin for column in paper.columns]
    assert [True, False, False] == [column.is_leading for column in paper.columns]


def test_a_leader_is_named_by_the_letters_of_the_name_alone():
    """While a page is rendered, each name has marks around it, which no reader sees."""
    for name, margin in (("Maximilian", "110 behind Maximilian"), ("Maximiliano", "110 behind")):
        with name_marks.use_marks():
            paper = sheet(CARIOCA, ana=name)
        assert margin == name_marks.remove(paper.columns[1].margin)


def test_the_highest_totals_lead_in_a_game_won_by_the_most_points():
    paper = sheet(MAS)
    assert ("Ends at 150", "to go") == (paper.goal, paper.margins)
    assert [("155", ""), ("155", ""), ("−40", "190 to go")] == [
        (column.total, column.margin) for column in paper.columns
    ]
    assert [True, True, False] == [column.is_leading for column in paper.columns]
    assert [False] * 3 == [column.is_close for column in paper.columns]


def test_a_figure_of_a_witness_leads_to_a_look_and_an_example_keeps_what_only_a_screen_reader_says():
    doubtful = "game loba_menos\nplayers ana beto caro\nround ana out beto=0 caro=2\n"
    scorer_cells = sheet(doubtful).rows[0].cells
    theirs = sheet(doubtful, for_writing=False).rows[0].cells
    example = sheet(doubtful, is_example=True).rows[0].cells
    assert (["", "", ""], "odd") == ([cell.href for cell in example], example[1].marks)
    assert "" == example[0].label
    assert example[1].label
    assert scorer_cells[1].label.endswith(f", correct it. {example[1].label}")
    assert theirs[1].label.endswith(f", view. {example[1].label}")


def test_what_happens_between_two_rounds_stands_in_the_cells_of_the_round_before():
    paper = sheet(
        "game loba_menos\nplayers ana beto caro eva\nround ana out beto=110 caro=120 eva=30\nreenter beto\n"
        'stay_out caro\nadjust eva=+5 "tarde"\nleave eva\nround ana out beto=3'
    )
    assert [["", "again 30", "close ", " +5 close "], ["", "", "", ""]] == [
        [" ".join(f"{note.icon} {note.text}" for note in cell.notes) for cell in row.cells]
        for row in paper.rows
    ]
    assert ["", "", "x", "x"] == [cell.marks.replace("cut", "") for cell in paper.rows[1].cells]


def test_an_event_without_a_cell_is_a_line():
    paper = sheet('game loba_menos\nplayers ana beto\nadjust beto=+5 "tarde"\nround ana out beto=3\ndeal ana')
    assert ["Beto +5: tarde", "", "Ana deals next"] == [row.sentence for row in paper.rows]


def test_up_to_three_columns_have_words_and_more_columns_a_sign_in_their_place():
    people = ("ana", "beto", "caro", "eva")
    for seats, expected in ((3, ("", "back at 10")), (4, ("again", "10"))):
        hands = " ".join(f"{name}=10" for name in people[2:seats])
        names = " ".join(people[:seats])
        paper = sheet(f"game loba_menos\nplayers {names}\nround ana out beto=110 {hands}\nreenter beto")
        assert [expected] == [(note.icon, note.text) for note in paper.rows[0].cells[1].notes]


def test_five_columns_show_margins_in_words_and_more_columns_show_numbers():
    people = ("ana", "beto", "caro", "eva", "fabi", "gabi")
    for seats in (5, 6):
        names = " ".join(people[:seats])
        paper = sheet(
            f"game chinchon\nplayers {names}\nround ana closed "
            + " ".join(f"{n}=20" for n in people[1:seats])
        )
        assert (seats > 5) == paper.is_crowded
        assert ("81", [people[seats - 1]]) == (
            paper.columns[1].margin_number,
            [column.person.id for column in paper.columns if column.deals],
        )


@pytest.mark.parametrize(
    ("language", "codes"),
    [("en", ["2T", "1R1T", "2T1R", "3R", "real"]), ("es-AR", ["2T", "1E1T", "2T1E", "3E", "real"])],
)
def test_the_code_of_a_contract_has_the_letters_of_the_screens_language(language, codes):
    with override(language):
        assert codes == [
            scoresheet_columns.contract_code(key) for key in ("2T", "1E1T", "2T1E", "3E", "real")
        ]


def test_a_line_below_the_round_says_why_a_player_is_out_and_others_come_back_into_its_cells():
    start_text = "game loba_menos settlement=none reentries=1 out_at=50\nplayers ana beto caro eva\n"
    bust_again = "round ana out beto=60 caro=20 eva=0\nreenter beto\nround ana out beto=60 caro=60 eva=0"
    paper = sheet(f"{start_text}{bust_again}\nreenter caro\nround ana out caro=3 eva=4")

    assert [True, True, False, True] == [bool(row.cells) for row in paper.rows]
    assert [("again", "0")] == [(note.icon, note.text) for note in paper.rows[1].cells[2].notes]
    assert "beto is out with 80: the one re-entry is used up." == strip_isolates(paper.rows[2].sentence)


def strip_isolates(text):
    return text.replace("\u2068", "").replace("\u2069", "")


@pytest.mark.parametrize(
    ("game_line", "points", "brim", "filled"),
    [
        ("loba_menos", "ana out beto=50 caro=101", "101", [0, 49, 100]),
        ("points target=150", "nobody played ana=0 beto=-10 caro=75", "150", [0, 0, 50]),
        (
            "points wins=fewest ending=last_in out_at=100 count=down",
            "nobody played ana=0 beto=25 caro=10",
            "",
            [100, 75, 90],
        ),
        ("points ending=open", "nobody played ana=0 beto=25 caro=10", "", [None, None, None]),
    ],
)
def test_a_glass_fills_up_to_the_limit_or_the_target_and_empties_where_totals_are_counted_down(
    game_line, points, brim, filled
):
    paper = sheet(f"game {game_line}\nplayers ana beto caro\nround {points}")
    assert (brim, filled) == (paper.brim, [column.filled for column in paper.columns])


def test_only_a_total_that_wins_is_a_goal():
    goals = {
        line: sheet(f"game {line}\nplayers ana beto caro").has_goal
        for line in ("loba_mas", "points target=150", "loba_menos", "chinchon", "points ending=open")
    }
    assert ["loba_mas", "points target=150"] == [line for line, has_goal in goals.items() if has_goal]
