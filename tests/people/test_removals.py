"""Removing a person: what ends with it, who stays, and an undo that restores exactly the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils.timezone import now

from games.models import Grant, Invite, Removal, Role
from games.people import access, invitations
from games.people.guests import bring_along, make_guest
from games.people.invitations import LASTS, WATCHES_FOR, InviteGone, accept_invite
from games.people.owners import OwnsNoLonger, hand_over
from games.people.removals import ending_of, ending_with, put_out, revoke_invite, undo_removal
from games.people.staying import keep_grant
from games.scoring.errors import RuleError
from tests.tables import make_user

pytestmark = pytest.mark.django_db

BEGINNING = "2026-11-20T21:00Z"


@pytest.fixture
def ana(owner):
    """Return the user who owns the table."""
    return owner


@pytest.fixture
def come(table, ana):
    """`come("beto", Role.OWNER)` lets Beto accept an invitation of Ana's, and returns the user."""

    def accept(name, role=Role.WITNESS, *, by=ana, invite=None):
        user = make_user(name)
        accept_invite(invite or invite_to(table, role, by=by)[0], user)
        return user

    return accept


def invite_to(table, role=Role.WITNESS, *, by):
    return invitations.make_invite(table, role, lasts=LASTS["week"], by=by)


def grant_of(table, user):
    return table.grants.get(user=user)


def out(table, user, *, by, also=()):
    """Remove this user as `by`, together with the users `also`."""
    return put_out(grant_of(table, user), by=by, also=[grant_of(table, other).pk for other in also])


def roles(table, *users):
    return [access.role_at(user, table) for user in users]


def stored(table):
    """Return the stored fields of all grants and invitations of the table."""
    return (
        list(table.grants.order_by("pk").values()),
        list(table.invites.order_by("pk").values()),
    )


# --- removed ----------------------------------------------------------------------------------------------------------


def test_a_removed_owners_invitations_stop_working_until_the_removal_is_undone(table, ana, come):
    beto = come("beto", Role.OWNER)
    _invite, token = invite_to(table, Role.OWNER, by=beto)
    _spare, spare = invitations.make_spare(table, by=beto)
    before = stored(table)
    removal = out(table, beto, by=ana)

    assert [None, Role.OWNER] == roles(table, beto, ana)
    assert [None] * 4 == [
        invitations.find_invite(one, who) for one in (token, spare) for who in (beto, make_user(f"x{one}"))
    ]
    undo_removal(removal, by=ana)
    assert before == stored(table)
    assert all(invitations.find_invite(one, None) for one in (token, spare))


# --- endings ----------------------------------------------------------------------------------------------------------


def test_the_preview_of_a_removal_lists_what_ends_and_changes_nothing(table, ana, come):
    beto = come("beto", Role.OWNER)
    invite, _token = invite_to(table, by=beto)
    waldo, wanda = (come(name, invite=invite) for name in ("waldo", "wanda"))
    other, _token = invite_to(table, by=ana)
    before = stored(table)
    ending = ending_of(grant_of(table, beto))

    assert ([beto], [invite], [waldo, wanda]) == (
        [grant.user for grant in ending.grants],
        list(ending.invites),
        [grant.user for grant in ending.others],
    )
    assert other not in ending.invites
    assert before == stored(table)


def test_the_preview_also_lists_people_invited_by_invited_people(table, come):
    beto = come("beto", Role.OWNER)
    caro = come("caro", Role.OWNER, by=beto)
    waldo = come("waldo", by=caro)

    assert [caro, waldo] == [grant.user for grant in ending_of(grant_of(table, beto)).others]


def test_all_phones_linked_by_spare_links_can_be_removed_together(table, ana, come):
    beto = come("beto", Role.OWNER)
    second, third = (
        come(name, invite=invitations.make_spare(table, by=beto)[0]) for name in ("second", "third")
    )
    ending = ending_of(grant_of(table, second))
    assert [beto, third] == [grant.user for grant in ending.others] == [grant.user for grant in ending.phones]
    out(table, second, by=ana, also=[beto, third])

    assert [None] * 3 == roles(table, beto, second, third)


