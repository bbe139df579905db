"""The page about the API: where its description is, and the meaning of each problem."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.api.common.problems import KINDS
from games.shown.common.sentences import translate


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Link the OpenAPI description and the page of tokens, and explain each problem under its code."""
    problems = [
        (kind.code, kind.status, translate(kind.title), translate(kind.detail)) for kind in KINDS.values()
    ]
    return render(request, "games/api/reference.html", {"problems": problems})
