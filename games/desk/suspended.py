"""The pages shown for suspended tables and users. Their status is 503, so that phones keep unsent entries."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.models import OperatorAct, Role
from games.people.lending import loan_of
from games.people.suspension import TableSuspended, acts_told
from games.views.common.recording import as_suspended


def table_suspended(request: HttpRequest, suspended: TableSuspended) -> HttpResponse:
    """Return the page that says since when the table is suspended and whom to ask; for owners also why."""
    table = suspended.table
    is_owner = suspended.role is Role.OWNER
    context = {"table": table, "since": table.suspended_at, "acts": acts_told(table)[:1] if is_owner else ()}
    return _answer(request, context)


def user_suspended(request: HttpRequest, act: OperatorAct) -> HttpResponse:
    """Return the page that says since when and why the user of this phone is suspended, and whom to ask.

    If the phone was lent to this user, the page has a button that gives it back to the lender.
    """
    is_lent = loan_of(request) is not None
    return _answer(request, {"since": act.made_at, "acts": [act], "is_lent": is_lent})


def _answer(request: HttpRequest, context: Mapping[str, object]) -> HttpResponse:
    context = {**context, "contact": settings.OPERATOR_CONTACT}
    return as_suspended(render(request, "desk/suspended.html", context))
