"""A member's sheet over the lobby: their phone and what it may do, their personal link, name and colour."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from games.models import COLOURS, Member, Role
from games.people.access import Visitor, table_for
from games.people.lobby import phone_of
from games.people.members import change_member
from games.scoring.errors import RuleError
from games.shown.common.members import person_of
from games.shown.common.people import colour_in_words
from games.shown.common.sentences import translate
from games.shown.people.lobby import lobby_of, phone_shown
from games.views.common.numbers import whole_number
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, asked_about


@require_http_methods(["GET", "POST"])
def member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show a member and their phone, which scorers may confirm. An owner also changes the name and the colour."""
    is_change, me = request.method == "POST", Visitor(request.user)
    table, role = table_for(me, table_code, for_writing=not is_change, for_owning=is_change)
    known = get_object_or_404(table.members.active().select_related("table"), slug=member)
    name, colour, errors, alike = known.name, known.colour, dict[str, str](), ""
    if is_change:
        name = request.POST.get("name", "")
        colour = whole_number(request.POST.get("colour", ""), most_digits=2)
        try:
            change_member(known, name=name, colour=colour, apart=request.POST.getlist("apart"))
        except RuleError as refusal:
            errors[refusal.field], alike = translate(refusal.text), asked_about(refusal)
        else:
            return redirect("lobby", table.code)
    context = {
        "table": table,
        "member": known,
        **_phones(known, user_of(request), role),
        "name": name,
        "colours": _colours(colour),
        "initial": (name.strip() or known.name)[:1].upper(),
        "errors": errors,
        "alike": alike,
    }
    return render(request, "games/people/member.html", context, status=UNPROCESSABLE if errors else 200)


def _colours(chosen: int) -> list[tuple[int, str, bool]]:
    """Return each colour's number and name, and whether it is the chosen one."""
    return [(number, colour_in_words(number), number == chosen) for number in range(1, COLOURS + 1)]


def _phones(member: Member, me: User, role: Role) -> dict[str, object]:
    """Return the member's phone, the question about phones that say to be theirs, and whether `me` owns."""
    phone = phone_of(member.table, member)
    knocks = lobby_of(member.table, me, role).knocks
    return {
        "person": person_of(member),
        "owns": role is Role.OWNER,
        "phone": phone and phone_shown(phone, me),
        "knock": next((knock for knock in knocks if knock.person == person_of(member)), None),
    }
