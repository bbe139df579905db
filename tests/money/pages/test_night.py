"""The page of a night: its games and payments, and the closing note."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse

from games.models import ClosingNote, Method
from games.money import payments
from games.money.amendments import Words, amend
from games.money.closings import last_night
from games.play import recording as services
from games.scoring.events import Corrected
from tests.reader import Walker, open_page, read_page
from tests.tables import a_key, a_round, loba, make_user

pytestmark = pytest.mark.django_db

THURSDAY = datetime(2026, 11, 20, 1, tzinfo=UTC)  # ten in the evening of the 19th in Buenos Aires
NIGHT = "2026-11-19"


@pytest.fixture
def play(table, owner):
    """`play()` returns a game that Ana won on Thursday: +300, and −100 for each of the others."""

    def play_one(at=THURSDAY):
        game = services.start_game(table, loba(table, stake=100), key=a_key(), by=owner, at=at)
        everybody_out = a_round("ana", beto=101, caro=101, dani=101)
        services.record(game, everybody_out, after=1, key=a_key(), by=owner, at=at + timedelta(hours=1))
        return game

    return play_one


@pytest.fixture
def won_by(table, owner):
    """`won_by("ana", beto=150, stake=100)` returns a game of one round in which only Ana and Beto played."""

    def one(winner, *, stake, at=THURSDAY, **others):
        begun = loba(table, stake=stake)
        seated = tuple(player for player in begun.players if player.id in (winner, *others))
        game = services.start_game(table, replace(begun, players=seated), key=a_key(), by=owner, at=at)
        services.record(game, a_round(winner, **others), after=1, key=a_key(), by=owner, at=at)
        return game

    return one


def address(table, night=NIGHT, name="night"):
    return reverse(name, args=[table.code, night])


def shown(client, table, night=NIGHT):
    return open_page(client, address(table, night))


def test_a_night_shows_its_games_their_sums_and_its_payments(ana, table, play, pay):
    play()
    play(at=THURSDAY + timedelta(hours=2))
    pay("beto", "ana", 30, at=THURSDAY + timedelta(hours=3))
    text = shown(ana, table).only("main").text

    for part in ("22:00 · won by Ana", "00:00 · won by Ana", "+$ 600", "−$ 200", "Beto → Ana"):
        assert part in text


def test_a_night_shows_its_players_and_its_best_and_worst_moments(ana, table, owner, play, won_by):
    play()
    won_by("beto", ana=150, caro=101, stake=250, at=THURSDAY + timedelta(hours=2))
    services.start_game(table, loba(table), key=a_key(), by=owner, at=THURSDAY + timedelta(hours=4))
    page = shown(ana, table)

    assert ["Games 3", "Players 4", "In the pots $ 1,150 the biggest $ 750"] == [
        fact.text for fact in page.only("dl", class_="facts pairs").every("div")
    ]
    assert [
        "B Beto 2 games · 1 won · still playing +$ 400",
        "A Ana 2 games · 1 won · still playing +$ 50",
        "D Dani 1 game · still playing −$ 100",
        "C Caro 2 games · still playing −$ 350",
    ] == [row.text for row in page.only("ul", id="there").every("li")]
    assert [
        "The best moment after the game of 00:00 +$ 400 Beto",
        "The worst moment after the game of 00:00 −$ 350 Caro",
    ] == [row.text for row in page.only("div", id="moments").every("a")]
    assert "How it went: Beto +$ 400, Ana +$ 50, Dani −$ 100, Caro −$ 350" in [
        picture.attrs["aria-label"].replace("\u00a0", " ") for picture in page.every("svg", role="img")
    ]


def test_a_night_without_money_shows_points_instead(ana, table, won_by):
    for _game in range(2):
        won_by("beto", ana=150, caro=101, stake=0)
    page = shown(ana, table)

    assert ["Games 2", "Players 3"] == [
        fact.text for fact in page.only("dl", class_="facts pairs").every("div")
    ]
    assert [] == page.every("div", id="moments")
    assert "Points so far: Beto 4, Caro 2, Ana 0" in [
        picture.attrs["aria-label"] for picture in page.every("svg", role="img")
    ]


def test_a_closed_night_has_a_text_and_a_picture_to_send_as_of_its_closing_note(
    ana, table, play, close, time_machine
):
    time_machine.move_to(THURSDAY + timedelta(days=8))
    play()
    close(at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(days=7))
    page = shown(ana, table)
    (button,) = (button for button in page.every("button") if "data-picture" in button.attrs)
    drawn = json.loads(button.attrs["data-drawn"])

    for part in (
        "Mesa de los jueves · Thu 19 Nov 1 game · $ 400 in the pots As of Fri 20 Nov, 00:00, by the closing note",
        "Ana · 1 game · 1 won · +$ 300 Beto · 1 game · −$ 100",
        "Who pays whom: Beto → Ana: $ 100 Caro → Ana: $ 100 Dani → Ana: $ 100",
    ):
        assert part in page.only("textarea", id="message").text
    assert ("The night of Thu 19 Nov", ["Ana", "Beto", "Caro", "Dani"], 3) == (
        drawn["title"],
        [person["name"] for person in drawn["people"]],
        len(drawn["payments"]),
    )


def sent(client, table, night=NIGHT):
    """Return the lines of the night's text, and the picture's data."""
    page = shown(client, table, night)
    (button,) = (button for button in page.every("button") if "data-picture" in button.attrs)
    text = page.only("textarea", id="message").text
    return text, json.loads(button.attrs["data-drawn"].replace(r"\u00a0", " "))


def payments_drawn(drawn):
    return [(line["payer"]["name"], line["payee"]["name"], line["amount"]) for line in drawn["payments"]]


def test_a_game_that_ends_after_the_closing_is_in_the_text_and_the_picture(
    ana, table, play, close, time_machine
):
    play()
    close(at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(hours=2))
    time_machine.move_to(THURSDAY + timedelta(hours=4))
    text, drawn = sent(ana, table)

    for part in (
        "2 games · $ 800 in the pots As of Fri 20 Nov, 02:00",
        "Ana · 2 games · 2 won · +$ 600",
        "Who pays whom: Beto → Ana: $ 200 Caro → Ana: $ 200 Dani → Ana: $ 200",
    ):
        assert part in text
    assert "2 games · $ 800 in the pots · As of Fri 20 Nov, 02:00" == drawn["reason"]
    assert [(payer, "Ana", "$ 200") for payer in ("Beto", "Caro", "Dani")] == payments_drawn(drawn)


def test_a_round_corrected_after_the_closing_changes_the_payments_in_the_text_and_the_picture(
    ana, table, owner, play, close, time_machine
):
    game = play()
    close(at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(days=7))
    time_machine.move_to(THURSDAY + timedelta(days=8))
    won_by_beto = Corrected(2, a_round("beto", ana=101, caro=101, dani=101))
    services.record(game, won_by_beto, after=2, key=a_key(), by=owner)
    text, drawn = sent(ana, table)

    for part in (
        "As of Fri 27 Nov, 22:00 Beto · 1 game · 1 won · +$ 300 Ana · 1 game · −$ 100",
        "Caro → Ana: $ 200 Dani → Beto: $ 200",
    ):
        assert part in text
    assert [("Caro", "Ana", "$ 200"), ("Dani", "Beto", "$ 200")] == payments_drawn(drawn)


def test_the_text_of_an_old_night_left_open_leaves_out_debts_that_were_paid_later(
    ana, table, play, pay, time_machine
):
    play()
    for payer in ("beto", "caro", "dani"):
        pay(payer, "ana", 100, at=THURSDAY + timedelta(days=2))
    play(at=THURSDAY + timedelta(days=7))
    for payer in ("beto", "caro"):
        pay(payer, "ana", 100, at=THURSDAY + timedelta(days=7, hours=2))
    time_machine.move_to(THURSDAY + timedelta(days=8))
    text, drawn = sent(ana, table)

    assert "As of Fri 27 Nov, 22:00 Ana · 1 game · 1 won · +$ 300" in text
    assert "Who pays whom: Dani → Ana: $ 100" in text
    assert [("Dani", "Ana", "$ 100")] == payments_drawn(drawn)


def test_a_game_started_after_the_closing_enters_the_text_and_outdates_the_note_once_it_ends(
    ana, table, owner, play, close, time_machine
):
    time_machine.move_to(THURSDAY + timedelta(hours=6))
    play()
    close(at=THURSDAY + timedelta(hours=2))
    game = services.start_game(
        table, loba(table, stake=50), key=a_key(), by=owner, at=THURSDAY + timedelta(hours=3)
    )
    text, _drawn = sent(ana, table)
    assert "1 game · $ 400 in the pots As of Fri 20 Nov, 00:00, by the closing note" in text
    assert "still playing" not in text
    assert "2 games · still playing" not in text
    assert [] == shown(ana, table).every("div", id="outdated")
    beto_won = a_round("beto", ana=101, caro=101, dani=101)
    services.record(game, beto_won, after=1, key=a_key(), by=owner, at=THURSDAY + timedelta(hours=5))

    assert "2 games · $ 600 in the pots As of Fri 20 Nov, 04:00 Ana" in sent(ana, table)[0]
    assert "A game ended after this night was closed" in shown(ana, table).only("div", id="outdated").text


def test_an_outdated_closing_note_is_marked_wherever_the_night_is_listed(
    ana, waldo, table, play, close, claims, time_machine
):
    time_machine.move_to(THURSDAY + timedelta(hours=6))
    play()
    close(at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(hours=2))
    claims(waldo.session["_auth_user_id"], "beto")

    for client, state in (
        (ana, "a game ended after it was closed · not closed again yet"),
        (waldo, "a game ended after it was closed"),
    ):
        assert state == states(read_page(client.get(reverse("nights", args=[table.code]))))[0]
        accounts = open_page(client, reverse("accounts", args=[table.code])).only("main").text
        assert f"Thu 19 Nov · 2 games · $ 800 in the pots · {state} +$ 600 All nights" in accounts
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Close the night again")

    assert [] == walker.page.every("div", id="outdated")
    assert [600, 300] == [note.balances["ana"] for note in ClosingNote.objects.all()]
    assert "closed" == states(read_page(ana.get(reverse("nights", args=[table.code]))))[0]


def test_a_night_with_an_outdated_note_can_be_closed_again_after_a_later_night(
    ana, table, play, close, time_machine
):
    play()
    close(at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(days=7))
    time_machine.move_to(THURSDAY + timedelta(days=8))
    walker = Walker(ana)
    page = walker.open(address(table))
    assert "Balances on Fri 20 Nov, 05:59" in page.only("section", id="now").text
    walker.press("Close the night again")

    note = ClosingNote.objects.latest("pk")
    assert (600, datetime(2026, 11, 20, 8, 59, 59, 999999, UTC)) == (note.balances["ana"], note.as_of)
    assert [] == walker.page.every("div", id="outdated")
    assert "Balances on Fri 20 Nov, 05:59" in walker.page.only("section", id="note").text
    assert "As of Fri 20 Nov, 05:59, by the closing note" in walker.page.only("textarea", id="message").text
    assert [] == walker.page.every("form"), "there is nothing to close again"


def test_a_game_without_money_that_ends_after_the_closing_also_outdates_the_note(
    ana, table, won_by, close, time_machine
):
    time_machine.move_to(THURSDAY + timedelta(hours=6))
    won_by("ana", beto=150, stake=0)
    close(at=THURSDAY + timedelta(hours=1))
    won_by("beto", ana=150, stake=0, at=THURSDAY + timedelta(hours=2))
    walker = Walker(ana)
    assert [] != walker.open(address(table)).every("div", id="outdated")
    walker.press("Close the night again")

    assert [] == walker.page.every("div", id="outdated")
    assert 2 == ClosingNote.objects.count()


def test_the_closing_form_says_that_a_game_is_still_running(ana, table, owner, play):
    play()
    assert [] == shown(ana, table).every("p", id="playing")
    services.start_game(table, loba(table), key=a_key(), by=owner, at=THURSDAY + timedelta(hours=2))

    assert "Close the night again when it ends" in shown(ana, table).only("p", id="playing").text


def test_closing_the_last_night_saves_the_balances_that_the_page_shows(ana, table, play):
    play()
    walker = Walker(ana)
    walker.open(address(table))
    seen = walker.page.only("section", id="now").text
    walker.press("Close the night", text="La próxima, en lo de Caro")

    note = walker.page.only("section", id="note").text
    assert {"ana": 300, "beto": -100, "caro": -100, "dani": -100} == ClosingNote.objects.get().balances
    assert "La próxima, en lo de Caro" in note
    assert seen in note
    assert "Beto → Ana: $ 100" in note
    assert [] == walker.page.every("section", id="now")


def test_closing_a_night_whose_balances_have_changed_gets_409_and_shows_the_present_ones(
    ana, table, play, pay
):
    play()
    walker = Walker(ana)
    walker.open(address(table))
    pay("beto", "ana", 100)
    walker.press("Close the night", text="Hasta el jueves")

    assert 409 == walker.status
    assert ["Not recorded: the accounts have changed. These are the balances now."] == walker.page.notices
    assert "Hasta el jueves" == walker.page.typed("text")
    assert 0 == ClosingNote.objects.count()
    walker.press("Close the night")
    assert 1 == ClosingNote.objects.count()


def test_a_discarded_game_marks_the_note_as_changed_with_the_balances_and_the_cause(ana, table, play, close):
    game = play()
    close(at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(days=7))
    services.discard_game(game, at=THURSDAY + timedelta(days=8))
    page = shown(ana, table)

    flagged = page.only("div", id="broken").text
    assert "Changed since this night was closed" in flagged
    assert "Ana: +$ 300 → $ 0" in flagged
    assert "Loba de Menos" in flagged
    assert "+$ 300" in page.only("section", id="note").text


def test_a_game_reopened_after_the_closing_note_changes_its_balances_to_the_new_result(
    ana, table, owner, play, close
):
    game, late = play(), THURSDAY + timedelta(hours=3)
    close(at=THURSDAY + timedelta(hours=2))
    fewer = Corrected(2, a_round("ana", beto=101, caro=101, dani=50))
    services.record(game, fewer, after=2, key=a_key(), by=owner, at=late)
    won_by_dani = a_round("dani", ana=101)
    services.record(game, won_by_dani, after=3, key=a_key(), by=owner, at=late + timedelta(minutes=5))
    flagged = shown(ana, table).only("div", id="broken").text

    assert "Ana: +$ 300 → −$ 100" in flagged
    assert "Dani: −$ 100 → +$ 300" in flagged


def test_a_game_that_was_running_at_the_closing_does_not_mark_the_note_as_changed(
    ana, table, owner, play, close
):
    game, late = play(), THURSDAY + timedelta(hours=3)
    fewer = Corrected(2, a_round("ana", beto=101, caro=101, dani=50))
    services.record(game, fewer, after=2, key=a_key(), by=owner, at=THURSDAY + timedelta(hours=1))
    close(at=THURSDAY + timedelta(hours=2))
    services.record(game, a_round("dani", ana=101), after=3, key=a_key(), by=owner, at=late)

    assert [] == shown(ana, table).every("div", id="broken")


@pytest.fixture
def paid(table, play, pay, claims):
    """Return the user who claimed Ana, and the payments that the others made to Ana in a night."""
    play()
    payers = ("beto", "caro", "dani")
    return claims(make_user("ana_herself"), "ana"), [
        pay(payer, "ana", 100, at=THURSDAY + timedelta(hours=1)) for payer in payers
    ]


def test_payments_cancelled_or_disputed_after_the_closing_are_named_as_causes(ana, table, owner, paid, close):
    anas, (betos, caros, danis) = paid
    late = THURSDAY + timedelta(hours=3)
    close(at=THURSDAY + timedelta(hours=2))
    payments.cancel(betos, by=owner, at=late)
    payments.dispute(caros, by=anas, at=late)
    payments.confirm(danis, by=anas, at=late)
    flagged = shown(ana, table).only("div", id="broken").text

    assert "Beto → Ana, $ 100 · cancelled" in flagged
    assert "Caro → Ana, $ 100 · disputed" in flagged
    assert "Dani → Ana" not in flagged, "it counted all the time"


def test_changes_after_the_closing_that_were_undone_are_folded(ana, table, owner, play, paid, close):
    _anas, (betos, caros, _danis) = paid
    other = play(at=THURSDAY + timedelta(minutes=30))
    close(at=THURSDAY + timedelta(hours=2))
    late = THURSDAY + timedelta(hours=3)
    payments.cancel(betos, by=owner, at=late)
    services.record(
        other, Corrected(2, a_round("beto", ana=101, caro=101, dani=101)), after=2, key=a_key(), by=owner, at=late
    )  # fmt: skip
    services.undo(other, after=3, key=a_key(), by=owner, at=late)
    for after, amount in enumerate((80, 100)):
        amend(caros, Words(amount, Method.CASH), after=after, by=owner, is_keeper=True, at=late)
    broken = shown(ana, table).only("div", id="broken")
    folded = broken.only("details", id="undone").text
    sentences = broken.text.replace(folded, "")

    assert "Beto → Ana, $ 100 · cancelled" in sentences
    assert "Caro" not in sentences
    assert "Loba de Menos" not in sentences
    assert "Loba de Menos" in folded
    assert "Caro → Ana, $ 100" in folded


def test_a_payment_moved_to_another_day_is_not_listed_as_cancelled_in_its_old_night(
    ana, table, owner, play, pay
):
    """Two payments were dated back to a night that was closed a week later.

    Then one of them is cancelled, and the other one gets another day.
    """
    play()
    later = THURSDAY + timedelta(days=7)
    play(at=later)
    betos, caros = (
        pay(payer, "ana", 100, at=later + timedelta(hours=2), day=date(2026, 11, 19))
        for payer in ("beto", "caro")
    )
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Close the night")
    payments.cancel(betos, by=owner)
    amend(caros, Words(100, Method.CASH), after=0, by=owner, is_keeper=True)
    broken = shown(ana, table).only("div", id="broken")

    assert [] == broken.every("details", id="undone")
    assert "Caro → Ana, $ 100" in broken.text


def test_a_night_closed_late_gets_the_balances_of_its_end(ana, table, play, pay):
    play()
    pay("beto", "ana", 100, at=THURSDAY + timedelta(hours=2))
    play(at=THURSDAY + timedelta(days=7))
    pay("caro", "ana", 50, at=THURSDAY + timedelta(days=7, hours=2))
    walker = Walker(ana)
    page = walker.open(address(table))
    assert [] == page.every("section", id="note")
    assert "Balances after that night, including earlier nights" in page.only("main").text
    walker.press("Close the night", text="Se nos pasó")

    note = ClosingNote.objects.get()
    assert (
        {"ana": 200, "beto": 0, "caro": -100, "dani": -100},
        [["caro", "ana", 100], ["dani", "ana", 100]],
    ) == (
        note.balances,
        note.lines,
    )
    assert datetime(2026, 11, 20, 8, 59, 59, 999999, UTC) == note.as_of
    note_text = walker.page.only("section", id="note").text
    assert "Se nos pasó" in note_text
    assert "Caro → Ana: $ 100" in note_text
    assert [] == walker.page.every("form"), "there is nothing to close again"


def test_a_night_closed_late_is_marked_as_changed_after_a_correction_and_can_be_closed_again(
    ana, table, owner, play
):
    game = play()
    play(at=THURSDAY + timedelta(days=7))
    walker = Walker(ana)
    walker.open(address(table))
    walker.press("Close the night")
    services.discard_game(game)
    services.restore_game(game)
    assert [] == shown(ana, table).every("div", id="broken")
    corrected = Corrected(2, a_round("beto", ana=101, caro=101, dani=101))
    services.record(game, corrected, after=2, key=a_key(), by=owner)
    page = walker.open(address(table))

    assert "Ana: +$ 300 → −$ 100" in page.only("div", id="broken").text
    assert "Loba de Menos" in page.only("div", id="broken").text
    walker.press("Close the night again")
    assert [] == walker.page.every("div", id="broken")
    assert 300 == ClosingNote.objects.latest("pk").balances["beto"]


def test_a_night_without_games_is_a_404(subtests, ana, table, play):
    play()
    for night in ["2026-11-18", "2026-13-01", "yesterday", "20261119", "2026-11-1"]:
        with subtests.test(night=night):
            assert 404 == ana.get(address(table, night)).status_code


def test_a_member_with_a_witness_grant_reads_a_night_but_cannot_close_it(waldo, table, play, claims):
    play()
    claims(waldo.session["_auth_user_id"], "beto")

    assert [] == shown(waldo, table).every("form")
    assert 403 == waldo.post(address(table, name="close-night"), {"seen": ""}).status_code


# --- the list ---------------------------------------------------------------------------------------------------------


def rows(page):
    """Return two lines of each listed night: the winner, and the day with its games and closing note."""
    tiles = [link for link in page.every("a") if "tile" in link.attrs.get("class", "")]
    return [(row.every("b")[0].text, row.only("span", class_="sub").text) for row in tiles]


def states(page):
    """Return the state of each listed night's closing note; "" without one."""
    return [sub.split(" · ", 3)[3] if sub.count(" · ") > 2 else "" for _win, sub in rows(page)]


