"""The rights of a page of another origin: it may read and score, but never record or use a session."""

from __future__ import annotations

import pytest
from django.db import OperationalError

from games.play.api.variants import VariantViewSet
from games.tables.api.permissions import UserThrottle
from tests.test_rights import actions

pytestmark = pytest.mark.django_db

ORIGIN = {"origin": "https://wall.example"}
NAMED = {"Authorization", "If-None-Match", "Accept-Language", "Content-Type"}


def cors_headers(response):
    return {
        name: value for name, value in response.headers.items() if name.lower().startswith("access-control-")
    }


def preflight(client, address, method):
    """Send the preflight request of a browser for a page of another origin."""
    request_headers = {**ORIGIN, "access-control-request-method": method}
    request_headers["access-control-request-headers"] = "authorization,idempotency-key,content-type"
    return client.options(address, headers=request_headers)


READABLE = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Retry-After"}
COMPUTING = {"api score", "api hand", "api preview"}


def test_a_preflight_opens_reading_everywhere_writing_nowhere_and_what_only_computes(
    client_for, subtests, table, game, django_assert_num_queries
):
    for action in actions(table):
        if not action.is_api:
            continue
        code = game.code if action.is_game_action else table.code
        with subtests.test(action=f"{action.method} {action.name}"), django_assert_num_queries(0):
            response = preflight(client_for(), action.address(code), action.method.upper())
            if action.method != "get" and action.name not in COMPUTING:
                assert (403, {}) == (response.status_code, cors_headers(response))
                continue
            headers = cors_headers(response)
            assert (204, "*") == (response.status_code, headers["Access-Control-Allow-Origin"])
            assert action.method.upper() == headers["Access-Control-Allow-Methods"]
            assert NAMED == {*headers["Access-Control-Allow-Headers"].split(", ")}
            assert "Access-Control-Allow-Credentials" not in headers


@pytest.mark.parametrize(("path", "status"), [("score/", 204), ("hand/", 204), ("me/token/revoke/", 403)])
def test_a_preflight_of_what_is_at_no_table_is_answered_by_path_and_method(client_for, path, status):
    assert status == preflight(client_for(), f"/api/v1/{path}", "POST").status_code
    assert 403 == preflight(client_for(), f"/api/v1/{path}", "DELETE").status_code
    assert 403 == preflight(client_for(), f"/api/v1/{path}score/", "POST").status_code


def test_an_answer_that_reads_or_scores_can_be_read_and_one_that_records_cannot(owner_program, table, game):
    read = owner_program.get(f"tables/{table.code}/events/", **ORIGIN)
    known = owner_program.get(
        f"tables/{table.code}/events/", **ORIGIN, **{"if-none-match": read.headers["ETag"]}
    )
    scored = owner_program.post("hand/", {"variant": "loba_menos", "hand": "[K 7]"}, **ORIGIN)
    line = {"after": 1, "events": [{"line": "deal beto"}]}
    previewed = owner_program.post(f"games/{game.code}/preview/", line, **ORIGIN)
    recorded = owner_program.post(f"games/{game.code}/events/", line, **ORIGIN)

    assert [200, 304, 200, 200, 200] == [
        response.status for response in (read, known, scored, previewed, recorded)
    ]
    assert [READABLE] * 4 + [{}] == [
        cors_headers(response) for response in (read, known, scored, previewed, recorded)
    ]


@pytest.mark.usefixtures("rate_limited")
def test_refusals_can_be_read_wherever_they_come_from(
    owner_program, nobody, program_for, owner, game, monkeypatch
):
    wrong = {"authorization": "Bearer anotador_x"}
    event = {"after": 1, "events": [{"line": "round nobody out ana=1"}]}
    refusals = [
        nobody.get("me/", **wrong),
        program_for(owner, reads_only=True).post("me/token/revoke/", {}),
        nobody.get("nowhere/"),
        owner_program.post(f"games/{game.code}/events/", event),
    ]
    monkeypatch.setattr(
        UserThrottle.limit.__class__, "hit", lambda limit, client: limit is not UserThrottle.limit
    )
    refusals.append(owner_program.get("me/"))

    def lost(*_arguments, **_more):
        raise OperationalError("database is locked")

    monkeypatch.setattr(VariantViewSet, "list", lost)
    nobody.client.raise_request_exception = False
    refusals.append(nobody.get("variants/"))

    assert [401, 403, 404, 422, 429, 503] == [refusal.status for refusal in refusals]
    assert [READABLE] * 6 == [cors_headers(refusal) for refusal in refusals]


def test_pages_are_closed_to_other_origins(client_for, owner, table):
    for address in ("/", f"/t/{table.code}/", "/api/", "/api/problems/"):
        assert {} == cors_headers(client_for(owner).get(address, headers=ORIGIN))
        assert {} == cors_headers(preflight(client_for(owner), address, "GET"))
