"""Members who were locked out a day after an owner had accepted them come back with the migration."""

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
    """`come("beto")` lets a user in to watch, whom an owner accepts as this member; the access still ends."""

    def come_as(slug, *, ends=-HOUR, by=owner, accepted=True):
        user = make_user(f"user_of_{slug}")
        grant = accept_invite(make_invite(table, Role.WITNESS, lasts=LASTS["year"], by=by)[0], user)
        claim(table.members.get(slug=slug), user, is_agreed=accepted)
        locked_out(grant, ends)
        return user

    return come_as


def locked_out(grant, ends=-HOUR):
    """Store the grant as the older release did, whose end an accepted claim did not change."""
    Grant.objects.filter(pk=grant.pk).update(expires_at=now() + ends)
    trail.note(grant.table, trail.grants(Grant.objects.filter(pk=grant.pk)))


def migrate():
    migration.keep_members(apps, None)


@pytest.mark.django_db
def test_who_was_accepted_and_locked_out_is_back_and_the_books_are_clean(table, come):
    beto = come("beto")
    assert role_at(beto, table) is None
    migrate()

    assert Role.WITNESS == role_at(beto, table)
    assert [beto] == [grant.user for grant in returned(table)]
    assert "Everything adds up." in output_and_error_of("check_books")[0]


@pytest.mark.django_db
@pytest.mark.parametrize("is_again", [False, True], ids=["by an owner", "after a backup was restored"])
def test_who_was_locked_out_of_an_erased_table_is_back_with_the_table(table, owner, come, is_again):
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
def test_who_would_be_locked_out_soon_stays_and_does_not_come_back(table, come):
    beto = come("beto", ends=HOUR)
    migrate()

    assert (None, []) == (table.grants.get(user=beto).expires_at, list(returned(table)))


@pytest.mark.django_db
def test_who_came_by_an_invitation_of_an_owner_removed_since_stays_but_does_not_come_back(table, owner, come):
    olga = make_user("olga")
    accept_invite(make_invite(table, Role.OWNER, lasts=LASTS["day"], by=owner)[0], olga)
    beto, caro = come("beto", by=olga), come("caro", by=olga, ends=HOUR)
    put_out(table.grants.get(user=olga), by=owner)
    migrate()

    assert [None, Role.WITNESS] == [role_at(user, table) for user in (beto, caro)]
    assert None is table.grants.get(user=caro).expires_at


@pytest.mark.django_db
def test_whose_access_somebody_ended_stays_out(table, owner, come):
    removed, revoked = come("beto", ends=HOUR), come("caro")
    put_out(table.grants.get(user=removed), by=owner)
    locked_out(table.grants.get(user=removed))
    revoke_invite(table.grants.get(user=revoked).invite, by=owner)
    migrate()

    assert [None, None] == [role_at(user, table) for user in (removed, revoked)]
    assert ([], []) == (list(returned(table)), list(wrong_trail(table)))


@pytest.mark.django_db
def test_whose_removal_was_undone_comes_back(table, owner, come):
    beto = come("beto", ends=HOUR)
    removal = put_out(table.grants.get(user=beto), by=owner)
    undo_removal(removal, by=owner)
    locked_out(table.grants.get(user=beto))
    migrate()

    assert [beto] == [grant.user for grant in returned(table)]


@pytest.mark.django_db
def test_who_is_not_that_member_any_more_or_never_was_accepted_stays_out(table, come):
    ended, waiting = come("beto"), come("caro", accepted=False)
    end_claim(table.members.get(slug="beto"), of=ended.pk)
    watching = make_user("waldo")
    locked_out(Grant.objects.create(user=watching, table=table, role=Role.WITNESS))
    migrate()

    assert [None] * 3 == [role_at(user, table) for user in (ended, waiting, watching)]


@pytest.mark.django_db
def test_whose_member_was_merged_into_somebody_else_stays_out(table, come):
    beto = come("beto")
    table.members.filter(slug="beto").update(merged_into=table.members.get(slug="dani"))
    migrate()

    assert role_at(beto, table) is None


@pytest.mark.django_db
def test_nobody_comes_back_without_an_account_or_without_a_table(table, owner, come):
    deleted, inactive, beto = come("caro"), come("dani"), come("beto")
    delete_account(deleted)
    inactive.is_active = False
    inactive.save()
    migrate()
    assert [beto] == [grant.user for grant in returned(table)]

    locked_out(table.grants.get(user=beto))
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
def test_the_programs_of_who_comes_back_stay_out(table, come):
    beto = come("beto", ends=HOUR)
    token, _secret = make_token(beto, "reloj", Role.WITNESS, lasts=LIVES["year"], table=table)
    locked_out(table.grants.get(user=beto))
    migrate()
    token.refresh_from_db()

    assert token.revoked_at is not None


@pytest.mark.django_db
def test_it_may_be_repeated(table, come):
    come("beto")
    migrate()
    entries = table.trail.count()
    migrate()

    assert (entries, 1) == (table.trail.count(), returned(table).count())


@pytest.mark.slow
def test_a_database_of_the_older_release_is_migrated(transactional_db):
    """Beto, whom an owner accepted a day ago, is locked out of two tables in the older schema."""
    owner, beto = make_user("ana"), make_user("beto")
    tables = [make_table(owner, name=name) for name in ("Jueves", "Viernes")]
    for table in tables:
        accept_invite(make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)[0], beto)
        claim(table.members.get(slug="beto"), beto, is_agreed=True)
        locked_out(table.grants.get(user=beto))
    MigrationExecutor(connection).migrate([("games", "0022_mail")])
    call_command("migrate", verbosity=0)

    assert [Role.WITNESS] * 2 == [role_at(beto, table) for table in tables]
    assert [1, 1] == [returned(table).count() for table in tables]
    assert "Everything adds up." in output_and_error_of("check_books")[0]