def test_the_list_shows_whether_each_night_is_closed_open_or_changed_since(ana, table, play, close):
    weeks = [THURSDAY + timedelta(days=7 * week) for week in range(3)]
    first = play(at=weeks[0])
    close(at=weeks[0] + timedelta(hours=2))
    second = play(at=weeks[1])
    play(at=weeks[1] + timedelta(hours=3))
    services.discard_game(first, at=weeks[1] + timedelta(hours=4))
    services.restore_game(first, at=weeks[1] + timedelta(hours=4))
    close(at=weeks[1] + timedelta(hours=5))
    services.discard_game(second, at=weeks[2])
    play(at=weeks[2])
    listed = states(read_page(ana.get(reverse("nights", args=[table.code]))))

    assert ["not closed", "changed since it was closed · not closed again yet", "closed"] == listed
    assert date(2026, 12, 3) == last_night(table)


def listed(client, table):
    """Return the lines of each night as the list shows them."""
    return rows(open_page(client, reverse("nights", args=[table.code])))


@pytest.mark.usefixtures("in_2026")
def test_a_night_of_one_game_is_listed_with_its_winner(ana, table, play, owner):
    play(at=THURSDAY - timedelta(days=7))
    game = services.start_game(
        table, loba(table, ending="first_out", stake=0), key=a_key(), by=owner, at=THURSDAY
    )
    hands = a_round("caro", ana=12, beto=101, dani=30)
    services.record(game, hands, after=1, key=a_key(), by=owner, at=THURSDAY)

    assert [
        ("Caro won by 12 points", "Thu 19 Nov · 1 game"),
        ("Won by Ana", "Thu 12 Nov · 1 game · Pot of $ 400"),
    ] == listed(ana, table)


