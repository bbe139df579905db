"""A member's new phone: the role it gets, what ends with the lost one, and what an undo restores."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.models import Invite, Role
from games.people.access import role_at
from games.people.claims import end_claim
from games.people.guests import bring_along, make_guest
from games.people.invitations import (
    LASTS,
    InviteGone,
    accept_invite,
    find_invite,
    make_invite,
    make_new_phone,
    make_spare,
)
from games.people.leaving import leave
from games.people.new_phones import replacement_of
from games.people.owners import OwnsNoLonger, first_owner, hand_over
from games.people.removals import ending_of, put_out, revoke_invite, undo_removal
from games.people.tokens import LIVES, find_token, make_token
from games.scoring.errors import RuleError
from tests.tables import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def come(table, owner, claims):
    """`come("beto", Role.OWNER)` lets a user in as this member by an invitation of Ana's."""

    def accept(slug, role, *, by=owner):
        user = make_user(f"user_of_{slug}")
        accept_invite(make_invite(table, role, lasts=LASTS["week"], by=by)[0], user)
        return claims(user, slug)

    return accept


def replace(table, slug, *, by, user=None):
    """Let a user, or a new guest, take the place of this member's phone, and return the user."""
    invite, _token = make_new_phone(table.members.get(slug=slug), by=by)
    user = user or make_guest()
    accept_invite(invite, user)
    return user


def member_of(table, slug):
    return table.members.get(slug=slug)


# --- the role ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", [Role.WITNESS, Role.SCORER, Role.OWNER])
def test_the_new_phone_gets_the_role_of_the_lost_one(table, owner, come, role):
    beto = come("beto", role)
    guest = replace(table, "beto", by=owner)

    assert (None, role) == (role_at(beto, table), role_at(guest, table))
    assert member_of(table, "beto").is_of(guest)


def test_a_new_phone_of_an_owner_has_the_rank_of_the_lost_one(table, owner, come):
    come("beto", Role.OWNER)
    caro = come("caro", Role.OWNER)
    guest = replace(table, "beto", by=owner)

    assert [owner, guest, caro] == [grant.user for grant in table.grants.owning()]


def test_a_lower_ranked_owner_replaces_an_owners_phone_by_a_scorer(table, owner, come):
    beto, caro = come("beto", Role.OWNER), come("caro", Role.OWNER)
    guest = replace(table, "beto", by=caro)

    assert (None, Role.SCORER) == (role_at(beto, table), role_at(guest, table))
    assert [owner, caro] == [grant.user for grant in table.grants.owning()]


def test_another_owner_cannot_replace_the_first_owners_phone(table, owner, come, claims):
    claims(owner, "ana")
    beto = come("beto", Role.OWNER)

    with pytest.raises(RuleError, match="Nobody can remove the first owner"):
        make_new_phone(member_of(table, "ana"), by=beto)


def test_a_scorer_cannot_make_the_link(table, come):
    beto, _caro = come("beto", Role.SCORER), come("caro", Role.SCORER)

    with pytest.raises(OwnsNoLonger):
        make_new_phone(member_of(table, "caro"), by=beto)


def test_a_link_stops_working_once_its_maker_loses_the_permission_to_make_it(table, owner, come, claims):
    """Ana ranks before Beto when making the link; then Beto is the first owner."""
    beto = come("beto", Role.OWNER)
    invite, _token = make_new_phone(member_of(table, "beto"), by=owner)
    hand_over(table.grants.get(user=beto), by=owner)

    with pytest.raises(InviteGone):
        accept_invite(invite, make_guest())
    assert (table.grants.get(user=beto), True) == (first_owner(table), member_of(table, "beto").is_of(beto))


def test_a_user_with_an_unconfirmed_claim_keeps_access_but_loses_the_claim(table, owner, come):
    beto = come("beto", Role.SCORER)
    table.members.filter(slug="beto").update(claimed_at=None)
    guest = replace(table, "beto", by=owner)

    assert (Role.SCORER, Role.WITNESS) == (role_at(beto, table), role_at(guest, table))
    assert member_of(table, "beto").is_of(guest)


# --- what ends --------------------------------------------------------------------------------------------


def test_invitations_and_tokens_made_on_the_lost_phone_end_with_its_replacement(table, owner, come):
    beto = come("beto", Role.OWNER)
    _invite, token = make_invite(table, Role.OWNER, lasts=LASTS["week"], by=beto)
    _spare, spare = make_spare(table, by=beto)
    _token, secret = make_token(beto, "reloj", lasts=LIVES["year"], table=table)
    replace(table, "beto", by=owner)

    assert [None, None] == [find_invite(one, make_user(one)) for one in (token, spare)]
    assert None is find_token(secret)


