"""The bundle a phone takes along: what is in it, its files for good, the worker that runs it, the page it begins with."""

from __future__ import annotations

import json

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from games.pocket import bundle
from games.views.common.files import names

FOR_GOOD = "public, max-age=31536000, immutable"
TYPES = {"mjs": "text/javascript", "wasm": "application/wasm", "json": "application/json"}
# What the engine is made of is compiled on the phone; only the worker it runs in may do that.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "connect-src 'self' blob:",
    )
)


@require_GET
def pocket_bundle(request: HttpRequest) -> HttpResponse:
    """What a phone has to fetch to take the app along, and how large each of it is."""
    _refuse_none()
    files = [{"address": _address(file), "size": file["size"]} for file in bundle.index().values()]
    pages = ("pocket-worker", "pocket-shell", "pocket-held")
    worker, shell, held = (f"{reverse(name)}?{bundle.release()}" for name in pages)
    ours = [worker, shell, held, reverse("offline"), *(static(name) for name in names())]
    told = {
        "release": bundle.release(),
        "worker": worker,
        "shell": shell,
        "held": held,
        "files": [*files, *({"address": address, "size": 0} for address in ours)],
    }
    return JsonResponse(told)


@require_GET
def pocket_worker(request: HttpRequest) -> HttpResponse:
    """The worker: which files its release has and what the static files are called, then the script that does the work."""
    _refuse_none()
    told = {
        "release": bundle.release(),
        "files": {name: _address(file) for name, file in bundle.index().items()},
        "names": getattr(staticfiles_storage, "hashed_files", {}),
    }
    script = f'import {{ begin }} from "{static("pocket/engine.js")}";\nbegin({json.dumps(told)});\n'
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    return HttpResponse(script, content_type="text/javascript", headers=headers)


@require_GET
def pocket_shell(request: HttpRequest) -> HttpResponse:
    """The page a launch without a network begins with; nobody's, since every person on the phone sees it."""
    _refuse_none()
    told = {"release": bundle.release(), "worker": f"{reverse('pocket-worker')}?{bundle.release()}"}
    return render(request, "games/pocket/shell.html", told)


@require_GET
def pocket_held(request: HttpRequest) -> HttpResponse:
    """The page of what the site would not do, which its script fills in from the phone; nobody's, like the shell."""
    _refuse_none()
    return HttpResponse(render_to_string("games/pocket/held.html"))


@require_GET
def pocket_file(request: HttpRequest, place: str, name: str) -> HttpResponse:
    """A file of the bundle, compressed where whoever asks can read it."""
    file = bundle.index().get(name)
    if file is None or file["place"] != place:
        raise Http404
    path = bundle.folder() / place / name
    kind = TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    headers = {"Cache-Control": FOR_GOOD}
    if "br" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "br"
        path = path.with_name(f"{name}.br")
    response = HttpResponse(path.read_bytes(), content_type=kind, headers=headers)
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _address(file: dict[str, str]) -> str:
    return reverse("pocket-file", args=[file["place"], file["name"]])


def _refuse_none() -> None:
    if not bundle.is_there():
        raise Http404
