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
from games.money.tallies import tallies_of
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


def night_rows(nights: Sequence[date], table: Table, people: People) -> Iterator[NightRow]:
    """Yield the nights as rows of a list. A night under way has everybody's sum so far."""
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
        key, is_playing = (table.pk, number), over < count
        tally, win = tallies.get(key), None
        state = states.get(single[key]) if key in single and count == 1 else None
        if state is not None and state.outcome is not None:
            win = win_of(state, persons, table)
        elif tally:
            win = win_of_night(tally, table, is_playing=is_playing)
        yield NightRow(
            day=day_in_words(night),
            win=win,
            detail=" · ".join(filter(None, (games_in_words(count), win.pot if win else ""))),
            is_playing=is_playing,
            tally=tally_shown(tally, table) if tally and is_playing else None,
            href=reverse("night", args=[table.code, night.isoformat()]),
        )
