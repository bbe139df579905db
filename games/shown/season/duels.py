"""Head-to-head as pages show it: everybody against everybody, and two members game by game.

Two members meet in each game that both played. In it, the one with the better place was ahead of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _

from games.models import Table
from games.money.balances import People
from games.names import isolated
from games.season.duels import Duel, Encounters, Meeting
from games.shown.common.amounts import money, points, tone_of
from games.shown.common.days import day_in_words
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.played import game_name, game_page, games_in_words


@dataclass(frozen=True)
class Cell:
    """A cell of the matrix: how often the row's member placed better than the column's, and how often worse.

    `sentence` says the same in words. `other` is the id of the column's member. All texts but `other` are ""
    if the two members never met, and if both are the same member.
    """

    other: str
    ahead: str = ""
    behind: str = ""
    tone: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class MatrixRow:
    """A row of the matrix: one member against every other member."""

    person: Person
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Matrix:
    """The head-to-head matrix, with a row and a column for each member who has played with another."""

    people: tuple[Person, ...]
    rows: tuple[MatrixRow, ...]


@dataclass(frozen=True)
class Side:
    """One of two compared members, in the games that both played.

    `ahead` is how often this member placed better, and `wins` how many of these games they won. `share` is
    the percentage of games in which they placed better; games with equal places are left out.
    """

    person: Person
    ahead: str
    wins: str
    money: str
    tone: str
    share: str


@dataclass(frozen=True)
class MeetingRow:
    """A game that both members played: its name, and the place and money of each."""

    title: str
    detail: str
    places: tuple[str, str]
    money: tuple[str, str]
    href: str


@dataclass(frozen=True)
class DuelShown:
    """The comparison of two members. `level` is the number of games in which they had the same place."""

    games: str
    level: int
    sides: tuple[Side, Side]
    meetings: tuple[MeetingRow, ...]


def matrix_of(duels: Mapping[tuple[str, str], Duel], people: People) -> Matrix:
    """Return the head-to-head matrix, with members in the order in which they joined the table.

    A duel counts how often one member placed better than the other, and how often worse. `duels` has two for
    any two members who met, one from each member's side. The key is (the member's slug, the other's slug).
    """
    playing = [member for member in people.own if any(member.slug == one for one, _other in duels)]
    return Matrix(
        people=tuple(person_of(member) for member in playing),
        rows=tuple(
            MatrixRow(
                person_of(member),
                tuple(_cell(duels.get((member.slug, other.slug)), other.slug) for other in playing),
            )
            for member in playing
        ),
    )


def _cell(duel: Duel | None, other: str) -> Cell:
    if duel is None:
        return Cell(other)
    sentence = _("%(name)s ahead of %(other)s: %(ahead)s, behind: %(behind)s") % {
        "name": isolated(duel.one.name),
        "ahead": points(duel.ahead),
        "other": isolated(duel.other.name),
        "behind": points(duel.behind),
    }
    return Cell(other, points(duel.ahead), points(duel.behind), tone_of(duel.ahead - duel.behind), sentence)


def duel_of(encounters: Encounters, table: Table) -> DuelShown:
    """Return the comparison of two members, with the last games that both played."""
    duel = encounters.duel
    decided = max(duel.ahead + duel.behind, 1)
    one, other = (
        Side(
            person=person_of(member),
            ahead=points(ahead),
            wins=points(wins),
            money=money(net, table, signed=True),
            tone=tone_of(net),
            share=str(round(100 * ahead / decided)),
        )
        for member, ahead, wins, net in (
            (duel.one, duel.ahead, encounters.wins[0], encounters.nets[0]),
            (duel.other, duel.behind, encounters.wins[1], encounters.nets[1]),
        )
    )
    return DuelShown(
        games=games_in_words(duel.games),
        level=duel.level,
        sides=(one, other),
        meetings=tuple(_meeting(meeting, table) for meeting in encounters.last),
    )


def _meeting(meeting: Meeting, table: Table) -> MeetingRow:
    one, other = meeting.nets
    return MeetingRow(
        title=game_name(meeting.game),
        detail=day_in_words(date.fromordinal(meeting.game.night_number)),
        places=(points(meeting.places[0]), points(meeting.places[1])),
        money=(money(one, table, signed=True), money(other, table, signed=True)),
        href=game_page(meeting.game),
    )
