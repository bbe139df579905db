"""The settings of a table on one page: a form for owners, who has access, the copies, the way out.

The views of its other forms (`erasing.py`) show the page again when they refuse.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.common.amounts import units_offered
from games.common.sent import MISSING, UNPROCESSABLE, Refused, last_act, redirect_saying, user_of
from games.common.words import translate
from games.models import Access, Member, Role, Table
from games.scoring.errors import RuleError
from games.tables import erasing
from games.tables import tables as services
from games.tables.access import (
    BeingErased,
    Visitor,
    erased_or_open_to,
    is_only_owner,
    may_ask_from,
    table_for,
)
from games.tables.forms import SettingsForm
from games.tables.lobby import here
from games.tables.people import People, known_as
from games.tables.tables import OtherSign
from games.tables.words import sign_question


@require_POST
def erase_table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Erase the table once its name is typed. Its settings then say until when it can be restored."""
    table = erased_or_open_to(request, table_code)
    try:
        if table.erased_at is None:  # not after a repeated tap
            erasing.erase(table, name=request.POST.get("erased-name", ""), by=user_of(request))
    except RuleError as refusal:
        return show_settings(request, table, Refused(UNPROCESSABLE, {"erased-name": translate(refusal.text)}))
    return redirect("table-settings", table.code)


@require_POST
def bring_table_back(request: HttpRequest, table_code: str) -> HttpResponse:
    table = erased_or_open_to(request, table_code)
    erasing.bring_back(table, by=user_of(request))
    return redirect("lobby", table.code)


# --- the page of an erased table, which offers its owners to restore it -----------------------------------------------


def show_erased(request: HttpRequest, table: Table, *, status: int = 200) -> HttpResponse:
    """Show until when the table can be restored, with its file."""
    return render(request, "tables/erased.html", {"table": table}, status=status)


def being_erased(request: HttpRequest, erased: BeingErased) -> HttpResponse:
    """Return the page that an owner gets at any other address of an erased table."""
    return show_erased(request, erased.table, status=MISSING)


@require_GET
def table_settings(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the settings of the table; to an owner of an erased one, until when it can be restored."""
    try:
        return show_settings(request, table_for(request.user, table_code)[0])
    except BeingErased as erased:
        return show_erased(request, erased.table)


@require_POST
def change_settings(request: HttpRequest, table_code: str) -> HttpResponse:
    """Change the settings of the owners' form."""
    table = table_for(request.user, table_code, for_owning=True)[0]
    form = SettingsForm(table, sent=request.POST)
    if form.is_valid():
        try:
            services.change_settings(table, confirmed=request.POST.get("confirm", ""), **form.changes)
        except OtherSign as asked:
            form.asked = sign_question(asked)
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            return redirect_saying(request, "save", "table-settings", table.code)
    return show_settings(request, table, form=form)


def show_settings(
    request: HttpRequest,
    table: Table,
    refused: Refused | None = None,
    form: SettingsForm | None = None,
) -> HttpResponse:
    """Show the page, with the form of the settings or another one that was refused, and what was typed."""
    me = user_of(request)
    mine = here(table).get(user=me)
    role = Role(mine.role)
    owns, people = role is Role.OWNER, People.of(table)
    context = {
        "table": table,
        "owns": owns,
        "may_see_accounts": Visitor(me).sees_accounts(table, role),
        "imported": table.games.filter(discarded_at=None).count()
        if last_act(request, "imported")[0]
        else None,
        "is_saved": bool(last_act(request, "save")[0]),
        "in_charge": [(known_as(one.user, people), one.opened_on) for one in here(table).owning()],
        "may_ask_from": may_ask_from(table),
        "refused": refused and refused.beside("erased-name"),
        "errors": {name.replace("-", "_"): text for name, text in refused.errors.items()} if refused else {},
        **_way_out(request, table, mine),
        **(_settings_of(table, form or SettingsForm(table)) if owns else {}),
    }
    status = refused.status if refused else form.status if form else 200
    return render(request, "tables/table_settings.html", context, status=status)


def _way_out(request: HttpRequest, table: Table, mine: Access) -> dict[str, object]:
    """Return the template variables of leaving and erasing the table."""
    return {
        "mine": mine,
        "is_last_owner": is_only_owner(mine),
        "games": table.games.count(),
        "erased_name": request.POST.get("erased-name", ""),
    }


def _settings_of(table: Table, form: SettingsForm) -> dict[str, object]:
    """Return what only owners see: their form, and old names."""
    coin_stays = services.why_coin_stays(table)
    return {
        "form": form,
        "units": units_offered(form["unit"].value()),
        "coin_stays": coin_stays and translate(coin_stays),
        "merged": _merged(table),
    }


def _merged(table: Table) -> tuple[Member, ...]:
    """Return the members who were merged into others, last merged first."""
    return tuple(
        table.members.filter(merged_into__isnull=False)
        .select_related("merged_into")
        .order_by("-merged_at", "-pk")
    )
