"""How a watched page polls: its address, its ticket, and the answers."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language

from games.models import Game, Grant, Role, Table
from games.people.access import WRITERS, open_to
from games.play.flags import open_flags
from games.tickets import HEADER, make_ticket
from games.views.common.opened import OpenGame, open_game

Draw = Callable[[HttpRequest, OpenGame], HttpResponse]


def asks_at(request: HttpRequest, table: Table, name: str, *arguments: object) -> dict[str, str]:
    """Return what a watched page prints: the address it polls next, which holds its version, and the ticket
    for it.
    """
    address = reverse(name, args=arguments)
    return {"live": address, "ticket": _ticket(request, table, address)}


def nothing_new(
    request: HttpRequest, code: str, version: int, *, for_writing: bool = False
) -> HttpResponse | None:
    """Return an empty answer with the next ticket if the page is up to date; None if it is not.

    This is for polls without a valid ticket: an expired one, or one of a person who may have lost access.
    """
    game, _role = open_to(request, code, for_writing=for_writing)
    return _unchanged(request, game) if version == _version_of(game) else None


def news(request: HttpRequest, name: str, code: str, version: int, draw: Draw) -> HttpResponse:
    """Return the page drawn by `draw` for a phone that polls the address `name`; 204 if it is up to date.

    All who only watch see the same page, so it is drawn once for all of them.
    """
    game, role = open_to(request, code)
    now = _version_of(game)
    if version == now:
        return _unchanged(request, game)
    if not _is_as_all_see_it(request, game, role):
        return draw(request, open_game(request, code))
    drawn, key = caches["drawn"], f"{name}:{code}:{now}:{get_language()}"
    text = drawn.get(key)
    if text is None:
        game_page = open_game(request, code)
        text = draw(_of_nobody(request), game_page).content
        now, was = game_page.version, now
        if now == was:
            drawn.set(key, text)
    ticket = _ticket(request, game.table, reverse(name, args=[code, now]))
    return HttpResponse(text, headers={HEADER: ticket})


def _version_of(game: Game) -> int:
    # The revision is of the moment in which the grant was read, so no ticket is for a version of after its end.
    return game.records.count() + game.table.revision


def _unchanged(request: HttpRequest, game: Game) -> HttpResponse:
    return HttpResponse(status=204, headers={HEADER: _ticket(request, game.table, request.path)})


def _is_as_all_see_it(request: HttpRequest, game: Game, role: Role) -> bool:
    """Return whether the page has nothing of this user's own: no forms with a key, and no flag.

    Only a script that sends a ticket takes the next one from a header, so only such an answer can be shared.
    """
    if role in WRITERS or HEADER not in request.headers:
        return False
    return not open_flags(game).filter(by=request.user.pk).exists()


def _of_nobody(request: HttpRequest) -> HttpRequest:
    """Return the request without its user, so that the page can be shared."""
    anonymous = copy(request)
    anonymous.user, anonymous.COOKIES = AnonymousUser(), {}
    return anonymous


def _ticket(request: HttpRequest, table: Table, address: str) -> str:
    """Return the ticket; "" for a user without access by now."""
    ends = (
        Grant.objects.standing()
        .filter(user=request.user.pk, table=table)
        .values_list("expires_at", flat=True)
    )
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return make_ticket(address, cookie, until=ends[0]) if ends and cookie else ""
