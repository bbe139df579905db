"""The described role and rate limits of each operation equal those of its endpoint."""

from __future__ import annotations

import json

import pytest
from django.db import transaction

from games.api.common.schema import openapi
from games.models import Role
from games.people.traffic import API_ADDRESS, API_COUNTING, API_USER
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db

# Values of the other parameters of addresses; a code is that of the table or the game.
PLACES = {
    **{"key": "chinchon", "night": "2026-06-20", "what": "payments", "member": "ana", "other": "beto"},
    **dict.fromkeys(("payment", "cost", "invitation", "grant", "removal", "device", "token", "season"), "1"),
}


@pytest.fixture
def programs(table, program_for, claims):
    """Return clients by their role at the table, weakest first."""
    programs = {}
    for name in ("witness", "member", "scorer"):
        user = make_user(name)
        let_in_as(user, table, Role.WITNESS if name == "member" else Role(name))
        programs[name] = program_for(claims(user, "ana") if name == "member" else user)
    return programs


def operations():
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def ask(program, method, address):
    """Return the status of the response and its body if it is a refusal; what it writes is taken back."""
    sent = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
    with transaction.atomic():
        response = getattr(program.client, method)(address, headers={"idempotency-key": "asked"}, **sent)
        transaction.set_rollback(True)
    return response.status_code, json.loads(response.content) if response.status_code >= 400 else {}


def lacks_the_role(program, method, address):
    """Return whether the endpoint answers that the role is too low."""
    status, body = ask(program, method, address)
    return status == 403 and "role" in body


def test_an_operation_outside_a_table_is_described_with_whether_it_requires_a_user(subtests, program):
    for path, method, operation in operations():
        if "{code}" in path:
            continue
        status, body = ask(program, method, path.format_map(PLACES))
        with subtests.test(operation=operation["operationId"]):
            needs_a_user = body.get("code") == "unauthenticated"
            assert ("user" if needs_a_user else None) == operation.get("x-role"), status


def test_each_operation_on_a_table_is_described_with_its_lowest_sufficient_role(
    subtests, game, table, programs
):
    for path, method, operation in operations():
        if "{code}" not in path:
            continue
        code = game.code if path.startswith("/api/v1/games/") else table.code
        address = path.format_map({**PLACES, "code": code})
        sufficient = [
            role for role, program in programs.items() if not lacks_the_role(program, method, address)
        ]
        with subtests.test(operation=operation["operationId"]):
            lowest = [*sufficient, "owner"][0]
            assert lowest == operation.get("x-role")


def test_each_operation_is_described_with_its_rate_limits():
    counted = {
        *("hand", "score", "preview", "export_table", "export_spreadsheet"),
        *("import_table", "preview_notebook", "take_notebook_over", "take_notebook_back"),
    }
    for _path, _method, operation in operations():
        most = {limit["kind"]: limit["most"] for limit in operation["x-limits"]}
        slow = operation["operationId"] in counted
        second = API_COUNTING if slow else API_ADDRESS

        assert {API_USER.kind: API_USER.most, second.kind: second.most} == most
