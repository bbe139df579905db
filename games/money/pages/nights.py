"""The page of one night (noche): its games, its tally, its costs and its payments."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override
from django.views.decorators.http import require_GET

from games.common.amounts import money, tone_of
from games.common.days import day_in_words, games_of
from games.common.names import Person, all_of
from games.common.played import Win, games_so_far, wins_in_words
from games.common.roles import WRITERS
from games.common.sent import Refused, user_of
from games.common.typed import read_day
from games.models import Payment, SharedCost, Table
from games.money.evening import Evening, evenings_of
from games.money.pages import rows as shown
from games.money.pages.debt_rows import Reader
from games.money.pages.evening import Night, night_file, night_message, night_picture
from games.money.pages.rows import MoveRow, cost_row, payment_row
from games.money.pages.ticked import has_ticks, just_done
from games.tables.access import accounts_for
from games.tables.people import People, person_of


def sums_so_far(evening: Evening, table: Table) -> list[tuple[Person, str, str]]:
    """Return everybody with what they won or lost so far and its colour or, if no money moved, with their wins."""
    if evening.has_money:
        return [
            (person_of(one.member), money(one.net, table, signed=True), tone_of(one.net))
            for one in evening.there
        ]
    return [(person_of(one.member), wins_in_words(one.wins), "") for one in evening.there]


def win_of_night(evening: Evening, table: Table, *, is_playing: bool) -> Win:
    """Return the winners of a night or, while it is played, who is ahead, with their lead and the sum of the pots."""
    single = evening.leaders[0] if len(evening.leaders) == 1 else None
    return Win(
        single=person_of(single.member) if single else None,
        sentence=_leaders_in_words(evening, table, is_playing=is_playing),
        pot=_("%(sum)s in the pots") % {"sum": money(evening.pots, table)} if evening.pots else "",
        amount=money(single.net, table, signed=True) if single and single.net else "",
        tone=tone_of(single.net) if single else "",
    )


def _leaders_in_words(evening: Evening, table: Table, *, is_playing: bool) -> str:
    """Return who won the night, or is ahead so far, and by how much money if it is one person."""
    count = len(evening.leaders)
    names = all_of([one.member.name for one in evening.leaders])
    if not count:
        return _("nobody won")
    if evening.has_money and evening.margin:
        lead = {"name": names, "names": names, "amount": money(evening.margin, table)}
        if is_playing:
            return _("%(name)s is %(amount)s ahead") % lead
        return _("%(names)s won the night by %(amount)s") % lead
    if is_playing:
        return ngettext("%(names)s is ahead", "%(names)s are ahead", count) % {"names": names}
    return ngettext("%(names)s won the night", "%(names)s won the night", count) % {"names": names}


def move_rows(moves: Sequence[Payment | SharedCost | date], people: People, table: Table) -> list[MoveRow]:
    """Return the movements as rows of a list, in their order."""
    numbers = [move.toordinal() for move in moves if isinstance(move, date)]
    evenings = evenings_of(numbers, table, people)
    games = table.games.filter(discarded_at=None, night_number__in=numbers)
    begun = Counter(games.values_list("night_number", flat=True))

    def row(move: Payment | SharedCost | date) -> MoveRow:
        match move:
            case Payment():
                return payment_row(move, people, table)
            case SharedCost():
                return cost_row(move, people, table)
        number = move.toordinal()
        return night_row(move, evenings.get(number), table, begun=begun[number])

    return [row(move) for move in moves]


def night_row(night: date, evening: Evening | None, table: Table, *, begun: int) -> MoveRow:
    """Return a night as a row of a list: who won or, while one of the games `begun` is played, who is ahead."""
    over = len(evening.winners) if evening else 0
    win = win_of_night(evening, table, is_playing=over < begun) if evening else None
    day = day_in_words(night)
    details = (day if win else "", games_so_far(over, begun - over), win.pot if win else "")
    return MoveRow(
        faces=(win.single,) if win and win.single else (),
        title=win.sentence if win else day,
        detail=" · ".join(filter(None, details)),
        amount=win.amount if win else "",
        tone=win.tone if win else "",
        href=reverse("night", args=[table.code, night.isoformat()]),
    )


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
    people, evening = of_night.people, of_night.evening
    won = night_row(of_night.night, evening, table, begun=len(evening.games))
    context = {
        **{"table": table, "my_role": role, "all_people": people},
        "day": day_in_words(of_night.night),
        "night": of_night.night.isoformat(),
        "is_tonight": of_night.is_tonight,
        "won": won if evening.winners else None,
        **{"in_short": of_night.in_short(), "there": [*of_night.there()], "games": [*of_night.games()]},
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
