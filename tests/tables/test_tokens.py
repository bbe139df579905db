"""API tokens: they never have more rights than their creators, and end no later than their creators' access.

`api/test_tokens.py` has the requests with a token.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.http import Http404
from django.utils.timezone import now

from games.models import Access, Role, Token
from games.tables.services import authorization, guests, links, lobby, tokens
from games.tables.services.authorization import Visitor
from tests.factories import grant_access, make_table, make_user, move_all_tables, rows_containing

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def add_user(table):
    """`add_user("sonia", Role.SCORER)` returns a new user with this role at the table."""

    def add(name, role=Role.SCORER, **how):
        user = make_user(name)
        grant_access(user, table, role, **how)
        return user

    return add


def token_role(token, table):
    """Return the role of a request with this token at a table, or None if the table is hidden from it."""
    try:
        return authorization.get_table(Visitor(token.user, token), table.code)[1]
    except Http404:
        return None


def test_a_token_is_random_and_only_its_hash_is_stored(owner, table):
    made = {tokens.create(owner, "reloj", table=table)[1] for _time in range(3)}

    assert [[]] * 3 == [rows_containing(secret.removeprefix("anotador_")) for secret in made]


# --- never more than its maker ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", Role)
def test_a_token_has_its_makers_present_role(add_user, table, role):
    user = add_user("sonia", Role.OWNER)
    table_token, _secret = tokens.create(user, "reloj", table=table)
    every, _secret = tokens.create(user, "reloj")
    Access.objects.filter(user=user).update(role=role)

    assert [role, role] == [token_role(table_token, table), token_role(every, table)]


# --- no longer than its maker -----------------------------------------------------------------------------------------


def test_a_token_ends_with_its_makers_access_and_does_not_return_with_a_new_one(add_user, owner, table):
    sonia = add_user("sonia")
    _token, secret = tokens.create(sonia, "reloj", table=table)
    lobby.revoke(table.accesses.get(user=sonia), by=owner)
    assert None is tokens.find(secret)
    again, _link = links.create_personal(table, by=owner, role=Role.SCORER)
    links.redeem_personal(again, sonia)

    assert (None, Role.SCORER) == (tokens.find(secret), table.accesses.get(user=sonia).role)


def test_a_token_ends_with_the_night_of_its_makers_access_and_does_not_return_the_next(
    add_user, owner, table, time_machine
):
    wanda = add_user("wanda", Role.WITNESS, until=now() + DAY)
    token, secret = tokens.create(wanda, "reloj", table=table)
    time_machine.move_to(now() + 2 * DAY, tick=False)
    assert (None, None) == (tokens.find(secret), token_role(token, table))
    lobby.enter(table, wanda, until=now() + DAY)

    assert (None, Role.WITNESS) == (tokens.find(secret), table.accesses.get(user=wanda).role)


def test_a_token_stays_valid_when_its_maker_gets_a_stronger_role(add_user, owner, table):
    wanda = add_user("wanda", Role.WITNESS, until=now() + DAY)
    token, secret = tokens.create(wanda, "reloj", table=table)
    more, _link = links.create_personal(table, by=owner, role=Role.SCORER)
    links.redeem_personal(more, wanda)

    assert (token, Role.SCORER) == (tokens.find(secret), token_role(token, table))


def test_a_token_ends_with_its_makers_account_and_with_its_table(add_user, table):
    sonia = add_user("sonia")
    secrets = [tokens.create(sonia, "reloj", table=table)[1] for _time in range(2)]
    type(sonia).objects.filter(pk=sonia.pk).update(is_active=False)
    assert None is tokens.find(secrets[0])
    type(sonia).objects.filter(pk=sonia.pk).update(is_active=True)
    type(table).objects.update(erased_at=now())

    assert None is tokens.find(secrets[1])


# --- a guest who signs in ---------------------------------------------------------------------------------------------


def test_a_guests_token_for_one_table_moves_to_the_account_and_one_for_all_tables_ends():
    guest, olga = guests.create(), make_user("olga")
    table, others = make_table(guest), make_table(olga, name="De Olga")
    table_token, secret = tokens.create(guest, "reloj", table=table)
    _every, wide = tokens.create(guest, "reloj")
    move_all_tables(guest, olga)
    table_token.refresh_from_db()

    assert (table_token, None) == (tokens.find(secret), tokens.find(wide))
    assert (Role.OWNER, None) == (token_role(table_token, table), token_role(table_token, others))


# --- used -------------------------------------------------------------------------------------------------------------


def test_the_day_of_a_tokens_last_use_is_written_once_a_day(
    owner, table, time_machine, django_assert_num_queries
):
    time_machine.move_to("2026-11-20T21:00Z", tick=False)
    _token, secret = tokens.create(owner, "reloj", table=table)
    for day, written in (("2026-11-20T22:00Z", 1), ("2026-11-21T02:00Z", 0), ("2026-11-21T04:00Z", 1)):
        time_machine.move_to(day, tick=False)
        token = tokens.find(secret)
        assert token is not None
        with django_assert_num_queries(written):
            tokens.record_use(token)

    assert "2026-11-21" == str(Token.objects.get().used_on)