def test_an_invited_users_second_phone_is_listed_among_others_and_not_as_the_inviters_phone(table, ana, come):
    beto = come("beto", Role.OWNER)
    caro = come("caro", Role.OWNER, by=beto)
    caros = come("caros", invite=invitations.make_spare(table, by=caro)[0])
    ending = ending_of(grant_of(table, beto))

    assert ([caro, caros], []) == ([grant.user for grant in ending.others], list(ending.phones))


def test_people_invited_by_the_removed_person_stay_unless_chosen(table, ana, come):
    beto = come("beto", Role.OWNER)
    waldo, wanda = (come(name, by=beto) for name in ("waldo", "wanda"))
    out(table, beto, by=ana, also=[wanda])

    assert [None, Role.WITNESS, None] == roles(table, beto, waldo, wanda)


def test_the_invitations_of_a_chosen_person_end_with_them(table, ana, come):
    beto = come("beto", Role.OWNER)
    caro = come("caro", Role.OWNER, by=beto)
    _invite, token = invite_to(table, Role.OWNER, by=caro)
    removal = out(table, beto, by=ana, also=[caro])

    assert None is invitations.find_invite(token, None)
    undo_removal(removal, by=ana)
    assert [Role.OWNER] * 2 == roles(table, beto, caro)
    assert invitations.find_invite(token, None)


def test_people_not_invited_by_the_removed_person_cannot_be_chosen(table, ana, come):
    beto, dani = come("beto", Role.OWNER), come("dani", Role.SCORER)
    out(table, beto, by=ana, also=[dani, ana])

    assert [Role.SCORER, Role.OWNER] == roles(table, dani, ana)


def test_a_removal_ends_the_invitation_that_the_person_used(table, ana):
    invite, token = invite_to(table, by=ana)
    waldo = make_user("waldo")
    accept_invite(invite, waldo)
    out(table, waldo, by=ana)

    # A guest without their session is a new guest, so the link itself must let nobody in.
    assert [None, None, None] == [
        invitations.find_invite(token, user) for user in (waldo, None, make_user("wanda"))
    ]
    with pytest.raises(InviteGone):
        accept_invite(invite, waldo)
    assert [None] == roles(table, waldo)


def test_a_removal_ends_an_older_invitation_of_the_person_and_undo_restores_both(table, ana, come):
    older, token = invite_to(table, by=ana)
    beto = come("beto", invite=older)
    accept_invite(invite_to(table, Role.OWNER, by=ana)[0], beto)
    removal = out(table, beto, by=ana)

    assert None is invitations.find_invite(token, beto)
    with pytest.raises(InviteGone):
        accept_invite(older, beto)
    undo_removal(removal, by=ana)
    assert [Role.OWNER] == roles(table, beto)
    assert older == invitations.find_invite(token, beto)


def test_other_people_who_used_the_removed_persons_invitation_keep_access(table, ana, come):
    invite, _token = invite_to(table, by=ana)
    waldo, wanda = (come(name, invite=invite) for name in ("waldo", "wanda"))
    until = grant_of(table, wanda).expires_at
    out(table, waldo, by=ana)

    assert [Role.WITNESS, None] == roles(table, wanda, waldo)
    assert until == accept_invite(invite, wanda).expires_at
    revoke_invite(invite, by=ana)
    assert [None] == roles(table, wanda)


def test_a_removal_does_not_end_other_invitations(table, ana, come):
    other, _token = invite_to(table, by=ana)
    out(table, come("waldo"), by=ana)

    assert [other] == list(Invite.objects.standing())


# --- revoking ---------------------------------------------------------------------------------------------------------


def test_revoking_an_invitation_ends_the_grants_it_made_and_no_others(table, ana, come):
    revoked, _token = invite_to(table, by=ana)
    waldo, wanda = come("waldo", invite=revoked), come("wanda")
    revoke_invite(revoked, by=ana)

    assert [None, Role.WITNESS, Role.OWNER] == roles(table, waldo, wanda, ana)


