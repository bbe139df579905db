"""The migration that restores access to members who lost it a day after an owner had confirmed them."""

from __future__ import annotations

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.timezone import now

from games import trail
from games.models import Grant, Role
from games.notebook.books.trails import wrong_trail
from games.people.access import role_at
from games.people.claims import claim, end_claim
from games.people.deletion import delete_account
from games.people.erasing import bring_back, bring_back_again, erase
from games.people.invitations import LASTS, accept_invite, make_invite
from games.people.removals import put_out, revoke_invite, undo_removal
from games.people.staying import returned
from games.people.tokens import LIVES, make_token
from tests.commands import output_and_error_of
from tests.tables import make_table, make_user

HOUR = timedelta(hours=1)
migration = import_module("games.migrations.0023_returned_members")


@pytest.fixture
def come(table, owner):
    """`come("beto")` makes a witness, whom an owner confirms as this member and whose grant still expires."""

    def come_as(slug, *, ends=-HOUR, by=owner, accepted=True):
        user = make_user(f"user_of_{slug}")
        grant = accept_invite(make_invite(table, Role.WITNESS, lasts=LASTS["year"], by=by)[0], user)
        claim(table.members.get(slug=slug), user, is_agreed=accepted)
        expire_grant(grant, ends)
        return user

    return come_as


def expire_grant(grant, ends=-HOUR):
    """Store the grant as the older release did, which did not change its expiry for a confirmed claim."""
    Grant.objects.filter(pk=grant.pk).update(expires_at=now() + ends)
    trail.note(grant.table, trail.grants(Grant.objects.filter(pk=grant.pk)))


def migrate():
    migration.keep_members(apps, None)


@pytest.mark.django_db
def test_a_confirmed_member_whose_grant_expired_gets_access_back(table, come):
    beto = come("beto")
    assert role_at(beto, table) is None
    migrate()

    assert Role.WITNESS == role_at(beto, table)
    assert [beto] == [grant.user for grant in returned(table)]
    assert "Everything adds up." in output_and_error_of("check_books")[0]


@pytest.mark.django_db
@pytest.mark.parametrize("is_again", [False, True], ids=["by an owner", "after a backup was restored"])
def test_a_member_of_an_erased_table_gets_access_back_when_the_table_is_restored(
    table, owner, come, is_again
):
    beto = come("beto")
    erase(table, name=table.name, by=owner)
    migrate()
    if is_again:
        bring_back_again(table, at=now())
    else:
        bring_back(table, by=owner)

    assert Role.WITNESS == role_at(beto, table)
    assert "Everything adds up." in output_and_error_of("check_books")[0]


@pytest.mark.django_db
def test_a_member_whose_grant_would_expire_soon_keeps_access_without_being_listed_as_returned(table, come):
    beto = come("beto", ends=HOUR)
    migrate()

    assert (None, []) == (table.grants.get(user=beto).expires_at, list(returned(table)))


@pytest.mark.django_db
def test_a_removed_owners_invitee_keeps_an_unexpired_grant_but_an_expired_one_is_not_restored(
    table, owner, come
):
    olga = make_user("olga")
    accept_invite(make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)[0], olga)
    beto, caro = come("beto", by=olga), come("caro", by=olga, ends=HOUR)
    put_out(table.grants.get(user=olga), by=owner)
    migrate()

    assert [None, Role.WITNESS] == [role_at(user, table) for user in (beto, caro)]
    assert None is table.grants.get(user=caro).expires_at


@pytest.mark.django_db
def test_a_member_whose_access_was_removed_or_revoked_gets_none_back(table, owner, come):
    removed, revoked = come("beto", ends=HOUR), come("caro")
    put_out(table.grants.get(user=removed), by=owner)
    expire_grant(table.grants.get(user=removed))
    revoke_invite(table.grants.get(user=revoked).invite, by=owner)
    migrate()

    assert [None, None] == [role_at(user, table) for user in (removed, revoked)]
    assert ([], []) == (list(returned(table)), list(wrong_trail(table)))


@pytest.mark.django_db
def test_a_member_whose_removal_was_undone_gets_access_back(table, owner, come):
    beto = come("beto", ends=HOUR)
    removal = put_out(table.grants.get(user=beto), by=owner)
    undo_removal(removal, by=owner)
    expire_grant(table.grants.get(user=beto))
    migrate()

    assert [beto] == [grant.user for grant in returned(table)]


@pytest.mark.django_db
def test_a_user_without_a_confirmed_claim_gets_no_access_back(table, come):
    ended, waiting = come("beto"), come("caro", accepted=False)
    end_claim(table.members.get(slug="beto"), of=ended.pk)
    watching = make_user("waldo")
    expire_grant(Grant.objects.create(user=watching, table=table, role=Role.WITNESS))
    migrate()

    assert [None] * 3 == [role_at(user, table) for user in (ended, waiting, watching)]


@pytest.mark.django_db
def test_a_user_whose_member_was_merged_gets_no_access_back(table, come):
    beto = come("beto")
    table.members.filter(slug="beto").update(merged_into=table.members.get(slug="dani"))
    migrate()

    assert role_at(beto, table) is None


@pytest.mark.django_db
def test_deleted_and_inactive_users_and_erased_tables_get_no_access_back(table, owner, come):
    deleted, inactive, beto = come("caro"), come("dani"), come("beto")
    delete_account(deleted)
    inactive.is_active = False
    inactive.save()
    migrate()
    assert [beto] == [grant.user for grant in returned(table)]

    expire_grant(table.grants.get(user=beto))
    erase(table, name=table.name, by=owner)
    migrate()
    assert table.grants.get(user=beto).expires_at is not None


@pytest.mark.django_db
def test_a_claim_at_another_table_restores_nothing_here(table, owner, come):
    user, other = come("beto", accepted=False), make_table(owner, name="Otra mesa")
    claim(other.members.get(slug="beto"), user, is_agreed=True)
    migrate()

    assert role_at(user, table) is None


@pytest.mark.django_db
def test_the_tokens_of_a_member_who_gets_access_back_are_revoked(table, come):
    beto = come("beto", ends=HOUR)
    token, _secret = make_token(beto, "reloj", Role.WITNESS, lasts=LIVES["year"], table=table)
    expire_grant(table.grants.get(user=beto))
    migrate()
    token.refresh_from_db()

    assert token.revoked_at is not None


@pytest.mark.django_db
def test_the_migration_can_be_repeated(table, come):
    come("beto")
    migrate()
    entries = table.trail.count()
    migrate()

    assert (entries, 1) == (table.trail.count(), returned(table).count())


@pytest.mark.slow
def test_a_database_of_the_older_release_is_migrated(transactional_db):
    """Beto, whom an owner confirmed a day ago, has lost access to two tables in the older schema."""
    owner, beto = make_user("ana"), make_user("beto")
    tables = [make_table(owner, name=name) for name in ("Jueves", "Viernes")]
    for table in tables:
        accept_invite(make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)[0], beto)
        claim(table.members.get(slug="beto"), beto, is_agreed=True)
        expire_grant(table.grants.get(user=beto))
    MigrationExecutor(connection).migrate([("games", "0022_mail")])
    call_command("migrate", verbosity=0)

    assert [Role.WITNESS] * 2 == [role_at(beto, table) for table in tables]
    assert [1, 1] == [returned(table).count() for table in tables]
    assert "Everything adds up." in output_and_error_of("check_books")[0]
