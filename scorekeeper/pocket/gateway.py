"""What the engine on a phone calls: the app begun over one person's copy, and asked for a page.

begin(names)                  # once; the names of the static files
mark = unpack(copy)           # an empty database becomes this copy's
hold(mark)                    # or it was made before and lies there already
serve(path, query, headers)   # status, headers, content; None where the page needs a network
"""

from __future__ import annotations

import io
import json
import os
import sys
import types
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # nothing of Django's is loaded before the app is begun
    from django.core.handlers.wsgi import WSGIHandler

Answer = tuple[int, list[tuple[str, str]], bytes]
OF_NOBODY = {
    "ALLOWED_HOSTS": "*",
    "SECRET_KEY": "nobody signs anything on a phone, nor reads it here",
}


def begin(names: dict[str, str], folder: str) -> None:
    """Sets the app up over the database in `folder`."""
    stub = types.ModuleType("fcntl")  # a browser has no such files; nobody else is here to be locked out
    stub.__dict__.update(flock=lambda *_held: None, LOCK_EX=2, LOCK_SH=1, LOCK_UN=8, LOCK_NB=4)
    sys.modules.setdefault("fcntl", stub)
    os.environ |= {
        **OF_NOBODY,
        "DJANGO_SETTINGS_MODULE": "scorekeeper.pocket.settings",
        "DATA_DIR": folder,
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",  # the loop is the browser's own
    }
    import django

    django.setup()
    from scorekeeper.pocket.storage import NamedStorage

    NamedStorage.named = names


def unpack(copy: str) -> str:
    """Fills the empty database with a copy; returns what `hold` needs to open it the next time."""
    from games.pocket.unpacking import unpack

    data = json.loads(copy)
    return json.dumps([unpack(data).pk, data["person"]])


def hold(whose: str) -> None:
    """Has every page asked for by the person whose copy lies in the database."""
    from django.contrib.auth.models import User

    from scorekeeper.pocket.person import OnePersonMiddleware as Person

    key, Person.mark = json.loads(whose)
    Person.user = User.objects.get(pk=key)


def serve(path: str, query: str, headers: dict[str, str], origin: str) -> Answer | None:
    """A page as the site would answer it; None where it is none that can be read without a network."""
    from django.core.handlers.wsgi import WSGIRequest
    from django.urls import Resolver404, resolve

    from games.pocket.rooms import READ

    try:
        if resolve(path).url_name not in READ:
            return None
    except Resolver404:
        return None
    response = _app().get_response(WSGIRequest(_environment(path, query, headers, origin)))
    return response.status_code, list(response.items()), b"".join(response)


@cache
def _app() -> WSGIHandler:
    from django.core.handlers.wsgi import WSGIHandler

    return WSGIHandler()


def _environment(path: str, query: str, headers: dict[str, str], origin: str) -> dict[str, Any]:
    scheme, _, host = origin.partition("://")
    return {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": host.partition(":")[0],
        "SERVER_PORT": host.partition(":")[2] or "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": host,
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": scheme,
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
