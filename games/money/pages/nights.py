"""The page of one night (noche): its games, its tally, its costs and its payments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_GET

from games.common.book import states_of
from games.common.days import day_in_words
from games.common.nights import games_of
from games.common.played import games_in_words
from games.common.refused import Refused
from games.common.roles import WRITERS
from games.common.sent import user_of
from games.common.typed import read_day
from games.common.wins import win_of
from games.models import Payment, SharedCost, Table
from games.money.pages import rows as shown
from games.money.pages.debt_rows import Reader
from games.money.pages.evening import Night, night_file, night_message, night_picture
from games.money.pages.rows import MoveRow, cost_row, payment_row
from games.money.pages.tallies import win_of_night
from games.money.pages.ticked import has_ticks, just_done
from games.money.tallies import tallies_of
from games.scoring.admission import MOST_STEPS
from games.tables.access import accounts_for
from games.tables.pages.people import people_among
from games.tables.people import People


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


@require_GET
def night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show one night: its people, games, costs and payments and, tonight, who pays whom."""
    return show_night(request, table_code, day)


@has_ticks("night")
def show_night(
    request: HttpRequest, table_code: str, day: str, refused: Refused | None = None
) -> HttpResponse:
    """Show one night, with the refusal of a tick if there was one."""
    table, role = accounts_for(request.user, table_code)
    of_night = Night.read(_night_or_404(table, day), table)
    people = of_night.people
    context = {
        **{"table": table, "my_role": role, "all_people": people},
        "day": day_in_words(of_night.night),
        "night": of_night.night.isoformat(),
        "is_tonight": of_night.is_tonight,
        "won": move_rows([of_night.night], people, table)[0] if of_night.evening.results else None,
        "played": of_night.shown(),
        "costs": [shown.cost_row(cost, people, table) for cost in of_night.costs],
        "may_share": role in WRITERS,
        **_owed(of_night, Reader.of(user_of(request), role, people)),
        **_sent(of_night),
        "done": just_done(request, table, people, role),
        "refused": refused,
    }
    return render(request, "money/night.html", context, status=refused.status if refused else 200)


def _night_or_404(table: Table, text: str) -> date:
    day = read_day(text)
    if day is None or not (games_of(day, table).exists() or table.costs.filter(night=day).exists()):
        raise Http404
    return day


def _owed(of_night: Night, reader: Reader) -> dict[str, object]:
    """Return the template variables on who pays whom tonight or, of an old night, on who paid."""
    if of_night.is_tonight:
        return {"debts": of_night.debts(reader), "with_absent": of_night.with_absent(reader)}
    people, table = of_night.people, of_night.table
    return {"payments": [shown.payment_row(payment, people, table) for payment in of_night.paid]}


def _sent(of_night: Night) -> dict[str, str]:
    """Return the template variables for sending the night to the group, in the language of the table."""
    with override(of_night.table.language):
        return {
            "message": night_message(of_night),
            "drawn": json.dumps(night_picture(of_night)),
            "file_name": night_file(of_night.night, of_night.table),
        }
