"""What waited on a phone without a network: each entry as it was saved there, recorded or refused in so many words."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.http import require_GET, require_POST

from games.context import person_of
from games.shown.numbers import numbers_of
from games.views.desk import try_answer
from games.views.opened import open_game
from games.views.recording import Refused, sent_key
from games.views.rounds import try_round


@require_GET
def token(request: HttpRequest) -> HttpResponse:
    """A fresh token against forgery: the one in a page that waited may be of an older session."""
    return JsonResponse({"token": get_token(request)})


@require_POST
def queued(request: HttpRequest, code: str) -> HttpResponse:
    """Records a round or a re-entry answer; 200 with its key, or why it was refused, and the numbers to go on with.

    What one person entered is never recorded as another's who took over the phone since: 403, so that it waits on.
    """
    opened = open_game(request, code, for_writing=True)
    if request.POST.get("person") != person_of(request):
        raise PermissionDenied
    result = try_answer(request, opened) if "answer" in request.POST else try_round(request, opened)
    opened = open_game(request, code)  # anew: also what others recorded, before it or since
    told: dict[str, object] = {"numbers": numbers_of(opened.state, len(opened.log))}
    if isinstance(result, Refused):
        told["sentences"] = [*result.errors.values(), *result.notice]
        return JsonResponse(told, status=result.status)
    return JsonResponse({"key": sent_key(request), **told})
