"""A yes or a no to a payment stays on its page and can be undone that night."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import PaymentState, Role
from games.money.services import member_merges, payments
from games.scoring.errors import RuleError
from tests.factories import confirm_as_member, make_user, new_key
from tests.reader import Walker, debt_rows

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def phones(client_as):
    return {slug: client_as(slug) for slug in ("ana", "beto")}


@pytest.fixture
def claim(table, finished, phones, members_by_slug):
    """A claim of Beto, who says that 100 were paid to Ana."""
    user = members_by_slug["beto"].accesses.get().user
    return payments.create(
        table, members_by_slug["beto"], members_by_slug["ana"], 100, key=new_key(), by=user
    )


def accounts_of(client, table):
    walker = Walker(client)
    walker.open(reverse("accounts", args=[table.code]))
    return walker


def test_a_no_stays_on_the_accounts_and_is_undone_with_one_tap(phones, table, claim):
    walker = accounts_of(phones["ana"], table)
    walker.press("No")
    claim.refresh_from_db()
    assert claim.ended_at is not None
    assert "Who pays whom" in walker.page.text
    walker.press("Undo")

    claim.refresh_from_db()
    assert (PaymentState.CLAIMED, "") == (claim.state, claim.reason)
    walker.press("Yes")
    claim.refresh_from_db()
    assert claim.counts
    walker.press("Undo")
    claim.refresh_from_db()
    assert not claim.counts


def test_a_no_stands_once_there_is_another_payment_between_the_two(table, claim, members_by_slug, owner):
    user = members_by_slug["ana"].accesses.get().user
    payments.dispute(claim, by=user)
    payments.create(table, members_by_slug["beto"], members_by_slug["ana"], 50, key=new_key(), by=owner)

    with pytest.raises(RuleError):
        payments.undo_denial(claim, by=user)


def test_who_claimed_reads_of_a_second_no_too(claim, members_by_slug):
    user, other = (members_by_slug[slug].accesses.get().user for slug in ("ana", "beto"))
    payments.dispute(claim, by=user)
    payments.mark_seen(claim, by=other)
    payments.undo_denial(claim, by=user)
    payments.dispute(claim, by=user)

    claim.refresh_from_db()
    assert claim.seen_at is None


def test_a_claim_that_a_merge_ended_is_not_taken_up_again(table, anita, members_by_slug):
    ana = members_by_slug["ana"]
    (claimant, payee) = (
        confirm_as_member(make_user(slug), member).user for slug, member in (("a", anita), ("b", ana))
    )
    claim = payments.create(table, anita, ana, 100, key=new_key(), by=claimant)
    table.accesses.filter(user=claimant).delete()
    table.accesses.filter(user=payee).update(role=Role.OWNER)
    member_merges.merge(anita, ana, seen=member_merges.preview(anita, ana).digest, by=payee)

    claim.refresh_from_db()
    assert payee == claim.ended_by
    with pytest.raises(RuleError):
        payments.undo_denial(claim, by=payee)


def test_only_who_said_no_takes_it_back(phones, table, claim, members_by_slug, owner):
    payments.dispute(claim, by=members_by_slug["ana"].accesses.get().user)

    with pytest.raises(RuleError):
        payments.undo_denial(claim, by=owner)
    address = reverse("payment", args=[table.code, claim.pk])
    assert 422 == phones["beto"].post(address, {"act": "undo-denial"}).status_code


def test_a_yes_to_more_than_is_owed_asks_on_the_accounts(phones, table, claim, members_by_slug, owner):
    payments.create(table, members_by_slug["beto"], members_by_slug["ana"], 160, key=new_key(), by=owner)
    walker = accounts_of(phones["ana"], table)
    page = walker.press("Yes")

    assert 409 == walker.status
    assert "really paid?" in page.only(id="tick-question").text
    form = page.only(id="tick-question").only("form")
    fields = {field.attrs["name"]: field.attrs["value"] for field in form.every("input")}
    assert 302 == walker.client.post(form.attrs["action"], fields).status_code
    claim.refresh_from_db()
    assert claim.counts
    assert debt_rows(walker.open(reverse("accounts", args=[table.code])))
