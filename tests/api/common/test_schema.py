"""The description is the one committed, whole, and says what really happens."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.utils import translation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from games.api.common.problems import KINDS
from games.api.common.schema import openapi

COMMITTED = Path(settings.BASE_DIR) / "docs" / "openapi.yaml"
GOLDEN = Path(settings.BASE_DIR) / "tests" / "scoring" / "golden"


def test_the_committed_description_is_that_of_the_code():
    """Where it is not: `manage.py openapi > docs/openapi.yaml`, and the change shows."""
    written = StringIO()
    call_command("openapi", stdout=written)

    assert COMMITTED.read_text(encoding="utf-8") == written.getvalue()


def test_it_is_made_without_a_warning_and_is_valid():
    openapi.cache_clear()
    GENERATOR_STATS.reset()
    validate_schema(openapi())

    assert not GENERATOR_STATS


def test_it_is_the_same_in_whatever_language_it_is_first_asked_for():
    def made_in(language):
        openapi.cache_clear()
        with translation.override(language):
            return openapi()

    assert made_in("en") == made_in("es-ar")


def test_it_is_served(program):
    found = program.get("schema/")

    assert (200, "application/vnd.oai.openapi+json") == (found.status, found.headers["Content-Type"])
    assert openapi() == found.body


def test_every_example_is_taken_and_answered_as_it_says(program):
    for path, said in (
        (path, said) for path, methods in openapi()["paths"].items() for said in methods.values()
    ):
        sent = said.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
        answers = said["responses"]["200"]["content"]["application/json"].get("examples", {})
        for example in sent.values():
            found = program.post(path.removeprefix("/api/v1/"), example["value"])

            assert 200 == found.status
            assert [found.body] * len(answers) == [answer["value"] for answer in answers.values()]


def test_the_game_of_the_examples_is_the_one_of_the_notation():
    examples = openapi()["paths"]["/api/v1/score/"]["post"]["requestBody"]["content"]["application/json"][
        "examples"
    ]
    written = next(example["value"]["game"] for example in examples.values() if "game" in example["value"])
    golden = (GOLDEN / "notation_example.game").read_text(encoding="utf-8").splitlines()
    played = [line.split("#")[0].strip() for line in golden if not line.startswith(("#", "expect"))]

    assert played == written.splitlines()


def test_every_answer_names_the_problems_there_can_be():
    for methods in openapi()["paths"].values():
        for said in methods.values():
            told = {
                code: status
                for status, found in said["responses"].items()
                for code in found["description"].split(", ")
                if status != "200"
            }

            assert {code: str(KINDS[code].status) for code in told} == told
            assert {"too_many_requests", "broken"} <= told.keys()


def test_no_sentence_of_it_depends_on_a_server():
    assert "http" not in json.dumps({name: openapi()[name] for name in ("info", "paths")})
