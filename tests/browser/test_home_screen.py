"""Safari and the home-screen app of one iPhone: they share no data, and a link signs both in as one person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import Page, Route, expect

from games.models import SignInLink
from tests.browser.nights import begin
from tests.browser.scorer import Scorer
from tests.browser.test_accessibility import complaints_of
from tests.browser.test_offline import open_sheet
from tests.people.pages.test_home_screen import IPHONE, PAGE

OFFER = f"a[href='{PAGE}']"
MAKE = "#make button"
GO = ".dock .go"
PASTE = ".at-home-screen a"
GONE = "Este enlace ya no sirve"
HOUR = timedelta(hours=1)


@pytest.fixture
def safari(open_phone, road, owner, let_in, forgive):
    """The owner's Safari: a guest, behind a network that can be cut."""
    forgive("ERR_|status of (404|503)")
    context = open_phone(base_url=road.url, service_workers="allow", user_agent=IPHONE)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=road.url)
    let_in(context, owner)
    return context


@pytest.fixture
def open_app(open_phone, road):
    """`open_app()` opens the app on the home screen, which has its own cookies and storage."""

    def as_on_the_home_screen(route: Route) -> None:
        # Chromium cannot pretend to be started from there, so this style makes the page believe it.
        style = route.fetch()
        route.fulfill(response=style, body=style.text().replace("standalone", "browser"))

    def open_one() -> Page:
        context = open_phone(base_url=road.url, user_agent=IPHONE)
        context.route("**/people/home_screen*.css", as_on_the_home_screen)
        page: Page = context.new_page()
        page.goto("/")
        return page

    return open_one


def make_link(page: Page) -> str:
    """Go from the home page to a new link, and copy it."""
    page.goto("/")
    page.locator(OFFER).tap()
    page.locator(MAKE).tap()
    page.locator("[data-share=link]").tap()
    expect(page.locator("[data-share=link]")).to_have_text("Copiado")
    return page.locator("#link").input_value()


def paste(app: Page, link: str) -> None:
    """Paste the link on the page that the app's home page offers."""
    app.goto("/")
    app.locator(PASTE).tap()
    app.locator("#link").fill(f"Anotador {link}")
    app.locator(GO).tap()


def test_the_home_screen_app_opens_the_tables_of_safari_after_pasting_a_link(
    safari, open_app, table, axe_source, forgive
):
    forgive("status of 404")
    browser, app = safari.new_page(), open_app()

    # Safari offers the way to the home screen. The app opens empty there, and offers to paste a link instead.
    link = make_link(browser)
    browser.evaluate(axe_source)
    assert [] == complaints_of(browser)
    expect(app.locator(PASTE)).to_have_text("Pegá tu enlace")
    expect(browser.locator(PASTE)).to_have_count(0)
    expect(app.get_by_text(table.name)).to_have_count(0)

    # The link is tapped in Safari: it explains itself, and is not used up.
    browser.goto(link)
    expect(browser.locator(".notice")).to_contain_text("Pegá el enlace en la app de la pantalla de inicio")

    # Pasted into the app, it signs the app in as the same person: a guest, without a password.
    paste(app, link)
    app.get_by_role("button", name="Entrar").tap()
    expect(app.get_by_text(table.name)).to_be_visible()
    expect(app.locator(PASTE)).to_have_count(0)
    expect(app.locator(OFFER)).to_be_hidden()

    # A friend who finds the link in a chat cannot use it.
    friend = open_app()
    paste(friend, link)
    expect(friend.locator("h1")).to_have_text(GONE)

    # Another link is pasted too late.
    late = make_link(browser)
    SignInLink.objects.update(made_at=now() - 2 * HOUR, expires_at=now() - HOUR)
    paste(friend, late)
    expect(friend.locator("h1")).to_have_text(GONE)

    # The owner signs Safari out on the app's list of devices; the last link that it made ends with it.
    last = make_link(browser)
    app.goto("/devices/")
    app.get_by_role("button", name="Cerrar sesión ahí").tap()
    expect(app.locator("form[action$='/end/']")).to_have_count(0)
    paste(friend, last)
    expect(friend.locator("h1")).to_have_text(GONE)


def test_no_link_can_be_made_while_a_round_is_queued_in_safari(safari, road, table, owner):
    game = begin(table, owner)
    scorer, page = Scorer(safari.new_page()), safari.new_page()
    open_sheet(scorer, game)

    # Nothing is queued: the link may be made.
    page.goto(PAGE)
    expect(page.locator(MAKE)).to_be_visible()
    expect(page.locator("#not-yet")).to_be_hidden()

    # A round is recorded without a network, so it is queued in Safari, where the app could not send it.
    road.cut()
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.enters(45, 9, 8)
    scorer.tap("[data-go]")
    expect(page.locator("#not-yet")).to_contain_text(
        "Todavía no: conectate primero, así se manda lo que espera en este celular."
    )
    expect(page.locator(MAKE)).to_be_hidden()

    # The network is back, the round is sent automatically, and the link may be made.
    road.mend()
    scorer.page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(MAKE)).to_be_visible(timeout=30_000)
    assert 2 == len(game.log())


def test_other_browsers_do_not_offer_the_home_screen(page, phone, owner, let_in):
    page.goto("/")
    expect(page.locator(PASTE)).to_have_count(0)
    let_in(phone, owner)
    page.goto("/")

    expect(page.locator(OFFER)).to_have_count(0)
