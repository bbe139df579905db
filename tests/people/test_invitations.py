"""Invitations: their tokens cannot be read from the database; the grants they create, extend and end."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils.timezone import now

from games.models import Grant, Invite, Role
from games.people import access, invitations
from games.people.invitations import LASTS, WATCHES_FOR, InviteGone
from games.people.owners import OwnsNoLonger
from games.people.removals import revoke_invite
from games.people.staying import keep_grant
from games.play import recording as services
from games.scoring.text.notation import read_line
from tests.tables import a_key, a_round, make_user, start

pytestmark = pytest.mark.django_db

DAY = LASTS["day"]
BEGINNING = "2026-11-20T21:00Z"


@pytest.fixture
def waldo():
    return make_user("waldo")


@pytest.fixture
def invite_to(table, owner):
    """`invite_to(role)` returns an invitation of the owner's to this role."""

    def make(role=Role.WITNESS, *, lasts=DAY):
        return invitations.make_invite(table, role, lasts=lasts, by=owner)[0]

    return make


def test_a_token_is_random_and_only_its_hash_is_stored(table, owner):
    made = [invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=owner) for _ in range(3)]
    tokens = [token for _invite, token in made]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM games_invite")
        kept = str(cursor.fetchall())

    assert 3 == len(set(tokens))
    assert [32, 32, 32] == [len(token) for token in tokens]  # 24 random bytes
    assert [] == [token for token in tokens if token in kept]
    assert [invite.token_hash for invite, _token in made] == [invitations.hash_of(token) for token in tokens]


def test_an_invitation_is_found_only_by_its_exact_token(table, owner):
    invite, token = invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=owner)

    assert invite == invitations.find_invite(token, None)
    assert [None] * 4 == [
        invitations.find_invite(other, None)
        for other in ("", token[:-1], token.swapcase(), invite.token_hash)
    ]


@pytest.mark.parametrize("lasts", LASTS)
def test_an_invitation_expires_after_its_duration(table, owner, lasts):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        _invite, token = invitations.make_invite(table, Role.WITNESS, lasts=LASTS[lasts], by=owner)
        clock.shift(LASTS[lasts] - timedelta(seconds=1))
        assert invitations.find_invite(token, None)
        clock.shift(timedelta(seconds=1))
        assert None is invitations.find_invite(token, None)


def test_an_invitation_to_an_erased_table_does_not_work(table, owner):
    _invite, token = invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=owner)
    table.erased_at = now()
    table.save()

    assert None is invitations.find_invite(token, None)


# --- accepting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", list(Role))
def test_accepting_an_invitation_gives_its_role(table, waldo, invite_to, role):
    invitations.accept_invite(invite_to(role), waldo)

    assert role == access.role_at(waldo, table)


def test_a_witness_grant_expires_after_a_day(table, waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invitations.accept_invite(invite_to(), waldo)
        clock.shift(timedelta(hours=24) - timedelta(seconds=1))
        assert Role.WITNESS == access.role_at(waldo, table)
        clock.shift(timedelta(seconds=1))
        assert None is access.role_at(waldo, table)


@pytest.mark.parametrize("role", [Role.SCORER, Role.OWNER])
def test_a_scorers_or_owners_grant_does_not_expire(waldo, invite_to, role):
    assert None is invitations.accept_invite(invite_to(role), waldo).expires_at


def test_a_witness_who_accepts_again_gets_another_day(waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to(lasts=LASTS["week"])
        invitations.accept_invite(invite, waldo)
        clock.shift(timedelta(hours=20))
        grant = invitations.accept_invite(invite, waldo)

        assert (1, now() + WATCHES_FOR) == (waldo.grants.count(), grant.expires_at)


@pytest.mark.parametrize("again_and_again", [range(1), range(5)])
def test_an_expired_invitation_does_not_extend_a_grant(table, waldo, invite_to, again_and_again):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to(lasts=LASTS["hour"])
        until = invitations.accept_invite(invite, waldo).expires_at
        clock.shift(timedelta(hours=23))
        kept = {invitations.accept_invite(invite, waldo).expires_at for _ in again_and_again}
        clock.shift(timedelta(hours=1))

        assert ({until}, None) == (kept, access.role_at(waldo, table))


def test_a_name_given_with_an_expired_invitation_is_still_saved(waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to(lasts=LASTS["hour"])
        invitations.accept_invite(invite, waldo)
        clock.shift(timedelta(hours=2))
        invitations.accept_invite(invite, waldo, name="Waldo")
    waldo.refresh_from_db()

    assert "Waldo" == waldo.first_name


def test_a_witness_whose_grant_expired_can_accept_the_invitation_again(table, waldo, invite_to):
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
def test_accepting_an_invitation_keeps_the_stronger_of_both_roles(
    table, waldo, invite_to, has, invited, keeps
):
    invitations.accept_invite(invite_to(has), waldo)
    grant = invitations.accept_invite(invite_to(invited), waldo)

    assert (keeps, None, 1) == (access.role_at(waldo, table), grant.expires_at, waldo.grants.count())


def test_an_invitation_that_gives_no_stronger_role_is_not_used_up(table, owner, invite_to):
    invite = invite_to(Role.SCORER)
    invitations.accept_invite(invite, owner)

    assert [invite] == list(Invite.objects.standing())
    assert None is table.grants.get(user=owner).invite


def test_an_expired_stronger_role_does_not_count(table, waldo, invite_to):
    Grant.objects.create(user=waldo, table=table, role=Role.OWNER, expires_at=now() - timedelta(hours=1))
    invitations.accept_invite(invite_to(), waldo)

    assert Role.WITNESS == access.role_at(waldo, table)


def test_many_users_can_accept_one_witness_invitation(table, invite_to):
    invite = invite_to()
    for name in ("wanda", "waldo", "willy"):
        invitations.accept_invite(invite, make_user(name))

    assert 3 == table.grants.standing().filter(role=Role.WITNESS, invite=invite).count()


@pytest.mark.parametrize("role", [Role.SCORER, Role.OWNER])
def test_a_scorers_or_owners_invitation_works_once(table, owner, waldo, role):
    invite, token = invitations.make_invite(table, role, lasts=DAY, by=owner)
    invitations.accept_invite(invite, waldo)
    late = make_user("lola")

    assert None is invitations.find_invite(token, late)
    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, late)
    assert None is access.role_at(late, table)


def test_accepting_an_invitation_twice_is_not_refused(table, owner, waldo):
    invite, token = invitations.make_invite(table, Role.SCORER, lasts=DAY, by=owner)
    first = invitations.accept_invite(invite, waldo)

    assert invite == invitations.find_invite(token, waldo)
    assert first == invitations.accept_invite(invite, waldo)


def test_an_invitation_revoked_after_it_was_opened_cannot_be_accepted(table, owner, waldo, invite_to):
    invite = invite_to()
    revoke_invite(invite, by=owner)

    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, waldo)
    assert None is access.role_at(waldo, table)


def test_accepting_an_invitation_with_a_name_saves_it(waldo, invite_to):
    invitations.accept_invite(invite_to(), waldo, name="Waldo")
    invitations.accept_invite(invite_to(), waldo)
    waldo.refresh_from_db()

    assert "Waldo" == waldo.first_name


# --- owner invitations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lasts", LASTS)
def test_an_owner_invitation_lasts_a_week_and_a_spare_link_a_year(table, owner, lasts):
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS[lasts], by=owner)
    spare, _token = invitations.make_spare(table, by=owner)

    assert [timedelta(days=7), timedelta(days=365)] == [
        made.expires_at - made.made_at for made in (invite, spare)
    ]
    assert [False, True] == [invite.is_spare, spare.is_spare]


