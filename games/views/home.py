"""Home: the games under way, a rematch in one tap, a new game."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.access import WRITERS
from games.context import THEMES
from games.messages import translate
from games.models import Game, Table
from games.scoring.variants import find_variant
from games.shown.amounts import points
from games.shown.people import Person, people_of
from games.shown.words import People
from games.views.recording import new_key

FINISHED_SHOWN = 3


@dataclass(frozen=True)
class Tile:
    """A game on the home page."""

    game: Game
    title: str
    detail: str
    faces: tuple[Person, ...]
    key: str
    is_old_night: bool


@dataclass(frozen=True)
class TableTiles:
    """A table with its games under way and the last ones played."""

    table: Table
    may_write: bool
    running: tuple[Tile, ...]
    finished: tuple[Tile, ...]


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The first page."""
    tables = [_tiles(table, role) for table, role in _tables_of(request)]
    context = {
        "tables": tables,
        "discarded": _discarded(tables, request.GET.get("discarded", "")),
        "languages": settings.LANGUAGES,
    }
    return render(request, "games/home.html", context)


def _discarded(tables: list[TableTiles], code: str) -> str:
    """The code of a game just taken away, where this user may bring it back; else ""."""
    if not code:
        return ""
    mine = [place.table for place in tables if place.may_write]
    codes = Game.objects.filter(table__in=mine, discarded_at__isnull=False).values_list("code", flat=True)
    return code if code in set(codes) else ""


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keeps the chosen theme on this phone; anything else follows the system."""
    response = redirect("home")
    theme = request.POST.get("theme")
    if theme in THEMES:
        response.set_cookie(
            "theme", theme, max_age=settings.LANGUAGE_COOKIE_AGE, samesite="Lax", httponly=True
        )
    else:
        response.delete_cookie("theme")
    return response


def _tables_of(request: HttpRequest) -> list[tuple[Table, str]]:
    if not isinstance(request.user, User):
        return []
    grants = request.user.grants.standing().filter(table__erased_at=None).select_related("table")
    return [(grant.table, grant.role) for grant in grants.order_by("-table__created_at")]


def _tiles(table: Table, role: str) -> TableTiles:
    people = people_of(table)
    games = list(table.games.filter(discarded_at=None))
    running = [game for game in games if game.ended_at is None]
    finished = [game for game in games if game.ended_at is not None]
    return TableTiles(
        table=table,
        may_write=role in WRITERS,
        running=tuple(_tile(game, people) for game in running),
        finished=tuple(_tile(game, people) for game in finished[:FINISHED_SHOWN]),
    )


def _tile(game: Game, people: People) -> Tile:
    state = game.state()
    if state.outcome is None:
        totals = ", ".join(f"{people[player.id].name} {points(player.total)}" for player in state.playing)
        detail = _("round %(number)s · %(totals)s") % {"number": len(state.rounds) + 1, "totals": totals}
    else:
        winners = ", ".join(people[winner].name for winner in state.outcome.winners)
        detail = _("won by %(names)s") % {"names": winners} if winners else _("nobody won")
    return Tile(
        game=game,
        title=translate(find_variant(game.variant).name),
        detail=detail,
        faces=tuple(people[player.id] for player in state.players),
        key=new_key(),
        is_old_night=state.imported is not None,
    )
