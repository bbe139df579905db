"""Users say which member they are tonight by tapping that member's face (a button with their name).

They do so on the page of tonight's invitation or, on a phone that has access already, on the page of the
faces. Owners and scorers confirm or reject a tap there or on the sheet (the scoresheet of a game). A person
without a face types a name instead; until an owner adds them as a member, they are a newcomer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games.locks import ChangedMeanwhile
from games.models import Invite, Member, Role, Table
from games.network import client_key
from games.people import faces as services
from games.people.access import Visitor, ensure_guest, get_table_or_404, table_for, table_open_to
from games.people.faces import TAPPED, face_of, newcomers_tonight
from games.people.guest_keys import guest_key
from games.people.invitations import ACCEPTED, InviteGone, game_to_open
from games.people.tonight import come_in, sit
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.shown.common.members import person_of
from games.shown.common.sentences import translate
from games.shown.people.faces import joining_of
from games.views.common.links import not_indexed, too_many
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, asked_about, sent_key
from games.views.people.members import NOTHING_WRONG

# --- for phones that come in by tonight's invitation ------------------------------------------------------


def show_link(
    request: HttpRequest, invite: Invite, token: str, errors: Mapping[str, str] = NOTHING_WRONG
) -> HttpResponse:
    """Show the page of tonight's invitation: the table's name and its members' faces. Nothing is stored."""
    user = request.user if isinstance(request.user, User) else None
    context = {
        **_faces_of(request, invite.table, user, errors),
        "token": token,
        "key": guest_key(request),
    }
    status = UNPROCESSABLE if errors else 200
    return not_indexed(render(request, "games/people/sit_down.html", context, status=status))


def take_a_seat(request: HttpRequest, invite: Invite, token: str) -> HttpResponse:
    """Give access to a phone that tapped a face, typed a name or only watches; redirect to the game."""
    if not ACCEPTED.take(f"{client_key(request.META['REMOTE_ADDR'])} {invite.pk}"):
        return too_many(request, ACCEPTED)
    try:
        member, name = _read_choice(request, invite.table)
        user = ensure_guest(request, key=sent_key(request), is_invited=True)
        come_in(invite, user, member=member, name=name)
    except InviteGone:
        raise Http404 from None
    except RuleError as refusal:
        return show_link(request, invite, token, {refusal.field: translate(refusal.text)})
    return on_to_the_game(invite.table)


def _read_choice(request: HttpRequest, table: Table) -> tuple[Member | None, str | None]:
    """Return the tapped member or the typed name, the other being None; both are None to watch.

    Raise RuleError if the form has none of these choices.
    """
    if "face" in request.POST:
        member = table.members.active().filter(slug=request.POST["face"]).first()
        if member is None:
            raise RuleError(_("Choose one of the people."))
        return member, None
    if "name" in request.POST:
        return None, request.POST["name"].strip()
    if "watch" in request.POST:
        return None, None
    raise RuleError(_("Choose one of the people."))


def on_to_the_game(table: Table) -> HttpResponse:
    """Redirect to the sheet of a game of the table, or home if the table has none.

    Choose the running game in which something was recorded last; without a running game, the newest game.
    """
    game = game_to_open(table)
    return redirect("home") if game is None else redirect("sheet", game.code)


# --- for phones that have access --------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def faces(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show which member this user is tonight, and store a tapped face. Scorers confirm other taps here."""
    table, role = table_open_to(request, table_code)
    if request.method == "GET":
        return _show(request, table, role)
    user = user_of(request)
    if not TAPPED.take(str(user.pk)):
        return too_many(request, TAPPED)
    try:
        member, name = _read_choice(request, table)
        sit(table, user, member=member, name=name)
    except RuleError as refusal:
        return _show(request, table, role, {refusal.field: translate(refusal.text)})
    return on_to_the_game(table)


@require_POST
def answer_face(request: HttpRequest, table_code: str, face: int) -> HttpResponse:
    """Confirm that a phone belongs to the member whose face it tapped, or reject the tap.

    `face` is the primary key of the `Face` row that stores the tap.
    """
    table, role = table_for(Visitor(request.user), table_code, for_writing=True)
    tapped = table.faces.filter(pk=face).select_related("table", "member").first()
    act = services.agree if request.POST.get("reply") == "yes" else services.refuse
    me = user_of(request)

    def answer() -> None:
        if tapped is None:
            raise ChangedMeanwhile
        act(tapped, by=me, role=role)

    return _answer(request, table, role, answer)


@require_POST
def answer_newcomer(request: HttpRequest, table_code: str, newcomer: int) -> HttpResponse:
    """Add a newcomer as a member and link their phone to that member, or reject them. Only for owners.

    `newcomer` is the primary key of the row that stores the typed name.
    """
    table = get_table_or_404(request, table_code, for_owning=True)
    waiting = get_object_or_404(table.newcomers.select_related("table"), pk=newcomer)
    is_welcome, me = request.POST.get("reply") == "yes", user_of(request)

    def answer() -> None:
        if is_welcome:
            services.admit(waiting, by=me, apart=request.POST.getlist("apart"))
        else:
            services.turn_down(waiting)

    return _answer(request, table, Role.OWNER, answer)


def _answer(request: HttpRequest, table: Table, role: Role, act: Callable[[], None]) -> HttpResponse:
    """Call `act`, which confirms or rejects a tap or a newcomer.

    Redirect to the sheet if the answer came from there, else to the page of the faces.
    """
    try:
        act()
    except RuleError as refusal:
        return _show(request, table, role, {"": translate(refusal.text)}, alike=asked_about(refusal))
    game = table.games.filter(code=request.POST.get("game", "")).first()
    return redirect("faces", table.code) if game is None else redirect("sheet", game.code)


def _show(
    request: HttpRequest,
    table: Table,
    role: Role,
    errors: Mapping[str, str] = NOTHING_WRONG,
    *,
    alike: str = "",
) -> HttpResponse:
    user = user_of(request)
    context = {
        **_faces_of(request, table, user, errors),
        "joining": joining_of(table, user, role),
        "owns": role is Role.OWNER,
        "game": game_to_open(table),
        "alike": alike,
    }
    status = UNPROCESSABLE if errors else 200
    return render(request, "games/people/faces.html", context, status=status)


def _faces_of(
    request: HttpRequest, table: Table, user: User | None, errors: Mapping[str, str]
) -> dict[str, object]:
    """Return the template variables of the members' faces, and of the member who this user is tonight."""
    mine = face_of(user, table) if user else None
    newcomer = newcomers_tonight(table).filter(user=user).first() if user else None
    return {
        "table": table,
        "people": [person_of(member) for member in table.members.active()],
        "mine": mine and person_of(mine),
        "newcomer": newcomer,
        "name": request.POST.get("name", ""),
        "errors": errors,
        "general": errors.get("", ""),
    }
