"""A lent phone: another user signs in on a guest's phone, plays, and signs out; then the guest is signed in
again.

A guest is known only by the session, so it must not be lost. It stays on the server unchanged. A second
session row, the loan, names the guest's session and the borrower's. The phone gets a signed cookie that names
the loan and neither session. A copy of that cookie opens nothing on another phone: a loan ends from the
borrower's own session, or after that session ended without a sign-out, for example because of a password
change elsewhere.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import CreateError, SessionBase
from django.http import HttpRequest, HttpResponseBase
from django.middleware.csrf import rotate_token

COOKIE = "lent"
SALT = "games.people.lending"
OWNERS, BORROWERS = "owners", "borrowers"  # in a loan: the keys of the two sessions
ENDED = "ended"  # in a loan: the borrower has signed out
UNDER = "lent_under"  # in the borrower's session: the key of the loan
ENDING = timedelta(minutes=1)  # how long an ended loan still answers a repeated tap


def loan_of(request: HttpRequest) -> SessionBase | None:
    """Return the loan this phone is used under, or None if it is not lent."""
    key = request.get_signed_cookie(COOKIE, default=None, salt=SALT, max_age=settings.SESSION_COOKIE_AGE)
    if not key:
        return None
    loan = _session(request, str(key))
    if SESSION_KEY not in _session(request, loan.get(OWNERS)):  # the guest's session is over
        return None
    if request.session.get(UNDER) == key:
        return loan
    if ENDED in loan:  # a repeated tap still sends the borrower's cookie
        return loan if request.COOKIES.get(settings.SESSION_COOKIE_NAME) == loan.get(BORROWERS) else None
    is_over = _session(request, loan.get(BORROWERS)).get(UNDER) != key
    return loan if is_over else None


def put_aside(request: HttpRequest) -> SessionBase:
    """Start a loan: set the guest's session aside and give the request an empty one."""
    loan = _session(request)
    loan[OWNERS] = request.session.session_key
    request.session.save()  # renews its expiry
    request.session = _session(request)
    return loan


def hand(request: HttpRequest, response: HttpResponseBase, loan: SessionBase) -> None:
    """Record the loan and set its cookie after the borrower has signed in."""
    if loan.session_key is None:
        loan.create()
    request.session[UNDER] = loan.session_key
    request.session.save()
    loan[BORROWERS] = request.session.session_key
    loan.save()
    response.set_signed_cookie(
        COOKIE,
        str(loan.session_key),
        salt=SALT,
        max_age=settings.SESSION_COOKIE_AGE,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def give_back(request: HttpRequest, loan: SessionBase) -> User | None:
    """Sign the phone's guest in again. Return None if their session is over or their password has changed."""
    loan[ENDED] = True
    loan.set_expiry(ENDING)
    loan.save()
    request.session.flush()
    _leave_a_trace(request, loan)
    request.session = _session(request, loan[OWNERS])
    user = get_user(request)
    request.user = user if isinstance(user, User) else AnonymousUser()
    rotate_token(request)
    if not isinstance(user, User):
        return None
    request.session.modified = True  # so that the response sets the session cookie
    return user


def _leave_a_trace(request: HttpRequest, loan: SessionBase) -> None:
    """Keep the borrower's session for a moment, without a user.

    Without it, the response to a late request of the borrower would delete the session cookie, and with it
    the guest's.
    """
    trace = _session(request, loan.get(BORROWERS))
    trace.clear()
    trace[ENDED] = True
    trace.set_expiry(ENDING)
    with suppress(CreateError):  # a repeated tap has created it already
        trace.save(must_create=True)


def _session(request: HttpRequest, key: str | None = None) -> SessionBase:
    return type(request.session)(key)
