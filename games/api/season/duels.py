"""Head-to-head results: of every pair of members, and of two members game by game."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.schema import refusals
from games.api.season import payloads
from games.api.season.filtering import OF_GAMES, OfASeason
from games.season.duels import duels_between_all, encounters_of

MEETINGS = 10


class Duels(OfASeason):
    """The endpoint that returns the head-to-head results of every pair of members."""

    @extend_schema(
        operation_id="duels",
        summary="Everybody head to head",
        description=(
            "The number of games in which one of two members placed ahead of the other, for every pair of "
            "members."
        ),
        parameters=[*OF_GAMES],
        responses={200: payloads.DuelsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the result of each pair of members who have played in the same game.

        In each pair, the member who joined the table first comes first.
        """
        question = self.asked(request, code)
        came = {member.slug: place for place, member in enumerate(question.people.own)}
        pairs = sorted(
            duels_between_all(question.scope).items(), key=lambda pair: [came[slug] for slug in pair[0]]
        )
        duels = [duel for (one, other), duel in pairs if came[one] < came[other]]
        return question.answer(payloads.DuelsSaid, {"duels": duels})


class OneDuel(OfASeason):
    """The endpoint that returns the head-to-head result of two members."""

    @extend_schema(
        operation_id="duel",
        summary="Two members head to head",
        description=(
            "With the games and money that each of the two won in the games both played, and the last of "
            "these games."
        ),
        parameters=[*OF_GAMES],
        responses={200: payloads.DuelInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, member: str, other: str) -> Response:
        """Return the result of the member with the id `member` against the one with the id `other`."""
        question = self.asked(request, code)
        one, two = question.member(member), question.member(other)
        if one == two:
            raise NotFound
        encounters = encounters_of(question.scope, one, two, last=MEETINGS)
        return question.answer(payloads.DuelInFull, encounters.duel, encounters=encounters)
