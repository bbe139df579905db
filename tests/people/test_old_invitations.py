"""Grants and invitations from before removals were stored, migrated to the present schema."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.timezone import now

from games.models import Grant, Invite, Role
from games.people.invitations import find_invite, hash_of
from games.people.removals import ending_of, put_out
from tests.tables import make_table, make_user


@pytest.fixture
def then(transactional_db):
    """`then()` migrates back to before removals were stored and returns the models of that time.

    The database is migrated forward again at the end of the test.
    """

    def put_back():
        executor = MigrationExecutor(connection)
        before = [("games", "0005_season_figures")]
        executor.migrate(before)
        return executor.loader.project_state(before).apps

    yield put_back
    call_command("migrate", verbosity=0)


@pytest.mark.slow
def test_migrated_invitations_keep_their_expiry_and_end_with_their_makers_grant(then):
    ana, beto, caro, gone = (make_user(name) for name in ("ana", "beto", "caro", "gone"))
    table = make_table(ana)
    apps = then()
    grants, invites = (apps.get_model("games", name).objects for name in ("Grant", "Invite"))
    begun, year = now(), now() + timedelta(days=365)

    def link(token, role, *, by, **more):
        return invites.create(
            table_id=table.pk,
            role=role,
            token_hash=hash_of(token),
            made_by_id=by.pk,
            made_at=begun,
            expires_at=year,
            **more,
        )

    for user, role, minutes in ((beto, "owner", 1), (caro, "scorer", 2)):
        grants.create(
            user_id=user.pk,
            table_id=table.pk,
            role=role,
            made_at=begun + timedelta(minutes=minutes),
            invite_id=link(f"used by {user}", role, by=ana, used_at=begun).pk,
        )
    link("ana's", "owner", by=ana)
    link("beto's", "owner", by=beto)
    link("made by a removed user", "owner", by=gone)
    link("made by a scorer", "witness", by=caro)
    link("revoked", "witness", by=ana, revoked_at=begun)
    call_command("migrate", verbosity=0)

    assert [ana, beto] == [grant.user for grant in table.grants.owning()]
    assert all(grant.ranks_from == grant.made_at for grant in Grant.objects.all())
    assert [True, True, False, False, False] == [
        find_invite(token, None) is not None
        for token in ("ana's", "beto's", "made by a removed user", "made by a scorer", "revoked")
    ]
    assert {year} == {invite.expires_at for invite in Invite.objects.all()}
    assert not Invite.objects.filter(is_spare=True).exists()

    assert 2 == Grant.objects.filter(invite__made_by=ana).count()
    assert [beto, caro] == [grant.user for grant in ending_of(table.grants.get(user=ana)).others]
    put_out(table.grants.get(user=beto), by=ana)
    assert None is find_invite("beto's", None)
    assert [ana] == [grant.user for grant in table.grants.owning()]
    assert {Role.OWNER, Role.SCORER} == {grant.role for grant in table.grants.standing()}
