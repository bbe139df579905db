"""A client's own permissions as the API returns them, and a token that revokes itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.models import Grant, Role, Token
from games.people.claims import claim
from games.people.tokens import LIVES, make_token
from tests.api.described import wrong_in
from tests.tables import make_table, make_user
from tests.test_rights import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def by_token(program_of):
    """`by_token(user)` returns a client with a token of this user, and the token."""

    def one(user, **limits):
        token, secret = make_token(user, "un programa", lasts=LIVES["day"], **limits)
        program = program_of(enforce_csrf_checks=True)
        program.client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
        return program, token

    return one


def roles(answer):
    return [(table["name"], table["role"], table["accounts"]) for table in answer.body["tables"]]


def test_a_session_gets_its_roles_and_no_token(program_for, owner, table):
    other = make_table(make_user("beto"), name="De Beto")
    Grant.objects.create(user=owner, table=other, role=Role.WITNESS)
    answer = program_for(owner).get("me/")

    assert [] == wrong_in(answer.body, "me/")
    assert answer.body["token"] is None
    assert [("De Beto", "witness", False), (table.name, "owner", True)] == roles(answer)


@pytest.mark.parametrize("reads_only", [True, False])
def test_a_token_gets_its_makers_role_its_table_and_its_expiry(by_token, owner, table, reads_only):
    make_table(owner, name="Otra")
    program, token = by_token(owner, table=table, reads_only=reads_only)
    answer = program.get("me/")

    assert [] == wrong_in(answer.body, "me/")
    assert [(table.name, "owner", True)] == roles(answer)
    sent = answer.body["token"]
    assert (token.pk, reads_only, table.code) == (sent["id"], sent["reads_only"], sent["table"])
    assert token.expires_at.isoformat() == sent["expires_at"]


def test_a_witness_with_the_pen_is_a_scorer_here_and_in_the_list_of_tables(program_for, table):
    beto = make_user("beto_himself")
    until = now() + timedelta(hours=1)
    Grant.objects.create(user=beto, table=table, role=Role.WITNESS, records_until=until)
    program = program_for(beto)

    assert [(table.name, "scorer", True)] == roles(program.get("me/"))
    assert ["scorer"] == [row["role"] for row in program.get("tables/").body["tables"]]


def test_a_member_with_a_witness_grant_reads_the_accounts_and_so_does_their_token(
    by_token, program_for, table
):
    beto = make_user("beto_himself")
    Grant.objects.create(user=beto, table=table, role=Role.WITNESS)
    claim(table.members.get(slug="beto"), beto, is_agreed=True)

    for program in (program_for(beto), by_token(beto, reads_only=True)[0]):
        assert [(table.name, "witness", True)] == roles(program.get("me/"))
        assert 200 == program.get(f"tables/{table.code}/accounts/").status


def test_an_anonymous_client_gets_401(program):
    for answer in (program.get("me/"), program.post("me/token/revoke/", {})):
        assert (401, "unauthenticated") == answer.problem[:2]


@pytest.mark.parametrize("reads_only", [True, False])
def test_a_token_revokes_itself_and_no_other(by_token, owner, table, reads_only):
    program, token = by_token(owner, reads_only=reads_only)
    other, kept = by_token(owner)
    answer = program.post("me/token/revoke/", {})

    assert [] == wrong_in(answer.body, "me/token/revoke/", method="post")
    assert (200, token.pk) == (answer.status, answer.body["id"])
    assert (401, "unauthenticated") == program.get("me/").problem[:2]
    assert (200, [kept.pk]) == (other.get("me/").status, [one.pk for one in Token.objects.standing()])


def test_a_session_cannot_use_the_operation_that_revokes_a_token_itself(program_for, owner, table):
    program, before = program_for(owner), stored()

    assert (403, "forbidden") == program.post("me/token/revoke/", {}).problem[:2]
    assert before == stored()


# --- missing permissions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "method", "path", "needed"),
    [
        (Role.WITNESS, "post", "games/{game}/undo/", "scorer"),
        (Role.WITNESS, "get", "tables/{table}/accounts/", "scorer"),
        (Role.SCORER, "patch", "tables/{table}/", "owner"),
    ],
)
def test_a_refusal_of_a_token_names_the_needed_role_and_no_csrf_header(
    by_token, owner, game, role, method, path, needed
):
    Grant.objects.filter(user=owner).update(role=role)
    program, _token = by_token(owner)
    where = path.format(game=game.code, table=game.table.code)
    answer = program.get(where) if method == "get" else program.post(where, {}, method=method)

    assert (403, "forbidden") == answer.problem[:2]
    assert needed == answer.body["role"]
    assert "X-CSRFToken" not in answer.body["detail"]


def test_a_refusal_of_a_token_for_one_table_says_that_one_for_all_tables_is_needed(by_token, owner, table):
    program, _token = by_token(owner, table=table)

    assert "This needs a token for all tables." == program.get("tables/").problem[2]


def test_a_refusal_of_a_session_without_a_csrf_token_names_the_header(program_for, owner, game):
    program = program_for(owner, enforce_csrf_checks=True)
    answer = program.post(f"games/{game.code}/undo/", {})

    assert "The CSRF token is missing or wrong (X-CSRFToken)." == answer.problem[2]
    assert "role" not in answer.body
