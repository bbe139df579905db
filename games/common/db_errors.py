"""Failures of the database, its disk or the shared cache, and the response to unhandled errors."""

from __future__ import annotations

import errno
import re
import sqlite3
import sys
from collections.abc import Iterable

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.translation import override

from games.common import regions

try:
    from redis.exceptions import RedisError
except ImportError:  # redis is installed only where several servers share a cache

    class RedisError(Exception):  # type: ignore[no-redef]
        """A stand-in for the exception of the package redis, which is not installed. It is never raised."""


RETRY_AFTER = 5  # seconds until a client should retry

# SQLite's codes for these failures. Errors in the SQL itself are not among them, since a retry does not help.
TRANSIENT = {
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
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}  # raised by the cache of files that counts failed sign-ins
READ_ONLY = "25006"  # PostgreSQL's code for a write to a read-only database, which is no OperationalError
PRIMARY = 0xFF  # masks the primary result code in an extended one


def is_database_failure(raised: BaseException | None) -> bool:
    """Return whether the database, its disk or the shared cache failed: full, read-only, locked or gone."""
    if isinstance(raised, RedisError):
        return True
    if isinstance(raised, OSError):
        return raised.errno in FULL
    if not isinstance(raised, (DatabaseError, InterfaceError)):
        return False
    code = getattr(raised.__cause__, "sqlite_errorcode", None)
    if code is not None:
        return code & PRIMARY in TRANSIENT
    is_read_only = getattr(raised.__cause__, "sqlstate", None) == READ_ONLY
    return is_read_only or isinstance(raised, (OperationalError, InterfaceError))


# --- the answer to an unhandled error ---------------------------------------------------------------------------------


FORMS = {"application/x-www-form-urlencoded", "multipart/form-data"}
# characters of hidden fields; the starting balances of 500 people need fewer
LONGEST_REPEATED = 60_000
TAG_LENGTH = len('<input type="hidden" name="" value="">')
PASSWORD = re.compile("password|^current$")  # the names of form fields for a password


def repeat_form(request: HttpRequest) -> dict[str, object]:
    """Return the template variables for sending a form again, without its passwords and files.

    Return {} for a request that is no form or was not read, and for a form longer than that of any page: the
    page that refuses it would be several times as long.
    """
    is_read = request.method == "POST" and hasattr(request, "_post") and request.content_type in FORMS
    if not is_read:
        return {}
    passwords = {name for name in request.POST if PASSWORD.search(name)}
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name not in {"csrfmiddlewaretoken", *passwords}
    ]
    if _repeated_length(request, [*fields, *((name, "") for name in request.FILES)]) > LONGEST_REPEATED:
        return {}
    return {
        "is_form": True,
        "typed": fields,
        "is_without_password": bool(passwords),
        "file_names": list(request.FILES),
        "csrf_token": get_token(request),
        "address": request.get_full_path(),
    }


def _repeated_length(request: HttpRequest, fields: Iterable[tuple[str, str]]) -> int:
    """Return the length of these fields in a page, without those that the form's view allows to be long."""
    long_fields = getattr(getattr(request.resolver_match, "func", None), "longest_fields", {})
    return sum(
        TAG_LENGTH + len(escape(name) + escape(value)) for name, value in fields if name not in long_fields
    )


def error_response(request: HttpRequest, *, number: str) -> HttpResponse:
    """Return the response to an unhandled error; `number` identifies the error in the log.

    It is a 503 if the database failed: a phone treats that like a missing network, keeps its unsent entries
    and retries.
    """
    passes = is_database_failure(sys.exc_info()[1])
    with override(regions.reader_language(request)):  # the language may not be set yet
        # Rendered without the request, whose context processors would query the user from the database.
        page = render_to_string(
            "503.html" if passes else "500.html", {"number": number, **repeat_form(request)}
        )
    if passes:
        return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER)})
    return HttpResponse(page, status=500)
