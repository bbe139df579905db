"""The result page: places, every amount with its causes, who pays whom, and the text for the group."""

from __future__ import annotations

import json
import re
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from games.models import Grant, Role
from games.money import holders, ticks
from games.money.balances import balances_of
from games.people.members import add_member
from games.play import recording as services
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
from games.scoring.ledger import nets
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.text.notation import read_line
from tests.reader import Walker, open_page, read_page, whole_number
from tests.tables import a_key, a_round, make_table, make_user, start

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def _page(client, game):
    return open_page(client, reverse("settlement", args=[game.code]))


def play(game, write, *lines):
    """Record these lines of the notation in the game and return it."""
    for line in lines:
        write(game, *read_line(line))
    return game


def placed(page):
    """Return the table row of each player, with place and folded causes, in the order of the places."""
    rows = page.only("div", id="standings").every("summary") or page.only("div", id="standings").every("div")
    return [row.text for row in rows]


def matrix(page):
    """Return each amount by the names of its row and its column."""
    (table,) = page.every("table", class_="matrix")
    names = [head.text for head in table.every("th", scope="col")]
    rows = table.only("tbody").every("tr")
    return {
        row.only("th").text: dict(zip(names, [cell.text for cell in row.every("td")], strict=True))
        for row in rows
    }


def standings(page):
    """Return for each name the amount and its causes."""
    folds = page.only("div", id="standings").every("details")
    return {
        fold.only("span", class_="name").text: (
            whole_number(
                next(span.text for span in fold.every("span") if "figure" in span.attrs.get("class", ""))
            ),
            [
                (row.only("dt").text, whole_number(row.only("dd").text))
                for row in fold.only("dl").every("div")
            ],
        )
        for fold in folds
    }


def test_every_players_amount_unfolds_its_causes(ana, finished):
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
    add_member(game.table, "Eva")
    write(game, a_round("ana", beto=50, caro=40, dani=60))
    write(game, PlayerJoined(Player("eva", "Eva"), after="ana"))
    write(game, a_round("ana", beto=51, caro=61, dani=41, eva=41))


def comeback(game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, PlayerLeft("beto"))
    write(game, PlayerJoined(Player("beto", "Beto"), after="ana"))
    write(game, a_round("ana", beto=51, caro=20, dani=20))
    write(game, PlayerReentered("beto"))
    write(game, a_round("beto", ana=101, caro=61, dani=41))


def handover(game, write):
    add_member(game.table, "Eva")
    write(game, a_round("ana", beto=101, caro=40, dani=60))
    write(game, PlayerReentered("beto"))
    write(game, SeatHandedOver("beto", Player("eva", "Eva")))
    write(game, a_round("ana", eva=51, caro=61, dani=41))


@pytest.mark.parametrize("played", [split, refund, newcomer, comeback, handover])
def test_the_causes_add_up_to_each_players_net_result_and_these_to_zero(ana, table, owner, write, played):
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


def test_the_text_for_the_group_has_result_debts_and_rules_and_whatsapp_gets_the_same(ana, finished):
    page = _page(ana, finished)
    text = page.only("textarea").text
    (link,) = [link for link in page.every("a") if "wa.me" in link.attrs["href"]]

    for part in ("Mesa de los jueves", "Ana wins", "Beto → Ana: $ 200", "Limit 101", "stake $ 100"):
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

    assert "Nobody wins" in page.only("h1").text
    assert "Nobody owes anything." in page.only("main").text
    assert [] == page.every("div", class_="moment")


# --- the other games --------------------------------------------------------------------------------------------------


@pytest.fixture
def mas(table, owner, write):
    """A game of Loba de Más with the totals of RULES 3.4: 160, 130, 20 and -20, at ten a point."""
    game = start(table, owner, variant="loba_mas", point_value=10)
    return play(game, write, "round ana out ana=155 beto=130 caro=20 dani=-20")


