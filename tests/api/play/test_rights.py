"""The role that each operation on a table's games requires, one line for each operation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.api.urls import urlpatterns
from games.models import Role
from games.people.deletion import delete_account
from games.people.removals import put_out
from games.people.tokens import LIVES, make_token
from games.play.recording import record
from tests.api.conftest import answered
from tests.api.play.conftest import event, round_of
from tests.tables import a_round, make_table, make_user
from tests.test_rights import API_OF_TABLES, UNKNOWN, stored

pytestmark = pytest.mark.django_db

STOP = {"after": 2, "events": [event("game_stopped", how="lowest_wins")]}
ASKED: dict[tuple[str, str], Any] = {  # the body to send, and whether a witness may send it
    ("get", "tables/{table}/"): None,
    ("patch", "tables/{table}/"): {"name": "Los martes"},
    ("get", "tables/{table}/games/"): None,
    ("post", "tables/{table}/games/"): {"variant": "chinchon", "players": [{"id": "ana"}, {"id": "beto"}]},
    ("get", "games/{game}/"): None,
    ("get", "games/{game}/events/"): None,
    ("post", "games/{game}/events/"): {"after": 2, "events": [round_of("ana", beto=1, caro=2, dani=3)]},
    ("post", "games/{game}/preview/"): {"events": [event("struck", number=2)]},
    ("post", "games/{game}/undo/"): {"after": 2},
    ("post", "games/{game}/redo/"): {"after": 2},
    ("post", "games/{game}/rematch/"): {},
    ("post", "games/{game}/discard/"): {},
    ("post", "games/{game}/restore/"): {},
    ("get", "games/{game}/text/"): None,
}
FOR_OWNERS = {("patch", "tables/{table}/")}


@pytest.fixture
def played(game, owner):
    record(game, a_round("ana", beto=10, caro=5, dani=1), after=1, key="first", by=owner)
    return game


def ask(program, method, path, sent):
    options: dict[str, Any] = {"headers": {"idempotency-key": "asked"}}
    if method != "get":
        options |= {"data": json.dumps(sent), "content_type": "application/json"}
    return answered(getattr(program.client, method)(f"/api/v1/{path}", **options))


def test_every_operation_on_a_tables_games_is_listed_here():
    known = {("get", "tables/"), ("post", "tables/"), *ASKED}
    paths = {
        str(page.pattern).removeprefix("v1/").replace("tables/<slug:code>", "tables/{table}")
        .replace("games/<slug:code>", "games/{game}")
        for page in urlpatterns
        if page.name in API_OF_TABLES
    }  # fmt: skip

    assert paths == {path for _method, path in known}


@pytest.mark.parametrize("who", ["stranger", "nobody"])
def test_a_stranger_gets_the_same_404_as_for_unknown_codes_from_every_operation(
    request, subtests, played, table, who
):
    program, before = request.getfixturevalue(who), stored()
    ask(program, "get", "games/warm/", None)
    for (method, path), sent in ASKED.items():
        with subtests.test(path=path, method=method):
            seen = []
            for codes in ({"table": table.code, "game": played.code}, {"table": UNKNOWN, "game": UNKNOWN}):
                with CaptureQueriesContext(connection) as queries:
                    answer = ask(program, method, path.format(**codes), sent)
                seen.append((len(queries), answer.status, answer.body))

            assert seen[1] == seen[0]
            assert (404, "not_found") == answer.problem[:2]
            assert before == stored()


@pytest.mark.parametrize("role", Role)
def test_witnesses_can_read_scorers_can_write_and_owners_can_manage(
    subtests, played, table, program_for, owner, person, role
):
    program = program_for(owner if role is Role.OWNER else person(role))
    codes = {"table": table.code, "game": played.code}
    before = stored()
    for (method, path), sent in ASKED.items():
        with subtests.test(path=path, method=method), transaction.atomic():
            answer = ask(program, method, path.format(**codes), sent)
            writes = method != "get"
            is_owners = (method, path) in FOR_OWNERS and role is not Role.OWNER
            if is_owners or (role is Role.WITNESS and writes):
                assert (403, "forbidden") == answer.problem[:2]
                assert before == stored()
            else:
                refused = {
                    ("post", f"games/{{game}}/{what}/") for what in ("redo", "rematch")
                }  # nothing was undone, and the game is running
                assert (422 if (method, path) in refused else answer.status) == answer.status
                assert answer.status in (200, 201, 422)
            transaction.set_rollback(True)


@pytest.fixture
def with_token(program_of, owner):
    """`with_token(table)` returns a client with a token of Ana's for this table, or for all of them."""

    def one(table=None, *, by=owner, **limits):
        _token, secret = make_token(by, "reloj", lasts=LIVES["day"], table=table, **limits)
        program = program_of(enforce_csrf_checks=True)
        program.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
        return program

    return one


