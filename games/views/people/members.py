"""The page of a table: its name and its members; owners add, rename and colour members here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.contrib.auth.models import User
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.models import COLOURS, Member, Role, Table
from games.names import alike_among, same_name
from games.notebook.fingerprints import fingerprint_of
from games.people.access import WRITERS, Visitor, get_table_or_404, role_at
from games.people.claims import waiting_claims
from games.people.invitations import only_ways_in
from games.people.leaving import is_archived
from games.people.members import add_member as add_member_to
from games.people.members import change_member, rename_table
from games.scoring.errors import RuleError
from games.shown.common.people import Person, colour_in_words
from games.shown.common.sentences import translate
from games.shown.people.invites import new_phones, role_in_words, who_left
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
    """Return the retired member with this or a similar name, or None.

    The page then offers to bring this member back instead of adding a new one.
    """
    gone = table.members.filter(merged_into=None, retired_at__isnull=False)
    near = alike_among(name.strip(), [member.name for member in gone])
    return next((member for member in gone if same_name(member.name, near or name.strip())), None)


@require_POST
def rename(request: HttpRequest, table_code: str) -> HttpResponse:
    """Rename the table."""
    table = get_table_or_404(request, table_code, for_owning=True)
    try:
        rename_table(table, request.POST.get("table-name", ""))
    except RuleError as refusal:
        return _show(request, table, {refusal.field: translate(refusal.text)})
    return redirect("table", table.code)


@require_http_methods(["GET", "POST"])
def member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show and change the name and colour of a member."""
    table = get_table_or_404(request, table_code, for_owning=True)
    known = table.members.active().filter(slug=member).first()
    if known is None:
        raise Http404
    name, colour, errors, alike = known.name, known.colour, dict[str, str](), ""
    if request.method == "POST":
        name, colour = request.POST.get("name", ""), _read_colour(request)
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


def _read_colour(request: HttpRequest) -> int:
    """Return the number of the chosen colour; 0 if the field is no number."""
    text = request.POST.get("colour", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


def _show(
    request: HttpRequest,
    table: Table,
    errors: Mapping[str, str] = NOTHING_WRONG,
    *,
    retired: Member | None = None,
    alike: str = "",
) -> HttpResponse:
    about = _about_oneself(user_of(request), table)
    merged = _merged(table) if about["owns"] else ()
    context = {
        **about,
        "table": table,
        "people": [Person(member.slug, member.name, member.colour) for member in table.members.active()],
        "merged": merged,
        "merged_now": next((person for person in merged if person.slug == request.GET.get("merged")), None),
        **_access(table, user_of(request), is_owner=bool(about["owns"])),
        "name": request.POST.get("name", ""),
        "table_name": request.POST.get("table-name", table.name),
        "errors": errors,
        "retired": retired,
        "alike": alike,
    }
    return render(request, "games/people/table.html", context, status=UNPROCESSABLE if errors else 200)


def _merged(table: Table) -> tuple[Member, ...]:
    """Return the members who were merged into others, last merged first."""
    return tuple(
        table.members.filter(merged_into__isnull=False)
        .select_related("merged_into")
        .order_by(F("merged_at").desc(nulls_last=True), "-pk")
    )


def _about_oneself(me: User, table: Table) -> dict[str, object]:
    """Return the template variables about the user: their role at the table and their rights."""
    role = role_at(me, table)
    may_see_accounts = Visitor(me).sees_accounts(table, role)
    return {
        "owns": role is Role.OWNER,
        "has_claims": role is Role.OWNER and waiting_claims(table).exists(),
        "may_write": role in WRITERS,
        "may_see_accounts": may_see_accounts,
        "fingerprint": fingerprint_of(table) if may_see_accounts else "",
        "is_only_way_in": table.pk in only_ways_in([table], me),
        "is_archived": is_archived(table, by=me),
    }


def _access(table: Table, me: User, *, is_owner: bool) -> dict[str, object]:
    """Return the template variables about who has access, and who left or has a new phone."""
    return {
        "roles": _roles(table),
        "left": who_left(table) if is_owner else (),
        "new_phones": new_phones(table, me),
    }


def _roles(table: Table) -> list[tuple[str, int]]:
    """Return the number of valid grants for each role."""
    granted = list(table.grants.standing().values_list("role", flat=True))
    return [(role_in_words(role), granted.count(role)) for role in Role if role in granted]
