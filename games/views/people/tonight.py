"""Tonight's invitation on the screen of an owner or a scorer: a QR code and a button that sends the link.

Whoever opens its link may watch the table's games until the night ends.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.models import Invite, Role, Table
from games.people.access import Visitor, table_for
from games.people.invitations import game_to_open
from games.people.tonight import night_token, show_tonight, standing_tonight
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.invites import link_of
from games.views.common.links import qr_code
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE


@require_http_methods(["GET", "POST"])
def tonight(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show tonight's invitation. On POST, keep it open for two more hours; only owners can create it."""
    table, role = table_for(Visitor(request.user), table_code, for_writing=True)
    if request.method == "GET":
        return _show(request, table, role, standing_tonight(table))
    try:
        show_tonight(table, by=user_of(request))
    except RuleError as refusal:
        return _show(request, table, role, None, refused=translate(refusal.text))
    return redirect("tonight", table.code)


def _show(
    request: HttpRequest, table: Table, role: Role, invite: Invite | None, *, refused: str = ""
) -> HttpResponse:
    link = link_of(night_token(invite), request) if invite else ""
    context = {
        "table": table,
        "link": link,
        "drawn": qr_code(link),
        "owns": role is Role.OWNER,
        "game": game_to_open(table),
        "refused": refused,
    }
    return render(request, "games/people/tonight.html", context, status=UNPROCESSABLE if refused else 200)