@pytest.mark.usefixtures("in_2026")
def test_a_night_of_several_games_is_listed_with_its_winner_and_the_lead(ana, table, won_by):
    won_by("ana", beto=101, stake=100)
    won_by("beto", caro=101, stake=300)

    assert [
        ("Beto won the night by $ 100", "Thu 19 Nov · 2 games · $ 800 in the pots · not closed")
    ] == listed(ana, table)


@pytest.mark.usefixtures("in_2026")
def test_a_night_without_money_goes_to_the_member_with_the_most_games_won(ana, table, won_by):
    for winner, loser in (("ana", "beto"), ("ana", "caro"), ("beto", "ana")):
        won_by(winner, **{loser: 101}, stake=0)

    assert [("Ana won the night", "Thu 19 Nov · 3 games")] == listed(ana, table)


def test_members_with_equal_results_are_all_named_as_winners_of_the_night(ana, table, won_by):
    for winner in ("ana", "beto"):
        won_by(winner, caro=101, stake=100)

    assert "Ana and Beto won the night" == listed(ana, table)[0][0]


@pytest.mark.parametrize(
    ("bust", "says"),
    [
        ({"beto": 101}, "Ana is $ 200 ahead of Beto"),
        ({"beto": 101, "caro": 101}, "Ana is $ 300 ahead of Beto and Caro"),
        ({"beto": 101, "caro": 101, "dani": 101}, "Ana is $ 400 ahead of the next"),
    ],
)
def test_a_night_under_way_is_listed_with_the_leader_and_the_next(ana, table, owner, won_by, bust, says):
    won_by("ana", **bust, stake=100)
    services.start_game(table, loba(table), key=a_key(), by=owner, at=THURSDAY)

    assert says == rows(open_page(ana, reverse("nights", args=[table.code])))[0][0]


