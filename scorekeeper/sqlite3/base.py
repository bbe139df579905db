"""A connection that notices when its file was moved away, and never puts an empty one in the place of a lost one."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from django.db.backends.sqlite3 import base

from games.management.marker import is_marked


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection lives as long as its thread: opening one anew for each request would make and unlink the log of writes."""

    opened: tuple[int, int] | None = None  # the file this connection writes into

    def get_connection_params(self) -> dict[str, Any]:
        """Where a database was made once, opening it must find it: an empty one would take what lies in its log."""
        params: dict[str, Any] = super().get_connection_params()
        if is_marked() and not self.is_in_memory_db():
            params["database"] = f"file:{quote(str(params['database']))}?mode=rw"
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """The connection, which remembers its file."""
        connection = super().get_new_connection(conn_params)
        self.opened = self._there()
        return connection

    def is_usable(self) -> bool:
        """Whether what is written would still be found; asked once a request.

        A file that is restored under a running server, or a disk that was gone, leaves open what nobody sees any more.
        """
        return self.opened == self._there()

    def _there(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.settings_dict["NAME"])
        except OSError:
            return None
        return found.st_dev, found.st_ino
