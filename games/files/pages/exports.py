"""Exports: a table as a file or as spreadsheets."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.files.pages.spreadsheets import SPREADSHEETS, write_lines
from games.files.writing import write_table
from games.models import Table
from games.tables.access import BeingErased, accounts_for

JSON, CSV = "application/json", "text/csv; charset=utf-8"


@require_GET
def download(request: HttpRequest, table_code: str, what: str) -> HttpResponseBase:
    """Send the export named `what`: the table as JSON, or one of the spreadsheets."""
    try:
        table, _role = accounts_for(request.user, table_code)
    except BeingErased as erased:  # its owner may still export it
        table = erased.table
    if what == "table":
        return _named(HttpResponse(write_table(table), content_type=JSON), f"{_called(table)}.json")
    if what not in SPREADSHEETS:
        raise Http404
    response = StreamingHttpResponse(write_lines(what, table), content_type=CSV)
    title = {"results": _("Results"), "payments": _("Payments"), "entries": _("Entries")}[what]
    return _named(response, f"{_called(table)}-{slugify(title)}.csv")


def _called(table: Table) -> str:
    """Return a file name for the table's exports that is valid on every operating system."""
    return slugify(table.name) or table.code


def _named(response: HttpResponseBase, name: str) -> HttpResponseBase:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
