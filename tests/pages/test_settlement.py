"""The result: places, every amount with its causes, who pays whom, and the text for the group."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from games import services
from games.members import change_member
from games.scoring.events import (
    GameStopped,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    RoundPlayed,
    SeatHandedOver,
    Stop,
)
from games.scoring.ledger import nets, payments
from games.scoring.notation import read_line
from games.scoring.rounds import Hand, RoundEntry
from tests.pages.reader import Walker, read_page
from tests.tables import a_round, make_table, make_user, start

pytestmark = pytest.mark.django_db


def _page(client, game):
    response = client.get(reverse("settlement", args=[game.code]))
    assert 200 == response.status_code
    return read_page(response)


def amount(text):
    """The whole number in an amount: `−$ 1,200` is -1200."""
    figure = int(re.sub(r"[^0-9]", "", text))
    return -figure if "−" in text else figure


def play(game, write, *lines):
    """The game with these lines of notation recorded."""
    for line in lines:
        write(game, *read_line(line))
    return game


def placed(page):
    """What stands of everybody before any amount is opened, in the order of the places."""
    rows = page.only("div", id="standings").every("summary") or page.only("div", id="standings").every("div")
    return [row.text for row in rows]


def matrix(page):
    """Pair by pair, by the names of row and column."""
    (table,) = page.every("table", class_="matrix")
    names = [head.text for head in table.every("th", scope="col")]
    rows = table.only("tbody").every("tr")
    return {
        row.only("th").text: dict(zip(names, [cell.text for cell in row.every("td")], strict=True))
        for row in rows
    }


def standings(page):
    """By name: the amount shown, and the causes behind it."""
    folds = page.only("div", id="standings").every("details")
    return {
        fold.only("span", class_="name").text: (
            amount(next(span.text for span in fold.every("span") if "figure" in span.attrs.get("class", ""))),
            [(row.only("dt").text, amount(row.only("dd").text)) for row in fold.only("dl").every("div")],
        )
        for fold in folds
    }


def test_the_winner_and_everybodys_money_are_shown(ana, finished):
    page = _page(ana, finished)

    assert "Ana wins" in page.only("h1").text
    assert {"Ana": 400, "Beto": -200, "Caro": -100, "Dani": -100} == {
        name: net for name, (net, _causes) in standings(page).items()
    }


def test_every_amount_opens_to_its_causes(ana, finished):
    assert {
        "Ana": (400, [("Stake", -100), ("The pot", 500)]),
        "Beto": (-200, [("Stake", -100), ("Re-entry 1, after round 1", -100)]),
        "Caro": (-100, [("Stake", -100)]),
        "Dani": (-100, [("Stake", -100)]),
    } == standings(_page(ana, finished))


def split(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, PlayerLeft("dani"))
    write(game, GameStopped(Stop.SPLIT_POT))


def refund(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, GameStopped(Stop.REFUND))


def newcomer(game, write):
    services.add_member(game.table, "Eva")
    write(game, a_round("ana", beto=50, caro=40, dani=60))
    write(game, PlayerJoined(Player("eva", "Eva"), after="ana"))
    write(game, a_round("ana", beto=51, caro=61, dani=41, eva=41))


def handover(game, write):
    services.add_member(game.table, "Eva")
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, SeatHandedOver("beto", Player("eva", "Eva")))
    write(game, a_round("ana", eva=51, caro=61, dani=41))


@pytest.mark.parametrize("played", [split, refund, newcomer, handover])
def test_the_causes_add_up_to_each_net_and_the_nets_to_nothing(ana, table, owner, write, played):
    game = start(table, owner, stake=101, late_entry="on", reentries="unlimited", reentry_price="double")
    played(game, write)
    state = game.state()
    shown = standings(_page(ana, game))

    assert {state.name(player): net for player, net in nets(state).items()} == {
        name: net for name, (net, _causes) in shown.items()
    }
    for net, causes in shown.values():
        assert net == sum(moved for _why, moved in causes)
    assert 0 == sum(net for net, _causes in shown.values())


def test_the_payments_clear_every_net(ana, finished):
    page = _page(ana, finished)
    paid = [fold.only("summary").text for fold in page.only("div", id="payments").every("details")]

    assert ["Beto → Ana $ 200", "Caro → Ana $ 100", "Dani → Ana $ 100"] == paid
    assert 3 == len(payments(finished.state()))


def test_the_text_for_the_group_says_all_of_it_and_whatsapp_gets_the_same(ana, finished):
    page = _page(ana, finished)
    text = page.only("textarea").text
    (link,) = [link for link in page.every("a") if "wa.me" in link.attrs["href"]]

    for part in ("Mesa de los jueves", "Ana wins", "Beto → Ana: $ 200", "Out at 101", "stake $ 100"):
        assert part in text
    sent = parse_qs(urlsplit(link.attrs["href"]).query)["text"][0]
    assert text == " ".join(sent.split())


def test_a_game_for_points_shows_no_money(ana, table, owner, write):
    game = start(table, owner, settlement="none")
    write(game, a_round("ana", beto=101, caro=102, dani=103))
    page = _page(ana, game)

    assert "$" not in page.only("main").text
    assert "Who pays whom" not in page.only("main").text


def test_a_refund_has_no_winner(ana, game, write):
    refund(game, write)
    page = _page(ana, game)

    assert (
        "Nobody wins, everybody takes his money back" in page.only("h1").text
        or "Nobody wins" in page.only("h1").text
    )
    assert "Nobody owes anything." in page.only("main").text


# --- the other games --------------------------------------------------------------------------------------------------


@pytest.fixture
def mas(table, owner, write):
    """Loba de Más as in RULES 3.4: 160, 130, 20 and -20, at ten a point."""
    game = start(table, owner, variant="loba_mas", point_value=10)
    return play(game, write, "round ana out ana=155 beto=130 caro=20 dani=-20")


def test_loba_de_mas_is_placed_by_most_points(ana, mas):
    assert [
        "1 . A Ana 1st 160 points +$ 3,500",
        "2 . B Beto 130 points +$ 2,300",
        "3 . C Caro 20 points −$ 2,100",
        "4 . D Dani −20 points −$ 3,700",
    ] == placed(_page(ana, mas))


def test_pairs_are_shown_one_against_the_other(ana, mas):
    shown = matrix(_page(ana, mas))

    assert {"Ana": "·", "Beto": "+300", "Caro": "+1,400", "Dani": "+1,800"} == shown["Ana"]
    assert {"Ana": "−1,800", "Beto": "−1,500", "Caro": "−400", "Dani": "·"} == shown["Dani"]


def test_every_pair_is_a_cause_with_its_points(ana, mas):
    assert (
        3500,
        [
            ("With Beto: 30 points × $ 10", 300),
            ("With Caro: 140 points × $ 10", 1400),
            ("With Dani: 180 points × $ 10", 1800),
        ],
    ) == standings(_page(ana, mas))["Ana"]


def test_two_players_need_no_matrix(ana, owner, write):
    table = make_table(owner, people=("Ana", "Beto"))
    game = start(table, owner, variant="loba_mas")
    page = _page(ana, play(game, write, "round ana out ana=155 beto=20"))

    assert [] == page.every("table")
    assert 1 == len(page.only("div", id="payments").every("details"))


def test_who_went_home_settled_at_once(ana, table, owner, write):
    game = start(table, owner, variant="loba_mas")
    play(game, write, "round ana out ana=55 beto=30 caro=20 dani=10", "leave dani")
    page = _page(ana, play(game, write, "round ana out ana=100 beto=0 caro=0"))

    assert ("With Dani, after round 1: 50 points × $ 1", 50) in standings(page)["Ana"][1]
    assert "went home" in placed(page)[3]
    assert "+50" == matrix(page)["Ana"]["Dani"]


@pytest.fixture
def carioca(table, owner):
    """Begins an Argentine Carioca and plays its seven contracts: Ana wins five of them, Beto two."""

    def begin(write, **options):
        game = start(table, owner, variant="carioca_ar", **options)
        lines = ["round ana out beto=20 caro=30 dani=40"] * 5 + ["round beto out ana=5 caro=10 dani=10"] * 2
        return play(game, write, *lines)

    return begin


def test_contract_games_say_how_many_rounds_everybody_won(ana, write, carioca):
    assert [
        "1 . A Ana 1st 10 points · 5 rounds won",
        "2 . B Beto 100 points · 2 rounds won",
        "3 . C Caro 170 points · 0 rounds won",
        "4 . D Dani 220 points · 0 rounds won",
    ] == placed(_page(ana, carioca(write)))


def test_everybodys_own_points_go_to_who_won(ana, write, carioca):
    shown = standings(_page(ana, carioca(write, settlement="to_winner", point_value=2)))

    assert (980, [("The others' points", 980)]) == shown["Ana"]
    assert (-200, [("Own points, to the winner: 100 points × $ 2", -200)]) == shown["Beto"]


def test_contract_games_settle_pair_by_pair_too(ana, write, carioca):
    page = _page(ana, carioca(write, settlement="pairs"))

    assert "+90" == matrix(page)["Ana"]["Beto"]
    assert "−120" == matrix(page)["Dani"]["Beto"]


@pytest.mark.parametrize("variant", ["loba_ca", "carioca_ar", "carioca_cl"])
def test_every_contract_game_has_a_result(ana, table, owner, write, variant):
    game = start(table, owner, variant=variant, settlement="pot", stake=50)
    rounds = len(game.state().rules.contracts)
    page = _page(ana, play(game, write, *["round caro out ana=5 beto=6 dani=7"] * rounds))

    assert "Caro wins" in page.only("h1").text
    assert 3 == len(page.only("div", id="payments").every("details"))


@pytest.fixture
def chinchon(table, owner, write):
    """Caro re-entered once, Dani did not; Ana cut twice and made chinchón in the end."""
    game = start(table, owner, variant="chinchon", stake=10, cut_prize=2)
    return play(
        game,
        write,
        "round ana cut ana=3 beto=30 caro=101 dani=101",
        "reenter caro ; stay_out dani",
        "round beto cut ana=8 beto=2 caro=4",
        "round ana cut ana=1 beto=9 caro=5",
        "round ana chinchon",
    )


def test_all_cut_prizes_of_somebody_are_one_cause_that_names_its_rounds(ana, chinchon):
    shown = standings(_page(ana, chinchon))

    assert ("Prizes for the cuts of rounds 1, 3, 4", 14) in shown["Ana"][1]
    assert ("Paid for the cut of round 2", -2) in shown["Ana"][1]
    assert ("Prize for the cut of round 2", 4) in shown["Beto"][1]
    assert ("Paid for the cuts of rounds 1, 3, 4", -6) in shown["Beto"][1]
    assert ("Prize for the chinchón", 20) in shown["Ana"][1]


def test_a_chinchon_is_what_is_cheered(ana, chinchon):
    (moment,) = _page(ana, chinchon).every("div", class_="moment")

    assert "A Chinchón · +$ 72" == moment.text


def test_the_foot_says_what_the_prizes_were(ana, chinchon):
    text = _page(ana, chinchon).only("textarea").text

    assert "Out at 101 · stake $ 10 · for a cut $ 2 · for a chinchón $ 10" in text


def test_eight_players_are_placed_and_pay(ana, owner, write):
    people = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fito", "Gabi", "Hugo")
    table = make_table(owner, people=people)
    game = start(table, owner, variant="chinchon", packs=2)
    hands = " ".join(f"{name.lower()}={101 + place}" for place, name in enumerate(people[1:]))
    page = _page(ana, play(game, write, f"round ana cut ana=0 {hands}"))

    assert 8 == len(placed(page))
    assert 7 == len(page.only("div", id="payments").every("details"))


# --- what is made of it -----------------------------------------------------------------------------------------------


def test_what_was_won_and_lost_adds_up_to_zero_and_says_so(ana, finished):
    assert "add up to zero" in _page(ana, finished).only("main").text


def test_several_winners_are_cheered_together(ana, table, owner, write):
    game = start(table, owner, stake=101)
    split(game, write)
    (moment,) = _page(ana, game).every("div", class_="moment")

    assert "A B C $ 505" == moment.text


def test_nobody_is_cheered_where_everybody_took_his_money_back(ana, game, write):
    refund(game, write)

    assert [] == _page(ana, game).every("div", class_="moment")


def ticked(client, finished):
    """Each payment of the result: what may be ticked off is a form, what was paid says so."""
    rows = _page(client, finished).only("div", id="payments").every("div")
    return [
        "paid" if row.attrs["class"] == "pay done" else len(row.every("form"))
        for row in rows
        if row.attrs.get("class", "").startswith("pay")
    ]


def test_whoever_records_ticks_off_what_is_paid(ana, finished):
    assert [1, 1, 1] == ticked(ana, finished)
    form = _page(ana, finished).only("div", id="payments").every("form")[0]

    assert 302 == ana.post(form.attrs["action"], form.fields).status_code
    assert ["paid", 1, 1] == ticked(ana, finished)


def test_a_payment_that_a_correction_made_another_is_not_ticked_off_here(ana, finished, write):
    form = _page(ana, finished).only("div", id="payments").every("form")[0]
    ana.post(form.attrs["action"], form.fields)
    write(finished, *read_line("correct 1 game loba_menos stake=200"))

    assert [0, 1, 1] == ticked(ana, finished)


def test_who_only_watches_sees_no_ticks(ana, waldo, finished):
    form = _page(ana, finished).only("div", id="payments").every("form")[0]
    ana.post(form.attrs["action"], form.fields)

    assert [0, 0, 0] == ticked(waldo, finished)


def drawn(page):
    """What the picture is drawn from."""
    (button,) = [button for button in page.every("button") if "data-picture" in button.attrs]
    return button, json.loads(button.attrs["data-drawn"])


def test_the_picture_says_what_the_page_says(ana, mas):
    button, result = drawn(_page(ana, mas))

    assert "/static/picture.js" == button.attrs["data-picture"]
    assert re.fullmatch(r"loba_mas-\d{4}-\d{2}-\d{2}\.png", button.attrs["data-file"])
    assert "Ana wins" == result["title"]
    assert ["Ana", "Beto", "Caro", "Dani"] == [person["name"] for person in result["people"]]
    assert ["+$\u00a03,500", "160 points", "1"] == [
        result["people"][0][key] for key in ("figure", "below", "place")
    ]
    assert [("Dani", "Ana"), ("Caro", "Beto"), ("Dani", "Beto")] == [
        (paid["payer"]["name"], paid["payee"]["name"]) for paid in result["payments"]
    ]
    assert "Over at 150 · $\u00a010 a point" == result["rules"]


def test_a_picture_of_points_alone_has_the_points_on_the_right(ana, write, carioca):
    _button, result = drawn(_page(ana, carioca(write)))

    assert ["10 points", "5 rounds won"] == [result["people"][0][key] for key in ("figure", "below")]
    assert ("", []) == (result["paying"], result["payments"])


def test_a_witness_sees_and_sends_the_result(waldo, finished):
    page = _page(waldo, finished)

    assert {"Ana": 400, "Beto": -200, "Caro": -100, "Dani": -100} == {
        name: net for name, (net, _causes) in standings(page).items()
    }
    assert "Beto → Ana" in page.only("textarea").text
    assert [] == page.every("form")


def test_a_renamed_player_has_his_new_name_in_old_results(ana, finished):
    change_member(finished.table.members.get(slug="beto"), name="Alberto", colour=7)
    page = _page(ana, finished)

    assert "Alberto" in standings(page)
    assert "Beto" not in page.only("main").text.replace("Alberto", "")


def test_a_running_game_has_no_result_yet(ana, game):
    assert reverse("sheet", args=[game.code]) == ana.get(reverse("settlement", args=[game.code])).url


def test_hostile_names_do_no_harm(phone_of, db, write):
    owner = make_user("olga")
    table = make_table(owner, people=("<script>", "A&B=1", "#x"), name="</textarea><b>")
    game = start(table, owner)
    first, *others = table.members.values_list("slug", flat=True)
    hands = tuple((slug, Hand(points=101)) for slug in others)
    write(game, RoundPlayed(RoundEntry(first, "out", hands)), by=owner)
    page = _page(phone_of(owner), game)

    assert "</textarea><b>" in page.only("textarea").text
    (link,) = [link for link in page.every("a") if "wa.me" in link.attrs["href"]]
    assert "A&B=1" in parse_qs(urlsplit(link.attrs["href"]).query)["text"][0]


def test_the_result_speaks_spanish(phone_of, owner, finished):
    page = _page(phone_of(owner, language="es-AR"), finished)

    assert "Ana" in page.only("h1").text
    assert "wins" not in page.only("h1").text


def test_of_a_game_taken_away_nothing_is_ticked_off_and_the_page_says_why(ana, finished):
    services.discard_game(finished)
    walker = Walker(ana)
    page = walker.open(reverse("settlement", args=[finished.code]))

    assert ["The game was taken away"] == page.notices
    assert "Tick off" not in page.only("main").text
    assert reverse("dues", args=[finished.code]) not in [link.attrs["href"] for link in page.every("a")]
    walker.press("Undo")
    finished.refresh_from_db()
    assert finished.discarded_at is None
