"""Signing in with user name and password, with limited attempts, or by a link, and signing out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, ngettext

from games.common import locks, network, rate_limits, request_handling
from games.common.rate_limits import RateLimit
from games.models import Access, Table
from games.tables.presenters import phone_labels
from games.tables.services import devices, guests, links, parked_sessions, users
from games.tables.services.links import InvalidLink

WRONG_LINK_LIMIT = RateLimit("link", most=20)  # invalid links, per address
NAME_AT_ADDRESS_LIMIT = RateLimit("login", most=10)
# A whole club may share an address. So the pause is short at first, and longer if the guesses continue.
ADDRESS_SHORT_LIMIT = RateLimit("login-here-soon", most=30, window=2 * rate_limits.MINUTE)
ADDRESS_LIMIT = RateLimit("login-here", most=120)
NAME_LIMIT = RateLimit("login-name", most=60)
PHONE_LIMIT = RateLimit("login-phone", most=60)  # for a phone where the name signed out

SIGNED_OUT = "signed_out"  # session variable: the id of the last user who signed out on this phone


def too_many(request: HttpRequest, limit: RateLimit) -> HttpResponse:
    return render(
        request, "parts/too_many.html", {"minutes": limit.minutes}, status=request_handling.TOO_MANY
    )


def not_indexed(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex"
    return response


def _limits(name: str, asker: str, known_phone: str) -> list[tuple[RateLimit, str]]:
    """Return each rate limit of a login attempt with the key of its counter.

    `asker` is the client's key (`games.common.network.client_key`). The limit of the name comes first, so
    that guesses at one name do not keep out others at the same address. A phone where this name signed out
    (`known_phone`, its session key) has a counter of its own: otherwise guesses from elsewhere, or by others
    at its address, could lock out the owner.
    """
    if known_phone:
        return [(PHONE_LIMIT, known_phone)]
    return [
        (NAME_AT_ADDRESS_LIMIT, f"{asker} {name}"),
        (ADDRESS_SHORT_LIMIT, asker),
        (ADDRESS_LIMIT, asker),
        (NAME_LIMIT, name),
    ]


def _find_exceeded(counted: list[tuple[RateLimit, str]]) -> RateLimit | None:
    """Count an attempt against these limits. Return the first one that it exceeds, or None."""
    for place, (limit, who) in enumerate(counted):
        if not limit.hit(who):
            for other, whose in counted[:place]:
                other.refund(whose)
            return limit
    return None


SPENT, SPENT_AT_ADDRESS = "spent", "spent here"


class LoginForm(AuthenticationForm):
    """Django's login form with our messages, and with rate limits on failed logins."""

    error_messages = {
        "invalid_login": gettext_lazy("Wrong name or password."),
        SPENT: gettext_lazy("Too many attempts with this name. Wait %(minutes)s minutes, then try again."),
        SPENT_AT_ADDRESS: gettext_lazy("Too many attempts. Wait %(minutes)s minutes, then try again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.pop("autofocus", None)  # a keyboard would hide the page

    def clean(self) -> dict[str, Any]:
        if self.errors:  # an incomplete form is no login attempt
            return self.cleaned_data
        assert self.request is not None
        self.cleaned_data["username"] = _as_registered(self.cleaned_data["username"])
        name, session = self.cleaned_data["username"], self.request.session
        is_known = User.objects.filter(username=name, pk=session.get(SIGNED_OUT, 0)).exists()
        phone = (session.session_key or "") if is_known else ""
        counted = _limits(name, network.client_key(self.request.META["REMOTE_ADDR"]), phone)
        # Count the attempt before the slow password check; otherwise parallel attempts would pass uncounted.
        spent = _find_exceeded(counted)
        if spent:
            message = self.error_messages[
                SPENT if spent not in (ADDRESS_SHORT_LIMIT, ADDRESS_LIMIT) else SPENT_AT_ADDRESS
            ]
            raise ValidationError(message, code=SPENT, params={"minutes": spent.minutes})
        super().clean()
        for limit, who in counted:
            if limit is NAME_AT_ADDRESS_LIMIT:
                limit.forget(who)
            else:
                limit.refund(who)
        return self.cleaned_data


def _as_registered(name: str) -> str:
    """Return the user name as registered if exactly one matches the typed one, ignoring case.

    Otherwise return the typed one.
    """
    names = list(users.with_username(name).values_list("username", flat=True))
    return names[0] if len(names) == 1 else name


class LoginPage(LoginView):
    """Django's login view, with an error status for a failed login."""

    authentication_form = LoginForm
    template_name = "tables/login.html"
    next_page = "home"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(**context, **_guest_context(self.request))

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        return sign_in(self.request, form.get_user(), redirect(self.get_success_url()))

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = (
            request_handling.TOO_MANY
            if form.has_error(NON_FIELD_ERRORS, SPENT)
            else request_handling.UNPROCESSABLE
        )
        return response


@dataclass(frozen=True)
class TableChoice:
    """A table of this phone's guest, which comes along to another user if it is ticked."""

    access: Access
    role_label: str
    is_ticked: bool


def _guest_context(request: HttpRequest) -> dict[str, object]:
    """Return the choice of the tables of the guest who is here; [] for other users.

    A refused form keeps its ticks.
    """
    guest = guests.as_guest(request.user)
    accesses = guest.accesses.valid().filter(table__erased_at=None) if guest else Access.objects.none()
    ticked = _ticked_accesses(request)
    return {
        "here": [
            TableChoice(access, phone_labels.access_label(access), access.pk in ticked)
            for access in accesses.select_related("table").order_by("table__name", "table")
        ],
        "parked_days": parked_sessions.LIFETIME.days,
    }


def _ticked_accesses(request: HttpRequest) -> Collection[int]:
    return {request_handling.parse_pk(text) for text in request.POST.getlist("along")}


def sign_in(request: HttpRequest, user: User, response: HttpResponse) -> HttpResponse:
    """Sign this user in, and return `response`, a redirect, with a notice that they are.

    If a guest is here, the tables that they ticked pass to the user, and nothing else. The guest's session is
    parked, unless all their tables came along. The session of any other user here ends.
    """
    guest = guests.as_guest(request.user)
    tables: Collection[Table] = ()
    has_more = False
    with transaction.atomic():
        parked = parked_sessions.load(request, for_update=True)
        keys = [session.key for session in parked if session.guest != user]
        own = next((session for session in parked if session.guest == user), None)
        if own is not None:
            parked_sessions.mark_used(request, own)
        if guest and guest != user:
            tables = guests.move_tables(guest, user, _ticked_accesses(request))
            has_more = guests.has_access(guest)
            if has_more or not tables:
                keys.append(parked_sessions.park(request))
            else:
                devices.delete_current(request)
        elif isinstance(request.user, User) and request.user != user:
            locks.bump_revisions(request.user)
        login(request, user)
        devices.drop_oldest(user)
    if guest and tables:
        request.session[users.WAS_GUEST] = guests.entries_mark(guest, tables, has_more=has_more)
    if own is not None:
        request.session[parked_sessions.REPLACES] = own.key
    if keys or parked:
        parked_sessions.set_cookie(response, keys)
    act = "parked" if has_more and own is None else "in"
    return request_handling.flash(request, response, act, users.display_name(user))


class LogoutPage(LogoutView):
    """Django's logout view. Guests stay signed in, because they could not sign in again."""

    next_page = "home"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = request.user
        if not isinstance(user, User) or guests.as_guest(user):
            return redirect("home")
        with transaction.atomic():
            devices.delete_current(request)
            locks.bump_revisions(user)  # otherwise a copied cookie could go on polling with a ticket
            response = request_handling.flash(request, super().post(request, *args, **kwargs), "out")
        request.session[SIGNED_OUT] = user.pk
        return response


@request_handling.require_form
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show which user a link signs in. Only its button, a POST, signs in.

    Users do not use up their own link on a phone where they are signed in already.
    """
    link = links.find_sign_in(token)
    is_here = link is not None and link.made_by is not None and link.user == request.user
    if request.method == "POST" and not is_here:
        return _use(request, token)
    if link is None:
        return refuse_link(request)
    assert link.user is not None
    other = request.user if isinstance(request.user, User) and request.user != link.user else None
    context = {
        "name": users.display_name(link.user),
        "is_here": is_here,
        "sets_password": link.made_by is None,
        "other": other,
        "other_name": _name_here(other) if other else "",
        **(_guest_context(request) if other else {}),
        "made_ago": _ago_label(link.made_at),
        "key": guests.issue_form_key(request),
    }
    status = request_handling.CONFLICT if request.method == "POST" else 200
    return not_indexed(render(request, "tables/sign_in_link.html", context, status=status))


def _name_here(user: User) -> str:
    """Return the user name of a registered user, or a guest's name; "" for a guest without one."""
    return users.display_name(user) if guests.as_guest(user) else user.get_username()


def _ago_label(moment: datetime) -> str:
    """Return how long ago this moment of the last hour was."""
    minutes = int((now() - moment).total_seconds() // 60)
    return (
        ngettext("%(count)s minute ago", "%(count)s minutes ago", minutes) % {"count": minutes}
        if minutes
        else gettext("just now")
    )


def _use(request: HttpRequest, token: str) -> HttpResponse:
    key = request_handling.form_key(request)
    try:
        link = links.redeem_sign_in(token, key=key if guests.is_valid_form_key(request, key) else "")
    except InvalidLink:
        return refuse_link(request)
    assert link.user is not None
    is_operators = link.made_by is None
    response = sign_in(request, link.user, redirect("yours" if is_operators else "home"))
    if is_operators:
        links.allow_password_reset(request.session)
    return response


def refuse_link(request: HttpRequest) -> HttpResponse:
    """Answer an invalid link, without revealing why it is invalid or whose it was."""
    if not WRONG_LINK_LIMIT.hit(network.client_key(request.META["REMOTE_ADDR"])):
        return too_many(request, WRONG_LINK_LIMIT)
    context = {"gone": True}
    return not_indexed(render(request, "tables/sign_in_link.html", context, status=request_handling.MISSING))
