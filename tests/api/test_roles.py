"""The lowest role that suffices for each operation, and its rate limits: one table for all of them."""

from __future__ import annotations

import json

import pytest
from django.db import transaction

from games.api.common.limits import Counting
from games.api.common.schema import openapi
from games.api.urls import urlpatterns
from games.models import Role
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db

OF_USERS = {"me", "revoke_own_token", "tables"}
OF_MEMBERS = {
    *("accounts", "payments", "payment", "pay", "costs", "nights", "night"),
    *("confirm_payment", "dispute_payment", "take_back_payment"),
    *("export_table", "export_spreadsheet"),
}
OF_SCORERS = {
    *("start_game", "record", "preview", "undo", "redo", "rematch", "discard", "restore"),
    *("share_cost", "cancel_cost", "simplify"),
}
OF_OWNERS = {
    *("rename_table", "add_member", "change_member", "open_balances"),
    *("change_season", "begin_season"),
}
# Operations for which a token needs the scope "money".
WITH_MONEY = OF_MEMBERS | {"share_cost", "cancel_cost", "simplify", "open_balances"}
# Writes for which a token needs no scope: they record nothing at a table.
WITHOUT_RECORDING = {"hand", "score", "revoke_own_token"}

# Values of the other parameters of addresses; a code is that of the table or the game.
PLACES = {
    **{"key": "chinchon", "night": "2026-06-20", "what": "payments", "member": "ana", "other": "beto"},
    **dict.fromkeys(("payment", "cost", "season"), "1"),
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


def test_an_operation_outside_a_table_requires_a_user_only_if_listed(subtests, program):
    for path, method, operation in operations():
        if "{code}" in path:
            continue
        status, body = ask(program, method, path.format_map(PLACES))
        with subtests.test(operation=operation["operationId"]):
            needs_a_user = body.get("code") == "unauthenticated"
            assert needs_a_user == (operation["operationId"] in OF_USERS), status


def test_each_operation_on_a_table_requires_its_listed_role(subtests, game, table, programs):
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
            assert lowest == role_of(operation["operationId"])


def role_of(operation):
    """Return the listed lowest role for this operation on a table."""
    kinds = ((OF_OWNERS, "owner"), (OF_SCORERS, "scorer"), (OF_MEMBERS, "member"))
    return next((role for operations, role in kinds if operation in operations), "witness")


def test_costly_operations_count_against_a_limit_of_their_own():
    costly = {"api-hand", "api-score", "api-preview", "api-table-file", "api-spreadsheet", "api-table-files"}
    counting = {
        page.name
        for page in urlpatterns
        if Counting in getattr(getattr(page.callback, "cls", None), "throttle_classes", ())
    }

    assert costly == counting