def test_loba_de_mas_ranks_the_most_points_first(ana, mas):
    assert [
        "1 . A Ana 1st 160 points +$ 3,500",
        "2 . B Beto 130 points +$ 2,300",
        "3 . C Caro 20 points −$ 2,100",
        "4 . D Dani −20 points −$ 3,700",
    ] == placed(_page(ana, mas))


def test_a_matrix_shows_the_amount_between_each_pair(ana, mas):
    shown = matrix(_page(ana, mas))

    assert {"Ana": "·", "Beto": "+300", "Caro": "+1,400", "Dani": "+1,800"} == shown["Ana"]
    assert {"Ana": "−1,800", "Beto": "−1,500", "Caro": "−400", "Dani": "·"} == shown["Dani"]


def test_every_pair_is_listed_as_a_cause_with_its_points(ana, mas):
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


def test_a_player_who_left_early_is_settled_with_the_points_at_that_moment(ana, table, owner, write):
    game = start(table, owner, variant="loba_mas")
    play(game, write, "round ana out ana=55 beto=30 caro=20 dani=10", "leave dani")
    page = _page(ana, play(game, write, "round ana out ana=100 beto=0 caro=0"))

    assert ("With Dani, after round 1: 50 points × $ 1", 50) in standings(page)["Ana"][1]
    assert "went home" in placed(page)[3]
    assert "+50" == matrix(page)["Ana"]["Dani"]


@pytest.fixture
def carioca(table, owner):
    """An Argentine Carioca whose seven contracts were played: Ana won five of them, Beto two."""

    def begin(write, **options):
        game = start(table, owner, variant="carioca_ar", **options)
        lines = ["round ana out beto=20 caro=30 dani=40"] * 5 + ["round beto out ana=5 caro=10 dani=10"] * 2
        return play(game, write, *lines)

    return begin


def test_contract_games_show_the_number_of_rounds_each_player_won(ana, write, carioca):
    assert [
        "1 . A Ana 1st 10 points · 5 rounds won",
        "2 . B Beto 100 points · 2 rounds won",
        "3 . C Caro 170 points · 0 rounds won",
        "4 . D Dani 220 points · 0 rounds won",
    ] == placed(_page(ana, carioca(write)))


def test_each_players_points_are_paid_to_the_winner(ana, write, carioca):
    shown = standings(_page(ana, carioca(write, settlement="to_winner", point_value=2)))

    assert (980, [("The others' points", 980)]) == shown["Ana"]
    assert (-200, [("Own points, to the winner: 100 points × $ 2", -200)]) == shown["Beto"]


@pytest.fixture
def chinchon(table, owner, write):
    """A game of Chinchón: Caro re-entered once, Dani did not; Ana cut twice and made chinchón at the end."""
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


def test_all_cut_prizes_of_a_player_are_one_cause_that_names_the_rounds(ana, chinchon):
    shown = standings(_page(ana, chinchon))

    assert ("Prizes for the cuts of rounds 1, 3, 4", 14) in shown["Ana"][1]
    assert ("For the cut of round 2", -2) in shown["Ana"][1]
    assert ("Prize for the cut of round 2", 4) in shown["Beto"][1]
    assert ("For the cuts of rounds 1, 3, 4", -6) in shown["Beto"][1]
    assert ("Prize for the chinchón", 20) in shown["Ana"][1]


def test_the_page_and_the_picture_break_the_pot_down_into_stakes_and_re_entries(ana, chinchon):
    page = _page(ana, chinchon)
    story = {"title": "Pot of $\u00a050", "grown": "4 stakes ($\u00a040) + 1 re-entry ($\u00a010)"}

    assert story == drawn(page)[1]["pot"]
    assert "Pot of $ 50 = 4 stakes ($ 40) + 1 re-entry ($ 10)" in page.only("main").text


def test_a_chinchon_is_celebrated_at_the_top(ana, chinchon):
    (moment,) = _page(ana, chinchon).every("div", class_="moment")

    assert "A Chinchón +$ 72" == moment.text


