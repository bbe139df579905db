"""The season of one member: statistics, head-to-head results and games."""

from __future__ import annotations

from collections.abc import Sequence

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.paging import PAGED, cursor_at, limit_sent, start_sent
from games.api.common.schema import refusals
from games.api.season import payloads
from games.api.season.filtering import OF_A_TABLE, OF_GAMES, Asked, OfASeason
from games.models import Member, SeasonOrder
from games.season.careers import Career, career_of, games_of
from games.season.duels import duels_of
from games.season.ordering import ordering_of
from games.season.ranking import Ranked
from games.season.standings import Standings, Tally, standings_of


class Player(OfASeason):
    """The endpoint that returns the season of one member."""

    query = (*OfASeason.query, "least", "drop", "cursor", "limit")

    @extend_schema(
        operation_id="player",
        summary="The season of a member",
        description=(
            "Sums with their ranks, places, results by variant, head-to-head results, and the games "
            "themselves."
        ),
        parameters=[*OF_GAMES, *OF_A_TABLE[1:], *PAGED],
        responses={200: payloads.PlayerSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, member: str) -> Response:
        """Return the season of the member; for a merged member, of the one who remains."""
        question = self.asked(request, code)
        player, start, limit = question.member(member), start_sent(request), limit_sent(request)
        standings, career = standings_of(question.scope), career_of(question.scope, player)
        tally = standings.tallies.get(player.slug, Tally(player))
        results, is_more = games_of(question.scope, player, start=start, count=limit)
        line, ranks = _figures(question, standings, tally)
        parts = {
            **{"line": line, "ranks": ranks, "deeds": _deeds(career, tally), "variants": career.played},
            "places": [{"place": place, "times": times} for place, times in career.places.items()],
            **{"duels": duels_of(question.scope, player), "games": results},
            "next": cursor_at(start + limit) if is_more else None,
        }
        return question.answer(payloads.PlayerSaid, parts)


def _figures(
    question: Asked, standings: Standings, tally: Tally
) -> tuple[payloads.Row, dict[str, int | None]]:
    """Return the row of `tally`'s member in the standings, and their rank in each order, e.g. {"wins": 2}.

    `tally` has the sums of the member's games. A member with too few games for the standings gets a row too,
    but their rank is None.
    """
    tallies, drop = standings.tallies.values(), question.filters.drop
    ordering = ordering_of(question.filters, tallies)
    ranks = {str(by): _rank(tally.member, ordering.rank(tallies, by).lines) for by in SeasonOrder}
    points, average = tally.points(drop=drop), tally.average(drop=drop)
    return payloads.Row(tally, ranks[ordering.by], points, average), ranks


def _rank(member: Member, lines: Sequence[Ranked]) -> int | None:
    return next((line.rank for line in lines if line.tally.member == member), None)


def _deeds(career: Career, tally: Tally) -> dict[str, int]:
    return {
        "longest_streak": tally.longest_streak,
        "rounds_won": career.rounds_won,
        "in_one_go": career.in_one_go,
        "reentries": career.reentries,
        "most_reentries": career.most_reentries,
        "survived": career.survived,
        "most_won": max(career.most_won, 0),
    }
