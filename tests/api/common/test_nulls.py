"""A field that may be null is described as nullable, and no other.

Every answer to a client of the API tests is compared with the description (`tests/api/conftest.py`).
"""

from __future__ import annotations

import pytest

from games.api.common.schema import openapi
from games.api.common.serializers import Answer
from tests.api.nulls import nulls_answered, nulls_sent

GAME = "/api/v1/games/abcdefghjkm/"
ANYTHING = {"object", "Any"}  # types that say nothing of null


def kinds_of(answer):
    for kind in answer.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_a_method_returns_none_exactly_where_its_field_may_be_null():
    assert openapi()  # which imports all answers
    differing = set()
    for answer in kinds_of(Answer):
        for name, field in answer._declared_fields.items():
            tells = getattr(answer, f"tell_{name}", None)
            kind = str(tells.__annotations__["return"]) if tells else "object"
            if kind not in ANYTHING and kind.endswith("| None") != bool(field.allow_null):
                differing.add(f"{answer.__name__}.{name}")

    assert set() == differing


@pytest.mark.parametrize(
    ("path", "body", "undescribed"),
    [
        ("events/", {"events": [], "next": None}, []),
        ("events/?limit=1", {"events": None, "next": ""}, ["answer.events"]),
        ("events/", {"events": [{"number": None}]}, ["answer.events[].number"]),
        ("events/", {"events": [{"data": {"closer": None, "closing": "", "hands": []}}]}, []),
        (
            "events/",
            {"events": [{"data": {"closer": None, "closing": None, "hands": []}}]},
            ["answer.events[].data.closing"],
        ),
        ("", {"pairwise": {"ana": {"beto": None}}, "pot": 0}, ["answer.pairwise.ana.beto"]),
    ],
)
def test_an_undescribed_null_in_a_response_is_reported(path, body, undescribed):
    assert undescribed == nulls_answered("GET", GAME + path, 200, body)


def test_an_undescribed_null_in_a_request_is_reported():
    assert ["body.after"] == nulls_sent("POST", f"{GAME}undo/", {"after": None})
    assert [] == nulls_sent("POST", f"{GAME}undo/", {"after": 2})