def test_revoking_an_invitation_also_ends_a_kept_grant(table, ana, come):
    invite, _token = invite_to(table, by=ana)
    waldo = come("waldo", invite=invite)
    keep_grant(grant_of(table, waldo))
    revoke_invite(invite, by=ana)

    assert [None] == roles(table, waldo)


def test_revoking_an_invitation_ends_its_users_invitations_and_previews_the_people_who_used_those(
    table, ana, come
):
    invite, _token = invite_to(table, Role.OWNER, by=ana)
    beto = come("beto", invite=invite)
    _made, token = invite_to(table, Role.OWNER, by=beto)
    waldo, wanda = (come(name, by=beto) for name in ("waldo", "wanda"))
    before, ending = stored(table), ending_with(invite)
    assert ([beto], [waldo, wanda]) == (
        [grant.user for grant in ending.grants],
        [grant.user for grant in ending.others],
    )
    removal = revoke_invite(invite, by=ana, also=[grant_of(table, wanda).pk])

    assert [None, Role.WITNESS, None] == roles(table, beto, waldo, wanda)
    assert None is invitations.find_invite(token, None)
    undo_removal(removal, by=ana)
    assert before == stored(table)


def test_revoking_an_invitation_twice_is_refused_and_keeps_the_first_timestamp(table, ana):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        invite, _token = invite_to(table, by=ana)
        revoke_invite(invite, by=ana)
        clock.shift(timedelta(hours=1))
        with pytest.raises(RuleError, match="changed meanwhile"):
            revoke_invite(invite, by=ana)
    invite.refresh_from_db()

    assert ("2026-11-20T21:00:00+00:00", 1) == (invite.revoked_at.isoformat(), Removal.objects.count())


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_restores_role_and_expiry(table, ana, come):
    with time_machine.travel(BEGINNING, tick=False) as clock:
        waldo, sonia = come("waldo"), come("sonia", Role.SCORER)
        removals = [out(table, user, by=ana) for user in (waldo, sonia)]
        clock.shift(timedelta(hours=1))
        for removal in removals:
            undo_removal(removal, by=ana)

        assert [Role.WITNESS, Role.SCORER] == roles(table, waldo, sonia)
        assert now() + WATCHES_FOR - timedelta(hours=1) == grant_of(table, waldo).expires_at
        clock.shift(WATCHES_FOR)
        assert [None, Role.SCORER] == roles(table, waldo, sonia)


def test_undo_twice_changes_nothing_more(table, ana, come):
    beto = come("beto", Role.OWNER)
    removal = out(table, beto, by=ana)
    undo_removal(removal, by=ana)
    out(table, beto, by=ana)
    before = stored(table)
    undo_removal(removal, by=ana)

    assert before == stored(table)


def test_only_the_person_who_removed_can_undo_it_and_only_as_an_owner(table, ana, come):
    beto, caro = come("beto", Role.OWNER), come("caro", Role.OWNER)
    removal = out(table, come("waldo"), by=beto)
    before = stored(table)
    with pytest.raises(RuleError, match="Only the person who did this can undo it"):
        undo_removal(removal, by=caro)
    assert before == stored(table)

    out(table, beto, by=ana)
    with pytest.raises(OwnsNoLonger):
        undo_removal(removal, by=beto)


def test_undo_does_not_restore_a_person_whom_another_owner_removed_meanwhile(table, ana, come):
    beto, caro = come("beto", Role.OWNER), come("caro", Role.OWNER)
    waldo = come("waldo", by=caro)
    first = out(table, caro, by=ana, also=[waldo])
    invite, _token = invite_to(table, by=ana)
    accept_invite(invite, waldo)  # Waldo gets a new grant
    out(table, waldo, by=beto)
    undo_removal(first, by=ana)

    assert [Role.OWNER, None] == roles(table, caro, waldo)


