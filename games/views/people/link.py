"""The link somebody was sent: pasted here, it opens what it leads to, and nothing that is elsewhere."""

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

LONGEST = 500  # letters of what is pasted: a link, with the words it came in
LED_TO = (
    "invitation",
    "sheet",
    "board",
    "settlement",
    "table",
    "season",
    "accounts",
)  # what links are shared of
ADDRESS = re.compile(r"https?://\S+|/\S+", re.IGNORECASE)


@require_http_methods(["GET", "POST"])
def link(request: HttpRequest) -> HttpResponse:
    """Asks for the link, and goes where it leads."""
    if request.method == "GET":
        return _show(request)
    pasted = request.POST.get("link", "").strip()[:LONGEST]
    address = _address_in(pasted)
    if address is None:
        return _show(request, pasted, _("That is no link: it begins with http."))
    if address.netloc and not _is_ours(address.netloc, request):
        return _show(
            request, pasted, _("This link leads elsewhere; here only links of the scorekeeper open.")
        )
    path = _path_of(address.path)
    if path is None:
        return _show(request, pasted, _("This link leads nowhere: copy it whole, as it came."))
    return redirect(path)


def _address_in(text: str) -> SplitResult | None:
    """The first address in this text, None where there is none."""
    found = ADDRESS.search(text)
    try:
        return urlsplit(found[0]) if found else None
    except ValueError:  # half of an address
        return None


def _is_ours(host: str, request: HttpRequest) -> bool:
    """Whether this app answers under this host: the one that was asked, or one it is set up for by name."""
    named = [allowed for allowed in settings.ALLOWED_HOSTS if allowed != "*"]
    return host.lower() == request.get_host().lower() or validate_host(split_domain_port(host)[0], named)


def _path_of(path: str) -> str | None:
    """The address on this app of what is shared under this path, made anew; None where that is nothing."""
    try:
        found = resolve(path if path.endswith("/") else f"{path}/")
    except Resolver404:
        return None
    return reverse(found.url_name, kwargs=found.kwargs) if found.url_name in LED_TO else None


def _show(request: HttpRequest, pasted: str = "", error: str = "") -> HttpResponse:
    context = {"pasted": pasted, "error": error, "longest": LONGEST}
    return render(request, "games/people/link.html", context, status=UNPROCESSABLE if error else 200)
