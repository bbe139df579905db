"""How a page that is watched asks for news: where, and with which ticket."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.models import Grant, Table
from games.people.access import open_to
from games.tickets import HEADER, make_ticket


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
    # The revision is of the moment in which the grant was read, so no ticket is for a version of after its end.
    if version != game.records.count() + game.table.revision:
        return None
    return HttpResponse(status=204, headers={HEADER: _ticket(request, game.table, request.path)})


def _ticket(request: HttpRequest, table: Table, address: str) -> str:
    """The ticket; "" for who is let in no longer by now."""
    ends = (
        Grant.objects.standing()
        .filter(user=request.user.pk, table=table)
        .values_list("expires_at", flat=True)
    )
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return make_ticket(address, cookie, until=ends[0]) if ends and cookie else ""
