"""The current table of a session: the one whose games the home page shows."""

from __future__ import annotations

from django.http import HttpRequest

from games.models import Table

CURRENT = "table"  # session variable: the code of the current table


def make_current(request: HttpRequest, table: Table) -> None:
    """Make this table the current one of the session."""
    request.session[CURRENT] = table.code


def current_code(request: HttpRequest) -> str:
    """Return the code of the current table; "" if no table was opened yet."""
    code: str = request.session.get(CURRENT, "")
    return code
