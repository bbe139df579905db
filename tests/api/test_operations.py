"""Every operation once: its status, its described answer, and a refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from games.common.api import schema
from games.money.services import expenses, payments
from games.play.services import recording
from tests.api.conftest import ApiResponse, Program, round_data
from tests.factories import build_expense, build_round, get_last_night

pytestmark = pytest.mark.django_db

Refusal = tuple[int, str, str | None]
NOT_FOUND: Refusal = (404, "not_found", None)
WRONG = "zzzzzzzzzzz"
TWO = [{"id": "ana"}, {"id": "beto"}]
ROUND = round_data("ana", beto=7, caro=9, dani=2)
BALANCES = {"payer": "beto", "payee": "ana", "amount": 60, "method": "cash"}
COST = {"night": "{night}", "payer": "ana", "amount": 90, "sharers": ["ana", "beto"]}


@dataclass(frozen=True)
class Try:
    """A request that is accepted, and one that is rejected: the differing parts of the address and the body."""

    accepted: Any = None
    rejected: Any = None
    refusal: Refusal = NOT_FOUND
    status: int = 200
    query: str = ""
    places: Mapping[str, Any] | None = None  # of the rejected request; by default, of another table or game


def misshapen(field: str) -> Refusal:
    return 400, "misshapen", field


def wrong_filter(field: str) -> Refusal:
    return 400, "bad_request", field


TRIES = {
    "variants": Try(query="?x=1", refusal=wrong_filter("x")),
    "variant": Try(query="?stake=none", refusal=(422, "refused", "stake")),
    "hand": Try(
        {"variant": "loba_menos", "hand": "[K 7 *]"},
        {"variant": "loba_menos", "hand": "[K 77"},
        (422, "unreadable", "hand"),
    ),
    "score": Try(
        {"game": "game loba_menos\nplayers ana beto\nround ana out beto=7"},
        {"game": "game loba_menos\nplayers ana beto\nround ana out beto=7\nexpect pot 8"},
        (422, "not_as_expected", "game"),
    ),
    "tables": Try(query="?x=1", refusal=wrong_filter("x")),
    "open_table": Try({"name": "Los viernes"}, {"name": 5}, misshapen("name"), 201),
    "table": Try(),
    "rename_table": Try({"name": "Los viernes"}, {"language": "es"}, misshapen("language")),
    "members": Try(),
    "add_member": Try({"name": "Eva"}, {"name": "Ana"}, (422, "refused", "name"), 201),
    "change_member": Try({"colour": 5}, {"colour": 500}, (422, "refused", "colour")),
    "games": Try(query="?state=lost", refusal=wrong_filter("state")),
    "start_game": Try(
        {"variant": "chinchon", "players": TWO},
        {"variant": "chinchon", "players": [{"id": "ana", "name": "Ana"}]},
        misshapen("players"),
        201,
    ),
    "game": Try(),
    "table_events": Try(query="?after=x", refusal=wrong_filter("after")),
    "events": Try(query="?after=x", refusal=wrong_filter("after")),
    "record": Try({"after": 2, "events": [ROUND]}, {"after": 1, "events": [ROUND]}, (409, "stale", None)),
    "preview": Try({"events": [ROUND]}, {"events": []}, misshapen("events")),
    "undo": Try({"after": 2}, {}, misshapen("after")),
    "redo": Try({"after": 2}, {"after": "2"}, misshapen("after")),
    "rematch": Try({}, {}, (422, "refused", None), 201),
    "discard": Try({}, {"x": 1}, misshapen("x")),
    "restore": Try({}, [], (400, "misshapen", None)),
    "export_game_text": Try(),
    "accounts": Try(),
    "fewest": Try({"fewest": True, "after": 2}, {"fewest": True}, misshapen("after")),
    "open_balances": Try(
        {"balances": {"ana": 50, "beto": -50}, "after": 2},
        {"balances": {"ana": 50, "beto": -50}, "after": 0},
        (409, "stale", None),
        201,
    ),
    "payments": Try(query="?limit=0", refusal=wrong_filter("limit")),
    "pay": Try({**BALANCES, "sure": True}, BALANCES, (409, "unusual", "sure"), 201),
    "payment": Try(places={"payment": 10**30}),
    "confirm_payment": Try({}, {"sure": 1}, misshapen("sure")),
    "dispute_payment": Try({"reason": "No llegó"}, {"reason": "x" * 1000}, misshapen("reason")),
    "take_back_payment": Try({}, {"why": ""}, misshapen("why")),
    "costs": Try(query="?cursor=x", refusal=wrong_filter("cursor")),
    "share_cost": Try(COST, {**COST, "payer": "zoe"}, misshapen("payer"), 201),
    "correct_cost": Try(
        {"payer": "ana", "amount": 90, "amounts": {"beto": 90}},
        {"payer": "ana", "amount": 90, "amounts": {"beto": 90}, "night": "2026-01-01"},
        misshapen("night"),
        201,
    ),
    "accept_cost": Try({}, {}, (409, "stale", None), places={}),
    "refuse_cost": Try({"note": "No"}, {"why": ""}, misshapen("why")),
    "see_cost": Try({}, {"x": 1}, misshapen("x")),
    "cancel_cost": Try({}, {}, places={"cost": 10**30}),
    "nights": Try(query="?cursor=cD14", refusal=wrong_filter("cursor")),
    "night": Try(places={"night": "1999-01-01"}),
    "seasons": Try(),
    "begin_season": Try(
        {"name": "Otra", "first_day": "{tomorrow}"},
        {"name": "Otra", "first_day": "soon"},
        misshapen("first_day"),
        201,
    ),
    "change_season": Try({"name": "Verano"}, {"order": "luck"}, misshapen("order")),
    "standings": Try(query="?by=luck", refusal=wrong_filter("by")),
    "records": Try(query="?season=99999", refusal=wrong_filter("season")),
    "duels": Try(query="?from=2026-05-02&to=2026-05-01", refusal=wrong_filter("to")),
    "player": Try(places={"member": "zoe"}),
    "export_table": Try(),
    "export_spreadsheet": Try(places={"what": "secrets"}),
    "import_table": Try("{file}", "[]", (400, "misshapen", None), 201, query="?again=true"),
    "me": Try(query="?x=1", refusal=wrong_filter("x")),
    "revoke_own_token": Try({}, {"id": 1}, misshapen("id")),
}
READ_WITH_A_WRONG_QUERY = {
    "table_events",
    *("variants", "variant", "tables", "games", "events", "payments", "costs", "nights", "standings"),
    *("records", "duels", "me"),
}


def operations() -> dict[str, tuple[str, str]]:
    """Return method and address of every described operation, by its name."""
    return {
        operation["operationId"]: (method, path)
        for path, methods in schema.openapi()["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_is_tried_once_and_there_are_at_most_sixty():
    assert set(TRIES) == set(operations())
    assert len(TRIES) <= 60


@pytest.fixture
def known(game, owner, confirm_as):
    """The existing ids, for parts of addresses and bodies."""
    table, night = game.table, get_last_night(game.table)
    confirm_as(owner, "ana")
    ana, beto = (table.members.get(slug=slug) for slug in ("ana", "beto"))
    recording.record(game, build_round("ana", beto=10, caro=5, dani=1), after=1, key="first", by=owner)
    pizza = build_expense(ana, 100, (ana, beto))
    cost = expenses.create(table, night, pizza, key="cost", by=owner)
    proposal = expenses.create(table, night, pizza, key="proposal", by=owner, is_proposal=True)
    return {
        **{"code": table.code, "game": game.code, "member": "ana", "key": "chinchon"},
        **{"payment": payments.create(table, beto, ana, 50, key="paid", by=owner).pk, "cost": cost.pk},
        "proposal": proposal.pk,
        **{"night": str(night), "tomorrow": str(night + timedelta(days=1)), "what": "results"},
        "season": table.seasons.get().pk,
    }


def ask(program: Program, name: str, known: Mapping[str, Any], body: Any, query: str = "") -> ApiResponse:
    method, path = operations()[name]
    code = known["game"] if "/games/{" in path else known["code"]
    where = path.removeprefix("/api/v1/").format_map({**known, "code": code}) + query
    if method == "get":
        return program.get(where)
    return program.post(where, fill_ids(body, known), method=method)


def fill_ids(body: Any, known: Mapping[str, Any]) -> Any:
    """Return the body with the texts in braces replaced by ids."""
    if isinstance(body, dict):
        return {name: fill_ids(part, known) for name, part in body.items()}
    return known.get(body.strip("{}"), body) if isinstance(body, str) else body


def test_every_operation_answers_as_it_is_described(rollback_subtest, owner_program, known):
    for name, tried in TRIES.items():
        with rollback_subtest(name):
            prepare(name, owner_program, known)
            query = "" if name in READ_WITH_A_WRONG_QUERY else tried.query

            assert tried.status == ask(owner_program, name, known, tried.accepted, query).status


def test_every_operation_refuses_what_is_wrong_with_a_problem(rollback_subtest, owner_program, known):
    for name, tried in TRIES.items():
        query = tried.query if name in READ_WITH_A_WRONG_QUERY else ""
        is_elsewhere = tried.refusal == NOT_FOUND and tried.places is None
        wrong = {"code": WRONG, "game": WRONG} if is_elsewhere else tried.places or {}
        with rollback_subtest(name):
            answer = ask(owner_program, name, {**known, **wrong}, tried.rejected, query)

            assert tried.refusal == answer.problem


def prepare(name: str, program: Program, known: dict[str, Any]) -> None:
    """Prepare the operation: an event to redo, a finished game for a rematch, a file to import."""
    game = f"games/{known['game']}"
    if name == "redo":
        program.post(f"{game}/undo/", {"after": 2}, key="undo")
        TRIES["redo"].accepted["after"] = 3
    elif name == "rematch":
        program.post(f"{game}/events/", {"after": 2, "events": [{"line": "stop lowest_wins"}]}, key="stop")
    elif name == "import_table":
        known["file"] = json.dumps(program.get(f"tables/{known['code']}/file/").body)
    elif name in ("accept_cost", "refuse_cost"):
        known["cost"] = known["proposal"]
    elif name == "open_balances":
        TRIES[name].accepted["after"] = program.get(f"tables/{known['code']}/accounts/").body["version"]
