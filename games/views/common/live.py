"""How a page that is watched asks for news: where, with which ticket, and what is answered."""

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
    """What such a page prints: the address it asks next, that holds what it shows, and the ticket for it."""
    address = reverse(name, args=arguments)
    return {"live": address, "ticket": _ticket(request, table, address)}


def nothing_new(
    request: HttpRequest, code: str, version: int, *, for_writing: bool = False
) -> HttpResponse | None:
    """An empty answer with the next ticket where what the phone shows is what there is; None where it is not.

    Asked where the phone has no ticket that is good: now and then, and by whoever may have been let in no longer.
    """
    game, _role = open_to(request, code, for_writing=for_writing)
    return _unchanged(request, game) if version == _version_of(game) else None


def news(request: HttpRequest, name: str, code: str, version: int, draw: Draw) -> HttpResponse:
    """The page as `draw` makes it now, for a phone that asks at the address `name`; 204 where nothing is new.

    All who only watch are shown the same, so it is drawn once for all of them.
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
        opened = open_game(request, code)
        text = draw(_of_nobody(request), opened).content
        now, was = opened.version, now
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
    """Whether nothing on the page is this person's own: no forms with a key, and no doubt of theirs.

    Only a script that asks with a ticket takes one from the answer's header, where nobody's page has it.
    """
    if role in WRITERS or HEADER not in request.headers:
        return False
    return not open_flags(game).filter(by=request.user.pk).exists()


def _of_nobody(request: HttpRequest) -> HttpRequest:
    """The same request, of nobody: whatever is drawn for it says of nobody who asked."""
    asked = copy(request)
    asked.user, asked.COOKIES = AnonymousUser(), {}
    return asked


def _ticket(request: HttpRequest, table: Table, address: str) -> str:
    """The ticket; "" for who is let in no longer by now."""
    ends = (
        Grant.objects.standing()
        .filter(user=request.user.pk, table=table)
        .values_list("expires_at", flat=True)
    )
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return make_ticket(address, cookie, until=ends[0]) if ends and cookie else ""
