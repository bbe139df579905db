"""What is answered where something broke: 503 while the database is full, locked or gone, else the page for faults."""

from __future__ import annotations

import sqlite3
import sys

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

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
PRIMARY = 0xFF  # of an extended code


def is_database_fault(raised: BaseException | None) -> bool:
    """Whether the database itself failed, full, locked too long or gone, and nothing is wrong with what was asked."""
    if not isinstance(raised, (DatabaseError, InterfaceError)):
        return False
    code = getattr(raised.__cause__, "sqlite_errorcode", None)
    if code is not None:
        return code & PRIMARY in PASSING
    return isinstance(raised, (OperationalError, InterfaceError))


def broken(request: HttpRequest) -> HttpResponse:
    """The answer to an error nobody caught. A phone takes 503 as if there were no network: it keeps, and tries again."""
    if not is_database_fault(sys.exc_info()[1]):
        return server_error(request)
    page = render_to_string("503.html")  # without the request, which would ask the database who this is
    return HttpResponse(page, status=503, headers={"Retry-After": str(AGAIN_AFTER)})