def test_the_text_ends_with_the_prizes_of_the_house_rules(ana, chinchon):
    text = _page(ana, chinchon).only("textarea").text

    assert "Limit 101 · stake $ 10 · for a cut $ 2 · for a chinchón $ 10" in text


# --- celebrating the winners ------------------------------------------------------------------------------------------


def test_the_page_says_that_wins_and_losses_add_up_to_zero(ana, finished):
    assert "add up to zero" in _page(ana, finished).only("main").text


def test_several_winners_are_celebrated_together(ana, table, owner, write):
    game = start(table, owner, stake=101)
    split(game, write)
    (moment,) = _page(ana, game).every("div", class_="moment")

    assert "A B C $ 505 Ana $ 168 · Beto $ 169 · Caro $ 168" == moment.text


def test_each_winners_part_of_a_shared_pot_is_shown(ana, table, owner, write):
    game = start(table, owner, stake=99)
    split(game, write)
    page = _page(ana, game)
    (moment,) = page.every("div", class_="moment")

    assert "A B C $ 495 $ 165 each" == moment.text
    assert "1st" not in page.only("main").text
    assert 3 == page.only("main").text.count("shares")


# --- debts and payments ----------------------------------------------------------------------------------------------


def owed(page):
    """Return each line of who pays whom, with an x if it is paid and a dot if a tap can change that."""
    rows = [
        row
        for row in page.only("div", id="payments").every("div")
        if row.attrs.get("class", "").startswith("pay")
    ]
    return [
        ("x " if "done" in row.attrs["class"] else "")
        + row.only("summary").text
        + (" ·" if row.every("form") else "")
        for row in rows
    ]


def notes(page):
    """Return the notes below who pays whom."""
    return [note.text for note in page.every("p", class_="soft fine foot note")]


def in_text(page):
    """Return the lines about who pays whom of the text for the group, without the house rules."""
    lines = page.only("textarea").inside[0].replace("\u00a0", " ").split("\n")
    return [line for line in lines if "→" in line or line.endswith(":")]


def in_picture(page):
    _button, result = drawn(page)

    def lines(payments):
        return [
            f"{paid['payer']['name']} → {paid['payee']['name']} {paid['amount']}".replace("\u00a0", " ")
            for paid in payments
        ]

    below = {part["title"]: lines(part["payments"]) for part in result["below"]}
    return lines(result["payments"]), below


def tap(client, page, label):
    """Press the tick with this label and return the response."""
    form, _button = page.form_with(label)
    return client.post(form.attrs["action"], form.fields)


def test_a_tick_is_taken_back_and_restored_with_one_tap_on_the_same_page(ana, table, finished):
    walker = Walker(ana)
    walker.open(reverse("settlement", args=[finished.code]))
    walker.press("Beto paid Ana")

    assert ["x Beto → Ana $ 200 ·", "Caro → Ana $ 100 ·", "Dani → Ana $ 100 ·"] == owed(walker.page)
    assert ["Recorded: Beto → Ana, $ 200"] == walker.page.notices
    assert -200 + 200 == balances_of(table)["beto"]
    walker.press("Beto paid Ana")
    assert ["Beto → Ana $ 200 ·", "Caro → Ana $ 100 ·", "Dani → Ana $ 100 ·"] == owed(walker.page)
    assert ["Taken back: Beto → Ana, $ 200"] == walker.page.notices
    assert -200 == balances_of(table)["beto"]
    assert table.payments.get().ended_by is not None
    walker.press("Undo")
    assert "x Beto → Ana $ 200 ·" in owed(walker.page)
    walker.press("Undo")
    assert "Beto → Ana $ 200 ·" in owed(walker.page)


def test_a_tick_redirects_back_to_the_payments_of_the_settlement(ana, finished):
    response = tap(ana, _page(ana, finished), "Caro paid Ana")
    (payment,) = finished.payments.all()

    assert f"{reverse('settlement', args=[finished.code])}?done={payment.pk}#owed" == response.url


