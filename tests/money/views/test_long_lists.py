"""Lists of a large or old table: the first rows, and the others when they are unfolded or, without scripts, by a link."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Member
from games.money.services import payments
from tests.factories import confirm_as_member, new_key
from tests.reader import open_page

pytestmark = pytest.mark.django_db

PEOPLE = 65


@pytest.fixture
def crowd(table, owner):
    """A table of more people than its forms list. Everybody owes Ana."""
    known = [*table.members.all()]
    ana, *others = known
    confirm_as_member(owner, ana)
    more = [
        Member(table=table, slug=f"m{number}", name=f"Persona {number}", colour=1)
        for number in range(PEOPLE - len(known))
    ]
    for member in [*others, *Member.objects.bulk_create(more)]:
        payments.create(table, ana, member, 5, key=new_key(), by=owner)
    return table


def rest(page, part):
    """Return the address of the rows that are folded, as scripts fetch it and as the link says it."""
    (keys,) = page.only(id=part).every("div", **{"class": "keys"})
    (link,) = keys.every("a")
    assert (link.attrs["href"], f"#{part}", f"#{part}") == (
        keys.attrs["hx-get"],
        keys.attrs["hx-target"],
        keys.attrs["hx-select"],
    )
    return keys.attrs["hx-get"]


def test_the_balances_and_debtors_of_a_crowd_are_sixty_and_the_others_unfold(crowd, ana):
    page = open_page(ana, reverse("accounts", args=[crowd.code]))
    whole = open_page(ana, rest(page, "more-balances"))

    assert 60 == len(page.only(id="balances").every("a"))
    assert "5 more" in page.only(id="more-balances").text
    assert 5 == len(whole.only(id="more-balances").every("a"))
    assert 60 + 5 == len({link.attrs["href"] for link in whole.every("a") if "/of/" in link.attrs["href"]})

    debtors = open_page(ana, rest(page, "more-debtors"))
    assert 60 == len(page.only(id="debts").every("details", **{"class": "fold debtor"}))
    assert 64 == len(debtors.only(id="debts").every("details", **{"class": "fold debtor"}))


def test_a_debtor_among_the_folded_ones_is_there_when_asked_for(crowd, ana):
    page = open_page(ana, reverse("accounts", args=[crowd.code]), {"more": "debtors"})
    last = page.only(id="more-debtors").every("details", **{"class": "fold debtor"})[-1]
    unfolded = open_page(ana, rest(page, last.attrs["id"]))

    assert "open" in unfolded.only(id=last.attrs["id"]).attrs


def test_the_forms_of_a_crowd_are_pages_of_their_own(crowd, ana):
    page = open_page(ana, reverse("accounts", args=[crowd.code]))
    assert [] == page.every("div", id="pay") + page.every("div", id="expense")

    pay = open_page(ana, page.link("A payment"))
    assert PEOPLE == len(pay.only("fieldset", **{"data-faces": "payer"}).every("input"))
    expense = open_page(ana, page.link("An expense"))
    assert PEOPLE == len([box for box in expense.every("input") if box.attrs["name"].startswith("for-")])


def test_a_person_to_whom_many_owe_lists_thirty_debts_and_unfolds_the_others(crowd, ana):
    page = open_page(ana, reverse("account", args=[crowd.code, "ana"]))
    whole = open_page(ana, rest(page, "more-debts"))

    assert (30, 64) == tuple(
        len(some.only(id="payments").every("div", **{"class": "pay"})) for some in (page, whole)
    )
    assert {row.attrs["id"] for row in page.every("div", **{"class": "pay"})} < {
        row.attrs["id"] for row in whole.every("div", **{"class": "pay"})
    }


def test_the_night_of_a_crowd_lists_thirty_debts_and_unfolds_the_others(crowd, ana, share):
    night = crowd.entries.latest("number").night
    share("ana", 10, "ana", "beto", night=night)
    page = open_page(ana, reverse("night", args=[crowd.code, night.isoformat()]))

    whole = open_page(ana, rest(page, "more-debts"))
    assert (30, 64) == tuple(
        len(some.only(id="payments").every("div", **{"class": "pay"})) for some in (page, whole)
    )


def test_the_nights_of_an_old_balance_are_folded_and_their_sums_add_up(story, client_for):
    told = story("Ana", "Beto")
    confirm_as_member(told.owner, told.member("ana"))
    for day in range(1, 45):
        told.go_to_day(day)
        told.pay("ana", "beto", 100 * day)
    phone = client_for(told.owner)
    page = open_page(phone, reverse("account", args=[told.table.code, "ana"]))
    until = f"until-{told.table.code}"
    whole = open_page(phone, rest(page, until))

    assert [] == page.only(id=until).every("li")
    assert 39 == len(whole.only(id=until).every("li"))
    assert page.only(id=until).only("b").text == whole.only(id=until).every("b")[0].text
    for name in ("accounts", "home"):
        other = open_page(phone, reverse(name, args=[told.table.code] if name == "accounts" else []))
        assert not other.every(id=until) or rest(page, until) == rest(other, until)
