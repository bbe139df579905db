"""Requests with a token: they act as its creator and need no CSRF token; guessing tokens is rate limited.

`tables/test_tokens.py` has the rights and the end of a token.
"""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Token
from games.tables.api.permissions import WRONG
from games.tables.services import tokens
from tests.api.conftest import Program, check_response
from tests.factories import make_table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache", "new_window")]


@pytest.fixture
def token_and_secret(owner, table):
    return tokens.create(owner, "reloj", table=table)


def ask(secret, **options):
    return check_response(
        Client().get("/api/v1/me/", headers={"authorization": f"Bearer {secret}"}, **options)
    )


def test_a_token_for_one_table_lists_that_one_and_makes_none(token_and_secret, owner, table):
    make_table(owner, name="Otra")
    program = Program(authorization=f"bearer {token_and_secret[1]}")
    me = program.get("me/").body

    assert ("reloj", table.code) == (me["token"]["name"], me["token"]["table"])
    assert [(table.code, "owner", True)] == [
        (item["code"], item["role"], item["accounts"]) for item in me["tables"]
    ]
    assert [table.code] == [item["code"] for item in program.get("tables/").body]
    assert 403 == program.post("tables/", {"name": "Más"}).status


def test_a_token_says_whether_it_only_reads(program_for, owner):
    flags = [program_for(owner, reads_only=only).get("me/").body["token"]["reads_only"] for only in (0, 1)]

    assert [False, True] == flags


def test_expired_revoked_and_unknown_tokens_get_the_same_401(token_and_secret, owner, time_machine):
    token, secret = token_and_secret
    revoked, gone = tokens.create(owner, "viejo")
    tokens.revoke(revoked)
    answers = [ask(wrong) for wrong in (gone, secret[:-1], "", "anotador_", "x" * 5000, "a b")]
    time_machine.move_to(token.expires_at, tick=False)
    answers.append(ask(secret))

    assert [(401, "unauthenticated", None)] * 7 == [answer.problem for answer in answers]
    assert 1 == len({(str(answer.body), answer.headers["WWW-Authenticate"]) for answer in answers})


def test_a_wrong_token_is_refused_even_with_a_valid_session_and_on_public_operations(owner, client_for):
    headers = {"authorization": "Bearer anotador_x"}

    assert 401 == client_for(owner).get("/api/v1/me/", headers=headers).status_code
    assert 401 == Client().get("/api/v1/variants/", headers=headers).status_code


def test_guesses_of_tokens_are_rate_limited_per_address_and_valid_tokens_are_not(token_and_secret):
    guesses = [ask(f"anotador_{number}").status for number in range(WRONG.most)]
    waiting = ask("anotador_more")

    assert {401} == set(guesses)
    assert (429, "too_many_requests", None) == waiting.problem
    assert 890 < int(waiting.headers["Retry-After"]) <= 900
    assert 200 == ask(token_and_secret[1]).status
    assert 401 == ask("anotador_x", REMOTE_ADDR="192.0.2.7").status


def test_a_revoked_token_ends_at_once(token_and_secret):
    program = Program(authorization=f"Bearer {token_and_secret[1]}")
    revoked = program.post("me/token/revoke/", {})

    assert (200, True) == (revoked.status, revoked.body["revoked_at"] is not None)
    assert 401 == program.get("me/").status


def test_the_first_use_of_a_token_is_stored(token_and_secret):
    ask(token_and_secret[1])

    assert Token.objects.get().used_on
