"""The rate limits of pages, like django-ratelimit's, but a refusal keeps what was typed."""

from __future__ import annotations

from http import HTTPStatus
from time import monotonic

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext, ngettext

from games.common import db_errors, rate_limits
from games.common.lanes import LaneFull
from games.common.rate_limits import RateLimit

READ_METHODS = {"GET", "HEAD", "OPTIONS"}
TEXT = "text/plain; charset=utf-8"
PAUSE = 10  # seconds without rate limits after the shared cache failed, so that pages do not wait for it


class RateLimitMiddleware(MiddlewareMixin):
    """Middleware that refuses requests over their rate limit, with a page that keeps what was typed.

    Only requests that reach a view are counted: others cost no more to answer than to refuse. Endpoints of
    the API have limits of their own (`games/tables/api/permissions.py`), and `csrf_failure` in
    `scorekeeper/error_handlers.py` counts forms without a token, which reach no view.
    """

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> HttpResponse | None:
        """Return the page that refuses a request over its limit; None for one within it."""
        if hasattr(getattr(view, "cls", None), "throttle_classes"):
            return None
        limit = exceeded_limit(request)
        # A `csrf_exempt` view checks the token itself, but has not run yet, so its form must not be repeated.
        return (
            too_many_requests(request, limit, may_repeat=not getattr(view, "csrf_exempt", False))
            if limit
            else None
        )

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that refuses work on a whole table while others have theirs done."""
        if not isinstance(exception, LaneFull):
            return None
        sentence = (
            gettext("The site is making this for others right now. Tap again in a few seconds.")
            if request.method in READ_METHODS
            else gettext(
                "The site is busy with other tables. Nothing was recorded. Try again in a few seconds."
            )
        )
        return _ask_to_wait(request, sentence, exception.wait, heading=gettext("Wait a moment"))


class CacheOutage:
    """The end of a pause in counting after the shared cache failed, so that pages do not wait for it."""

    ends_at = 0.0


def exceeded_limit(request: HttpRequest) -> RateLimit | None:
    """Count a request for a page. Return the limit that it exceeds, if any.

    While the shared cache is failing, nothing is counted.
    """
    if monotonic() < CacheOutage.ends_at:
        return None
    address = request.META.get("REMOTE_ADDR", "")
    limit, client = rate_limits.page_limit(request.user, address, is_reading=request.method in READ_METHODS)
    try:
        return None if limit.hit(client) else limit
    except Exception as error:
        if not db_errors.is_database_failure(error):
            raise
        CacheOutage.ends_at = monotonic() + PAUSE
        return None


def too_many_requests(request: HttpRequest, limit: RateLimit, *, may_repeat: bool = True) -> HttpResponse:
    """Return the page that asks to wait. If `may_repeat`, it has the form again, without passwords and files."""
    return _ask_to_wait(
        request,
        _sentence(limit),
        limit.resets_in,
        heading=gettext("Too many requests"),
        may_repeat=may_repeat,
    )


def _ask_to_wait(
    request: HttpRequest, sentence: str, seconds: int, *, heading: str, may_repeat: bool = True
) -> HttpResponse:
    """Return the page with this sentence, which has the form again if `may_repeat`.

    A request by htmx gets only the sentence, and its page keeps what was typed (`scripts/base/page.js`).
    """
    headers = {"Retry-After": str(seconds)}
    if request.headers.get("HX-Request"):
        headers["HX-Reswap"] = "none"
        return HttpResponse(sentence, TEXT, HTTPStatus.TOO_MANY_REQUESTS, headers=headers)
    # Rendered without the request, whose context processors would query the user from the database.
    form = db_errors.repeat_form(request) if may_repeat else {}
    page = render_to_string("429.html", {**form, "sentence": sentence, "heading": heading})
    return HttpResponse(page, status=HTTPStatus.TOO_MANY_REQUESTS, headers=headers)


def _sentence(limit: RateLimit) -> str:
    seconds = limit.resets_in
    return ngettext(
        "Nothing was recorded. Wait %(counter)s second, then try again.",
        "Nothing was recorded. Wait %(counter)s seconds, then try again.",
        seconds,
    ) % {"counter": seconds}
