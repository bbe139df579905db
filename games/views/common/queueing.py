"""The answers to entries that waited on a phone: sentences, which the phone shows beside the entry."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from games.faults import is_database_fault
from games.views.common.context import person_of
from games.views.common.recording import FORBIDDEN, MISSING

BROKEN = 500


logger = logging.getLogger(__name__)


P = ParamSpec("P")


def told_in_words(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Wrap a view for a phone that shows sentences and no pages.

    A user who may not record there any more gets a sentence, and can drop the entry. So does an unexpected
    error: the
    entry waits for a person to look at it instead of being sent again and again.
    """

    @wraps(view)
    def tell(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Http404:
            if not _is_own(request):
                raise
            if "table_code" in kwargs:
                return _told(MISSING, _("This table is not open to you on this phone any more."))
            return _told(MISSING, _("This game is not open to you on this phone any more."))
        except PermissionDenied:
            if not _is_own(request):
                raise
            return _told(FORBIDDEN, _("You can watch this table, but not write"))
        except Exception as broken:
            if is_database_fault(broken):
                raise  # which passes: it is sent again
            logger.exception("What waited could not be recorded: %s", request.path)
            return _told(BROKEN, _("Something broke on our side, and it was not recorded."))

    return tell


def own_only(request: HttpRequest) -> None:
    """Raise PermissionDenied if somebody else entered this before the phone changed hands: the entry keeps
    waiting.
    """
    if not _is_own(request):
        raise PermissionDenied


def _is_own(request: HttpRequest) -> bool:
    return request.POST.get("person") == person_of(request)


def _told(status: int, sentence: str) -> HttpResponse:
    return JsonResponse({"sentences": [sentence]}, status=status)