def test_a_ticked_line_keeps_its_position_among_the_payments(ana, table, mas):
    before = owed(_page(ana, mas))
    assert ["Dani → Ana $ 3,500 ·", "Caro → Beto $ 2,100 ·", "Dani → Beto $ 200 ·"] == before

    tap(ana, _page(ana, mas), "Caro paid Beto")
    assert [before[0], f"x {before[1]}", before[2]] == owed(_page(ana, mas))


def test_page_text_picture_and_paper_agree_after_payments_and_a_correction_of_the_winner(
    ana, finished, write
):
    for label in ("Beto paid Ana", "Caro paid Ana"):
        tap(ana, _page(ana, finished), label)
    write(finished, *read_line("correct 6 round beto out ana=110 dani=120"))
    page = _page(ana, finished)

    # Ana lost 100 and received 300 from the others. Beto won 300 and has paid 200. Caro has paid their loss.
    still = ["Ana → Beto $ 400", "Dani → Beto $ 100"]
    paid = ["Beto → Ana $ 200", "Caro → Ana $ 100"]
    assert "Beto wins" in page.only("h1").text
    assert sorted([f"{line} ·" for line in still] + [f"x {line} ·" for line in paid]) == sorted(owed(page))
    assert ["A correction changed this game's payments. Previously: Dani → Ana $ 100."] == notes(page)
    assert [
        "Who pays whom:",
        *[line.replace(" $", ": $") for line in still],
        "Paid already:",
        *[line.replace(" $", ": $") for line in paid],
    ] == [line for line in in_text(page) if not line.startswith("A correction")]
    assert (still, {"Paid already": paid}) == in_picture(page)
    dues = read_page(ana.get(reverse("dues", args=[finished.code])))
    assert owed(page) == owed(dues)
    assert notes(page) == notes(dues)


def test_the_text_of_a_fully_paid_game_asks_for_no_payment(ana, finished):
    for label in ("Beto paid Ana", "Caro paid Ana", "Dani paid Ana"):
        tap(ana, _page(ana, finished), label)
    page = _page(ana, finished)

    assert ["Paid already:", "Beto → Ana: $ 200", "Caro → Ana: $ 100", "Dani → Ana: $ 100"] == in_text(page)
    assert "This game has nothing left to pay." in page.only("textarea").text
    assert "This game has nothing left to pay." == drawn(page)[1]["paying"]


def test_a_tick_of_another_amount_than_the_debt_gets_409_and_shows_the_present_debts(
    ana, table, finished, pay
):
    page = _page(ana, finished)
    form, _button = page.form_with("Beto paid Ana")
    response = ana.post(form.attrs["action"], {**form.fields, "amount": "150"})
    shown = read_page(response)

    assert 409 == response.status_code
    assert ["Not recorded: that is no longer owed. This is owed now."] == shown.notices
    assert "Beto → Ana $ 200 ·" in owed(shown)
    assert 0 == table.payments.count()


def test_a_tick_on_a_settlement_that_was_corrected_meanwhile_gets_409(ana, table, finished, write):
    page = _page(ana, finished)
    write(finished, *read_line("correct 1 game loba_menos stake=200"))
    response = tap(ana, page, "Beto paid Ana")

    assert 409 == response.status_code
    assert "Recorded meanwhile:" in read_page(response).notices
    assert 0 == table.payments.count()


def test_a_tick_of_another_scorer_is_taken_back_only_with_a_reason(ana, phone_of, finished):
    tap(ana, _page(ana, finished), "Beto paid Ana")
    form, _button = _page(ana, finished).form_with("Beto paid Ana")
    sara = make_user("sara")
    Grant.objects.create(user=sara, table=finished.table, role=Role.SCORER)
    other = phone_of(sara)

    assert "x Beto → Ana $ 200" in owed(_page(other, finished))
    response = other.post(form.attrs["action"], form.fields)
    assert 422 == response.status_code
    assert ["Say why you take it back."] == read_page(response).alerts


