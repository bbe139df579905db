"""The pen: an owner lets a confirmed witness record until the night ends; then they are a witness again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games.models import Role
from games.people.access import Visitor, role_at, table_for
from games.people.claims import claim
from games.people.faces import agree, tap_face
from games.people.guests import bring_along, make_guest
from games.people.invitations import LASTS, accept_invite, make_invite
from games.people.owners import OwnsNoLonger
from games.people.pen import known_phones, pass_pen, take_pen_back
from games.people.removals import put_out, undo_removal
from games.people.tokens import LIVES, make_token
from games.people.tonight import come_in, show_tonight
from games.scoring.errors import RuleError
from tests.tables import let_in_as, make_user

pytestmark = pytest.mark.django_db

TEN_AT_NIGHT = datetime(2026, 7, 10, 1, tzinfo=UTC)  # 22:00 in Buenos Aires
SIX = datetime(2026, 7, 10, 9, tzinfo=UTC)  # when that night ends


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(TEN_AT_NIGHT, tick=False) as traveller:
        yield traveller


@pytest.fixture
def sits(table, owner, who):
    """`sits("beto", by=Role.SCORER)` returns the grant of a guest whose tap on Beto a scorer confirmed."""

    def sit(slug, *, by=None):
        guest = make_guest()
        come_in(show_tonight(table, by=owner), guest, member=who[slug])
        if by is not None:
            agree(table.faces.get(user=guest), by=owner, role=by)
        return table.grants.get(user=guest)

    return sit


@pytest.mark.parametrize("by", [Role.OWNER, Role.SCORER])
def test_a_confirmed_phone_with_the_pen_records_until_the_night_ends(table, owner, sits, clock, by):
    grant = sits("beto", by=by)
    pass_pen(grant, by=owner)
    assert Role.SCORER == role_at(grant.user, table)
    assert Visitor(grant.user).sees_accounts(table, role_at(grant.user, table))

    clock.move_to(SIX)
    assert (Role.WITNESS if by is Role.OWNER else None) == role_at(grant.user, table)


def test_a_pen_passed_shortly_before_the_nights_end_lasts_two_hours(table, owner, sits, clock):
    grant = sits("beto", by=Role.SCORER)
    clock.move_to(SIX - timedelta(minutes=10))
    pass_pen(grant, by=owner)
    clock.move_to(SIX + timedelta(minutes=100))

    assert Role.SCORER == role_at(grant.user, table)


def test_passing_the_pen_does_not_end_another_scorers_grant(table, owner, sits):
    sonia = make_user("sonia")
    let_in_as(sonia, table, Role.SCORER)
    pass_pen(sits("beto", by=Role.SCORER), by=owner)

    assert Role.SCORER == role_at(sonia, table)


def test_an_unconfirmed_face_cannot_get_the_pen(table, owner, sits):
    grant = sits("beto")
    with pytest.raises(RuleError, match="this has changed meanwhile"):
        pass_pen(grant, by=owner)

    assert (Role.WITNESS, []) == (role_at(grant.user, table), list(known_phones(table)))


def test_only_an_owner_can_pass_the_pen_and_take_it_back(table, sits):
    grant = sits("beto", by=Role.SCORER)
    sonia = make_user("sonia")
    for act in (pass_pen, take_pen_back):
        with pytest.raises(OwnsNoLonger):
            act(grant, by=sonia)


def test_of_two_phones_with_the_same_face_the_owner_passes_the_pen_to_one(table, owner, sits):
    first, second = sits("beto"), sits("beto")
    for face in table.faces.all():
        agree(face, by=owner, role=Role.SCORER)
    assert [first, second] == [phone.grant for phone in known_phones(table)]
    pass_pen(second, by=owner)

    assert [Role.WITNESS, Role.SCORER] == [role_at(grant.user, table) for grant in (first, second)]


def test_a_pen_taken_back_makes_its_holder_a_witness_again(table, owner, sits):
    grant = sits("beto", by=Role.SCORER)
    pass_pen(grant, by=owner)
    take_pen_back(grant, by=owner)

    assert Role.WITNESS == role_at(grant.user, table)


def test_a_removal_ends_the_pen_and_its_undo_restores_it_but_a_new_invitation_does_not(table, owner, sits):
    grant = sits("beto", by=Role.SCORER)
    pass_pen(grant, by=owner)
    removal = put_out(grant, by=owner)
    assert role_at(grant.user, table) is None
    undo_removal(removal, by=owner)
    assert Role.SCORER == role_at(grant.user, table)

    put_out(grant, by=owner)
    accept_invite(make_invite(table, Role.WITNESS, lasts=LASTS["day"], by=owner)[0], grant.user)
    assert Role.WITNESS == role_at(grant.user, table)


def test_a_guests_pen_moves_to_the_account_and_ends_with_the_night(table, owner, sits, who, clock):
    sofi = make_user("sofi")
    let_in_as(sofi, table, Role.WITNESS)
    grant = sits("beto", by=Role.SCORER)
    pass_pen(grant, by=owner)
    bring_along(grant.user, sofi)
    assert Role.SCORER == role_at(sofi, table)

    clock.move_to(SIX)
    assert Role.WITNESS == role_at(sofi, table)


def test_a_token_made_with_the_pen_can_only_read_once_the_pen_has_ended(table, owner, sits, clock):
    grant = sits("beto", by=Role.OWNER)
    pass_pen(grant, by=owner)
    token, _secret = make_token(grant.user, "reloj", lasts=LIVES["day"], table=table)
    assert Role.SCORER == table_for(Visitor(grant.user, token), table.code)[1]

    clock.move_to(SIX)
    assert Role.WITNESS == table_for(Visitor(grant.user, token), table.code)[1]


def test_a_confirmed_member_can_get_the_pen_without_a_face(table, owner, who):
    sofi = make_user("sofi")
    grant = let_in_as(sofi, table, Role.WITNESS)
    claim(who["beto"], sofi, is_agreed=True)
    pass_pen(grant, by=owner)

    assert Role.SCORER == role_at(sofi, table)


def test_an_owner_is_not_offered_the_pen(table, owner, who):
    tap_face(who["ana"], owner)
    agree(table.faces.get(), by=owner, role=Role.OWNER)

    assert [] == list(known_phones(table))
