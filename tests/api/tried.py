"""The API for schemathesis: its description, the application in this process, and users who send requests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck

from games.api.common.schema import openapi

CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
    *("unsupported_method", "allow_header_conformance"),
)
# The seed and settings are the same in every run.
HOW: dict[str, Any] = {
    **{"deadline": None, "database": None, "derandomize": True},
    "suppress_health_check": list(HealthCheck),
}


def described_api() -> Any:
    """Return schemathesis' schema of the API, bound to the program in this process."""
    import schemathesis

    from scorekeeper.wsgi import application

    described = schemathesis.openapi.from_dict(openapi())
    described.app = application
    return described


def wanted_checks() -> Any:
    """Return schemathesis' checks: no server error, no undescribed status, no response of another shape."""
    import schemathesis

    schemathesis.checks.load_all_checks()
    return schemathesis.checks.CHECKS.get_by_names(CHECKS)


def session_of(user: User) -> dict[str, str]:
    """Return the cookies of a new session of this user, the one with the CSRF token included."""
    client = Client()
    client.force_login(user)
    client.get("/")  # this response sets the CSRF cookie
    return {name: client.cookies[name].value for name in ("csrftoken", "sessionid")}


@contextmanager
def kept_open() -> Iterator[None]:
    """Keep the database connection open during the `with` block, although requests close it at their end.

    The connection holds the test's transaction. A test signs in with Django's client before the block,
    because that client connects the signals again that are disconnected here.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
