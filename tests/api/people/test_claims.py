"""Claims: Waldo claims to be Beto; Ana, the owner, confirms it and later ends it."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

ALL = "tables/{code}/claims/"


@pytest.fixture
def where(table):
    return f"tables/{table.code}"


@pytest.fixture
def watching(program_for, waldo, django_user_model):
    return program_for(django_user_model.objects.get(username="waldo"))


def told(answer):
    return [(claim["member"], claim["yours"], claim["agreed"]) for claim in answer.body["claims"]]


def test_a_witness_claims_a_member_and_an_owner_confirms_and_ends_the_claim(watching, owning, where):
    claimed = watching.post(f"{where}/members/beto/claim/", None)
    seen = owning.get(f"{where}/claims/")
    claimant = {"claimant": seen.body["claims"][0]["claimant"]}

    assert [("beto", True, False)] == told(claimed)
    assert [("beto", False, False)] == told(seen)
    assert [] == wrong_in(seen.body, ALL)

    refused = watching.post(f"{where}/members/beto/claim/accept/", claimant)
    other = owning.post(f"{where}/members/beto/claim/accept/", {"claimant": 999})

    assert (403, "forbidden") == refused.problem[:2]
    assert (422, "refused", "Not saved: this has changed meanwhile. Check it and try again.") == other.problem
    assert [("beto", False, True)] == told(owning.post(f"{where}/members/beto/claim/accept/", claimant))
    assert [("beto", True, True)] == told(watching.get(f"{where}/claims/"))
    assert [] == told(owning.post(f"{where}/members/beto/claim/end/", claimant))


def test_a_user_can_claim_one_member_and_a_member_has_one_user(watching, owning, where, who, owner):
    assert [("ana", True, True)] == told(owning.post(f"{where}/members/ana/claim/", None))
    assert (422, "refused") == watching.post(f"{where}/members/ana/claim/", None).problem[:2]
    assert (422, "refused") == owning.post(f"{where}/members/beto/claim/", None).problem[:2]
    assert [] == told(watching.get(f"{where}/claims/"))
    assert (403, "forbidden") == watching.post(
        f"{where}/members/ana/claim/end/", {"claimant": owner.pk}
    ).problem[:2]
    assert (404, "not_found") == watching.post(f"{where}/members/zoe/claim/", None).problem[:2]
