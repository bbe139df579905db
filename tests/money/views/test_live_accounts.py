"""The accounts, a night and a person's account poll, so that they follow what other phones record.

`browser/test_live_accounts.py` has the accounts on a phone, with what is typed there.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import confirm_as_member, get_last_night, make_user, new_key
from tests.reader import debt_rows, open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def page_addresses(table):
    night = get_last_night(table).isoformat()
    return {
        "accounts": reverse("accounts", args=[table.code]),
        "night": reverse("night", args=[table.code, night]),
        "account": reverse("account", args=[table.code, "beto"]),
    }


def poll(client, page):
    """Return the answer to the poll of this page."""
    news = page.only("p", id="news")
    return client.get(news.attrs["data-live"], headers={"X-Ticket": news.attrs["data-ticket"]})


@pytest.mark.parametrize("name", ["accounts", "night", "account"])
def test_an_open_page_follows_a_payment_of_another_phone(ana, table, finished, pay, name):
    address = page_addresses(table)[name]
    page = open_page(ana, address)
    assert 204 == poll(ana, page).status_code
    pay("beto", "ana", 1)

    news = read_page(poll(ana, page))
    assert debt_rows(open_page(ana, address)) == debt_rows(news) != debt_rows(page)
    assert 204 == poll(ana, news).status_code


def test_the_forms_of_a_polled_page_lead_back_to_the_page_itself(ana, table, finished, pay):
    for address in page_addresses(table).values():
        page = open_page(ana, address)
        pay("beto", "ana", 1)

        fields = read_page(poll(ana, page)).every("input", name="page")
        assert {address} == {field.attrs["value"] for field in fields}


def test_a_period_of_a_statement_is_polled_as_it_was_opened_and_a_done_notice_is_not(ana, table, finished):
    address = page_addresses(table)["account"]
    page = open_page(ana, f"{address}?from=2020-01-01&to=2020-12-31&done=7")

    assert page.only("p", id="news").attrs["data-live"].endswith("/?from=2020-01-01&to=2020-12-31")


def test_a_page_with_an_open_form_says_that_the_accounts_changed_and_leads_to_them(ana, table, finished):
    address = page_addresses(table)["accounts"]
    assert "data-keeps" not in open_page(ana, address).only("p", id="news").attrs
    for query in ("?payer=beto&payee=ana&amount=5", f"?night={get_last_night(table)}"):
        assert address == open_page(ana, f"{address}{query}").only("p", id="news").attrs["data-keeps"]
    refused = read_page(ana.post(reverse("pay", args=[table.code]), {"payer": "beto", "key": new_key()}))
    assert address == refused.only("p", id="news").attrs["data-keeps"]


def test_a_member_whose_access_ended_and_a_stranger_get_no_news(client_for, table, finished, pay):
    caro = make_user("caro")
    access = confirm_as_member(caro, table.members.get(slug="caro"))
    phone = client_for(caro)
    page = open_page(phone, page_addresses(table)["accounts"])
    access.delete()
    pay("beto", "ana", 1)

    assert 404 == poll(phone, page).status_code


def test_a_viewer_for_tonight_does_not_poll_the_accounts(waldo, ana, table, finished):
    page = open_page(ana, page_addresses(table)["accounts"])

    assert 403 == poll(waldo, page).status_code
