"""The standings of a season, and its records: the best values, such as the most games won in a row."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.schema import refusals
from games.api.season import payloads
from games.api.season.filtering import OF_A_TABLE, OF_GAMES, OfASeason
from games.season.ordering import ordering_of
from games.season.records import feats_of
from games.season.standings import standings_of
from games.shown.season.season import feat_rows


class OfStandings(OfASeason):
    """The endpoint that returns the standings of a season."""

    query = (*OfASeason.query, "by", "least", "drop")

    @extend_schema(
        operation_id="standings",
        summary="The standings of a season",
        description=(
            "The ranking by wins, points, points per game or money, and its course over time. Games in "
            "which everybody took their money back count only for money."
        ),
        parameters=[*OF_GAMES, *OF_A_TABLE],
        responses={200: payloads.StandingsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the standings, best member first."""
        question = self.asked(request, code)
        filters, standings = question.filters, standings_of(question.scope)
        ordering = ordering_of(filters, standings.tallies.values())
        ranking = ordering.rank(standings.tallies.values())
        parts = {
            **{"extent": standings.extent, "by": ordering.by, "least": ordering.least},
            **{"lines": ranking.lines, "course": standings.course},
            "others": [
                payloads.Row(tally, None, tally.points(), tally.average()) for tally in ranking.others
            ],
        }
        return question.answer(payloads.StandingsSaid, parts)


class OfRecords(OfASeason):
    """The endpoint that returns the records (best values) of a season."""

    @extend_schema(
        operation_id="records",
        summary="The records of a season",
        description="The best values of the season, each with all members who reached it.",
        parameters=[*OF_GAMES],
        responses={200: payloads.RecordsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the records of the season, each with its value and all members who reached it."""
        question = self.asked(request, code)
        feats = feats_of(question.scope, standings_of(question.scope).tallies.values())
        records = [
            {
                **{"feat": best.feat, "title": shown.title, "value": best.value, "said": shown.value},
                "holders": [holder.slug for holder in best.holders],
                "game": None if best.game is None else best.game.code,
            }
            for best, shown in zip(feats, feat_rows(feats, question.table), strict=True)
        ]
        return question.answer(payloads.RecordsSaid, {"records": records})
