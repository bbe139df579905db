"""A page's sentence after a failure is true: every action without a network, with a worker and over HTTP."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from django.http import HttpResponse, JsonResponse
from playwright.sync_api import Page, expect

from games.models import Game, Method, Role
from games.money.services import payments
from games.tables.services import links
from tests.browser.game_setup import RISING, begin, play
from tests.browser.network import NETWORK_ERRORS, Network
from tests.browser.offline_steps import WAITING, open_online, open_refused_entry
from tests.browser.scorer import ERASE, GO, Scorer, plain, until
from tests.factories import database_rows, new_key

# Console errors of a page whose network or site fails.
FAILING = rf"{NETWORK_ERRORS}|status of 50[03]|htmx:responseError|Response Status"
OPEN = "Sin conexión: no se pudo abrir."
RECORD = "No se anotó: no hay conexión."
ASK = "Sin conexión: no se ve qué cambiaría."
QUEUED = "Sin conexión: quedó guardado en este celular y se manda solo."
BROKEN = "Acá algo falló y no se anotó nada: probá de nuevo."


@dataclass(frozen=True)
class OfflinePage:
    """A phone and its network, which can be cut."""

    page: Page
    network: Network

    def opens(self, address: str) -> None:
        """Open the page with a network, and wait until its scripts run."""
        open_online(self.page, address)

    def says(self, sentence: str) -> None:
        """Check the page's sentence about the last tap."""
        expect(self.page.locator("#trouble")).to_have_text(sentence)
        expect(self.page.locator("#trouble")).to_be_visible()

    def waits(self) -> list[str]:
        """Return the titles of the queued entries."""
        return [plain(title) for title in self.page.evaluate(WAITING)]

    def has_sent(self) -> None:
        """Wait until the queue is empty."""
        until(self.page, lambda: [] == self.waits())


@pytest.fixture(params=["worker", pytest.param("plain http", marks=pytest.mark.long)])
def offline_page(request, open_phone, open_house_phone, network, owner, let_in, forgive):
    """The owner's phone: on localhost with a service worker, or over plain HTTP, which allows none."""
    forgive(FAILING)
    if request.param == "worker":
        phone = open_phone(base_url=network.url, service_workers="allow")
        let_in(phone, owner)
    else:
        phone = open_house_phone(network.port)
    return OfflinePage(phone.new_page(), network)


@pytest.fixture
def game(table, owner):
    """A game of four at $10 each. Beto has re-entered once."""
    new_game = begin(table, owner, stake=10, **RISING)
    return play(new_game, owner, "round ana out beto=101 caro=40 dani=12", "reenter beto")


@pytest.fixture
def finished_game(table, owner):
    """A finished game: Beto, Caro and Dani owe Ana $10 each."""
    new_game = begin(table, owner, stake=10)
    return play(new_game, owner, "round ana out beto=60 caro=40 dani=12", "stop lowest_wins")


def recorded_payments(table) -> list[tuple[str, str, int]]:
    return [
        (payment.payer.slug, payment.payee.slug, payment.amount)
        for payment in table.payments.order_by("payer__slug", "pk")
    ]


# --- ways of sending ---------------------------------------------------------------------------------------------------

# Sends each form of the page as it is; the pads have their own tests.
SEND_ALL = """async () => {
  const sentences = [];
  const trouble = document.getElementById("trouble");
  for (const form of document.querySelectorAll("#main form:not(#entry)")) {
    if (form.querySelector("button")?.disabled) continue;
    trouble.textContent = "";
    form.noValidate = true;
    form.requestSubmit(form.querySelector("button:not([type=button])"));
    for (let i = 0; i < 400 && !trouble.textContent; i += 1) await new Promise((resolve) => { setTimeout(resolve, 50); });
    const kind = ["tick", "hand"].includes(form.dataset.waits) ? "fact" : form.getAttribute("method");
    sentences.push([`${kind} ${new URL(form.getAttribute("action") ?? "", location).pathname}`, trouble.hidden ? "" : trouble.textContent]);
  }
  return sentences;
}"""


# The browser takes a moment to notice that its connections are closed, and may still write into them.
IS_CUT = "() => fetch('/token/').then(() => false, () => true)"


def pages_with_forms(game: Game, finished_game: Game, owner) -> list[str]:
    """Return pages with forms of every way of sending: swapped in, in place, by the browser, queued."""
    there = f"/t/{game.table.code}/"
    payer, payee = (game.table.members.get(slug=slug) for slug in ("beto", "ana"))
    done = payments.create(game.table, payer, payee, 1, method=Method.CASH, key=new_key(), by=owner)
    _link, token = links.create_personal(game.table, role=Role.SCORER, by=owner)
    return [
        *("/you/", f"/i/{token}/", f"{there}new/", f"{there}people/", f"{there}season/"),
        *(
            f"/g/{game.code}/more/",
            f"/g/{finished_game.code}/settlement/",
            f"{there}accounts/?done={done.pk}",
        ),
    ]


