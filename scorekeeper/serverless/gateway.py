"""The functions that JavaScript calls to run the app in a serverless folder (`scripts/serverless/engine.js`).

begin(names, folder, path)  # call once; `path` is the folder's path on its host, as /cards/
problems = upgrade("es, en")  # after the files of another release were written; [] if the database is sound
serve(method, path, query, headers, origin, body, kind)  # returns status, headers, content, cookies
close()                     # call before the database file is replaced
"""

from __future__ import annotations

import io
import os
import sys
import types
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # Django is only imported once `begin` has set its environment
    from django.core.handlers.wsgi import WSGIHandler

Answer = tuple[int, list[tuple[str, str]], bytes, dict[str, str]]
PLACEHOLDER_SETTINGS = {
    "ALLOWED_HOSTS": "*",
    "SECRET_KEY": "nobody signs anything on a phone, nor reads it here",
}


def begin(names: dict[str, str], folder: str, path: str) -> None:
    """Set up the app with the database in `folder`, a path in the browser's virtual file system.

    `names` maps the names of static files to hashed names. `path` is the folder's path on its host.
    """
    stub = types.ModuleType("fcntl")  # missing in a browser, where no other process needs locks
    stub.__dict__.update(flock=lambda *_args: None, LOCK_EX=2, LOCK_SH=1, LOCK_UN=8, LOCK_NB=4)
    sys.modules.setdefault("fcntl", stub)
    os.environ |= {
        **PLACEHOLDER_SETTINGS,
        "DJANGO_SETTINGS_MODULE": "scorekeeper.serverless.settings",
        "DATA_DIR": folder,
        "ANOTADOR_ENV": "",
        "FOLDER": path,
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",  # Python runs inside the browser's event loop
    }
    import django

    django.setup()
    from scorekeeper.serverless.storage import ManifestUrlStorage

    ManifestUrlStorage.hashed_names = names


def upgrade(languages: str) -> list[str]:
    """Migrate the database of another release, and audit all tables. Return a sentence for each error.

    If a newer version of the app made the database, return a sentence that says so, and change nothing.
    `languages` are the browser's, as in the header Accept-Language.
    """
    from django.core.handlers.wsgi import WSGIRequest
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor
    from django.db.migrations.recorder import MigrationRecorder
    from django.utils.translation import get_language_from_request, gettext, override

    from games.common import schema_version
    from games.files.services import audit
    from games.models import Table

    known = MigrationRecorder(connection).applied_migrations()
    if schema_version.is_foreign_database({name for app, name in known if app == "games"}):
        request = WSGIRequest(_environment("GET", "/", "", {"accept-language": languages}, "", b"", ""))
        with override(get_language_from_request(request)):
            return [gettext("These tables are from a newer version.")]
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    return [
        str(difference)
        for table in Table.objects.all()
        for difference in audit.check_table(table).differences
    ]


def serve(
    method: str,
    path: str,
    query: str,
    headers: dict[str, str],
    origin: str,
    body: bytes = b"",
    kind: str = "",
) -> Answer:
    """Return the response as a tuple: status, headers, content, and the values of its cookies by name.

    `path` is relative to the folder. `origin` is the host's, such as https://example.org. `kind` is the media
    type of a posted body. A deleted cookie has an empty value.
    """
    from django.core.handlers.wsgi import WSGIRequest

    environment = _environment(method, path, query, headers, origin, body, kind)
    response = _app().get_response(WSGIRequest(environment))
    cookies = {name: morsel.value for name, morsel in response.cookies.items()}
    return response.status_code, list(response.items()), b"".join(response), cookies


def close() -> None:
    from django.db import connection

    connection.close()


@cache
def _app() -> WSGIHandler:
    from django.core.handlers.wsgi import WSGIHandler

    return WSGIHandler()


def _environment(
    method: str, path: str, query: str, headers: dict[str, str], origin: str, body: bytes, kind: str
) -> dict[str, Any]:
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