def test_unticking_a_payment_of_another_game_is_a_404(ana, owner, finished, play):
    other = play("ana", "beto", days=7)
    (paid,) = ticks.pay_on_the_spot(other, after=2, key=a_key(), by=owner)
    where = reverse("unpay-dues", args=[finished.code])

    for number in (paid.pk, "x", "", 10**30):
        assert 404 == ana.post(where, {"payment": number}).status_code
    assert 1 == other.payments.counting().count()


# --- payments in the accounts that cover a game's debts --------------------------------------------------------------


COVERED = "settled with the night"


def test_a_later_payment_in_the_accounts_covers_the_games_debt(ana, finished, pay):
    pay("beto", "ana", 200)
    page = _page(ana, finished)

    assert [f"x Beto → Ana {COVERED} $ 200", "Caro → Ana $ 100 ·", "Dani → Ana $ 100 ·"] == owed(page)
    text = in_text(page)
    assert ["Caro → Ana: $ 100", "Dani → Ana: $ 100"] == text[1:3]
    assert ["Settled with the night:", "Beto → Ana: $ 200"] == text[3:5]
    still, below = in_picture(page)
    assert ["Caro → Ana $ 100", "Dani → Ana $ 100"] == still
    assert {"Settled with the night": ["Beto → Ana $ 200"]} == below


def test_a_payment_still_covers_its_line_after_the_games_end_was_undone_and_redone(ana, finished, pay, owner):
    pay("beto", "ana", 200)
    services.undo(finished, after=finished.records.count(), key=a_key(), by=owner)
    services.redo(finished, after=finished.records.count(), key=a_key(), by=owner)

    assert f"x Beto → Ana {COVERED} $ 200" == owed(_page(ana, finished))[0]


def test_a_partial_payment_leaves_the_rest_to_tick(ana, finished, pay):
    pay("beto", "ana", 150)
    walker = Walker(ana)
    page = walker.open(reverse("settlement", args=[finished.code]))

    assert "Beto → Ana still open, of $ 200 $ 50 ·" == owed(page)[0]
    walker.press("Beto paid Ana")
    assert 0 == balances_of(finished.table)["beto"]


def test_a_card_links_to_the_page_that_settles_the_whole_night(ana, finished, play):
    play("caro", "ana")
    walker = Walker(ana)
    page = walker.open(reverse("settlement", args=[finished.code]))

    assert "The whole night 2 games · 2 payments" == page.only("a", id="together").text
    assert "Settle the night" in walker.follow("The whole night 2 games · 2 payments").only("h1").text


def test_the_card_of_an_older_game_links_to_its_night(ana, finished, play, table):
    older = play("caro", "ana", days=7)
    link = _page(ana, older).only("a", id="together")

    night = date.fromordinal(older.night_number).isoformat()
    assert reverse("night", args=[table.code, night]) == link.attrs["href"]


def test_a_written_off_debt_is_shown_as_settled_but_not_as_paid(ana, owner, finished):
    dani = finished.table.members.get(slug="dani")
    holders.retire(dani, written_off=-100, key=a_key(), by=owner)
    page = _page(ana, finished)

    assert ["Beto → Ana $ 200 ·", "Caro → Ana $ 100 ·", f"x Dani → Ana {COVERED} $ 100"] == owed(page)
    assert "paid" not in page.only("textarea").text.lower()


# --- witnesses --------------------------------------------------------------------------------------------------------


def test_a_witness_sees_the_games_debts_but_no_payments_or_other_debts(
    ana, waldo, table, finished, play, pay
):
    before = _page(waldo, finished)
    tap(ana, _page(ana, finished), "Beto paid Ana")
    pay("caro", "ana", 30)
    play("dani", "ana", days=7)
    page = _page(waldo, finished)

    assert ["Beto → Ana $ 200", "Caro → Ana $ 100", "Dani → Ana $ 100"] == owed(page)
    assert ["For this game only. Later payments and other debts are in the accounts."] == notes(page)
    assert before.only("main").text == page.only("main").text
    assert drawn(before)[1] == drawn(page)[1]
    assert [] == page.every("form")


