"""The final of a season (el final).

It shows champion, podium and new records, with a text and a picture to be sent.
"""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Role
from games.money.balances import People
from games.people.access import table_open_to
from games.season.finales import changed_since_closing, finale_of
from games.shown.season import finale as shown


@require_GET
def finale(request: HttpRequest, table_code: str, season: int) -> HttpResponse:
    """Show the final of a closed season; redirect an open season to its standings."""
    table, role = table_open_to(request, table_code)
    seasons = list(table.seasons.all())
    season_shown = next((one for one in seasons if one.pk == season), None)
    if season_shown is None:
        raise Http404(_("This table doesn't have that season."))
    if season_shown.ends_on is None:
        return redirect(f"{reverse('season', args=[table.code])}?season={season_shown.pk}")
    ended = finale_of(table, People.of(table), season_shown, seasons)
    page = shown.finale_shown(ended, table)
    owns = role is Role.OWNER
    context = {
        "table": table,
        "season": season_shown,
        "finale": page,
        "changed": shown.changed_games(changed_since_closing(table, season_shown)),
        "message": shown.finale_message(page, season_shown, table),
        "drawn": json.dumps(shown.finale_picture(page, season_shown, table)),
        "file_name": shown.finale_file(season_shown),
        "just_closed": owns and "now" in request.GET and season_shown in seasons[-2:-1],
        "owns": owns,
    }
    return render(request, "games/season/finale.html", context)