@pytest.mark.parametrize("is_spare", [False, True])
def test_an_owner_invitation_and_a_spare_link_work_once(table, owner, waldo, invite_to, is_spare):
    invite = invitations.make_spare(table, by=owner)[0] if is_spare else invite_to(Role.OWNER)
    invitations.accept_invite(invite, waldo)

    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, make_user("lola"))


def test_a_user_who_no_longer_owns_the_table_cannot_make_invitations(table, waldo, invite_to):
    """The removed owner's page was still open."""
    invitations.accept_invite(invite_to(Role.SCORER), waldo)

    with pytest.raises(OwnsNoLonger):
        invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=waldo)
    with pytest.raises(OwnsNoLonger):
        invitations.make_spare(table, by=waldo)


def test_an_invitation_does_not_work_once_its_maker_has_no_grant(table, owner, waldo, invite_to):
    """The grant may also have ended before endings were stored."""
    invitations.accept_invite(invite_to(Role.OWNER), waldo)
    _invite, token = invitations.make_invite(table, Role.OWNER, lasts=DAY, by=waldo)
    table.grants.filter(user=waldo).delete()

    assert None is invitations.find_invite(token, None)


# --- keeping ----------------------------------------------------------------------------------------------------------


def test_a_kept_witness_grant_does_not_expire(table, waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to()
        keep_grant(invitations.accept_invite(invite, waldo))
        clock.shift(timedelta(days=100))

        assert Role.WITNESS == access.role_at(waldo, table)


def test_a_kept_witness_who_accepts_again_gets_no_expiry(waldo, invite_to):
    invite = invite_to()
    keep_grant(invitations.accept_invite(invite, waldo))

    assert None is invitations.accept_invite(invite, waldo).expires_at


# --- the game to open -------------------------------------------------------------------------------------------------


def test_the_game_to_open_is_a_running_one_rather_than_a_newer_finished_one(table, owner):
    playing, newest = start(table, owner), start(table, owner)
    services.record(newest, *read_line("stop lowest_wins"), after=1, key=a_key(), by=owner)

    assert playing == invitations.game_to_open(table)


def test_the_game_to_open_is_the_running_one_with_the_latest_record(table, owner):
    playing, _other = start(table, owner), start(table, owner)
    services.record(playing, a_round("ana", beto=5, caro=7, dani=9), after=1, key=a_key(), by=owner)

    assert playing == invitations.game_to_open(table)


def test_without_a_running_game_the_game_to_open_is_the_newest_finished_one_or_none(table, owner):
    assert None is invitations.game_to_open(table)
    games = [start(table, owner) for _ in range(2)]
    for game in games:
        services.record(game, *read_line("stop lowest_wins"), after=1, key=a_key(), by=owner)
    services.discard_game(start(table, owner))

    assert games[-1] == invitations.game_to_open(table)
