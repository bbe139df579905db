"""A client of the API: the requests it sends and the responses it gets."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from games.tables.services import tokens
from tests.api.schema_checks import schema_errors


@dataclass(frozen=True)
class ApiResponse:
    status: int
    body: Any
    headers: Any

    @property
    def problem(self) -> tuple[int, str, str | None]:
        """The status, code and field of a problem. Asserts that it is complete."""
        assert "application/problem+json" == self.headers["Content-Type"]
        assert {"type", "status", "detail", "code"} <= self.body.keys()
        assert (self.status, f"/api/problems/#{self.body['code']}") == (
            self.body["status"],
            self.body["type"],
        )
        assert self.body["detail"]
        return self.status, self.body["code"], self.body.get("field")


class Program:
    """A client of the API that checks every response against the OpenAPI document."""

    def __init__(self, **headers: str) -> None:
        self.client = Client(headers={"accept-language": "en", **headers})

    def get(self, path: str, **headers: str) -> ApiResponse:
        return check_response(self.client.get(f"/api/v1/{path}", headers=headers))

    def post(
        self, path: str, body: Any, *, key: str = "k", method: str = "post", **headers: str
    ) -> ApiResponse:
        """Send a write, as JSON unless the body is already text or bytes."""
        content = body if isinstance(body, str | bytes) else json.dumps(body)
        headers = {"idempotency-key": key, "content-type": "application/json", **headers}
        kind = headers.pop("content-type")
        return check_response(
            getattr(self.client, method)(f"/api/v1/{path}", content, content_type=kind, headers=headers)
        )

    def patch(self, path: str, body: Any) -> ApiResponse:
        return self.post(path, body, method="patch")


def check_response(response: Any) -> ApiResponse:
    """Return the response. Assert that it matches the description of its operation."""
    kind, request = response.headers.get("Content-Type", ""), response.request
    is_json = kind.startswith("application/")
    body = json.loads(response.getvalue()) if is_json else response.getvalue().decode()
    if is_json:
        assert [] == schema_errors(
            request["REQUEST_METHOD"], request["PATH_INFO"], response.status_code, body
        )
    return ApiResponse(response.status_code, body, response.headers)


@pytest.fixture
def program_for(db):
    """`program_for(user)` returns a client with a token of this user."""

    def one(user, **limits):
        _token, secret = tokens.create(user, "bot", **limits)
        return Program(authorization=f"Bearer {secret}")

    return one


@pytest.fixture
def owner_program(program_for, owner, table):
    return program_for(owner)


@pytest.fixture
def nobody(db):
    """A client without a token."""
    return Program()


def round_data(closer, **hands):
    pairs = [[player, str(hand)] for player, hand in hands.items()]
    return {"kind": "round_played", "data": {"closer": closer, "closing": "out", "hands": pairs}}
