"""The reference page for people: it lists every operation and problem, with the site's own look and CSP."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from games.api.common.problems import KINDS
from games.api.common.schema import openapi
from scorekeeper.middleware import POLICY
from tests.reader import read_page


def page_in(language):
    response = Client(headers={"accept-language": language}).get("/api/")
    assert (200, POLICY) == (response.status_code, response.headers["Content-Security-Policy"])
    return read_page(response)


def test_the_reference_lists_every_operation_with_method_path_and_summary():
    text = page_in("en").only("main").text
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            assert f"{method.upper()} {path}" in text
            assert operation["summary"] in text


def test_an_operation_that_requires_a_session_mentions_no_accepted_token():
    page, session = page_in("en"), "A signed-in session; no token"
    words = {
        key: page.only("details", id=key).text
        for key in ("tokens", "devices", "invite", "look_at_invitation")
    }

    assert [] == [key for key in words if "Any token" in words[key] or "also without a token" in words[key]]
    assert [True, True, True, False] == [session in text for text in words.values()]
    assert f"{session} · Owners of the table" in words["invite"]
    assert "With or without a signed-in session; no token" in words["look_at_invitation"]


def test_the_reference_has_an_anchor_for_every_problem():
    page = page_in("en")

    assert set(KINDS) <= {node.attrs["id"] for node in page.every("li") if "id" in node.attrs}


def test_the_reference_links_to_the_openapi_description():
    assert "/api/v1/schema/" == page_in("en").link("The same with examples, for programs (OpenAPI)")


def test_the_reference_lists_the_fields_of_requests_and_responses():
    forms = openapi()["components"]["schemas"]
    text = page_in("en").only("details", id="score").text

    for form in ("GameAsText", "GameAsEvents", "GameScored", "PlayerScored", "TransferScored"):
        assert [] == [part for part in forms[form]["properties"] if part not in text]


def test_the_reference_lists_every_kind_of_event_with_an_example():
    schemas = openapi()["components"]["schemas"]
    text = page_in("en").only("details", id="events-of-games").text
    for kind, place in schemas["EventNow"]["discriminator"]["mapping"].items():
        schema = schemas[place.rpartition("/")[2]]

        assert kind in text
        assert json.dumps(schema["example"], ensure_ascii=False) in text
    for name in ("RulesAgreedData", "PlayersSeatedData", "EventLine"):
        assert json.dumps(schemas[name]["example"], ensure_ascii=False) in text


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "For other programs"), ("es-AR", "Para otros programas")]
)
def test_the_reference_is_in_the_readers_language(language, heading):
    assert heading == page_in(language).only("h1").text


def test_a_post_to_the_reference_is_a_405():
    assert 405 == Client().post("/api/").status_code


def test_the_reference_lists_headers_apart_from_path_and_query_parameters():
    text = page_in("en").only("details", id="record").text
    _before, address = text.split("Path and query")
    address, headers = address.split("Headers")

    assert "code string" in address
    assert "Idempotency-Key" not in address
    assert "Idempotency-Key" in headers.split("Request body")[0]
