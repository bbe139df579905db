"""The page into which a user pastes a link to this site, to open it."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.views.common.recording import UNPROCESSABLE

LONGEST = 500  # letters: a link and the message around it
LED_TO = (
    "invitation",
    "sign-in-link",
    "sheet",
    "board",
    "settlement",
    "lobby",
    "season",
    "accounts",
)  # the names of pages whose links people share
ADDRESS = re.compile(r"https?://\S+|/\S+", re.IGNORECASE)


@require_http_methods(["GET", "POST"])
def link(request: HttpRequest) -> HttpResponse:
    """Ask for a link, and redirect to the page that it leads to."""
    if request.method == "GET":
        return _show(request)
    pasted = request.POST.get("link", "").strip()[:LONGEST]
    address = _address_in(pasted)
    if address is None:
        return _show(request, pasted, _("That doesn't look like a link. Links start with http."))
    if address.netloc and not _is_ours(address.netloc, request):
        return _show(request, pasted, _("This link is from another site. Only links to this site open here."))
    path = _path_of(address.path)
    if path is None:
        return _show(request, pasted, _("This link is incomplete. Copy the whole link as you received it."))
    return redirect(path)


def _address_in(text: str) -> SplitResult | None:
    """Return the first address in the text; None if there is none or it is malformed."""
    match = ADDRESS.search(text)
    try:
        return urlsplit(match[0]) if match else None
    except ValueError:  # a malformed address
        return None


def _is_ours(host: str, request: HttpRequest) -> bool:
    """Return whether the host is this site: the host of the request, or one listed in ALLOWED_HOSTS."""
    named = [allowed for allowed in settings.ALLOWED_HOSTS if allowed != "*"]
    return host.lower() == request.get_host().lower() or validate_host(split_domain_port(host)[0], named)


def _path_of(path: str) -> str | None:
    """Return the canonical path of the page at `path`; None if it is no page whose links people share."""
    try:
        match = resolve(path if path.endswith("/") else f"{path}/")
    except Resolver404:
        return None
    return reverse(match.url_name, kwargs=match.kwargs) if match.url_name in LED_TO else None


def _show(request: HttpRequest, pasted: str = "", error: str = "") -> HttpResponse:
    context = {"pasted": pasted, "error": error, "longest": LONGEST}
    return render(request, "games/people/link.html", context, status=UNPROCESSABLE if error else 200)
