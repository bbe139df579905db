"""What waited on a phone without a network: each entry as it was saved there, recorded or refused in so many words."""

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
    """A fresh token against forgery, the one in a page that waited may be of an older session; and whose it is."""
    return JsonResponse({"token": get_token(request), "person": person_of(request)})


@require_POST
@told_in_words
def queued(request: HttpRequest, code: str) -> HttpResponse:
    """Records a round or a re-entry answer; 200 with its key, or why it was refused, and the numbers to go on with.

    What another phone recorded just so, as the very event this one was to become, counts as recorded.
    What one person entered is never recorded as another's who took over the phone since: 403, so that it waits on. Who
    may not record there any more is told so, and can drop it.
    """
    opened = open_game(request, code, for_writing=True)
    own_only(request)
    result = try_answer(request, opened) if "answer" in request.POST else try_round(request, opened)
    opened = open_game(request, code)  # anew: also what others recorded, before it or since
    told: dict[str, object] = {"numbers": numbers_of(opened.state, len(opened.log))}
    if isinstance(result, Refused) and not _stands_already(request, opened):
        told["sentences"] = [*result.errors.values(), *result.notice]
        told["recorded"] = _recorded(request, opened)
        told["seen"] = sent_after(request) + len(result.recorded)  # with these sentences
        return JsonResponse(told, status=result.status)
    return JsonResponse({"key": sent_key(request), **told})


def _stands_already(request: HttpRequest, opened: OpenGame) -> bool:
    """Whether the event that follows the last one the person had seen stands as what was sent.

    Only that one: a round later in the game with the same hands is another round.
    """
    seen = sent_after(request)
    standing = dict(effective(opened.log)).get(seen + 1)
    if "answer" in request.POST:
        return standing is not None and standing == sent_answer(request)
    if not isinstance(standing, RoundPlayed):
        return False
    form = read_round(request.POST, replay(opened.log[:seen]))
    return not form.errors and form.entry.says_the_same_as(standing.entry)


def _recorded(request: HttpRequest, opened: OpenGame) -> int | None:
    """The number of the round that stands under the key that was sent, None where there is none to correct."""
    number = number_under(sent_key(request), opened)
    is_round = number is not None and isinstance(dict(effective(opened.log)).get(number), RoundPlayed)
    return number if is_round else None
