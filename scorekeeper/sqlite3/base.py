"""A SQLite connection that notices if its database file was replaced, and never creates one."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from games.common import write_queue


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that lasts as long as its thread.

    Opening a connection for each request would recreate the WAL file each time.
    """

    file_id: tuple[int, int] | None = None  # device and inode of the open database file

    def get_connection_params(self) -> dict[str, Any]:
        """Return the parameters of the connection.

        SQLite may only open an existing file; `manage.py migrate` makes a new one. Otherwise any command would make
        an empty database, and in place of a lost one, whose WAL file with the newest data it would delete.
        """
        params: dict[str, Any] = super().get_connection_params()
        if not self.is_in_memory_db():
            params["database"] = f"file:{quote(str(params['database']))}?mode=rw"
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Open the connection, and remember the identity of the database file."""
        if not self.is_in_memory_db() and self._current_file_id() is None:
            raise OperationalError(f"there is no database at {self.settings_dict['NAME']}")
        connection = super().get_new_connection(conn_params)
        self.file_id = self._current_file_id()
        return connection

    def _start_transaction_under_autocommit(self) -> None:
        """Begin a transaction, which waits here for the write lock.

        Raise OperationalError if too many writers wait already.
        """
        with write_queue.reserve_place():
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs lack it

    def is_usable(self) -> bool:
        """Return whether the open file is still the database file. Django calls this once per request.

        If the database was restored under a running server, the open file is the previous one.
        """
        return self.file_id == self._current_file_id()

    def _current_file_id(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.settings_dict["NAME"])
        except OSError:
            return None
        return status.st_dev, status.st_ino
