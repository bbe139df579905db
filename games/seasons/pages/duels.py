"""Head-to-head as a page shows it: two members, game by game.

Two members meet in each game that both played. In it, the one with the better place was ahead of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from games.common.amounts import money, points, tone_of
from games.common.days import day_in_words
from games.common.people import Person
from games.common.played import game_name, game_page, games_in_words
from games.models import Table
from games.seasons.duels import Encounters, Meeting
from games.tables.pages.people import person_of


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
