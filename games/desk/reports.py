"""Reports of a table to the operator, by a user with access to it or by anybody with an invitation."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games.desk.forms import ReportForm
from games.locks import lock
from games.models import MOST_REPORTS, Report, Table
from games.network import client_key
from games.people.access import table_open_to
from games.people.invitations import WRONG, find_invite
from games.people.tries import Tries
from games.views.common.links import not_indexed, too_many
from games.views.common.recording import TOO_MANY, UNPROCESSABLE

SENT = Tries("report", most=5, window=60 * 60, is_listed=False)  # five an hour from each client address


class TooManyReports(Exception):
    """Raised when the table already has the largest allowed number of open reports."""


@transaction.atomic
def report(table: Table, text: str, *, is_invited: bool) -> None:
    """Store a report of a table. Raise TooManyReports if too many of them are open.

    `is_invited` is True if its sender has an invitation instead of access to the table.
    """
    lock(table)
    if table.reports.filter(closed_at=None).count() >= MOST_REPORTS:
        raise TooManyReports
    Report.objects.create(table=table, text=text, is_invited=is_invited)


@require_http_methods(["GET", "HEAD", "POST"])
def report_table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the form for a report to somebody with access to the table, and store the report."""
    _refuse_without_contact()
    return _take(request, table_open_to(request, table_code)[0], is_invited=False)


@require_http_methods(["GET", "HEAD", "POST"])
def report_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the form for a report to somebody with an invitation, and store the report."""
    _refuse_without_contact()
    invite = find_invite(token, request.user if isinstance(request.user, User) else None)
    if invite is None:
        if WRONG.take(client_key(request.META["REMOTE_ADDR"])):
            raise Http404
        return too_many(request, WRONG)
    return _take(request, invite.table, is_invited=True)


def _refuse_without_contact() -> None:
    if not settings.OPERATOR_CONTACT:
        raise Http404


def _take(request: HttpRequest, table: Table, *, is_invited: bool) -> HttpResponse:
    form = ReportForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _show(request, table, form, status=UNPROCESSABLE if form.errors else 200)
    if not SENT.take(client_key(request.META["REMOTE_ADDR"])):
        return _show(request, table, form, minutes=SENT.minutes, status=TOO_MANY)
    try:
        report(table, form.cleaned_data["text"], is_invited=is_invited)
    except TooManyReports:
        return _show(request, table, form, is_full=True, status=TOO_MANY)
    return _show(request, table, form, is_done=True)


def _show(
    request: HttpRequest, table: Table, form: ReportForm, *, status: int = 200, **outcome: object
) -> HttpResponse:
    context = {"table": table, "form": form, "contact": settings.OPERATOR_CONTACT, **outcome}
    return not_indexed(render(request, "desk/report.html", context, status=status))
