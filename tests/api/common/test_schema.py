"""The OpenAPI description: it is valid, served, and says the codes of its problems."""

from __future__ import annotations

import json

from django.utils import translation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from games.api.common.problems import KINDS
from games.api.common.schema import openapi


def test_the_description_is_valid_and_generated_without_warnings():
    openapi.cache_clear()
    GENERATOR_STATS.reset()
    validate_schema(openapi())

    assert not GENERATOR_STATS


def test_a_needed_request_body_is_described_as_required():
    """Otherwise a generated client would treat the body as optional."""
    paths = openapi()["paths"]

    for path in ("/api/v1/score/", "/api/v1/table-files/"):
        assert paths[path]["post"]["requestBody"].get("required"), path


def test_the_description_does_not_depend_on_the_active_language():
    def made_in(language):
        openapi.cache_clear()
        with translation.override(language):
            return openapi()

    assert made_in("en") == made_in("es-ar")


def test_the_description_is_served(program):
    answer = program.get("schema/")

    assert (200, "application/vnd.oai.openapi+json") == (answer.status, answer.headers["Content-Type"])
    assert openapi() == answer.body


def test_every_error_response_is_described_with_the_codes_of_its_problems():
    for methods in openapi()["paths"].values():
        for operation in methods.values():
            statuses = {
                code: status
                for status, response in operation["responses"].items()
                for code in response["description"].split(", ")
                if status >= "400"
            }

            assert {code: str(KINDS[code].status) for code in statuses} == statuses
            assert {"too_many_requests", "broken"} <= statuses.keys()


def test_the_description_contains_no_url_of_a_server():
    assert "http" not in json.dumps({name: openapi()[name] for name in ("info", "paths")})
