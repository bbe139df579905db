"""The pad takes over the plain form of a round, in which a user has begun to enter it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Locator, Page, expect

from games.scoring.text.notation_writer import write_hand
from tests.browser.game_setup import begin, play
from tests.browser.late_scripts import HeldScripts, Posted, hold_back, let_come, posted_by, use_plain_form
from tests.browser.scorer import seat

SHOWN = 1500  # milliseconds; a pad would have come


@dataclass(frozen=True)
class Plain:
    """A round as it is entered in the plain form: its game, who closed it and how, and the hands typed."""

    variant: str
    hands: dict[str, str]
    closer: str = ""
    closing: str = ""
    options: dict[str, int | str] = field(default_factory=dict)


ROUNDS = {
    "held cards": Plain("loba_menos", {"beto": "1", "caro": "29", "dani": "[K 4]"}, "ana", "in_one_go"),
    "a contract": Plain(
        "carioca_cl",
        {"ana": "0+2", "beto": "1", "caro": "29+1", "dani": "[K 4]"},
        "ana",
        options={"buy_points": 5},
    ),
    "melds": Plain(
        "loba_mas", {"ana": "{9 9 9}{10 J Q}", "beto": "1", "caro": "-29", "dani": "{K K K}[4]"}, "ana"
    ),
    "what is left over": Plain(
        "chinchon", {"ana": "3", "beto": "1", "caro": "[5o 6o 7o 4b 1c 3e 10b]", "dani": "[12 4]"}, "ana"
    ),
    "typed points": Plain("points", {"ana": "1", "beto": "-1", "caro": "29", "dani": "0"}),
    "typed points of a game with a closer": Plain(
        "points",
        {"beto": "1", "caro": "29", "dani": "-4"},
        "ana",
        options={"closes": "one", "ending": "open"},
    ),
}
POINTS = ("1", "-1")
BOUGHT = ("0+2", "29+1")  # the pad could not type on behind bought cards


def open_plain(page: Page, address: str) -> tuple[HeldScripts, Locator]:
    """Open the page of a round while its scripts are held back. Return them and the plain form."""
    page.goto("about:blank")
    held = hold_back(page)
    page.goto(address, wait_until="commit")
    form = page.locator("#entry")
    use_plain_form(page)
    expect(form.locator("[name^=hand-]").first).to_be_visible()
    return held, form


def hand_field(page: Page, player: str) -> Locator:
    return page.locator(f"[name=hand-{player}]")


def fill_in(page: Page, entry: Plain) -> None:
    for name, value in (("closer", entry.closer), ("closing", entry.closing)):
        if value:
            page.locator(f"[name={name}][value={value}]").check()
    for player, hand in entry.hands.items():
        hand_field(page, player).fill(hand)


def put_focus(page: Page, name: str) -> None:
    """Put the focus on the field of this name, the caret at its end; without a name, on no field."""
    if not name:
        page.locator("h1").focus()
    elif name.startswith("hand-"):
        page.locator(f"[name={name}]").focus()
        page.keyboard.press("End")
    else:
        page.locator(f"[name={name}]:checked").focus()


def typed_on(posted: Posted, name: str, text: str) -> Posted:
    """Return what is posted once this text was typed behind the value of this field."""
    return [(field, value + text if field == name else value) for field, value in posted]


def hands_posted(form: Locator) -> dict[str, str]:
    return {name[5:]: hand for name, hand in posted_by(form) if name.startswith("hand-") and hand}


@pytest.mark.parametrize("entry", ROUNDS.values(), ids=ROUNDS)
def test_the_pad_goes_on_from_what_was_entered_before_it_came(scorer, table, owner, entry, subtests):
    page = scorer.page
    game = begin(table, owner, variant=entry.variant, **entry.options)
    names = ["", *(name for name in ("closer", "closing") if getattr(entry, name))]
    names += [f"hand-{player}" for player in entry.hands]
    for name in names:
        hand = entry.hands.get(name.removeprefix("hand-"))
        with subtests.test(name or "no field has the focus"):
            held, form = open_plain(page, f"/g/{game.code}/round/")
            page.evaluate("localStorage.clear()")
            fill_in(page, entry)
            expected = posted_by(form)
            put_focus(page, name)
            let_come(page, held)
            expect(page.locator("#entry[data-ready]")).to_have_count(0 if hand in BOUGHT else 1)
            assert expected == posted_by(form)

            if hand in POINTS + BOUGHT:
                page.keyboard.type("5")
                assert typed_on(expected, name, "5") == posted_by(form)
    scorer.saves()
    recorded = {player: write_hand(hand) for player, hand in game.state().rounds[-1].entry.hands}
    assert entry.hands == recorded


@pytest.fixture
def played(table, owner):
    """A game of Loba de Menos after its first round: Beto 23, Caro 29, Dani 8."""
    return play(begin(table, owner), owner, "round ana out beto=23 caro=29 dani=8")


@pytest.mark.parametrize("player", ["beto", "caro", "dani"])
def test_a_correction_goes_on_from_what_was_typed_and_not_from_what_is_recorded(scorer, played, player):
    page, address = scorer.page, f"/g/{played.code}/correct/2/"
    held, form = open_plain(page, address)
    hand_field(page, player).fill("1")
    expected = posted_by(form)
    let_come(page, held)
    assert expected == posted_by(form)
    page.keyboard.type("5")
    assert typed_on(expected, f"hand-{player}", "5") == posted_by(form)
    expect(page.locator(seat(player))).to_have_attribute("aria-current", "true")

    page.goto(address)
    expect(page.locator("#entry[data-ready]")).to_be_visible()
    assert hands_posted(form) == {"beto": "23", "caro": "29", "dani": "8", player: "15"}


@pytest.mark.long
def test_a_hand_that_is_recorded_has_the_caret_where_it_was(scorer, played):
    page = scorer.page
    for keys, hand in (("End", "235"), ("Control+A", "5"), ("Home", "523"), ("End+ArrowLeft", "253")):
        held, _form = open_plain(page, f"/g/{played.code}/correct/2/")
        page.evaluate("localStorage.clear()")
        hand_field(page, "beto").focus()
        for key in keys.split("+", 1) if keys.startswith("End") else [keys]:
            page.keyboard.press(key)
        let_come(page, held)
        page.keyboard.type("5")
        expect(hand_field(page, "beto")).to_have_value(hand)


def test_what_was_entered_counts_before_the_draft_and_the_draft_before_what_was_printed(scorer, started_game):
    page, address = scorer.page, f"/g/{started_game.code}/round/"
    page.goto(address)
    scorer.went_out("ana")
    scorer.enters("K 9 4", 29)
    held, form = open_plain(page, address)
    hand_field(page, "caro").fill("3")
    hand_field(page, "dani").fill("8")
    let_come(page, held)
    assert {"beto": "[K 9 4]", "caro": "3", "dani": "8"} == hands_posted(form)

    page.reload()
    expect(page.locator("#entry[data-ready]")).to_be_visible()
    assert {"beto": "[K 9 4]", "caro": "3", "dani": "8"} == hands_posted(form)
    held, form = open_plain(page, address)
    page.locator("[name=closer][value=dani]").check()
    let_come(page, held)
    assert {"beto": "[K 9 4]", "caro": "3"} == hands_posted(form)  # Dani has nothing left
    expect(page.locator(seat("ana"))).to_have_attribute("aria-current", "true")


@pytest.mark.long
def test_a_round_refused_without_scripts_is_as_it_was_posted_and_goes_on_from_there(scorer, started_game):
    """Ana and Beto's hand were in a draft of the pad, which the plain form does not show."""
    page, address = scorer.page, f"/g/{started_game.code}/round/"
    page.goto(address)
    scorer.went_out("ana")
    scorer.enters("K 9 4", 29)
    held, form = open_plain(page, address)
    hand_field(page, "caro").fill("3")
    held.clear()  # the next page asks for its own
    page.get_by_role("button", name="Guardar").tap(no_wait_after=True)
    expect(page.locator("#closer-error")).to_be_attached()
    use_plain_form(page)
    expect(page.locator("#closer-error")).to_be_visible()
    assert {"caro": "3"} == hands_posted(form)
    hand_field(page, "dani").fill("1")
    let_come(page, held)
    page.keyboard.type("5")
    assert {"beto": "[K 9 4]", "caro": "3", "dani": "15"} == hands_posted(form)
    assert 1 == started_game.records.count()
    scorer.saves()
    assert 2 == started_game.records.count()