EXPECTED = {"post": RECORD, "get": OPEN, "fact": QUEUED}


def test_a_form_sent_offline_shows_the_true_sentence_whatever_its_way_of_sending(
    offline_page, game, finished_game, table, owner
):
    tried, facts = set(), 0
    pages = pages_with_forms(game, finished_game, owner)
    before = database_rows()
    for address in pages:
        offline_page.opens(address)
        if offline_page.waits():
            offline_page.has_sent()
            offline_page.opens(address)
        offline_page.network.cut()
        offline_page.page.wait_for_function(IS_CUT)
        for form, sentence in offline_page.page.evaluate(SEND_ALL):
            kind, action = form.split()
            facts += kind == "fact"
            tried.add(re.sub(r"[a-z0-9]{11}|\d+", "…", action) if kind == "post" else kind)
            assert (address, action, EXPECTED[kind]) == (address, action, sentence)
        offline_page.network.restore()
    offline_page.opens("/")
    offline_page.has_sent()

    assert facts >= 2
    assert facts + 1 == len(set(recorded_payments(table))) == len(recorded_payments(table))
    assert len(tried) > 20
    after = database_rows()
    changed_models = {model for model in before if before[model] != after[model]}
    assert {"Payment", "Entry", "Debt", "Table", "Change"} >= changed_models - {"User"}


# --- the outbox -------------------------------------------------------------------------------------------------------


def tick_buttons(page: Page):
    return page.locator("form[data-waits] button.tick")


def queued_texts(page: Page) -> list[str]:
    return [plain(text) for text in page.locator("#kept li b").all_inner_texts()]


def tick_offline(spot, page: str) -> None:
    """Settle the first debt of this page without a network. It cannot be settled again while it is queued."""
    spot.opens(page)
    spot.network.cut()
    tick_buttons(spot.page).first.tap()
    spot.says(QUEUED)
    expect(tick_buttons(spot.page).first).to_be_disabled()


def test_a_payment_marked_offline_is_queued_once_and_recorded_once_also_on_a_persons_account(
    offline_page, finished_game, table
):
    tick_offline(offline_page, f"/g/{finished_game.code}/settlement/")
    expect(offline_page.page.locator("#kept li")).to_have_count(1)
    assert ["Beto le pagó $ 10 a Ana"] == queued_texts(offline_page.page)
    assert [] == recorded_payments(table)

    offline_page.network.restore()
    offline_page.has_sent()
    expect(tick_buttons(offline_page.page)).to_have_count(2)  # the page marks it as paid by itself
    expect(offline_page.page.locator("#kept")).to_be_hidden()
    assert [("beto", "ana", 10)] == recorded_payments(table)

    tick_offline(offline_page, f"/t/{table.code}/accounts/of/caro/")
    offline_page.network.restore()
    offline_page.has_sent()
    expect(tick_buttons(offline_page.page)).to_have_count(0)
    assert [("beto", "ana", 10), ("caro", "ana", 10)] == recorded_payments(table)


def pay(page: Page, payer: str, payee: str, amount: str) -> None:
    page.locator("[popovertarget=pay]:not(.close)").tap()
    for field, who in (("payer", payer), ("payee", payee)):
        page.locator(f"label:has([name={field}][value={who}])").first.tap()
    page.locator("#amount").fill(amount)
    page.locator("#pay .btn.go").tap()


@pytest.mark.long
def test_a_queued_payment_of_more_than_is_owed_is_asked_about_and_recorded_after_yes(
    offline_page, finished_game, table
):
    offline_page.opens(f"/t/{table.code}/accounts/")
    offline_page.network.cut()
    pay(offline_page.page, "dani", "ana", "500")
    offline_page.says(QUEUED)
    offline_page.network.restore()
    expect(offline_page.page.locator("#kept .wrong")).to_have_text(
        re.compile("Dani.* le debe .*10 a .*Ana.*. ¿Seguro que pagó .*500?")
    )
    assert [] == recorded_payments(table)
    offline_page.page.locator("#kept").get_by_text("Sí, anotar").tap()
    offline_page.has_sent()

    assert [("dani", "ana", 500)] == recorded_payments(table)


# --- forms that cannot wait -------------------------------------------------------------------------------------------


def test_offline_a_cell_an_undo_and_a_choice_say_that_they_failed(offline_page, game, table):
    offline_page.opens(f"/g/{game.code}/")
    offline_page.network.cut()
    offline_page.page.locator(".score .cell[href*='/correct/2/']").first.tap()
    offline_page.says(OPEN)
    offline_page.page.locator("form[action$='/undo/'] button").tap()
    offline_page.says(RECORD)
    offline_page.network.restore()
    offline_page.opens(f"/t/{table.code}/new/")
    offline_page.page.locator("#says").tap()
    offline_page.network.cut()
    offline_page.page.locator("[data-choices] label:has([name=variant]:not(:checked)):visible").first.tap()
    offline_page.says(ASK)
    assert 3 == game.records.count()


