"""Every script of a page fails once: what its form is for is recorded all the same, once."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game, Table
from tests.browser.game_setup import begin, play
from tests.browser.late_scripts import ALL
from tests.browser.scorer import seat, until
from tests.factories import grant_access, make_user

IDLE = 1500  # milliseconds; a second post would have come
POINTS = {"beto": "1", "caro": "2", "dani": "3"}


def answer_500(route: Route) -> None:
    route.fulfill(status=500, body="broken")


def throw_first(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=f"throw new Error('thrown');\n{answer.text()}")


def throw_last(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=f"{answer.text()}\n;throw new Error('thrown');")


FAILURES: dict[str, Callable[[Route], None]] = {
    "500": answer_500,
    "aborted": Route.abort,
    "throws in its first line": throw_first,
    "throws in its last line": throw_last,
}


def names_of_scripts(page: Page, address: str) -> list[str]:
    """Return the scripts that this page loads."""
    urls = set[str]()
    page.on("request", lambda request: urls.add(request.url))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return sorted(url.partition("/static/")[2] for url in urls if ALL.search(url))


def fail(page: Page, name: str, failure: Callable[[Route], None], address: str) -> None:
    """Open the page, whose script of this name fails."""
    page.unroute_all()
    page.goto("about:blank")
    page.route(re.compile(re.escape(f"/static/{name}") + "$"), failure)
    page.goto(address, wait_until="commit")
    page.evaluate("localStorage.clear()")


def enter_round(page: Page, cut: str) -> None:
    """Enter that Ana went out, and everybody's points, in the plain form or on the pad, and save."""
    usable = page.locator("[name=hand-beto]:visible, #entry[data-ready]")
    expect(usable).to_be_visible()
    if page.locator("#entry[data-ready]").count():
        page.locator(seat("ana")).tap()
        if cut:
            page.locator(f"[data-points='{cut}']").tap()
        for player, points in POINTS.items():
            page.locator(seat(player)).tap()
            if not page.locator("[data-digits]").is_visible():
                page.locator("[data-way=digits]").tap()
            page.locator(f"[data-digit='{points}']").tap()
    else:
        page.locator("[name=closer][value=ana]").check()
        for player, points in (({"ana": cut} if cut else {}) | POINTS).items():
            page.locator(f"[name=hand-{player}]").fill(points)
    page.get_by_role("button", name="Guardar").tap()
    expect(page.locator("#entry")).to_have_count(0)


ROUNDS = {"loba_menos": "", "carioca_cl": "", "loba_mas": "", "chinchon": "3"}
LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("variant", "failure"),
    [
        pytest.param(variant, failure, marks=() if (variant, failure) == ("loba_menos", "500") else LONG)
        for variant in ROUNDS
        for failure in FAILURES
    ],
)
def test_a_round_is_recorded_once_whichever_script_of_its_page_fails(
    scorer, table, owner, variant, failure, forgive, subtests
):
    """Beto has a phone at the table, so the pad also takes hands from other phones."""
    forgive("ERR_FAILED|status of 500|MIME type|thrown|dynamically imported module|is not defined")
    grant_access(make_user("beto"), table, face="beto")
    game = begin(table, owner, variant=variant)
    address = f"/g/{game.code}/round/"
    names = names_of_scripts(scorer.page, address)
    assert "django_htmx/htmx-2.min.js" in names
    for number, name in enumerate(names, start=1):
        fail(scorer.page, name, FAILURES[failure], address)
        with subtests.test(name):
            enter_round(scorer.page, ROUNDS[variant])
            assert number == len(game.state().rounds)


@dataclass(frozen=True)
class Entry:
    """A form that is not of a round: its address, how it is filled in and sent, and what it records."""

    address: str
    send: Callable[[Page], None]
    recorded: Callable[[Table], int]


def send_balances(page: Page) -> None:
    for player, side in (("ana", "owes"), ("beto", "owed")):
        field = page.locator(f"[name=amount-{player}]")
        if not field.is_visible():
            page.locator("[data-balance]", has=field).locator("summary").click()
        page.locator(f"label:has([name=side-{player}][value={side}])").click()
        field.fill("10")
    page.locator("[data-closer]").click()


def send_expense(page: Page) -> None:
    page.locator("[popovertarget=expense]:not(.close)").first.click()
    page.locator("#expense [name=amount]").fill("90")
    page.locator("#expense label:has([name=payer][value=ana])").click()
    page.locator("#expense [data-closer]").click()


def send_payment(page: Page) -> None:
    page.locator("#pay [data-closer]").click()


def start_game(page: Page) -> None:
    """Start the first game of a new table."""
    expect(page.locator("[name=new-1]:visible, #new-name:visible")).to_be_visible()
    if page.locator("[name=new-1]").is_visible():
        for place, name in enumerate(("Uma", "Vera"), start=1):
            page.locator(f"[name=new-{place}]").fill(name)
    else:
        page.locator("#new-name").fill("Uma, Vera")
    page.locator(".dock [data-starts]").click()


ENTRIES = {
    "starting balances": Entry("/t/{code}/opening/", send_balances, lambda table: table.entries.count()),
    "an expense": Entry("/t/{code}/accounts/", send_expense, lambda table: table.costs.count()),
    "a payment": Entry(
        "/t/{code}/accounts/?payer=beto&payee=ana&amount=5",
        send_payment,
        lambda table: table.payments.count(),
    ),
    "a new game": Entry("/new/", start_game, lambda _table: Game.objects.count()),
}


@LONG
@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_a_form_is_recorded_once_whichever_script_of_its_page_fails(
    page, signed_in, table, owner, entry, failure, forgive, subtests
):
    forgive("ERR_FAILED|status of 500|MIME type|thrown|dynamically imported module|is not defined")
    play(begin(table, owner, stake=50_000), owner, "round ana out beto=101 caro=102 dani=103")
    address = entry.address.format(code=table.code)
    for name in names_of_scripts(page, address):
        before = entry.recorded(table)
        is_recorded = partial(lambda count: entry.recorded(table) > count, before)
        if address == "/new/":
            page.context.clear_cookies()  # each table has its own guest
        fail(page, name, FAILURES[failure], address)
        with subtests.test(name):
            entry.send(page)
            until(page, is_recorded)
            page.wait_for_timeout(IDLE)
            assert 1 == entry.recorded(table) - before
