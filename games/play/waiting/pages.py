"""The address to which a phone sends the entries that waited on it, and the token that it needs for that."""

from __future__ import annotations

import json

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.http import require_GET, require_POST

from games.common.fields import Fields, Unreadable
from games.common.sent import refused_as_json
from games.common.words import translate
from games.play.pages.context import person_of
from games.play.waiting.answers import answers_for
from games.play.waiting.readers import READERS
from games.play.waiting.taking import MOST_ENTRIES, take
from games.scoring.admission import MOST_STEPS
from games.scoring.effort import counting_steps
from games.scoring.words import _

ENTRY = 40_000  # computing steps charged for reading, recording and answering an entry: ten milliseconds


@require_GET
def token(request: HttpRequest) -> HttpResponse:
    """Return a fresh CSRF token and the user's pseudonym.

    A page that waited for a network may have the token of an older session.
    """
    return JsonResponse({"token": get_token(request), "person": person_of(request)})


@require_POST
def waiting(request: HttpRequest) -> HttpResponse:
    """Record the entries that waited on a phone, and return their outcomes in order.

    The response is 422 if the body is not a list of entries. Entries of another user are refused with 403, so
    the phone keeps them until that user returns. If the step budget of the request is spent, only the first
    outcomes are returned.
    """
    try:
        body = Fields(_read_json(request), "person", "entries")
        entries = body.list_of("entries", most=MOST_ENTRIES)
        person = body.part("person")
    except Unreadable as wrong:
        return refused_as_json(*map(translate, wrong.problems))
    if not isinstance(request.user, User) or person != person_of(request):
        raise PermissionDenied
    answers = []
    with counting_steps() as effort:
        for answer in answers_for(request, entries, take(entries, request.user, READERS)):
            answers.append(answer)
            effort.spend(ENTRY)
            if effort.taken > MOST_STEPS:
                break  # the phone sends the remaining entries again
    return JsonResponse({"answers": answers})


def _read_json(request: HttpRequest) -> object:
    """Return the value of the JSON body. Raise Unreadable for any other body.

    Form data counts as an empty body, because Django has already read it.
    """
    body = request.body if request.content_type == "application/json" else b""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Unreadable(_("This is not a complete JSON file.")) from None
