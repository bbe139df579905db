"""The OpenAPI description: its committed listing is current, it is valid, and its examples are true."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command
from django.utils import translation
from django.utils.timezone import now
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from games.api.common.problems import KINDS
from games.api.common.schema import openapi
from games.nights import night_of
from tests.api.described import examples_of, wrong_in
from tests.tables import make_table, make_user, start

OPENED = re.compile(r"/api/v1/tables/|[^{]+{code}[^{]*")  # addresses with the code of a table or a game alone
LISTING = Path(settings.BASE_DIR) / "docs" / "api.txt"
GOLDEN = Path(settings.BASE_DIR) / "tests" / "scoring" / "golden"


def test_the_committed_listing_equals_the_generated_one():
    """If it fails, run `manage.py openapi --short > docs/api.txt` and review what changed."""
    written = StringIO()
    call_command("openapi", short=True, stdout=written)

    assert LISTING.read_text(encoding="utf-8") == written.getvalue()


def test_the_openapi_command_writes_the_description_as_yaml():
    written = StringIO()
    call_command("openapi", stdout=written)

    assert openapi() == yaml.safe_load(written.getvalue())


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


def examples():
    """Yield every operation that has examples: its path, the example requests and the example responses."""
    for path, methods in openapi()["paths"].items():
        for operation in methods.values():
            sent = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            answers = next(
                response["content"].get("application/json", {})  # some answer with a text
                for status, response in operation["responses"].items()
                if status < "300"
            )
            if "examples" in sent:
                yield path, *(list(response.get("examples", {}).values()) for response in (sent, answers))


def test_every_example_response_matches_its_schema():
    described = [
        (path.removeprefix("/api/v1/"), {"method": method, "status": int(status)})
        for path, methods in openapi()["paths"].items()
        for method, operation in methods.items()
        for status, response in operation["responses"].items()
        if status < "300" and "application/json" in response.get("content", {})
    ]
    for path, answer in described:
        for example in examples_of(path, **answer):
            assert [] == wrong_in(example, path, **answer), (path, answer)


def test_every_example_request_gets_the_example_response(program):
    for path, sent, answers in examples():
        if "{code}" not in path and path != "/api/v1/tables/":
            for example in sent:
                answer = program.post(path.removeprefix("/api/v1/"), example["value"])

                assert 200 == answer.status
                assert [answer.body] * len(answers) == [answer["value"] for answer in answers]


@pytest.mark.django_db
def test_the_example_requests_of_a_table_succeed_in_their_order(program_for):
    owner = make_user("ana")
    table = make_table(owner, people=())
    program, code = program_for(owner), table.code
    for place, (path, sent, _answers) in enumerate(examples()):
        if path == "/api/v1/games/{code}/events/":
            code = start(make_table(owner), owner).code
        for number, example in enumerate(sent):
            if OPENED.fullmatch(path):
                known = table.code if path.startswith("/api/v1/tables/") else code
                where = path.removeprefix("/api/v1/").replace("{code}", known)
                value = example["value"]
                if "first_day" in value:  # a season begins by the next night at the latest
                    value = {**value, "first_day": (night_of(now(), table) + timedelta(days=1)).isoformat()}
                if "seen" in value:  # the digest of the accounts as they are now
                    value = {**value, "seen": program.get(f"tables/{table.code}/accounts/").body["seen"]}
                answer = program.write(where, value, key=f"{place}-{number}")

                assert answer.status in (200, 201), answer.body


def test_the_example_game_equals_the_golden_game_of_the_notation():
    examples = openapi()["paths"]["/api/v1/score/"]["post"]["requestBody"]["content"]["application/json"][
        "examples"
    ]
    written = next(example["value"]["game"] for example in examples.values() if "game" in example["value"])
    golden = (GOLDEN / "notation_example.game").read_text(encoding="utf-8").splitlines()
    played = [line.split("#")[0].strip() for line in golden if not line.startswith(("#", "expect"))]

    assert played == written.splitlines()


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
