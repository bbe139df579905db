"""A member's season: how it went, against whom, and game by game."""

from __future__ import annotations

from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.members import MEMBER
from games.api.common.paging import PAGED, cursor_at, limit_sent, start_sent
from games.api.common.schema import CODE, refusals
from games.api.common.titles import title_said
from games.api.season import examples, payloads
from games.api.season.filtering import OF_A_TABLE, OF_GAMES, Asked, OfASeason
from games.api.season.said import counted_said, duel_said, line_said
from games.models import By, Member, Result
from games.season.careers import Career, career_of, games_of
from games.season.duels import duels_of
from games.season.ordering import ordering_of
from games.season.standings import Standings, Tally, standings_of


class Player(OfASeason):
    """Somebody's season."""

    @extend_schema(
        operation_id="player",
        summary="Somebody's season",
        description="Figures with their ranks, places, what each game gave, everybody met, and the games themselves.",
        parameters=[CODE, MEMBER, *OF_GAMES, *OF_A_TABLE[1:], *PAGED],
        responses={200: payloads.PlayerSaid, **refusals("not_found")},
        examples=[examples.PLAYER],
    )
    def get(self, request: Request, code: str, member: str) -> Response:
        """Everything a season tells of a member; of whom he has become, where he was merged."""
        asked = self.asked(request, code)
        found, start, limit = asked.member(member), start_sent(request), limit_sent(request)
        standings, career = standings_of(asked.scope), career_of(asked.scope, found)
        tally = standings.tallies.get(found.slug, Tally(found))
        results, is_more = games_of(asked.scope, found, start=start, count=limit)
        return answer(
            {
                **counted_said(asked),
                **_figures(asked, standings, tally),
                "deeds": _deeds(career, tally),
                "places": [{"place": place, "times": times} for place, times in career.places.items()],
                "variants": _variants(career),
                "duels": [duel_said(duel) for duel in duels_of(asked.scope, found)],
                "games": [_result(result) for result in results],
                "next": cursor_at(start + limit) if is_more else None,
            }
        )


def _figures(asked: Asked, standings: Standings, tally: Tally) -> dict[str, Any]:
    """The line of the table, whether or not somebody has the games for it, and the rank by each figure."""
    tallies, drop = standings.tallies.values(), asked.filters.drop
    ordering = ordering_of(asked.filters, tallies)
    ranks = {str(by): _rank(tally.member, ordering.rank(tallies, by).lines) for by in By}
    line = line_said(
        tally, rank=ranks[ordering.by], points=tally.points(drop=drop), average=tally.average(drop=drop)
    )
    return {"line": line, "ranks": ranks}


def _rank(member: Member, lines: Any) -> int | None:
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


def _variants(career: Career) -> list[dict[str, Any]]:
    return [
        {
            **title_said(played.variant),
            "games": played.games,
            "wins": played.wins,
            "points": played.points,
            "net": played.net,
        }
        for played in career.played
    ]


def _result(result: Result) -> dict[str, Any]:
    return {
        "game": result.game.code,
        **title_said(result.variant),
        "night": date.fromordinal(result.night_number).isoformat(),
        "place": result.place,
        "won": result.won,
        "points": result.points,
        "net": result.net,
        "total": result.total,
        "reentries": result.reentries,
    }
