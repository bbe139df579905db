"""The table of a season, and its records."""

from __future__ import annotations

from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.schema import CODE, refusals
from games.api.season import examples, payloads
from games.api.season.filtering import OF_A_TABLE, OF_GAMES, OfASeason
from games.api.season.said import counted_said, line_said
from games.season.ordering import ordering_of
from games.season.ranking import Ranking
from games.season.records import feats_of
from games.season.standings import Extent, Span, standings_of
from games.shown.season.season import feat_rows


class OfStandings(OfASeason):
    """The table of a season."""

    @extend_schema(
        operation_id="standings",
        summary="The standings of a season",
        description=(
            "Who stands where, by wins, points, points a game or money, and how it came to that. Games that gave "
            "everybody their money back count in money alone."
        ),
        parameters=[CODE, *OF_GAMES, *OF_A_TABLE],
        responses={200: payloads.StandingsSaid, **refusals("not_found")},
        examples=[examples.STANDINGS],
    )
    def get(self, request: Request, code: str) -> Response:
        """Everybody's line, the best first."""
        asked = self.asked(request, code)
        filters, standings = asked.filters, standings_of(asked.scope)
        ordering = ordering_of(filters, standings.tallies.values())
        return answer(
            {
                **counted_said(asked),
                "extent": _extent(standings.extent),
                "by": ordering.by,
                "least": ordering.least,
                **lines_said(ordering.rank(standings.tallies.values())),
                "course": [_span(span) for span in standings.course],
            }
        )


class OfRecords(OfASeason):
    """The records of a season."""

    @extend_schema(
        operation_id="records",
        summary="The records of a season",
        description="What nobody has done better, with everybody who did as much.",
        parameters=[CODE, *OF_GAMES],
        responses={200: payloads.RecordsSaid, **refusals("not_found")},
        examples=[examples.RECORDS],
    )
    def get(self, request: Request, code: str) -> Response:
        """Each record there is."""
        asked = self.asked(request, code)
        feats = feats_of(asked.scope, standings_of(asked.scope).tallies.values())
        return answer(
            {
                **counted_said(asked),
                "records": [
                    {
                        "feat": best.feat,
                        "title": shown.title,
                        "holders": [holder.slug for holder in best.holders],
                        "value": best.value,
                        "said": shown.value,
                        "game": None if best.game is None else best.game.code,
                    }
                    for best, shown in zip(feats, feat_rows(feats, asked.table), strict=True)
                ],
            }
        )


def lines_said(ranking: Ranking) -> dict[str, list[dict[str, Any]]]:
    """Who is ranked, and who has played too few games for it."""
    return {
        "lines": [
            line_said(line.tally, rank=line.rank, points=line.points, average=line.average)
            for line in ranking.lines
        ],
        "others": [
            line_said(tally, rank=None, points=tally.points(), average=tally.average())
            for tally in ranking.others
        ],
    }


def _extent(extent: Extent) -> dict[str, Any]:
    return {
        "games": extent.games,
        "nights": extent.nights,
        "first": _day(extent.first),
        "last": _day(extent.last),
    }


def _span(span: Span) -> dict[str, Any]:
    return {
        "first": _day(span.first),
        "last": _day(span.last),
        "nets": dict(span.nets),
        "points": dict(span.points),
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
