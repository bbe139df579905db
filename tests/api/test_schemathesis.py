"""Random valid and invalid requests: no server error, no undescribed status, no response against its schema.

Schemathesis generates the requests from the OpenAPI document. Each operation is sent with an owner's token,
mostly with the codes of an existing table and game. All operations share one test, because no other test
loads what they need.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings

from games.common.api import schema
from games.models import Method
from games.money.services import expenses, payments
from games.play.services import recording
from games.tables.services import tokens
from tests.factories import build_expense, build_round, make_table, make_user, start

CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
    *("unsupported_method", "allow_header_conformance"),
)
ALWAYS_VALID = {"GET /api/v1/variants/"}  # nothing to get wrong
FEW, MANY = 2, 400


@pytest.fixture
def known(db):
    """An owner's token, the codes of a table and a game, and ids of their rows."""
    owner = make_user("ana")
    table = make_table(owner)
    ana, beto = (table.members.get(slug=slug) for slug in ("ana", "beto"))
    paid = payments.create(table, beto, ana, 60, method=Method.CASH, key="paid", by=owner)
    game = start(table, owner, stake=100)
    recording.record(game, build_round("ana", beto=10, caro=5, dani=1), after=1, key="first", by=owner)
    night = date.fromordinal(game.night_number)
    cost = expenses.create(table, night, build_expense(beto, 1000, (ana,)), key="pizza", by=owner)
    places = {
        **{"member": ana.slug, "other": beto.slug, "payment": paid.pk, "cost": cost.pk},
        **{"night": night.isoformat(), "what": "results"},
    }
    secret = tokens.create(owner, "bot")[1]
    return f"Bearer {secret}", {"tables": table.code, "games": game.code}, places


@contextmanager
def keep_connection_open() -> Iterator[None]:
    """Keep the database connection, which holds the test's transaction and which requests would close."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.parametrize(
    "examples", [pytest.param(FEW, marks=pytest.mark.slow), pytest.param(MANY, marks=pytest.mark.long)]
)
def test_random_requests_get_responses_that_match_the_description(subtests, known, examples):
    schemathesis = pytest.importorskip("schemathesis")
    from scorekeeper.wsgi import application

    schemathesis.checks.load_all_checks()
    checks = schemathesis.checks.CHECKS.get_by_names(CHECKS)
    api_schema = schemathesis.openapi.from_dict(schema.openapi())
    api_schema.app = application
    right, wrong = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
    tried = set()
    for operation in (read.ok() for read in api_schema.get_all_operations()):
        for mode in (right,) if operation.label in ALWAYS_VALID else (right, wrong):
            tried.add(operation.label.partition(" ")[2])
            with subtests.test(operation=operation.label, mode=mode), keep_connection_open():
                ask(operation, mode, examples, checks, known)

                if "{code}" in operation.label and operation.method == "get" and mode is right:
                    assert 200 == send_without_query(operation, checks, known)
    assert set(schema.openapi()["paths"]) == tried


def send_without_query(operation, checks, known):
    """Send this operation's request for existing rows, without a query string. Return its status."""
    token, codes, places = known
    parts = {"code": codes[operation.path.split("/")[3]], **places}
    path = {name: parts[name] for name in re.findall(r"{(\w+)}", operation.path)}
    case = operation.Case(
        path_parameters=path, headers={"Authorization": token, "Accept-Encoding": "identity"}
    )
    return case.call_and_validate(checks=checks).status_code


def reaches_application(header):
    """Return whether servers pass on a header of this name as it is.

    They drop names with an underscore, which the test client would pass on as keys of the WSGI environment, and
    refuse a request with another length than its own.
    """
    return "_" not in header and header.lower() != "content-length"


def ask(operation, mode, examples, checks, known):
    """Send this many requests of one operation, valid or invalid by `mode`."""
    token, codes, places = known
    kind = operation.path.split("/")[3]

    @settings(
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        max_examples=examples,
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def one(case):
        for name in [name for name in case.headers if not reaches_application(name)]:
            del case.headers[name]
        case.headers["Authorization"], case.headers["Accept-Encoding"] = token, "identity"
        if "code" in case.path_parameters and len(str(case.path_parameters["code"])) % 4:
            case.path_parameters["code"] = codes[kind]
            case.path_parameters |= {name: places[name] for name in places.keys() & case.path_parameters}
        with transaction.atomic():  # each request finds the game unchanged
            case.call_and_validate(checks=checks)
            transaction.set_rollback(True)

    one()
