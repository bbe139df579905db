"""*I am Ana*: a user claims to be a member, an owner confirms it, and then the user reads the accounts."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Grant, Member, Role
from games.people.members import add_member
from tests.reader import Walker, read_page
from tests.tables import make_table, make_user

pytestmark = pytest.mark.django_db


def address(table, name="claims", *more):
    return reverse(name, args=[table.code, *more])


def member(table, slug):
    return table.members.get(slug=slug)


@pytest.fixture
def sonia(phone_of, table):
    """The phone of a scorer who is no member."""
    user = make_user("sonia")
    user.first_name = "Sonia"
    user.save()
    Grant.objects.create(user=user, table=table, role=Role.SCORER)
    return phone_of(user)


def test_a_witness_claims_a_member_and_can_answer_a_payment_once_an_owner_accepts_the_claim(
    ana, waldo, table, finished, pay
):
    payment = pay("caro", "beto", 50)
    watching, owning = Walker(waldo), Walker(ana)
    watching.open(reverse("table", args=[table.code]))
    watching.follow("Who you are")
    watching.press("That is me", member="beto")
    assert "An owner has yet to agree." in watching.page.only("main").text
    assert 403 == waldo.get(reverse("accounts", args=[table.code])).status_code

    owning.open(reverse("table", args=[table.code]))
    owning.follow("People who say who they are")
    owning.press("Yes, A person without a name is Beto")
    watching.open(address(table))
    assert "You are Beto You keep your access until it is removed." in watching.page.only("main").text
    assert "A person without a name is Beto at this table" in owning.page.only("ul", id="claims").text
    assert "Saying yes keeps their access" in owning.page.only("main").text
    watching.open(reverse("payment", args=[table.code, payment.pk]))
    watching.press("It didn't arrive")
    payment.refresh_from_db()
    assert payment.disputed_at is not None


def test_an_owners_own_claim_is_accepted_at_once(ana, table, owner):
    Walker(ana).open(address(table))
    response = ana.post(address(table, "claim"), {"member": "ana"})

    assert address(table) == response.url
    assert member(table, "ana").is_of(owner)
    assert "You are Ana" in read_page(ana.get(address(table))).only("main").text


def test_a_scorers_claim_awaits_an_owners_confirmation(ana, sonia, table):
    sonia.post(address(table, "claim"), {"member": "caro"})
    assert member(table, "caro").claimed_at is None
    page = read_page(ana.get(address(table)))

    assert "“Sonia” says: I am Caro" in page.only("ul", id="claims").text


def test_an_owner_can_reject_a_claim(ana, sonia, table):
    sonia.post(address(table, "claim"), {"member": "caro"})
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("No, “Sonia” is not Caro")

    assert member(table, "caro").user is None
    assert [] == walker.page.every("ul", id="claims")


def test_an_accepted_claim_can_be_ended_by_the_user_or_an_owner(ana, sonia, table):
    walker = Walker(sonia)
    for _time in range(2):
        walker.open(address(table))
        walker.press("That is me", member="caro")
        claimed = member(table, "caro")
        ana.post(address(table, "accept-claim", "caro"), {"of": str(claimed.user_id)})
        assert (
            "“Sonia” is Caro at this table" in read_page(ana.get(address(table))).only("ul", id="claims").text
        )
        walker.open(address(table))
        walker.press("I am not Caro")
        assert member(table, "caro").user is None
    sonia.post(address(table, "claim"), {"member": "caro"})
    ana.post(address(table, "end-claim", "caro"), {"of": str(member(table, "caro").user_id)})

    assert member(table, "caro").user is None


def test_a_repeated_tap_claims_and_accepts_once(ana, sonia, table):
    for _tap in range(2):
        assert address(table) == sonia.post(address(table, "claim"), {"member": "caro"}).url
    of = {"of": str(member(table, "caro").user_id)}
    for _tap in range(2):
        assert address(table) == ana.post(address(table, "accept-claim", "caro"), of).url
    agreed_at = member(table, "caro").claimed_at
    sonia.post(address(table, "claim"), {"member": "caro"})

    assert (True, agreed_at) == (agreed_at is not None, member(table, "caro").claimed_at)


def test_a_member_claimed_by_another_user_cannot_be_claimed_or_freed(sonia, waldo, table):
    sonia.post(address(table, "claim"), {"member": "caro"})
    assert "Caro" not in [label.text for label in read_page(waldo.get(address(table))).every("label")]
    response = waldo.post(address(table, "claim"), {"member": "caro"})

    assert 422 == response.status_code
    assert ["Another user says they are Caro. Ask an owner of the table."] == read_page(response).alerts
    assert 403 == waldo.post(address(table, "end-claim", "caro"), {"of": "1"}).status_code
    assert member(table, "caro").user is not None


def test_claiming_an_unknown_member_is_refused(subtests, waldo, table):
    for chosen in ["", "zoe", "nobody", "\x00"]:
        with subtests.test(chosen=chosen):
            response = waldo.post(address(table, "claim"), {"member": chosen})

            assert 422 == response.status_code
            assert "Choose one of the people." == read_page(response).said_at("member")
            assert 404 == waldo.post(address(table, "end-claim", "zoe")).status_code


@pytest.mark.parametrize("of", ["", "x", "0", "9" * 18, "9" * 40])
def test_accepting_the_claim_of_another_user_than_shown_is_refused(ana, sonia, table, of):
    sonia.post(address(table, "claim"), {"member": "caro"})
    response = ana.post(address(table, "accept-claim", "caro"), {"of": of})
    ana.post(address(table, "end-claim", "caro"), {"of": of})

    assert 422 == response.status_code
    assert ["Not saved: this has changed meanwhile. Check it and try again."] == read_page(response).alerts
    assert (False, None) == (member(table, "caro").user is None, member(table, "caro").claimed_at)


def test_a_witness_does_not_see_other_users_claims(sonia, waldo, table):
    sonia.post(address(table, "claim"), {"member": "caro"})

    assert "Sonia" not in read_page(waldo.get(address(table))).only("main").text


def test_claiming_a_merged_member_is_refused(waldo, table):
    Member.objects.filter(slug="caro").update(merged_into=member(table, "dani"))

    assert 422 == waldo.post(address(table, "claim"), {"member": "caro"}).status_code


def test_a_table_without_unclaimed_members_offers_nothing_to_claim(phone_of, db):
    owner = make_user("olga")
    table = make_table(owner, people=())
    page = read_page(phone_of(owner).get(address(table)))
    assert "Everyone at this table already has a phone." in page.only("main").text
    add_member(table, "Ana")

    assert ["A Ana"] == [
        label.text for label in read_page(phone_of(owner).get(address(table))).every("label")
    ]
