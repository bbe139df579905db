"""Invitations through the API: made, viewed, accepted, revoked, and for a member's new phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache

from games.models import Grant, Invite
from games.people.invitations import WRONG
from tests.api.described import wrong_in
from tests.tables import make_user

pytestmark = pytest.mark.django_db

ALL = "tables/{code}/invitations/"


@pytest.fixture
def where(table):
    cache.clear()  # it counts tries for the rate limits
    return f"tables/{table.code}/invitations/"


@pytest.fixture
def owning(program_for, owner):
    return program_for(owner)


def test_the_token_of_an_invitation_is_in_one_response_only(owning, where):
    made = owning.post(where, {"role": "scorer", "lasts": "day"})
    listed = owning.get(where)

    assert (201, f"http://testserver/i/{made.body['token']}/") == (made.status, made.body["link"])
    assert [] == wrong_in(made.body, ALL, method="post", status=201)
    assert [] == wrong_in(listed.body, ALL)
    assert [("scorer", True, 0)] == [
        (one["role"], one["stands"], one["came"]) for one in listed.body["invitations"]
    ]
    assert made.body["token"] not in str(listed.body)
    assert Invite.objects.get().token_hash not in str(listed.body) + str(made.body)


def test_an_anonymous_client_accepts_an_invitation_once_and_loses_access_when_it_is_revoked(
    program, owning, where, table
):
    made = owning.post(where, {"role": "scorer", "lasts": "day"}).body
    accepted = {"token": made["token"], "name": "Sonia"}
    came = program.write("invitations/accept/", accepted, key="k")
    again = program.write("invitations/accept/", accepted, key="k")

    assert (200, table.code, "scorer") == (came.status, came.body["table"], came.body["role"])
    assert [] == wrong_in(came.body, "invitations/accept/", method="post")
    assert came.body == again.body
    assert 2 == User.objects.count()
    assert 200 == program.get(f"tables/{table.code}/").status

    ending = owning.get(f"{where}{made['id']}/revoke/")
    revoked = owning.post(f"{where}{made['id']}/revoke/", {"also": []})

    assert ["Sonia"] == [grant["name"] for grant in ending.body["grants"]]
    assert [] == wrong_in(ending.body, ALL + "{invitation}/revoke/")
    assert [] == owning.get(where).body["invitations"]
    assert revoked.body == owning.post(f"{where}{made['id']}/revoke/", None).body
    assert (404, "not_found") == program.get(f"tables/{table.code}/").problem[:2]
    assert (404, "not_found") == program.write("invitations/accept/", accepted, key="k").problem[:2]

    back = owning.post(f"tables/{table.code}/removals/{revoked.body['removal']}/undo/", None)

    assert ["", "Sonia"] == [grant["name"] for grant in back.body["grants"]]
    assert 200 == program.get(f"tables/{table.code}/").status


def test_guesses_of_invitations_are_rate_limited_and_a_valid_one_still_works(program, owning, where):
    made = owning.post(where, {"role": "witness", "lasts": "hour"}).body
    cache.clear()
    guesses = [
        program.write("invitations/accept/", {"token": f"guess{number}"}, key="k").status
        for number in range(WRONG.most + 1)
    ]

    assert {404} == set(guesses[:-1])
    assert 429 == guesses[-1]
    assert 200 == program.write("invitations/accept/", {"token": made["token"]}, key="k").status


def test_only_an_owner_can_make_invitations_and_an_invalid_role_is_refused(
    subtests, program_for, waldo, owning, where
):
    watching = program_for(User.objects.get(username="waldo"))
    wrong = [({"role": "boss", "lasts": "day"}, "role"), ({"role": "scorer", "lasts": "ever"}, "lasts")]

    assert (403, "forbidden") == watching.post(where, {"role": "owner"}).problem[:2]
    assert (403, "forbidden") == watching.get(where).problem[:2]
    for sent, field in wrong:
        with subtests.test(field=field):
            assert {"field": field} == owning.post(where, sent).place
    assert [201, 201] == [owning.post(where, {"role": role}).status for role in ("owner", "spare")]
    assert 2 == Invite.objects.count()


def test_viewing_an_invitation_shows_its_offer_and_does_not_accept_it(
    program, program_for, owning, where, table
):
    """A phone without a user, the owner Ana, and Sonia, who accepted it before, read the same invitation."""
    made = owning.post(where, {"role": "scorer", "lasts": "day"}).body
    shown = {"token": made["token"]}
    offered = program.post("invitations/look/", shown)

    assert [] == wrong_in(offered.body, "invitations/look/", method="post")
    assert (table.name, "scorer", False, True, None, made["expires_at"]) == tuple(
        offered.body[part] for part in ("name", "role", "spare", "stands", "yours", "expires_at")
    )
    assert "owner" == owning.post("invitations/look/", shown).body["yours"]
    assert ([1], 1) == (
        [one["came"] + 1 for one in owning.get(where).body["invitations"]],
        Grant.objects.count(),
    )
    assert table.code not in str(offered.body)
    program.write("invitations/accept/", shown, key="k")
    seen = program.post("invitations/look/", shown).body
    assert (False, "scorer") == (seen["stands"], seen["yours"])
    stranger = program_for(make_user("sara"))
    assert (404, "not_found") == stranger.post("invitations/look/", shown).problem[:2]


def test_viewing_wrong_invitations_is_rate_limited(program, where):
    guesses = [
        program.post("invitations/look/", {"token": f"guess{number}"}).status
        for number in range(WRONG.most + 1)
    ]

    assert [*[404] * WRONG.most, 429] == guesses


def test_a_members_new_phone_accepts_its_invitation_and_replaces_the_old_one(
    program, program_for, owning, table, claims
):
    beto, place = claims(make_user("beto"), "beto"), f"tables/{table.code}/members/beto/new-phone/"
    Grant.objects.create(user=beto, table=table, role="scorer")
    made = owning.post(place, None)
    shown = program.post("invitations/look/", {"token": made.body["token"]})
    assert (201, "beto", "scorer") == (made.status, made.body["new_phone_of"], made.body["role"])
    assert ("Beto", True) == (shown.body["new_phone_of"], shown.body["stands"])
    refused = program_for(beto).write("invitations/accept/", {"token": made.body["token"]}, key="k")
    assert (422, "refused", "You are already Beto here: open the link on the new phone.") == refused.problem

    accepted = program.write("invitations/accept/", {"token": made.body["token"]}, key="k")
    assert (200, "scorer") == (accepted.status, accepted.body["role"])
    assert [] == wrong_in(made.body, "tables/{code}/members/{member}/new-phone/", method="post", status=201)
    assert (404, "not_found") == program_for(beto).get(f"tables/{table.code}/").problem[:2]
    assert (404, "not_found") == owning.post(f"tables/{table.code}/members/nobody/new-phone/", None).problem[
        :2
    ]


def test_an_owner_cannot_make_a_new_phones_invitation_for_themselves(owning, table, owner, claims):
    claims(owner, "ana")

    assert (422, "refused", "You are Ana yourself: make a spare link for your own phone.") == owning.post(
        f"tables/{table.code}/members/ana/new-phone/", None
    ).problem
