"""A connection that notices when its file was replaced, and never creates an empty one for a lost one."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from django.db.backends.sqlite3 import base

from games.management.marker import is_marked


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection as long-lived as its thread: opening one for each request would recreate the WAL file."""

    file_id: tuple[int, int] | None = None  # the file this connection writes into

    def get_connection_params(self) -> dict[str, Any]:
        """Require the file to exist if a database was created here once.

        Otherwise SQLite would create an empty one, and lose what is in the lost one's WAL file.
        """
        params: dict[str, Any] = super().get_connection_params()
        if is_marked() and not self.is_in_memory_db():
            params["database"] = f"file:{quote(str(params['database']))}?mode=rw"
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the connection and remember its file."""
        connection = super().get_new_connection(conn_params)
        self.file_id = self._file_id_now()
        return connection

    def is_usable(self) -> bool:
        """Return whether the connection's file is still the database's file; checked once a request.

        After a restore under a running server, or a disk that was gone, the open file is one that nobody sees
        any more.
        """
        return self.file_id == self._file_id_now()

    def _file_id_now(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.settings_dict["NAME"])
        except OSError:
            return None
        return status.st_dev, status.st_ino
