"""The offline bundle, with which a phone runs the app: its index, its files, its worker and its first page.

The web worker runs the engine, which is the app's own Python code, in WebAssembly.
"""

from __future__ import annotations

import json

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_GET

from games.pocket import bundle
from games.views.common.files import names

FOR_GOOD = "public, max-age=31536000, immutable"
TYPES = {"mjs": "text/javascript", "wasm": "application/wasm", "json": "application/json"}
# The engine is WebAssembly and is compiled on the phone. Only its worker has the permission to do that.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "connect-src 'self' blob:",
    )
)


@require_GET
def pocket_bundle(request: HttpRequest) -> HttpResponse:
    """Return the addresses and sizes of all files of the bundle, for the phone to fetch."""
    _refuse_none()
    files = [{"address": _address(file), "size": file["size"]} for file in bundle.index().values()]
    worker, shell = (f"{reverse(name)}?{bundle.release()}" for name in ("pocket-worker", "pocket-shell"))
    pages = [reverse(name) for name in ("offline", "conflicts", "rescue")]
    ours = [worker, shell, *pages, *(static(name) for name in names())]
    index = {
        "release": bundle.release(),
        "worker": worker,
        "shell": shell,
        "files": [*files, *({"address": address, "size": 0} for address in ours)],
    }
    return JsonResponse(index)


@require_GET
def pocket_worker(request: HttpRequest) -> HttpResponse:
    """Return the script of the web worker. It starts the engine with the addresses of the release's files."""
    _refuse_none()
    index = {
        "release": bundle.release(),
        "files": {name: _address(file) for name, file in bundle.index().items()},
        "names": getattr(staticfiles_storage, "hashed_files", {}),
    }
    script = f'import {{ begin }} from "{static("pocket/engine.js")}";\nbegin({json.dumps(index)});\n'
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
    return HttpResponse(script, content_type="text/javascript", headers=headers)


@require_GET
def pocket_shell(request: HttpRequest) -> HttpResponse:
    """Return the first page of the app when it is launched without a network.

    It has no personal data, because all users of the phone see the same copy.
    """
    _refuse_none()
    index = {"release": bundle.release(), "worker": f"{reverse('pocket-worker')}?{bundle.release()}"}
    return render(request, "games/pocket/shell.html", index)


@require_GET
def pocket_file(request: HttpRequest, place: str, name: str) -> HttpResponse:
    """Return the file `name` in the bundle's folder `place`, Brotli-compressed if the browser accepts it."""
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
