"""The copy has the rows that its owner may read, and no secrets."""

from __future__ import annotations

import json

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Invite, Member, Payment, Record, Role, Token
from games.people.invitations import LASTS, make_invite
from games.people.tokens import LIVES, make_token
from games.pocket import copying
from games.pocket.columns import COLUMNS
from games.pocket.copying import copy_for
from tests.pocket.books import a_full_table, let_in, readers_of
from tests.tables import kept_for_a_module, make_table, make_user, start

pytestmark = pytest.mark.django_db

# The models and columns that are not copied, by reason; COLUMNS has all others.
OF_THE_SITE = {
    *("face", "newcomer", "offer"),
    *("invite", "token", "device", "removal", "change", "spelling", "signinlink"),
    "takenfact",
}
ITS_TABLE_SAYS_IT = {"id", "table", "user", "invite", "removal"}
FOR_OTHERS = {"returned_at"}  # of other users, whose grants are not copied
OF_FILES = {"identity"}  # a phone's file is compared with no other copy
OF_TRIALS = {"ends_at"}


@pytest.fixture(scope="module")
def owner(django_db_setup, django_db_blocker):
    with kept_for_a_module(django_db_blocker):
        yield make_user("olga")


@pytest.fixture(scope="module")
def table(owner):
    return a_full_table(owner)


@pytest.fixture(scope="module")
def readers(table, owner):
    return readers_of(table, owner)


def written(user):
    return json.dumps(copy_for(user), ensure_ascii=False)


def test_every_model_and_column_is_either_copied_or_excluded_for_a_reason():
    kinds = {model._meta.model_name for model in apps.get_app_config("games").get_models()}
    travelling = {model._meta.model_name for model in COLUMNS}

    assert kinds == travelling | OF_THE_SITE
    for model, columns in COLUMNS.items():
        assert {field.name for field in model._meta.concrete_fields} <= {
            *columns,
            *ITS_TABLE_SAYS_IT,
            *FOR_OTHERS,
            *OF_FILES,
            *OF_TRIALS,
        }


def test_the_copy_has_no_secrets_and_no_other_users_sign_in_names(table, owner, readers):
    _invite, link = make_invite(table, Role.SCORER, lasts=LASTS["week"], by=owner)
    _token, secret = make_token(owner, "reloj", Role.SCORER, lasts=LIVES["day"], table=table)
    for user in readers.values():
        phone = Client()
        phone.force_login(user)
        phone.get("/")
    hidden = {
        *{link, secret, Token.objects.get().token_hash, *Invite.objects.values_list("token_hash", flat=True)},
        *(user.password for user in User.objects.all()),
        *(user.email for user in User.objects.exclude(email="")),
        *(user.devices.get().session_key for user in readers.values()),
    }
    for who, user in readers.items():
        text = written(user)
        names = User.objects.exclude(pk=user.pk).values_list("username", flat=True)

        assert (who, set()) == (who, {one for one in hidden if one in text})
        assert (who, set()) == (who, {name for name in names if f'"{name}"' in text})


def test_a_witness_gets_no_money_but_the_results_of_games(readers, table):
    (table_copy,) = copy_for(readers["witness"])["tables"]
    accounts = {member.account for member in table.members.exclude(account="")}

    assert accounts
    assert (
        set()
        == {"payment", "paymentstep", "sharedcost", "costshare", "coststep", "plan", "closingnote"}
        & table_copy.keys()
    )
    assert set() == {one for one in accounts if one in json.dumps(table_copy)}
    assert table.games.count() == len(table_copy["game"])


def test_a_witness_who_is_a_member_gets_the_accounts(readers, table):
    (table_copy,) = copy_for(readers["member who watches"])["tables"]

    assert table.payments.count() == len(table_copy["payment"])


def test_only_an_owner_gets_the_claims_of_other_users(readers, table):
    """Other readers of the accounts get the users of members who recorded something; a witness only gets
    their own.
    """
    place = COLUMNS[Member].index("user")
    known = {
        who: sum(row[place] is not None for row in copy_for(user)["tables"][0]["member"])
        for who, user in readers.items()
    }

    assert {"owner": 4, "scorer": 3, "member who watches": 3, "witness": 1} == known


def test_a_user_gets_only_the_idempotency_keys_of_their_own_entries(readers, table, owner):
    """Stand-ins for the keys of others only show which rows were recorded together."""
    for model, by in ((Record, "recorded_by"), (Payment, "recorded_by")):
        rows = copy_for(readers["scorer"])["tables"][0][model._meta.model_name]
        key, who = COLUMNS[model].index("key"), COLUMNS[model].index(by)
        mine = {row[key] for row in rows if row[who] == 0 and row[key] is not None}
        others = {row[key] for row in rows if row[who] != 0 and row[key] is not None}

        assert mine == set(
            model.objects.filter(recorded_by=readers["scorer"], key__isnull=False).values_list(
                "key", flat=True
            )
        )
        assert {"~"} == {key[0] for key in others}


def test_a_table_without_a_valid_grant_is_not_copied(table, readers):
    stranger = let_in(make_table(make_user("sara"), name="Otra mesa"), Role.WITNESS, "pablo")
    table.grants.filter(user=readers["witness"]).update(expires_at="2026-01-01T00:00Z")

    assert ["Otra mesa"] == [one["table"][0][2] for one in copy_for(stranger)["tables"]]
    assert [] == copy_for(readers["witness"])["tables"]


def test_a_table_that_is_too_large_is_left_out_by_name(owner, table, monkeypatch):
    small = make_table(owner, name="Mesa chica")
    games, records = table.games.count(), Record.objects.filter(game__table=table).count()
    for name, most in (("MOST_GAMES", games), ("MOST_RECORDS", records)):
        with monkeypatch.context() as patch:
            patch.setattr(copying, name, most)
            assert [] == copy_for(owner)["left_out"]
            patch.setattr(copying, name, most - 1)
            copy = copy_for(owner)

            assert [table.name] == copy["left_out"]
            assert [small.code] == [one["table"][0][1] for one in copy["tables"]]


def test_the_number_of_queries_of_a_copy_does_not_grow_with_the_number_of_games(owner):
    table, counts = make_table(owner), []
    for games in (1, 4):
        while table.games.count() < games:
            start(table, owner)
        with CaptureQueriesContext(connection) as queries:
            copy_for(owner)
        counts.append(len(queries))

    assert 1 == len(set(counts))
