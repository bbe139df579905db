"""Operations refuse parameters of the address, and fields of the body, that they do not know."""

from __future__ import annotations

import pytest

from games.api.common.schema import openapi

pytestmark = pytest.mark.django_db

# These need no user; the options of a game are parameters.
RULES_ALONE = {"variants", "variant", "rules", "hand", "contract", "score"}


def operations():
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            if operation["operationId"] not in RULES_ALONE:
                yield operation["operationId"], method, path


ALL = sorted(operations())


def test_an_operation_refuses_an_unknown_parameter_and_names_it(by_token, address):
    for operation, method, path in ALL:
        answer = getattr(by_token, method)(f"{address(path)}?another=1")
        if answer.status_code != 403:  # needs a session
            assert (400, "bad_request", "another") == whole(answer), operation
            assert "“another” is unknown here." == answer.json()["detail"]


def test_an_operation_accepts_every_described_parameter(by_token, address):
    for _operation, method, path in ALL:
        for part in openapi()["paths"][path][method].get("parameters", ()):
            if part["in"] == "query":
                answer = getattr(by_token, method)(f"{address(path)}?{part['name']}=x")
                assert b"is unknown here" not in answer.content, (path, part["name"])


def whole(answer):
    """Return the status, code and field of a problem."""
    return answer.status_code, answer.json()["code"], answer.json().get("field")


def test_a_cors_preflight_request_with_an_unknown_parameter_succeeds(by_token, table):
    assert 204 == by_token.options(f"/api/v1/tables/{table.code}/games/?another=1").status_code
