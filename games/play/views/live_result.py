"""Polls of pages whose game is over or discarded, which lead their readers to where the table goes on.

A result leads to the sheet of the next game; to the game's own, if its end was undone; to the home page, if
it was discarded. A board leads to boards. The sheet and the board of a discarded game stay until the next
game begins, or until the game is restored.
"""

from __future__ import annotations

from time import time

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common import days, poll_tickets
from games.common.poll_tickets import PageVersion
from games.models import Game
from games.play.presenters.open_game import OpenGame
from games.tables.services import authorization, lobby
from games.tables.views.lobby import issue_poll_ticket, no_news, poll_context

# headers: where the table goes on, and the address to poll next
NEXT_URL_HEADER, POLL_URL_HEADER = "X-Leads", "X-Live"
PAGES = ("board", "sheet")  # pages that lead to the same page of the next game; a result leads to its sheet


@require_safe
def live_result(request: HttpRequest, code: str, version: PageVersion) -> HttpResponse:
    """Answer the poll of a page that was shown at this version of the table.

    Return the address where the table goes on (`X-Leads`), with words for the link. After other news of the
    table, redirect a result to itself, which shows the payments; send a sheet or a board the next address to
    poll.
    """
    game, _role = authorization.get_game(request.user, code)
    page = request.GET.get("from", "")
    label, address = _next_link(game, page)
    if address:
        return lead(label, address)
    access = lobby.valid_accesses(game.table).filter(user=request.user.pk).first()
    current_version = PageVersion.of(game.table)
    if version == current_version:
        return no_news(request, access)
    if page not in PAGES and _is_from_tonight(game):
        return redirect("settlement", code)
    live = reverse("live-result", args=[code, current_version])
    ticket = issue_poll_ticket(request, access, live, since=int(time()))
    headers = {POLL_URL_HEADER: _poll_url(page, live), poll_tickets.HEADER: str(ticket or "")}
    return HttpResponse(status=204, headers=headers)


def lead(label: str, address: str) -> HttpResponse:
    """Return the answer to a poll that leads its reader to another page, with words for the link."""
    return HttpResponse(label, headers={NEXT_URL_HEADER: address}, content_type="text/plain; charset=utf-8")


def follow_context(request: HttpRequest, game_page: OpenGame, page: str = "") -> dict[str, str]:
    """Return the template variables for a page of a finished or discarded game to poll; {} if it need not.

    It does not poll if its game is of another night, or if another game already follows it: anybody who comes
    back to it stays. `page` is empty for the result, or one of `PAGES`.
    """
    game, table = game_page.game, game_page.table
    if not _is_from_tonight(game) or _next_link(game, page)[1]:
        return {}
    poll_data = poll_context(
        request, game_page.reader_access, "live-result", game.code, PageVersion.of(table)
    )
    return {**poll_data, "live": _poll_url(page, poll_data["live"])}


def _is_from_tonight(game: Game) -> bool:
    return game.night_number == days.night_for(now(), game.table).toordinal()


def _poll_url(page: str, live: str) -> str:
    return f"{live}?from={page}" if page in PAGES else live


def _next_link(game: Game, page: str) -> tuple[str, str]:
    """Return the words and the address of the link to where the table goes on; "" while that is this page."""
    to = page if page in PAGES else "sheet"
    if game.discarded_at is not None and page not in PAGES:
        return _("The game was deleted"), reverse("home")
    if game.discarded_at is None and game.ended_at is None:
        return _("The game goes on"), reverse(to, args=[game.code])
    running = game.table.games.filter(discarded_at=None, ended_at=None, started_at__gt=game.started_at)
    later = running.order_by("started_at").last()
    return (_("The next game started"), reverse(to, args=[later.code])) if later is not None else ("", "")
