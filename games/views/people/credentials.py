"""The user's credentials: name and password for a guest, a new password for other users."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.people.devices import sign_out_elsewhere
from games.people.guests import GUEST
from games.people.lending import hand, loan_of
from games.people.sign_in_links import drop_links, forbid_new_password, may_set_password
from games.people.tries import Tries
from games.people.users import DELETED, called
from games.views.common.known import remember
from games.views.common.recording import TOO_MANY, UNPROCESSABLE

TRIES = 10
ATTEMPTS = Tries("credentials", most=TRIES, window=15 * 60)
TAKEN = gettext_lazy("This name is taken: choose another one.")
BLANKS = gettext_lazy("A name can have letters, digits and @ . + - _, but no spaces.")
LONGEST = 150  # letters of a user name, the limit of Django's user model
SPENT = gettext_lazy("Too many attempts. Wait %(minutes)s minutes, then try again.")


class OfUser(forms.Form):
    """An HTML form about the user's own account; it is given the user when it is made."""

    def __init__(self, user: User, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.user = user


class AsksCurrent(OfUser):
    """An HTML form that asks for the present password."""

    current = forms.CharField(strip=False)

    def clean_current(self) -> str:
        """Return the present password; refuse a wrong one."""
        old: str = self.cleaned_data["current"]
        if not self.user.check_password(old):
            raise ValidationError(gettext_lazy("The current password is not right."))
        return old


class NewPassword(OfUser):
    """An HTML form for a new password, validated for this user."""

    password = forms.CharField(strip=False)

    def clean_password(self) -> str:
        """Return the password; refuse one that is too short, too common or too similar to the user name."""
        password: str = self.cleaned_data["password"]
        validate_password(password, User(username=self.cleaned_data.get("username", self.user.username)))
        return password

    def save(self) -> None:
        """Store user name and password; raise IntegrityError if another user took the name meanwhile."""
        self.user.username = self.cleaned_data.get("username", self.user.username)
        self.user.set_password(self.cleaned_data["password"])
        self.user.save(update_fields=["username", "password"])


class FirstCredentials(NewPassword):
    """The HTML form for a guest's first user name and password."""

    field_order = ("username", "password")
    username = UsernameField(
        max_length=LONGEST, validators=[RegexValidator(User.username_validator.regex, BLANKS)]
    )

    def clean_username(self) -> str:
        """Return the user name.

        Refuse a name that is taken, ignoring case. Refuse also a name that begins with `guest-` or
        `deleted-`, because the app gives such names to guests and deleted accounts.
        """
        name: str = self.cleaned_data["username"]
        if name.lower().startswith((GUEST, DELETED)) or called(name).exclude(pk=self.user.pk).exists():
            raise ValidationError(TAKEN)
        return name


class ChangedPassword(NewPassword, AsksCurrent):
    """The HTML form for a new password, which also asks for the present one."""


@sensitive_post_parameters("password", "current")
@require_http_methods(["GET", "HEAD", "POST"])
def credentials(request: HttpRequest) -> HttpResponse:
    """Show and store the credentials. This phone stays signed in; all other sessions end."""
    if not isinstance(request.user, User):
        return redirect("login")
    user = request.user
    kind = _form_for(request, user)
    if request.method != "POST":
        return _show(request, kind(user))
    form = kind(user, request.POST)
    if not ATTEMPTS.take(str(user.pk)):
        return _show(request, form, general=SPENT % {"minutes": ATTEMPTS.minutes}, status=TOO_MANY)
    if not form.is_valid():
        return _show(request, form, errors=form.errors, status=UNPROCESSABLE)
    try:
        with transaction.atomic():
            form.save()
    except IntegrityError:  # another user took the name at the same moment
        form.add_error("username", TAKEN)
        return _show(request, form, errors=form.errors, status=UNPROCESSABLE)
    ATTEMPTS.forget(str(user.pk))
    drop_links(user)
    forbid_new_password(request.session)
    return _stay(request, user, ended=kind is not FirstCredentials)


def _form_for(request: HttpRequest, user: User) -> type[NewPassword]:
    """Return the form that this user fills in. A phone that used a sign-in link needs no old password."""
    if not user.has_usable_password():
        return FirstCredentials
    return NewPassword if may_set_password(request.session) else ChangedPassword


def _stay(request: HttpRequest, user: User, *, ended: bool) -> HttpResponse:
    """Keep this phone signed in and end all other sessions.

    Redirect to the home page; with `ended`, to the list of devices, which says that other sessions ended.
    """
    loan, before = loan_of(request), request.session.session_key
    response = redirect(f"{reverse('devices')}?ended=elsewhere" if ended else "home")
    update_session_auth_hash(request, user)
    sign_out_elsewhere(request, user, before=before)
    remember(response, user.get_username())
    if loan is not None:
        hand(request, response, loan)  # the loan is bound to the session key, which has changed
    return response


def _show(
    request: HttpRequest,
    form: NewPassword,
    *,
    errors: Mapping[str, object] | None = None,
    general: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "changes": not isinstance(form, FirstCredentials),
        "asks_current": isinstance(form, ChangedPassword),
        "typed": form.data.get("username", ""),
        "longest": LONGEST,
        "errors": errors or {},
        "general": general,
    }
    return render(request, "games/people/credentials.html", context, status=status)
