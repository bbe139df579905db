"""The functions that JavaScript calls to run the app in a folder without a site (`static/alone/engine.js`).

begin(names, folder, path)  # call once; `path` is the folder's path on its host, as /cards/
problems = upgrade()        # after the file of another release was written; [] if the database is sound
serve(method, path, query, headers, origin, body, kind)  # returns status, headers, content, cookies
shut()                      # call before the database file is replaced
"""

from __future__ import annotations

import os

from scorekeeper.pocket import gateway

Answer = tuple[int, list[tuple[str, str]], bytes, dict[str, str]]
shut = gateway.shut


def begin(names: dict[str, str], folder: str, path: str) -> None:
    """Set up the app with the database in `folder`, a path in the browser's virtual file system.

    `names` maps the names of static files to hashed names. `path` is the folder's path on its host.
    """
    os.environ["FOLDER"] = path
    gateway.begin(names, folder, "scorekeeper.alone.settings")


def upgrade() -> list[str]:
    """Apply the missing migrations, and return a sentence for each error that an audit of all tables finds.

    Apply none if a newer release wrote the database, and return a sentence that says so.
    """
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from games.models import Table
    from games.notebook.books.audit import check_table

    executor = MigrationExecutor(connection)
    unknown = executor.loader.applied_migrations.keys() - executor.loader.disk_migrations.keys()
    if any(app == "games" for app, _name in unknown):
        return ["A newer release wrote this database."]
    executor.migrate(executor.loader.graph.leaf_nodes())
    return [str(difference) for table in Table.objects.all() for difference in check_table(table).differences]


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

    `path` is relative to the folder. `origin` is the host's address, such as https://example.org. `kind` is
    the media type of a posted body. An empty value stands for a deleted cookie.
    """
    from django.core.handlers.wsgi import WSGIRequest

    environment = gateway.environment(method, path, query, headers, origin, body, kind)
    response = gateway.app().get_response(WSGIRequest(environment))
    cookies = {name: morsel.value for name, morsel in response.cookies.items()}
    return response.status_code, list(response.items()), b"".join(response), cookies
