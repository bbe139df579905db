"""The moment at which the site gets an entry, which may be long after a phone or a program made it."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.timezone import now


def arrival() -> datetime | None:
    """Return the arrival time of an entry that is recorded now: the present moment.

    Return None in the app that a phone carries: its entries have not arrived yet.
    """
    return None if settings.IS_A_PHONE else now()
