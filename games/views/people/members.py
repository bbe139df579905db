"""A table: what it is called, and its people, whom an owner names, colours and adds."""

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
from games.people.access import WRITERS, get_table_or_404, role_at, sees_accounts
from games.people.claims import waiting_claims
from games.people.invitations import only_ways_in
from games.people.leaving import is_archived
from games.people.members import add_member as add_member_to
from games.people.members import change_member, rename_table
from games.scoring.errors import RuleError
from games.shown.common.people import Person, colour_in_words
from games.shown.common.sentences import translate
from games.shown.people.invites import role_in_words, who_left
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, asked_about

NOTHING_WRONG: Mapping[str, str] = MappingProxyType({})


@require_GET
def table(request: HttpRequest, table_code: str) -> HttpResponse:
    """The table's people, and for its owner what to change about them."""
    return _show(request, get_table_or_404(request, table_code))


@require_POST
def add_member(request: HttpRequest, table_code: str) -> HttpResponse:
    """Somebody new at the table."""
    found = get_table_or_404(request, table_code, for_owning=True)
    name = request.POST.get("name", "")
    try:
        add_member_to(found, name, apart=request.POST.getlist("apart"))
    except RuleError as refusal:
        errors = {refusal.field: translate(refusal.text)}
        return _show(request, found, errors, retired=_retired(found, name), alike=asked_about(refusal))
    return redirect("table", found.code)


def _retired(table: Table, name: str) -> Member | None:
    """Who is called this, or nearly so, and no longer plays: his account is where he plays again."""
    gone = table.members.filter(merged_into=None, retired_at__isnull=False)
    near = alike_among(name.strip(), [member.name for member in gone])
    return next((member for member in gone if same_name(member.name, near or name.strip())), None)


@require_POST
def rename(request: HttpRequest, table_code: str) -> HttpResponse:
    """Another name for the table."""
    found = get_table_or_404(request, table_code, for_owning=True)
    try:
        rename_table(found, request.POST.get("table-name", ""))
    except RuleError as refusal:
        return _show(request, found, {refusal.field: translate(refusal.text)})
    return redirect("table", found.code)


@require_http_methods(["GET", "POST"])
def member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """A member's name and colour."""
    found = get_table_or_404(request, table_code, for_owning=True)
    known = found.members.active().filter(slug=member).first()
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
            return redirect("table", found.code)
    context = {
        "table": found,
        "member": known,
        "name": name,
        "colours": [(number, colour_in_words(number), number == colour) for number in range(1, COLOURS + 1)],
        "initial": (name.strip() or known.name)[:1].upper(),
        "errors": errors,
        "alike": alike,
    }
    return render(request, "games/people/member.html", context, status=UNPROCESSABLE if errors else 200)


def _read_colour(request: HttpRequest) -> int:
    """The number of the colour chosen, 0 where none of those there are is."""
    text = request.POST.get("colour", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0


def _show(
    request: HttpRequest,
    found: Table,
    errors: Mapping[str, str] = NOTHING_WRONG,
    *,
    retired: Member | None = None,
    alike: str = "",
) -> HttpResponse:
    about = _about_oneself(user_of(request), found)
    merged = _merged(found) if about["owns"] else ()
    context = {
        **about,
        "table": found,
        "people": [Person(member.slug, member.name, member.colour) for member in found.members.active()],
        "merged": merged,
        "merged_now": next((one for one in merged if one.slug == request.GET.get("merged")), None),
        "roles": _roles(found),
        "left": who_left(found) if about["owns"] else (),
        "name": request.POST.get("name", ""),
        "table_name": request.POST.get("table-name", found.name),
        "errors": errors,
        "retired": retired,
        "alike": alike,
    }
    return render(request, "games/people/table.html", context, status=UNPROCESSABLE if errors else 200)


def _merged(found: Table) -> tuple[Member, ...]:
    """Whoever turned out to be somebody else, the last one first."""
    return tuple(
        found.members.filter(merged_into__isnull=False)
        .select_related("merged_into")
        .order_by(F("merged_at").desc(nulls_last=True), "-pk")
    )


def _about_oneself(me: User, found: Table) -> dict[str, object]:
    """What whoever looks is at the table, and may do there."""
    role = role_at(me, found)
    may_see_accounts = sees_accounts(me, found, role)
    return {
        "owns": role is Role.OWNER,
        "has_claims": role is Role.OWNER and waiting_claims(found).exists(),
        "may_write": role in WRITERS,
        "may_see_accounts": may_see_accounts,
        "fingerprint": fingerprint_of(found) if may_see_accounts else "",
        "is_only_way_in": found.pk in only_ways_in([found], me),
        "is_archived": is_archived(found, by=me),
    }


def _roles(found: Table) -> list[tuple[str, int]]:
    """How many phones are let in, by what they may do."""
    granted = list(found.grants.standing().values_list("role", flat=True))
    return [(role_in_words(role), granted.count(role)) for role in Role if role in granted]
