"""A season (temporada): who leads it, its ranking and its tales, and the sheet that chooses the season."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods, require_POST

from games.common.days import night_of
from games.common.played import title_in_words
from games.common.roles import WRITERS
from games.common.sent import CONFLICT, UNPROCESSABLE, Refused
from games.common.words import translate
from games.models import Member, Role, Season, Table
from games.scoring.errors import RuleError
from games.seasons import seasons as services
from games.seasons.duels import classic_of
from games.seasons.pages import tales as shown
from games.seasons.pages.tales import Summary, span_of
from games.seasons.ranking import (
    ALL,
    Filters,
    History,
    champions_of,
    history_of,
    ordering_of,
    past_champions,
    read_filters,
)
from games.seasons.records import feats_of
from games.seasons.seasons import next_first_day
from games.seasons.standings import Extent, Scope, Standings, standings_of
from games.tables.access import Visitor, table_for
from games.tables.people import People


@dataclass(frozen=True)
class SeasonFields:
    """The fields of a season's form: the present values, or those that were typed and refused.

    `mark` ends the ids of this form, `errors` has the refusals by field.
    """

    mark: str
    name: str
    first_day: str
    order: str
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SeasonRow:
    """A season in the list. `may_be_dropped` is false for the first season."""

    pk: str
    name: str
    span: str
    may_be_dropped: bool
    fields: SeasonFields


def mark_of(season: Season | None) -> str:
    """Return what ends the ids of this season's form; "" for the form of a new one."""
    return "" if season is None else f"-{season.pk}"


def season_rows(
    newest_first: Sequence[Season], history: History, typed: Mapping[Season | None, SeasonFields]
) -> Sequence[SeasonRow]:
    """Return a row for each season of a table; `typed` has the fields of a refused form.

    The oldest season begins with the table's first game, if that was earlier.
    """
    seasons = newest_first[::-1]
    seasons[0].starts_on = min(seasons[0].starts_on, history.first or seasons[0].starts_on)
    return [
        SeasonRow(
            pk=str(season.pk),
            name=season.name,
            span=span_of(season, seasons),
            may_be_dropped=season != seasons[0],
            fields=typed.get(season)
            or SeasonFields(mark_of(season), season.name, season.starts_on.isoformat(), season.order),
        )
        for season in newest_first
    ]


def fields_of_next(table: Table, seasons: Sequence[Season], history: History) -> SeasonFields:
    """Return the proposed fields of a new season; `seasons` are the table's, newest first."""
    name = _free_name([season.name for season in seasons], table)
    return SeasonFields(
        mark_of(None), name, next_first_day(table, history.last).isoformat(), seasons[0].order
    )


