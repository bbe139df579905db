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
from django.views.decorators.http import require_GET

from games.pocket import bundle
from games.views.common.files import names

REVALIDATE = "no-cache"
POCKET = "pocket/"  # these files are only for phones that install the offline bundle
CARRYING = (
    "pocket/box.js",
    "pocket/sending.js",
    "pocket/handing.js",
)  # scripts that the service worker needs with the offline bundle
PAPER = "#faf6ec"


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest, with which a phone installs the app."""
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
    """Return the service worker: the files of this release, then the scripts that do the work."""
    offline = reverse("offline")
    files = [static(name) for name in names() if not name.startswith(POCKET)]
    # The release includes the offline page, whose address does not change with its content.
    shown = sha256("\n".join([*files, render_to_string("games/offline/offline.html")]).encode()).hexdigest()[
        :12
    ]
    scripts = ["offline/queue.js", *(CARRYING if bundle.is_there() else ()), "offline/worker.js"]
    addresses = ", ".join(f'"{static(name)}"' for name in scripts)
    script = (
        f'const RELEASE = "{shown}", OFFLINE = "{offline}", FILES = {json.dumps(files)};\n'
        f"importScripts({addresses});\n"
    )
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": REVALIDATE})


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that replaces a page not stored on this phone, without a network.

    The page has no personal data, because all users of the phone see the same copy.
    """
    return HttpResponse(render_to_string("games/offline/offline.html"))