@pytest.mark.parametrize(
    "role",
    [Role.SCORER, *(pytest.param(role, marks=pytest.mark.slow) for role in (Role.WITNESS, Role.OWNER))],
)
def test_a_token_has_the_permissions_of_its_maker_without_csrf(
    subtests, played, table, program_for, owner, person, with_token, role
):
    maker = owner if role is Role.OWNER else person(role)
    programs = [program_for(maker), with_token(table, by=maker), with_token(by=maker)]
    codes = {"table": table.code, "game": played.code}
    for (method, path), sent in ASKED.items():
        with subtests.test(path=path, method=method):
            statuses = []
            for program in programs:
                with transaction.atomic():
                    statuses.append(ask(program, method, path.format(**codes), sent).status)
                    transaction.set_rollback(True)

            assert [statuses[0]] * 3 == statuses


def test_a_token_for_another_table_or_of_another_user_gets_the_same_404_as_for_unknown_codes(
    subtests, played, table, owner, with_token
):
    sara = make_user("sara")
    make_table(sara)
    elsewhere = with_token(make_table(owner, name="Otra"))
    others = [elsewhere, with_token(by=sara)]
    before = stored()
    for (method, path), sent in ASKED.items():
        with subtests.test(path=path, method=method):
            for program in others:
                seen = [
                    ask(program, method, path.format(**codes), sent).body
                    for codes in (
                        {"table": table.code, "game": played.code},
                        {"table": UNKNOWN, "game": UNKNOWN},
                    )
                ]

                assert seen[0] == seen[1]
                assert "not_found" == seen[0]["code"]
    assert used(before) == used(stored())


def used(rows):
    """Return the stored rows with the day of last use of every token set to None."""
    return {**rows, "Token": [{**row, "used_on": None} for row in rows["Token"]]}


@pytest.mark.parametrize("how", ["revoked", "ended", "maker removed", "maker deleted"])
def test_a_token_that_has_ended_gets_401_from_every_operation(
    subtests, played, table, owner, with_token, person, how
):
    sonia = person(Role.SCORER)
    program = with_token(table, by=sonia)
    match how:
        case "revoked":
            sonia.tokens.all().revoke()
        case "ended":
            sonia.tokens.update(made_at="2026-01-01T00:00Z", expires_at="2026-01-02T00:00Z")
        case "maker removed":
            put_out(table.grants.get(user=sonia), by=owner)
        case "maker deleted":
            delete_account(sonia)
    before = stored()
    for (method, path), sent in {**ASKED, ("get", "tables/"): None, ("get", "variants/"): None}.items():
        with subtests.test(path=path, method=method):
            cache.clear()
            codes = {"table": table.code, "game": played.code}
            answer = ask(program, method, path.format(**codes), sent)

            assert (401, "unauthenticated") == answer.problem[:2]
            assert "Bearer" == answer.headers["WWW-Authenticate"]
    assert before == stored()


def test_only_a_token_for_all_tables_lists_tables_and_makes_one_unless_it_only_reads(table, with_token):
    def asked(program):
        return [program.get("tables/").status, program.write("tables/", {"name": "Nueva"}, key="new").status]

    assert [403, 403] == asked(with_token(table))
    assert [200, 403] == asked(with_token(reads_only=True))
    assert [200, 201] == asked(with_token())


def test_every_write_in_a_session_requires_a_csrf_token(subtests, played, table, program_for, owner):
    program, before = program_for(owner, enforce_csrf_checks=True), stored()
    codes = {"table": table.code, "game": played.code}
    for (method, path), sent in ASKED.items():
        if method != "get":
            with subtests.test(path=path):
                answer = ask(program, method, path.format(**codes), sent)

                assert (403, "forbidden") == answer.problem[:2]
                assert before == stored()


def test_the_list_of_tables_has_only_the_users_own_and_is_a_401_without_a_user(nobody, stranger, ana, table):
    assert (401, "unauthenticated") == nobody.get("tables/").problem[:2]
    assert ["Otra mesa"] == [row["name"] for row in stranger.get("tables/").body["tables"]]
    assert [table.code] == [row["code"] for row in ana.get("tables/").body["tables"]]


def test_a_witness_reads_the_whole_money_of_a_game(ana, waldo, played):
    ana.write(f"games/{played.code}/events/", STOP, key="stop")
    own, seen = (program.get(f"games/{played.code}/").body for program in (ana, waldo))

    assert own == seen
    assert seen["transfers"]
