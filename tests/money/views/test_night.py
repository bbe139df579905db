"""The page of a night: its games, debts and payments, and the text and the picture for the group."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial

import pytest
from django.urls import reverse

from games.play.services import recording
from tests.factories import get_last_night, loba_start, new_key
from tests.money.conftest import THURSDAY
from tests.reader import debt_rows, open_page, picture_data

pytestmark = pytest.mark.django_db

NIGHT = "2026-11-19"


@pytest.fixture
def play(win_game):
    """`play()` returns a game that Ana won on Thursday: +300, and −100 for each of the others."""
    return partial(win_game, "ana", 100, "beto", "caro", "dani")


@pytest.fixture
def tonight(time_machine):
    """Set the clock to midnight in the night of Thursday."""
    time_machine.move_to(THURSDAY + timedelta(hours=2))


def night_page(client, table, night=NIGHT):
    return open_page(client, reverse("night", args=[table.code, night]))


def test_a_night_shows_its_players_and_its_winners(ana, table, owner, play, win_game):
    play()
    win_game("beto", 250, "ana", "caro", at=THURSDAY + timedelta(hours=2))
    recording.start_game(table, loba_start(table), key=new_key(), by=owner, at=THURSDAY + timedelta(hours=4))
    page = night_page(ana, table)

    assert page.only("h1").text.endswith(" · 2 games · 1 in progress · $1,150 in the pots")
    assert "Beto is up $400" == page.only(id="won").text
    assert [
        "B Beto 2 games · 1 won · still playing +$400",
        "A Ana 2 games · 1 won · still playing +$50",
        "D Dani 1 game · still playing −$100",
        "C Caro 2 games · still playing −$350",
    ] == [row.text for row in page.only("div", id="there").every("a")]


def test_an_old_night_says_who_won_it_and_one_without_a_finished_game_does_not(ana, table, owner, play):
    play()
    assert "Ana won $300" == night_page(ana, table).only(id="won").text
    later = recording.start_game(table, loba_start(table), key=new_key(), by=owner)
    night = date.fromordinal(later.night_number).isoformat()
    assert [] == night_page(ana, table, night).every(id="won")


def test_a_night_of_many_games_lists_thirty_a_page_from_the_last(ana, table, play, monkeypatch):
    monkeypatch.setattr("games.money.presenters.night_display.GAMES_PER_PAGE", 2)
    games = [play(), play(), play()]

    def read_games(address):
        page = open_page(ana, address)
        return page, [row.attrs["href"] for row in page.only("div", id="games").every("a")]

    address = reverse("night", args=[table.code, NIGHT])
    page, newest = read_games(address)
    assert [reverse("settlement", args=[game.code]) for game in games[1:]] == newest
    page, oldest = read_games(f"{address}{page.link('Older')}")
    assert [reverse("settlement", args=[games[0].code])] == oldest
    assert newest == read_games(f"{address}{page.link('Newer')}")[1]
    assert oldest == read_games(f"{address}?page=3")[1]


def test_a_night_counts_its_re_entries(ana, table, finished):
    page = night_page(ana, table, get_last_night(table).isoformat())

    assert page.only("h1").text.endswith("1 game · 1 comeback · $500 in the pots")


def test_a_night_is_running_until_its_last_game_is_over(ana, table, owner, play):
    play()
    address = reverse("night", args=[table.code, NIGHT])
    assert not ana.get(address).context["is_running"]
    recording.start_game(table, loba_start(table), key=new_key(), by=owner, at=THURSDAY)
    assert ana.get(address).context["is_running"]


def message_and_picture(client, table, night=NIGHT):
    """Return the night's text and the picture's data."""
    page = night_page(client, table, night)
    return page.only("textarea", id="message").text, picture_data(page)


def picture_debts(picture):
    """Return the picture's payments, with a check mark if paid."""
    return [
        (line["payer"]["name"], line["payee"]["name"], line["amount"] + " ✓" * line["isPaid"])
        for line in picture["debts"]["rows"]
    ]


def test_a_night_is_sent_as_text_and_picture_in_the_language_of_the_table(ana, table, play, pay, tonight):
    play()
    table.members.filter(slug="ana").update(account="ana.loba.mp")
    pay("beto", "ana", 100)
    text, picture = message_and_picture(ana, table)

    assert (
        "Mesa de los jueves · jue 19 nov 1 partida · $ 400 en los pozos "
        "Ana · 1 partida · 1 ganada · pagos −$ 100 · queda +$ 200 · +$ 300 "
        "Beto · 1 partida · pagos +$ 100 · −$ 100 "
        "Caro · 1 partida · −$ 100 Dani · 1 partida · −$ 100 "
        "Quién le paga a quién · vie 20 nov, 00:00 "
        "Caro → Ana: $ 100 · ana.loba.mp Dani → Ana: $ 100 · ana.loba.mp ✓ Beto → Ana: $ 100"
    ) == text
    assert "La noche del jue 19 nov" == picture["title"]
    assert ["Ana", "Beto", "Caro", "Dani"] == [person["name"] for person in picture["people"]]
    assert [("Caro", "Ana", "$ 100"), ("Dani", "Ana", "$ 100"), ("Beto", "Ana", "$ 100 ✓")] == picture_debts(
        picture
    )


