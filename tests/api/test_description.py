"""The OpenAPI description: it is valid, the same in every language, and served."""

from __future__ import annotations

import json

from django.utils import translation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from games.api.common.schema import openapi


def test_the_description_is_valid_and_generated_without_warnings():
    openapi.cache_clear()
    GENERATOR_STATS.reset()
    validate_schema(openapi())

    assert not GENERATOR_STATS


def test_the_description_does_not_depend_on_the_active_language():
    def made_in(language):
        openapi.cache_clear()
        with translation.override(language):
            return openapi()

    assert made_in("en") == made_in("es-ar")


def test_the_description_is_served(nobody):
    answer = nobody.get("schema/")

    assert (200, "application/vnd.oai.openapi+json") == (answer.status, answer.headers["Content-Type"])
    assert openapi() == answer.body


def test_every_operation_and_every_parameter_has_a_text():
    operations = [operation for methods in openapi()["paths"].values() for operation in methods.values()]
    silent = [operation["operationId"] for operation in operations if not operation["summary"]]

    assert [] == silent
    assert "http" not in json.dumps(openapi()["paths"])
