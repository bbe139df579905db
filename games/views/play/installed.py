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

from games.names import APP_NAME
from games.pocket import bundle
from games.views.common.files import names

REVALIDATE = "no-cache"
POCKET = "pocket/"  # these files are only for phones that install the offline bundle
OF_THE_OUTBOX = ("offline/box.js", "offline/outbox.js", "offline/older.js")
CARRYING = ("pocket/handing.js",)  # scripts that the service worker needs with the offline bundle
CLOTH = "#103a2d"


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
            "name": APP_NAME,
            "short_name": APP_NAME,
            "description": _("Keeps the score of your card games and tells who pays whom."),
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


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script: a list of this release's files, then the scripts that use it."""
    pages = {"OFFLINE": "offline", "CONFLICTS": "conflicts", "RESCUE": "rescue"}
    files = [static(name) for name in names() if not name.startswith(POCKET)]
    # The addresses of these pages do not change with their content, so the release is a hash of their content
    # too: else a phone would keep an old page.
    shown = "\n".join([*files, *(render_to_string(f"games/offline/{name}.html") for name in pages.values())])
    constants = {
        "RELEASE": sha256(shown.encode()).hexdigest()[:12],
        **{constant: reverse(name) for constant, name in pages.items()},
        "FILES": files,
    }
    known = ", ".join(f"{name} = {json.dumps(value)}" for name, value in constants.items())
    scripts = [*OF_THE_OUTBOX, *(CARRYING if bundle.is_there() else ()), "offline/worker.js"]
    addresses = ", ".join(f'"{static(name)}"' for name in scripts)
    script = f"const {known};\nimportScripts({addresses});\n"
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": REVALIDATE})


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that a phone without a network shows in place of a page that it has not stored.

    The page has no personal data, because all users of the phone see the same copy.
    """
    return HttpResponse(render_to_string("games/offline/offline.html"))


@require_GET
def conflicts(request: HttpRequest) -> HttpResponse:
    """Show the page of refused facts (unsent changes), on which a person decides about each.

    A script of the page fills in the facts from the phone. The page has no personal data, because all users
    of the phone see the same copy.
    """
    return HttpResponse(render_to_string("games/offline/conflicts.html"))


@require_GET
def rescue(request: HttpRequest) -> HttpResponse:
    """Show the page that saves unsent entries as a file, and reads such a file of another phone.

    A script of the page fills it in from the phone, so it works without a network and has no personal data.
    """
    return HttpResponse(render_to_string("games/offline/rescue.html"))
