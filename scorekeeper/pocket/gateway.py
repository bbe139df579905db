"""What the engine on a phone calls: the app begun over one person's copy, and asked for a page, or given a form.

begin(names)                        # once; the names of the static files
whose = unpack(copy, facts)         # an empty database becomes this copy's, with what was done since
hold(whose)                         # or it was made before and lies there already
serve("GET", path, query, headers)  # status, headers, content; None where that needs a network
unsent()                            # what the site has not heard of
shut()                              # before another file takes the database's place
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
FORM = "application/x-www-form-urlencoded"
UNKNOWN = (403, 404, 405)  # what the copy does not have, or not so: whether that is so the site says
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


def unpack(copy: str, facts: str = "[]") -> str:
    """Fills the empty database with a copy and what was done since; returns what `hold` needs to open it the next time."""
    from games.pocket.unsent import rebuild, seen_of

    data = json.loads(copy)
    return json.dumps([rebuild(data, json.loads(facts)).pk, data["person"], seen_of(data)])


def hold(whose: str) -> None:
    """Has every page asked for by the person whose copy, with what was done since, lies in the database."""
    from django.contrib.auth.models import User

    from scorekeeper.pocket.person import OnePersonMiddleware as Person

    key, Person.mark, Person.seen = json.loads(whose)
    Person.user = User.objects.get(pk=key)


def serve(
    method: str, path: str, query: str, headers: dict[str, str], origin: str, body: str = ""
) -> Answer | None:
    """A page as the site would answer it; None where that needs a network.

    So does a form of what the copy does not have, or not as far as the form's own page had it: the page came from the
    site after the copy did.
    """
    from django.core.handlers.wsgi import WSGIRequest
    from django.urls import Resolver404, resolve

    from games.pocket.rooms import READ, WRITE

    try:
        room = resolve(path)
    except Resolver404:
        return None
    is_form = method == "POST"
    if room.url_name not in (WRITE if is_form else READ | WRITE):
        return None
    request = WSGIRequest(_environment(method, path, query, headers, origin, body))
    if is_form and _is_behind(request.POST.get("after", ""), room.kwargs.get("code")):
        return None
    response = _app().get_response(request)
    if is_form and response.status_code in UNKNOWN:
        return None
    return response.status_code, list(response.items()), b"".join(response)


def _is_behind(after: str, code: str | None) -> bool:
    """Whether the form's page had more of its game than there is here."""
    from games.models import Record

    seen = int(after) if after.isascii() and after.isdigit() else 0
    return code is not None and Record.objects.filter(game__code=code).count() < seen


def unsent() -> str:
    """What the site has not heard of, as JSON: the facts, and where the addresses begin of their tables."""
    from games.pocket.unsent import unsent
    from scorekeeper.pocket.person import OnePersonMiddleware as Person

    return json.dumps(unsent(Person.seen))


def shut() -> None:
    """Lets go of the database's file."""
    from django.db import connection

    connection.close()


@cache
def _app() -> WSGIHandler:
    from django.core.handlers.wsgi import WSGIHandler

    return WSGIHandler()


def _environment(
    method: str, path: str, query: str, headers: dict[str, str], origin: str, body: str
) -> dict[str, Any]:
    scheme, _, host = origin.partition("://")
    content = body.encode()
    return {
        "REQUEST_METHOD": method,
        "CONTENT_TYPE": FORM if method == "POST" else "",
        "CONTENT_LENGTH": str(len(content)),
        "SCRIPT_NAME": "",
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": host.partition(":")[0],
        "SERVER_PORT": host.partition(":")[2] or "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": host,
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": scheme,
        "wsgi.input": io.BytesIO(content),
        "wsgi.errors": sys.stderr,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
