"""A new table for importing results or balances that its people kept elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.common import amounts, parsing, regions, request_handling, texts
from games.common.locks import IdempotencyKeyReused
from games.models import Table
from games.scoring.errors import RuleError
from games.tables.services import authorization, guests, setup
from games.tables.views.creation_closed import requires_table_creation

FIELDS = ("table-name", "people", "unit", "decimals", "what", "timezone")
NEXT_PAGES = {  # the URL name of the page that each choice redirects to
    "notebook": "import-nights",
    "balances": "opening-balances",
    "nothing": "lobby",
}


@request_handling.require_form
@requires_table_creation
def bring(request: HttpRequest) -> HttpResponse:
    """Create a table with its people, owned by the user, and redirect to the page of the chosen import."""
    if request.method != "POST":
        unit = amounts.offered_units()[0]
        return _render_form(
            request, {"unit": unit, "decimals": str(amounts.default_decimals(unit)), "what": "notebook"}
        )
    try:
        table = _create_table(request)
    except RuleError as refusal:
        field = {"name": "table-name"}.get(refusal.field, refusal.field)
        errors = {field: texts.translate(refusal.text)}
        return _render_form(request, request.POST, errors, status=request_handling.UNPROCESSABLE)
    except IdempotencyKeyReused:
        return _render_existing_table(request)
    request_handling.remember_table(request, table)
    return redirect(NEXT_PAGES.get(request.POST.get("what", ""), "lobby"), table.code)


def _create_table(request: HttpRequest) -> Table:
    """Create the table that the form describes.

    The form is checked first, so that an invalid one creates no guest (a user without a password).
    """
    people = setup.clean_names(setup.split_names(request.POST.get("people", "")))
    parts = setup.clean_fields(
        request.POST.get("table-name", "").strip() or setup.default_name(people) or _("Our table"),
        unit=request.POST.get("unit", ""),
        decimals=parsing.parse_decimals(request.POST),
        language=get_language() or settings.LANGUAGE_CODE,
        timezone=setup.zone_or_default(request.POST.get("timezone", "")),
        region=regions.active_region().name,
    )
    user = authorization.get_or_create_guest(request, key=request_handling.form_key(request))
    return setup.create_with_members(user, parts, people, key=request_handling.form_key(request))


def _render_existing_table(request: HttpRequest) -> HttpResponse:
    """Show the form again, with a link to the table that this form created earlier.

    The form keeps its idempotency key, so sending it once more creates no second table.
    """
    key = request_handling.form_key(request)
    known_table = setup.find_by_form_key(key, authorization.get_or_create_guest(request, key=key))
    sentence = _("This form already created a table, before your last change.")
    return _render_form(
        request,
        request.POST,
        {"": sentence},
        status=request_handling.CONFLICT,
        key=key,
        known_table=known_table,
    )


def _render_form(
    request: HttpRequest,
    data: Mapping[str, str],
    errors: Mapping[str, str] | None = None,
    *,
    status: int = 200,
    key: str = "",
    known_table: Table | None = None,
) -> HttpResponse:
    errors = errors or {}
    context = {
        "sent": {name.replace("-", "_"): data.get(name, "") for name in FIELDS},
        "errors": {name.replace("-", "_"): text for name, text in errors.items()},
        "general": [text for name, text in errors.items() if name not in FIELDS],
        "units": amounts.offered_units(data.get("unit", "")),
        "choices": _choices(),
        "key": key or guests.issue_form_key(request),
        "known_table": known_table,
    }
    return render(request, "files/bring.html", context, status=status)


def _choices() -> tuple[tuple[str, str, str], ...]:
    """Return the choices of an import: the value, the name and a description of each."""
    return (
        ("notebook", _("A notebook"), _("Nights and results, on paper or in a spreadsheet")),
        ("balances", _("Starting balances"), _("What you owed each other, without the games")),
        ("nothing", _("Start from zero"), _("Only the table and its people")),
    )
