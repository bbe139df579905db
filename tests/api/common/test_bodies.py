"""Request bodies that the API refuses: invalid JSON or UTF-8, too large, too deep, cut short.

Nothing of them is stored.
"""

from __future__ import annotations

import json
import random
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from games.api.common.bodies import DEEPEST, LARGEST, JsonParser
from games.api.common.problems import Problem

ADDRESSES = ("score/", "hand/")
NEVER = {
    "nothing": b"",
    "no JSON": b"game loba_menos",
    "half of it": b'{"game": "ga',
    "two values": b"{} {}",
    "a trailing comma": b'{"game": 1,}',
    "not a number": b'{"game": NaN}',
    "infinity": b'{"game": -Infinity}',
    "an endless number": b'{"game": ' + b"9" * 5_000 + b"}",
    "a control character": b'{"game": "a\x01"}',
    "NUL": b'{"game": "a\x00"}',
    "Latin letters": '{"game": "ñ"}'.encode("latin-1"),
    "UTF-16": '{"game": "a"}'.encode("utf-16"),
    "half a letter": b'{"game": "\\ud83d"}',
    "half a letter as a name": b'{"\\uDC00": 1}',
    "too deep": b'{"game": ' + b"[" * DEEPEST + b"]" * DEEPEST + b"}",
    "very deep": b"[" * 500_000 + b"]" * 500_000,
    "very deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("content", NEVER.values(), ids=NEVER)
def test_a_body_that_is_not_json_is_malformed(program, address, content):
    answer = program.post(address, content)

    assert (400, "malformed" if content else "misshapen") == answer.problem[:2]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_body_of_two_megabytes_is_too_large(program, address):
    assert (413, "too_large", f"The body must not exceed {LARGEST:,} bytes.") == program.post(
        address, json.dumps({"game": "a" * 2**21})
    ).problem


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "",
    ],
)
def test_a_body_of_another_media_type_than_json_is_a_415(program, media_type):
    answer = program.post("score/", '{"game": ""}', content_type=media_type)

    assert (415, "unsupported_media_type") == answer.problem[:2]


def test_a_large_multipart_form_is_refused_with_415(program, tmp_path, settings):
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    sent = (
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
        + b"a" * 3_000_000
        + b"\r\n--x--\r\n"
    )
    answer = program.post("score/", sent, content_type="multipart/form-data; boundary=x")

    assert 415 == answer.status


@pytest.mark.parametrize(
    "media_type", ["application/json", "application/json; charset=utf-8", "Application/JSON"]
)
def test_a_json_media_type_is_accepted_in_any_case_and_with_a_charset(program, media_type):
    assert (422, "unreadable") == program.post("score/", '{"game": ""}', content_type=media_type).problem[:2]


@pytest.mark.parametrize("accepted", ["text/html", "application/xml", "*/*", "application/problem+json"])
def test_the_response_is_json_whatever_the_accept_header(program, accepted):
    answer = program.get("variants/", headers={"accept": accepted})

    assert (200, "application/json") == (answer.status, answer.headers["Content-Type"])


VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**29, 1.5, "", "ana", "\x00", "\u202e", "a" * 10_000, "{}", "[K]", "😀"),
    *([], {}, [[]], {"a": {}}, [None], {"kind": "round_played", "data": {}}, [["ana", "23"]], {"id": "ana"}),
)
NAMES = (
    *(
        "game",
        "events",
        "kind",
        "data",
        "format",
        "version",
        "state",
        "variant",
        "options",
        "hand",
        "direction",
    ),
    *(
        "players",
        "dealer",
        "number",
        "event",
        "player",
        "hands",
        "closer",
        "closing",
        "totals",
        "a\x00",
        "\u202e",
    ),
)


def something(chance, depth=0):
    """Return a random JSON value that no operation expects."""
    if depth > 3 or chance.random() < 0.4:
        return chance.choice(VALUES)
    if chance.random() < 0.5:
        return [something(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): something(chance, depth + 1) for _ in range(chance.randrange(4))}


@pytest.mark.parametrize("address", ADDRESSES)
def test_random_json_bodies_get_a_problem_response(program_of, address):
    """The test has no database, so that it fails if an endpoint reads or writes rows."""
    chance, program = random.Random(address), program_of(raise_request_exception=True)
    for number in range(150):
        body = (
            {chance.choice(NAMES): something(chance) for _ in range(3)} if number % 3 else something(chance)
        )
        answer = program.post(address, json.dumps(body))

        assert 400 <= answer.problem[0] < 500


# --- the stream ---------------------------------------------------------------------------------------------


def parse(stream, length, **environ):
    request = SimpleNamespace(META={"CONTENT_LENGTH": str(length), **environ})
    return JsonParser().parse(stream, "application/json", {"request": request})


def test_a_body_shorter_than_its_content_length_is_a_problem():
    with pytest.raises(Problem, match="too_slow"):
        parse(BytesIO(b'{"game": '), 100)
