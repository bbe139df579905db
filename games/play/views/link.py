"""Opening a pasted link to this site."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common import context_processors, request_handling
from games.play.views.home import show_home

URL_PATTERN = re.compile(r"https?://\S+|/\S+", re.IGNORECASE)


@require_POST
def link(request: HttpRequest) -> HttpResponse:
    """Redirect to the page that a pasted link leads to."""
    pasted = request.POST.get("link", "").strip()[: context_processors.LENGTHS["link"]]
    address = _find_url(pasted)
    path = address and request_handling.find_shared_path(address.path)
    if address is None:
        error = _("That doesn't look like a link. Links start with http.")
    elif address.netloc and not _is_this_site(address.netloc, request):
        error = _("This link is from another site. Only links to this site open here.")
    elif path is None:
        error = _("This link is incomplete. Copy the whole link as you received it.")
    else:
        return redirect(path)
    return show_home(request, pasted=pasted, link_error=error)


def _find_url(text: str) -> SplitResult | None:
    """Return the first address in the text; None if there is none or it is malformed."""
    match = URL_PATTERN.search(text)
    try:
        return urlsplit(match[0]) if match else None
    except ValueError:  # a malformed address
        return None


def _is_this_site(host: str, request: HttpRequest) -> bool:
    """Return whether the host is this site: the host of the request, or one listed in ALLOWED_HOSTS."""
    named = [allowed for allowed in settings.ALLOWED_HOSTS if allowed != "*"]
    return host.lower() == request.get_host().lower() or validate_host(split_domain_port(host)[0], named)
