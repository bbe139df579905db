"""Distinguish failures of the database, its disk or the shared cache from errors in a query."""

from __future__ import annotations

import errno
import sqlite3

from django.db import DatabaseError, InterfaceError, OperationalError

try:
    from redis.exceptions import RedisError
except ImportError:  # redis is installed only where several servers share a cache

    class RedisError(Exception):  # type: ignore[no-redef]
        """A stand-in for the exception of the package redis, which is not installed. It is never raised."""


AGAIN_AFTER = 5  # seconds until a client should retry

# SQLite's codes for these failures. An error in the SQL itself is not among them: no retry helps there.
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
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}  # raised by the files in which failed sign-ins are counted
PRIMARY = 0xFF  # masks the primary result code in an extended one


def is_database_fault(raised: BaseException | None) -> bool:
    """Return whether the database, its disk or the shared cache failed: full, locked too long or gone."""
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
