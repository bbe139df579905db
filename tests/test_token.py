"""`manage.py token`: prints a token for a registered user, at one table or at all."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.models import Access, Role, Token
from games.tables.services import tokens
from tests.commands import command_error, run_command

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(table):
    user = User.objects.create_user("olga", password="tres lobas negras")
    Access.objects.create(user=user, table=table, role=Role.SCORER)
    return user


def test_it_prints_a_token_that_acts_as_the_user_at_all_tables_or_at_one(olga, table):
    for options, place in (((), None), (("--table", table.code), table)):
        token = tokens.find(run_command("token", "olga", *options).strip())

        assert token is not None
        assert (olga, place) == (token.user, token.table)


def test_it_prints_a_token_that_only_reads(olga):
    token = tokens.find(run_command("token", "olga", "--read-only").strip())

    assert token is not None
    assert (True, [True]) == (token.reads_only, [*Token.objects.values_list("reads_only", flat=True)])


def test_it_makes_none_for_an_unknown_user_or_table_or_beyond_the_maximum(olga):
    assert command_error("token", "nadie").startswith("Nobody signs in here under the name nadie.")
    assert "olga has no table with the code zzz." == command_error("token", "olga", "--table", "zzz")
    for _time in range(tokens.MAX_TOKENS):
        run_command("token", "olga")
    assert "Revoke one first." in command_error("token", "olga")

    assert tokens.MAX_TOKENS == Token.objects.count()
