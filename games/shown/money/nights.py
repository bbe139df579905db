"""The nights of a table as lists show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count
from django.urls import reverse

from games.book import states_of
from games.models import Table
from games.money.balances import People
from games.money.tallies import NightTally, tallies_of
from games.scoring.admission import MOST_STEPS
from games.shown.common.days import day_in_words
from games.shown.common.people import people_among
from games.shown.common.played import games_in_words
from games.shown.common.wins import Win, win_of
from games.shown.money.tallies import TallyShown, tally_shown, win_of_night


@dataclass(frozen=True)
class NightRow:
    """A night in a list, with its winners.

    `tally` has everybody's sum so far while the night is played, and is None afterwards.
    """

    day: str
    win: Win | None
    detail: str
    is_playing: bool
    tally: TallyShown | None
    href: str


@dataclass(frozen=True)
class ListedNight:
    """A night with its tally, and the numbers of its games and of those that are over.

    `win` has the winners of its only game; it is None if there are more games or that game is unfinished.
    """

    night: date
    games: int
    over: int
    tally: NightTally | None
    win: Win | None

    @property
    def is_playing(self) -> bool:
        """True while a game of the night is unfinished."""
        return self.over < self.games


def night_rows(nights: Sequence[date], table: Table, people: People) -> list[NightRow]:
    """Return the nights as rows of a list. A night under way has everybody's sum so far."""
    return [_night_row(played, table) for played in _played(nights, table, people)]


def _played(nights: Sequence[date], table: Table, people: People) -> Iterator[ListedNight]:
    numbers = [night.toordinal() for night in nights]
    games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by()
    rows = games.values("night_number").annotate(games=Count("pk"), over=Count("ended_at"))
    counts = {row["night_number"]: (row["games"], row["over"]) for row in rows}
    tallies = tallies_of([(table.pk, number) for number in numbers], {table.pk: people})
    # A night is not won by points, but a night of a single game is described as that game, with its points.
    single = {night: tally.games[0] for night, tally in tallies.items() if len(tally.games) == 1}
    states, persons = states_of(list(single.values()), most=MOST_STEPS), people_among(people)
    for night, number in zip(nights, numbers, strict=True):
        count, over = counts.get(number, (0, 0))
        key = (table.pk, number)
        state = states.get(single[key]) if key in single and count == 1 else None
        win = win_of(state, persons, table) if state is not None and state.outcome is not None else None
        yield ListedNight(night, count, over, tallies.get(key), win)


def _night_row(played: ListedNight, table: Table) -> NightRow:
    tally, win = played.tally, played.win
    if tally and win is None:
        win = win_of_night(tally, table, is_playing=played.is_playing)
    return NightRow(
        day=day_in_words(played.night),
        win=win,
        detail=" · ".join(filter(None, (games_in_words(played.games), win.pot if win else ""))),
        is_playing=played.is_playing,
        tally=tally_shown(tally, table) if tally and played.is_playing else None,
        href=reverse("night", args=[table.code, played.night.isoformat()]),
    )
