"""Upgrades of phones: entries of an older release are sent by this one, and its open pages do no harm.

`released/queue.js` is that release's queue, with its own database; it runs on a page without scripts.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.scoring.text.codec import kind_of, to_data
from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer, until
from tests.browser.test_kept import FAILING, KEPT, lead_to, ticks
from tests.browser.test_offline import WAITING, enter, look_at_conflicts
from tests.tables import a_round

RELEASED = (Path(__file__).parent / "released" / "queue.js").read_text(encoding="utf-8")
BARE = "/manifest.webmanifest"


@pytest.fixture
def phone(open_phone, road, owner, let_in, forgive):
    """The owner's phone, without a service worker, which would send the queue itself."""
    forgive(FAILING)
    forgive("status of 404")  # the bare page has no icon
    context = open_phone(base_url=road.url)
    let_in(context, owner)
    return context


@pytest.fixture
def game(table, owner):
    """A game of four at $ 10 each; Beto has 60 points."""
    begun = begin(table, owner, stake=10, reentry_price="linear", reentries="unlimited")
    return play(begun, owner, "round ana out beto=60 caro=40 dani=12")


@pytest.fixture
def over(table, owner):
    """A finished game: Beto, Caro and Dani owe Ana $ 10 each."""
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
    """Return a queue entry as the older scripts made one: a round or a re-entry answer."""
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
    """Return the number of entries queued in the older release's database."""
    count: int = page.evaluate("self.queue.all().then((all) => all.length)")
    return count


def waits_now(page: Page) -> int:
    """Return the number of entries queued by this release."""
    return len(page.evaluate(WAITING))


def person_of(page: Page) -> str:
    """Return the mark of the account that this phone's queue belongs to."""
    page.goto("/")
    return str(page.locator("main").get_attribute("data-person"))


def test_entries_of_an_older_release_are_sent_once_and_in_order(phone, game):
    page = phone.new_page()
    person = person_of(page)
    # An open page of this release would take over the first entry before the last is queued.
    page.goto("about:blank")
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
    until(page, lambda: game.records.count() == 5)
    until(page, lambda: (waits(then), waits_now(page)) == (0, 0))
    assert ["0", "51", "58", "46"] == [str(player.total) for player in game.state().players]
    assert 5 == game.records.count()


def test_an_entry_copied_but_not_deleted_by_the_upgrade_is_recorded_once(phone, game):
    """The page was closed between the two steps: the entry is queued in both databases."""
    page = phone.new_page()
    person = person_of(page)
    then = released_page(phone)
    hands = {"hand-ana": "", "hand-beto": "45", "hand-caro": "9", "hand-dani": "[K 7]"}
    entry = entry_of_then(game, person, 2, closer="ana", closing="out", **hands)
    later = entry_of_then(game, person, 3, player="beto", answer="reenter")
    then.evaluate("(entry) => self.queue.add(entry)", entry)
    page.goto(f"/g/{game.code}/")
    until(page, lambda: game.records.count() == 3)
    for one in (entry, later):
        then.evaluate("(entry) => self.queue.add(entry)", one)
    page.reload()
    until(page, lambda: (waits(then), waits_now(page)) == (0, 0))
    until(page, lambda: game.records.count() == 4)


def test_payments_of_an_older_release_are_sent_and_those_of_other_users_stay_queued(phone, over, table):
    page = phone.new_page()
    person = person_of(page)
    then = released_page(phone)
    fields = {"payer": "dani", "payee": "caro", "amount": "500", "method": "cash"}
    tick = {"payer": "beto", "payee": "ana", "amount": "10"}
    entries = (
        (f"/t/{table.code}/accounts/pay/queued/", 0, "k1", fields, person),
        (f"/g/{over.code}/dues/queued/", over.records.count(), "k2", tick, person),
        (f"/t/{table.code}/accounts/pay/queued/", 0, "k3", fields, "0123456789ab"),
    )
    names = ("address", "after", "key", "fields", "person")
    about = {"fact": True, "title": "Un pago", "detail": ""}
    for entry in entries:
        waiting = {**dict(zip(names, entry, strict=True)), **about, "game": f"..#{entry[2]}"}
        then.evaluate("(entry) => self.queue.add(entry)", waiting)
    page.reload()
    until(page, lambda: table.payments.count() == 2)
    until(page, lambda: (waits(then), waits_now(page)) == (0, 0))
    assert [("beto", 10), ("dani", 500)] == [
        (one.payer.slug, one.amount) for one in table.payments.order_by("payer__slug")
    ]
    assert {"0123456789ab": 1} == page.evaluate("self.box.waiting()")


