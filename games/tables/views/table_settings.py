"""The settings of a table on one page: a form for owners, who has access, the copies, the way out.

The views of its other forms (`erasing.py`) show the page again when they refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateformat import format as date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.common.amounts import money, units_offered
from games.common.regions import formats_of, region_named
from games.common.sent import (
    MISSING,
    UNPROCESSABLE,
    Refused,
    last_act,
    redirect_saying,
    user_of,
    whole_number,
)
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
from games.tables.lobby import here
from games.tables.people import People, known_as
from games.tables.tables import OtherSign, time_zones
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
    """Restore an erased table for everybody."""
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


EXAMPLE = 9000  # units of money


def region_choices(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the regions that the table may have, each with an amount and a day in its formats.

    A table without a region may stay without one: then each reader's language decides on the formats.
    """
    names = {} if table.region else {"": _("By each reader's language")}
    names |= {
        "es-AR": _("Argentina"),
        "es-CL": _("Chile"),
        "es-CR": _("Costa Rica"),
        "es-ES": _("Spain"),
        "en-US": _("United States"),
        "es-MX": _("Mexico"),
        "es-PY": _("Paraguay"),
        "es-PE": _("Peru"),
        "en-GB": _("United Kingdom"),
    }
    for name, words in names.items():
        region, day = region_named(name), date(localdate().year, 12, 31)
        with formats_of(name):
            amount = money(EXAMPLE * 10**table.decimals, table)
        yield name, f"{words}: {amount} · {date_format(day, region.date)}"


SETTINGS = {  # the fields of the form that are texts, and what they change
    "table-name": "name",
    "unit": "unit",
    "language": "language",
    "region": "region",
    "timezone": "timezone",
}


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
    try:
        services.change_settings(table, confirmed=request.POST.get("confirm", ""), **_sent(request))
    except OtherSign as asked:
        return show_settings(request, table, Refused(UNPROCESSABLE, {"confirm": sign_question(asked)}))
    except RuleError as refusal:
        field = {"name": "table-name"}.get(refusal.field, refusal.field)
        return show_settings(request, table, Refused(UNPROCESSABLE, {field: translate(refusal.text)}))
    return redirect_saying(request, "save", "table-settings", table.code)


def _sent(request: HttpRequest) -> Mapping[str, str | int | bool]:
    """Return the settings that the form sent. It has no smallest coin where amounts are recorded."""
    sent: dict[str, str | int | bool] = {
        name: request.POST[field] for field, name in SETTINGS.items() if field in request.POST
    }
    if "decimals" in request.POST:
        sent["decimals"] = whole_number(request.POST["decimals"], most_digits=1)
    return {**sent, "pays_on_the_spot": "on-the-spot" in request.POST}


def show_settings(request: HttpRequest, table: Table, refused: Refused | None = None) -> HttpResponse:
    """Show the page, with the refusal of one of its forms at its field, and what was typed."""
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
        "refused": refused and refused.beside("table-name", *SETTINGS, "decimals", "confirm", "erased-name"),
        "errors": {name.replace("-", "_"): text for name, text in refused.errors.items()} if refused else {},
        **_way_out(request, table, mine),
        **(_settings_of(request, table) if owns else {}),
    }
    return render(request, "tables/table_settings.html", context, status=refused.status if refused else 200)


def _way_out(request: HttpRequest, table: Table, mine: Access) -> dict[str, object]:
    """Return the template variables of leaving and erasing the table."""
    return {
        "mine": mine,
        "is_last_owner": is_only_owner(mine),
        "games": table.games.count(),
        "erased_name": request.POST.get("erased-name", ""),
    }


def _settings_of(request: HttpRequest, table: Table) -> dict[str, object]:
    """Return what only owners see: their form with the present values or those typed, and old names."""
    coin_stays, is_sent = services.why_coin_stays(table), "table-name" in request.POST
    places = {zone for zone in time_zones() if "/" in zone and not zone.startswith("Etc/")}
    zones = places | {"UTC", table.timezone}

    def typed(field: str, present: str) -> str:
        return request.POST.get(field, present)

    return {
        "table_name": typed("table-name", table.name),
        "unit": typed("unit", table.unit),
        "units": units_offered(typed("unit", table.unit)),
        "decimals": typed("decimals", str(table.decimals)),
        "coin_stays": coin_stays and translate(coin_stays),
        "languages": settings.LANGUAGES,
        "lang": typed("language", table.language),
        "regions": region_choices(table),
        "region": typed("region", table.region),
        "zones": [(zone, zone.replace("_", " ")) for zone in sorted(zones)],
        "zone": zone if (zone := typed("timezone", table.timezone)) in zones else table.timezone,
        "on_the_spot": "on-the-spot" in request.POST if is_sent else table.pays_on_the_spot,
        "merged": _merged(table),
    }


def _merged(table: Table) -> tuple[Member, ...]:
    """Return the members who were merged into others, last merged first."""
    return tuple(
        table.members.filter(merged_into__isnull=False)
        .select_related("merged_into")
        .order_by("-merged_at", "-pk")
    )
