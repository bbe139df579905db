"""Django's sessions in the database, but a request that only reads does without what cannot be written at once."""

from __future__ import annotations

from contextlib import nullcontext

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError

from games.common import db_errors, locks


class SessionStore(db.SessionStore):
    """A session. The class has Django's name, because the signature of a stored session contains it."""

    is_reading = False  # whether the request only reads; the middleware sets it

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
