"""Scopes of a token: a missing scope takes permissions from its role, and no scope adds any."""

from __future__ import annotations

import pytest

from games.models import Role, Token
from games.people.tokens import LIVES, make_token
from tests.api.conftest import Program
from tests.api.test_roles import PLACES, WITH_MONEY, WITHOUT_RECORDING, ask, operations
from tests.reader import read_page
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db


def program_of_token(user, role, **scopes):
    """Return a program with a token of this user's, which has the role and these scopes."""
    _token, secret = make_token(user, "programa", role, lasts=LIVES["day"], **scopes)
    return Program(headers={"accept-language": "en", "authorization": f"Bearer {secret}"})


@pytest.mark.parametrize(("left_out", "scope"), [("reads_money", "money"), ("records", "record")])
def test_each_operation_requires_its_listed_scopes(subtests, game, table, owner, left_out, scope):
    program, whole = (
        program_of_token(owner, Role.OWNER, **{left_out: False}),
        program_of_token(owner, Role.OWNER),
    )
    names = {(operation["operationId"], method) for _path, method, operation in operations()}
    recording = {name for name, method in names if method != "get"} - WITHOUT_RECORDING
    needing = {"money": WITH_MONEY, "record": recording}
    for path, method, operation in operations():
        code = game.code if path.startswith("/api/v1/games/") else table.code
        address = path.format_map({**PLACES, "code": code})
        _status, refusal = ask(program, method, address)
        with subtests.test(operation=operation["operationId"]):
            assert (operation["operationId"] in needing[scope]) == (scope == refusal.get("scope"))
            assert "scope" not in ask(whole, method, address)[1]


def test_no_scope_gives_a_read_only_token_access_to_the_accounts(table, owner, claims):
    let_in_as(nameless := make_user("sin nombre"), table, Role.WITNESS)
    let_in_as(named := make_user("con nombre"), table, Role.WITNESS)
    for user in (owner, nameless, claims(named, "ana")):
        program = program_of_token(user, Role.WITNESS, reads_money=True, records=True)

        assert 403 == program.get(f"tables/{table.code}/accounts/").status
        assert [False] == [row["accounts"] for row in program.get("me/").body["tables"]]
        assert 403 == program.write(f"tables/{table.code}/games/", {}, key="k").status


def test_a_token_without_the_record_scope_can_read_the_accounts_but_not_write(table, owner):
    program = program_of_token(owner, Role.SCORER, records=False)
    refused = program.write(f"tables/{table.code}/games/", {}, key="k")

    assert 200 == program.get(f"tables/{table.code}/accounts/").status
    assert (403, "forbidden", "This token may not record.") == refused.problem
    assert ("record", ["money"]) == (refused.body["scope"], program.get("me/").body["token"]["scopes"])


def test_a_token_without_the_money_scope_can_record_but_reads_no_accounts(table, owner, pay, game):
    pay("beto", "caro", 30)
    program = program_of_token(owner, Role.SCORER, reads_money=False)
    played = {"after": 1, "events": [{"line": "round ana out beto=10 caro=9 dani=8"}]}

    assert 200 == program.write(f"games/{game.code}/events/", played, key="k").status
    assert program.get(f"tables/{table.code}/accounts/").problem == (
        *(403, "forbidden"),
        "This token may not read accounts or payments.",
    )


def test_ticking_a_restriction_on_the_page_makes_a_token_without_that_scope(ana, owner, table):
    form = {"name": "e-ink", "table": table.code, "role": "scorer", "lasts": "day"}
    ana.post("/programs/", {**form, "key": "one"})
    ana.post("/programs/", {**form, "key": "two", "no_recording": "on"})
    repeated = read_page(ana.post("/programs/", {**form, "key": "two", "no_money": "on"}))

    assert [["money"], ["money", "record"]] == [token.scopes for token in Token.objects.order_by("-pk")]
    assert (
        "The key belongs to an earlier entry with other content. Nothing was recorded; use a new key."
        in repeated.text
    )
    assert "without recording" in read_page(ana.get("/programs/")).text
