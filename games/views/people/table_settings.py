"""The settings of a table: who has access, and for owners its name, clock, region and habit.

They are not needed during a night, so they have a page of their own.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_POST

from games.models import Member, Role, Table
from games.money.spot import set_habit
from games.people.access import WRITERS, Visitor, get_table_or_404, role_at
from games.people.invitations import only_ways_in
from games.people.members import rename_table
from games.scoring.errors import RuleError
from games.shown.common.days import clock
from games.shown.common.sentences import translate
from games.shown.people.clock import place_of
from games.shown.people.invites import new_phones, role_in_words, who_left
from games.shown.people.region import region_shown
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE


@require_GET
def table_settings(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show who has access and what can be done with the table; owners also change its name here."""
    return _show(request, get_table_or_404(request, table_code))


@require_POST
def rename(request: HttpRequest, table_code: str) -> HttpResponse:
    """Rename the table."""
    table = get_table_or_404(request, table_code, for_owning=True)
    try:
        rename_table(table, request.POST.get("table-name", ""))
    except RuleError as refusal:
        return _show(request, table, translate(refusal.text))
    return redirect("table", table.code)


@require_POST
def habit(request: HttpRequest, table_code: str) -> HttpResponse:
    """Set whether the table's games are paid on the spot."""
    table = get_table_or_404(request, table_code, for_owning=True)
    set_habit(table, pays_on_the_spot="on-the-spot" in request.POST)
    return redirect("table-settings", table.code)


def _show(request: HttpRequest, table: Table, error: str = "") -> HttpResponse:
    me = user_of(request)
    role = role_at(me, table)
    may_see_accounts = Visitor(me).sees_accounts(table, role)
    context = {
        "table": table,
        "owns": role is Role.OWNER,
        "may_write": role in WRITERS,
        "may_see_accounts": may_see_accounts,
        "table_name": request.POST.get("table-name", table.name),
        "error": error,
        **_access(table, me),
        **(_owned(table) if role is Role.OWNER else {}),
    }
    return render(
        request, "games/people/table_settings.html", context, status=UNPROCESSABLE if error else 200
    )


def _access(table: Table, me: User) -> dict[str, object]:
    """Return the template variables about who has access."""
    granted = list(table.grants.standing().present_roles())
    return {
        "roles": [(role_in_words(role), granted.count(role)) for role in Role if role in granted],
        "is_only_way_in": table.pk in only_ways_in([table], me),
        "new_phones": new_phones(table, me),
    }


def _owned(table: Table) -> dict[str, object]:
    """Return the template variables that only owners see, e.g. who left."""
    return {
        "place": place_of(table.timezone),
        "time": clock(now(), table),
        "region": region_shown(table),
        "merged": _merged(table),
        "left": who_left(table),
    }


def _merged(table: Table) -> tuple[Member, ...]:
    """Return the members who were merged into others, last merged first."""
    return tuple(
        table.members.filter(merged_into__isnull=False)
        .select_related("merged_into")
        .order_by("-merged_at", "-pk")
    )
