"""The settings of a table: a list of rows. Each leads to a page with one setting or one part."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from games.common import amounts, naming, request_handling, texts
from games.models import Member, Role, Table
from games.scoring.errors import RuleError
from games.tables.forms import SETTINGS, SettingsForm
from games.tables.presenters import table_options
from games.tables.services import authorization, erasure, lobby, setup, takeovers, users
from games.tables.services.authorization import TableErased
from games.tables.services.roster import People
from games.tables.services.setup import CurrencyChange

# The titles of the parts without a setting, by their name in the URL.
PARTS = {
    "copies": gettext_lazy("The table's file"),
    "merged": gettext_lazy("Merged names"),
    "in-charge": gettext_lazy("Owners"),
    "leave": gettext_lazy("Leave the table"),
}


@request_handling.require_form
def erase_table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Erase the table once its name is typed. Its settings then say until when it can be restored."""
    table = authorization.get_table_or_erased(request, table_code)
    refusal = None
    if request.method == "POST":
        try:
            if table.erased_at is None:  # otherwise a repeated tap
                erasure.erase(
                    table, name=request.POST.get("erased-name", ""), by=request_handling.current_user(request)
                )
        except RuleError as refused:
            refusal = texts.translate(refused.text)
    if table.erased_at is not None or (request.method == "POST" and refusal is None):
        return redirect("table-settings", table.code)
    context = {
        "table": table,
        "error": refusal,
        "games": table.games.count(),
        "erased_name": request.POST.get("erased-name", ""),
    }
    return render(
        request, "tables/erase.html", context, status=request_handling.UNPROCESSABLE if refusal else 200
    )


@require_POST
def bring_table_back(request: HttpRequest, table_code: str) -> HttpResponse:
    table = authorization.get_table_or_erased(request, table_code)
    erasure.restore(table, by=request_handling.current_user(request))
    return redirect("lobby", table.code)


# --- the page of an erased table, which offers its owners to restore it -----------------------------------------------


def show_erased(request: HttpRequest, table: Table, *, status: int = 200) -> HttpResponse:
    """Show an owner until when the table can be restored; at any other address of the table with a 404."""
    return render(request, "tables/erased.html", {"table": table}, status=status)


@require_safe
def table_settings(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the settings of the table. If it is erased, show an owner until when it can be restored."""
    try:
        return _show_settings(request, authorization.get_table(request.user, table_code)[0])
    except TableErased as erased:
        return show_erased(request, erased.table)


@request_handling.require_form
def change_settings(request: HttpRequest, table_code: str, setting: str) -> HttpResponse:
    """Show the form of one setting to an owner, or save it."""
    table = authorization.get_table(request.user, table_code, for_owning=True)[0]
    if setting not in SETTINGS:
        raise Http404
    form = SettingsForm(table, setting, data=request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            setup.change_settings(table, confirmed=request.POST.get("confirm", ""), **form.changes)
        except CurrencyChange as asked:
            form.question = table_options.sign_question(asked)
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            return request_handling.redirect_with_notice(request, "save", "table-settings", table.code)
    context = {"table": table, "form": form, "setting": setting}
    if setting == "money":
        coin_stays = setup.decimals_locked_reason(table)
        context["units"] = amounts.offered_units(form["unit"].value())
        context["coin_stays"] = coin_stays and texts.translate(coin_stays)
    return render(request, "tables/setting.html", context, status=form.status)


@require_safe
def table_part(request: HttpRequest, table_code: str, part: str) -> HttpResponse:
    """Show a part of the settings: the file, merged names, the owners, or leaving the table."""
    reader_context = _reader_context(request, authorization.get_table(request.user, table_code)[0])
    is_open = {"copies": reader_context["may_see_accounts"], "merged": reader_context["merged"]}.get(
        part, True
    )
    if part not in PARTS or not is_open:
        raise Http404
    return render(request, "tables/part.html", {**reader_context, "part": part, "title": PARTS[part]})


def _show_settings(request: HttpRequest, table: Table) -> HttpResponse:
    reader_context = _reader_context(request, table)
    imported = (
        table.games.filter(discarded_at=None).count()
        if request_handling.pop_notice(request, "imported")[0]
        else None
    )
    context = {
        **reader_context,
        "imported": imported,
        "is_saved": bool(request_handling.pop_notice(request, "save")[0]),
        "settings": _settings_items(table) if reader_context["owns"] else (),
        "owners": ", ".join(naming.isolate(name) for name, _day in reader_context["in_charge"] if name),
    }
    return render(request, "tables/table_settings.html", context)


def _settings_items(table: Table) -> list[tuple[object, str, object]]:
    coins = {0: _("without cents"), amounts.CENTS: _("with cents")}
    values = {
        "name": naming.isolate(table.name),
        "money": ", ".join(filter(None, (table.unit, coins.get(table.decimals)))),
        "language": dict(settings.LANGUAGES).get(table.language, ""),
        "region": dict(table_options.region_choices(table)).get(table.region, ""),
        "time-zone": table.timezone.rpartition("/")[2].replace("_", " "),
        "on-the-spot": _("Yes") if table.pays_on_the_spot else _("No"),
    }
    return [
        (
            SettingsForm.base_fields[fields[0]].label or _("What you play for"),
            reverse("change-settings", args=[table.code, name]),
            values[name],
        )
        for name, fields in SETTINGS.items()
    ]


def _reader_context(request: HttpRequest, table: Table) -> dict[str, Any]:
    me, people = request_handling.current_user(request), People.of(table)
    access = lobby.valid_accesses(table).get(user=me)
    role = Role(access.role)
    return {
        "table": table,
        "owns": role is Role.OWNER,
        "mine": access,
        "is_last_owner": authorization.is_last_owner(access),
        "may_see_accounts": authorization.can_view_accounts(access),
        "in_charge": [
            (users.name_at_table(owner_access.user, people), owner_access.opened_on)
            for owner_access in lobby.valid_accesses(table).owners()
        ],
        "may_ask_from": takeovers.takeover_allowed_from(table),
        "merged": _merged_members(table) if role is Role.OWNER else (),
    }


def _merged_members(table: Table) -> tuple[Member, ...]:
    return tuple(
        table.members.filter(merged_into__isnull=False)
        .select_related("merged_into")
        .order_by("-merged_at", "-pk")
    )
