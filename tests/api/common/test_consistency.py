"""Headers and redirects that all operations share: ETag, Location, trailing slashes, and CORS."""

from __future__ import annotations

import json

import pytest

from games.api.common.schema import openapi
from games.people.tokens import LIVES, make_token

pytestmark = pytest.mark.django_db

# Two that change only with a release, and one that is streamed.
WITHOUT_TAG = {"variants/", "variants/{key}/", "tables/{code}/spreadsheets/{what}/"}


@pytest.fixture
def token(owner, table):
    return {"authorization": f"Bearer {make_token(owner, 'x', lasts=LIVES['day'])[1]}"}


def test_an_unchanged_resource_requested_with_its_etag_is_a_304(subtests, owning, game):
    for place in [
        *("tables/", "tables/{table}/", "tables/{table}/games/", "tables/{table}/standings/", "me/"),
        *("games/{game}/text/", "games/{game}/events/"),
    ]:
        with subtests.test(place=place):
            where = place.format(table=game.table.code, game=game.code)
            tag = owning.get(where).headers["ETag"]
            same = owning.client.get(f"/api/v1/{where}", headers={"if-none-match": tag})
            other = owning.client.get(f"/api/v1/{where}", headers={"if-none-match": '"another"'})
            any_answer = owning.client.get(f"/api/v1/{where}", headers={"if-none-match": "*"})

            assert (304, b"", tag) == (same.status_code, same.content, same.headers["ETag"])
            assert (200, 304) == (other.status_code, any_answer.status_code)


def test_a_changed_resource_has_another_etag(owning, table):
    before = owning.get("tables/").headers["ETag"]
    owning.patch(f"tables/{table.code}/", {"name": "Los viernes"})

    assert before != owning.get("tables/").headers["ETag"]


@pytest.mark.parametrize(
    ("place", "body"),
    [
        ("tables/", {"name": "Otra"}),
        ("tables/{table}/games/", {"variant": "chinchon", "players": [{"id": "ana"}, {"id": "beto"}]}),
        (
            "tables/{table}/payments/",
            {"payer": "beto", "payee": "ana", "amount": 5, "method": "cash", "confirm": True},
        ),
    ],
)
def test_a_created_resource_is_at_the_address_of_its_location_header(owning, table, place, body):
    answer = owning.write(place.format(table=table.code), body, key="k")
    there = owning.client.get(answer.headers["Location"])

    assert (201, 200) == (answer.status, there.status_code)
    field = "id" if "id" in answer.body else "code"
    assert answer.body[field] == there.json()[field]


def test_rematches_and_imports_have_a_valid_location_header(owning, table):
    place = f"tables/{table.code}/"
    two = {"variant": "chinchon", "players": [{"id": "ana"}, {"id": "beto"}]}
    game = owning.write(f"{place}games/", two, key="game").body["code"]
    stopped = {"after": 1, "events": [{"line": "stop lowest_wins"}]}
    assert 200 == owning.write(f"games/{game}/events/", stopped, key="stop").status
    rematch = owning.write(f"games/{game}/rematch/", {}, key="rematch")
    file = owning.get(f"{place}file/").body
    made = [rematch, owning.write("table-files/?again=true", file, key="file")]

    assert [201] * 2 == [answer.status for answer in made]
    assert [200] * 2 == [owning.client.get(answer.headers["Location"]).status_code for answer in made]


def test_an_address_without_its_trailing_slash_gets_a_308_redirect(owning, table):
    answer = owning.client.post(
        f"/api/v1/tables/{table.code}/members?a=b", json.dumps({"name": "Eva"}), "application/json"
    )

    assert (308, f"/api/v1/tables/{table.code}/members/?a=b") == (
        answer.status_code,
        answer.headers["Location"],
    )
    for unknown in ("/api/v1/nothing", "/api/v1/nothing/", "/api/v2"):
        assert 404 == owning.client.get(unknown).status_code


def test_an_id_beyond_the_numbers_of_the_database_is_a_404(owning, table):
    place, number = f"tables/{table.code}/", 10**30

    assert 404 == owning.get(f"{place}payments/{number}/").status
    assert 404 == owning.post(f"{place}costs/{number}/cancel/", {}).status
    assert 404 == owning.write(f"{place}payments/{number}/confirm/", {}, key="k").status


def test_a_cross_origin_script_can_read_only_with_a_token(client, owning, program, table, token):
    where = f"/api/v1/tables/{table.code}/"
    allowed = "Access-Control-Allow-Origin"
    by_token = client.get(where, headers={**token, "origin": "https://other.example"})
    wrong = client.get(where, headers={"authorization": "Bearer anotador_x"})
    written = client.post(f"{where}members/", "{}", "application/json", headers=token)

    assert ["*", "*", None, None, None] == [
        answer.headers.get(allowed)
        for answer in (by_token, wrong, written, owning.client.get(where), program.client.get(where))
    ]
    assert "Access-Control-Allow-Credentials" not in by_token.headers


def test_a_cors_preflight_request_gets_the_same_headers_for_known_and_unknown_tables(client, table):
    for code in (table.code, "zzzzzzzzzzz"):
        answer = client.options(f"/api/v1/tables/{code}/", headers={"origin": "https://other.example"})

        assert (204, "*", "GET, HEAD", "Authorization, If-None-Match") == (
            answer.status_code,
            *(answer.headers[f"Access-Control-Allow-{name}"] for name in ("Origin", "Methods", "Headers")),
        )
        assert "GET, PATCH, HEAD, OPTIONS" == answer.headers["Allow"]


def test_every_operation_described_with_a_304_answers_304_to_its_etag(by_token, address):
    for path, methods in openapi()["paths"].items():
        if "304" in methods.get("get", {}).get("responses", ()):
            first = by_token.get(address(path))
            if first.status_code == 200:
                again = by_token.get(address(path), headers={"if-none-match": first.headers["ETag"]})

                assert (304, b"") == (again.status_code, again.content), path


def test_every_get_response_has_an_etag_except_for_the_listed_ones(by_token, address):
    tagless = set()
    for path, methods in openapi()["paths"].items():
        if "get" in methods:
            answer = by_token.get(address(path))
            if answer.status_code == 200 and "ETag" not in answer.headers:
                tagless.add(path)

    assert {f"/api/v1/{path}" for path in WITHOUT_TAG} == tagless