def test_a_witness_sees_the_debts_before_and_after_a_correction(waldo, finished, write):
    write(finished, *read_line("correct 1 game loba_menos stake=200"))

    assert "Beto → Ana $ 400" in owed(_page(waldo, finished))
    before = "Previously: Beto → Ana $ 200, Caro → Ana $ 100, Dani → Ana $ 100."
    assert before in notes(_page(waldo, finished))[1]


def test_a_member_with_a_witness_grant_sees_payments_but_cannot_tick(
    ana, waldo, finished, claims, django_user_model
):
    claims(django_user_model.objects.get(username="waldo"), "dani")
    tap(ana, _page(ana, finished), "Beto paid Ana")
    page = _page(waldo, finished)

    assert ["x Beto → Ana $ 200", "Caro → Ana $ 100", "Dani → Ana $ 100"] == owed(page)
    assert [] == page.every("form")


def drawn(page):
    """Return the button of the picture and the data from which it is drawn."""
    (button,) = [button for button in page.every("button") if "data-picture" in button.attrs]
    return button, json.loads(button.attrs["data-drawn"])


def test_the_picture_has_the_same_result_as_the_page(ana, mas):
    button, result = drawn(_page(ana, mas))

    assert "/static/money/picture.js" == button.attrs["data-picture"]
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
    assert (["Ana"], "+$\u00a03,500", None) == (
        [winner["name"] for winner in result["winners"]],
        result["prize"],
        result["pot"],
    )


def test_the_picture_has_the_address_of_a_public_site_as_a_qr_code(ana, mas, settings):
    settings.SITE_URL = "https://cards.example.org"
    _button, result = drawn(_page(ana, mas))

    assert ("cards.example.org", "Anotador") == (result["site"]["address"], result["by"])
    rows = result["site"]["code"]
    assert {len(rows)} == {len(row) for row in rows}
    assert ["1111111"] * 2 == [rows[0][:7], rows[6][:7]]
    assert {"0", "1"} == set("".join(rows))


def test_a_picture_of_a_site_without_a_public_address_has_no_qr_code(ana, mas, settings):
    settings.SITE_URL = ""

    assert drawn(_page(ana, mas))[1]["site"] is None


def test_the_payments_are_shown_after_the_winner_and_before_the_places(ana, mas):
    text = _page(ana, mas).only("main").text

    assert text.index("+$ 3,500") < text.index("Who pays whom") < text.index("Places")


def test_the_picture_of_a_game_without_money_shows_points_instead_of_amounts(ana, write, carioca):
    _button, result = drawn(_page(ana, carioca(write)))

    assert ["10 points", "5 rounds won"] == [result["people"][0][key] for key in ("figure", "below")]
    assert ("", []) == (result["paying"], result["payments"])


def test_the_settlement_of_a_running_game_redirects_to_its_sheet(ana, game):
    assert reverse("sheet", args=[game.code]) == ana.get(reverse("settlement", args=[game.code])).url


def test_names_with_markup_are_escaped_on_the_page_and_in_the_whatsapp_link(phone_of, db, write):
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


def test_the_text_and_the_picture_to_send_are_in_the_tables_language_not_the_users(
    phone_of, owner, table, finished
):
    table.language = "es-ar"
    table.save(update_fields=["language"])
    page = _page(phone_of(owner), finished)

    assert "Ana wins" in page.only("h1").text
    assert "Ganó Ana" in page.only("textarea", id="message").text
    assert "Ganó Ana" == drawn(page)[1]["title"]


def test_a_discarded_games_settlement_offers_no_ticks_and_undo_restores_the_game(ana, finished):
    services.discard_game(finished)
    walker = Walker(ana)
    page = walker.open(reverse("settlement", args=[finished.code]))

    assert ["The game was discarded"] == page.notices
    assert "Tick off" not in page.only("main").text
    assert reverse("dues", args=[finished.code]) not in [link.attrs["href"] for link in page.every("a")]
    walker.press("Undo")
    finished.refresh_from_db()
    assert finished.discarded_at is None
