"""Everything the description allows, and much it does not: no fault, no undescribed status, no other shape.

Schemathesis makes the requests from the description; Hypothesis draws them the same way in every run. All stand in
one test, since what they need is loaded by no other.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from games.api.common.limits import COUNTS
from games.api.common.schema import openapi

TAKES = {  # every operation, and whether there is anything in it that could be sent wrongly
    "GET /api/v1/variants/": False,
    "GET /api/v1/variants/{key}/": True,
    "POST /api/v1/rules/": True,
    "POST /api/v1/hand/": True,
    "POST /api/v1/score/": True,
}
QUICK, LONG = 10, 400
CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
    *("unsupported_method", "allow_header_conformance"),
)


def test_every_operation_is_tried():
    paths = openapi()["paths"]

    assert list(TAKES) == [
        f"{method.upper()} {path}" for path, methods in paths.items() for method in methods
    ]


@pytest.mark.django_db  # nothing is read from it, but each request lets go of a connection left open before
@pytest.mark.parametrize("examples", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)])
def test_what_is_described_is_what_happens(subtests, examples):
    schemathesis = pytest.importorskip("schemathesis")
    from scorekeeper.wsgi import application

    described = schemathesis.openapi.from_dict(openapi())
    described.app = application
    wanted = schemathesis.checks.CHECKS.get_by_names(CHECKS)
    right_and_wrong = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
    for operation in (found.ok() for found in described.get_all_operations()):
        for mode in right_and_wrong[: 1 + TAKES[operation.label]]:
            with subtests.test(operation=operation.label, mode=mode):
                ask(operation, mode, examples, wanted)


def ask(operation, mode, examples, wanted):
    """Tries so many requests of one operation, right ones or wrong ones."""

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def one(case):
        COUNTS.clear()
        case.call_and_validate(checks=wanted)

    one()
