"""A guest taps another's sign-in link, and comes back on the same phone to everything that they had there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Access
from games.tables.services import links
from tests.browser.game_setup import begin, play
from tests.browser.offline_steps import CACHED, cut, enter, goto_despite_navigation, open_online, open_sheet
from tests.browser.scorer import Scorer, plain, until
from tests.factories import make_table, make_user

MISSING = "status of (403|404)"
BACK = "form[action^='/you/again/'] button"
PERSON = "document.getElementById('main').dataset.person"
CACHED_FOR = """async () => {
  const pages = await caches.open("pages");
  const texts = (await pages.keys()).map(async (one) => (await pages.match(one)).text());
  return (await Promise.all(texts)).map((text) => /data-person="(\\w*)"/.exec(text)[1]);
}"""
DRAFTS = "Object.keys(localStorage).filter((key) => key.startsWith('draft:')).map((key) => key.split(':')[2])"


@pytest.fixture
def scorer(offline_scorer):
    """Ana, a guest who is the only owner of her table, on a phone whose network can be cut."""
    return offline_scorer


@pytest.fixture
def beto(live_server):
    """A guest with a table and another phone."""
    beto = make_user("beto")
    beto.first_name = "Beto"
    beto.save()
    make_table(beto, name="Mesa de Beto")
    return beto


def open_link(scorer: Scorer, user) -> None:
    open_online(scorer.page, f"/in/{links.create_sign_in(user)}/")
    expect(scorer.page.locator(".dock .go")).to_have_text("Quedarme como estoy")


def sign_in(scorer: Scorer) -> None:
    scorer.tap(scorer.page.get_by_role("button", name="Entrar", exact=True))
    expect(scorer.page.locator(".undo")).to_contain_text("Sesión abierta: Beto.")


def come_back(scorer: Scorer) -> None:
    open_online(scorer.page, "/you/")
    scorer.tap(BACK)
    expect(scorer.page.locator(".undo")).to_contain_text("Sesión abierta")


def half_enter(scorer: Scorer, game) -> None:
    open_sheet(scorer, game)
    scorer.begin_round("ana")
    scorer.counted(11)
    scorer.goes_on()


def cached_pages(scorer: Scorer) -> list[str]:
    return [path for path in scorer.page.evaluate(CACHED) if path != "/"]


def test_a_guest_who_stays_keeps_everything_and_the_link_works_on(scorer, owner, table, game, beto):
    open_sheet(scorer, game)
    before = sorted(cached_pages(scorer))
    open_link(scorer, beto)
    address = scorer.page.url
    scorer.tap(".dock .go")
    expect(scorer.page.locator("main .tabs")).to_be_visible()

    assert before == sorted(cached_pages(scorer))
    assert owner == table.accesses.owners().get().user
    open_online(scorer.page, address)
    expect(scorer.page.locator(".dock .btn").first).to_have_text("Entrar")


def test_what_a_guest_entered_waits_for_them_and_is_neither_sent_nor_shown_as_anothers(
    scorer, owner, table, game, beto, network, forgive
):
    forgive(MISSING)
    open_sheet(scorer, game)
    cut(network, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    play(game, owner, "round ana out beto=1 caro=2 dani=3")  # so that the queued round is refused
    network.restore()
    expect(scorer.page.locator("#waiting .wrong").first).to_be_visible()
    ana = scorer.page.evaluate(PERSON)

    open_link(scorer, beto)
    sign_in(scorer)
    assert ana != scorer.page.evaluate(PERSON)
    until(scorer.page, lambda: {scorer.page.evaluate(PERSON)} == set(scorer.page.evaluate(CACHED_FOR)))
    note = scorer.page.locator("[data-others]")
    expect(note).to_contain_text("Hay 1 anotación de otra persona en este celular")
    expect(note.locator("a")).to_have_attribute("href", "/you/")
    assert 3 == game.records.count()
    assert [owner] == [access.user for access in table.accesses.owners()]
    scorer.page.goto(f"/g/{game.code}/")
    expect(scorer.page.locator("h1")).to_have_text("Acá no hay nada")

    come_back(scorer)
    assert ana == scorer.page.evaluate(PERSON)
    until(scorer.page, lambda: {ana} == set(scorer.page.evaluate(CACHED_FOR)))
    open_online(scorer.page, f"/g/{game.code}/")
    row = scorer.page.locator("#waiting [data-items] > li")
    expect(row).to_contain_text("Mano 2")
    assert "Caro salió · Ana 5 · Beto 9 · Dani 8" in plain(row.inner_text())
    assert 3 == game.records.count()


@pytest.mark.long
def test_half_entered_rounds_go_with_the_ticked_table_alone(scorer, owner, table, game, beto):
    other_table = make_table(owner, name="Otra mesa")
    other_game = begin(other_table, owner)
    for one in (game, other_game):
        half_enter(scorer, one)
    assert {game.code, other_game.code} == set(scorer.page.evaluate(DRAFTS))

    open_link(scorer, beto)
    scorer.page.get_by_label("Otra mesa").check()
    sign_in(scorer)
    owners = [Access.objects.owners().get(table=one).user for one in (table, other_table)]
    assert [owner, beto] == owners
    scorer.page.goto(f"/g/{other_game.code}/round/")
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    assert ["0", "11", "·", "·"] == scorer.hands()

    come_back(scorer)
    scorer.page.goto(f"/g/{game.code}/round/")
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    assert ["0", "11", "·", "·"] == scorer.hands()


@pytest.mark.long
def test_an_answer_that_is_lost_on_the_way_costs_the_guest_nothing(
    scorer, owner, table, beto, network, forgive
):
    forgive("ERR_")
    open_link(scorer, beto)
    ana = scorer.page.evaluate(PERSON)
    form = scorer.page.locator("form.sheetform")
    network.drop_answers()
    form.evaluate("(form) => form.submit()")
    until(scorer.page, lambda: beto.devices.exists())
    network.restore()
    goto_despite_navigation(scorer.page, "/you/")
    assert ana == scorer.page.evaluate(PERSON)

    open_link(scorer, beto)
    sign_in(scorer)
    open_online(scorer.page, "/you/")
    network.drop_answers()
    scorer.page.locator("form[action^='/you/again/']").evaluate("(form) => form.submit()")
    until(scorer.page, lambda: owner.devices.count() == 2)
    network.restore()
    goto_despite_navigation(scorer.page, "/you/")
    come_back(scorer)
    assert ana == scorer.page.evaluate(PERSON)
