"""The functions that JavaScript (static/pocket/) calls to run the app on a copy of one user's data.

begin(names, folder)                # call once; `names` are the hashed names of the static files
whose = unpack(copy, facts)         # fills the empty database with a copy and the unsent facts
hold(whose)                         # uses a database that was filled now or earlier
serve("GET", path, query, headers, origin)  # returns status, headers, content; None if a network is needed
unsent()                            # returns the facts to send
shut()                              # call before the database file is replaced

A fact is a change that was made on the phone and that the site does not have yet.
"""

from __future__ import annotations

import io
import json
import os
import sys
import types
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Django is only imported once `begin` has set its environment
    from django.core.handlers.wsgi import WSGIHandler

Answer = tuple[int, list[tuple[str, str]], bytes]
FORM = "application/x-www-form-urlencoded"
UNKNOWN = (403, 404, 405)  # statuses of pages that the copy lacks, or that only the site may answer
OF_NOBODY = {
    "ALLOWED_HOSTS": "*",
    "SECRET_KEY": "nobody signs anything on a phone, nor reads it here",
}


def begin(names: dict[str, str], folder: str, settings: str = "scorekeeper.pocket.settings") -> None:
    """Set up the app with the database in `folder`, a path in the browser's virtual file system.

    `names` maps the names of static files to hashed names. `settings` is the module with Django's settings.
    """
    stub = types.ModuleType("fcntl")  # missing in a browser, where no other process needs locks
    stub.__dict__.update(flock=lambda *_held: None, LOCK_EX=2, LOCK_SH=1, LOCK_UN=8, LOCK_NB=4)
    sys.modules.setdefault("fcntl", stub)
    os.environ |= {
        **OF_NOBODY,
        "DJANGO_SETTINGS_MODULE": settings,
        "DATA_DIR": folder,
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",  # Python runs inside the browser's event loop
    }
    import django

    django.setup()
    from scorekeeper.pocket.storage import NamedStorage

    NamedStorage.named = names


def unpack(copy: str, facts: str = "[]") -> str:
    """Fill the empty database with the data in `copy` and the unsent facts, both JSON.

    Return the argument for `hold` as a JSON list: the user's primary key, their opaque identifier, and the
    part of the copy that shows which rows are newer than the copy.
    """
    from games.pocket.unsent import rebuild, seen_of
    from games.views.pocket.typed import READERS

    data = json.loads(copy)
    return json.dumps([rebuild(data, json.loads(facts), READERS).pk, data["person"], seen_of(data)])


def hold(whose: str) -> None:
    """Serve the next requests from the database, as the user of the copy; `unpack` returned `whose`."""
    from django.contrib.auth.models import User

    from scorekeeper.pocket.person import OnePersonMiddleware as Person

    key, Person.mark, Person.seen = json.loads(whose)
    Person.user = User.objects.get(pk=key)


def serve(
    method: str, path: str, query: str, headers: dict[str, str], origin: str, body: str = ""
) -> Answer | None:
    """Return the response that the site would send; None if only the site can answer, over a network.

    A page needs a network if the app on a phone does not have it. A posted form needs a network if its game
    is not in the copy, or if the page with the form showed newer events than the copy has. `origin` is the
    site's address, such as https://example.org.
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
    request = WSGIRequest(environment(method, path, query, headers, origin, body.encode()))
    if is_form and _is_behind(request.POST.get("after", ""), room.kwargs.get("code")):
        return None
    response = app().get_response(request)
    if is_form and response.status_code in UNKNOWN:
        return None
    return response.status_code, list(response.items()), b"".join(response)


def _is_behind(after: str, code: str | None) -> bool:
    """Return whether the page with the form showed more events of its game than the database has.

    `after` is the form's field with the number of the last event shown. `code` is the game's code in the URL;
    None if the URL has no code.
    """
    from games.models import Record

    seen = int(after) if after.isascii() and after.isdigit() else 0
    return code is not None and Record.objects.filter(game__code=code).count() < seen


def unsent() -> str:
    """Return the facts to send and the URL prefixes of the tables and games that they change, as JSON."""
    from games.pocket.unsent import unsent
    from scorekeeper.pocket.person import OnePersonMiddleware as Person

    return json.dumps(unsent(Person.seen))


def shut() -> None:
    """Close the database file."""
    from django.db import connection

    connection.close()


@cache
def app() -> WSGIHandler:
    """Return Django's WSGI handler, created once."""
    from django.core.handlers.wsgi import WSGIHandler

    return WSGIHandler()


def environment(
    method: str,
    path: str,
    query: str,
    headers: dict[str, str],
    origin: str,
    body: bytes,
    kind: str = FORM,
) -> dict[str, Any]:
    """Return the WSGI environment of a request.

    `origin` is the site's address, such as https://example.org. `kind` is the media type of a posted body.
    """
    scheme, _, host = origin.partition("://")
    return {
        "REQUEST_METHOD": method,
        "CONTENT_TYPE": kind if method == "POST" else "",
        "CONTENT_LENGTH": str(len(body)),
        "SCRIPT_NAME": "",
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": host.partition(":")[0],
        "SERVER_PORT": host.partition(":")[2] or "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": host,
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
