"""Random valid and invalid requests: no server error, no undescribed status, no response against its schema.

Schemathesis makes the requests from the description; Hypothesis draws the same ones in every run. Operations
on a table are sent in its owner's session, mostly with the codes of a table and a game that exist. All
operations share one test, because no other test loads what they need.
"""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection, transaction
from hypothesis import Phase, given, settings

from games.api.common.schema import openapi
from games.models import Method
from games.money.costs import CostWords, share_cost
from games.money.payments import pay
from games.play.recording import record
from tests.api.tried import HOW, described_api, kept_open, session_of, wanted_checks
from tests.tables import a_round, make_table, make_user, start

TAKES = {  # every operation, and whether a request of it can be invalid
    "GET /api/v1/variants/": False,
    "GET /api/v1/variants/{key}/": True,
    "POST /api/v1/hand/": True,
    "POST /api/v1/score/": True,
    "GET /api/v1/tables/": False,
    "POST /api/v1/tables/": True,
    "GET /api/v1/tables/{code}/": False,
    "PATCH /api/v1/tables/{code}/": True,
    "GET /api/v1/tables/{code}/games/": True,
    "POST /api/v1/tables/{code}/games/": True,
    "GET /api/v1/games/{code}/": False,
    "GET /api/v1/games/{code}/events/": True,
    "POST /api/v1/games/{code}/events/": True,
    "POST /api/v1/games/{code}/preview/": True,
    "POST /api/v1/games/{code}/undo/": True,
    "POST /api/v1/games/{code}/redo/": True,
    "POST /api/v1/games/{code}/rematch/": True,
    "POST /api/v1/games/{code}/discard/": False,
    "POST /api/v1/games/{code}/restore/": False,
    "GET /api/v1/tables/{code}/members/": False,
    "POST /api/v1/tables/{code}/members/": True,
    "PATCH /api/v1/tables/{code}/members/{member}/": True,
    "POST /api/v1/tables/{code}/opening-balances/": True,
    "GET /api/v1/tables/{code}/accounts/": False,
    "POST /api/v1/tables/{code}/simplify/": True,
    "GET /api/v1/tables/{code}/payments/": True,
    "POST /api/v1/tables/{code}/payments/": True,
    "GET /api/v1/tables/{code}/payments/{payment}/": True,
    "POST /api/v1/tables/{code}/payments/{payment}/confirm/": True,
    "POST /api/v1/tables/{code}/payments/{payment}/dispute/": True,
    "POST /api/v1/tables/{code}/payments/{payment}/take-back/": True,
    "GET /api/v1/tables/{code}/costs/": True,
    "POST /api/v1/tables/{code}/costs/": True,
    "POST /api/v1/tables/{code}/costs/{cost}/cancel/": True,
    "GET /api/v1/tables/{code}/nights/": True,
    "GET /api/v1/tables/{code}/nights/{night}/": True,
    "GET /api/v1/me/": False,
    "POST /api/v1/me/token/revoke/": False,
    "GET /api/v1/tables/{code}/seasons/": False,
    "POST /api/v1/tables/{code}/seasons/": True,
    "PATCH /api/v1/tables/{code}/seasons/{season}/": True,
    "GET /api/v1/tables/{code}/standings/": True,
    "GET /api/v1/tables/{code}/records/": True,
    "GET /api/v1/tables/{code}/duels/": True,
    "GET /api/v1/tables/{code}/duels/{member}/{other}/": True,
    "GET /api/v1/tables/{code}/players/{member}/": True,
    "GET /api/v1/tables/{code}/file/": False,
    "GET /api/v1/tables/{code}/spreadsheets/{what}/": True,
    "GET /api/v1/games/{code}/text/": False,
    "POST /api/v1/table-files/": True,
}
OWN = {"me"}  # these are also sent in the owner's session
# Examples of an operation, right ones and wrong ones: few where only another database takes the same again.
ENOUGH = 25  # examples, some of which must get a successful response
FEW, MANY = ENOUGH if connection.vendor == "sqlite" else 6, 400


def test_every_described_operation_is_listed_here():
    paths = openapi()["paths"]

    assert list(TAKES) == [
        f"{method.upper()} {path}" for path, methods in paths.items() for method in methods
    ]


@pytest.fixture
def known(db):
    """Return the cookies of an owner's session, the codes of a table and a game, and ids of their rows."""
    owner = make_user("ana")
    table = make_table(owner)
    ana, beto = (table.members.get(slug=slug) for slug in ("ana", "beto"))
    paid = pay(table, beto, ana, 60, method=Method.CASH, key="paid", by=owner)
    game = start(table, owner, stake=100)
    record(game, a_round("ana", beto=10, caro=5, dani=1), after=1, key="first", by=owner)
    night = date.fromordinal(game.night_number)
    cost = share_cost(table, night, CostWords(beto, 1000, (ana,)), key="pizza", by=owner)
    places = {
        **{"member": ana.slug, "other": beto.slug, "payment": paid.pk, "cost": cost.pk},
        "night": night.isoformat(),
    }
    return session_of(owner), {"tables": table.code, "games": game.code}, places


@pytest.mark.parametrize(
    "examples", [pytest.param(FEW, marks=pytest.mark.slow), pytest.param(MANY, marks=pytest.mark.long)]
)
def test_random_requests_get_responses_that_match_the_description(subtests, known, examples):
    schemathesis = pytest.importorskip("schemathesis")
    described, wanted = described_api(), wanted_checks()
    right_and_wrong = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
    for operation in (read.ok() for read in described.get_all_operations()):
        for mode in right_and_wrong[: 1 + TAKES[operation.label]]:
            with subtests.test(operation=operation.label, mode=mode), kept_open():
                statuses = ask(operation, mode, examples, wanted, known)

                is_read = "{code}" in operation.label and operation.method == "get"
                if is_read and mode is right_and_wrong[0] and examples >= ENOUGH:
                    assert 200 in statuses


def ask(operation, mode, examples, wanted, known):
    """Send this many requests of one operation, valid or invalid by `mode`; return the set of statuses."""
    session, codes, places = known
    statuses: set[int] = set()
    kind = operation.path.split("/")[3]

    @settings(**HOW, max_examples=examples, phases=[Phase.explicit, Phase.generate])
    @given(case=operation.as_strategy(generation_mode=mode))
    def one(case):
        if kind in codes or kind in OWN:
            case.cookies = session
            case.headers["X-CSRFToken"] = session["csrftoken"]
            if "code" in case.path_parameters and len(str(case.path_parameters["code"])) % 4:
                case.path_parameters["code"] = codes[kind]
                case.path_parameters |= {name: places[name] for name in places.keys() & case.path_parameters}
        with transaction.atomic():  # each request finds the game unchanged
            statuses.add(case.call_and_validate(checks=wanted).status_code)
            transaction.set_rollback(True)

    one()
    return statuses
