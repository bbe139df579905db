"""The page of an erased table, which offers its owners to restore it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.common.refused import MISSING
from games.models import Table
from games.tables.access import BeingErased


def show_erased(request: HttpRequest, table: Table, *, status: int = 200) -> HttpResponse:
    """Show until when the table can be restored, with its file."""
    return render(request, "tables/erased.html", {"table": table}, status=status)


def being_erased(request: HttpRequest, erased: BeingErased) -> HttpResponse:
    """Return the page that an owner gets at any other address of an erased table."""
    return show_erased(request, erased.table, status=MISSING)
