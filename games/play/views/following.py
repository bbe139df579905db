"""Following: the result of tonight, and the board of a game that is over, lead on to where the players are."""

from __future__ import annotations

from time import time

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.common.days import night_of
from games.common.tickets import HEADER, Version
from games.models import Game, Table
from games.play.game_page import OpenGame
from games.tables.access import game_for
from games.tables.lobby import here
from games.tables.views.lobby import asks_at, ticket_at, unchanged

LEADS, LIVE = "X-Leads", "X-Live"  # headers: where to go on, and the address to poll next
BOARD = "?board"


@require_GET
def live_result(request: HttpRequest, code: str, version: Version) -> HttpResponse:
    """Answer the poll of a result that was shown at this version of the table.

    Return the address where the game goes on (`X-Leads`), with words for the link: of the sheet of the next game;
    of the game's own, if its end was undone; of the first page, if it was discarded. With `?board` they are those
    of the board. Else return an empty response, after other news of the table with the address to poll next.
    """
    game, _role = game_for(request.user, code)
    is_board = "board" in request.GET
    words, address = _goes_on(game, "board" if is_board else "sheet")
    if address:
        return HttpResponse(words, headers={LEADS: address}, content_type="text/plain; charset=utf-8")
    mine, present = here(game.table).filter(user=request.user.pk).first(), _version_of(game.table)
    if version == present:
        return unchanged(request, mine)
    live = reverse("live-result", args=[code, present])
    ticket = ticket_at(request, mine, live, since=int(time()))
    headers = {LIVE: live + BOARD * is_board, HEADER: str(ticket or "")}
    return HttpResponse(status=204, headers=headers)


def follows(request: HttpRequest, game_page: OpenGame, *, is_board: bool = False) -> dict[str, str]:
    """Return the template variables by which the page of a finished game follows; {} if nothing can follow.

    That is a game of another night, and one after which another one runs: whoever comes back to it stays.
    """
    game, table = game_page.game, game_page.table
    is_tonights = game.night_number == night_of(now(), table).toordinal()
    if not is_tonights or _goes_on(game, "sheet")[1]:
        return {}
    asked = asks_at(request, game_page.mine, "live-result", game.code, _version_of(table))
    return {**asked, "live": asked["live"] + BOARD * is_board}


def _goes_on(game: Game, page: str) -> tuple[str, str]:
    """Return words for the link, and the address of the page where the players are now; "" while that is the result."""
    if game.discarded_at is not None:
        return _("The game was discarded"), reverse("home")
    if game.ended_at is None:
        return _("The end was undone"), reverse(page, args=[game.code])
    running = game.table.games.filter(discarded_at=None, ended_at=None, started_at__gt=game.started_at)
    later = running.order_by("started_at").last()
    return (_("The next game began"), reverse(page, args=[later.code])) if later is not None else ("", "")


def _version_of(table: Table) -> Version:
    return Version(table.revision, table.version)
