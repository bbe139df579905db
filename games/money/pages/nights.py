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
from django.utils.translation import ngettext, override
from django.views.decorators.http import require_GET

from games.common.amounts import money, tone_of
from games.common.book import states_of
from games.common.days import day_in_words, games_of
from games.common.names import Person, all_of, isolated
from games.common.played import Win, games_so_far, win_of, wins_in_words
from games.common.roles import WRITERS
from games.common.sent import Refused, user_of
from games.common.typed import read_day
from games.models import Payment, SharedCost, Table
from games.money.evening import NightTally, tallies_of
from games.money.pages import rows as shown
from games.money.pages.debt_rows import Reader
from games.money.pages.evening import Night, night_file, night_message, night_picture
from games.money.pages.rows import MoveRow, cost_row, payment_row
from games.money.pages.ticked import has_ticks, just_done
from games.scoring.admission import MOST_STEPS
from games.tables.access import accounts_for
from games.tables.people import People, people_among, person_of

MOST_NAMED = 2  # the most members that a sentence names behind a single leader


def sums_so_far(tally: NightTally, table: Table) -> list[tuple[Person, str, str]]:
    """Return everybody with what they won or lost so far and its colour or, if no money moved, with their wins."""
    if tally.has_money:
        return [
            (person_of(share.member), money(share.net, table, signed=True), tone_of(share.net))
            for share in tally.shares
        ]
    return [(person_of(share.member), wins_in_words(share.wins), "") for share in tally.shares]


def win_of_night(tally: NightTally, table: Table, *, is_playing: bool) -> Win:
    """Return the winners of a night, with their lead and the sum of the pots.

    While the night is played (`is_playing`), the players who are ahead are named instead.
    """
    leaders = tally.leaders
    single = leaders[0] if len(leaders) == 1 else None
    sentence = _("nobody won")
    if leaders:
        sentence = _ahead(tally, table) if is_playing else _won(tally, table)
    return Win(
        single=person_of(single.member) if single else None,
        sentence=sentence,
        pot=_("%(sum)s in the pots") % {"sum": money(tally.pots, table)} if tally.pots else "",
        amount=money(single.net, table, signed=True) if single and single.net else "",
        tone=tone_of(single.net) if single else "",
    )


def _won(tally: NightTally, table: Table) -> str:
    names = all_of([share.member.name for share in tally.leaders])
    count = len(tally.leaders)
    if tally.has_money and tally.margin:
        text = ngettext(
            "%(names)s won the night by %(amount)s", "%(names)s won the night by %(amount)s", count
        )
        return text % {"names": names, "amount": money(tally.margin, table)}
    return ngettext("%(names)s won the night", "%(names)s won the night", count) % {"names": names}


def _ahead(tally: NightTally, table: Table) -> str:
    """Return who is ahead so far and, for a single leader, by how much: `Ana is $ 200 ahead of Beto`."""
    leaders = [isolated(share.member.name) for share in tally.leaders]
    behind = [isolated(share.member.name) for share in tally.runners_up]
    if not behind or not tally.has_money:
        return ngettext("%(names)s is ahead", "%(names)s are ahead", len(leaders)) % {
            "names": all_of(leaders)
        }
    words = {"name": leaders[0], "amount": money(tally.margin, table), "others": all_of(behind)}
    if len(behind) > MOST_NAMED:
        return _("%(name)s is %(amount)s ahead of the next") % words
    return (
        ngettext(
            "%(name)s is %(amount)s ahead of %(others)s",
            "%(name)s is %(amount)s ahead of %(others)s",
            len(behind),
        )
        % words
    )


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
    tallies = tallies_of(numbers, table, people)
    # A night is not won by points, but a night of a single game is described as that game, with its points.
    single = {night: tally.games[0] for night, tally in tallies.items() if len(tally.games) == 1}
    states, persons = states_of(list(single.values()), most=MOST_STEPS), people_among(people)

    def row(night: date) -> MoveRow:
        key = night.toordinal()
        count, over = counts.get(key, (0, 0))
        tally, win = tallies.get(key), None
        state = states.get(single[key]) if key in single and count == 1 else None
        if state is not None and state.outcome is not None:
            win = win_of(state, persons, table)
        elif tally:
            win = win_of_night(tally, table, is_playing=over < count)
        day = day_in_words(night)
        details = (day if win else "", games_so_far(over, count - over), win.pot if win else "")
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
        "played": of_night,
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
