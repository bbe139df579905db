"""Live updates by polling: the address to poll, its ticket (a signed permission to poll), and the answer without news."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.common.tickets import HEADER, make_ticket
from games.models import Access, Table
from games.tables.access import Visitor


def asks_at(request: HttpRequest, table: Table, name: str, *arguments: object) -> dict[str, str]:
    """Return the template variables of a page with live updates: the address to poll next, and its ticket.

    `name` and `arguments` are the URL name and the URL arguments of this address. One of the arguments is the
    version that the page shows.
    """
    address = reverse(name, args=arguments)
    return {"live": address, "ticket": ticket_at(request, table, address)}


def unchanged(request: HttpRequest, table: Table) -> HttpResponse:
    """Return the empty response to a poll without news, with the next ticket."""
    return HttpResponse(status=204, headers={HEADER: ticket_at(request, table, request.path)})


def ticket_at(request: HttpRequest, table: Table, address: str) -> str:
    """Return the ticket for polling `address`; "" if the user has no access to the table any more."""
    access = Visitor(request.user).accesses.filter(table=table).first()
    return ticket_of(request, access, address) if access else ""


def ticket_of(request: HttpRequest, access: Access, address: str) -> str:
    """Return the ticket for polling `address` with this access."""
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return make_ticket(address, cookie, until=access.until) if cookie else ""
