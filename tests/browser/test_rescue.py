"""The rescue file: one phone saves its queued entries in it, and another phone brings it to the table.

Carla keeps the score without a network, saves the file and gives it to Ana, the owner, whose phone brings
it. Facts that both phones send count once, and facts that Ana may not send are refused with a reason.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from games.models import Game, Grant, Payment, Role
from games.notebook.books.audit import check_table
from games.people.removals import put_out
from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer, until
from tests.browser.test_accessibility import complaints_of
from tests.browser.test_offline import WAITING, cut, enter, goes_on, open_sheet
from tests.tables import become, let_in_as, make_user

PAGE = "/rescue/"
OWN, OUTCOME = "#rescue [data-own]", "#rescue [data-outcome] p"
DECIDE = "#rescue [data-outcome] a"
IS_KEPT = "caches.match('/rescue/').then(Boolean)"


@pytest.fixture
def phone(cuttable_phone):
    """Carla's phone, whose network can be cut."""
    return cuttable_phone


@pytest.fixture
def carla(live_server, table):
    """A scorer whose claim to be Caro was accepted."""
    user = make_user("carla")
    let_in_as(user, table, Role.SCORER)
    become(user, table.members.get(slug="caro"))
    return user


@pytest.fixture
def game(table, owner):
    """A game of four after one round."""
    return play(begin(table, owner), owner, "round ana out beto=60 caro=40 dani=12")


@pytest.fixture
def scorer(page, phone, carla, let_in):
    """Carla's finger."""
    let_in(phone, carla)
    return Scorer(page)


@pytest.fixture
def anas(open_phone, let_in, owner) -> Page:
    """A page on the owner's phone, which has a network."""
    other: BrowserContext = open_phone()
    let_in(other, owner)
    return other.new_page()


def enter_two_rounds(scorer: Scorer, road, game: Game) -> None:
    """Enter two rounds without a network."""
    open_sheet(scorer, game)
    until(scorer.page, lambda: scorer.page.evaluate(IS_KEPT))
    cut(road, scorer.page)
    scorer.begin_round()
    enter(scorer, "caro", 5, 9, 8)
    goes_on(scorer)
    enter(scorer, "dani", 1, 2, 3)


def save(page: Page, folder: Path) -> Path:
    """Save the file of this page; return where it is."""
    with page.expect_download() as download:
        page.locator("[data-save]").tap()
    expect(page.locator("[data-saved]")).to_be_visible()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def choose(page: Page, file: Path) -> None:
    """Go from the table's page through its settings to the rescue page, and choose the file."""
    page.goto("/")
    page.locator("a.placename").tap()
    page.locator(".menu a[href$='/settings/']").tap()
    page.locator(f".menu a[href='{PAGE}']").tap()
    page.locator("#unsent-file").set_input_files(file)


def brings(page: Page, file: Path) -> None:
    choose(page, file)
    page.locator("[data-bring]").tap()
    expect(page.locator(OUTCOME)).to_be_visible()


def rounds_by(game: Game) -> list[User]:
    return [record.recorded_by for record in game.records.filter(number__gt=2)]


def test_entries_saved_on_one_phone_and_brought_by_others_count_once(
    scorer, road, game, table, owner, anas, open_phone, let_in, tmp_path, axe_source
):
    # Carla reads that two entries are queued, and saves them: without a network, from the sheet.
    enter_two_rounds(scorer, road, game)
    page = scorer.page
    page.goto(f"/g/{game.code}/")
    page.locator("#waiting summary").tap()
    page.locator(f"#waiting a[href='{PAGE}']").tap()
    expect(page.locator(OWN)).to_contain_text("2 sin mandar en este celular")
    file = save(page, tmp_path)
    assert file.name.startswith("anotador-")
    page.evaluate(axe_source)
    assert [] == complaints_of(page)

    # Ana reads the user and the contents, and records the entries.
    choose(anas, file)
    contents = anas.locator("#rescue [data-preview]")
    expect(contents.locator("h2")).to_contain_text("Lo que anotó Caro")
    expect(contents.locator("li")).to_have_text(["Loba de Menos: 2 cosas anotadas"])
    expect(contents).to_contain_text("Queda anotado a tu nombre.")
    anas.evaluate(axe_source)
    assert [] == complaints_of(anas)
    anas.locator("[data-bring]").tap()
    expect(anas.locator(OUTCOME)).to_have_text("Quedó anotado.")
    assert [owner, owner] == rounds_by(game)

    # A second phone of the table brings the same file: all its entries are recorded already.
    sonia = make_user("sonia")
    let_in_as(sonia, table, Role.SCORER)
    second = open_phone()
    let_in(second, sonia)
    sonias = second.new_page()
    choose(sonias, file)
    expect(sonias.locator("#rescue [data-preview]")).to_contain_text("Ya está todo anotado.")
    expect(sonias.locator("[data-bring]")).to_have_count(0)

    # Carla's phone is back online: it sends its own entries, which count no more, and deletes them.
    road.mend()
    page.goto(PAGE)
    until(page, lambda: page.evaluate(WAITING) == [])
    expect(page.locator("#rescue [data-none]")).to_be_visible()
    assert [owner, owner] == rounds_by(game)
    assert [] == list(check_table(table).differences)


