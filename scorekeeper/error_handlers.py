"""Django's error handlers. They return a page or, for URLs under `/api/`, problem details (RFC 9457)."""

from __future__ import annotations

import logging
import re
import sys
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import Resolver404
from django.utils.translation import override
from django.views import defaults

from games.common import body_limits, db_errors, network, rate_limits, regions, request_handling
from games.tables.services import users
from games.tables.services.authorization import NoAccess, TableErased
from games.tables.views.table_settings import show_erased
from scorekeeper.logs import request_id
from scorekeeper.rate_limit_middleware import exceeded_limit, too_many_requests
from scorekeeper.request_limits import API

LOG = logging.getLogger(__name__)
_PROXY_WARNING_LOGGED = Event()
# Fields with typed text, as opposed to choices.
TEXT_FIELDS = re.compile("new-|hand-|amount|stake|note|name|table-name|text|username")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(API):
        return _problem(request, 400)
    if isinstance(exception, DisallowedHost):
        return _wrong_host(request)
    return defaults.bad_request(request, exception)


def _wrong_host(request: HttpRequest) -> HttpResponse:
    """Return the page for a host that is not in ALLOWED_HOSTS. Its reader is usually the operator."""
    with override(regions.reader_language(request)):
        page = render_to_string("wrong_host.html", {"host": request.META.get("HTTP_HOST", "")})
    return HttpResponse(page, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown URL with 404; an owner of an erased table gets a page to restore it.

    A URL that leads nowhere reaches no view that counts it, so it is counted here. If the visitor has no
    access to a table, the header `X-Access` makes the phone drop its copies of the table's pages. An address
    with the full stop or the bracket that followed it in a message leads to its page.
    """
    if isinstance(exception, TableErased):
        return show_erased(request, exception.table, status=404)
    if isinstance(exception, Resolver404) and not rate_limits.NOT_FOUND.hit(
        network.client_key(request.META["REMOTE_ADDR"])
    ):
        return too_many_requests(request, rate_limits.NOT_FOUND, may_repeat=False)
    if isinstance(exception, Resolver404) and request.method == "GET":
        path = request_handling.find_shared_path(request.path)
        if path is not None:
            return redirect(path)
    if not isinstance(exception, NoAccess):
        return defaults.page_not_found(request, exception)
    response = render(request, "404.html", {"ended": exception.ended}, status=404)
    response["X-Access"] = "none"
    return response


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without a valid token with 403 and with what was typed.

    Such forms count like those with a token; beyond the limit nothing of them is repeated. The user may have
    signed in in another tab meanwhile: then the page has the form again, with a valid token, but only if the
    browser says that a page of this site sent it. `Origin: null` hides that.
    """
    if limit := exceeded_limit(request):
        return too_many_requests(request, limit, may_repeat=False)
    origin, site_origin = request.headers.get("Origin", ""), f"{request.scheme}://{request.get_host()}"
    form = db_errors.repeat_form(request) if request.POST and not request.FILES else {}
    field_values: Any = form.get("typed", [])
    is_misset = is_proxy_misconfigured(origin, site_origin)
    if is_misset:
        _warn_about_proxy(origin, site_origin)
    context = {
        "is_hidden": origin == "null",
        "is_misset": is_misset,
        "origin": origin,
        "own_origin": site_origin,
        "may_repeat": form and origin == site_origin,
        "typed": field_values,
        "seen": [
            value[: body_limits.LONGEST_FIELD]
            for name, value in field_values
            if value.strip() and TEXT_FIELDS.match(name)
        ],
        "name": users.display_name(request.user) if isinstance(request.user, User) else "",
    }
    return render(request, "403_csrf.html", context, status=403)


def is_proxy_misconfigured(origin: str, site_origin: str) -> bool:
    """Return whether a form came from this host name, but with another scheme or port than the site sees.

    Then a proxy speaks https without telling the site, or passes on the host without its port.
    """
    try:
        form_url, site_url = urlsplit(origin), urlsplit(site_origin)
    except ValueError:
        return False
    return (
        origin != site_origin
        and form_url.scheme in {"http", "https"}
        and form_url.hostname == site_url.hostname
    )


def _warn_about_proxy(origin: str, site_origin: str) -> None:
    """Log the remedy, once per process."""
    if not _PROXY_WARNING_LOGGED.is_set():
        _PROXY_WARNING_LOGGED.set()
        LOG.warning(
            "Forms from %s are refused: this site takes itself for %s. Set HTTPS=1 and TRUSTED_PROXIES, or have the "
            "proxy pass on the Host header with its port (docs/hosting.md).",
            origin,
            site_origin,
        )


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an uncaught exception with 500, or with 503 if database, disk or shared cache failed."""
    if request.path.startswith(API):
        return _problem(request, 503 if db_errors.is_database_failure(sys.exc_info()[1]) else 500)
    return db_errors.error_response(request, number=request_id())


def _problem(request: HttpRequest, status: int) -> HttpResponse:
    from games.common.api import problems  # a serverless folder has no API

    return problems.problem_response(request, status)
