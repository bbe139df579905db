"""A borrowed phone: somebody signs in on a guest's, plays as himself, and signs out; then it is the guest's again.

A guest is whoever holds the session, so hers must not be lost. It stays on the server as it is. A second row, the loan,
names it and the session of who borrows; the phone is given a signed cookie that names the loan, and neither session.
A copy of that cookie opens nothing on another phone: the loan ends from the borrower's own session, or where that is
over without a sign-out, as after a new password elsewhere.
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
ENDED = "ended"  # in a loan: that who borrowed has signed out
UNDER = "lent_under"  # in the borrower's session: the key of the loan
ENDING = timedelta(minutes=1)  # how long a loan that has ended answers a tap repeated


def loan_of(request: HttpRequest) -> SessionBase | None:
    """The loan under which this phone is used, None where it is nobody else's."""
    key = request.get_signed_cookie(COOKIE, default=None, salt=SALT, max_age=settings.SESSION_COOKIE_AGE)
    if not key:
        return None
    loan = _session(request, str(key))
    if SESSION_KEY not in _session(request, loan.get(OWNERS)):  # nobody would be back
        return None
    if request.session.get(UNDER) == key:
        return loan
    if ENDED in loan:  # a tap repeated still has the borrower's cookie
        return loan if request.COOKIES.get(settings.SESSION_COOKIE_NAME) == loan.get(BORROWERS) else None
    is_over = _session(request, loan.get(BORROWERS)).get(UNDER) != key
    return loan if is_over else None


def put_aside(request: HttpRequest) -> SessionBase:
    """The loan of a phone whose guest's session is put aside; whoever signs in now begins with an empty one."""
    loan = _session(request)
    loan[OWNERS] = request.session.session_key
    request.session.save()  # whose life begins anew
    request.session = _session(request)
    return loan


def hand(request: HttpRequest, response: HttpResponseBase, loan: SessionBase) -> None:
    """Lends the phone to whoever has just signed in on it."""
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
    """Whose phone it is, signed in again; None where her session is over or her password another one by now."""
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
    request.session.modified = True  # so that the phone is told its key
    return user


def _leave_a_trace(request: HttpRequest, loan: SessionBase) -> None:
    """Keeps the borrower's session for a moment, with nobody in it.

    The answer to a late request of his would delete the cookie of a session that is gone, and so the guest's.
    """
    trace = _session(request, loan.get(BORROWERS))
    trace.clear()
    trace[ENDED] = True
    trace.set_expiry(ENDING)
    with suppress(CreateError):  # a tap repeated has left it already
        trace.save(must_create=True)


def _session(request: HttpRequest, key: str | None = None) -> SessionBase:
    return type(request.session)(key)
