"""Players' own hands: sent from their phones, shown on the scorer's pad, recorded in one tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Role
from games.scoring.text.writing import write_game
from games.tables.lobby import end, sit_down
from tests.browser.nights import begin, play
from tests.browser.scorer import Scorer
from tests.worlds import become, let_in_as, make_table, make_user

SMALL = {"width": 390, "height": 664}


@pytest.fixture
def game(owner, table):
    """A game of four after its first round."""
    return play(begin(table, owner, stake=100), owner, "round ana out beto=23 caro=29 dani=8")


@pytest.fixture
def player(open_phone, table, let_in):
    """`player("beto")` is the finger of a person who is confirmed to be Beto, if nobody else is."""
    usual = table

    def comes(slug, *, phone="", table=usual, is_confirmed=True, **options):
        user = make_user(f"phone-{phone or slug}")
        if is_confirmed:
            become(user, table.members.get(slug=slug))
        else:
            let_in_as(user, table, face=slug)
        phone = open_phone(**{"viewport": SMALL, **options})
        let_in(phone, user)
        return Scorer(phone.new_page())

    return comes


def opens_own_hand(finger, game):
    finger.page.goto(f"/g/{game.code}/")
    finger.tap("a[href$='/hand/']")
    expect(finger.page.locator("form[data-own][data-ready]")).to_be_visible()


def opens_pad(scorer, game, *, closer=""):
    """Open the pad from the sheet; without a closer, at the question of the closer."""
    scorer.page.set_viewport_size(SMALL)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round(closer)


def sends(finger):
    finger.tap("[data-go]")
    expect(finger.page.locator("#sheet")).to_be_visible()


def test_a_round_of_four_is_recorded_with_hands_from_their_phones(scorer, player, game):
    beto, caro, dani = player("beto"), player("caro"), player("dani", color_scheme="dark")
    scorer.page.set_viewport_size(SMALL)
    for finger, cards in ((beto, "K 9 6"), (caro, "5")):
        opens_own_hand(finger, game)
        finger.holds(cards)
        sends(finger)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    expect(scorer.page.locator(".seat .sent")).to_have_count(2)
    opens_own_hand(dani, game)
    dani.tap("[data-previous]")
    sends(dani)
    expect(scorer.page.locator("form[data-step=hands]")).to_be_visible()
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("[K 9 6]")
    scorer.opens("ana")
    scorer.holds("4")
    scorer.saves()
    scorer.sees_totals("4", "48", "34", "8")
    assert ["beto", "caro", "dani"] == sorted(game.hand_sources.values_list("player", flat=True))


def test_hands_of_the_other_kinds_of_games_can_be_sent(player, table, owner):
    beto = player("beto")
    for variant in ("chinchon", "loba_mas", "points"):
        game = begin(table, owner, variant=variant)
        opens_own_hand(beto, game)
        if variant == "chinchon":
            beto.tap("[data-previous]")
            beto.cuts_with(3)
        elif variant == "loba_mas":
            beto.lays_set("9")
            beto.keeps("4")
        else:
            beto.counted(7)
        sends(beto)
        offer = game.offers.get()
        assert {
            "chinchon": ("cut", "3"),
            "loba_mas": ("", "{9 9 9}[4]"),
            "points": ("", "7"),
        }[variant] == (offer.closing, offer.hand)


def test_filling_in_zeros_skips_a_player_whose_phone_sends_points(scorer, player, table, owner):
    beto = player("beto")
    game = begin(table, owner, variant="points")
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    scorer.counted(12)
    scorer.tap("[data-zeros]")
    assert ["12", "", "0", "0"] == [field.input_value() for field in hands_posted(scorer)]
    expect(scorer.page.locator("[data-zeros]")).to_be_disabled()
    opens_own_hand(beto, game)
    beto.counted(7)
    sends(beto)
    scorer.tap("#entry [data-look]")
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("7")
    scorer.saves()
    scorer.sees_totals("12", "7", "0", "0")


def hands_posted(finger):
    """Return the fields of the hands that the pad posts, in seat order."""
    return finger.page.locator("#entry input[name^='hand-']").all()


def test_the_scorer_chooses_between_two_phones_of_one_player(scorer, player, game):
    phones = [player("beto", phone=phone, is_confirmed=False) for phone in ("beto", "tablet")]
    for finger, cards in zip(phones, ("K 9", "5"), strict=True):
        opens_own_hand(finger, game)
        finger.holds(cards)
        sends(finger)
    opens_pad(scorer, game, closer="ana")
    choices = scorer.page.locator("[data-notes] button")
    expect(choices).to_have_text(["Usar [K 9]", "Usar [5]"])
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("")
    scorer.tap(choices.last)
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("[5]")
    scorer.goes_on()
    scorer.enters("K", "4")
    scorer.saves()
    scorer.sees_totals("0", "28", "39", "12")
    assert [("beto", "phone-tablet", False)] == [
        (source.player, source.brought_by.username, source.is_changed) for source in game.hand_sources.all()
    ]


def test_changing_a_wrongly_chosen_player_moves_the_hand(scorer, player, game):
    caro = player("beto", phone="caro", is_confirmed=False)
    opens_own_hand(caro, game)
    caro.holds("K")
    sends(caro)
    caro.tap(".dock a[href$='/me/']")
    caro.tap("button[name=face][value=caro]")
    caro.page.wait_for_url("**/g/*/")
    opens_own_hand(caro, game)
    assert ["hand-caro"] == [field.get_attribute("name") for field in hands_posted(caro)]
    caro.holds("9 5")
    sends(caro)
    opens_pad(scorer, game, closer="ana")
    expect(scorer.page.locator("[name='hand-caro']")).to_have_value("[9 5]")
    expect(scorer.page.locator("[name='hand-beto']")).to_have_value("")


def test_a_phone_removed_while_typing_keeps_its_hand_and_sends_nothing(player, game, owner, forgive):
    forgive("status of 404")
    beto = player("beto")
    opens_own_hand(beto, game)
    beto.holds("K 9")
    end(game.table.accesses.get(user__username="phone-beto"), by=owner)
    beto.tap("[data-go]")
    expect(beto.page.locator("main.gone")).to_contain_text("[K 9]")
    assert 0 == game.offers.count()


def test_a_second_scorer_takes_over_with_the_sent_hands(scorer, player, game, open_phone, let_in):
    beto = player("beto")
    opens_own_hand(beto, game)
    beto.tap("[data-previous]")
    sends(beto)
    opens_pad(scorer, game)
    scorer.page.context.close()  # the battery is empty
    second = make_user("second")
    let_in_as(second, game.table, Role.SCORER)
    phone = open_phone(viewport=SMALL)
    let_in(phone, second)
    other = Scorer(phone.new_page())
    opens_pad(other, game)
    expect(other.page.locator("form[data-step=hands]")).to_be_visible()
    other.enters("K", "9", "4")
    other.saves()
    other.sees_totals("10", "23", "38", "12")
    assert ["phone-beto"] == [source.brought_by.username for source in game.hand_sources.all()]


def test_a_hand_sent_after_its_round_is_refused_and_stays_visible(player, game, owner, forgive):
    forgive("status of 409")
    beto = player("beto")
    opens_own_hand(beto, game)
    beto.holds("K 9")
    play(game, owner, "round dani out ana=5 beto=19 caro=3")
    beto.tap("[data-go]")
    expect(beto.page.locator(".errors")).to_contain_text("Esa mano ya terminó: estas cartas no se contaron.")
    expect(beto.page.locator("[name='hand-beto']")).to_have_value("[K 9]")
    assert 0 == game.offers.count()


@pytest.mark.parametrize("variant", ["loba_menos", "loba_ca", "carioca_ar", "carioca_cl"])
def test_every_game_with_cards_in_hand_accepts_own_hands(player, table, owner, variant):
    beto, caro = player("beto"), player("caro")
    game = begin(table, owner, variant=variant)
    opens_own_hand(beto, game)
    beto.tap("[data-previous]")
    sends(beto)
    opens_own_hand(caro, game)
    caro.holds("K 9")
    sends(caro)
    assert {"beto": (True, ""), "caro": (False, "[K 9]")} == {
        offer.player: (bool(offer.closing), offer.hand) for offer in game.offers.all()
    }


# The closer of each round of the night, and the cards of the others, in the notation of NOTATION.md.
CLOSERS = ("ana", "caro", "dani", "eva", "ana", "beto", "beto", "caro", "eva")
FIVE = ("ana", "beto", "caro", "dani", "eva")
HIGH = (
    "beto",
    "beto",
    "beto",
    "caro",
    "caro",
    "caro",
    "dani",
    "dani",
    "dani",
)  # the player with the most points


def cards_of(place, player):
    return "K Q J 10" if HIGH[place] == player else "4"


def as_lines():
    """Yield the night as one phone records it: three players go bust, two of them come back."""
    for place, closer in enumerate(CLOSERS):
        hands = [f"{one}=[{cards_of(place, one)}]" for one in FIVE if one != closer]
        yield f"round {closer} out {' '.join(hands)}"
        if place in (2, 5, 8):
            yield f"{'stay_out' if place == 8 else 'reenter'} {HIGH[place]}"


def test_nine_rounds_from_five_phones_equal_the_game_that_one_phone_records(scorer, player, owner):
    """In each round the scorer taps twice in addition to their own cards; the others tap twice, and once
    more to close.
    """
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Eva"))
    options: dict[str, int | str] = {"stake": 100, "reentry_price": "linear", "reentries": "unlimited"}
    game = begin(table, owner, **options)
    fingers = {slug: player(slug, table=table) for slug in FIVE[1:]}
    sit_down(table, owner, face=table.members.get(slug="ana"))
    for finger in (*fingers.values(), scorer):
        finger.page.set_viewport_size(SMALL)
        finger.page.goto(f"/g/{game.code}/")
    for place, closer in enumerate(CLOSERS):
        for slug, finger in fingers.items():
            before = finger.taps
            plays_own(finger, "" if slug == closer else cards_of(place, slug))
            assert 2 + (1 if slug == closer else len(cards_of(place, slug).split())) == finger.taps - before
        before = scorer.taps
        records(scorer, closer, cards_of(place, "ana"))
        assert 2 + (0 if closer == "ana" else len(cards_of(place, "ana").split())) == scorer.taps - before
        if place in (2, 5, 8):
            scorer.answers("stay_out" if place == 8 else "reenter")
        expect(scorer.page.locator("#sheet")).to_be_visible()
    alone = play(begin(table, owner, **options), owner, *as_lines())
    assert write_game(alone.log()) == write_game(game.log())
    assert 4 * 9 == game.hand_sources.filter(is_changed=False).count()


def plays_own(finger, cards):
    """Send this player's own hand from the sheet; without cards, declare that they closed the round."""
    finger.tap("a[href$='/hand/']")
    expect(finger.page.locator("form[data-own][data-ready]")).to_be_visible()
    if cards:
        finger.holds(cards)
    else:
        finger.tap("[data-previous]")
    sends(finger)


def records(scorer, closer, own):
    """Record the round from the sheet after all other hands have arrived."""
    scorer.tap(f".closers [data-closer={closer}]")
    taken = scorer.page.locator("#entry[data-ready] .seat .sent", has_text="del celular")
    expect(taken).to_have_count(4 if closer == "ana" else 3)
    if closer != "ana":
        scorer.holds(own)
    scorer.saves()