def test_a_removed_scorers_file_can_be_brought_by_an_owner(
    scorer, road, game, table, owner, carla, anas, tmp_path, forgive
):
    forgive("status of (403|404)")
    enter_two_rounds(scorer, road, game)
    put_out(Grant.objects.get(user=carla), by=owner)
    road.mend()
    page = scorer.page
    page.goto("/conflicts/")
    conflict = page.locator("#conflicts article")
    expect(conflict.locator("[data-why]")).to_have_text(
        "En este celular ya no podés abrir esta partida.", timeout=30_000
    )
    expect(conflict.locator("[data-choice=drop]")).to_have_text("Descartar lo mío")
    conflict.locator("[data-rescue]").tap()
    file = save(page, tmp_path)

    brings(anas, file)
    expect(anas.locator(OUTCOME)).to_have_text("Quedó anotado.")
    assert [owner, owner] == rounds_by(game)

    # Carla learns that the entries are recorded: the phone sends them again, and deletes them.
    page.goto("/conflicts/")
    conflict.locator("[data-choice=again]").tap()
    expect(conflict).to_have_count(0)
    expect(page.locator("#conflicts [data-none]")).to_be_visible()


def test_a_conflict_in_a_file_is_decided_by_the_user_who_brings_it(scorer, road, game, owner, anas, tmp_path):
    enter_two_rounds(scorer, road, game)
    scorer.page.goto(PAGE)
    file = save(scorer.page, tmp_path)
    play(game, owner, "round ana out beto=4 caro=4 dani=4")

    brings(anas, file)
    expect(anas.locator(OUTCOME)).to_contain_text("1 cosa no se pudo anotar: decidí qué hacer.")
    anas.locator(DECIDE).tap()
    conflict = anas.locator("#conflicts article")
    conflict.locator("[data-choice=behind]").tap()
    expect(conflict).to_have_count(0)
    until(anas, lambda: game.records.count() == 5)
    expect(anas.locator("#conflicts [data-none]")).to_be_visible()


def test_a_brought_payment_is_only_a_claim_and_a_confirmation_is_held(table, owner, carla, anas, tmp_path):
    content = {
        **{"format": "anotador-unsent", "version": 1, "person": "x", "saved_at": "2026-11-22T01:00Z"},
        "facts": [
            {
                **{"kind": "paid", "table": table.code, "game": "", "at": "2026-11-21T22:00Z", "key": "k1"},
                **{
                    "payer": "caro",
                    "payee": "beto",
                    "amount": 100,
                    "method": "cash",
                    "note": "",
                    "day": None,
                },
                **{"night": None, "is_along_the_plan": False, "after": 0},
            },
            {
                **{"kind": "turned", "table": table.code, "payment": None, "key": "k1", "turn": "confirmed"},
                **{"text": "", "words": None, "after": 0, "at": "2026-11-21T22:01Z"},
            },
        ],
    }
    file = tmp_path / "anotador.txt"
    file.write_text(json.dumps(content), encoding="utf-8")
    choose(anas, file)
    contents = anas.locator("#rescue [data-preview]")
    expect(contents).to_contain_text("Caro le pagó $ 100 a Beto")
    expect(contents).to_contain_text("Los pagos esperan a que los confirmen.")
    anas.locator("[data-bring]").tap()
    expect(anas.locator(OUTCOME)).to_contain_text("1 cosa no se pudo anotar")
    assert Payment.objects.get().is_claimed
    anas.locator(DECIDE).tap()
    conflict = anas.locator("#conflicts article")
    expect(conflict.locator("[data-title]")).to_contain_text("Caro → Beto")
    expect(conflict.locator("[data-why]")).to_have_text("Solo Beto puede decirlo.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hola", "No es un archivo JSON"),
        ('{"format": "anotador-table"}', "Este archivo no tiene nada sin mandar de Anotador."),
        (" " * 1_000_001, "Este archivo es demasiado grande."),
    ],
)
def test_another_kind_of_file_is_refused_beside_the_field(table, anas, tmp_path, forgive, text, sentence):
    forgive("status of 422")
    file = tmp_path / "nota.txt"
    file.write_text(text, encoding="utf-8")
    choose(anas, file)

    expect(anas.locator("#unsent-file-error")).to_contain_text(sentence)
    expect(anas.locator("[data-bring]")).to_have_count(0)
    assert [] == anas.evaluate(WAITING)
