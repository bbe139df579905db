"""The games of a table: listing them with filters, and starting a game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import PAGED, page_of
from games.api.common.problems import Problem, found_at
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.common.writing import KEY, TAG, key_sent
from games.api.play import game_payloads as payloads
from games.api.play.dating import began, timed
from games.api.play.house import read_direction, read_house
from games.api.play.opened import Opened
from games.api.play.payloads import LONGEST_WORD
from games.models import VARIANT_LENGTH, Game, Member, Table
from games.money.balances import People
from games.play.archive import LONGEST, Standing, Wanted, looked_for, titles_of
from games.play.seating import Sitter, Sitting, sit_down
from games.scoring.words import _
from games.shown.common.typed import read_day
from games.shown.play.archive import called

_ID = {"type": "string", "maxLength": LONGEST_WORD}
FILTERS = [
    OpenApiParameter(
        "variant",
        {"type": "string", "maxLength": VARIANT_LENGTH},
        description="The key of a variant, or the title of a game: `points:Generala`.",
    ),
    OpenApiParameter("season", {"type": "integer", "minimum": 0}, description="The id of a season."),
    OpenApiParameter(
        "state",
        {"type": "string", "enum": list(Standing)},
        description="Only games in this state; without it, running and finished games.",
    ),
    OpenApiParameter("member", _ID, description="A player of the game."),
    OpenApiParameter("winner", _ID, description="A winner of the game."),
    OpenApiParameter("from", OpenApiTypes.DATE, description="The first night."),
    OpenApiParameter("to", OpenApiTypes.DATE, description="The last night."),
    OpenApiParameter(
        "words",
        {"type": "string", "maxLength": LONGEST},
        description=(
            "Beginnings of players' names, of the variant's name or of a month's, a day of the month, or a year; a "
            "game must match all words."
        ),
    ),
]


class Games(Endpoint):
    """The endpoint that lists the games of a table or starts one."""

    query = (*(one.name for one in FILTERS), "cursor", "limit")

    @extend_schema(
        operation_id="games",
        summary="The games of a table",
        description="Newest first, in pages.",
        parameters=[*FILTERS, *PAGED],
        responses={200: payloads.GameList, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the games."""
        table = self.table_opened(code)
        page = page_of(request, _filtered(request, table), "-started_at")
        for game in page.rows:
            game.table = table  # otherwise reading `game.table` would be a query for each game
        return answer(payloads.GameList.of({"games": page.rows, "next": page.next}, table=table))

    @extend_schema(
        operation_id="start_game",
        summary="Start a game",
        description=(
            "Starts a game with these players, who sit clockwise in this order: members by their ids, "
            "newcomers by their names. A program that was offline may send its own code for the game, and "
            "the time when the game began. While a game of the same people has no round yet, another one is "
            "refused as “unusual” until it is sent again under the same key with “sure”."
        ),
        parameters=[KEY, TAG],
        request=payloads.GameWanted,
        responses={201: payloads.GameNow, **refusals("write", "alike", "unusual")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Start the game and return it.

        A repeated request with the same idempotency key starts no second game.
        """
        table = self.table_opened(code, for_writing=True)
        key, sent = key_sent(request), self.sent(payloads.GameWanted)
        given = sent.get("code", "")
        if "code" in sent and not given:
            raise Problem("misshapen", _("“{name}” is missing.", name="code"), field="code")
        with timed(sent):
            at = began(sent, table, key=key)
            is_asking = not sent.get("sure", False)
            game = sit_down(
                table, _sitting(sent), key=key, by=self.user, code=given, at=at, is_asking=is_asking
            )
        return Opened.read(game).answer(201, is_recorded=True)


def _filtered(request: Request, table: Table) -> QuerySet[Game]:
    query, games = request.query_params, table.games.all()
    if "season" in query:
        season = query["season"]
        if not season.isascii() or not season.isdigit() or len(season) > 9:
            raise Problem("bad_request", _("This season doesn't exist."), field="season")
        games = games.filter(season=int(season))
    titles = called(titles_of(table)) if {"variant", "words"} & set(query) else {}
    if query.get("variant", "") not in ("", *titles):
        games = games.none()
    people = People.of(table) if {"member", "winner", "words"} & set(query) else People(())
    return looked_for(games, _wanted(query, people), people, titles)


def _wanted(query: Mapping[str, str], people: People) -> Wanted:
    """Return the filters in the query string. `people` are the members, by whose ids games are filtered.

    Raise Problem if a value is invalid, or if the last day is before the first.
    """
    state, words = query.get("state"), query.get("words", "")
    if state is not None and state not in set(Standing):
        raise Problem("bad_request", _("Unknown state of a game."), field="state")
    if len(words) > LONGEST:
        raise Problem(
            "bad_request", _("At most {longest} characters fit here.", longest=LONGEST), field="words"
        )
    wanted = Wanted(
        words=words,
        member=_member(query, "member", people),
        winner=_member(query, "winner", people),
        variant=query.get("variant", ""),
        first=_day(query, "from"),
        last=_day(query, "to"),
        standing=None if state is None else Standing(state),
    )
    if wanted.is_backwards:
        raise Problem("bad_request", _("This is before the day in “From”."), field="to")
    return wanted


def _member(query: Mapping[str, str], name: str, people: People) -> Member | None:
    member = people.by_slug.get(query.get(name, ""))
    if name in query and member is None:
        raise Problem("bad_request", _("There is no filter “{name}” here.", name=name), field=name)
    return member


def _day(query: Mapping[str, str], name: str) -> date | None:
    day = read_day(query.get(name, ""))
    if name in query and day is None:
        raise Problem("bad_request", _("Write the day like this: 2024-05-31."), field=name)
    return day


def _sitting(sent: Parts) -> Sitting:
    variant, house = read_house(sent)
    direction = read_direction(sent, variant)
    people = [_sitter(value) for value in sent.rows("players", most=payloads.MOST_PLAYERS)]
    dealer, apart = sent.get("dealer", 1), sent.get("apart", ())
    return Sitting(variant, house, people, direction, dealer - 1, [str(name) for name in apart])


def _sitter(value: Any) -> Sitter:
    """Return the player of a new game that the JSON object `value` describes.

    `{"id": "ana"}` is a member of the table, `{"name": "Eva"}` a newcomer. Raise Problem for anything else.
    """
    with found_at("players"):
        player = payloads.PlayerWanted.parts(value)
        if ("id" in player) == ("name" in player):
            raise Problem("misshapen", _("A player must be an id or, if new, a name."), field="players")
        return Sitter(slug=player["id"]) if "id" in player else Sitter(name=player["name"])