def test_undo_does_not_restore_a_person_whose_invitation_was_revoked_meanwhile(table, ana, come):
    beto = come("beto", Role.OWNER)
    invite, token = invite_to(table, by=ana)
    waldo = come("waldo", invite=invite)
    first = out(table, waldo, by=ana)
    second = revoke_invite(invite, by=beto)
    undo_removal(first, by=ana)
    assert ([None], None) == (roles(table, waldo), invitations.find_invite(token, None))

    undo_removal(second, by=beto)
    assert [Role.WITNESS] == roles(table, waldo)
    assert invite == invitations.find_invite(token, None)


def test_undo_does_not_restore_an_invitation_whose_maker_was_removed_meanwhile(table, ana, come):
    beto, caro = come("beto", Role.OWNER), come("caro", Role.OWNER)
    invite, token = invite_to(table, by=beto)
    waldo = come("waldo", invite=invite)
    first = out(table, waldo, by=caro)
    second = out(table, beto, by=ana)
    undo_removal(first, by=caro)
    assert ([Role.WITNESS], None) == (roles(table, waldo), invitations.find_invite(token, None))

    accept_invite(invite_to(table, Role.OWNER, by=ana)[0], beto)  # a new grant, without the old links
    assert None is invitations.find_invite(token, None)
    undo_removal(second, by=ana)
    assert invite == invitations.find_invite(token, None)


def test_undo_does_not_overwrite_a_role_given_after_the_removal(table, ana, come):
    beto = come("beto", Role.OWNER)
    removal = out(table, beto, by=ana)
    accept_invite(invite_to(table, by=ana)[0], beto)
    undo_removal(removal, by=ana)

    assert [Role.WITNESS] == roles(table, beto)


def test_a_removed_guests_grant_does_not_move_to_an_account(table, ana):
    guest, beto = make_guest(), make_user("beto")
    accept_invite(invite_to(table, Role.SCORER, by=ana)[0], guest)
    removal = out(table, guest, by=ana)
    bring_along(guest, beto)
    assert [None, None] == roles(table, guest, beto)
    undo_removal(removal, by=ana)

    assert [Role.SCORER, None] == roles(table, guest, beto)


# --- owners -----------------------------------------------------------------------------------------------------------


def test_another_owner_cannot_remove_the_first_owner(table, ana, come):
    beto = come("beto", Role.OWNER)

    with pytest.raises(RuleError, match="Nobody can remove the first owner"):
        out(table, ana, by=beto)
    assert [Role.OWNER] == roles(table, ana)


def test_the_first_owners_invitation_cannot_be_revoked_by_another_owner(table, ana, come):
    invite, _token = invite_to(table, Role.OWNER, by=ana)
    beto, caro = come("beto", invite=invite), come("caro", Role.OWNER)
    hand_over(grant_of(table, beto), by=ana)

    with pytest.raises(RuleError, match="Nobody can remove the first owner"):
        revoke_invite(invite, by=caro)
    assert (beto, None) == (table.grants.owning()[0].user, Invite.objects.get(pk=invite.pk).revoked_at)
    with pytest.raises(RuleError, match="Nobody can remove the first owner"):
        out(table, ana, by=caro, also=[beto])


def test_handing_a_table_over_makes_the_other_the_first_owner_and_ends_no_grant(table, ana, come):
    beto, caro = come("beto", Role.OWNER), come("caro", Role.OWNER)
    hand_over(grant_of(table, caro), by=ana)

    assert [caro, ana, beto] == [grant.user for grant in table.grants.owning()]
    with pytest.raises(RuleError, match="Nobody can remove the first owner"):
        out(table, caro, by=ana)
    out(table, ana, by=caro)
    assert [None, Role.OWNER, Role.OWNER] == roles(table, ana, beto, caro)


def test_only_the_first_owner_can_hand_the_table_over_and_only_to_another_owner(table, ana, come):
    beto, sonia = come("beto", Role.OWNER), come("sonia", Role.SCORER)

    for who, to, refusal in (
        (beto, beto, "Only the first owner"),
        (ana, sonia, "Choose another owner"),
        (ana, ana, "Choose another owner"),
    ):
        with pytest.raises(RuleError, match=refusal):
            hand_over(grant_of(table, to), by=who)
    assert [ana, beto] == [grant.user for grant in table.grants.owning()]


