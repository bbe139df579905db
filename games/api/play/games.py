"""The games of a table: a list, and a new one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import PAGED, page_of
from games.api.common.problems import Problem, found_at
from games.api.common.schema import CODE, refusals
from games.api.common.writing import KEY, TAG, key_sent, moment_sent
from games.api.play import examples
from games.api.play import game_payloads as payloads
from games.api.play.house import LONGEST_WORD, direction_of, read_house
from games.api.play.opened import Opened, in_short
from games.models import VARIANT_LENGTH, Game, Member, Table
from games.money.balances import People
from games.money.closings import after_closings
from games.notebook.fields import Fields
from games.play.archive import LONGEST, Standing, Wanted, looked_for, titles_of
from games.play.seating import Sitter, Sitting, sit_down
from games.scoring.words import _
from games.shown.common.typed import read_day
from games.shown.play.archive import called

MOST_PLAYERS = 50  # far beyond any game, which says itself how many it takes
_ID = {"type": "string", "maxLength": LONGEST_WORD}
FILTERS = [
    OpenApiParameter(
        "variant",
        {"type": "string", "maxLength": VARIANT_LENGTH},
        description="The key of a game, or its title: `points:Generala`.",
    ),
    OpenApiParameter("season", {"type": "integer", "minimum": 0}, description="The id of a season."),
    OpenApiParameter(
        "state",
        {"type": "string", "enum": list(Standing)},
        description="Only such games; without it all that count, under way or ended.",
    ),
    OpenApiParameter("member", _ID, description="Who played."),
    OpenApiParameter("winner", _ID, description="Who won."),
    OpenApiParameter("from", OpenApiTypes.DATE, description="The first night."),
    OpenApiParameter("to", OpenApiTypes.DATE, description="The last night."),
    OpenApiParameter(
        "words",
        {"type": "string", "maxLength": LONGEST},
        description="Beginnings of names, of players or of the card game, or a year: all of them.",
    ),
]
PARTS = "variant", "options", "direction", "players", "dealer", "apart", "code", "at"


class Games(Endpoint):
    """The games of one table."""

    @extend_schema(
        operation_id="games",
        summary="The games of a table",
        description="The newest first, a page at a time.",
        parameters=[CODE, *FILTERS, *PAGED],
        responses={200: payloads.GameList, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """A page of the games."""
        table = self.table_opened(code)
        page = page_of(request, _filtered(request, table), "-started_at")
        return answer({"games": [_of(game, table) for game in page.rows], "next": page.next})

    @extend_schema(
        operation_id="start_game",
        summary="Start a game",
        description=(
            "The game begins with these players, who sit clockwise in this order: members by their ids, newcomers by "
            "their names. A program that had no network may bring the game's own code and say when it began."
        ),
        parameters=[CODE, KEY, TAG],
        request=payloads.GameWanted,
        responses={201: payloads.GameNow, **refusals("write", "alike")},
        examples=[examples.GAME_WANTED_EXAMPLE],
    )
    def post(self, request: Request, code: str) -> Response:
        """The game that was started."""
        table = self.table_opened(code, for_writing=True)
        key, sent = key_sent(request), self.sent(*PARTS)
        given = sent.text("code", longest=LONGEST_WORD) if sent.has("code") else ""
        if sent.has("code") and not given:
            raise Problem("misshapen", _("“{name}” is missing.", name="code"), field="code")
        at = _began(sent, table)
        game = sit_down(table, _sitting(sent), key=key, by=self.user, code=given, at=at)
        return Opened.read(game).answer(201)


def _of(game: Game, table: Table) -> dict[str, object]:
    game.table = table  # which is there already
    return in_short(game)


def _filtered(request: Request, table: Table) -> QuerySet[Game]:
    asked, games = request.query_params, table.games.all()
    if "season" in asked:
        season = asked["season"]
        if not season.isascii() or not season.isdigit() or len(season) > 9:
            raise Problem("bad_request", _("There is no such season."), field="season")
        games = games.filter(season=int(season))
    titles = called(titles_of(table)) if {"variant", "words"} & set(asked) else {}
    if asked.get("variant", "") not in ("", *titles):
        games = games.none()
    people = People.of(table) if {"member", "winner", "words"} & set(asked) else People(())
    return looked_for(games, _wanted(asked, people), people, titles)


def _wanted(asked: Mapping[str, str], people: People) -> Wanted:
    """What is looked for; Problem for what makes no sense."""
    state, words = asked.get("state"), asked.get("words", "")
    if state is not None and state not in set(Standing):
        raise Problem("bad_request", _("There is no such state of a game."), field="state")
    if len(words) > LONGEST:
        raise Problem("bad_request", _("“{name}” is nothing to filter by here.", name="words"), field="words")
    wanted = Wanted(
        words=words,
        member=_member(asked, "member", people),
        winner=_member(asked, "winner", people),
        variant=asked.get("variant", ""),
        first=_day(asked, "from"),
        last=_day(asked, "to"),
        standing=None if state is None else Standing(state),
    )
    if wanted.is_backwards:
        raise Problem("bad_request", _("This is before the day in “From”."), field="to")
    return wanted


def _member(asked: Mapping[str, str], name: str, people: People) -> Member | None:
    found = people.by_slug.get(asked.get(name, ""))
    if name in asked and found is None:
        raise Problem("bad_request", _("“{name}” is nothing to filter by here.", name=name), field=name)
    return found


def _day(asked: Mapping[str, str], name: str) -> date | None:
    day = read_day(asked.get(name, ""))
    if name in asked and day is None:
        raise Problem("bad_request", _("Write the day like this: 2024-05-31."), field=name)
    return day


def _began(sent: Fields, table: Table) -> datetime | None:
    if not sent.has("at"):
        return None
    return moment_sent(sent, earliest=after_closings(table, table.created_at))


def _sitting(sent: Fields) -> Sitting:
    variant, house = read_house(sent)
    with found_at("direction"):
        given = sent.text("direction", longest=LONGEST_WORD) if sent.has("direction") else ""
        direction = direction_of(variant, given)
    people = [_sitter(one) for one in sent.list_of("players", most=MOST_PLAYERS)]
    dealer = sent.whole("dealer", least=1, most=max(len(people), 1)) if sent.has("dealer") else 1
    apart = sent.list_of("apart", most=MOST_PLAYERS) if sent.has("apart") else []
    return Sitting(variant, house, people, direction, dealer - 1, [str(name) for name in apart])


def _sitter(value: Any) -> Sitter:
    """Somebody as he is sent: `{"id": "ana"}`, or `{"name": "Eva"}` for a newcomer."""
    with found_at("players"):
        one = Fields(value, "id", "name")
        if one.has("id") == one.has("name"):
            raise Problem("misshapen", _("A player is an id or, for a newcomer, a name."), field="players")
        if one.has("id"):
            return Sitter(slug=one.name("id", longest=LONGEST_WORD))
        return Sitter(name=one.name("name", longest=LONGEST_WORD))
