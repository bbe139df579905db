"""Five phones: the owner's is closed for good in the middle of a hand, in four ways, and the night goes on.

`tables/views/test_lost_phone.py` has the story with a moved clock.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import expect

from games.models import Access, PenRequest, Role, Vouch
from games.tables.services import links, pens, vouches
from tests.browser.game_setup import begin
from tests.browser.scorer import Scorer
from tests.factories import SECRET, confirm_as_member, make_table, make_user

SHEET = re.compile(r"/g/\w+/$")
LATER = timedelta(days=7, hours=1)


@pytest.fixture
def owner(live_server, has_password):
    return User.objects.create_user("ana", password=SECRET) if has_password else make_user("ana")


@pytest.fixture
def table(owner):
    return make_table(owner, people=("Ana", "Beto", "Caro", "Dani"))


@pytest.fixture
def users(table, owner, has_scorer):
    """Ana and three friends, all confirmed a week ago; Beto may record."""
    users = {"ana": owner, **{slug: make_user(f"user-{slug}") for slug in ("beto", "caro", "dani")}}
    for slug, user in users.items():
        confirm_as_member(user, table.members.get(slug=slug), now() - timedelta(days=7))
    if has_scorer:
        Access.objects.filter(member__slug="beto").update(role=Role.SCORER)
    return users


@pytest.fixture
def phones(users, open_phone, let_in):
    """The scorers on the phones of all four."""
    fingers = {}
    for slug, user in users.items():
        context = open_phone()
        let_in(context, user)
        fingers[slug] = Scorer(context.new_page())
    return fingers


def records_a_round(finger):
    finger.begin_round("caro")
    for points in (5, 6, 7):
        finger.counted(points)
        finger.tap("[data-go]")
    finger.page.wait_for_url(SHEET)


def answers(finger, word):
    """Tap this answer to the question that stands first, once a poll has brought it."""
    key = finger.page.locator(f".says button[value={word}]")
    expect(key).to_be_visible()
    finger.tap(key)
    expect(key).to_have_count(0)


# `tests/tables/views/test_lost_phone.py` tests the rules of the long ones in every run.
@pytest.mark.parametrize(
    ("has_scorer", "has_password"),
    [
        pytest.param(True, False, id="a guest, and a scorekeeper is there"),
        *(
            pytest.param(has_scorer, has_password, id=words, marks=pytest.mark.long)
            for has_scorer, has_password, words in (
                (False, True, "with a password, and nobody else records"),
                (True, True, "with a password, and a scorekeeper is there"),
                (False, False, "a guest, and nobody else records"),
            )
        ),
    ],
)
def test_the_owners_phone_is_gone_in_the_middle_of_a_hand(
    phones, table, owner, open_phone, has_scorer, has_password
):
    game = begin(table, owner)
    sheet, tonight = f"/g/{game.code}/", links.tonight_token(links.get_or_create_tonight(table, by=owner))
    if not has_scorer:
        phones["dani"].page.clock.install()
    for finger in phones.values():
        finger.page.goto(sheet)
    phones["ana"].begin_round("beto")
    phones["ana"].page.context.close()
    new = Scorer(open_phone().new_page())
    new.page.goto(f"/i/{tonight}/")
    new.tap("details:has(.chips) > summary")
    new.tap("details button[value=ana]")
    new.page.wait_for_url(SHEET)

    if has_scorer:
        answers(phones["beto"], "lend")
        recorder = new
    else:
        recorder = phones["caro"]
        recorder.page.goto(f"/t/{table.code}/people/")
        recorder.tap("button[value=ask]")
        expect(phones["dani"].page.locator(".says", has_text="Caro")).to_be_visible()  # by the live poll
        expect(phones["dani"].page.locator(".says button[value=yes]")).to_be_hidden()
        PenRequest.objects.update(asked_at=now() - timedelta(minutes=2))
        phones["dani"].page.clock.fast_forward("02:01")
        answers(phones["dani"], "yes")
        recorder.page.goto(sheet)
    expect(recorder.page.locator("[data-closer=caro]")).to_be_visible()
    records_a_round(recorder)
    assert 2 == game.records.count()

    new.page.goto(f"/t/{table.code}/me/")
    if has_password:
        new.tap("#recovery .go")
        new.page.locator("[name=username]").fill("ana")
        new.page.locator("[name=password]").fill(SECRET)
        new.tap(".dock button")
        expect(new.page.locator("[name=password]")).to_have_count(0)
    else:
        for slug in ("caro", "dani") if has_scorer else ("beto", "caro"):
            phones[slug].page.goto(sheet)
            if Vouch.objects.count() < vouches.VOUCHERS:
                answers(phones[slug], "vouch")
        Vouch.objects.update(given_at=now() - LATER)
    new.page.goto(f"/t/{table.code}/people/")
    expect(new.page.locator("#faces a").first).to_be_visible()  # the rows lead on only for those in charge
    owners = table.accesses.owners().select_related("member")
    assert ["Ana"] * (1 if has_password else 2) == [access.member.name for access in owners]


@pytest.mark.parametrize(("has_scorer", "has_password"), [(False, False)], ids=["guests"])
def test_an_answer_counts_when_the_site_says_so_whatever_a_phones_clock_says(
    users, open_phone, let_in, table, owner, subtests
):
    game = begin(table, owner)
    pens.ask(table, by=users["caro"])
    for minutes in (10, -10):
        phone = open_phone()
        let_in(phone, users["dani"])
        phone.clock.install(time=now() + timedelta(minutes=minutes))
        for address in (reverse("lobby", args=[table.code]), reverse("own-hand", args=[game.code])):
            with subtests.test(minutes=minutes, address=address):
                page = phone.new_page()
                page.goto(address)
                page.wait_for_load_state(
                    "networkidle"
                )  # the script that shows the keys counts from its start
                go_ahead, instead = (page.locator(f".says button[value={act}]") for act in ("yes", "ask"))
                expect(page.locator(".says", has_text="Caro")).to_be_visible()
                expect(go_ahead).to_be_hidden()
                page.clock.fast_forward("02:01")
                expect(go_ahead).to_be_visible()
                expect(instead).to_be_hidden()
                page.clock.fast_forward("03:00")
                expect(instead).to_be_visible()
                page.close()