def test_the_phone_that_used_a_spare_link_ranks_before_the_lost_one(table, ana, come):
    beto, new_phone = come("beto", Role.OWNER), make_guest()
    accept_invite(invitations.make_spare(table, by=ana)[0], new_phone)

    assert [new_phone, ana, beto] == [grant.user for grant in table.grants.owning()]
    with pytest.raises(RuleError, match="Nobody can remove the first owner"):
        out(table, new_phone, by=ana)
    out(table, ana, by=new_phone)
    assert [None, Role.OWNER] == roles(table, ana, new_phone)


def test_the_phone_that_used_the_second_owners_spare_link_ranks_behind_the_first_owner(table, ana, come):
    beto, other = come("beto", Role.OWNER), make_guest()
    Grant.objects.update(ranks_from=now())  # as in an old database, which has no times
    accept_invite(invitations.make_spare(table, by=beto)[0], other)

    assert [ana, other, beto] == [grant.user for grant in table.grants.owning()]


def test_a_spare_link_ends_with_its_makers_grant(table, ana, come):
    beto = come("beto", Role.OWNER)
    spare, token = invitations.make_spare(table, by=beto)
    out(table, beto, by=ana)

    assert None is invitations.find_invite(token, None)
    with pytest.raises(InviteGone):
        accept_invite(spare, make_guest())


def test_invitations_of_a_guest_move_to_the_account_and_end_with_its_removal(table, ana, come):
    guest, olga = make_guest(), make_user("olga")
    accept_invite(invite_to(table, Role.OWNER, by=ana)[0], guest)
    _invite, token = invite_to(table, Role.OWNER, by=guest)
    waldo = come("waldo", by=guest)
    bring_along(guest, olga)
    assert invitations.find_invite(token, None)
    assert [waldo] == [grant.user for grant in ending_of(grant_of(table, olga)).others]
    out(table, olga, by=ana)

    assert None is invitations.find_invite(token, None)


def test_an_account_that_takes_over_the_first_owners_guest_becomes_the_first_owner(ana, table, come):
    olga = come("olga", Role.OWNER)
    come("beto", Role.OWNER)
    bring_along(ana, olga)

    assert olga == table.grants.owning()[0].user


def test_the_only_owner_cannot_be_removed(table, ana):
    with pytest.raises(RuleError, match="always needs an owner"):
        out(table, ana, by=ana)
    assert [Role.OWNER] == roles(table, ana)


def test_an_owner_with_an_expired_grant_does_not_count_as_another_owner(table, ana):
    Grant.objects.create(
        user=make_user("waldo"), table=table, role=Role.OWNER, expires_at=now() - timedelta(hours=1)
    )

    with pytest.raises(RuleError, match="always needs an owner"):
        out(table, ana, by=ana)


def test_the_first_owner_can_leave_if_another_owner_stays(table, ana, come):
    beto = come("beto", Role.OWNER)
    out(table, ana, by=ana)

    assert [None, Role.OWNER] == roles(table, ana, beto)
    assert beto == table.grants.owning()[0].user


def test_of_two_owners_who_remove_each_other_the_faster_stays(table, come):
    """Both had loaded the page as owners; the slower request passed its first check before the removal."""
    beto, caro = come("beto", Role.OWNER), come("caro", Role.OWNER)
    grants = grant_of(table, beto), grant_of(table, caro)
    put_out(grants[1], by=beto)

    with pytest.raises(OwnsNoLonger):
        put_out(grants[0], by=caro)
    assert [Role.OWNER, None] == roles(table, beto, caro)


def test_removing_a_removed_person_again_is_refused(table, ana, come):
    waldo = come("waldo")
    grant = grant_of(table, waldo)
    put_out(grant, by=ana)

    with pytest.raises(RuleError, match="changed meanwhile"):
        put_out(grant, by=ana)
    assert 1 == Removal.objects.count()
