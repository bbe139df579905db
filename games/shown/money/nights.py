"""The movements of a table as a list shows them: payments, shared costs, and the nights with games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from games.book import states_of
from games.models import Payment, SharedCost, Table
from games.money.balances import People
from games.money.tallies import tallies_of
from games.scoring.admission import MOST_STEPS
from games.shown.common.days import day_in_words
from games.shown.common.people import people_among
from games.shown.common.played import games_in_words
from games.shown.common.wins import win_of
from games.shown.money.accounts import MoveRow, cost_row, payment_row
from games.shown.money.tallies import win_of_night


def move_rows(moves: Sequence[Payment | SharedCost | date], people: People, table: Table) -> list[MoveRow]:
    """Return the movements as rows of a list, in their order."""
    nights = _night_rows([move for move in moves if isinstance(move, date)], people, table)

    def row(move: Payment | SharedCost | date) -> MoveRow:
        match move:
            case Payment():
                return payment_row(move, people, table)
            case SharedCost():
                return cost_row(move, people, table)
            case night:
                return nights[night]

    return [row(move) for move in moves]


def _night_rows(nights: Sequence[date], people: People, table: Table) -> Mapping[date, MoveRow]:
    """Return the nights as rows of a list: who won or, while a night is played, who is ahead."""
    numbers = [night.toordinal() for night in nights]
    games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by()
    rows = games.values("night_number").annotate(games=Count("pk"), over=Count("ended_at"))
    counts = {row["night_number"]: (row["games"], row["over"]) for row in rows}
    tallies = tallies_of([(table.pk, number) for number in numbers], {table.pk: people})
    # A night is not won by points, but a night of a single game is described as that game, with its points.
    single = {night: tally.games[0] for night, tally in tallies.items() if len(tally.games) == 1}
    states, persons = states_of(list(single.values()), most=MOST_STEPS), people_among(people)

    def row(night: date) -> MoveRow:
        key = (table.pk, night.toordinal())
        count, over = counts.get(key[1], (0, 0))
        tally, win = tallies.get(key), None
        state = states.get(single[key]) if key in single and count == 1 else None
        if state is not None and state.outcome is not None:
            win = win_of(state, persons, table)
        elif tally:
            win = win_of_night(tally, table, is_playing=over < count)
        day, played = day_in_words(night), _("under way") if over < count else ""
        details = (day if win else "", games_in_words(count), win.pot if win else "", played)
        return MoveRow(
            faces=(win.single,) if win and win.single else (),
            title=win.sentence if win else day,
            detail=" · ".join(filter(None, details)),
            amount=win.amount if win else "",
            tone=win.tone if win else "",
            href=reverse("night", args=[table.code, night.isoformat()]),
        )

    return {night: row(night) for night in nights}
