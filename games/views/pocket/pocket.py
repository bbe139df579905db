"""The copy of the books that a phone takes along, for whoever is signed in on it."""

from __future__ import annotations

import json
from hashlib import sha256

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.http.response import HttpResponse
from django.shortcuts import redirect
from django.utils.cache import get_conditional_response
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from games.people.lending import loan_of
from games.pocket.copying import copy_for
from games.views.common.context import theme

KEPT = "private, no-cache"  # by who asks, and never shown without asking again


@require_GET
@gzip_page
def pocket(request: HttpRequest) -> HttpResponseBase:
    """The copy as JSON; 304 for who has it as it is, 403 on a phone that was lent, which keeps nothing of others."""
    if not isinstance(request.user, User):
        return redirect("login")
    if loan_of(request) is not None:
        raise PermissionDenied
    text = json.dumps(copy_for(request.user), separators=(",", ":"))
    mark = f'"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"ETag": mark, "Cache-Control": KEPT, "Vary": "Cookie"}
    response = HttpResponse(text, content_type="application/json", headers=headers)
    answer = get_conditional_response(request, etag=mark, response=response) or response
    answer.headers["X-Theme"] = theme(request)["theme"]  # of this phone, which tells its own pages
    return answer