HALF_TYPED = {
    "a card": ("loba_menos", "beto", "K", " 9 4", "[K 9 4]"),
    "cards in a bracket": ("loba_menos", "beto", "[K", " 9]", "[K 9]"),
    "a grouped number": ("points", "beto", "1.", "204", "1204"),
    "a minus": ("points", "beto", "-", "5", "-5"),
    "melds": ("loba_mas", "beto", "{9 9", " 9}[4]", "{9 9 9}[4]"),
    "a suit": ("chinchon", "beto", "12 7", " 4", "[12 7 4]"),
}


@pytest.mark.long
@pytest.mark.parametrize(("variant", "player", "typed", "rest", "hand"), HALF_TYPED.values(), ids=HALF_TYPED)
def test_the_plain_form_stays_while_something_is_typed_that_the_pad_cannot_go_on_from(
    scorer, table, owner, variant, player, typed, rest, hand
):
    page = scorer.page
    game = begin(table, owner, variant=variant)
    held, _form = open_plain(page, f"/g/{game.code}/round/")
    if variant != "points":
        page.locator("[name=closer][value=ana]").check()
    first = {"loba_mas": "{K K K}", "chinchon": "3", "points": "0"}.get(variant)
    for other, points in (("ana", first), ("caro", "2"), ("dani", "3")):
        if points:
            hand_field(page, other).fill(points)
    hand_field(page, player).fill(typed)
    let_come(page, held)
    page.keyboard.type(rest)
    expect(hand_field(page, player)).to_have_value(typed + rest)
    page.get_by_role("button", name="Guardar").tap()
    expect(page.locator("#entry")).to_have_count(0)
    assert hand == write_hand(dict(game.state().rounds[-1].entry.hands)[player])


