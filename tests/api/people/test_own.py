"""A user's own devices and tokens: listed and ended, with nothing of other users."""

from __future__ import annotations

import pytest

from games.models import Role, Token
from games.people.tokens import LIVES, make_token
from tests.api.described import wrong_in
from tests.tables import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(program_for, owner):
    """Return two clients in sessions of Ana's, each listed as a device."""
    phones = [program_for(owner) for _phone in range(2)]
    for phone in phones:
        phone.client.get("/")
    return phones


def test_a_user_signs_out_another_device_of_theirs(signed_in, program_for):
    here, there = signed_in
    seen = here.get("devices/")
    ids = {one["this"]: one["id"] for one in seen.body["devices"]}
    nora = program_for(make_user("nora"))

    assert [] == wrong_in(seen.body, "devices/")
    assert {True, False} == ids.keys()
    assert here.client.session.session_key not in str(seen.body)
    nora.post(f"devices/{ids[False]}/sign-out/", None)
    assert 2 == len(here.post(f"devices/{ids[True]}/sign-out/", None).body["devices"])
    assert [True] == [
        one["this"] for one in here.post(f"devices/{ids[False]}/sign-out/", None).body["devices"]
    ]
    assert (401, "unauthenticated") == there.get("devices/").problem[:2]


def test_a_user_lists_their_tokens_without_secrets_and_revokes_one(program_for, owner, table):
    token, secret = make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    program, other = program_for(owner), program_for(make_user("nora"))
    listed = program.get("tokens/")

    assert [] == wrong_in(listed.body, "tokens/")
    assert [("reloj", "scorer", table.code, None)] == [
        (one["name"], one["role"], one["table"], one["used_on"]) for one in listed.body["tokens"]
    ]
    assert secret not in str(listed.body)
    assert token.token_hash not in str(listed.body)
    assert (404, "not_found") == other.post(f"tokens/{token.pk}/revoke/", None).problem[:2]
    assert (
        {"tokens": []} == program.post(f"tokens/{token.pk}/revoke/", None).body == other.get("tokens/").body
    )
    assert not Token.objects.standing().exists()


def test_an_anonymous_client_gets_401_for_devices_and_tokens(subtests, program):
    for path in ("devices/", "tokens/"):
        with subtests.test(path=path):
            assert (401, "unauthenticated") == program.get(path).problem[:2]
