"""The settings of a table on one page: a form for owners, the seasons, who has access, the copies, the way out.

The views of its other forms (`seasons.py`, `leaving.py`, `erasing.py`) show the page again when they refuse.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.models import Member, Role, Season, Table
from games.money.balances import People
from games.people import settings
from games.people.access import BeingErased, Visitor, get_table_or_404, role_at
from games.people.invitations import only_ways_in
from games.people.removals import ending_by_leaving
from games.scoring.errors import RuleError
from games.season.seasons import counted_seasons
from games.season.summaries import years_of
from games.shown.common.amounts import units_offered
from games.shown.common.sentences import translate
from games.shown.people.invites import asked_of, name_of, new_phones, role_in_words, who_left
from games.shown.people.settings import coin_choices, language_choices, region_choices, zone_choices
from games.shown.season.season import orders
from games.shown.season.seasons import SeasonFields, fields_of_next, season_rows
from games.views.common.numbers import row_id, whole_number
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, Refused
from games.views.people.erased import show_erased

SETTINGS = {  # the fields of the form that are texts, and what they change
    "table-name": "name",
    "unit": "unit",
    "language": "language",
    "region": "region",
    "timezone": "timezone",
}
NO_SEASONS: Mapping[Season | None, SeasonFields] = MappingProxyType({})


@require_GET
def table_settings(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the settings of the table; to an owner of an erased one, until when it can be restored."""
    try:
        return show_settings(request, get_table_or_404(request, table_code))
    except BeingErased as erased:
        return show_erased(request, erased.table)


@require_POST
def change_settings(request: HttpRequest, table_code: str) -> HttpResponse:
    """Change the settings of the owners' form."""
    table = get_table_or_404(request, table_code, for_owning=True)
    try:
        settings.change_settings(table, **_sent(request))
    except RuleError as refusal:
        field = {"name": "table-name"}.get(refusal.field, refusal.field)
        return show_settings(request, table, Refused(UNPROCESSABLE, {field: translate(refusal.text)}))
    return redirect("table-settings", table.code)


def _sent(request: HttpRequest) -> Mapping[str, str | int | bool]:
    """Return the settings that the form sent. It has no smallest coin where amounts are recorded."""
    sent: dict[str, str | int | bool] = {
        name: request.POST[field] for field, name in SETTINGS.items() if field in request.POST
    }
    if "decimals" in request.POST:
        sent["decimals"] = whole_number(request.POST["decimals"], most_digits=1)
    return {**sent, "pays_on_the_spot": "on-the-spot" in request.POST}


def show_settings(
    request: HttpRequest,
    table: Table,
    refused: Refused | None = None,
    *,
    seasons: Mapping[Season | None, SeasonFields] = NO_SEASONS,
) -> HttpResponse:
    """Show the page, with the refusal of one of its forms at its field, and what was typed.

    `seasons` has the fields of a refused season's form, or, by None, of the form of a new one.
    """
    me = user_of(request)
    role = role_at(me, table)
    owns = role is Role.OWNER
    context = {
        "table": table,
        "owns": owns,
        "may_see_accounts": Visitor(me).sees_accounts(table, role),
        "imported": table.games.count() if "imported" in request.GET else None,
        "refused": refused and refused.beside("table-name", *SETTINGS, "decimals", "leave", "erased-name"),
        "errors": {name.replace("-", "_"): text for name, text in refused.errors.items()} if refused else {},
        **(_settings_of(request, table) if owns else {}),
        **_seasons_of(table, seasons),
        **_access(table, me),
        **_way_out(request, table, me),
    }
    return render(
        request, "games/people/table_settings.html", context, status=refused.status if refused else 200
    )


def _settings_of(request: HttpRequest, table: Table) -> dict[str, object]:
    """Return what only owners see: their form with the present values or those typed, old names, who left."""
    coin_stays, is_sent = settings.why_coin_stays(table), "table-name" in request.POST

    def typed(field: str, present: str) -> str:
        return request.POST.get(field, present)

    return {
        "table_name": typed("table-name", table.name),
        "unit": typed("unit", table.unit),
        "units": units_offered(typed("unit", table.unit)),
        "coins": () if coin_stays else coin_choices(table, typed("decimals", str(table.decimals))),
        "coin_stays": coin_stays and translate(coin_stays),
        "languages": language_choices(typed("language", table.language)),
        "regions": region_choices(table, typed("region", table.region)),
        "zones": zone_choices(table.timezone, typed("timezone", table.timezone)),
        "on_the_spot": "on-the-spot" in request.POST if is_sent else table.pays_on_the_spot,
        "merged": _merged(table),
        "left": who_left(table),
    }


def _seasons_of(table: Table, typed: Mapping[Season | None, SeasonFields]) -> dict[str, object]:
    """Return the template variables of the seasons, with the fields of a refused form."""
    counted = counted_seasons(table)
    return {
        "rows": season_rows(counted, typed),
        "years": years_of(table, People.of(table))[::-1],
        "orders": orders(),
        "of_new": typed.get(None) or fields_of_next(table, [season for season, _played in counted]),
    }


def _access(table: Table, me: User) -> dict[str, object]:
    """Return the template variables about who has access."""
    granted = list(table.grants.standing().present_roles())
    return {
        "roles": [(role_in_words(role), granted.count(role)) for role in Role if role in granted],
        "is_only_way_in": table.pk in only_ways_in([table], me),
        "new_phones": new_phones(table, me),
    }


def _merged(table: Table) -> tuple[Member, ...]:
    """Return the members who were merged into others, last merged first."""
    return tuple(
        table.members.filter(merged_into__isnull=False)
        .select_related("merged_into")
        .order_by("-merged_at", "-pk")
    )


def _way_out(request: HttpRequest, table: Table, me: User) -> dict[str, object]:
    """Return the template variables of leaving and erasing the table."""
    ending = ending_by_leaving(table.grants.standing().get(user=me))
    owners = [grant.user for grant in table.grants.owning().select_related("user")]
    own_phones = {grant.pk for grant in ending.phones}
    return {
        "is_last_owner": owners == [me],
        "next_owner": name_of(owners[1]) if len(owners) > 1 and owners[0] == me else "",
        "mine": table.members.filter(user=me).first(),
        "asked": asked_of(table, ending, me, named=also_sent(request) or own_phones)
        if me in owners
        else None,
        "games": table.games.count(),
        "erased_name": request.POST.get("erased-name", ""),
    }


def also_sent(request: HttpRequest) -> Collection[int]:
    """Return the ids of the grants that the user ticked in the form: they end with the user's own."""
    return {row_id(text) for text in request.POST.getlist("also")}
