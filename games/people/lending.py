"""Lending a guest's phone: another user (the borrower) signs in and out, and the guest is signed in again.

A guest is identified only by the session, so the guest's session must not be lost: it stays on the server.
A second session row, the loan, has the keys of the guest's and the borrower's sessions. The phone gets a
signed cookie with the key of the loan, but without the keys of the two sessions. On another phone, a copy of
the cookie is useless while the borrower's session lasts: the loan is only found from the borrower's own
session, or after that session ended without a sign-out, for example because of a password change elsewhere.
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
OWNERS, BORROWERS = "owners", "borrowers"  # variables of a loan: the keys of both sessions
ENDED = "ended"  # a variable of a loan: set if the borrower has signed out
UNDER = "lent_under"  # a variable of the borrower's session: the key of the loan
ENDING = timedelta(minutes=1)  # the time for which an ended loan is kept, in case of a repeated tap


def loan_of(request: HttpRequest) -> SessionBase | None:
    """Return the loan of the phone that sends this request.

    Return None if the phone is not lent, or if the guest's session has ended meanwhile.
    """
    key = request.get_signed_cookie(COOKIE, default=None, salt=SALT, max_age=settings.SESSION_COOKIE_AGE)
    if not key:
        return None
    loan = _session(request, str(key))
    if SESSION_KEY not in _session(request, loan.get(OWNERS)):  # the guest's session has ended
        return None
    if request.session.get(UNDER) == key:
        return loan
    if ENDED in loan:  # a repeated tap still sends the borrower's cookie
        return loan if request.COOKIES.get(settings.SESSION_COOKIE_NAME) == loan.get(BORROWERS) else None
    is_over = _session(request, loan.get(BORROWERS)).get(UNDER) != key
    return loan if is_over else None


def put_aside(request: HttpRequest) -> SessionBase:
    """Start a loan: set the guest's session aside and give the request an empty one.

    Return the loan, which is not saved yet: `hand` saves it.
    """
    loan = _session(request)
    loan[OWNERS] = request.session.session_key
    request.session.save()  # renews the session's expiry
    request.session = _session(request)
    return loan


def hand(request: HttpRequest, response: HttpResponseBase, loan: SessionBase) -> None:
    """Save the loan and set the loan's cookie. Call this after the borrower has signed in."""
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
    """End the loan and sign in the guest who owns the phone again.

    Return the guest, or None if the guest's session has ended.
    """
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
    """Keep the borrower's session, without a user, for a moment.

    If the session did not exist, Django would answer a late request of the borrower by deleting the session
    cookie. At that time the cookie already holds the guest's session.
    """
    trace = _session(request, loan.get(BORROWERS))
    trace.clear()
    trace[ENDED] = True
    trace.set_expiry(ENDING)
    with suppress(CreateError):  # a repeated tap has created it already
        trace.save(must_create=True)


def _session(request: HttpRequest, key: str | None = None) -> SessionBase:
    return type(request.session)(key)
