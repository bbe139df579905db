"""The page's sentences after a failure are true: the network is cut at every action, with a service worker
and over plain http.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from playwright.sync_api import BrowserContext, Page, expect

from games.common.nights import night_of
from games.models import Game, Method, Payment, Role, Table
from games.money import payments
from games.money.balances import read_accounts
from games.play import recording as services
from games.tables.links import make_personal
from games.tables.settings import change_settings
from tests.browser.network import UNREACHED, Road
from tests.browser.nights import begin, play
from tests.browser.scorer import ERASE, GO, Scorer, plain, until
from tests.browser.test_offline import IS_KEPT, WAITING, open_sheet, opens
from tests.worlds import a_key, stored

# Console errors of a page whose network or site fails.
FAILING = rf"{UNREACHED}|status of 50[03]|htmx:responseError|Response Status"
OPEN = "Sin conexión: no se pudo abrir."
RECORD = "No se anotó: no hay conexión."
ASK = "Sin conexión: no se ve qué cambiaría."
KEPT = "Sin conexión: quedó guardado en este celular y se manda solo."
UNHEARD = "No llegó respuesta: quizás no se anotó. Mirá antes de repetirlo."
BROKEN = "Acá algo falló y no se anotó nada: probá de nuevo."
SHUT = "Acá algo falló: no se pudo abrir."


# The script for payments is loaded after the page, with its imports. A fetched file may not have run yet: on
# a busy phone a form sent in between cannot be queued. A finished import has run.
AT_WORK = """async () => {
  const scripts = [...document.querySelectorAll("script[type=module]")].map(({ src }) => src);
  if (document.querySelector("form[data-fact]")) scripts.push(document.getElementById("scripts").dataset.forFact);
  for (const script of scripts) await import(script);
}"""


def lead_to(page: Page, address: str) -> None:
    """Open the page while there is a network, and wait until its scripts run."""
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    page.evaluate(AT_WORK)


@dataclass(frozen=True)
class Spot:
    """A phone and its network, which can be cut."""

    phone: BrowserContext
    road: Road
    address: str
    page: Page

    @property
    def has_worker(self) -> bool:
        """True if a service worker caches its pages."""
        return "localhost" in self.address

    def opens(self, address: str) -> None:
        """Open the page while there is a network, and wait until its scripts run."""
        lead_to(self.page, address)

    def says(self, sentence: str) -> None:
        """Check the page's sentence about the last tap."""
        expect(self.page.locator("#trouble")).to_have_text(sentence)
        expect(self.page.locator("#trouble")).to_be_visible()

    def waits(self) -> list[str]:
        """Return the titles of the entries that wait on the phone."""
        return [plain(title) for title in self.page.evaluate(WAITING)]

    def has_sent(self) -> None:
        """Wait until no entry waits."""
        until(self.page, lambda: [] == self.waits())


@pytest.fixture(params=["worker", "plain http"])
def spot(request, open_phone, live_server, owner, let_in, settings, forgive):
    """The owner's phone: on localhost with a service worker, or over plain http, which allows none."""
    forgive(FAILING)
    road = Road(live_server.url)
    address = road.url
    if request.param == "plain http":
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "mesa.casa"]
        address = f"http://mesa.casa:{road.port}"
    phone = open_phone(base_url=address, service_workers="allow")
    let_in(phone, owner)
    phone.add_cookies([{**cookie, "domain": "mesa.casa"} for cookie in phone.cookies()])
    yield Spot(phone, road, address, phone.new_page())
    road.close()


@pytest.fixture
def game(table, owner):
    """A game of four at $ 10 each; Beto has re-entered once."""
    begun = begin(table, owner, stake=10, reentry_price="linear", reentries="unlimited")
    return play(begun, owner, "round ana out beto=101 caro=40 dani=12", "reenter beto")


@pytest.fixture
def over(table, owner):
    """A finished game: Beto, Caro and Dani owe Ana $ 10 each."""
    begun = begin(table, owner, stake=10)
    return play(begun, owner, "round ana out beto=60 caro=40 dani=12", "stop lowest_wins")


def paid(table) -> list[tuple[str, str, int]]:
    return [
        (one.payer.slug, one.payee.slug, one.amount) for one in table.payments.order_by("payer__slug", "pk")
    ]


# --- every form -------------------------------------------------------------------------------------------------------