def test_an_old_night_says_who_paid_that_night_and_asks_nobody_for_money(
    ana, table, play, win_game, pay, time_machine
):
    """Its text names nobody who joined later, and asks for nothing that has been paid since."""
    play()
    table.members.create(slug="eva", name="Eva", colour=5)
    win_game("eva", 100, "beto", at=THURSDAY + timedelta(days=7))
    pay("beto", "ana", 100, at=THURSDAY + timedelta(hours=2))
    pay("caro", "ana", 100, at=THURSDAY + timedelta(days=2))
    time_machine.move_to(THURSDAY + timedelta(days=8))
    text, picture = message_and_picture(ana, table)

    assert "Eva" not in text
    assert text.endswith(
        "Dani · 1 partida · −$ 100 Al vie 27 nov, 22:00 ✓ Beto → Ana: $ 100 Lo que falta pagar está en Cuentas."
    )
    assert "Lo que falta pagar está en Cuentas" == picture["debts"]["title"]
    assert [("Beto", "Ana", "$ 100 ✓")] == picture_debts(picture)
    page = night_page(ana, table)
    assert ["B A Beto → Ana Cash · Fri 20 Nov, 00:00 $100"] == [
        row.text for row in page.only("div", id="payments").every("a")
    ]
    assert reverse("accounts", args=[table.code]) == page.link("What's still owed is in the accounts")
    assert [] == page.every(id="debts")


# --- who pays whom ----------------------------------------------------------------------------------------------------


def test_tonight_shows_what_its_people_owe_each_other_and_what_was_paid(ana, table, play, pay, tonight):
    play()
    pay("beto", "ana", 60)
    page = night_page(ana, table)

    assert [
        "Caro → Ana $100",
        "Dani → Ana $100",
        "Beto → Ana $40",
        "✓ Beto → Ana $60",
    ] == debt_rows(page)
    assert "Including earlier debts" not in page.only(id="debts").text
    assert [] == page.every(id="absent")


def test_debts_with_those_who_did_not_come_are_folded_below(ana, table, play, win_game, tonight):
    play(at=THURSDAY - timedelta(days=7))
    win_game("beto", 30, "ana")

    assert ["Caro → Ana $100", "Dani → Ana $100"] == debt_rows(night_page(ana, table), "absent")


def test_who_only_pays_or_shares_an_expense_stands_last_without_a_figure(
    ana, table, share, win_game, pay, tonight
):
    win_game("beto", 30, "ana")
    share("ana", 90, "ana", "beto", "caro")
    pay("dani", "ana", 7)
    page = night_page(ana, table)

    assert [
        "B Beto 1 game · 1 won · expenses −$30 +$30",
        "A Ana 1 game · expenses +$60 · payments −$7 · balance +$23 −$30",
        "C Caro expenses −$30 · balance −$30",
        "D Dani payments +$7 · balance +$7",
    ] == [row.text for row in page.only("div", id="there").every("a")]
    assert ["Caro → Ana $30", "Ana → Dani $7", "✓ Dani → Ana $7"] == debt_rows(page)
    assert "Including earlier debts" not in page.only(id="debts").text
    assert ["A Pizza Ana · Thu 19 Nov $90"] == [row.text for row in page.only("div", id="costs").every("a")]


# --- among the movements ----------------------------------------------------------------------------------------------


def rows(page):
    """Return two lines of each listed night: the winner, and the day with its games."""
    tiles = page.only("div", id="moves").every("a")
    return [(row.every("b")[0].text, row.only("span", class_="sub").text) for row in tiles]


def listed_nights(client, table):
    return rows(open_page(client, reverse("accounts", args=[table.code])))


def test_a_night_under_way_counts_its_finished_games_as_the_standings_do(ana, table, play, owner, tonight):
    play()
    recording.start_game(table, loba_start(table), key=new_key(), by=owner, at=THURSDAY + timedelta(hours=4))

    assert [("Ana is up $300", "Thu 19 Nov · 1 game · 1 in progress · $400 in the pots")] == listed_nights(
        ana, table
    )
    assert "1 game · 1 night" in open_page(ana, reverse("season", args=[table.code])).only("main").text


@pytest.mark.usefixtures("in_2026")
@pytest.mark.parametrize(
    ("games", "row"),
    [
        ("ana>beto 100", ("Ana won $100", "1 game · $200 in the pots")),
        ("ana>beto 100, beto>caro 300", ("Beto won $200", "2 games · $800 in the pots")),
        ("ana>beto 0, ana>caro 0, beto>ana 0", ("Ana won the night", "3 games")),
        ("ana>caro 100, beto>caro 100", ("Ana and Beto won $100 each", "2 games · $400 in the pots")),
    ],
)
def test_a_night_is_listed_with_its_winners_by_money_or_by_games(ana, table, win_game, games, row):
    for game in games.split(", "):
        winner, loser, stake = game.replace(">", " ").split()
        win_game(winner, int(stake), loser)

    assert [(row[0], f"Thu 19 Nov · {row[1]}")] == listed_nights(ana, table)
