"""A token made to read writes nothing at all: not for its table, not about the member its user is. One line an operation."""

from __future__ import annotations

import pytest

from games.api.common.schema import openapi
from games.models import Role
from games.people.claims import claim
from games.people.tokens import LIVES, make_token
from tests.api.conftest import answered
from tests.tables import make_user
from tests.test_rights import stored

pytestmark = pytest.mark.django_db

# What writes nothing, whoever asks.
STATELESS = {"rules", "hand", "contract", "score"}


def writing():
    """Every operation that is not asked with GET: its name, method and path."""
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            if method != "get" and operation["operationId"] not in STATELESS:
                yield operation["operationId"], method, path


@pytest.mark.parametrize("owns", [True, False])
def test_it_is_refused_whatever_it_sends(subtests, program_of, table, finished, pay, owns):
    """Beto is a member, and an owner or a witness; the token for a clock on the wall only reads."""
    beto = make_user("beto_himself")
    table.grants.create(user=beto, role=Role.OWNER if owns else Role.WITNESS)
    claim(table.members.get(slug="beto"), beto, is_agreed=True)
    _token, secret = make_token(beto, "reloj", Role.WITNESS, lasts=LIVES["day"])
    program = program_of(enforce_csrf_checks=True)
    program.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    program.get("variants/")  # the first use of a day is noted
    known = {"member": "beto", "other": "ana", "payment": pay("beto", "ana", 50).pk}
    known |= {"season": table.seasons.get().pk, "grant": table.grants.last().pk}
    known |= dict.fromkeys(("invitation", "removal", "device", "token"), 1)
    before = stored()
    for name, method, path in writing():
        where = path.format(**known, code=finished.code if "/games/{" in path else table.code)
        with subtests.test(operation=name):
            sent = {"content_type": "application/json", "headers": {"idempotency-key": "k"}}
            answer = answered(getattr(program.client, method)(where, SENT.get(name, "{}"), **sent))

            assert (403, "forbidden") == answer.problem[:2]
            assert before == stored()


# Where the body alone would be refused otherwise.
SENT = {
    "flag": '{"number": 2, "player": "beto"}',
    "settle_flags": '{"number": 2, "player": "beto"}',
    "pay": '{"payer": "beto", "payee": "ana", "amount": 60, "method": "cash"}',
}
