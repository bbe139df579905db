"""A player's own hand without a network: it is queued apart from the outbox, and later sent or shown."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.network import UNREACHED
from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer, until
from tests.worlds import let_in_as, make_user

SMALL = {"width": 390, "height": 664}
NOTE = "#own-hand"


@pytest.fixture
def game(owner, table):
    return play(begin(table, owner, stake=100), owner, "round ana out beto=23 caro=29 dani=8")


@pytest.fixture
def beto(open_phone, road, forgive, table, let_in):
    """The finger of a person who chose Beto tonight, behind a network that can be cut."""
    forgive(UNREACHED)
    forgive("status of 50[234]")
    user = make_user("phone-beto")
    let_in_as(user, table, face="beto")
    phone = open_phone(base_url=road.url, viewport=SMALL)
    let_in(phone, user)
    return Scorer(phone.new_page())


def types_without_network(beto, road, game, cards):
    """Open Beto's own hand, cut the network and send these cards."""
    beto.page.goto(f"/g/{game.code}/hand/")
    expect(beto.page.locator("form[data-own][data-ready]")).to_be_visible()
    road.cut()
    sends(beto, cards)


def sends(beto, cards):
    beto.holds(cards)
    beto.tap("[data-go]")
    expect(beto.page.locator(NOTE)).to_contain_text(cards)


def kept(beto):
    """Return the number of queued hands, and of entries in the outbox."""
    until(beto.page, lambda: beto.page.evaluate("Boolean(self.box)"))
    return beto.page.evaluate(
        """async () => [
          Object.keys(localStorage).filter((key) => key.startsWith("hand:")).length,
          (await box.unsent(document.getElementById("main").dataset.person)).length,
        ]"""
    )


def offered(game):
    return [(offer.player, offer.hand) for offer in game.offers.all()]


def test_a_hand_sent_offline_is_queued_and_sent_automatically(beto, road, game):
    types_without_network(beto, road, game, "K 9 6")
    assert ([1, 0], []) == (kept(beto), offered(game))

    road.mend()
    until(beto.page, lambda: [("beto", "[K 9 6]")] == offered(game))
    expect(beto.page).to_have_url(re.compile(f"/g/{game.code}/$"))
    expect(beto.page.locator(NOTE)).to_have_count(0)
    assert [0, 0] == kept(beto)


def test_a_newer_hand_replaces_the_queued_one(beto, road, game):
    types_without_network(beto, road, game, "K 9 6")
    sends(beto, "5")
    assert [1, 0] == kept(beto)

    road.mend()
    until(beto.page, lambda: bool(offered(game)))
    assert [("beto", "[K 9 6 5]")] == offered(game)


def test_a_queued_hand_whose_round_is_over_is_shown_and_not_sent(beto, road, game, owner):
    types_without_network(beto, road, game, "K 9 6")
    play(game, owner, "round ana out beto=9 caro=1 dani=2")
    road.mend()

    note = beto.page.locator(NOTE)
    expect(note).to_contain_text("Esa mano ya terminó")
    expect(note).to_contain_text("[K 9 6]")
    beto.page.goto(f"/g/{game.code}/")
    expect(note).to_contain_text("[K 9 6]")
    assert ([], 3) == (offered(game), game.records.count())

    beto.tap(note.locator("button"))
    expect(note).to_have_count(0)
    beto.page.reload()
    expect(beto.page.locator("#sheet")).to_be_visible()
    assert ([0, 0], 0) == (kept(beto), note.count())


def test_a_queued_hand_is_sent_from_the_next_opened_page(beto, road, game):
    types_without_network(beto, road, game, "K 9 6")
    beto.page.close()
    road.mend()
    assert [] == offered(game)

    beto.page = beto.page.context.new_page()
    beto.page.goto("/")
    until(beto.page, lambda: [("beto", "[K 9 6]")] == offered(game))