# Sends each form of the page as it is; the pads have tests of their own.
SEND_ALL = """async () => {
  const sentences = [];
  const trouble = document.getElementById("trouble");
  for (const form of document.querySelectorAll("#main form:not(#entry)")) {
    if (form.querySelector("button")?.disabled) continue;
    trouble.textContent = "";
    form.noValidate = true;
    form.requestSubmit(form.querySelector("button:not([type=button])"));
    for (let i = 0; i < 400 && !trouble.textContent; i += 1) await new Promise((resolve) => { setTimeout(resolve, 50); });
    const kind = form.dataset.fact && !form.dataset.blank ? "fact" : form.getAttribute("method");
    sentences.push([`${kind} ${new URL(form.getAttribute("action") ?? "", location).pathname}`, trouble.hidden ? "" : trouble.textContent]);
  }
  return sentences;
}"""


def pages_with_forms(game: Game, over: Game, owner) -> list[str]:
    """Return the pages that have forms."""
    table = game.table
    payer, payee = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    done = payments.pay(table, payer, payee, 1, method=Method.CASH, key=a_key(), by=owner)
    _link, token = make_personal(table, role=Role.SCORER, by=owner)
    away = begin(table, owner)
    services.discard_game(away)
    here, there, books = f"/g/{game.code}/", f"/t/{table.code}/", f"/t/{table.code}/accounts/"
    return [
        *("/", "/you/", "/import/", "/bring/", "/new/", f"/?discarded={away.code}", f"/i/{token}/"),
        *(
            here,
            f"{here}more/",
            f"{here}seats/",
            f"{here}rules/correct/",
            f"{here}correct/3/",
        ),
        *(f"/g/{over.code}/settlement/", f"/g/{away.code}/settlement/"),
        *(
            f"{there}people/",
            f"{there}new/",
            f"{there}settings/",
            f"{there}me/",
            f"{there}members/ana/",
            f"{there}season/",
        ),
        *(
            f"{there}notebook/",
            f"{there}opening/",
        ),
        *(f"{books}?done={done.pk}", f"{books}payments/{done.pk}/", f"{books}of/ana/"),
        f"{books}nights/{night_of(done.made_at, table).isoformat()}/",
    ]


EXPECTED = {"post": RECORD, "get": OPEN, "fact": KEPT}


def test_every_form_sent_offline_shows_the_true_sentence(spot, game, over, table, owner):
    tried, facts = set(), 0
    pages = pages_with_forms(game, over, owner)
    before = stored()
    for address in pages:
        spot.opens(address)
        if spot.waits():
            spot.has_sent()
            spot.opens(address)
        spot.road.cut()
        for form, sentence in spot.page.evaluate(SEND_ALL):
            kind, action = form.split()
            facts += kind == "fact"
            tried.add(re.sub(r"[a-z0-9]{11}|\d+", "…", action) if kind == "post" else kind)
            assert (address, action, EXPECTED[kind]) == (address, action, sentence)
        spot.road.mend()
    spot.opens("/")
    spot.has_sent()

    assert facts >= 2
    assert facts + 1 == len(set(paid(table))) == len(paid(table))
    assert len(tried) > 25
    after = stored()
    moved = {model for model in before if before[model] != after[model]}
    assert {"Payment", "Entry", "Debt", "Table", "Change"} >= moved - {"User"}


# --- the outbox -------------------------------------------------------------------------------------------------------


def ticks(page: Page):
    return page.locator("form[data-fact] button.tick")


def kept(page: Page) -> list[str]:
    """Return the queued entries as the page lists them."""
    return [plain(text) for text in page.locator("#kept li b").all_inner_texts()]


def test_a_payment_marked_offline_is_queued_once_and_recorded_once(spot, over, table):
    spot.opens(f"/g/{over.code}/settlement/")
    spot.road.cut()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    expect(ticks(spot.page).first).to_be_disabled()
    expect(spot.page.locator("#kept li")).to_have_count(1)
    assert ["Beto le pagó $ 10 a Ana"] == kept(spot.page)
    assert [] == paid(table)

    spot.road.mend()
    spot.has_sent()
    expect(ticks(spot.page)).to_have_count(2)  # the page marks it as paid by itself
    expect(spot.page.locator("#kept")).to_be_hidden()
    assert [("beto", "ana", 10)] == paid(table)


def test_a_queued_tick_of_a_debt_that_has_changed_since_is_refused_and_dropped_by_the_person(
    spot, over, table, owner
):
    spot.opens(f"/g/{over.code}/settlement/")
    spot.road.cut()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    play(over, owner, "correct 2 round beto out ana=60 caro=40 dani=12")
    spot.road.mend()
    expect(spot.page.locator("#kept .wrong")).to_have_text(
        ["Mientras tanto esta deuda cambió.", "Ana le debe $ 10 a Beto."]
    )

    assert [] == paid(table)


