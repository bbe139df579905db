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
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from games.common import amounts, days, event_sentences, game_labels, naming
from games.common.naming import Person
from games.models import Member, SeasonOrder, Table
from games.money.presenters.account_display import MovementItem
from games.money.views.debt_pages import requested_page
from games.seasons import presenters
from games.seasons.services import season_ranking, season_standings, season_statistics
from games.seasons.services.season_ranking import Filters
from games.seasons.services.season_standings import GameScope, MemberTotals, Standings
from games.seasons.services.season_statistics import (
    Career,
    CareerGame,
    HeadToHead,
    HeadToHeadDetail,
    SharedGame,
    VariantTotals,
)
from games.seasons.views.season import SeasonPage, get_season_page
from games.tables.services import roster


@dataclass(frozen=True)
class StatItem:
    """A figure with its title. `detail` is a text below it, `tone` its color class, `rule` how it counts."""

    title: str
    value: str
    detail: str = ""
    tone: str = ""
    rule: str = ""


def main_statistics(tally: MemberTotals, standings: Standings, table: Table) -> dict[SeasonOrder, StatItem]:
    """Return the member's four ranking figures, each with its rank, if any."""
    rules = dict.fromkeys(
        (SeasonOrder.POINTS, SeasonOrder.AVERAGE), _("Points: one for each player you finish ahead of.")
    )
    figures = {
        SeasonOrder.WINS: (_("Won"), amounts.points(tally.wins), ""),
        SeasonOrder.POINTS: (_("Points"), amounts.points(tally.points), ""),
        SeasonOrder.AVERAGE: (_("Per game"), presenters.format_hundredths(tally.average), ""),
        SeasonOrder.MONEY: (
            _("Money"),
            amounts.money(tally.net, table, signed=True),
            amounts.tone(tally.net),
        ),
    }
    return {
        by: StatItem(title, value, _rank_label(tally, by, standings), tone, rules.get(by, ""))
        for by, (title, value, tone) in figures.items()
    }


def _values_by_game(scope: GameScope, tally: MemberTotals, by: SeasonOrder) -> Sequence[int]:
    """Return how much each game added to the figure that orders the season, oldest first."""
    match by:
        case SeasonOrder.MONEY:
            return season_statistics.load_nets(scope, tally.member)
        case SeasonOrder.WINS:
            return [int(season_standings.is_win(mark)) for mark in tally.marks]
        case _:
            return [season_standings.decode_points(mark) for mark in tally.marks]


def _rank_label(tally: MemberTotals, by: SeasonOrder, standings: Standings) -> str:
    tallies = standings.tallies.values()
    lines = season_ranking.resolve_ordering(Filters(None, by), tallies).rank(tallies).lines
    place = next((line.place for line in lines if line.tally.member == tally.member), None)
    if place is None:
        return ""
    return _("%(rank)s of %(count)s") % {
        "rank": amounts.ordinal(place),
        "count": amounts.points(len(lines)),
    }


def further_statistics(career: Career, tally: MemberTotals, table: Table) -> Iterator[StatItem]:
    """Yield the member's other figures that are not zero, such as streaks and re-entries."""
    most = _("most in one game: %(count)s") % {"count": amounts.points(career.most_reentries)}
    for title, count, detail in (
        (_("Current win streak"), tally.streak, ""),
        (pgettext("player", "Longest win streak"), tally.longest_streak, ""),
        (_("Rounds won"), career.rounds_won, ""),
        (_("In one go"), career.in_one_go, ""),
        (_("Comebacks"), career.reentries, most),
        (
            _("Most rounds in a row survived above 90"),
            career.survived,
            _("starting within ten points of the limit"),
        ),
    ):
        if count:
            yield StatItem(title, amounts.points(count), detail)
    if career.most_won > 0:
        yield StatItem(_("Best game"), amounts.money(career.most_won, table, signed=True), tone="green")


def variant_items(career: Career, table: Table) -> list[tuple[str, StatItem]]:
    """Return a statistic for each variant that the member played: their money and other sums."""
    return [
        (
            played.variant,
            StatItem(
                game_labels.variant_label(played.variant),
                amounts.money(played.net, table, signed=True) if played.net else "",
                _variant_totals_label(played),
                amounts.tone(played.net),
            ),
        )
        for played in career.variants
    ]


def _variant_totals_label(played: VariantTotals) -> str:
    parts = [game_labels.games_label(played.games), game_labels.wins_label(played.wins)]
    if played.games:
        average = presenters.format_hundredths(Fraction(played.points, played.games))
        parts.append(_("%(average)s points a game for the season") % {"average": average})
    return " · ".join(parts)


def result_items(games: Iterable[CareerGame], table: Table) -> tuple[MovementItem, ...]:
    return tuple(
        MovementItem(
            faces=(),
            title=game_labels.game_label(played.result.game),
            detail=_result_label(played),
            amount=amounts.money(played.result.net, table, signed=True) if played.result.net else "",
            tone=amounts.tone(played.result.net),
            href=game_labels.game_url(played.result.game),
        )
        for played in games
    )


def _result_label(played: CareerGame) -> str:
    result = played.result
    parts = [days.format_day(date.fromordinal(result.night_number))]
    if result.place is None:
        parts.append(_("everyone got their money back"))
    else:
        if played.has_shared_pot:
            parts.append(event_sentences.won_by_label((), is_shared=True))
        elif result.won:
            parts.append(_("won"))
        else:
            parts.append(_("%(rank)s place") % {"rank": amounts.ordinal(result.place)})
        if result.points:
            text = ngettext(
                "%(count)s point for the season", "%(count)s points for the season", result.points
            )
            parts.append(text % {"count": amounts.points(result.points)})
    return " · ".join(parts)


