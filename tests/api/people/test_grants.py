"""Grants through the API: kept, removed together with invited people, restored, and a table handed over."""

from __future__ import annotations

import pytest
from django.utils.timezone import now

from games.models import Grant, Role
from games.people.invitations import WATCHES_FOR, accept_invite, make_invite
from games.people.leaving import leave
from games.people.tokens import LIVES, make_token
from tests.api.described import wrong_in
from tests.tables import make_user

pytestmark = pytest.mark.django_db

ALL = "tables/{code}/grants/"


@pytest.fixture
def where(table):
    return f"tables/{table.code}/"


@pytest.fixture
def olga(table, owner):
    """Make an owner whose witness invitation Sonia accepted."""
    user, sonia = make_user("olga"), make_user("sonia")
    Grant.objects.create(user=user, table=table, role=Role.OWNER)
    invite, _token = make_invite(table, Role.WITNESS, lasts=WATCHES_FOR, by=user)
    accept_invite(invite, sonia, name="Sonia")
    return user


def people(answer):
    return [(one["role"], one["yours"], one["first"]) for one in answer.body["grants"]]


def test_a_kept_witness_grant_has_no_expiry(owning, where, table, waldo):
    grant = table.grants.get(role=Role.WITNESS)
    Grant.objects.filter(pk=grant.pk).update(expires_at=now() + WATCHES_FOR)
    kept = owning.post(f"{where}grants/{grant.pk}/keep/", None)

    assert [] == wrong_in(kept.body, ALL + "{grant}/keep/", method="post")
    assert [None, None] == [one["expires_at"] for one in kept.body["grants"]]
    assert (404, "not_found") == owning.post(f"{where}grants/{2**70}/keep/", None).problem[:2]


def test_an_owner_removes_a_person_together_with_an_invited_one_and_undoes_it(
    owning, where, table, olga, program_for
):
    grant, sonia = table.grants.get(user=olga), table.grants.get(role=Role.WITNESS)
    ending = owning.get(f"{where}grants/{grant.pk}/remove/")

    assert [] == wrong_in(ending.body, ALL + "{grant}/remove/")
    assert ([grant.pk], 1, [(sonia.pk, "Sonia", False)]) == (
        [one["id"] for one in ending.body["grants"]],
        len(ending.body["invitations"]),
        [(one["id"], one["name"], one["phone"]) for one in ending.body["others"]],
    )

    removed = owning.post(f"{where}grants/{grant.pk}/remove/", {"also": [sonia.pk]})

    assert [("owner", True, True)] == people(owning.get(f"{where}grants/"))
    assert removed.body == owning.post(f"{where}grants/{grant.pk}/remove/", None).body
    assert (404, "not_found") == program_for(olga).get(where).problem[:2]

    back = owning.post(f"{where}removals/{removed.body['removal']}/undo/", None)

    assert [("owner", True, True), ("owner", False, False), ("witness", False, False)] == people(back)


def test_the_first_owner_cannot_be_removed_before_handing_the_table_over(
    owning, where, table, olga, owner, program_for
):
    mine, hers, other = table.grants.get(user=owner), table.grants.get(user=olga), program_for(olga)

    assert (422, "refused") == other.post(f"{where}grants/{mine.pk}/remove/", None).problem[:2]
    assert (422, "refused") == owning.post(f"{where}grants/{mine.pk}/remove/", None).problem[:2]
    assert (403, "forbidden") == other.post(f"{where}hand-over/", {"grant": hers.pk + 1}).problem[:2]
    assert {"field": "grant"} == owning.post(f"{where}hand-over/", {"grant": mine.pk}).place
    assert [("owner", False, True), ("owner", True, False)] == people(
        owning.post(f"{where}hand-over/", {"grant": hers.pk})
    )[:2]
    assert 200 == owning.post(f"{where}hand-over/", {"grant": hers.pk}).status
    assert 200 == other.post(f"{where}grants/{mine.pk}/remove/", {}).status
    assert (404, "not_found") == owning.get(where).problem[:2]


def test_an_invalid_list_of_people_to_remove_is_refused(subtests, owning, where, table, olga):
    grant = table.grants.get(user=olga)
    for also in ("7", ["7"], [True], [0], [7] * 201):
        with subtests.test(also=str(also)[:9]):
            answer = owning.post(f"{where}grants/{grant.pk}/remove/", {"also": also})

            assert (True, {"field": "also"}) == (answer.status in (400, 422), answer.place)
    assert 3 == table.grants.standing().count()


def test_grants_list_people_who_left_and_the_tokens_that_a_removal_would_end(
    owning, where, table, olga, program_for
):
    sonia = table.grants.get(role=Role.WITNESS)
    make_token(sonia.user, "reloj", Role.WITNESS, lasts=LIVES["day"], table=table)
    ending = owning.get(f"{where}grants/{sonia.pk}/remove/").body
    assert [["reloj"]] == [one["tokens"] for one in ending["grants"]]
    leave(table, by=olga)
    grants = owning.get(f"{where}grants/").body

    assert [] == wrong_in(grants, ALL)
    assert [("", "owner")] == [(one["name"], one["role"]) for one in grants["left"]]