def _free_name(taken: Collection[str], table: Table) -> str:
    """Return the name of the year, with a number if a season has it."""
    year = night_of(now(), table).year
    names = itertools.chain([str(year)], (f"{year} ({number})" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


NO_SEASONS: Mapping[Season | None, SeasonFields] = MappingProxyType({})


@dataclass(frozen=True)
class OpenSeason:
    """The data of a season page: its table, the filters for its games, and the user's rights."""

    table: Table
    role: Role
    people: People
    seasons: Sequence[Season]
    filters: Filters
    may_see_accounts: bool

    @property
    def scope(self) -> Scope:
        """The games that the filters select."""
        return self.filters.scope(self.table, self.people, self.seasons)

    @property
    def is_over(self) -> bool:
        """True if no game can be added to what the filters select."""
        if self.filters.last is not None:
            return self.filters.last < night_of(now(), self.table)
        return self.filters.season not in (None, self.seasons[-1])

    def member_or_404(self, slug: str) -> Member:
        """Return the member with this slug; raise Http404 if the table has none.

        For a member who was merged into another one, return that other member.
        """
        member = self.people.by_slug.get(slug)
        if member is None:
            raise Http404(_("This table doesn't have that player."))
        return member

    def context(self, extent: Extent) -> dict[str, object]:
        """Return the template variables that every page of a season needs.

        `extent` is the number of games that count, and their first and last night.
        """
        return {
            "table": self.table,
            "season_name": shown.season_name(self.filters),
            "extent": shown.extent_in_words(extent),
            "variant": shown.variant_in_words(self.filters),
            "may_see_accounts": self.may_see_accounts,
            "my_role": self.role,
            "all_people": self.people,
        }


def open_season(request: HttpRequest, table_code: str) -> OpenSeason:
    """Return the season and filters in the query string.

    Raise Http404 for a user without access to the table.
    """
    table, role = table_for(Visitor(request.user), table_code)
    seasons = list(table.seasons.all())
    return OpenSeason(
        table,
        role,
        People.of(table),
        seasons,
        read_filters(request.GET, seasons),
        Visitor(request.user).sees_accounts(table, role),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show a season. On POST, an owner or a scorer chooses the order of its standings."""
    if request.method != "POST":
        return show_season(request, open_season(request, table_code))
    table_for(Visitor(request.user), table_code, for_writing=True)
    season_page = open_season(request, table_code)
    try:
        order = services.read_order(request.POST.get("by", ""), field="")
        services.change_season(season_page.filters.season or season_page.seasons[-1], order=order)
    except RuleError as refusal:
        errors = {"": translate(refusal.text)}
        return show_season(request, season_page, Refused(UNPROCESSABLE, errors))
    return redirect(request.get_full_path())


def show_season(
    request: HttpRequest,
    season_page: OpenSeason,
    refused: Refused | None = None,
    typed: Mapping[Season | None, SeasonFields] = NO_SEASONS,
) -> HttpResponse:
    """Show the page; with the refusal of one of its forms, these stand above the rest.

    `typed` has the fields of a refused season's form, or, by None, of the form of a new one.
    """
    filters, scope = season_page.filters, season_page.scope
    standings = standings_of(scope)
    context = {
        **season_page.context(standings.extent),
        **_standings(season_page, standings),
        "before": None if standings.tallies else _before(season_page),
        "may_write": season_page.role in WRITERS,
        "refused": refused,
        **_sheet(season_page, typed),
        "chosen_season": "" if filters.season is None else str(filters.season.pk),
        "chosen_year": filters.first and filters.first.year,
    }
    return render(request, "seasons/season.html", context, status=refused.status if refused else 200)


def _standings(season_page: OpenSeason, standings: Standings) -> dict[str, object]:
    """Return the template variables of the podium, the ranking, the tales and what is sent of them."""
    table, filters, tallies = season_page.table, season_page.filters, standings.tallies.values()
    ordering = ordering_of(filters, tallies)
    ranking = ordering.rank(tallies)
    lines = shown.lines_of(ranking, ordering.by, table)
    classic = classic_of(season_page.scope, tallies) if tallies else None
    feats = list(feats_of(season_page.scope, tallies))
    title = shown.leaders_in_words(champions_of(ranking), is_over=season_page.is_over)
    with override(table.language):  # what is sent to the group
        summary = Summary(
            table,
            shown.season_name(filters),
            shown.leaders_in_words(champions_of(ranking), is_over=season_page.is_over),
            shown.extent_in_words(standings.extent),
            shown.order_in_words(ordering),
            shown.lines_of(ranking, ordering.by, table),
            list(shown.tales_of(classic, feats, table)),
        )
    return {
        "by": ordering.by,
        "choices": shown.choices(ordering.by),
        "podium": lines[: shown.PODIUM],
        "lines": lines[shown.PODIUM :],
        "others": shown.others_of(ranking, ordering.by, table),
        "tales": list(shown.tales_of(classic, feats, table)),
        "champion": title if season_page.is_over else "",
        "summary": summary,
    }


def _before(season_page: OpenSeason) -> dict[str, object] | None:
    """Return the previous season and its champions; None if there is none.

    The page shows them while this season has no finished game.
    """
    season = season_page.filters.season
    if season is None or season not in season_page.seasons[1:]:
        return None
    before = season_page.seasons[season_page.seasons.index(season) - 1]
    won = past_champions(season_page.table, season_page.people, before, season_page.seasons)
    return {"season": before, "champions": shown.leaders_in_words(won, is_over=True)}


def _sheet(season_page: OpenSeason, typed: Mapping[Season | None, SeasonFields]) -> dict[str, object]:
    """Return the template variables of the sheet of seasons, with the fields of a refused form."""
    table, newest_first = season_page.table, season_page.seasons[::-1]
    history = history_of(table, season_page.people)
    return {
        "rows": season_rows(newest_first, history, typed),
        "years": history.years[::-1],
        "variants": [(key, title_in_words(key)) for key in history.variants],
        "chosen_variant": season_page.filters.variant,
        "all_seasons": ALL,
        "owns": season_page.role is Role.OWNER,
        "orders": shown.orders(),
        "of_new": typed.get(None) or fields_of_next(table, newest_first, history),
    }


# --- beginning, changing and dropping a season, from the sheet of seasons ---------------------------------------------


@require_POST
def begin_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Begin a season on the chosen day, which ends the one before it."""
    table, _role = table_for(Visitor(request.user), table_code, for_owning=True)
    try:
        services.begin_season(
            table,
            name=request.POST.get("name", ""),
            first_day=services.read_day(request.POST.get("first_day", ""), field="first_day"),
            order=services.read_order(request.POST.get("order", ""), field="order"),
        )
    except RuleError as refusal:
        return _refuse(request, table, None, refusal)
    return _back(table)


@require_POST
def change_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Change the name or the first day of a season, or the order of its standings, e.g. by wins."""

    def change(season: Season) -> None:
        services.change_season(
            season,
            name=request.POST.get("name", ""),
            first_day=services.read_day(request.POST.get("first_day", ""), field="first_day"),
            order=services.read_order(request.POST.get("order", season.order), field="order"),
        )

    return _write(request, table_code, change)


@require_POST
def drop_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Delete a season; its games move to the season before it."""
    return _write(request, table_code, services.drop_season)


def _write(request: HttpRequest, table_code: str, write: Callable[[Season], None]) -> HttpResponse:
    table, _role = table_for(Visitor(request.user), table_code, for_owning=True)
    number = request.POST.get("season", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Http404(_("This table doesn't have that season."))
    season = table.seasons.filter(pk=number).first()
    if season is None:
        return _show_present(request, table)
    try:
        write(season)
    except services.StaleSeasons:
        return _show_present(request, table)
    except RuleError as refusal:
        return _refuse(request, table, season, refusal)
    return _back(table)


def _back(table: Table) -> HttpResponse:
    return redirect("season", table.code)


def _show_present(request: HttpRequest, table: Table) -> HttpResponse:
    news = _("Not saved: the seasons have changed. These are the current ones.")
    return show_season(request, open_season(request, table.code), Refused(CONFLICT, news=news))


def _refuse(request: HttpRequest, table: Table, season: Season | None, refusal: RuleError) -> HttpResponse:
    """Show a refusal at its field in the form of this season, or of a new one (None), with what was typed."""
    name, first_day, order = (request.POST.get(field, "") for field in ("name", "first_day", "order"))
    errors = {refusal.field: translate(refusal.text)}
    typed = SeasonFields(mark_of(season), name, first_day, order, errors)
    about_no_field = {} if refusal.field else errors
    return show_season(
        request, open_season(request, table.code), Refused(UNPROCESSABLE, about_no_field), {season: typed}
    )
