"""The page of a table: its name and its members; owners add, rename and colour members here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.models import COLOURS, Member, Role, Table
from games.money.balances import read_accounts
from games.names import alike_among, same_name
from games.people.access import WRITERS, Visitor, get_table_or_404, role_at
from games.people.claims import waiting_claims
from games.people.members import add_member as add_member_to
from games.people.members import change_member
from games.scoring.errors import RuleError
from games.shown.common.people import Person, colour_in_words
from games.shown.common.sentences import translate
from games.shown.money.debtors import debtors_of
from games.views.common.numbers import whole_number
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, asked_about

NOTHING_WRONG: Mapping[str, str] = MappingProxyType({})


@require_GET
def table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the members of the table, and to an owner the HTML forms to change them."""
    return _show(request, get_table_or_404(request, table_code))


@require_POST
def add_member(request: HttpRequest, table_code: str) -> HttpResponse:
    """Add a member to the table."""
    table = get_table_or_404(request, table_code, for_owning=True)
    name = request.POST.get("name", "")
    try:
        add_member_to(table, name, apart=request.POST.getlist("apart"))
    except RuleError as refusal:
        errors = {refusal.field: translate(refusal.text)}
        return _show(request, table, errors, retired=_retired(table, name), alike=asked_about(refusal))
    return redirect("table", table.code)


def _retired(table: Table, name: str) -> Member | None:
    """Return the retired member (one who no longer plays) with this or a similar name, or None.

    The page then offers to bring this member back instead of adding a new one.
    """
    gone = table.members.filter(merged_into=None, retired_at__isnull=False)
    near = alike_among(name.strip(), [member.name for member in gone])
    return next((member for member in gone if same_name(member.name, near or name.strip())), None)


@require_http_methods(["GET", "POST"])
def member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show and change the name and colour of a member."""
    table = get_table_or_404(request, table_code, for_owning=True)
    known = get_object_or_404(table.members.active(), slug=member)
    name, colour, errors, alike = known.name, known.colour, dict[str, str](), ""
    if request.method == "POST":
        name = request.POST.get("name", "")
        colour = whole_number(request.POST.get("colour", ""), most_digits=2)
        try:
            change_member(known, name=name, colour=colour, apart=request.POST.getlist("apart"))
        except RuleError as refusal:
            errors[refusal.field], alike = translate(refusal.text), asked_about(refusal)
        else:
            return redirect("table", table.code)
    context = {
        "table": table,
        "member": known,
        "name": name,
        "colours": [(number, colour_in_words(number), number == colour) for number in range(1, COLOURS + 1)],
        "initial": (name.strip() or known.name)[:1].upper(),
        "errors": errors,
        "alike": alike,
    }
    return render(request, "games/people/member.html", context, status=UNPROCESSABLE if errors else 200)


def _show(
    request: HttpRequest,
    table: Table,
    errors: Mapping[str, str] = NOTHING_WRONG,
    *,
    retired: Member | None = None,
    alike: str = "",
) -> HttpResponse:
    me = user_of(request)
    role = role_at(me, table)
    owns, may_see_accounts = role is Role.OWNER, Visitor(me).sees_accounts(table, role)
    context = {
        "table": table,
        "people": [Person(member.slug, member.name, member.colour) for member in table.members.active()],
        "owns": owns,
        "may_write": role in WRITERS,
        "may_see_accounts": may_see_accounts,
        **(_asked_of_owners(request, table) if owns else {}),
        "name": request.POST.get("name", ""),
        "errors": errors,
        "retired": retired,
        "alike": alike,
    }
    return render(request, "games/people/table.html", context, status=UNPROCESSABLE if errors else 200)


def _asked_of_owners(request: HttpRequest, table: Table) -> dict[str, object]:
    """Return the template variables of questions to an owner.

    `has_claims` is whether claims to be a member are unconfirmed. `debtors` lists the members who owe money.
    `merged_now` is the member who was merged into another one just now, which the page offers to undo, or None.
    """
    merged = table.members.filter(merged_into__isnull=False, slug=request.GET.get("merged", ""))
    return {
        "has_claims": waiting_claims(table).exists(),
        "debtors": debtors_of(read_accounts(table), table, user_of(request), now()),
        "merged_now": merged.select_related("merged_into").first(),
    }
