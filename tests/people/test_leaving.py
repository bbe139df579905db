"""Leaving a table: the grants and claims that end, the people who stay, and returning."""

from __future__ import annotations

import pytest

from games.models import Grant, Role
from games.people.access import role_at
from games.people.claims import claim
from games.people.guests import make_guest
from games.people.invitations import LASTS, InviteGone, accept_invite, make_invite
from games.people.leaving import leave
from games.people.removals import undo_removal
from games.scoring.errors import RuleError
from tests.tables import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(owner):
    """The user who owns the table."""
    return owner


@pytest.fixture
def come(table, ana):
    """`come(Role.SCORER)` lets a guest accept an invitation of Ana's; returns the user and the invitation."""

    def accept(role, *, by=ana):
        guest, (invite, _token) = make_guest(), make_invite(table, role, lasts=LASTS["week"], by=by)
        accept_invite(invite, guest)
        return guest, invite

    return accept


@pytest.mark.parametrize("role", [Role.WITNESS, Role.SCORER])
def test_a_person_who_left_returns_only_by_an_invitation_made_afterwards(table, ana, come, role):
    beto, invite = come(role)
    claim(table.members.get(slug="beto"), beto, is_agreed=True)
    table.members.filter(slug="beto").update(account="beto.mp")
    leave(table, by=beto)

    assert "beto.mp" == table.members.get(slug="beto").account  # debtors still have to pay Beto
    assert (None, Role.OWNER) == (role_at(beto, table), role_at(ana, table))
    assert not table.members.filter(user=beto).exists()
    with pytest.raises(InviteGone):
        accept_invite(invite, beto)
    accept_invite(make_invite(table, role, lasts=LASTS["day"], by=ana)[0], beto)
    assert role is role_at(beto, table)


def test_an_invitation_still_works_for_others_after_a_person_who_used_it_left(table, ana, come):
    """Ana's printed link hangs on the wall; it stays valid when somebody who used it leaves."""
    waldo, link = come(Role.WITNESS)
    leave(table, by=waldo)
    wanda = make_guest()
    accept_invite(link, wanda)

    assert (Role.WITNESS, None) == (role_at(wanda, table), role_at(waldo, table))
    with pytest.raises(InviteGone):
        accept_invite(link, waldo)


def test_leaving_twice_or_as_a_stranger_changes_nothing(table, come):
    beto, _invite = come(Role.WITNESS)
    leave(table, by=beto)
    leave(table, by=beto)
    leave(table, by=make_user("sara"))

    assert (1, 2) == (table.removals.count(), table.grants.count())


def test_an_owner_cannot_undo_that_a_person_left(table, ana, come):
    beto, _invite = come(Role.SCORER)
    leave(table, by=beto)
    with pytest.raises(RuleError, match="Only the person who did this can undo it"):
        undo_removal(table.removals.get(), by=ana)


def test_the_only_owner_cannot_leave_before_there_is_another(table, ana, come):
    claim(table.members.get(slug="ana"), ana, is_agreed=True)
    with pytest.raises(RuleError, match="A table always needs an owner"):
        leave(table, by=ana)
    assert table.members.filter(user=ana).exists()
    beto, _invite = come(Role.OWNER)
    leave(table, by=ana)

    assert [beto.pk] == list(table.grants.owning().values_list("user", flat=True))
    assert not table.members.filter(user=ana).exists()


def test_a_leaving_owner_ends_their_invitations_and_chosen_grants_and_a_witness_ends_no_others(
    table, ana, come
):
    beto, _invite = come(Role.OWNER)
    waldo, link = come(Role.WITNESS, by=beto)
    wanda, _link = come(Role.WITNESS)
    named = list(table.grants.values_list("pk", flat=True))
    leave(table, by=wanda, also=named)
    assert [Role.OWNER, Role.OWNER, Role.WITNESS] == [role_at(user, table) for user in (ana, beto, waldo)]
    leave(table, by=beto, also=[table.grants.get(user=waldo).pk])

    assert [Role.OWNER, None, None] == [role_at(user, table) for user in (ana, beto, waldo)]
    assert not table.invites.standing().filter(pk=link.pk).exists()


def test_a_witness_can_leave_a_table_without_an_owner(table, ana, come):
    waldo, _invite = come(Role.WITNESS)
    Grant.objects.filter(user=ana).delete()
    leave(table, by=waldo)
    assert role_at(waldo, table) is None
