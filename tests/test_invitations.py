"""Invitations: tokens nobody can read out of the database, and the grants they make, keep and end."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils.timezone import now

from games import access, invitations
from games.invitations import LASTS, WATCHES_FOR, InviteGone
from games.models import Grant, Invite, Role
from games.scoring.errors import RuleError
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db

DAY = LASTS["day"]
BEGINNING = "2026-11-20T21:00Z"


@pytest.fixture
def owner():
    return make_user()


@pytest.fixture
def table(owner):
    return make_table(owner)


@pytest.fixture
def waldo():
    return make_user("waldo")


@pytest.fixture
def invite_to(table, owner):
    """An invitation to this role."""

    def make(role=Role.WITNESS, *, lasts=DAY):
        return invitations.make_invite(table, role, lasts=lasts, by=owner)[0]

    return make


def test_a_token_is_random_and_only_its_hash_is_kept(table, owner):
    made = [invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=owner) for _ in range(3)]
    tokens = [token for _invite, token in made]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM games_invite")
        kept = str(cursor.fetchall())

    assert 3 == len(set(tokens))
    assert [32, 32, 32] == [len(token) for token in tokens]  # 24 random bytes
    assert [] == [token for token in tokens if token in kept]
    assert [invite.token_hash for invite, _token in made] == [invitations.hash_of(token) for token in tokens]


def test_an_invitation_is_found_by_its_token_alone(table, owner):
    invite, token = invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=owner)

    assert invite == invitations.find_invite(token, None)
    assert [None] * 4 == [
        invitations.find_invite(other, None)
        for other in ("", token[:-1], token.swapcase(), invite.token_hash)
    ]


@pytest.mark.parametrize("lasts", LASTS)
def test_an_invitation_ends_when_it_was_said_to(table, owner, lasts):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        _invite, token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS[lasts], by=owner)
        clock.shift(LASTS[lasts] - timedelta(seconds=1))
        assert invitations.find_invite(token, None)
        clock.shift(timedelta(seconds=1))
        assert None is invitations.find_invite(token, None)


def test_an_invitation_to_an_erased_table_lets_nobody_in(table, owner):
    _invite, token = invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=owner)
    table.erased_at = now()
    table.save()

    assert None is invitations.find_invite(token, None)


# --- accepting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", list(Role))
def test_who_accepts_has_the_role_of_the_invitation(table, waldo, invite_to, role):
    invitations.accept_invite(invite_to(role), waldo)

    assert role == access.role_at(waldo, table)


def test_who_watches_is_let_in_for_a_day(table, waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invitations.accept_invite(invite_to(), waldo)
        clock.shift(timedelta(hours=24) - timedelta(seconds=1))
        assert Role.WITNESS == access.role_at(waldo, table)
        clock.shift(timedelta(seconds=1))
        assert None is access.role_at(waldo, table)


@pytest.mark.parametrize("role", [Role.SCORER, Role.OWNER])
def test_who_writes_is_let_in_for_good(waldo, invite_to, role):
    assert None is invitations.accept_invite(invite_to(role), waldo).expires_at


def test_who_watches_and_accepts_again_has_another_day(waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to(lasts=LASTS["week"])
        invitations.accept_invite(invite, waldo)
        clock.shift(timedelta(hours=20))
        grant = invitations.accept_invite(invite, waldo)

        assert (1, now() + WATCHES_FOR) == (waldo.grants.count(), grant.expires_at)


@pytest.mark.parametrize("again_and_again", [range(1), range(5)])
def test_an_invitation_that_is_over_prolongs_nothing(table, waldo, invite_to, again_and_again):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to(lasts=LASTS["hour"])
        until = invitations.accept_invite(invite, waldo).expires_at
        clock.shift(timedelta(hours=23))
        kept = {invitations.accept_invite(invite, waldo).expires_at for _ in again_and_again}
        clock.shift(timedelta(hours=1))

        assert ({until}, None) == (kept, access.role_at(waldo, table))


def test_who_comes_in_again_by_an_invitation_that_is_over_is_called_what_he_says(waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to(lasts=LASTS["hour"])
        invitations.accept_invite(invite, waldo)
        clock.shift(timedelta(hours=2))
        invitations.accept_invite(invite, waldo, name="Waldo")
    waldo.refresh_from_db()

    assert "Waldo" == waldo.first_name


def test_whose_day_is_over_comes_in_again(table, waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to(lasts=LASTS["week"])
        invitations.accept_invite(invite, waldo)
        clock.shift(timedelta(days=3))
        grant = invitations.accept_invite(invite, waldo)

        assert (now(), Role.WITNESS) == (grant.made_at, access.role_at(waldo, table))


@pytest.mark.parametrize(
    ("has", "invited", "keeps"),
    [
        (Role.OWNER, Role.SCORER, Role.OWNER),
        (Role.OWNER, Role.WITNESS, Role.OWNER),
        (Role.SCORER, Role.WITNESS, Role.SCORER),
        (Role.WITNESS, Role.SCORER, Role.SCORER),
        (Role.WITNESS, Role.OWNER, Role.OWNER),
        (Role.SCORER, Role.OWNER, Role.OWNER),
    ],
)
def test_a_stronger_role_is_kept_and_a_weaker_one_left(table, waldo, invite_to, has, invited, keeps):
    invitations.accept_invite(invite_to(has), waldo)
    grant = invitations.accept_invite(invite_to(invited), waldo)

    assert (keeps, None, 1) == (access.role_at(waldo, table), grant.expires_at, waldo.grants.count())


def test_an_invitation_that_gives_nothing_more_is_not_used_up(table, owner, invite_to):
    invite = invite_to(Role.SCORER)
    invitations.accept_invite(invite, owner)

    assert [invite] == list(Invite.objects.standing())
    assert None is table.grants.get(user=owner).invite


def test_a_stronger_role_that_ended_counts_no_more(table, waldo, invite_to):
    Grant.objects.create(user=waldo, table=table, role=Role.OWNER, expires_at=now() - timedelta(hours=1))
    invitations.accept_invite(invite_to(), waldo)

    assert Role.WITNESS == access.role_at(waldo, table)


def test_many_watch_by_one_invitation(table, invite_to):
    invite = invite_to()
    for name in ("wanda", "waldo", "willy"):
        invitations.accept_invite(invite, make_user(name))

    assert 3 == table.grants.standing().filter(role=Role.WITNESS, invite=invite).count()


@pytest.mark.parametrize("role", [Role.SCORER, Role.OWNER])
def test_the_pen_is_handed_to_one_phone(table, owner, waldo, role):
    invite, token = invitations.make_invite(table, role, lasts=DAY, by=owner)
    invitations.accept_invite(invite, waldo)
    late = make_user("lola")

    assert None is invitations.find_invite(token, late)
    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, late)
    assert None is access.role_at(late, table)


def test_a_tap_repeated_is_no_refusal(table, owner, waldo):
    invite, token = invitations.make_invite(table, Role.SCORER, lasts=DAY, by=owner)
    first = invitations.accept_invite(invite, waldo)

    assert invite == invitations.find_invite(token, waldo)
    assert first == invitations.accept_invite(invite, waldo)


def test_an_invitation_revoked_while_somebody_reads_it_lets_nobody_in(table, waldo, invite_to):
    invite = invite_to()
    invitations.revoke_invite(invite)

    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, waldo)
    assert None is access.role_at(waldo, table)


def test_who_accepts_may_say_what_he_is_called(waldo, invite_to):
    invitations.accept_invite(invite_to(), waldo, name="Waldo")
    invitations.accept_invite(invite_to(), waldo)
    waldo.refresh_from_db()

    assert "Waldo" == waldo.first_name


# --- revoking, keeping, ending ----------------------------------------------------------------------------------------


def test_revoking_an_invitation_ends_the_grants_it_made_and_no_others(table, owner, waldo, invite_to):
    kept, revoked = invite_to(), invite_to()
    wanda = make_user("wanda")
    invitations.accept_invite(kept, wanda)
    invitations.accept_invite(revoked, waldo)
    invitations.revoke_invite(revoked)

    assert [None, Role.WITNESS, Role.OWNER] == [access.role_at(user, table) for user in (waldo, wanda, owner)]


def test_revoking_ends_a_grant_an_owner_had_kept_too(table, waldo, invite_to):
    invite = invite_to()
    invitations.keep_grant(invitations.accept_invite(invite, waldo))
    invitations.revoke_invite(invite)

    assert None is access.role_at(waldo, table)


def test_revoking_takes_the_pen_back(table, waldo, invite_to):
    invite = invite_to(Role.SCORER)
    invitations.accept_invite(invite, waldo)
    invitations.revoke_invite(invite)

    assert None is access.role_at(waldo, table)


def test_revoking_twice_keeps_the_first_time(invite_to):
    invite = invite_to()
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invitations.revoke_invite(invite)
        clock.shift(timedelta(hours=1))
        invitations.revoke_invite(invite)
    invite.refresh_from_db()

    assert "2026-11-20T21:00:00+00:00" == invite.revoked_at.isoformat()


def test_whom_an_owner_keeps_watches_for_good(table, waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to()
        invitations.keep_grant(invitations.accept_invite(invite, waldo))
        clock.shift(timedelta(days=100))

        assert Role.WITNESS == access.role_at(waldo, table)


def test_who_was_kept_and_accepts_again_stays_kept(waldo, invite_to):
    invite = invite_to()
    invitations.keep_grant(invitations.accept_invite(invite, waldo))

    assert None is invitations.accept_invite(invite, waldo).expires_at


def test_a_grant_that_is_ended_is_gone(table, waldo, invite_to):
    invitations.end_grant(invitations.accept_invite(invite_to(Role.SCORER), waldo))

    assert None is access.role_at(waldo, table)


def test_who_is_put_out_does_not_come_back_by_the_invitation_he_came_by(table, owner, waldo):
    invite, token = invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=owner)
    invitations.end_grant(invitations.accept_invite(invite, waldo))

    # A guest who forgets his session is a new one: the link itself lets nobody in any more.
    assert [None, None, None] == [
        invitations.find_invite(token, user) for user in (waldo, None, make_user("wanda"))
    ]
    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, waldo)
    assert None is access.role_at(waldo, table)


def test_who_came_in_by_the_same_invitation_as_somebody_put_out_stays(table, owner, waldo, invite_to):
    invite, wanda = invite_to(), make_user("wanda")
    until = invitations.accept_invite(invite, wanda).expires_at
    invitations.end_grant(invitations.accept_invite(invite, waldo))

    assert [Role.WITNESS, None] == [access.role_at(user, table) for user in (wanda, waldo)]
    assert until == invitations.accept_invite(invite, wanda).expires_at
    invitations.revoke_invite(invite)
    assert None is access.role_at(wanda, table)


def test_other_invitations_stand_when_somebody_is_put_out(waldo, invite_to):
    other, invite = invite_to(), invite_to()
    invitations.end_grant(invitations.accept_invite(invite, waldo))

    assert [other] == list(Invite.objects.standing())


def test_the_last_owner_who_is_not_let_go_leaves_his_invitation_as_it_was(table, owner, waldo, invite_to):
    second = invitations.accept_invite(invite_to(Role.OWNER), waldo)
    invitations.end_grant(table.grants.get(user=owner))
    used = Invite.objects.get().used_at
    with pytest.raises(RuleError):
        invitations.end_grant(second)

    assert used == Invite.objects.get().used_at


def test_the_last_owner_cannot_be_let_go(table, owner):
    with pytest.raises(RuleError, match="never without an owner"):
        invitations.end_grant(table.grants.get(user=owner))
    assert Role.OWNER == access.role_at(owner, table)


def test_of_two_owners_one_can_go_and_then_the_other_stays(table, owner, waldo, invite_to):
    second = invitations.accept_invite(invite_to(Role.OWNER), waldo)
    invitations.end_grant(table.grants.get(user=owner))

    with pytest.raises(RuleError, match="never without an owner"):
        invitations.end_grant(second)
    assert [None, Role.OWNER] == [access.role_at(owner, table), access.role_at(waldo, table)]


def test_an_invitation_that_made_the_last_owner_cannot_be_revoked(table, owner, waldo, invite_to):
    invite = invite_to(Role.OWNER)
    invitations.accept_invite(invite, waldo)
    invitations.end_grant(table.grants.get(user=owner))

    with pytest.raises(RuleError, match="never without an owner"):
        invitations.revoke_invite(invite)
    assert Role.OWNER == access.role_at(waldo, table)


def test_an_owner_whose_grant_is_over_is_not_counted(table, owner, waldo):
    Grant.objects.create(user=waldo, table=table, role=Role.OWNER, expires_at=now() - timedelta(hours=1))

    with pytest.raises(RuleError, match="never without an owner"):
        invitations.end_grant(table.grants.get(user=owner))
