"""The app on a home screen: its manifest, its service worker, and the page shown without a network."""

from __future__ import annotations

import json
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common import context_processors, naming

REVALIDATE = "no-cache"
CLOTH = "#103a2d"
HTMX = "django_htmx/htmx-2.min.js"
# What pages load. The service worker fetches it in one go, so that a night goes on without a network.
FILES = (
    *(HTMX, "favicon.svg", "head.js", "app.js", "money/picture.js"),
    *("app.css", "sheet.css", "desk.css", "books.css", "play/home.css", "play/door.css", "play/board.css"),
    *("play/rules.css", "money/result.css", "files/bring.css", "tables/people.css"),
)


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest, which lets a phone install the app."""
    return JsonResponse(
        {
            "id": "/",
            "start_url": reverse("home"),
            "scope": "/",
            "display": "standalone",
            "lang": get_language(),
            "name": naming.APP_NAME,
            "short_name": naming.APP_NAME,
            "description": _("Keeps score of your card games and works out who pays whom."),
            "categories": ["games", "utilities"],
            "background_color": CLOTH,
            "theme_color": CLOTH,
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


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script: a list of this release's files, then the script that uses it."""
    files = [static(name) for name in FILES]
    # The offline page keeps its address when its content changes, so its content is hashed too. Otherwise a
    # phone would keep an old page.
    release_content = "\n".join([*files, _offline_page(request)])
    constants = {
        "RELEASE": sha256(release_content.encode()).hexdigest()[:12],
        "OFFLINE": reverse("offline"),
        "FILES": files,
    }
    known = ", ".join(f"{name} = {json.dumps(value)}" for name, value in constants.items())
    script = f'const {known};\nimportScripts("{static("worker.js")}");\n'
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": REVALIDATE})


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that a phone without a network displays for pages that it has not stored.

    The page has no personal data, because all users of the phone see the same copy.
    """
    return HttpResponse(_offline_page(request))


def _offline_page(request: HttpRequest) -> str:
    return render_to_string("offline/offline.html", context_processors.solo(request))
