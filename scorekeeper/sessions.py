"""Django's sessions in the database, but a request that only reads does without what cannot be written at once."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from django.contrib.auth.models import User
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Subquery
from django.utils.timezone import now

from games.common import db_errors, locks
from games.models import Device, Vouch


class SessionStore(db.SessionStore):
    """A session. The class has Django's name, because the signature of a stored session contains it."""

    is_reading = False  # whether the request only reads; the middleware sets it
    # Read with the session, if its device is stored: its user, and whether others said something about their phones.
    user: User | None = None
    has_vouches: bool | None = None

    def _get_session_from_db(self) -> Session | None:
        """Return the stored session, read from its device together with its user: each request needs both.

        A new session has no device until its first page.
        """
        live = Session.objects.filter(expire_date__gt=now())
        vouches = Vouch.objects.filter(access__table__accesses__user=OuterRef("user"))
        device: Any = (
            Device.objects.filter(session_key=self.session_key)
            .select_related("user")
            .annotate(
                session_data=Subquery(live.filter(pk=OuterRef("session_key")).values("session_data")),
                has_vouches=Exists(vouches),
            )
            .first()
        )
        if device is None:
            session = live.filter(pk=self.session_key).first()
        elif device.session_data is None:
            session = None
        else:
            self.user, self.has_vouches = device.user, device.has_vouches
            session = Session(pk=device.session_key, session_data=device.session_data)
        if session is None:
            self._session_key = None
        return session

    def save(self, must_create: bool = False) -> None:
        """Save the session; in a reading request, raise OperationalError instead of waiting for the lock.

        Raise the failure of the database that Django would mistake for a deleted session.
        """
        with locks.without_waiting() if self.is_reading else nullcontext():
            try:
                super().save(must_create)
            except UpdateError as error:
                fault = error.__context__
                if fault is None or not db_errors.is_database_failure(fault):
                    raise
                raise fault from fault.__cause__

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session. A reading request leaves that to the next one if it cannot be done at once.

        Django deletes a session when it finds that its user's password has changed.
        """
        if self.is_reading:
            locks.attempt(lambda: super(SessionStore, self).delete(session_key))
        else:
            super().delete(session_key)
