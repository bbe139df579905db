"""*Tu cuenta*: the page about the user's own account, and its forms."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm, UserCreationForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from games.common import naming, request_handling
from games.common.rate_limits import RateLimit
from games.models import ERASING_DAYS, UNUSED_DAYS, Role
from games.scoring.errors import RuleError
from games.tables.forms import TokenForm
from games.tables.presenters import parked_guests, phone_labels, site_info
from games.tables.services import (
    authorization,
    devices,
    erasure,
    guests,
    links,
    parked_sessions,
    tokens,
    users,
)
from games.tables.views.login import sign_in

MOST_NAMED = 3  # tables that the page names
ATTEMPT_LIMIT = RateLimit("credentials", most=10)
WRONG = gettext_lazy("The current password is wrong.")
UNEQUAL = gettext_lazy("The two password fields didn’t match.")  # Django's, whose Spanish lacks an accent
TAKEN = gettext_lazy("This name is taken: choose another one.")
SPENT = gettext_lazy("Too many attempts. Wait %(minutes)s minutes, then try again.")

if TYPE_CHECKING:  # these forms are generic only for the type checker
    PasswordForm = UserCreationForm[User] | SetPasswordForm[User]


class FirstPasswordForm(UserCreationForm):  # type: ignore[type-arg]
    """Django's form for a new user, here for a guest. It refuses the names of guests and deleted accounts."""

    def clean_username(self) -> str:
        name: str | None = super().clean_username()  # None if it is taken
        if name and name.lower().startswith((guests.USERNAME_PREFIX, users.DELETED_PREFIX)):
            raise ValidationError(TAKEN)
        return name or ""


class NewPasswordForm(PasswordChangeForm):
    """Django's password change form, with the messages of the page's other forms."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "password_incorrect": WRONG,
        "password_mismatch": UNEQUAL,
    }


@require_safe
def yours(request: HttpRequest) -> HttpResponse:
    """Show the account page. Anonymous visitors see only its part about privacy."""
    return _render(request)


@sensitive_post_parameters()
@require_POST
def credentials(request: HttpRequest) -> HttpResponse:
    """Store a guest's user name and password, or a new password. All other sessions of the user end."""
    if not isinstance(request.user, User):
        return redirect("login")
    user, is_first = request.user, not request.user.has_usable_password()
    form = _password_form(request, user, request.POST)
    if not ATTEMPT_LIMIT.hit(str(user.pk)):
        form.add_error(None, SPENT % {"minutes": ATTEMPT_LIMIT.minutes})
        return _render(request, form=form, status=request_handling.TOO_MANY)
    if not form.is_valid() or not _is_saved(request, form, user):
        user.refresh_from_db()  # validation has changed the instance
        return _render(request, form=form, status=request_handling.UNPROCESSABLE)
    ATTEMPT_LIMIT.forget(str(user.pk))
    user.sign_in_links.revoke()
    links.end_password_reset(request.session)
    act, page = ("named", "home") if is_first else ("password", "yours")
    return request_handling.redirect_with_notice(request, act, page)


@require_POST
def end_device(request: HttpRequest, device: int) -> HttpResponse:
    """End the session of another device of this user. The current session ends only by signing out."""
    if not isinstance(request.user, User):
        return redirect("login")
    others = request.user.devices.exclude(session_key=request.session.session_key)
    device_row = others.filter(pk=device).first()
    if device_row is not None:  # None after a repeated tap: the session has already ended
        devices.sign_out(device_row)
    return redirect(f"{reverse('yours')}#devices")


@require_POST
def link_for_phone(request: HttpRequest) -> HttpResponse:
    """Create a sign-in link for another phone of this user and show it once."""
    if not isinstance(request.user, User):
        return redirect("login")
    token = links.create_sign_in(request.user)
    return _render(request, link=request_handling.url_for_phone(request, "sign-in-link", token))


@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """Create a token for a program and show its secret once."""
    if not isinstance(request.user, User):
        return redirect("login")
    form = TokenForm(guests.accessible_tables(request.user), data=request.POST)
    if form.is_valid():
        try:
            token, secret = tokens.create(request.user, **form.cleaned_data)
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            return _render(request, made=token, secret=secret)
    return _render(request, token_form=form, status=request_handling.UNPROCESSABLE)


@require_POST
def revoke_token(request: HttpRequest, token: int) -> HttpResponse:
    """Revoke a token of this user. Nothing happens if it is somebody else's or does not exist."""
    if not isinstance(request.user, User):
        return redirect("login")
    request.user.tokens.filter(pk=token).revoke()
    return redirect(f"{reverse('yours')}#programs")