@pytest.mark.usefixtures("in_2026")
def test_a_night_under_way_shows_each_players_sum_so_far(ana, table, owner, won_by):
    won_by("ana", beto=101, stake=100)
    services.start_game(table, loba(table), key=a_key(), by=owner, at=THURSDAY)
    page = open_page(ana, reverse("nights", args=[table.code]))

    assert [("Ana is $ 200 ahead of Beto", "Thu 19 Nov · 2 games · $ 200 in the pots · under way")] == rows(
        page
    )
    tally = page.only("span", class_="tally")
    assert [("Ana", "+$ 100"), ("Beto", "−$ 100")] == [
        (name.text, figure.text)
        for name, figure in zip(tally.every("span", class_="name"), tally.every("b"), strict=True)
    ]


def test_only_a_user_who_can_close_the_last_night_reads_that_it_is_not_closed(
    ana, waldo, table, play, claims
):
    play(at=THURSDAY - timedelta(days=7))
    play()
    claims(waldo.session["_auth_user_id"], "beto")

    assert [["not closed", ""], ["", ""]] == [
        states(open_page(client, reverse("nights", args=[table.code]))) for client in (ana, waldo)
    ]


def test_the_list_of_nights_has_twelve_per_page(ana, table, play):
    for week in range(14):
        play(at=THURSDAY - timedelta(days=7 * week))
    walker = Walker(ana)
    page = walker.open(reverse("nights", args=[table.code]))
    assert 12 == len(rows(page))
    page = walker.open(f"{reverse('nights', args=[table.code])}{page.link('Older nights')}")

    assert 2 == len(rows(page))


def test_a_table_without_games_has_no_nights(ana, table):
    page = read_page(ana.get(f"{reverse('nights', args=[table.code])}?before=never"))

    assert "No game yet." in page.only("main").text
