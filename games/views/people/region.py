"""The page of a table's region, in which its numbers, money and days are written, and of its smallest coin.

Owners change them.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.models import Table
from games.people.access import get_table_or_404
from games.people.coins import change_smallest_coin, why_coin_stays
from games.people.regions import change_region
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.region import region_choices, smallest_coins
from games.views.common.numbers import whole_number
from games.views.common.recording import UNPROCESSABLE


@require_http_methods(["GET", "HEAD", "POST"])
def region(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the regions to choose from, each with examples, and the smallest coins; on POST, change them."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method != "POST":
        return _show(request, table)
    try:
        with transaction.atomic():
            change_region(table, request.POST.get("region", ""))
            if "decimals" in request.POST:
                change_smallest_coin(table, whole_number(request.POST["decimals"], most_digits=1))
    except RuleError as refusal:
        errors = {refusal.field: translate(refusal.text)}
        return _show(request, get_table_or_404(request, table_code, for_owning=True), errors)
    return redirect("table-settings", table.code)


def _show(request: HttpRequest, table: Table, errors: Mapping[str, str] | None = None) -> HttpResponse:
    coin_stays = why_coin_stays(table)
    context = {
        "table": table,
        "choices": region_choices(table),
        "coins": () if coin_stays else smallest_coins(table),
        "coin_stays": coin_stays and translate(coin_stays),
        "errors": errors or {},
    }
    status = UNPROCESSABLE if errors else 200
    return render(request, "games/people/region.html", context, status=status)