@sensitive_post_parameters("current")
@require_POST
def delete_account(request: HttpRequest) -> HttpResponse:
    """Delete the account once its password or a word is typed. The only owner of a table is refused."""
    if not isinstance(request.user, User):
        return redirect("login")
    user = request.user
    if not ATTEMPT_LIMIT.hit(str(user.pk)):
        return _render(
            request, unsure=str(SPENT % {"minutes": ATTEMPT_LIMIT.minutes}), status=request_handling.TOO_MANY
        )
    unsure = _confirmation_error(request, user)
    if unsure:
        return _render(request, unsure=unsure, status=request_handling.UNPROCESSABLE)
    try:
        erasure.delete_account(user)
    except erasure.SoleOwner:
        return _render(request, refused_alone=True, status=request_handling.CONFLICT)
    logout(request)
    return _render(request, is_deleted=True)


@require_POST
def sign_in_again(request: HttpRequest, guest: str) -> HttpResponse:
    """Sign in the guest with this mark, whose session is parked on this phone."""
    if isinstance(request.user, User) and guest == users.opaque_id(request.user):
        return redirect("home")  # a repeated tap: the guest is here already
    with transaction.atomic():
        parked = parked_sessions.load(request, for_update=True)
        own = next((session for session in parked if users.opaque_id(session.guest) == guest), None)
        if own is not None:
            return sign_in(request, own.guest, redirect("home"))
    return _render(request, is_gone=True, status=request_handling.CONFLICT)


def _password_form(request: HttpRequest, user: User, data: QueryDict | None = None) -> PasswordForm:
    """Return the user's password form. After an operator's sign-in link, it needs no old password."""
    form: PasswordForm
    if not user.has_usable_password():
        # not the generated user name of the guest
        form = FirstPasswordForm(data, instance=user, initial={"username": ""})
    else:
        form = (SetPasswordForm if links.can_reset_password(request.session) else NewPasswordForm)(user, data)
    if "old_password" in form.fields:
        form.fields["old_password"].label = gettext_lazy("Current password")
    for field in form.fields.values():
        field.help_text = ""  # the page has a shorter text
        field.widget.attrs.pop("autofocus", None)  # a keyboard would hide the page
    return form


def _is_saved(request: HttpRequest, form: PasswordForm, user: User) -> bool:
    """Store a valid form and end all other sessions of the user.

    If another user took the name at this moment, add the error and return False.
    """
    before = request.session.session_key
    try:
        with transaction.atomic():
            form.save()
            update_session_auth_hash(request, user)
            devices.sign_out_elsewhere(request, user, before=before)
    except IntegrityError:
        form.add_error("username", TAKEN)
        return False
    return True


def _confirmation_error(request: HttpRequest, user: User) -> str:
    if user.has_usable_password():
        is_right = user.check_password(request.POST.get("current", ""))
        return "" if is_right else str(WRONG)
    is_right = request.POST.get("word", "").strip().casefold() == _("delete").casefold()
    return "" if is_right else _("Type the word “%(word)s”.") % {"word": _("delete")}


def _render(
    request: HttpRequest, *, form: PasswordForm | None = None, status: int = 200, **done: Any
) -> HttpResponse:
    """Return the page. `form` is a refused form, and `done` are variables about what a button did."""
    user = request.user
    context = {
        "languages": settings.LANGUAGES,
        "release": settings.RELEASE,
        **site_info.operator_contact(),
        "erasing_days": ERASING_DAYS,
        "unused_days": UNUSED_DAYS,
        "session_days": timedelta(seconds=settings.SESSION_COOKIE_AGE).days,
        "parked_guests": parked_guests.list_items(request),
        "is_gone": False,
        **(_user_context(request, user, form, **done) if isinstance(user, User) else done),
    }
    return render(request, "tables/yours.html", context, status=status)


def _tables_sentence(user: User) -> str:
    """Return how many tables the user has, and which of them they own."""
    accesses = user.accesses.valid().filter(table__erased_at=None).select_related("table").order_by("pk")
    owned = [access.table.name for access in accesses if access.role == Role.OWNER]
    count = len(accesses)
    sentence = ngettext("%(count)s table", "%(count)s tables", count) % {"count": count}
    if not owned:
        return sentence
    return f"{sentence} · {_('owner of %(names)s') % {'names': naming.join_names(owned[:MOST_NAMED])}}"


def _user_context(request: HttpRequest, user: User, form: PasswordForm | None, **done: Any) -> dict[str, Any]:
    if not devices.is_recorded(request):  # this is the first page of the session
        request_handling.note(request, lambda: devices.record(request))
    this = request.session.session_key
    return {
        "form": form or _password_form(request, user),
        "devices": [
            (device, phone_labels.device_label(device))
            for device in sorted(devices.list_devices(user), key=lambda device: device.session_key != this)
        ],
        "this": this,
        "language_name": dict(settings.LANGUAGES).get(get_language() or "", ""),
        "tables_sentence": _tables_sentence(user),
        "is_password_open": form is not None
        or not user.has_usable_password()
        or links.can_reset_password(request.session),
        "changed": bool(request_handling.pop_notice(request, "password")[0]),
        "is_parked": bool(request_handling.pop_notice(request, "parked")[0]),
        "programs": user.tokens.valid().select_related("table"),
        "token_form": TokenForm(guests.accessible_tables(user)),
        "owned_alone": authorization.solely_owned_tables(user),
        "word": _("delete"),
        **done,
    }
