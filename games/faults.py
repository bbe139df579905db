"""Which errors are the storage's own: full, locked too long or gone, and nobody asked wrongly."""

from __future__ import annotations

import errno
import sqlite3

from django.db import DatabaseError, InterfaceError, OperationalError

try:
    from redis.exceptions import RedisError
except ImportError:  # it comes with the cache that several servers share

    class RedisError(Exception):  # type: ignore[no-redef]
        """Never raised."""


AGAIN_AFTER = 5  # seconds

# What SQLite calls them. An error in the SQL itself is none: that one does not pass.
PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOTADB,
}
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}  # the count of tries lies in files
PRIMARY = 0xFF  # of an extended code


def is_database_fault(raised: BaseException | None) -> bool:
    """Whether the database, its disk or the shared cache failed: full, locked too long or gone. What was asked is right."""
    if isinstance(raised, RedisError):
        return True
    if isinstance(raised, OSError):
        return raised.errno in FULL
    if not isinstance(raised, (DatabaseError, InterfaceError)):
        return False
    code = getattr(raised.__cause__, "sqlite_errorcode", None)
    if code is not None:
        return code & PRIMARY in PASSING
    return isinstance(raised, (OperationalError, InterfaceError))
