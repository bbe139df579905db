"""The page of a night: its games, its payments, and the text and the picture for the group."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from games.play import recording as services
from games.scoring.events import Corrected
from tests.reader import Walker, open_page, read_page
from tests.tables import a_key, a_round, loba

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


def sent(client, table, night=NIGHT):
    """Return the lines of the night's text, and the picture's data."""
    page = shown(client, table, night)
    (button,) = (button for button in page.every("button") if "data-picture" in button.attrs)
    text = page.only("textarea", id="message").text
    return text, json.loads(button.attrs["data-drawn"].replace(r"\u00a0", " "))


def payments_drawn(drawn):
    return [(line["payer"]["name"], line["payee"]["name"], line["amount"]) for line in drawn["payments"]]


def test_a_night_has_a_text_and_a_picture_to_send_as_of_the_present(ana, table, play, time_machine):
    play()
    time_machine.move_to(THURSDAY + timedelta(hours=2))
    text, drawn = sent(ana, table)

    for part in (
        "Mesa de los jueves · Thu 19 Nov 1 game · $ 400 in the pots As of Fri 20 Nov, 00:00",
        "Ana · 1 game · 1 won · +$ 300 Beto · 1 game · −$ 100",
        "Who pays whom: Beto → Ana: $ 100 Caro → Ana: $ 100 Dani → Ana: $ 100",
    ):
        assert part in text
    assert "1 game · $ 400 in the pots · As of Fri 20 Nov, 00:00" == drawn["reason"]
    assert ("The night of Thu 19 Nov", ["Ana", "Beto", "Caro", "Dani"], 3) == (
        drawn["title"],
        [person["name"] for person in drawn["people"]],
        len(drawn["payments"]),
    )


def test_a_round_corrected_later_changes_the_payments_in_the_text_and_the_picture(
    ana, table, owner, play, time_machine
):
    game = play()
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


def test_the_text_of_an_old_night_leaves_out_debts_that_were_paid_later(ana, table, play, pay, time_machine):
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


def test_a_night_without_games_is_a_404(subtests, ana, table, play):
    play()
    for night in ["2026-11-18", "2026-13-01", "yesterday", "20261119", "2026-11-1"]:
        with subtests.test(night=night):
            assert 404 == ana.get(address(table, night)).status_code


# --- the list ---------------------------------------------------------------------------------------------------------


def rows(page):
    """Return two lines of each listed night: the winner, and the day with its games."""
    tiles = [link for link in page.every("a") if "tile" in link.attrs.get("class", "")]
    return [(row.every("b")[0].text, row.only("span", class_="sub").text) for row in tiles]


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

    assert [("Beto won the night by $ 100", "Thu 19 Nov · 2 games · $ 800 in the pots")] == listed(ana, table)


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
