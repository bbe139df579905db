"""The app on a home screen: its manifest, its service worker, and the page shown where there is no network."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

REVALIDATE = "no-cache"
FILES = ("*.css", "*.js", "favicon.svg")
HTMX = "django_htmx/htmx-2.min.js"
PAPER = "#faf6ec"


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:
    """What a phone needs to know to put the app among its own."""
    return JsonResponse(
        {
            "id": "/",
            "start_url": reverse("home"),
            "scope": "/",
            "display": "standalone",
            "lang": get_language(),
            "name": _("Scorekeeper"),
            "short_name": _("Scorekeeper"),
            "description": _("Keeps the score of card games played among friends, and says who pays whom."),
            "categories": ["games", "utilities"],
            "background_color": PAPER,
            "theme_color": PAPER,
            "icons": [
                _icon("favicon.svg", "any", "image/svg+xml"),
                _icon("icons/192.png", "192x192"),
                _icon("icons/512.png", "512x512"),
                _icon("icons/maskable.png", "512x512", purpose="maskable"),
            ],
        },
        content_type="application/manifest+json",
        headers={"Cache-Control": REVALIDATE},
        json_dumps_params={"ensure_ascii": False},
    )


def _icon(name: str, sizes: str, kind: str = "image/png", *, purpose: str = "any") -> dict[str, str]:
    return {"src": static(name), "sizes": sizes, "type": kind, "purpose": purpose}


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker: which files belong to this release, then the scripts that do the work."""
    offline = reverse("offline")
    files = [static(name) for name in _names()]
    # The page for dead spots changes with the release too, and its address does not say so.
    shown = sha256("\n".join([*files, render_to_string("games/offline/offline.html")]).encode()).hexdigest()[
        :12
    ]
    script = (
        f'const RELEASE = "{shown}", OFFLINE = "{offline}", FILES = {json.dumps(files)};\n'
        f'importScripts("{static("offline/queue.js")}", "{static("offline/worker.js")}");\n'
    )
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": REVALIDATE})


@cache
def _names() -> tuple[str, ...]:
    """The styles and scripts any page may ask for."""
    folder = Path(settings.BASE_DIR) / "static"
    own = {path.relative_to(folder).as_posix() for form in FILES for path in folder.rglob(form)}
    return (*sorted(own - getattr(staticfiles_storage, "parts", frozenset)()), HTMX)


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """What is shown instead of a page this phone has never seen; nobody's, since every person on it sees it."""
    return HttpResponse(render_to_string("games/offline/offline.html"))
