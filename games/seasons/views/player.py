"""The season of one member: statistics, every game, and the results against another member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from games.common import amounts, days, game_labels, naming
from games.common.naming import Person
from games.models import Member, Result, SeasonOrder, Table
from games.money.views.ticks import asked_page
from games.money.words import MoveRow
from games.seasons import words
from games.seasons.ranking import Filters, ordering_of
from games.seasons.records import (
    Career,
    Duel,
    Encounters,
    Meeting,
    Played,
    career_of,
    duels_of,
    encounters_of,
    games_of,
    nets_of,
)
from games.seasons.standings import Scope, Standings, Tally, is_won, points_of, standings_of
from games.seasons.views.season import OpenSeason, open_season
from games.seasons.words import hundredths
from games.tables.services import roster


@dataclass(frozen=True)
class Figure:
    """A figure with its title. `detail` is a text below it, `tone` the CSS class of its colour, `rule` how it counts."""

    title: str
    value: str
    detail: str = ""
    tone: str = ""
    rule: str = ""


def figures_of(tally: Tally, standings: Standings, table: Table) -> dict[SeasonOrder, Figure]:
    """Return the member's games won, points, points per game and money, each with their rank by it, if any."""
    rules = dict.fromkeys(
        (SeasonOrder.POINTS, SeasonOrder.AVERAGE), _("Points: one for each player you finish ahead of.")
    )
    figures = {
        SeasonOrder.WINS: (_("Won"), amounts.points(tally.wins), ""),
        SeasonOrder.POINTS: (_("Points"), amounts.points(tally.points), ""),
        SeasonOrder.AVERAGE: (_("Per game"), hundredths(tally.average), ""),
        SeasonOrder.MONEY: (
            _("Money"),
            amounts.money(tally.net, table, signed=True),
            amounts.tone(tally.net),
        ),
    }
    return {
        by: Figure(title, value, _rank(tally, by, standings), tone, rules.get(by, ""))
        for by, (title, value, tone) in figures.items()
    }


def _steps(scope: Scope, tally: Tally, by: SeasonOrder) -> Sequence[int]:
    """Return what each game added to the figure by which the season is ordered, oldest first."""
    match by:
        case SeasonOrder.MONEY:
            return nets_of(scope, tally.member)
        case SeasonOrder.WINS:
            return [int(is_won(mark)) for mark in tally.marks]
        case _:
            return [points_of(mark) for mark in tally.marks]


def _rank(tally: Tally, by: SeasonOrder, standings: Standings) -> str:
    tallies = standings.tallies.values()
    lines = ordering_of(Filters(None, by), tallies).rank(tallies).lines
    rank = next((line.rank for line in lines if line.tally.member == tally.member), None)
    if rank is None:
        return ""
    return _("place %(rank)s of %(count)s") % {
        "rank": amounts.points(rank),
        "count": amounts.points(len(lines)),
    }


def deeds_of(career: Career, tally: Tally, table: Table) -> Iterator[Figure]:
    """Yield the member's further figures, such as streaks and re-entries, without those that are zero."""
    most = _("most in one game: %(count)s") % {"count": amounts.points(career.most_reentries)}
    for title, count, detail in (
        (_("Won in a row, now"), tally.streak, ""),
        (_("Most won in a row"), tally.longest_streak, ""),
        (_("Rounds won"), career.rounds_won, ""),
        (_("In one go"), career.in_one_go, ""),
        (_("Re-entries"), career.reentries, most),
        (
            _("Most rounds survived in a row over 90"),
            career.survived,
            _("begun at ten points or fewer from the limit"),
        ),
    ):
        if count:
            yield Figure(title, amounts.points(count), detail)
    if career.most_won > 0:
        yield Figure(_("Best game"), amounts.money(career.most_won, table, signed=True), tone="green")


def variant_rows(career: Career, table: Table) -> list[tuple[str, Figure]]:
    """Return each kind of card game that the member played, with its title, their money and other sums."""
    return [
        (
            played.variant,
            Figure(
                game_labels.variant_label(played.variant),
                amounts.money(played.net, table, signed=True) if played.net else "",
                _played_in_words(played),
                amounts.tone(played.net),
            ),
        )
        for played in career.variants
    ]


def _played_in_words(played: Played) -> str:
    parts = [game_labels.games_label(played.games), game_labels.wins_label(played.wins)]
    if played.games:
        average = hundredths(Fraction(played.points, played.games))
        parts.append(_("%(average)s points a game in the standings") % {"average": average})
    return " · ".join(parts)


def game_rows(results: Iterable[Result], table: Table) -> tuple[MoveRow, ...]:
    """Return a row for each of these results, in their order."""
    return tuple(
        MoveRow(
            faces=(),
            title=game_labels.game_label(result.game),
            detail=_result_in_words(result),
            amount=amounts.money(result.net, table, signed=True) if result.net else "",
            tone=amounts.tone(result.net),
            href=game_labels.game_url(result.game),
        )
        for result in results
    )


def _result_in_words(result: Result) -> str:
    parts = [days.format_day(date.fromordinal(result.night_number))]
    if result.place is None:
        parts.append(_("everyone took their money back"))
    else:
        parts.append(
            _("won") if result.won else _("place %(place)s") % {"place": amounts.points(result.place)}
        )
        text = ngettext(
            "%(count)s point in the standings", "%(count)s points in the standings", result.points
        )
        parts.append(text % {"count": amounts.points(result.points)})
    return " · ".join(parts)


