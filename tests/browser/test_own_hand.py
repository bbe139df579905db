"""Hands and rounds of other phones on the scorer's pad: offers, saved in one tap, and rounds already
recorded.

`play/views/test_own_hand.py` has the pages and their news.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.models import Role
from tests.browser.game_setup import begin, play
from tests.browser.network import NETWORK_ERRORS
from tests.browser.offline_steps import WAITING, cut, open_online
from tests.browser.scorer import Scorer, until
from tests.factories import confirm_as_member, grant_access, make_user

SMALL = {"width": 390, "height": 664}


@pytest.fixture
def player(open_phone, table, let_in):
    """`player("beto")` is the finger of a player confirmed as Beto, unless somebody else is."""

    def comes(slug, *, phone="", is_confirmed=True, **options):
        user = make_user(f"phone-{phone or slug}")
        if is_confirmed:
            confirm_as_member(user, table.members.get(slug=slug))
        else:
            grant_access(user, table, face=slug)
        phone = open_phone(**{"viewport": SMALL, **options})
        let_in(phone, user)
        return Scorer(phone.new_page())

    return comes


def open_hand_offer(finger, game):
    finger.page.goto(f"/g/{game.code}/")
    finger.tap("a[href$='/hand/']")
    expect(finger.page.locator("form[data-own][data-ready]")).to_be_visible()


def open_pad(scorer, game, *, closer=""):
    """Open the pad from the sheet; without a closer, at the question about it."""
    scorer.page.set_viewport_size(SMALL)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round(closer)


def send_hand(finger):
    finger.tap("[data-go]")
    expect(finger.page.locator("#sheet")).to_be_visible()


def test_a_round_of_four_is_recorded_with_hands_from_their_phones(scorer, player, game):
    beto, caro, dani = player("beto"), player("caro"), player("dani", color_scheme="dark")
    scorer.page.set_viewport_size(SMALL)
    for finger, cards in ((beto, "K 9 6"), (caro, "5")):
        open_hand_offer(finger, game)
        finger.holds(cards)
        send_hand(finger)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    expect(scorer.page.locator(".seat .sent")).to_have_count(2)
    open_hand_offer(dani, game)
    dani.tap("[data-previous]")
    send_hand(dani)
    expect(scorer.page.locator("form[data-step=hands]")).to_be_visible()
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("[K 9 6]")
    scorer.opens("ana")
    scorer.holds("4")
    scorer.saves()
    scorer.sees_totals("4", "48", "34", "8")
    assert ["beto", "caro", "dani"] == sorted(game.hand_sources.values_list("player", flat=True))


@pytest.mark.long
def test_hands_of_the_other_kinds_of_games_can_be_sent(player, table, owner):
    beto = player("beto")
    for variant in ("chinchon", "loba_mas", "points"):
        game = begin(table, owner, variant=variant)
        open_hand_offer(beto, game)
        if variant == "chinchon":
            beto.tap("[data-previous]")
            beto.cuts_with(3)
        elif variant == "loba_mas":
            beto.lays_set("9")
            beto.keeps("4")
        else:
            beto.counted(7)
        send_hand(beto)
        offer = game.offers.get()
        assert {"chinchon": ("cut", "3"), "loba_mas": ("", "{9 9 9}[4]"), "points": ("", "7")}[variant] == (
            offer.closing,
            offer.hand,
        )


@pytest.mark.long
def test_the_scorer_chooses_between_two_phones_of_one_player(scorer, player, game):
    phones = [player("beto", phone=phone, is_confirmed=False) for phone in ("beto", "tablet")]
    for finger, cards in zip(phones, ("K 9", "5"), strict=True):
        open_hand_offer(finger, game)
        finger.holds(cards)
        send_hand(finger)
    open_pad(scorer, game, closer="ana")
    choices = scorer.page.locator("[data-notes] button")
    expect(choices).to_have_text(["Usar [K 9]", "Usar [5]"])
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("")
    scorer.tap(choices.last)
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("[5]")
    scorer.goes_on()
    scorer.enters("K", "4")
    scorer.saves()
    scorer.sees_totals("0", "28", "39", "12")
    assert [("beto", "phone-tablet", False)] == [
        (source.player, source.brought_by.username, source.is_changed) for source in game.hand_sources.all()
    ]


def test_without_a_network_an_own_hand_waits_and_the_later_one_is_sent(player, network, game, forgive):
    forgive(NETWORK_ERRORS)
    beto = player("beto", base_url=network.url, service_workers="allow")
    open_online(beto.page, f"/g/{game.code}/")
    until(beto.page, lambda: beto.page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    open_hand_offer(beto, game)
    cut(network, beto.page)
    beto.holds("K 9")
    beto.tap("[data-go]")
    expect(beto.page.locator("#trouble")).to_contain_text("quedó guardado en este celular")
    beto.page.goto(f"/g/{game.code}/hand/")  # caches the page on the phone
    expect(beto.page.locator("form[data-own][data-ready]")).to_be_visible()
    beto.holds("4")
    beto.tap("[data-go]")
    until(beto.page, lambda: ["[K 9 4]"] == [line.split(": ")[1] for line in beto.page.evaluate(WAITING)])
    beto.page.goto("/")
    expect(beto.page.locator("#kept li")).to_contain_text("Mis cartas de la mano 2: [K 9 4]")
    assert not game.offers.exists()
    network.restore()
    until(beto.page, lambda: ["[K 9 4]"] == [offer.hand for offer in game.offers.all()])
    until(beto.page, lambda: [] == beto.page.evaluate(WAITING))


@pytest.fixture
def beto_offline(player, network, game, forgive):
    """Beto at their own hand of two cards, which waits for a network."""
    forgive(NETWORK_ERRORS)
    beto = player("beto", base_url=network.url, service_workers="allow")
    open_online(beto.page, f"/g/{game.code}/")
    until(beto.page, lambda: beto.page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    open_hand_offer(beto, game)
    cut(network, beto.page)
    beto.holds("K 9")
    beto.tap("[data-go]")
    expect(beto.page.locator("#trouble")).to_contain_text("quedó guardado en este celular")
    return beto


@pytest.mark.long
def test_an_own_hand_that_waited_leads_to_the_sheet_as_soon_as_it_has_arrived(beto_offline, network, game):
    page = beto_offline.page
    expect(page.locator("[data-go]")).not_to_have_attribute("aria-busy", "true")
    network.restore()

    expect(page.locator("#trouble")).to_have_text("Tu mano ya llegó.")
    expect(page).to_have_url(re.compile(f"/g/{game.code}/$"))
    expect(page.locator(".dock")).to_contain_text("Cambiar mi mano")
    assert ["[K 9]"] == [offer.hand for offer in game.offers.all()]


@pytest.mark.long
def test_an_own_hand_that_is_changed_while_it_arrives_stays_on_the_pad(beto_offline, network, game):
    page = beto_offline.page
    beto_offline.holds("4")
    network.restore()

    expect(page.locator("#trouble")).to_have_text("Tu mano ya llegó.")
    expect(page).to_have_url(re.compile("/hand/$"))
    beto_offline.tap("[data-go]")
    expect(page.locator(".dock")).to_contain_text("Cambiar mi mano")
    assert ["[K 9 4]"] == [offer.hand for offer in game.offers.all()]


@pytest.mark.long
def test_an_open_pad_says_that_the_round_is_recorded_and_keeps_what_was_typed(
    scorer, table, owner, game, forgive
):
    forgive("status of 409")
    grant_access(make_user("second"), table, Role.SCORER)
    open_pad(scorer, game, closer="ana")
    scorer.holds("K 9")
    recorded = scorer.page.locator("[data-recorded]")
    expect(recorded).to_be_hidden()
    play(game, owner, "round caro out ana=1 beto=2 dani=3")
    expect(recorded).to_contain_text("Mientras tanto se anotó: Mano 2: Caro salió", timeout=8000)
    scorer.tap(recorded.get_by_role("button"))
    expect(scorer.page.locator(".body > div.notice")).to_contain_text("¿Es la misma mano?")
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("[K 9]")
