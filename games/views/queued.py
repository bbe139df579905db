"""What waited on a phone without a network: each entry as it was saved there, recorded or refused in so many words."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.context import person_of
from games.scoring.events import RoundPlayed, effective
from games.shown.numbers import numbers_of
from games.views.desk import try_answer
from games.views.opened import OpenGame, open_game
from games.views.recording import Refused, number_under, sent_key
from games.views.rounds import try_round

MISSING, FORBIDDEN = 404, 403


@require_GET
def token(request: HttpRequest) -> HttpResponse:
    """A fresh token against forgery, the one in a page that waited may be of an older session; and whose it is."""
    return JsonResponse({"token": get_token(request), "person": person_of(request)})


@require_POST
def queued(request: HttpRequest, code: str) -> HttpResponse:
    """Records a round or a re-entry answer; 200 with its key, or why it was refused, and the numbers to go on with.

    What one person entered is never recorded as another's who took over the phone since: 403, so that it waits on. Who
    may not record there any more is told so, and can drop it.
    """
    is_own = request.POST.get("person") == person_of(request)
    try:
        opened = open_game(request, code, for_writing=True)
    except Http404:
        if not is_own:
            raise
        return _told(MISSING, _("This game is not open to you on this phone any more."))
    except PermissionDenied:
        if not is_own:
            raise
        return _told(FORBIDDEN, _("You can watch this table, but not write"))
    if not is_own:
        raise PermissionDenied
    result = try_answer(request, opened) if "answer" in request.POST else try_round(request, opened)
    opened = open_game(request, code)  # anew: also what others recorded, before it or since
    told: dict[str, object] = {"numbers": numbers_of(opened.state, len(opened.log))}
    if isinstance(result, Refused):
        told["sentences"] = [*result.errors.values(), *result.notice]
        told["recorded"] = _recorded(request, opened)
        return JsonResponse(told, status=result.status)
    return JsonResponse({"key": sent_key(request), **told})


def _told(status: int, sentence: str) -> HttpResponse:
    return JsonResponse({"sentences": [sentence]}, status=status)


def _recorded(request: HttpRequest, opened: OpenGame) -> int | None:
    """The number of the round that stands under the key that was sent, None where there is none to correct."""
    number = number_under(sent_key(request), opened)
    is_round = number is not None and isinstance(dict(effective(opened.log)).get(number), RoundPlayed)
    return number if is_round else None