OLDER_FACTS = """async ([person, facts, held]) => {
  await self.box.put({ [`unsent:${person}`]: { facts, held } });
}"""


def test_facts_of_an_older_carried_app_are_sent(phone, game, over):
    page = phone.new_page()
    person = person_of(page)

    def fact(of, key, after, **points):
        event = a_round("ana", **points)
        return {
            **{"kind": "record", "table": of.table.code, "game": of.code, "key": key, "after": after},
            **{"at": "2026-11-21T22:00Z", "events": [{"kind": kind_of(event), "data": to_data(event)}]},
        }

    chosen = fact(game, "f1", 2, beto=5, caro=6, dani=7)
    refused = {"id": "a", "facts": [fact(over, "f3", 2)], "sentences": ["La partida terminó."]}
    decided = {"id": "b", "facts": [chosen], "sentences": [], "chosen": [chosen]}
    recorded = fact(game, "f2", 3, beto=1, caro=1, dani=1)
    page.evaluate(OLDER_FACTS, [person, [recorded], [refused, decided]])
    page.goto(f"/g/{game.code}/")
    until(page, lambda: game.records.count() == 4)
    until(page, lambda: page.evaluate("self.box.waiting()") == {})
    assert ["f1", "f2"] == [record.key for record in game.records.filter(number__gt=2)]
    page.goto("/")
    expect(page.locator("#unsent[href='/conflicts/']")).to_be_visible()


def test_an_entry_refused_in_an_older_release_can_still_be_decided(phone, game):
    page = phone.new_page()
    person = person_of(page)
    then = released_page(phone)
    entry = entry_of_then(game, person, 1, closer="ana", closing="out", **{"hand-beto": "4"})
    then.evaluate(
        "(entry) => self.queue.add({ ...entry, refused: ['Mientras tanto se anotó esto:'] })", entry
    )
    page.goto(f"/g/{game.code}/round/")
    expect(page.locator("#waiting .wrong").first).to_have_text("Mientras tanto se anotó esto:")
    assert 2 == game.records.count()
    conflict = look_at_conflicts(page)
    page.get_by_text("Mandar de nuevo").tap()
    expect(conflict.locator("[data-here]")).to_contain_text("Ana")  # both versions, in this release's form
    assert 2 == game.records.count()


def test_an_open_page_of_an_older_release_does_not_block_this_one(phone, road, game, over, table):
    then = released_page(phone)
    scorer = Scorer(phone.new_page())
    scorer.page.goto(f"/g/{game.code}/round/")
    scorer.page.wait_for_timeout(1500)  # the pages that it needs without a network are prefetched
    road.cut()
    enter(scorer, "caro", 5, 9, 8)
    assert (0, 1) == (waits(then), waits_now(scorer.page))
    road.mend()
    scorer.sees_totals("5", "69", "40", "20")
    lead_to(scorer.page, f"/g/{over.code}/settlement/")
    road.cut()
    ticks(scorer.page).first.tap()
    expect(scorer.page.locator("#trouble")).to_have_text(KEPT)
    road.mend()
    until(scorer.page, lambda: waits_now(scorer.page) == 0)
    assert (3, 1) == (game.records.count(), table.payments.count())


def test_an_open_page_of_an_older_release_can_still_send_its_entries(phone, game):
    page = phone.new_page()
    person = person_of(page)
    then = released_page(phone)
    hands = {"hand-ana": "", "hand-beto": "45", "hand-caro": "9", "hand-dani": "[K 7]"}
    entry = entry_of_then(game, person, 2, closer="ana", closing="out", **hands)
    then.evaluate("(entry) => self.queue.add(entry)", entry)
    assert 0 == then.evaluate("self.queue.send()")
    assert (0, 3) == (waits(then), game.records.count())