@pytest.mark.long
def test_the_hand_of_who_went_out_takes_what_is_typed_into_it(scorer, started_game):
    """They have none on the pad, and the first hand there is another's."""
    page = scorer.page
    held, form = open_plain(page, f"/g/{started_game.code}/round/")
    page.locator("[name=closer][value=ana]").check()
    hand_field(page, "ana").focus()
    let_come(page, held)
    page.keyboard.type("5")
    assert {"ana": "5"} == hands_posted(form)


@pytest.mark.long
def test_a_hand_may_be_typed_before_it_is_said_who_went_out(scorer, started_game):
    page = scorer.page
    held, form = open_plain(page, f"/g/{started_game.code}/round/")
    hand_field(page, "beto").fill("1")
    let_come(page, held)
    page.keyboard.type("2")
    expect(page.locator(seat("beto"))).to_have_attribute("aria-current", "true")
    for points in (29, 8):
        scorer.goes_on()
        scorer.counted(points)
    scorer.goes_on()
    scorer.went_out("ana")
    assert {"beto": "12", "caro": "29", "dani": "8"} == hands_posted(form)


def test_without_htmx_the_plain_form_records_a_round(scorer, started_game, forgive):
    forgive("ERR_FAILED|status of 500|MIME type")
    page = scorer.page
    for answer in (lambda route: route.abort(), lambda route: route.fulfill(status=500)):
        page.route("**/htmx*.js", answer)
        page.goto(f"/g/{started_game.code}/round/")
        page.locator("[name=closer][value=ana]").check()
        for player, points in (("beto", "1"), ("caro", "2"), ("dani", "3")):
            hand_field(page, player).fill(points)
        page.wait_for_timeout(SHOWN)
        page.get_by_role("button", name="Guardar").tap()
        expect(page.locator(".score")).to_be_visible()
    assert [(0, 2, 4, 6), 3] == [
        tuple(player.total for player in started_game.state().players),
        started_game.records.count(),
    ]


def held_page(page: Page, address: str) -> HeldScripts:
    held = hold_back(page)
    page.goto(address, wait_until="commit")
    expect(page.locator(seat("ana"))).to_be_visible()
    return held


def test_before_its_script_came_the_pad_asks_who_went_out_and_keeps_the_tap(scorer, started_game):
    page = scorer.page
    held = held_page(page, f"/g/{started_game.code}/round/")
    for player in ("beto", "ana"):
        page.locator(seat(player)).tap()
        expect(page.locator(".seat[data-chosen]")).to_have_attribute("data-seat", player)
    expect(hand_field(page, "beto")).to_be_hidden()
    let_come(page, held)
    expect(page.locator("#entry[data-step=hands] .seat[aria-current]")).to_have_attribute("data-seat", "beto")
    expect(page.locator("[name=closer]:checked")).to_have_value("ana")
    expect(page.locator("[data-chosen]")).to_have_count(0)


def test_no_other_form_takes_the_place_of_a_pad_whose_script_is_late_but_by_its_button(scorer, started_game):
    page = scorer.page
    held = held_page(page, f"/g/{started_game.code}/round/")
    page.locator(seat("ana")).tap()
    button = page.locator("[data-late]")
    expect(button).to_be_hidden()
    expect(button).to_be_visible(timeout=10_000)
    expect(hand_field(page, "beto")).to_be_hidden()
    button.tap()
    expect(page.locator("[name=closer][value=ana]")).to_be_checked()
    hand_field(page, "beto").fill("1")
    let_come(page, held)
    expect(hand_field(page, "beto")).to_be_hidden()
    expect(button).to_be_hidden()
    assert {"beto": "1"} == hands_posted(page.locator("#entry"))


def test_keys_rest_until_the_script_of_their_page_has_come(scorer, started_game):
    page = scorer.page
    held = hold_back(page)
    page.goto(f"/g/{started_game.code}/adjust/", wait_until="commit")
    key = page.get_by_role("button", name="+10")
    rests = "key => [getComputedStyle(key).pointerEvents, getComputedStyle(key).opacity]"
    assert ["none", "0.5"] == key.evaluate(rests)
    let_come(page, held)
    assert ["auto", "1"] == key.evaluate(rests)
    key.tap()
    expect(page.locator("#points")).to_have_value("10")


@pytest.mark.parametrize("failure", ["500", "throws"])
def test_a_pad_whose_script_failed_is_the_plain_form_at_once(scorer, started_game, forgive, failure):
    forgive("status of 500|thrown")
    page = scorer.page
    held = held_page(page, f"/g/{started_game.code}/round/")
    page.locator(seat("ana")).tap()
    held.is_over = True
    for route in held:
        if not route.request.url.endswith("/app.js"):
            route.fallback()
        elif failure == "500":
            route.fulfill(status=500)
        else:
            route.fulfill(body="throw new Error('thrown')", content_type="text/javascript")
    expect(hand_field(page, "beto")).to_be_visible(timeout=3000)
    expect(page.locator("[name=closer][value=ana]")).to_be_checked()
    expect(page.locator(seat("ana"))).to_be_hidden()
