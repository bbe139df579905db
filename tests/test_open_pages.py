"""A page that is open while the site is updated: htmx must not swap a new page into the old document."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from tests.reader import read_page

pytestmark = pytest.mark.django_db

BOOSTED = {"HX-Request": "true", "HX-Boosted": "true"}
OLD = {**BOOSTED, "X-Anotador": "1.2.9"}


@pytest.mark.parametrize("headers", [BOOSTED, OLD], ids=["1.2", "another release"])
def test_a_page_of_another_release_opens_the_next_page_as_a_whole(ana, table, headers):
    address = f"/t/{table.code}/accounts/?payer=ana"
    answer = ana.get(address, headers=headers)

    assert (200, address, b"") == (answer.status_code, answer["HX-Redirect"], answer.content)
    assert not answer["Content-Type"].startswith("text/html")  # the service worker would keep it as the page


def test_a_page_of_this_release_gets_the_next_page_to_swap_in(ana, table):
    page = read_page(ana.get(f"/t/{table.code}/accounts/"))
    sent = json.loads(page.only("body").attrs["hx-headers"])
    answer = ana.get(f"/t/{table.code}/accounts/", headers={**BOOSTED, **sent})

    assert "HX-Redirect" not in answer
    assert read_page(answer).only("main")


def test_what_an_old_page_records_is_said_by_the_whole_page_that_follows(ana, table):
    posted = ana.post(reverse("add-member", args=[table.code]) + "caro/", {"act": "retire"}, headers=OLD)
    assert 302 == posted.status_code
    assert posted["Location"] == ana.get(posted["Location"], headers=OLD)["HX-Redirect"]

    assert ["Caro no longer plays"] == read_page(ana.get(posted["Location"])).notices


def test_what_only_refreshes_a_part_of_an_old_page_is_answered(ana, table):
    answer = ana.get(f"/t/{table.code}/accounts/", headers={"HX-Request": "true"})

    assert "HX-Redirect" not in answer