def head_to_head_items(duels: Iterable[HeadToHead]) -> list[tuple[Person, str, HeadToHead]]:
    """Return the opponent of each of a member's head-to-head results, with a sentence and the result."""
    return [(roster.to_person(duel.other), _head_to_head_sentence(duel), duel) for duel in duels]


def _head_to_head_sentence(duel: HeadToHead) -> str:
    """Return a sentence such as `finished ahead of Beto in 7 of 10 games`."""
    counts = {"ahead": amounts.points(duel.ahead), "games": game_labels.games_label(duel.games)}
    return _("finished ahead of %(name)s in %(ahead)s of %(games)s") % {
        **counts,
        "name": naming.isolate(duel.other.name),
    }


PAGE_SIZE = 20
SHARED_GAMES = 10
FORM_LENGTH = 10


@require_safe
def player(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show a member's season and, with `against` in the query string, their results against another."""
    season_page = get_season_page(request, table_code)
    somebody, table, scope = _member_or_404(season_page, member), season_page.table, season_page.scope
    if somebody.slug != member:  # they were merged
        address = reverse("player", args=[table.code, somebody.slug])
        return redirect(f"{address}?{urlencode(request.GET.dict())}")
    standings = season_standings.load(scope)
    tally = standings.tallies.get(somebody.slug, MemberTotals(somebody))
    career = season_statistics.load_career(scope, somebody)
    by = season_ranking.resolve_ordering(season_page.filters, standings.tallies.values()).by
    figures = main_statistics(tally, standings, table)
    headline = figures.pop(by)
    if not any(totals.net for totals in standings.tallies.values()):
        figures.pop(SeasonOrder.MONEY, None)
    course, zero = presenters.sparkline_path(_values_by_game(scope, tally, by))
    context = {
        **season_page.context(standings.extent),
        "person": roster.to_person(somebody),
        "games": game_labels.games_label(tally.games),
        "form": presenters.recent_results(tally.marks[-FORM_LENGTH:]),
        "standing": headline,
        "figures": figures.values(),
        "course": course,
        "zero": zero,
        "deeds": list(further_statistics(career, tally, table)),
        **_head_to_head_context(season_page, somebody, request.GET.get("against", "")),
        "variants": variant_items(career, table),
        "duels": head_to_head_items(season_statistics.load_head_to_heads(scope, somebody)),
        "has_played": bool(career.variants),
        **_results_context(season_page, somebody, requested_page(request)),
    }
    return render(request, "seasons/player.html", context)


def _member_or_404(season_page: SeasonPage, slug: str) -> Member:
    member = season_page.people.by_slug.get(slug)
    if member is None:
        raise Http404(_("This table doesn't have that player."))
    return member


def _head_to_head_context(season_page: SeasonPage, member: Member, slug: str) -> dict[str, object]:
    other, table = season_page.people.by_slug.get(slug), season_page.table
    if other is None or other == member:
        return {}
    encounters = season_statistics.load_head_to_head(season_page.scope, member, other, last=SHARED_GAMES)
    return {
        "against": roster.to_person(other),
        "encounters": tuple(_head_to_head_statistics(encounters, table)) if encounters.shared_games else (),
        "meetings": [
            _shared_game_item(meeting, encounters.head_to_head, table) for meeting in encounters.shared_games
        ],
    }


def _head_to_head_statistics(encounters: HeadToHeadDetail, table: Table) -> Iterator[StatItem]:
    duel, detail = encounters.head_to_head, game_labels.games_label(encounters.head_to_head.games)
    if duel.level:
        level = ngettext("tied once", "tied %(count)s times", duel.level) % {
            "count": amounts.points(duel.level)
        }
        detail = f"{detail} · {level}"
    yield StatItem(_("Times ahead"), f"{amounts.points(duel.ahead)} – {amounts.points(duel.behind)}", detail)
    yield StatItem(_("Games won"), " – ".join(map(amounts.points, encounters.wins)))
    for member, net in zip((duel.one, duel.other), encounters.nets, strict=True):
        title = _("%(name)s's money in these games") % {"name": naming.isolate(member.name)}
        yield StatItem(title, amounts.money(net, table, signed=True), tone=amounts.tone(net))


def _shared_game_item(meeting: SharedGame, duel: HeadToHead, table: Table) -> MovementItem:
    net_labels = (
        f"{naming.isolate(member.name)} {amounts.money(net, table, signed=True)}"
        for member, net in zip((duel.one, duel.other), meeting.nets, strict=True)
    )
    return MovementItem(
        faces=(),
        title=game_labels.game_label(meeting.game),
        detail=days.format_day(date.fromordinal(meeting.game.night_number)),
        amount=" – ".join(map(amounts.points, meeting.places or ())),
        href=game_labels.game_url(meeting.game),
        state=" · ".join(net_labels),
    )


def _results_context(season_page: SeasonPage, somebody: Member, page: int) -> dict[str, object]:
    results, is_more = season_statistics.load_results(
        season_page.scope, somebody, start=(page - 1) * PAGE_SIZE, count=PAGE_SIZE
    )
    return {
        "results": result_items(results, season_page.table),
        "newer": page - 1,
        "older": page + 1 if is_more else 0,
    }
