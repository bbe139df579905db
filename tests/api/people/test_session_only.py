"""Operations that require a session and refuse every token: inviting people, and irreversible acts.

Each operation of that kind has one line here.
"""

from __future__ import annotations

import re

import pytest

from games.api.urls import urlpatterns
from games.models import Role
from games.people.tokens import LIVES, make_token
from tests.test_rights import stored

pytestmark = pytest.mark.django_db

FOR_SESSIONS = {
    *("api-invitations", "api-revoke-invitation", "api-accept-invitation", "api-look-at-invitation"),
    "api-new-phone",
    *("api-grants", "api-keep-grant", "api-remove-grant", "api-undo-removal", "api-hand-over"),
    *("api-leave-table", "api-erase-table", "api-bring-table-back"),
    *("api-devices", "api-sign-out", "api-tokens", "api-revoke-token"),
}
KNOWN = {
    "code": "",
    "member": "ana",
    "grant": "1",
    "invitation": "1",
    "removal": "1",
    "device": "1",
    "token": "1",
}


def of_sessions():
    """Return the names of the operations that are described as open to sessions only."""
    return {
        place.name: str(place.pattern).removeprefix("v1/")
        for place in urlpatterns
        if getattr(getattr(place.callback, "view_class", None), "session_only", False)
    }


def test_exactly_the_listed_operations_require_a_session():
    assert FOR_SESSIONS == of_sessions().keys()


@pytest.mark.parametrize("for_one", [True, False])
def test_an_owners_token_is_refused_by_every_operation_that_requires_a_session(
    subtests, program_of, table, owner, for_one
):
    _token, secret = make_token(
        owner, "reloj", Role.OWNER, lasts=LIVES["day"], table=table if for_one else None
    )
    program = program_of()
    program.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    program.get("variants/")  # the first request of a day stores that the token was used
    known, before = {**KNOWN, "code": table.code}, stored()
    for name, path in of_sessions().items():
        for method in ("get", "post"):
            with subtests.test(name=name, method=method):
                where = re.sub(r"<\w+:(\w+)>", lambda answer: known[answer[1]], path)
                answer = program.get(where) if method == "get" else program.post(where, {})

                assert (403, "forbidden", "This needs a signed-in session; tokens cannot do it.") == (
                    answer.problem
                )
                assert before == stored()


def test_every_operation_that_requires_a_session_also_requires_a_csrf_token(
    subtests, program_for, table, owner
):
    program, before = program_for(owner, enforce_csrf_checks=True), stored()
    for name, path in of_sessions().items():
        with subtests.test(name=name):
            where = re.sub(r"<\w+:(\w+)>", lambda match: {**KNOWN, "code": table.code}[match[1]], path)

            assert (403, "forbidden") == program.post(where, {}).problem[:2]
            assert before == stored()
