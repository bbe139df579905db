"""A client of the API for the tests: the requests it sends and the responses it gets."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from tests.api.nulls import nulls_answered


@dataclass(frozen=True)
class Answered:
    """The status, body and headers of a response."""

    status: int
    body: Any
    headers: Any

    @property
    def problem(self) -> tuple[int, str, str]:
        """Return status, code and sentence of a problem; assert that it has a problem's type and members."""
        assert "application/problem+json" == self.headers["Content-Type"]
        assert (
            {"type", "title", "status", "detail", "code"}
            <= self.body.keys()
            <= {
                *("type", "title", "status", "detail", "code"),
                *(
                    "field",
                    "line",
                    "pointer",
                    "number",
                    "role",
                    "scope",
                    "table",
                    "version",
                    "after",
                    "since",
                ),
            }
        )
        assert (self.status, f"/api/#{self.body['code']}") == (self.body["status"], self.body["type"])
        assert self.body["title"]
        assert self.body["detail"]
        return self.status, self.body["code"], self.body["detail"]

    @property
    def place(self) -> dict[str, Any]:
        """Return the members of a problem that say where it is: field, line and number, if it has them."""
        return {name: self.body[name] for name in ("field", "line", "number") if name in self.body}


class Program:
    """A client of the API, in a user's session or in none."""

    def __init__(self, **options: Any) -> None:
        self.client = Client(**{"headers": {"accept-language": "en"}, **options})

    def write(self, path: str, body: Any, *, key: str, **headers: str) -> Answered:
        """Send a write with this idempotency key and return the response."""
        return self.post(path, body, headers={"idempotency-key": key, **headers})

    def get(self, path: str, **options: Any) -> Answered:
        return answered(self.client.get(f"/api/v1/{path}", **options))

    def post(self, path: str, body: Any, *, method: str = "post", **options: Any) -> Answered:
        """Send the body, as JSON unless it is text or bytes already, and return the response."""
        content = body if isinstance(body, str | bytes) else json.dumps(body)
        sent = {"content_type": "application/json", **options}
        return answered(getattr(self.client, method)(f"/api/v1/{path}", content, **sent))

    def patch(self, path: str, body: Any, **options: Any) -> Answered:
        """Send the fields to change by PATCH and return the response."""
        return self.post(path, body, method="patch", **options)


def answered(response: Any) -> Answered:
    """Return the response; assert that each null of it is described."""
    is_text = response.headers["Content-Type"].startswith("text/")
    body = response.content.decode() if is_text else json.loads(response.content)
    sent = response.request
    assert [] == nulls_answered(sent["REQUEST_METHOD"], sent["PATH_INFO"], response.status_code, body)
    return Answered(response.status_code, body, response.headers)


@pytest.fixture
def program():
    return Program()


@pytest.fixture
def program_for():
    """`program_for(user)` returns a client in the session of this user."""

    def one(user, **options):
        made = Program(**options)
        made.client.force_login(user)
        return made

    return one


@pytest.fixture
def program_of():
    """`program_of(language="es-AR")` returns a client without a session, with these options of Django's."""

    def one(*, language="en", **options):
        return Program(headers={"accept-language": language}, **options)

    return one


@pytest.fixture
def owning(program_for, owner):
    """Return a client in the session of the table's owner."""
    return program_for(owner)
