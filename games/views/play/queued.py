"""Entries that waited on a phone without a network: each as it was saved there, recorded or refused in a
sentence.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.views.decorators.http import require_GET, require_POST

from games.scoring.events import RoundPlayed, effective
from games.scoring.replay import replay
from games.shown.play.forms import read_round
from games.shown.play.numbers import numbers_of
from games.views.common.context import person_of
from games.views.common.opened import OpenGame, open_game
from games.views.common.queueing import own_only, told_in_words
from games.views.common.recording import Refused, number_under, sent_after, sent_key
from games.views.play.desk import sent_answer, try_answer
from games.views.play.rounds import try_round


@require_GET
def token(request: HttpRequest) -> HttpResponse:
    """Return a fresh CSRF token, since the one in a page that waited may be of an older session, and whose it
    is.
    """
    return JsonResponse({"token": get_token(request), "person": person_of(request)})


@require_POST
@told_in_words
def queued(request: HttpRequest, code: str) -> HttpResponse:
    """Record a round or a re-entry answer; 200 with its key, or the refusal, and the numbers to go on with.

    What another phone recorded as the very same event, at the same place, counts as recorded. An entry of
    a person who
    had the phone before is never recorded as another's: 403, so that it keeps waiting. A user who may not
    record there any
    more gets a sentence, and can drop the entry.
    """
    game_page = open_game(request, code, for_writing=True)
    own_only(request)
    result = try_answer(request, game_page) if "answer" in request.POST else try_round(request, game_page)
    game_page = open_game(request, code)  # anew: also what others recorded, before it or since
    payload: dict[str, object] = {"numbers": numbers_of(game_page.state, len(game_page.log))}
    if isinstance(result, Refused) and not _stands_already(request, game_page):
        payload["sentences"] = [*result.errors.values(), *result.notice]
        payload["recorded"] = _recorded(request, game_page)
        payload["seen"] = sent_after(request) + len(result.recorded)  # with these sentences
        return JsonResponse(payload, status=result.status)
    return JsonResponse({"key": sent_key(request), **payload})


def _stands_already(request: HttpRequest, game_page: OpenGame) -> bool:
    """Return whether the event after the last one the person had seen is what was sent.

    Only that one: a later round with the same hands is another round.
    """
    seen = sent_after(request)
    standing = dict(effective(game_page.log)).get(seen + 1)
    if "answer" in request.POST:
        return standing is not None and standing == sent_answer(request)
    if not isinstance(standing, RoundPlayed):
        return False
    form = read_round(request.POST, replay(game_page.log[:seen]))
    return not form.errors and form.entry.says_the_same_as(standing.entry)


def _recorded(request: HttpRequest, game_page: OpenGame) -> int | None:
    """Return the number of the round recorded under the key that was sent; None if there is none to correct."""
    number = number_under(sent_key(request), game_page)
    is_round = number is not None and isinstance(dict(effective(game_page.log)).get(number), RoundPlayed)
    return number if is_round else None
