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


def test_who_comes_in_again_by_an_invitation_that_is_over_is_called_what_they_say(waldo, invite_to):
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


def test_an_invitation_revoked_while_somebody_reads_it_lets_nobody_in(table, owner, waldo, invite_to):
    invite = invite_to()
    revoke_invite(invite, by=owner)

    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, waldo)
    assert None is access.role_at(waldo, table)


def test_who_accepts_may_say_what_they_are_called(waldo, invite_to):
    invitations.accept_invite(invite_to(), waldo, name="Waldo")
    invitations.accept_invite(invite_to(), waldo)
    waldo.refresh_from_db()

    assert "Waldo" == waldo.first_name


# --- to own the table -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lasts", LASTS)
def test_an_invitation_to_own_the_table_lasts_a_week_and_a_spare_link_a_year(table, owner, lasts):
    invite, _token = invitations.make_invite(table, Role.OWNER, lasts=LASTS[lasts], by=owner)
    spare, _token = invitations.make_spare(table, by=owner)

    assert [timedelta(days=7), timedelta(days=365)] == [
        made.expires_at - made.made_at for made in (invite, spare)
    ]
    assert [False, True] == [invite.is_spare, spare.is_spare]


@pytest.mark.parametrize("is_spare", [False, True])
def test_both_let_one_phone_in(table, owner, waldo, invite_to, is_spare):
    invite = invitations.make_spare(table, by=owner)[0] if is_spare else invite_to(Role.OWNER)
    invitations.accept_invite(invite, waldo)

    with pytest.raises(InviteGone):
        invitations.accept_invite(invite, make_user("lola"))


def test_who_owns_the_table_no_longer_invites_nobody(table, waldo, invite_to):
    """The removed owner's page was still open."""
    invitations.accept_invite(invite_to(Role.SCORER), waldo)

    with pytest.raises(OwnsNoLonger):
        invitations.make_invite(table, Role.WITNESS, lasts=DAY, by=waldo)
    with pytest.raises(OwnsNoLonger):
        invitations.make_spare(table, by=waldo)


def test_an_invitation_lets_nobody_in_without_its_makers_grant(table, owner, waldo, invite_to):
    """The grant may also have ended before endings were stored."""
    invitations.accept_invite(invite_to(Role.OWNER), waldo)
    _invite, token = invitations.make_invite(table, Role.OWNER, lasts=DAY, by=waldo)
    table.grants.filter(user=waldo).delete()

    assert None is invitations.find_invite(token, None)


# --- keeping ----------------------------------------------------------------------------------------------------------


def test_whom_an_owner_keeps_watches_for_good(table, waldo, invite_to):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite = invite_to()
        keep_grant(invitations.accept_invite(invite, waldo))
        clock.shift(timedelta(days=100))

        assert Role.WITNESS == access.role_at(waldo, table)


def test_who_was_kept_and_accepts_again_stays_kept(waldo, invite_to):
    invite = invite_to()
    keep_grant(invitations.accept_invite(invite, waldo))

    assert None is invitations.accept_invite(invite, waldo).expires_at


# --- the game to open -------------------------------------------------------------------------------------------------


def test_the_game_being_played_is_opened_and_not_one_begun_since_and_over(table, owner):
    playing, newest = start(table, owner), start(table, owner)
    services.record(newest, *read_line("stop lowest_wins"), after=1, key=a_key(), by=owner)

    assert playing == invitations.game_to_open(table)


def test_of_several_being_played_it_is_the_one_recorded_in_last(table, owner):
    playing, _other = start(table, owner), start(table, owner)
    services.record(playing, a_round("ana", beto=5, caro=7, dani=9), after=1, key=a_key(), by=owner)

    assert playing == invitations.game_to_open(table)


def test_where_nothing_is_played_it_is_the_newest_and_else_none(table, owner):
    assert None is invitations.game_to_open(table)
    games = [start(table, owner) for _ in range(2)]
    for game in games:
        services.record(game, *read_line("stop lowest_wins"), after=1, key=a_key(), by=owner)
    services.discard_game(start(table, owner))

    assert games[-1] == invitations.game_to_open(table)