def test_a_tick_on_an_open_page_that_was_taken_back_meanwhile_is_refused(spot, over, table, owner):
    spot.opens(f"/g/{over.code}/settlement/")
    debt = next(one for one in read_accounts(table).to_pay if one.payer.slug == "beto")
    ticked = payments.tick(table, debt.payer, debt.payee, version=debt.version, claims=debt.claims, by=owner)
    payments.take_back(ticked, by=owner)
    spot.road.cut()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    spot.road.mend()
    expect(spot.page.locator("#kept .wrong").first).to_have_text("Mientras tanto esta deuda cambió.")

    assert 0 == table.payments.counting().count()


def test_a_payment_whose_response_is_lost_is_recorded_once(spot, over, table):
    spot.opens(f"/g/{over.code}/settlement/")
    spot.road.deafen()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    until(spot.page, lambda: table.payments.count() == 1)
    spot.road.mend()
    spot.has_sent()

    assert [("beto", "ana", 10)] == paid(table)


def test_a_debt_ticked_on_cached_accounts_is_recorded_once(spot, over, table):
    if not spot.has_worker:
        return  # over plain http no cached page opens
    books = f"/t/{table.code}/accounts/"
    spot.opens(books)
    until(spot.page, lambda: spot.page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    spot.opens(books)
    until(spot.page, lambda: spot.page.evaluate(IS_KEPT, [books]))
    spot.road.cut()
    spot.opens(books)
    expect(spot.page.locator("main[data-seen]")).to_be_visible()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    spot.road.mend()
    spot.has_sent()

    assert 1 == table.payments.counting().count()


def pays(page: Page, payer: str, payee: str, amount: str) -> None:
    page.locator("[popovertarget=pay]").tap()
    for field, who in (("payer", payer), ("payee", payee)):
        page.locator(f"label:has([name={field}][value={who}])").first.tap()
    page.locator("#amount").fill(amount)
    page.locator("#pay .btn.go").tap()


def test_a_queued_payment_of_more_than_is_owed_is_asked_about_and_recorded_after_yes(spot, over, table):
    spot.opens(f"/t/{table.code}/accounts/")
    spot.road.cut()
    pays(spot.page, "dani", "ana", "500")
    spot.says(KEPT)
    spot.road.mend()
    expect(spot.page.locator("#kept .wrong")).to_have_text(
        re.compile("Dani.* le debe .*10 a .*Ana.*. ¿Seguro que pagó .*500?")
    )
    assert [] == paid(table)
    spot.page.locator("#kept").get_by_text("Sí, anotar").tap()
    spot.has_sent()

    assert [("dani", "ana", 500)] == paid(table)


def test_several_payments_are_queued_and_one_of_them_is_dropped(spot, over, table):
    spot.opens(f"/t/{table.code}/accounts/")
    spot.road.cut()
    for amount in ("5", "3", "2"):
        pays(spot.page, "dani", "ana", amount)
        spot.says(KEPT)
        expect(spot.page.locator("#amount")).to_have_value("")
    assert ["Dani le pagó $ 5 a Ana", "Dani le pagó $ 3 a Ana", "Dani le pagó $ 2 a Ana"] == kept(spot.page)
    drop = spot.page.locator("#kept li:nth-child(2) button")
    drop.tap()
    expect(drop).to_contain_text("Tocá otra vez")
    expect(spot.page.locator("#kept li")).to_have_count(3)
    drop.tap()
    expect(spot.page.locator("#kept li")).to_have_count(2)
    spot.road.mend()
    spot.has_sent()

    assert [("dani", "ana", 5), ("dani", "ana", 2)] == paid(table)


def test_a_queued_amount_is_parsed_by_the_region_in_which_it_was_typed(spot, over, table, owner):
    """1.500 is one thousand five hundred in Argentina; by the time it is sent, it would be one and a half
    in Mexico.
    """
    Table.objects.update(region="es-AR", decimals=3)
    ana, dani = (table.members.get(slug=slug) for slug in ("ana", "dani"))
    payments.pay(table, ana, dani, 1_500_000, key=a_key(), by=owner)
    spot.opens(f"/t/{table.code}/accounts/")
    spot.road.cut()
    pays(spot.page, "dani", "ana", "1.500")
    spot.says(KEPT)
    change_settings(table, region="es-MX")
    spot.road.mend()
    spot.has_sent()

    assert ("dani", "ana", 1_500_000) == paid(table)[-1]


# An entry that is being sent, and is recorded while the person drops it.
ON_ITS_WAY = """() => new Promise((taken) => {
  navigator.locks.request("waiting", () => new Promise((free) => { self.arrive = free; taken(); }));
})"""
ARRIVED = """() => new Promise((done) => {
  indexedDB.open("waiting").onsuccess = ({ target: { result } }) => {
    const transaction = result.transaction("kept", "readwrite");
    transaction.objectStore("kept").clear();
    transaction.oncomplete = () => { self.arrive(); done(); };
  };
})"""


def test_an_entry_recorded_while_it_is_being_dropped_is_not_called_dropped(spot, over, table):
    if not spot.has_worker:
        return  # over plain http, pages send entries one by one without a lock
    spot.opens(f"/t/{table.code}/accounts/")
    spot.road.cut()
    for amount in ("500", "70"):
        pays(spot.page, "dani", "ana", amount)
        spot.says(KEPT)
        expect(spot.page.locator("#amount")).to_have_value("")
    spot.page.evaluate(ON_ITS_WAY)
    for _tap in range(2):
        spot.page.locator("#kept li:nth-child(1) button").tap()
    spot.page.evaluate(ARRIVED)

    expect(spot.page.locator("#kept")).to_be_hidden()


def test_an_incomplete_payment_is_not_queued(spot, table):
    spot.opens(f"/t/{table.code}/accounts/")
    spot.road.cut()
    spot.page.locator("[popovertarget=pay]").tap()
    spot.page.locator("#amount").fill("500")
    spot.page.locator("#pay .btn.go").tap()
    spot.says(RECORD)
    assert [] == spot.waits()


# --- forms that cannot wait -------------------------------------------------------------------------------------------


def test_offline_a_cell_an_undo_and_a_choice_say_that_they_failed(spot, game, table):
    spot.opens(f"/g/{game.code}/")
    spot.road.cut()
    spot.page.locator(".score a[href*='/correct/2/']").first.tap()
    spot.says(OPEN)
    spot.page.locator("form[action$='/undo/'] button").tap()
    spot.says(RECORD)
    spot.road.mend()
    spot.opens(f"/t/{table.code}/new/")
    spot.page.locator("#says").tap()
    spot.road.cut()
    spot.page.locator("[data-choices] label:has([name=variant]:not(:checked)):visible").first.tap()
    spot.says(ASK)
    assert 3 == game.records.count()


def test_an_undo_whose_response_is_lost_is_not_called_unrecorded(spot, game):
    spot.opens(f"/g/{game.code}/")
    spot.road.deafen()
    spot.page.locator("form[action$='/undo/'] button").tap()
    spot.says(UNHEARD)
    assert 4 == game.records.count()


def test_a_correction_sent_offline_is_not_recorded_and_stays_on_the_page(spot, game):
    scorer = Scorer(spot.page)
    spot.opens(f"/g/{game.code}/correct/2/")
    expect(spot.page.locator("#entry[data-ready]")).to_be_visible()
    scorer.opens("dani")
    scorer.hold(ERASE)
    scorer.counted(30)
    spot.road.cut()
    scorer.tap(GO)
    spot.says(RECORD)
    assert "30" == scorer.hands()[3]
    spot.road.mend()
    scorer.sees_what_changes()
    spot.road.cut()
    scorer.tap("#changes button[name=confirm]")
    spot.says(RECORD)
    assert 3 == game.records.count()


# --- a site that is there and does not get on -------------------------------------------------------------------------


def breaks_with(raised):
    def fail(*args, **kwargs):
        raise raised

    return fail


def enters_a_round(scorer: Scorer) -> None:
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    scorer.went_out("caro")
    scorer.enters(5, 9, 8)
    scorer.tap(GO)


def test_a_full_disk_of_the_server_is_treated_like_a_missing_network(spot, game, monkeypatch):
    scorer = Scorer(spot.page)
    spot.opens(f"/g/{game.code}/")
    if spot.has_worker:
        open_sheet(scorer, game)
    scorer.begin_round()
    with monkeypatch.context() as full:
        full.setattr(services, "append", breaks_with(OperationalError("database or disk is full")))
        enters_a_round(scorer)
        expect(spot.page.locator("#waiting:not([hidden]) [data-provisional]")).to_be_visible()
        assert 3 == game.records.count()
    spot.has_sent()
    assert 4 == game.records.count()


def test_cached_pages_are_shown_while_the_database_is_unavailable(spot, game, monkeypatch):
    sheet = f"/g/{game.code}/"
    if spot.has_worker:
        open_sheet(Scorer(spot.page), game)
    monkeypatch.setattr(
        "games.common.book.Book.read", breaks_with(OperationalError("unable to open database file"))
    )
    spot.page.goto(sheet)
    if spot.has_worker:
        expect(spot.page.locator("h1 .seen")).to_be_visible()
    else:
        expect(spot.page.locator("h1")).to_have_text("No se puede abrir el anotador")


def test_a_round_that_caused_a_server_error_is_held_and_can_be_sent_again(spot, game, monkeypatch):
    scorer = Scorer(spot.page)
    spot.opens(f"/g/{game.code}/round/")
    with monkeypatch.context() as broken:
        broken.setattr(services, "append", breaks_with(RuntimeError("broken on purpose")))
        enters_a_round(scorer)
        expect(spot.page.locator("#waiting .wrong").first).to_have_text(BROKEN)
        spot.page.wait_for_timeout(3500)  # it is not sent again automatically
        opens(spot.page)
        scorer.tap(GO)
        expect(spot.page.locator("#waiting .wrong").first).to_have_text(
            "Algo se rompió de nuestro lado y no se anotó."
        )
        spot.page.wait_for_timeout(1500)  # it may still be the first answer's sentence
    assert 3 == game.records.count()
    opens(spot.page)
    scorer.tap(GO)
    spot.has_sent()
    assert 4 == game.records.count()


def test_a_payment_that_caused_a_server_error_is_held_and_can_be_sent_again(spot, over, table, monkeypatch):
    spot.opens(f"/t/{table.code}/accounts/")
    with monkeypatch.context() as broken:
        broken.setattr("games.money.payments.pay", breaks_with(RuntimeError("broken on purpose")))
        pays(spot.page, "dani", "ana", "10")
        spot.says(BROKEN)
        expect(spot.page.locator("#kept .wrong")).to_have_text(BROKEN)
    assert 0 == Payment.objects.count()
    spot.page.get_by_text("Mandar de nuevo").tap()
    spot.has_sent()
    assert [("dani", "ana", 10)] == paid(table)


def test_a_page_with_a_server_error_is_reported_as_not_opened(spot, game, monkeypatch):
    spot.opens(f"/g/{game.code}/")
    monkeypatch.setattr(
        "games.play.pages.corrections.open_game", breaks_with(RuntimeError("broken on purpose"))
    )
    spot.page.locator(".score a[href*='/correct/2/']").first.tap()
    spot.says(SHUT)


def test_signing_out_and_changing_the_theme_offline_fail_without_losing_data(spot, owner, over):
    owner.set_password("a-long-secret")
    owner.save()
    spot.opens("/login/")
    spot.page.fill("[name=username]", owner.username)
    spot.page.fill("[name=password]", "a-long-secret")
    spot.page.locator("main form .btn.go").tap()
    expect(spot.page.locator("nav.tabs")).to_be_visible()
    spot.opens(f"/g/{over.code}/settlement/")
    spot.road.cut()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    spot.road.mend()
    spot.has_sent()
    spot.opens("/you/")
    spot.road.cut()
    look = "#look summary"
    for taps in (["form[data-leaves=out] button"], [look, "button[name=theme][value=dark]"]):
        for target in taps:
            spot.page.locator(target).tap()
        spot.says(RECORD)
    spot.road.mend()
    spot.page.locator("button[name=theme][value=dark]").tap()
    expect(spot.page.locator("html[data-theme=dark]")).to_be_visible()
    spot.page.locator("form[data-leaves=out] button").tap()
    expect(spot.page.locator("a[href='/login/']")).to_be_visible()


def test_a_server_error_in_the_sync_is_not_retried_forever(spot, over, table, monkeypatch):
    spot.opens(f"/g/{over.code}/settlement/")
    spot.road.cut()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    with monkeypatch.context() as broken:
        broken.setattr("games.play.waiting.pages.take", breaks_with(RuntimeError("broken on purpose")))
        spot.road.mend()
        expect(spot.page.locator("#kept .wrong")).to_have_text(BROKEN, timeout=20_000)
    spot.page.get_by_text("Mandar de nuevo").tap()
    spot.has_sent()
    assert [("beto", "ana", 10)] == paid(table)


def test_a_html_page_instead_of_a_sync_response_loses_nothing(spot, over, table, monkeypatch):
    """A hotel's sign-in page has status 200 for every request."""
    spot.opens(f"/g/{over.code}/settlement/")
    spot.road.cut()
    ticks(spot.page).first.tap()
    spot.says(KEPT)
    requests = []

    def answer_with_page(answers):
        requests.append(answers)
        return HttpResponse("<h1>Bienvenidos</h1>")

    with monkeypatch.context() as hotel:
        hotel.setattr("games.play.waiting.pages.JsonResponse", answer_with_page)
        spot.road.mend()
        assert 1 == spot.page.evaluate("self.outbox.send()")
        assert requests
    spot.has_sent()
    assert [("beto", "ana", 10)] == paid(table)
