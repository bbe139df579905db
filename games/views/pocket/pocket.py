"""The copy of the user's games that a phone stores, and the sync of the facts (unsent changes) made on it."""

from __future__ import annotations

import json
from hashlib import sha256

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_http_methods

from games.notebook.fields import Fields, Unreadable
from games.people.lending import loan_of
from games.pocket.copying import copy_for
from games.pocket.taking import MOST_FACTS, take
from games.scoring.admission import MOST_STEPS
from games.scoring.effort import counting_steps
from games.shown.common.sentences import translate
from games.views.common.context import person_of, theme
from games.views.common.recording import refused_as_json
from games.views.pocket.answers import answers_for
from games.views.pocket.bodies import read_json
from games.views.pocket.typed import READERS

FACT = 40_000  # computing steps charged for reading, recording and answering a fact: ten milliseconds
KEPT = "private, no-cache"  # one copy per user, revalidated before each use


@require_GET
def token(request: HttpRequest) -> HttpResponse:
    """Return a fresh CSRF token and the user's pseudonym.

    A page that waited for a network may have the token of an older session.
    """
    return JsonResponse({"token": get_token(request), "person": person_of(request)})


@require_http_methods(["GET", "POST"])
@gzip_page
def pocket(request: HttpRequest) -> HttpResponseBase:
    """Return the copy of the user's data as JSON.

    On POST, record the phone's facts (unsent changes) and return their outcomes instead.

    A phone lent to another user gets no copy but 403; the borrower's facts are still recorded for the
    borrower.
    """
    if not isinstance(request.user, User):
        return redirect("login")
    if request.method == "POST":
        return _take(request, request.user)
    if loan_of(request) is not None:
        raise PermissionDenied
    return _copy(request, request.user)


def _copy(request: HttpRequest, user: User) -> HttpResponseBase:
    """Return the copy of the user's data; 304 if the phone has the same copy already."""
    text = json.dumps(copy_for(user), separators=(",", ":"))
    mark = f'"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"ETag": mark, "Cache-Control": KEPT, "Vary": "Cookie"}
    response = HttpResponse(text, content_type="application/json", headers=headers)
    answer = get_conditional_response(request, etag=mark, response=response) or response
    # The phone needs its theme and a CSRF token for the pages that it renders itself.
    answer.headers["X-Theme"] = theme(request)["theme"]
    answer.headers["X-Token"] = get_token(request)
    return answer


def _take(request: HttpRequest, user: User) -> HttpResponseBase:
    """Record the facts (unsent changes) and return their outcomes in order.

    The response is 422 if the body is not a list of facts. Facts of another user are refused with 403,
    so the phone keeps them until that user returns. If the step budget of the request is spent, only the
    first outcomes are returned.
    """
    try:
        sent = Fields(read_json(request), "person", "facts")
        facts = sent.list_of("facts", most=MOST_FACTS)
        person = sent.part("person")
    except Unreadable as wrong:
        return refused_as_json(*map(translate, wrong.problems))
    if person != person_of(request):
        raise PermissionDenied
    answers = []
    with counting_steps() as effort:
        for answer in answers_for(request, facts, take(facts, user, READERS)):
            answers.append(answer)
            effort.spend(FACT)
            if effort.taken > MOST_STEPS:
                break  # the phone sends the remaining facts again
    return JsonResponse({"answers": answers})
