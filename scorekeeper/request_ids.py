"""The id of a request, which error pages, the log and the `X-Request-ID` header show."""

from __future__ import annotations

import secrets
from contextvars import ContextVar

BYTES = 4  # bytes of a request id, short enough to read out over the telephone

_id = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request that this thread handles or handled last; "" before the first request."""
    return _id.get()


def renew_request_id() -> None:
    """Set a new id for the request that this thread begins to handle."""
    _id.set(secrets.token_hex(BYTES))
