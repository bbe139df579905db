"""Starting a game with scripts: choosing another variant is one tap, and everybody stays seated.

`play/views/test_new_game.py` has the form as the server draws and reads it.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from games.common.naming import avatar_letters
from games.models import Game, Table
from tests.browser.game_setup import begin, play
from tests.browser.scorer import player_order, unseat_everybody, until, write_name
from tests.browser.screens import picks_game
from tests.browser.test_layout import measure
from tests.factories import make_table

PEOPLE = ("Ana", "Beto", "Caro", "Dani", "Mariela")


@pytest.fixture
def new_game(page, signed_in, owner):
    """The page of a new game at a table that last played Loba de Menos for 500."""
    table = make_table(owner, people=PEOPLE)
    play(begin(table, owner, stake=500), owner, "stop refund")
    page.goto(f"/t/{table.code}/new/")
    unseat_everybody(page)
    return page


def _closes(page):
    page.locator("#game > .go").tap()
    expect(page.locator("#game")).to_be_hidden()


def _seats(page, *names):
    for name in names:
        page.locator(f".chip[title='{name}']").tap()


def _adds(page, names):
    page.locator("[data-add] input").fill(", ".join(names))
    page.locator("[data-add] button").tap()


def _drags(page, name, other):
    """Drag one player's seat to the other's place."""
    for who, act in ((name, page.mouse.down), (other, page.mouse.up)):
        box = page.locator(f".around .chip[title='{who}']").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
        act()


def test_who_deals_first_is_drawn_with_a_tap_among_two_or_more(new_game, monkeypatch):
    monkeypatch.setattr("secrets.randbelow", lambda count: count - 1)
    draw = new_game.locator("[name='draw']")
    _seats(new_game, "Caro")
    expect(draw).to_be_hidden()
    _seats(new_game, "Ana", "Mariela")
    draw.tap()
    expect(new_game.locator("[data-dealer]")).to_have_text("Reparte Mariela")
    seats = new_game.locator(".around .chip").evaluate_all("chips => chips.map((chip) => chip.title)")
    assert ["Mariela", "Caro", "Ana"] == seats


@pytest.mark.long
def test_typed_names_get_the_letters_that_the_members_of_the_table_will_have(page, signed_in, owner):
    page.goto("/new/")
    names = ("Mariela", "Martín", "Marcos", "Marta", "Mónica", "Manuel", "Miguel", "Mercedes")
    _adds(page, names)
    faces = page.locator(".around .av")
    assert [*avatar_letters(dict(enumerate(names))).values()] == faces.all_text_contents()
    assert 8 == len(set(faces.all_text_contents()))


@pytest.mark.long
def test_a_typed_name_differs_from_the_members_who_keep_their_letters(new_game):
    _adds(new_game, ("Martín", "Marcos"))
    expect(new_game.locator(".chip[title='Mariela'] .av")).to_have_text("M")
    expect(new_game.locator(".chip[title='Martín'] .av")).to_have_text("Mt")
    expect(new_game.locator(".chip[title='Marcos'] .av")).to_have_text("Mc")


def test_choosing_another_variant_keeps_the_seats_and_the_stake(new_game):
    _seats(new_game, "Caro", "Ana", "Mariela")
    new_game.locator("[data-other]").tap()
    stake = new_game.locator("#stake")
    expect(stake).to_be_focused()
    new_game.locator("h1").tap()
    stake.tap()  # selects the amount; a second tap far from the first does not
    new_game.keyboard.type("1000")
    expect(stake).to_have_value("1000")
    stake.tap(position={"x": 8, "y": 8})
    new_game.keyboard.type("2")
    assert "1000" in stake.input_value().replace("2", "")
    stake.fill("70")
    # Some browser extensions leave such a style, and the policy lets no script copy it to the next form.
    stake.evaluate("field => { field.style.color = 'red'; field.style.color = ''; }")
    picks_game("chinchon")(new_game)
    expect(new_game.locator("#stake")).to_have_value("70")
    new_game.locator("#stake").fill("300")
    expect(new_game.locator("#cut_prize")).to_have_value("0")  # nobody plays for a prize that nobody chose
    new_game.locator("[data-part] .chip", has_text="30").tap()
    new_game.locator("#stake").fill("500")
    expect(new_game.locator("#cut_prize")).to_have_value("50")
    new_game.locator("#cut_prize").fill("40")
    new_game.locator("#stake").fill("70")
    expect(new_game.locator("#cut_prize")).to_have_value("40")
    _closes(new_game)

    new_game.locator(".dock .go").tap()
    expect(new_game.locator(".score")).to_be_visible()
    assert ["Caro", "Ana", "Mariela"] == player_order(new_game)
    state = Game.objects.order_by("-pk")[0].state()
    assert ("chinchon", 70) == (state.variant.key, state.house["stake"])


@pytest.mark.long
def test_the_sheet_of_the_rules_has_an_arrow_while_there_is_more(new_game):
    new_game.set_viewport_size({"width": 360, "height": 640})
    new_game.locator("#says").tap()
    sheet, done = new_game.locator("#game"), new_game.locator("#game > .go")
    expect(sheet).to_have_attribute("data-more", "")
    expect(done).to_have_css("outline-offset", "0px")  # otherwise what scrolls behind it would show

    sheet.evaluate("sheet => sheet.scrollTo(0, sheet.scrollHeight)")
    expect(sheet).not_to_have_attribute("data-more", "")


def test_the_stake_is_one_tap_and_the_closer_says_the_pot(new_game):
    stakes, closer = new_game.locator("[data-stake]:has(#stake) .seg button"), new_game.locator(".dock .go")
    expect(closer).to_have_text("Faltan dos personas")
    expect(closer).to_be_disabled()
    _seats(new_game, "Caro")
    expect(closer).to_have_text("Falta una persona")
    _seats(new_game, "Ana", "Mariela")
    expect(stakes).to_have_text(["Nada", "500", "1.000", "2.000", "5.000"])
    expect(closer).to_have_text(re.compile("Empezar: pozo de .{1,2}1.500"))
    stakes.filter(has_text="2.000").tap()
    expect(closer).to_have_text(re.compile("Empezar: pozo de .{1,2}6.000"))
    expect(new_game.locator("#says")).to_contain_text("2.000")
    stakes.filter(has_text="Nada").tap()
    expect(closer).to_have_text("Empezar")
    closer.tap()
    expect(new_game.locator(".score")).to_be_visible()
    assert 0 == Game.objects.order_by("-pk")[0].state().house["stake"]


@pytest.mark.long
def test_an_amount_without_cents_is_written_without_them(page, signed_in, owner):
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Dani"))
    Table.objects.update(decimals=2)
    page.goto(f"/t/{table.code}/new/")
    unseat_everybody(page)
    _seats(page, "Ana", "Beto", "Caro", "Dani")
    page.locator("[data-other]").tap()
    for stake, pot in (("0,50", "2"), ("0,10", "0,40"), ("1,00", "4")):
        page.locator("#stake").fill(stake)
        page.locator("#stake").blur()
        expect(page.locator(".dock .go")).to_have_text(f"Empezar: pozo de $\u00a0{pot}")
        expect(page.locator("#says")).to_contain_text(f"apuesta $\u00a0{stake.removesuffix(',00')} ·")


def test_the_table_fills_while_the_names_are_typed(page):
    page.goto("/new/")
    faces, stools = page.locator(".around .av:not(.stool)"), page.locator(".around .stool")
    field, closer = page.locator("#new-name"), page.locator(".dock .go")
    expect(field).to_be_focused()
    expect(stools).to_have_count(4)
    page.keyboard.type("A$$a, Beto, Ca")
    expect(faces).to_have_text(["A", "B"])
    expect(page.locator(".around .name")).to_have_text(["A$$a", "Beto", "Ca"])
    expect(stools).to_have_count(2)
    expect(page.locator("[data-dealer]")).to_have_text("Reparte A$$a")
    expect(closer).to_be_enabled()
    page.keyboard.type("ro")
    closer.tap()
    expect(page.locator(".score")).to_be_visible()
    assert ["A$$a", "Beto", "Caro"] == player_order(page)


IS_CLEAR = """table => {
  const boxes = (selector) => [...table.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const words = boxes("p > :not(.vh)");
  return words.length === 2 && boxes(".name, .av").every((seat) => words.every((word) =>
    seat.right <= word.left || seat.left >= word.right || seat.bottom <= word.top || seat.top >= word.bottom
  ));
}"""


@pytest.mark.long
def test_who_deals_is_written_clear_of_the_names_around_the_table(page):
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/new/")
    _adds(page, ["Mariela", "Beto", "Caro", "Dani"])
    expect(page.locator("[data-drag]")).to_be_visible()
    assert page.locator(".around").evaluate(IS_CLEAR)
    _adds(page, ["Eva", "Fede"])
    assert page.locator(".around").evaluate(IS_CLEAR)


@pytest.mark.long
def test_on_its_side_the_table_is_left_and_who_may_sit_down_the_choices_and_the_closer_right(new_game):
    new_game.set_viewport_size({"width": 740, "height": 360})
    _seats(new_game, "Ana", "Caro")
    left, right = (
        new_game.locator(".around .chip, [name='draw']"),
        ("[data-chips] .chip >> nth=0", "[data-add] input"),
    )
    for box in [one.bounding_box() for one in left.all()]:
        assert 0 <= box["x"] <= 370 - box["width"]
        assert box["y"] + box["height"] <= 360
    for selector in (*right, "[data-stake] .seg", "#says", ".dock .go"):
        expect(new_game.locator(selector)).to_be_in_viewport(ratio=1)
        assert new_game.locator(selector).bounding_box()["x"] > 370
    assert [] == measure(new_game)


@pytest.mark.long
def test_a_phone_on_its_side_shows_the_whole_table_and_the_choices_beside_it(page):
    page.set_viewport_size({"width": 740, "height": 360})
    page.goto("/new/")
    page.keyboard.type("Ana, Beto, Caro, Dani")
    expect(page.locator("[data-stake]:has(#stake) .seg button").first).to_be_in_viewport(ratio=1)
    page.keyboard.type(", Eva, Fede, Gabi, Hugo")
    page.keyboard.press("Enter")
    dock = page.locator(".dock").bounding_box()
    for seat in page.locator(".around .chip").all():
        box = seat.bounding_box()
        assert box["x"] + box["width"] <= dock["x"], "the closer covers nobody"
        expect(seat).to_be_in_viewport(ratio=1)


@pytest.fixture
def slow(new_game):
    """The page of a new game, on which each response to a choice waits until `slow.answer()`."""
    waiting = []

    def hold(route):
        if "choose=yes" in (route.request.post_data or ""):
            waiting.append(route)
        else:
            route.continue_()

    def answer():
        until(new_game, lambda: bool(waiting))
        waiting.pop(0).continue_()

    new_game.route("**/new/", hold)
    new_game.answer = answer
    yield new_game
    new_game.unroute("**/new/")


@pytest.mark.long
def test_values_typed_before_the_other_variant_arrives_are_kept(slow):
    slow.locator("#says").tap()
    slow.locator(".games .chip:has([value=chinchon])").tap()
    _closes(slow)
    slow.locator("[data-other]").tap()
    slow.locator("#stake").fill("70")
    _seats(slow, "Caro", "Ana")
    slow.locator("#new-name").fill("Zu")
    slow.answer()
    slow.answer()
    expect(slow.locator("#cut_prize")).to_be_visible()
    expect(slow.locator("#stake")).to_have_value("70")
    _closes(slow)
    slow.locator("#new-name").press("End")
    slow.keyboard.type("lma")
    slow.keyboard.press("Enter")
    slow.locator(".dock .go").tap()
    expect(slow.locator(".score")).to_be_visible()
    assert ["Caro", "Ana", "Zulma"] == player_order(slow)


@pytest.mark.long
def test_the_line_of_the_rules_follows_two_of_them_changed_at_once(new_game):
    new_game.locator("#says").tap()
    new_game.locator(".games .chip:has([value=chinchon])").tap()
    expect(new_game.locator("#cut_prize")).to_be_visible()
    new_game.locator("#house > summary").tap()
    held = []
    new_game.route("**/new/", lambda route: held.append(route))
    new_game.locator("[name='option-chinchon_prize']").fill("2")
    new_game.locator("[data-stake]:has(#cut_prize) [data-to]:last-child").tap()
    until(new_game, lambda: bool(held))
    new_game.wait_for_timeout(300)
    while held:
        held.pop(0).continue_()
        new_game.wait_for_timeout(600)
    new_game.unroute("**/new/")

    expect(new_game.locator("#says")).to_contain_text("por un corte $\u00a050 · por un chinchón $\u00a01.000")


def test_a_name_without_a_seat_stays_in_its_field_with_a_reason(new_game):
    _seats(new_game, "Caro", "Ana", "Beto", "Dani")
    field, refusal = new_game.locator("#new-name"), new_game.locator("#new-name-said")
    field.fill("ana")
    new_game.locator("[data-add] button").tap()
    expect(refusal).to_have_text("Ana ya está en la mesa.")
    expect(refusal).to_be_in_viewport()
    expect(field).to_have_value("ana")
    expect(field).to_have_attribute("aria-invalid", "true")

    for name in ("Zulma", "Vera", "Ulises", "Tere"):
        field.fill(name)
        expect(refusal).to_have_text("")
        new_game.locator("[data-add] button").tap()
    field.fill("Walter")
    new_game.locator(".dock .go").tap()
    expect(refusal).to_have_text("Loba de Menos: juegan como mucho 8.")
    expect(field).to_have_value("Walter")
    assert 1 == Game.objects.count()

    field.fill("")
    new_game.get_by_role("button", name="Usar tres mazos").tap()
    expect(new_game.locator("[data-over]")).to_have_count(0)
    new_game.locator(".dock .go").tap()
    expect(new_game.locator(".score")).to_be_visible()
    crowd = ["Caro", "Ana", "Beto", "Dani", "Zulma", "Vera", "Ulises", "Tere"]
    assert (crowd, 3) == (player_order(new_game), Game.objects.order_by("-pk")[0].state().house["packs"])


@pytest.mark.long
def test_a_name_that_cannot_be_is_refused_where_it_is_typed(new_game):
    field, refusal = new_game.locator("#new-name"), new_game.locator("#new-name-said")
    _seats(new_game, "Caro", "Ana")
    field.fill("Zulma, María de los Ángeles Fernández, Vera")
    new_game.locator("[data-add] button").tap()
    expect(refusal).to_have_text("María de los Ángeles Fernández es largo: entran 20 letras como mucho.")
    expect(field).to_have_value("María de los Ángeles Fernández, Vera")

    field.fill('Ve"ra')
    new_game.locator(".dock .go").tap()
    expect(refusal).to_have_text('Ve"ra: Escribilo sin comillas dobles.')
    expect(refusal).to_be_in_viewport()
    expect(field).to_have_value('Ve"ra')
    expect(new_game.locator(".chip[title='Ve\"ra'], #players-error")).to_have_count(0)

    field.fill("Vera")
    expect(refusal).to_have_text("")
    new_game.locator(".dock .go").tap()
    expect(new_game.locator(".score")).to_be_visible()
    assert ["Caro", "Ana", "Zulma", "Vera"] == player_order(new_game)


def test_the_question_about_a_game_of_the_same_people_is_in_sight(new_game, owner):
    begin(Table.objects.get(), owner, stake=500)
    Game.objects.update(started_at=now() - timedelta(minutes=1))
    new_game.set_viewport_size({"width": 360, "height": 640})
    _seats(new_game, *PEOPLE)
    new_game.locator(".dock .go").tap()
    expect(new_game.get_by_role("link", name="Ir a esa partida")).to_be_visible()
    expect(new_game.locator("#asked")).to_be_in_viewport(ratio=1)


def test_a_drag_swaps_two_seats_and_a_tap_takes_a_player_out_who_is_seated_last_by_the_next(new_game):
    _seats(new_game, *PEOPLE)
    expect(new_game.locator("[data-dealer]")).to_have_text("Reparte Ana")
    _drags(new_game, "Ana", "Beto")
    expect(new_game.locator("[data-dealer]")).to_have_text("Reparte Beto")
    _seats(new_game, "Caro", "Dani", "Caro")
    new_game.locator(".dock .go").tap()
    expect(new_game.locator(".score")).to_be_visible()
    assert ["Beto", "Ana", "Mariela", "Caro"] == player_order(new_game)


@pytest.mark.long
def test_the_stakes_are_those_of_a_table_with_cents(page, signed_in, owner):
    table = make_table(owner, people=PEOPLE[:3])
    Table.objects.update(unit="€", decimals=2, region="es-ES")
    page.goto(f"/t/{table.code}/new/")
    picks_game("loba_menos")(page)  # in Spain a table starts with Chinchón, without money
    stake = page.locator("#stake")
    expect(stake).to_have_value("1,00")
    expect(stake).to_have_attribute("inputmode", "decimal")
    choices = page.locator("[data-stake]:has(#stake) .seg button")
    expect(choices).to_have_text(["Nada", "1", "2", "5", "10"])
    expect(page.locator(".seg [aria-pressed=true][data-to]")).to_have_text("1")

    page.locator("#game > .go").tap()
    choices.filter(has_text="5").tap()
    expect(stake).to_have_value("5,00")
    page.locator("[data-other]").tap()
    stake.fill("2")
    expect(page.locator(".seg [aria-pressed=true][data-to]")).to_have_text("2")


def test_the_names_of_a_new_game_outlive_leaving_its_page_until_it_starts(scorer):
    page = scorer.page
    page.goto("/new/")
    for name in ("Ana", "Beto"):
        write_name(scorer, name)
    chip_names = page.locator("[data-around] .chip .name")
    page.reload()
    expect(chip_names).to_have_text(["Ana", "Beto"])
    scorer.tap("main > .bar a.icon")
    expect(page.locator("main > .dock a.go")).to_be_visible()
    page.go_back()
    expect(chip_names).to_have_text(["Ana", "Beto"])
    scorer.tap("main > .sheetform > .dock .go")
    expect(page.locator(".score")).to_be_visible()
    page.goto("/new/")
    expect(chip_names).to_have_count(0)


@pytest.mark.long
def test_what_a_new_game_of_six_is_refused_for_is_in_sight_and_has_the_focus(scorer):
    page = scorer.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/new/")
    for name in ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede"):
        write_name(scorer, name)
    scorer.tap("main > .sheetform > .dock .go")
    refusal = page.locator("#players-error")
    expect(refusal).to_be_focused()
    box, dock = refusal.bounding_box(), page.locator("main .dock").bounding_box()
    assert dock["y"] <= box["y"] <= 640 - box["height"]