@pytest.mark.long
def test_a_correction_sent_offline_is_not_recorded_and_stays_on_the_page(offline_page, game):
    scorer = Scorer(offline_page.page)
    offline_page.opens(f"/g/{game.code}/correct/2/")
    expect(offline_page.page.locator("#entry[data-ready]")).to_be_visible()
    scorer.opens("dani")
    scorer.hold(ERASE)
    scorer.counted(30)
    offline_page.network.cut()
    scorer.tap(GO)
    offline_page.says(RECORD)
    assert "30" == scorer.hands()[3]
    offline_page.network.restore()
    scorer.sees_what_changes()
    offline_page.network.cut()
    scorer.tap("#changes button[name=confirm]")
    offline_page.says(RECORD)
    assert 3 == game.records.count()


# --- a site that is there and does not get on -------------------------------------------------------------------------


def raiser(raised):
    def fail(*args, **kwargs):
        raise raised

    return fail


def enter_round(scorer: Scorer) -> None:
    expect(scorer.page.locator("#entry[data-ready]")).to_be_visible()
    scorer.went_out("caro")
    scorer.enters(5, 9, 8)
    scorer.tap(GO)


def test_a_round_that_caused_a_server_error_is_held_and_can_be_sent_again(offline_page, game, monkeypatch):
    scorer = Scorer(offline_page.page)
    offline_page.opens(f"/g/{game.code}/round/")
    with monkeypatch.context() as broken:
        broken.setattr("games.play.services.writer.append_batch", raiser(RuntimeError("broken on purpose")))
        enter_round(scorer)
        expect(offline_page.page.locator("#waiting .wrong").first).to_have_text(BROKEN)
        offline_page.page.wait_for_timeout(3500)  # it is not sent again automatically
        open_refused_entry(offline_page.page)
        scorer.tap(GO)
        expect(offline_page.page.locator("#waiting .wrong").first).to_have_text(
            "Algo se rompió de nuestro lado y no se anotó."
        )
        offline_page.page.wait_for_timeout(1500)  # it may still be the sentence of the first answer
    assert 3 == game.records.count()
    open_refused_entry(offline_page.page)
    scorer.tap(GO)
    offline_page.has_sent()
    assert 4 == game.records.count()


@pytest.mark.long
def test_a_html_page_instead_of_a_sync_response_loses_nothing(
    offline_page, finished_game, table, monkeypatch
):
    """A hotel's sign-in page answers every request with status 200."""
    offline_page.opens(f"/g/{finished_game.code}/settlement/")
    offline_page.network.cut()
    tick_buttons(offline_page.page).first.tap()
    offline_page.says(QUEUED)
    requests = []

    def answer_with_page(content):
        if "token" in content:  # without it nothing is sent
            return JsonResponse(content)
        requests.append(content)
        return HttpResponse("<h1>Bienvenidos</h1>")

    with monkeypatch.context() as hotel:
        hotel.setattr("games.play.views.waiting.JsonResponse", answer_with_page)
        offline_page.network.restore()
        assert 1 == offline_page.page.evaluate("self.outbox.send()")
        assert requests
    offline_page.has_sent()
    assert [("beto", "ana", 10)] == recorded_payments(table)


# Adds payments to the outbox, which are not sent yet.
PAYMENTS = """async ([table, ...notes]) => {
  const at = new Date().toISOString();
  for (const [place, note] of notes.entries()) {
    const fields = { payer: "beto", payee: "ana", amount: String(place + 1), method: "cash", note };
    const fact = { form: "payment", table, game: "", fields, after: 0, key: `large-${place}`, at };
    await self.outbox.add(document.getElementById("main").dataset.person,
      { ...fact, shown: { title: `Pago ${place + 1}`, detail: "" } });
  }
}"""


@pytest.mark.long
def test_what_is_too_large_is_sent_by_halves_and_an_entry_that_alone_is_too_large_is_held(
    offline_page, finished_game, table, forgive
):
    forgive("status of 413")
    offline_page.opens("/")
    requests = offline_page.page.evaluate("window.sent = []")
    offline_page.page.on(
        "request", lambda request: requests.append(request) if "/waiting/" in request.url else None
    )
    offline_page.page.evaluate(PAYMENTS, [table.code, "", "x" * 510_000, ""])
    offline_page.page.evaluate("self.outbox.send()")
    until(offline_page.page, lambda: [("beto", "ana", 1), ("beto", "ana", 3)] == recorded_payments(table))
    assert ["Pago 2"] == offline_page.waits()
    assert [3, 1, 2, 1, 1] == [len(request.post_data_json["entries"]) for request in requests]
    offline_page.opens("/")
    expect(offline_page.page.locator("#kept .wrong")).to_be_visible()
