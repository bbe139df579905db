"""Head-to-head: everybody against everybody, and two members game by game."""

from __future__ import annotations

from datetime import date

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.members import MEMBER
from games.api.common.schema import CODE, refusals
from games.api.common.titles import title_said
from games.api.season import examples, payloads
from games.api.season.filtering import OF_GAMES, OfASeason
from games.api.season.said import counted_said, duel_said
from games.season.duels import duels_between_all, encounters_of

MEETINGS = 10
OTHER = OpenApiParameter("other", str, OpenApiParameter.PATH, description="The id of another member.")


class Duels(OfASeason):
    """Everybody against everybody."""

    @extend_schema(
        operation_id="duels",
        summary="Everybody head to head",
        description="How often each of two came before the other in the games both played.",
        parameters=[CODE, *OF_GAMES],
        responses={200: payloads.DuelsSaid, **refusals("not_found")},
        examples=[examples.DUELS],
    )
    def get(self, request: Request, code: str) -> Response:
        """Each two who have met, once, as whoever came to the table first sees it."""
        asked = self.asked(request, code)
        came = {member.slug: place for place, member in enumerate(asked.people.own)}
        return answer(
            {
                **counted_said(asked),
                "duels": [
                    duel_said(duel)
                    for (one, other), duel in sorted(
                        duels_between_all(asked.scope).items(),
                        key=lambda found: [came[slug] for slug in found[0]],
                    )
                    if came[one] < came[other]
                ],
            }
        )


class OneDuel(OfASeason):
    """Two members."""

    @extend_schema(
        operation_id="duel",
        summary="Two members head to head",
        description="With what either won in the games both played, and the last of these.",
        parameters=[CODE, MEMBER, OTHER, *OF_GAMES],
        responses={200: payloads.DuelInFull, **refusals("not_found")},
        examples=[examples.DUEL],
    )
    def get(self, request: Request, code: str, member: str, other: str) -> Response:
        """The duel as the first of them sees it."""
        asked = self.asked(request, code)
        one, two = asked.member(member), asked.member(other)
        if one == two:
            raise NotFound
        found = encounters_of(asked.scope, one, two, last=MEETINGS)
        return answer(
            {
                **counted_said(asked),
                **duel_said(found.duel),
                "wins": found.wins,
                "nets": found.nets,
                "last": [
                    {
                        "game": meeting.game.code,
                        **title_said(meeting.game.variant),
                        "night": date.fromordinal(meeting.game.night_number).isoformat(),
                        "places": meeting.places,
                        "nets": meeting.nets,
                    }
                    for meeting in found.last
                ],
            }
        )