def test_the_old_phone_cannot_use_the_link(table, owner, come):
    beto = come("beto", Role.SCORER)
    invite, token = make_new_phone(member_of(table, "beto"), by=owner)
    accept_invite(invite, make_guest())

    assert None is find_invite(token, beto)


def test_removing_a_person_ends_the_link_for_their_new_phone_as_announced(table, owner, come):
    beto = come("beto", Role.SCORER)
    invite, token = make_new_phone(member_of(table, "beto"), by=owner)
    assert [invite] == [one for one in ending_of(table.grants.get(user=beto)).invites if one.member]
    removal = put_out(table.grants.get(user=beto), by=owner)
    assert None is find_invite(token, None)
    undo_removal(removal, by=owner)

    assert invite == find_invite(token, None)


def test_leaving_the_table_ends_the_link_for_a_new_phone(table, owner, come):
    beto = come("beto", Role.SCORER)
    _invite, token = make_new_phone(member_of(table, "beto"), by=owner)
    leave(table, by=beto)

    assert None is find_invite(token, None)


def test_a_claim_that_passed_to_another_user_ends_the_link(table, owner, come, claims):
    come("beto", Role.SCORER)
    _invite, token = make_new_phone(member_of(table, "beto"), by=owner)
    claims(make_user("otro"), "beto")

    assert None is find_invite(token, None)


def test_a_new_link_for_a_member_replaces_the_previous_one(table, owner, come):
    come("beto", Role.SCORER)
    for _link in range(3):
        make_new_phone(member_of(table, "beto"), by=owner)

    assert 1 == Invite.objects.standing().count()


def test_the_link_still_works_after_the_member_moved_from_a_guest_to_an_account(table, owner, come, claims):
    """Beto's guest signs in with a name and a password while the link waits."""
    guest, beto = make_guest(), make_user("beto")
    accept_invite(make_invite(table, Role.SCORER, lasts=LASTS["day"], by=owner)[0], guest)
    claims(guest, "beto")
    invite, token = make_new_phone(member_of(table, "beto"), by=owner)
    bring_along(guest, beto)
    assert invite == find_invite(token, None)
    accept_invite(invite, make_guest())

    assert None is role_at(beto, table)


# --- undone -----------------------------------------------------------------------------------------------


def test_undo_restores_access_and_claim_of_the_old_phone(table, owner, come):
    beto = come("beto", Role.OWNER)
    guest = replace(table, "beto", by=owner)
    undo_removal(table.removals.get(), by=owner)

    assert [Role.OWNER, Role.OWNER] == [role_at(user, table) for user in (beto, guest)]
    assert (True, None) == (member_of(table, "beto").is_of(beto), table.grants.get(user=beto).removal)


def test_undo_does_not_take_the_claim_from_a_third_phone(table, owner, come):
    beto = come("beto", Role.SCORER)
    replace(table, "beto", by=owner)
    first = table.removals.get()
    third = replace(table, "beto", by=owner)
    undo_removal(first, by=owner)

    assert (Role.SCORER, True) == (role_at(beto, table), member_of(table, "beto").is_of(third))


def test_undo_does_not_change_the_claim_of_an_old_phone_that_claimed_another_member(
    table, owner, come, claims
):
    beto = come("beto", Role.SCORER)
    guest = replace(table, "beto", by=owner)
    claims(beto, "caro")
    undo_removal(table.removals.get(), by=owner)

    assert [True, True] == [member_of(table, "beto").is_of(guest), member_of(table, "caro").is_of(beto)]


def test_undo_restores_a_claim_that_was_ended_meanwhile(table, owner, come):
    beto = come("beto", Role.SCORER)
    guest = replace(table, "beto", by=owner)
    end_claim(member_of(table, "beto"), of=guest.pk)
    undo_removal(table.removals.get(), by=owner)

    assert member_of(table, "beto").is_of(beto)


def test_revoking_a_used_link_ends_the_access_of_the_phone_that_used_it(table, owner, come):
    come("beto", Role.SCORER)
    thief = replace(table, "beto", by=owner)
    invite = Invite.objects.get(member__slug="beto")
    revoke_invite(invite, by=owner)

    assert None is role_at(thief, table)
    with pytest.raises(InviteGone):
        accept_invite(invite, thief)


def test_a_second_tap_on_the_link_does_not_extend_an_expired_grant(table, owner):
    invite, token = make_new_phone(member_of(table, "caro"), by=owner)
    guest = make_guest()
    accept_invite(invite, guest)
    table.grants.filter(user=guest).update(expires_at=now() - timedelta(minutes=1))

    assert None is find_invite(token, guest)


def test_the_preview_of_a_replacement_has_the_new_role_and_the_lost_grant(table, owner, come):
    beto = come("beto", Role.SCORER)
    replacement = replacement_of(member_of(table, "beto"), by=owner)

    assert (Role.SCORER, table.grants.get(user=beto)) == (replacement.role, replacement.lost)