def duel_rows(duels: Iterable[Duel]) -> list[tuple[Person, str, Duel]]:
    """Return of each of these duels of a member the other person, and in words how often the member was ahead."""
    return [(roster.to_person(duel.other), _duel_in_words(duel), duel) for duel in duels]


def _duel_in_words(duel: Duel) -> str:
    """Return how often the member was ahead: `finished ahead of Beto in 7 of 10 games`."""
    counts = {"ahead": amounts.points(duel.ahead), "games": game_labels.games_label(duel.games)}
    return _("finished ahead of %(name)s in %(ahead)s of %(games)s") % {
        **counts,
        "name": naming.isolate(duel.other.name),
    }


PAGE = 20
MEETINGS = 10
FORM = 10


@require_safe
def player(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show the season of one member, with `against` in the query that against another."""
    season_page = open_season(request, table_code)
    somebody, table, scope = _member_or_404(season_page, member), season_page.table, season_page.scope
    if somebody.slug != member:  # they were merged
        address = reverse("player", args=[table.code, somebody.slug])
        return redirect(f"{address}?{urlencode(request.GET.dict())}")
    standings = standings_of(scope)
    tally = standings.tallies.get(somebody.slug, Tally(somebody))
    career = career_of(scope, somebody)
    by = ordering_of(season_page.filters, standings.tallies.values()).by
    figures = figures_of(tally, standings, table)
    headline = figures.pop(by)
    if not any(totals.net for totals in standings.tallies.values()):
        figures.pop(SeasonOrder.MONEY, None)
    course, zero = words.course_of(_steps(scope, tally, by))
    context = {
        **season_page.context(standings.extent),
        "person": roster.to_person(somebody),
        "games": game_labels.games_label(tally.games),
        "form": words.form_of(tally.marks[-FORM:]),
        "standing": headline,
        "figures": figures.values(),
        "course": course,
        "zero": zero,
        "deeds": list(deeds_of(career, tally, table)),
        **_duel(season_page, somebody, request.GET.get("against", "")),
        "variants": variant_rows(career, table),
        "duels": duel_rows(duels_of(scope, somebody)),
        "has_played": bool(career.variants),
        **_games(season_page, somebody, asked_page(request)),
    }
    return render(request, "seasons/player.html", context)


def _member_or_404(season_page: OpenSeason, slug: str) -> Member:
    member = season_page.people.by_slug.get(slug)
    if member is None:
        raise Http404(_("This table doesn't have that player."))
    return member


def _duel(season_page: OpenSeason, member: Member, slug: str) -> dict[str, object]:
    """Return the template variables of the results against another member; none if the query names nobody else."""
    other, table = season_page.people.by_slug.get(slug), season_page.table
    if other is None or other == member:
        return {}
    encounters = encounters_of(season_page.scope, member, other, last=MEETINGS)
    return {
        "against": roster.to_person(other),
        "encounters": tuple(_encountered(encounters, table)) if encounters.shared_games else (),
        "meetings": [
            _meeting(meeting, encounters.head_to_head, table) for meeting in encounters.shared_games
        ],
    }


def _encountered(encounters: Encounters, table: Table) -> Iterator[Figure]:
    duel, detail = encounters.head_to_head, game_labels.games_label(encounters.head_to_head.games)
    if duel.level:
        level = ngettext("level once", "level %(count)s times", duel.level) % {
            "count": amounts.points(duel.level)
        }
        detail = f"{detail} · {level}"
    yield Figure(
        _("Times ahead of the other"), f"{amounts.points(duel.ahead)} – {amounts.points(duel.behind)}", detail
    )
    yield Figure(_("Won of these games"), " – ".join(map(amounts.points, encounters.wins)))
    for member, net in zip((duel.one, duel.other), encounters.nets, strict=True):
        title = _("%(name)s's money in these games") % {"name": naming.isolate(member.name)}
        yield Figure(title, amounts.money(net, table, signed=True), tone=amounts.tone(net))


def _meeting(meeting: Meeting, duel: Duel, table: Table) -> MoveRow:
    """Return a game that both members played, with the money and the places of both."""
    net_labels = (
        f"{naming.isolate(member.name)} {amounts.money(net, table, signed=True)}"
        for member, net in zip((duel.one, duel.other), meeting.nets, strict=True)
    )
    return MoveRow(
        faces=(),
        title=game_labels.game_label(meeting.game),
        detail=days.format_day(date.fromordinal(meeting.game.night_number)),
        amount=" – ".join(map(amounts.points, meeting.places)),
        href=game_labels.game_url(meeting.game),
        state=" · ".join(net_labels),
    )


def _games(season_page: OpenSeason, somebody: Member, page: int) -> dict[str, object]:
    """Return the template variables of one page of the member's games."""
    results, is_more = games_of(season_page.scope, somebody, start=(page - 1) * PAGE, count=PAGE)
    return {
        "results": game_rows(results, season_page.table),
        "newer": page - 1,
        "older": page + 1 if is_more else 0,
    }
