"""A link that contains a whole game."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from games.scoring.admission import MOST_STEPS
from games.scoring.effort import counting_steps
from games.scoring.errors import ScoringError
from games.scoring.events import Log
from games.scoring.text.link import read_link, with_points, write_link
from games.shown.common.sentences import translate
from games.views.common.links import qr_code
from games.views.common.opened import open_game

LONGEST_CODE = 1_000  # characters of an address that a phone's camera reads well


@require_GET
def game_link(request: HttpRequest, code: str) -> HttpResponse:
    """Show the link and its QR code.

    If the link with all cards is too long for a QR code, the QR code has a link with points instead of cards.
    """
    game_page = open_game(request, code)
    part = write_link(game_page.log)
    try:  # a game recorded under older rules may not be readable as a new one
        with counting_steps(MOST_STEPS):
            read_link(part)
    except ScoringError as refusal:
        context = {**game_page.context, "refused": translate(refusal.text)}
        return render(request, "games/notebook/game_link.html", context)
    link = _address(request, part)
    coded = link if len(link) <= LONGEST_CODE else _by_points(request, game_page.log)
    context = {
        **game_page.context,
        "link": link,
        "drawn": qr_code(coded),
        "by_points": coded != link,
    }
    return render(request, "games/notebook/game_link.html", context)


def _by_points(request: HttpRequest, log: Log) -> str:
    """Return a link to the game with the points of each hand instead of its cards.

    Return "" if the game cannot be written with points, or if the link is too long for a QR code.
    """
    short = with_points(log)
    link = "" if short is None else _address(request, write_link(short))
    return link if len(link) <= LONGEST_CODE else ""


def _address(request: HttpRequest, part: str) -> str:
    """Return the link to the game; `part` is the game as text, which stands behind the `#`.

    An installation without a server has only one page, so the path of the link stands behind its `#` too.
    """
    if settings.IS_A_FOLDER:
        return f"{request.build_absolute_uri(reverse('home'))}#/shown/{part}"
    return f"{request.build_absolute_uri(reverse('shown'))}#{part}"
