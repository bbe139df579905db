"""`manage.py token`: prints a token for a registered user, at one table or at all."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from games.models import Access, Role, Token
from games.tables.services import tokens
from tests.commands import output_of, refusal_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(table):
    user = User.objects.create_user("olga", password="tres lobas negras")
    Access.objects.create(user=user, table=table, role=Role.SCORER)
    return user


def test_it_prints_a_token_that_acts_as_the_user_at_all_tables_or_at_one(olga, table):
    for words, place in (((), None), (("--table", table.code), table)):
        token = tokens.find(output_of("token", "olga", *words).strip())

        assert token is not None
        assert (olga, place) == (token.user, token.table)


def test_it_prints_a_token_that_only_reads(olga):
    token = tokens.find(output_of("token", "olga", "--read-only").strip())

    assert token is not None
    assert (True, [True]) == (token.reads_only, [*Token.objects.values_list("reads_only", flat=True)])


def test_it_makes_none_for_an_unknown_user_or_table_or_beyond_the_maximum(olga):
    assert refusal_of("token", "nadie").startswith("Nobody signs in here under the name nadie.")
    assert "olga has no table with the code zzz." == refusal_of("token", "olga", "--table", "zzz")
    for _time in range(tokens.MAX_TOKENS):
        output_of("token", "olga")
    assert "Revoke one first." in refusal_of("token", "olga")

    assert tokens.MAX_TOKENS == Token.objects.count()
