"""The filters of a season's endpoints, which choose the games that count.

The season's page has the same filters. It ignores an invalid filter; the API refuses it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.problems import Problem
from games.api.common.serializers import Answer
from games.models import VARIANT_LENGTH, Member, Season, SeasonOrder, Table
from games.money.balances import People
from games.scoring.words import _
from games.season.filters import ALL, DROPS, LEAST, Filters, read_filters
from games.season.standings import Scope


def _query(name: str, schema: object, text: str) -> OpenApiParameter:
    return OpenApiParameter(name, schema, OpenApiParameter.QUERY, description=text)  # type: ignore[arg-type]


OF_GAMES = [
    _query(
        "season",
        {"type": "string", "maxLength": 20},
        "The id of a season, or `all`; by default the open season.",
    ),
    _query(
        "game",
        {"type": "string", "maxLength": VARIANT_LENGTH},
        (
            "Only games of this variant, by its key; for `points`, followed by the name of the game: "
            "`points:Generala`."
        ),
    ),
    _query("from", OpenApiTypes.DATE, "The first night."),
    _query("to", OpenApiTypes.DATE, "The last night."),
]
OF_A_TABLE = [
    _query(
        "by",
        {"type": "string", "enum": [str(by) for by in SeasonOrder]},
        "The order of the lines; by default the season's own order.",
    ),
    _query(
        "least",
        {"type": "integer", "enum": list(LEAST)},
        (
            "Members with fewer games are listed in `others`. The default is one game; in the order "
            "`average`, about a third of the most games played."
        ),
    ),
    _query(
        "drop",
        {"type": "integer", "enum": list(DROPS)},
        "The number of each member's worst games that give no points.",
    ),
]


@dataclass(frozen=True)
class Asked:
    """A request about a season: the table, its members, and the filters for its games."""

    table: Table
    people: People
    filters: Filters
    scope: Scope

    def member(self, slug: str) -> Member:
        """Return the member with the id `slug`; for one merged into another member, return that other member.

        Raise NotFound for an unknown id.
        """
        member = self.people.by_slug.get(slug)
        if member is None:
            raise NotFound
        return member

    def answer(self, form: type[Answer], instance: object, **context: object) -> Response:
        """Return the response: the object `instance`, serialized by the serializer class `form`.

        The context of the serializer has the table, the season of the filters, and the keyword arguments.
        """
        return answer(form.of(instance, table=self.table, season=self.filters.season, **context))


class OfASeason(Endpoint):
    """The base class of endpoints about the games that the filters choose, by default the open season's."""

    query: Collection[str] = ("season", "game", "from", "to")

    def asked(self, request: Request, code: str) -> Asked:
        """Return the table and the filters of the request; raise Problem for an invalid filter.

        Answer "not found" for a user without a grant, which gives access to the table.
        """
        table = self.table_opened(code)
        seasons, people = list(table.seasons.all()), People.of(table)
        filters = read_filters(request.query_params, seasons)
        _check(request.query_params, filters, seasons)
        return Asked(table, people, filters, filters.scope(table, people, seasons))


def _check(query: Mapping[str, str], filters: Filters, seasons: Sequence[Season]) -> None:
    """Raise Problem for the first invalid filter in the query string `query`.

    `filters` were read from it as for the season's page, and so lack the invalid ones. A filter is invalid if
    `filters` does not have its value. Raise Problem also if the last day is before the first.
    """
    known = [str(season.pk) for season in seasons]
    taken = {
        "season": query.get("season") if query.get("season") in (*known, ALL) else None,
        "game": filters.variant,
        "from": filters.first and filters.first.isoformat(),
        "to": filters.last and filters.last.isoformat(),
        "by": filters.by and str(filters.by),
        "least": filters.least and str(filters.least),
        "drop": str(filters.drop),
    }
    for name, value in taken.items():
        if name in query and query[name] != value:
            raise Problem("bad_request", _("There is no filter “{name}” here.", name=name), field=name)
    if filters.is_backwards:
        raise Problem("bad_request", _("This is before the day in “From”."), field="to")
