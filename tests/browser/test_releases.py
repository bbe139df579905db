"""Upgrades of phones: entries of an older release are sent by this one, and its open pages do no harm.

`released/queue.js` is the queue as it was; a page without scripts of its own lends it the store of the site.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer, until
from tests.browser.test_kept import KEPT, UNREACHED, lead_to, pays, ticks
from tests.browser.test_offline import enter

RELEASED = (Path(__file__).parent / "released" / "queue.js").read_text(encoding="utf-8")
BARE = "/manifest.webmanifest"


@pytest.fixture
def phone(open_phone, road, owner, let_in, forgive):
    """The owner's phone, without a service worker: it would send the queue itself."""
    forgive(UNREACHED)
    forgive("status of 404")  # the bare page has no icon
    context = open_phone(base_url=road.url)
    let_in(context, owner)
    return context


@pytest.fixture
def game(table, owner):
    """Four people at $ 10 each; Beto stands at 60."""
    begun = begin(table, owner, stake=10, reentry_price="linear", reentries="unlimited")
    return play(begun, owner, "round ana out beto=60 caro=40 dani=12")


@pytest.fixture
def over(table, owner):
    """A game that is over: Beto, Caro and Dani owe Ana $ 10 each."""
    return play(
        begin(table, owner, stake=10), owner, "round ana out beto=60 caro=40 dani=12", "stop lowest_wins"
    )


def released_page(phone: BrowserContext) -> Page:
    """Open a page with the older scripts. Its open connection to the store blocks an upgrade of the store."""
    page = phone.new_page()
    page.goto(BARE)
    page.evaluate(RELEASED)
    assert isinstance(page.evaluate("self.queue.all()"), list)
    return page


def entry_of_then(game, person: str, after: int, **fields: str) -> dict[str, object]:
    """Return a queue entry as the older scripts made it: a round or a re-entry answer."""
    entry: dict[str, object] = {
        "game": game.code,
        "address": f"/g/{game.code}/queued/",
        "after": after,
        "key": f"then-{after}",
        "fields": fields,
        "person": person,
        "title": "Mano 2",
        "detail": "Ana salió",
    }
    if "answer" in fields:
        return {**entry, "answer": [fields["player"], fields["answer"]]}
    hands = {name.removeprefix("hand-"): hand for name, hand in fields.items() if name.startswith("hand-")}
    return {**entry, "round": {"closer": fields["closer"], "closing": fields["closing"], "hands": hands}}


def waits(page: Page) -> int:
    count: int = page.evaluate("self.queue.all().then((all) => all.length)")
    return count


@pytest.mark.slow
def test_rounds_and_answers_left_by_the_scripts_of_then_are_sent_once_and_in_order(phone, game):
    page = phone.new_page()
    page.goto("/")
    person = page.locator("main").get_attribute("data-person")
    assert person
    then = released_page(phone)
    hands = {"hand-ana": "", "hand-beto": "45", "hand-caro": "9", "hand-dani": "[K 7]"}
    for entry in (
        entry_of_then(game, person, 2, closer="ana", closing="out", **hands),
        entry_of_then(game, person, 3, player="beto", answer="reenter"),
        entry_of_then(game, person, 4, closer="ana", closing="out", **{**hands, "hand-beto": "2"}),
    ):
        then.evaluate("(entry) => self.queue.add(entry)", entry)
    assert 3 == waits(then)
    assert 2 == game.records.count()

    page.goto(f"/g/{game.code}/")
    until(page, lambda: waits(page) == 0)
    assert ["0", "51", "58", "46"] == [str(player.total) for player in game.state().players]
    assert 5 == game.records.count()


@pytest.mark.slow
def test_what_was_refused_then_is_still_there_to_be_looked_at(phone, game):
    page = phone.new_page()
    page.goto("/")
    person = page.locator("main").get_attribute("data-person")
    then = released_page(phone)
    entry = entry_of_then(game, str(person), 1, closer="ana", closing="out", **{"hand-beto": "4"})
    then.evaluate(
        "(entry) => self.queue.add({ ...entry, refused: ['Mientras tanto se anotó esto:'] })", entry
    )
    page.goto(f"/g/{game.code}/round/")
    expect(page.locator("#waiting .wrong").first).to_have_text("Mientras tanto se anotó esto:")
    assert 2 == game.records.count()


@pytest.mark.slow
def test_an_open_page_of_then_is_in_nobodys_way(phone, road, game, over, table):
    then = released_page(phone)
    scorer = Scorer(phone.new_page())
    scorer.page.goto(f"/g/{game.code}/round/")
    scorer.page.wait_for_timeout(1500)  # what it needs without a network is fetched ahead
    road.cut()
    enter(scorer, "caro", 5, 9, 8)
    assert 1 == waits(then)
    road.mend()
    scorer.sees_totals("5", "69", "40", "20")
    lead_to(scorer.page, f"/g/{over.code}/settlement/")
    road.cut()
    ticks(scorer.page).first.tap()
    expect(scorer.page.locator("#trouble")).to_have_text(KEPT)
    assert 1 == waits(then)
    road.mend()
    until(scorer.page, lambda: waits(scorer.page) == 0)
    assert (3, 1) == (game.records.count(), table.payments.count())


@pytest.mark.slow
def test_payments_of_now_are_sent_by_a_worker_of_then(phone, road, over, table):
    page = phone.new_page()
    lead_to(page, f"/g/{over.code}/settlement/")
    road.cut()
    for place in (0, 1):
        ticks(page).nth(place).tap()
        expect(ticks(page).nth(place)).to_be_disabled()
    road.mend()
    lead_to(page, f"/t/{table.code}/accounts/pay/")
    road.cut()
    pays(page, "dani", "ana", "500")
    expect(page.locator("#trouble")).to_have_text(KEPT)
    page.close()  # only the worker is left
    road.mend()
    then = released_page(phone)

    assert 0 == then.evaluate("self.queue.send()")
    assert 0 == waits(then)
    assert [("beto", 10), ("caro", 10), ("dani", 500)] == [
        (one.payer.slug, one.amount) for one in table.payments.order_by("payer__slug")
    ]
