"""A season (temporada): its table, records and charts, and how everybody does against everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Member, Role, Season, Table
from games.money.balances import People
from games.people.access import sees_accounts, table_open_to
from games.scoring.variants import find_titled
from games.season.duels import duels_between_all, encounters_of
from games.season.filters import ALL, DROPS, LEAST, Filters, read_filters
from games.season.finales import champions_of
from games.season.ordering import Ordering, ordering_of
from games.season.records import feats_of
from games.season.standings import Extent, Scope, extent_of, standings_of, variants_of
from games.shown.common.sentences import translate
from games.shown.season import duels as shown_duels
from games.shown.season import season as shown
from games.shown.season.finale import champions_in_words
from games.views.common.recording import UNPROCESSABLE

MEETINGS = 10


@dataclass(frozen=True)
class OpenSeason:
    """What a page of a season is about: whose table, which games of it, and who looks."""

    table: Table
    role: Role
    people: People
    seasons: Sequence[Season]
    filters: Filters
    may_see_accounts: bool

    @property
    def scope(self) -> Scope:
        """The games shown."""
        return self.filters.scope(self.table, self.people, self.seasons)

    def member_or_404(self, slug: str) -> Member:
        """The member with this slug, or whom he has become since."""
        found = self.people.by_slug.get(slug)
        if found is None:
            raise Http404(_("There is nobody like that at this table."))
        return found

    def context(self, extent: Extent, *, is_ranked: bool = True) -> dict[str, object]:
        """What every page of a season shows; where nobody is ranked, what only the table leaves out is not told."""
        filters = self.filters if is_ranked else self.filters.of_games
        return {
            "table": self.table,
            "filters": self.filters,
            "season_name": shown.season_name(self.filters.season),
            "extent": shown.extent_in_words(extent),
            "filtered": shown.filters_in_words(filters),
            "may_see_accounts": self.may_see_accounts,
            "owns": self.role is Role.OWNER,
        }


def open_season(request: HttpRequest, table_code: str) -> OpenSeason:
    """The season and the games the address asks for; Http404 for who has no grant at the table."""
    table, role = table_open_to(request, table_code)
    seasons = list(table.seasons.all())
    return OpenSeason(
        table,
        role,
        People.of(table),
        seasons,
        read_filters(request.GET, seasons),
        sees_accounts(request.user, table, role),
    )


@require_GET
def season(request: HttpRequest, table_code: str) -> HttpResponse:
    """The table of a season, its records, and how it came to that."""
    opened = open_season(request, table_code)
    filters, scope = opened.filters, opened.scope
    standings = standings_of(scope)
    ordering = ordering_of(filters, standings.tallies.values())
    ranking = ordering.rank(standings.tallies.values())
    shown_before = {} if standings.tallies else _before(opened)
    ranked = [line.tally.member for line in ranking.lines] + [tally.member for tally in ranking.others]
    context = {
        **opened.context(standings.extent),
        **_choices(opened, ordering),
        **shown_before,
        "ended": filters.season is not None and filters.season.ends_on is not None,
        "backwards": _("This is before the day in “From”.") if filters.is_backwards else "",
        "columns": shown.columns(ordering.by),
        "by": ordering.by,
        "order": shown.order_in_words(ordering),
        "lines": shown.lines_of(ranking, opened.table),
        "others": shown.others_of(ranking, opened.table),
        "charts": shown.charts_of(standings, ranked, opened.table),
        "feats": shown.feat_rows(feats_of(scope, standings.tallies.values()), opened.table),
    }
    return render(
        request, "games/season/season.html", context, status=UNPROCESSABLE if filters.is_backwards else 200
    )


def _before(opened: OpenSeason) -> dict[str, object]:
    """The season that ended before the one shown, and who won it, where nothing of this one is over yet."""
    season = opened.filters.season
    if season is None or season not in opened.seasons[1:]:
        return {}
    before = opened.seasons[opened.seasons.index(season) - 1]
    won = champions_of(opened.table, opened.people, before, opened.seasons)
    return {"before": before, "champions": champions_in_words(won)}


def _choices(opened: OpenSeason, ordering: Ordering) -> dict[str, object]:
    """What the filters offer: the newest season first, and the games this table plays."""
    played = variants_of(Scope(opened.table, opened.people))
    chosen = opened.filters.variant
    variants = [*played, *([chosen] if chosen and chosen not in played else [])]
    return {
        "seasons": [
            *((str(found.pk), found.name) for found in reversed(opened.seasons)),
            (ALL, _("All seasons")),
        ],
        "chosen_season": ALL if opened.filters.season is None else str(opened.filters.season.pk),
        "variants": [(key, translate(find_titled(key).name)) for key in variants],
        "least": [
            ("", _("as the order asks: %(games)s") % {"games": shown.games_in_words(ordering.least)}),
            *((str(number), shown.games_in_words(number)) for number in LEAST),
        ],
        "chosen_least": str(opened.filters.least or ""),
        "drops": [(number, shown.drop_in_words(number)) for number in DROPS],
    }


@require_GET
def head_to_head(request: HttpRequest, table_code: str) -> HttpResponse:
    """How often everybody came before everybody else (mano a mano)."""
    opened = open_season(request, table_code)
    scope = opened.scope
    duels = duels_between_all(scope)
    context = {
        **opened.context(extent_of(scope), is_ranked=False),
        "matrix": shown_duels.matrix_of(duels, opened.people),
    }
    return render(request, "games/season/head_to_head.html", context)


@require_GET
def duel(request: HttpRequest, table_code: str, member: str, other: str) -> HttpResponse:
    """Two members, and the games both played."""
    opened = open_season(request, table_code)
    one, two = opened.member_or_404(member), opened.member_or_404(other)
    if one == two:
        raise Http404(_("There is nobody like that at this table."))
    scope = opened.scope
    found = encounters_of(scope, one, two, last=MEETINGS)
    context = {
        **opened.context(extent_of(scope), is_ranked=False),
        "duel": shown_duels.duel_of(found, opened.table),
    }
    return render(request, "games/season/duel.html", context)
