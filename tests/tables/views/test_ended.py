"""A user whose access ended reads on every page of the table that it ended, why, and how to get in again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.timezone import now

from games.tables.services import erasure, links
from tests.reader import open_page, read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

OVER = (
    "The night is over",
    "Until it ended, this phone could open this table. On the next night, point your camera at that night's "
    "code at the table, or open that night's link.",
)
ENDED = (
    "Your access was ended",
    "This phone can no longer open this table. An owner can send you a link that lets you in again.",
)


@pytest.fixture
def access(waldo, table):
    return table.accesses.get(user=User.objects.get(username="waldo"))


def end(access):
    access.ended_at = now()
    access.save()


def expire(access):
    access.until = now() - timedelta(minutes=1)
    access.save()


def read(response):
    page = read_page(response)
    return page.only("h1").text, page.only("div", class_="card prose").text


@pytest.mark.parametrize(("act", "words"), [(end, ENDED), (expire, OVER)])
def test_every_page_of_the_table_says_that_the_access_ended_and_the_way_back(
    subtests, waldo, access, table, finished, act, words
):
    act(access)
    for name, code in [
        ("lobby", table.code),
        ("season", table.code),
        ("sheet", finished.code),
        ("board", finished.code),
    ]:
        with subtests.test(name):
            response = waldo.get(reverse(name, args=[code]))

            assert (404, "none") == (response.status_code, response["X-Access"])
            assert words == read(response)


@pytest.mark.parametrize(("act", "words"), [(end, ENDED), (expire, OVER)])
def test_the_first_page_of_a_phone_whose_access_ended_says_so_instead_of_advertising(
    waldo, access, table, act, words
):
    waldo.get(reverse("table", args=[table.code]))
    act(access)

    page = open_page(waldo, "/")
    title, text = words
    assert f"{title} {text}" == page.only("div", class_="notice", role="note").text
    assert [] == page.every("div", class_="cloth door")


def test_the_open_first_page_learns_it_with_its_poll(waldo, access, table):
    waldo.get(reverse("table", args=[table.code]))
    live = open_page(waldo, "/").only("p", id="news").attrs["data-live"]
    expire(access)

    assert 404 == waldo.get(live).status_code


def test_a_new_link_of_the_night_lets_in_again(waldo, access, table, owner):
    expire(access)
    link = links.get_or_create_tonight(table, by=owner)
    waldo.post(reverse("invitation", args=[links.tonight_token(link)]), {"watch": ""})

    assert 200 == waldo.get(reverse("lobby", args=[table.code])).status_code


def test_whoever_never_had_access_reads_the_same_as_at_an_unknown_address(
    client_for, stranger, waldo, table, access
):
    end(access)
    unknown = read(stranger.get(reverse("lobby", args=["abcdefghijk"])))

    assert "Nothing at this address" == unknown[0]
    assert unknown == read(stranger.get(reverse("lobby", args=[table.code])))
    assert unknown == read(client_for().get(reverse("lobby", args=[table.code])))


def test_of_an_erased_table_nobody_is_told(waldo, access, table, owner):
    end(access)
    erasure.erase(table, by=owner, name=table.name)

    assert "Nothing at this address" == read(waldo.get(reverse("lobby", args=[table.code])))[0]
