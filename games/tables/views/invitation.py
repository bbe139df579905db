"""The page behind a link to a table, and the page where a user claims a member there."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from games.common import naming, network, request_handling, texts
from games.common.locks import ConcurrentChange
from games.common.rate_limits import RateLimit
from games.models import NAME_LENGTH, Link, LinkKind, Member, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.presenters import claim_list, site_info
from games.tables.services import authorization, confirmations, guests, links, lobby, roster, setup
from games.tables.services.links import InvalidLink
from games.tables.views.login import WRONG_LINK_LIMIT, not_indexed, too_many

USE_LIMIT = RateLimit("accept", most=200)  # uses of one link, per address: a club night of sixty
CLAIM_LIMIT = RateLimit("face", most=30)  # claims, per user
NO_ERRORS: Mapping[str, str] = {}


@request_handling.require_form
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a link. Only its button, a POST, uses the link."""
    address = _network(request)
    user = request.user if isinstance(request.user, User) else _guest_of_first_request(request)
    link = links.find(token, user)
    if link is None and (own := links.find_own_table(token, user)) is not None:
        return redirect_to_table(own)
    if link is None:  # only invalid links are limited: behind a proxy, everybody may share one address
        if WRONG_LINK_LIMIT.hit(address):
            raise Http404
        return too_many(request, WRONG_LINK_LIMIT)
    if request.method != "POST":
        return _show(request, link)
    if not USE_LIMIT.hit(f"{address} {link.pk}"):
        return too_many(request, USE_LIMIT)
    if user is not None and not CLAIM_LIMIT.hit(str(user.pk)):
        return too_many(request, CLAIM_LIMIT)
    try:
        table = _use(request, link)
    except (InvalidLink, ConcurrentChange):
        raise Http404 from None
    except RuleError as refusal:
        return _show(request, link, {refusal.field: texts.translate(refusal.text)})
    request_handling.remember_table(request, table)
    return redirect_to_table(table)


def _guest_of_first_request(request: HttpRequest) -> User | None:
    """Return the guest created by the first request of a double tap; None if this is the first request.

    The second request has no session yet, so only the form key identifies the guest.
    """
    key = request_handling.form_key(request)
    return guests.find_by_form_key(key) if guests.is_valid_form_key(request, key) else None


def _network(request: HttpRequest) -> str:
    return network.client_key(request.META["REMOTE_ADDR"])


def _use(request: HttpRequest, link: Link) -> Table:
    assert link.table is not None
    table, name = link.table, request.POST.get("name", "").strip()
    if link.kind == LinkKind.TONIGHT:
        face, name = _read_choice(request, table)
        user = authorization.get_or_create_guest(
            request, key=request_handling.form_key(request), is_invited=True
        )
        lobby.enter(table, user, until=link.expires_at, face=face, name=name, network=_network(request))
    else:
        name = naming.clean_name(name, longest=NAME_LENGTH) if name else ""
        links.redeem_personal(
            link,
            authorization.get_or_create_guest(
                request, key=request_handling.form_key(request), is_invited=True
            ),
            name=name,
        )
    return table


def _read_choice(request: HttpRequest, table: Table) -> tuple[Member | None, str]:
    """Return the tapped member or the typed name; neither for a user who only watches.

    Raise RuleError if the form has none of these choices.
    """
    if "face" in request.POST:
        member = table.members.active().filter(slug=request.POST["face"]).first()
        if member is None:
            raise RuleError(_("Choose a person."))
        return member, ""
    if request.POST.get("name", "").strip():
        return None, request.POST["name"].strip()
    if "watch" in request.POST:
        return None, ""
    raise RuleError(_("Choose a person, or type your name."), field="name")


def redirect_to_table(table: Table) -> HttpResponse:
    """Redirect to the table's current game if there is one, otherwise to the lobby."""
    game = setup.current_game(table)
    return redirect("lobby", table.code) if game is None else redirect("sheet", game.code)


def _has_other_owners(link: Link) -> bool:
    assert link.table is not None
    owners = link.table.accesses.owners()
    return (owners if link.member is None else owners.exclude(member=link.member)).exists()


def _show(request: HttpRequest, link: Link, errors: Mapping[str, str] = NO_ERRORS) -> HttpResponse:
    assert link.table is not None
    user = request.user if isinstance(request.user, User) else None
    is_tonight = link.kind == LinkKind.TONIGHT
    context = {
        **(
            _faces_context(request, link.table, user, errors)
            if is_tonight
            else {"table": link.table, "errors": errors}
        ),
        "link": link,
        "member": link.member and link.member.current,
        "is_shared": _has_other_owners(link),
        "name": request.POST.get("name", user.first_name if user and not is_tonight else ""),
        "general": errors.get("", ""),
        "key": guests.issue_form_key(request),
    }
    template = "tables/claim.html" if is_tonight else "tables/invitation.html"
    return not_indexed(
        render(request, template, context, status=request_handling.UNPROCESSABLE if errors else 200)
    )


@request_handling.require_form
def my_face(request: HttpRequest, table_code: str) -> HttpResponse:
    """Ask users who already have access who they are; store their claim, or that they only watch."""
    table, _role = authorization.get_table(request.user, table_code)
    if request.method != "POST":
        return _ask_identity(request, table)
    user = request_handling.current_user(request)
    if not CLAIM_LIMIT.hit(str(user.pk)):
        return too_many(request, CLAIM_LIMIT)
    try:
        face, name = _read_choice(request, table)
        if face is None and not name:
            confirmations.remove_identity(get_object_or_404(lobby.valid_accesses(table), user=user), by=user)
        else:
            lobby.claim(table, user, face=face, name=name, network=_network(request))
    except RuleError as refusal:
        return _ask_identity(request, table, {refusal.field: texts.translate(refusal.text)})
    return redirect_to_table(table)


def _ask_identity(request: HttpRequest, table: Table, errors: Mapping[str, str] = NO_ERRORS) -> HttpResponse:
    context = _faces_context(request, table, request_handling.current_user(request), errors)
    context |= {"game": setup.current_game(table), "name": request.POST.get("name", "")}
    return render(
        request, "tables/claim.html", context, status=request_handling.UNPROCESSABLE if errors else 200
    )


def _faces_context(
    request: HttpRequest, table: Table, user: User | None, errors: Mapping[str, str]
) -> dict[str, object]:
    """Return the template variables of the faces: which are taken, and which one is this user's."""
    phones = list(lobby.valid_accesses(table))
    confirmed_members = {phone.person for phone in phones if phone.is_confirmed}
    access = next((phone for phone in phones if user is not None and phone.user_id == user.pk), None)
    table.reader_access = access
    return {
        "table": table,
        "faces": [
            (roster.to_person(member), member in confirmed_members) for member in table.members.active()
        ],
        "has_taken": bool(confirmed_members),
        "mine": access,
        "may_move": access is None or not access.is_confirmed or authorization.is_last_owner(access),
        "recovery": access and claim_list.recovery_context(access, phones),
        **site_info.operator_contact(),
        "me": roster.to_person(access.person) if access and access.person else None,
        "errors": errors,
        "general": errors.get("", ""),
    }
