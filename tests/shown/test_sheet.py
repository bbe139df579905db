"""The scoresheet: every column adds up to its total, whoever sits in it."""

from __future__ import annotations

from django.utils.translation import override

from games.models import Game, Table
from games.scoring.notation import read_line
from games.scoring.replay import replay
from games.scoring.script import play_script, read_script
from games.shown.people import Person
from games.shown.sheet import sheet_of

HANDED_OVER = """\
game loba_menos stake=100
players ana beto caro
round ana out beto=60 caro=20
round ana out beto=50 caro=20
reenter beto
round ana out beto=7 caro=2
replace beto by eva
round ana out eva=5 caro=3
"""


def sheet(text, *more):
    log = play_script(read_script(text)).log
    for line in more:
        log += read_line(line)
    people = {name: Person(name, name.title(), 1) for name in ("ana", "beto", "caro", "eva")}
    with override("en"):
        return sheet_of(Game(code="code", table=Table(unit="$", decimals=0)), log, replay(log), people)


def column(found, place):
    return [row.cells[place].text for row in found.rows if row.cells]


def test_a_seat_handed_over_keeps_its_column():
    found = sheet(HANDED_OVER)
    assert ["60", "50", "with 40", "7", "5"] == column(found, 1)
    assert ("Eva", "52") == (found.columns[1].person.name, found.columns[1].total)


def test_a_figure_of_somebody_who_handed_his_seat_over_can_be_corrected():
    found = sheet(HANDED_OVER)
    assert found.rows[0].cells[1].href.endswith("/correct/2/?hand=beto")


def test_nobody_has_a_margin_once_the_game_is_over():
    found = sheet(HANDED_OVER, "stop lowest_wins")
    assert [("", None)] * 3 == [(column.margin, column.meter) for column in found.columns]


def test_only_the_figure_that_was_changed_is_marked():
    found = sheet(HANDED_OVER, "correct 2 round ana out beto=59 caro=20")
    assert ["cut", "fixed", ""] == [cell.marks for cell in found.rows[0].cells]
