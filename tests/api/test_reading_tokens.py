"""A read-only token is refused by every operation that writes, whoever made it."""

from __future__ import annotations

import pytest

from games.api.common.schema import openapi
from games.models import Role
from games.people.claims import claim
from games.people.tokens import LIVES, make_token
from tests.api.conftest import answered
from tests.tables import make_user, the_night
from tests.test_rights import stored

pytestmark = pytest.mark.django_db

# Operations that write nothing, whoever calls them.
STATELESS = {"hand", "score"}
# What a read-only token may end: itself. See people/test_me.py.
ITSELF = {"revoke_own_token"}


@pytest.fixture
def named(table, finished, pay):
    """The parameters of the paths by name, except for the code."""
    table.grants.create(user=make_user("carla"), role=Role.SCORER)
    night = the_night(table)
    return {
        "member": "beto",
        "other": "ana",
        "payment": pay("beto", "ana", 50).pk,
        "cost": 1,
        "night": night.isoformat(),
        "season": table.seasons.get().pk,
        "what": "payments",
    }


def writing():
    """Return every operation with a method other than GET: its name, method and path."""
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            if method != "get" and operation["operationId"] not in STATELESS | ITSELF:
                yield operation["operationId"], method, path


@pytest.mark.parametrize("owns", [True, False])
def test_a_read_only_token_is_refused_by_every_operation_that_writes(
    subtests, program_of, table, finished, named, owns
):
    """Beto is a member, and an owner or a witness; the token for a clock on the wall is read-only."""
    beto = make_user("beto_himself")
    table.grants.create(user=beto, role=Role.OWNER if owns else Role.WITNESS)
    claim(table.members.get(slug="beto"), beto, is_agreed=True)
    _token, secret = make_token(beto, "reloj", lasts=LIVES["day"], reads_only=True)
    program = program_of(enforce_csrf_checks=True)
    program.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    program.get("variants/")  # the first request of a day stores that the token was used
    before = stored()
    for name, method, path in writing():
        where = path.format(**named, code=finished.code if "/games/{" in path else table.code)
        with subtests.test(operation=name):
            sent = {"content_type": "application/json", "headers": {"idempotency-key": "k"}}
            answer = answered(getattr(program.client, method)(where, SENT.get(name, "{}"), **sent))

            assert (403, "forbidden") == answer.problem[:2]
            assert before == stored()


# Operations that otherwise would be refused for their body alone.
SENT = {
    "pay": '{"payer": "beto", "payee": "ana", "amount": 60, "method": "cash"}',
}
