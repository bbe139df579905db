"""The consequences of a correction: previewed, with choices for conflicts, and recorded at once; and the
seats.
"""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.common import days
from games.models import Method, Record, Result
from games.money.services import expenses
from games.scoring.money import pot_amount
from tests.factories import build_expense, build_round, end_season, new_key, totals
from tests.reader import Walker, change_lines, fields, read_page

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("changes", args=[game.code])


def _payload(game, change, **changes):
    """Return the fields that confirm the previewed correction."""
    return fields(**{
        "after": len(game.log()), "key": new_key(), "change": change, "seen": change, "confirm": "yes", **changes,
    })  # fmt: skip


def _seats(*players):
    return {f"seat-{number}": player for number, player in enumerate(players, start=1)}


def questions(page):
    """Return each conflict with its choices, the chosen one marked, or with its only remedy."""
    return {
        box.only("legend").text: [
            ("* " if "checked" in label.only("input").attrs else "") + label.text
            for label in box.every("label")
        ]
        or [box.only("p").text]
        for box in page.every("fieldset")
    }


@pytest.fixture
def two_rounds(game, write):
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    write(game, build_round("beto", ana=5, caro=20, dani=30))
    return game


CORRECTION = "correct 2 round ana out beto=24 caro=40 dani=9"


def test_a_correction_not_yet_previewed_is_shown_instead_of_recorded(subtests, ana, two_rounds):
    for seen in ["", "correct 2 round ana out beto=25 caro=40 dani=9", "strike 2", "x"]:
        with subtests.test(seen=seen):
            response = ana.post(_address(two_rounds), _payload(two_rounds, CORRECTION, seen=seen))

            assert 200 == response.status_code
            assert "B Beto 23 → 24" in change_lines(read_page(response))
            assert 3 == Record.objects.count()


HANDS = {"closer": "ana", "closing": "out", "hand-beto": "24", "hand-caro": "40", "hand-dani": "9"}
SEATS = _seats("ana", "caro", "beto", "dani")
CURRENT = "Not saved: there are newer entries. Below is what would change now."


@pytest.mark.parametrize(
    ("name", "place", "data", "change"),
    [
        ("correct", [2], HANDS, "B Beto 24 → 25"),
        ("insert-round", [2], HANDS, "B Beto 24 → 48"),
        ("correct-rules", [], {"direction": "right"}, "The deal goes to the left → to the right"),
        ("seats", [], SEATS, "Seating order Ana, Caro, Beto, Dani"),
    ],
)
def test_a_stale_form_of_a_correction_gets_409_with_the_news_and_the_current_consequences(
    ana, two_rounds, write, name, place, data, change
):
    write(two_rounds, build_round("ana", beto=1, caro=2, dani=3))
    response = ana.post(
        reverse(name, args=[two_rounds.code, *place]), {"after": "3", "key": new_key(), **data}
    )
    page = read_page(response)

    assert (409, [CURRENT, "Round 3: Ana went out"]) == (response.status_code, page.notices)
    assert change in change_lines(page)
    assert "4" == page.typed("after")


def test_an_invalid_change_is_refused_with_one_message(subtests, ana, two_rounds):
    for change in [
        "x",
        "round ana out beto=1 caro=2 dani=3",
        "strike 99",
        "correct 2 round zed out",
        "before 3 replace beto by zed",
        'correct 2 adjust beto=5 "',
        "\x00",
    ]:
        with subtests.test(change=change):
            response = ana.post(_address(two_rounds), _payload(two_rounds, change))

            assert 422 == response.status_code
            assert 1 == len(read_page(response).alerts)
            assert 3 == Record.objects.count()


# --- the four conflicts (RULES 1.4) -----------------------------------------------------------------------------------


def confirm(client, game, page, **answers):
    form, button = page.form_with("Save")
    data = {**form.fields, "confirm": button.attrs["value"]}
    for name in list(data):
        for part, answer in answers.items():
            if name.startswith("conflict-") and name.endswith(part):
                data[name] = answer
    return client.post(_address(game), data)


NEWLY_BUST = "correct 2 round ana out beto=105 caro=40 dani=60"


def test_a_changed_answer_shows_the_new_consequences_and_the_confirmed_ones_are_recorded(ana, game, write):
    write(game, build_round("ana", beto=90, caro=40, dani=60))
    write(game, build_round("ana", beto=5, caro=20, dani=10))
    page = read_page(ana.post(_address(game), _payload(game, NEWLY_BUST)))
    elimination_text = "Beto was out by then; the later hands are removed"
    assert {
        "Beto is bust after round 1 but played on": [
            "* Beto came back at 60 (41 to bust) for $100",
            elimination_text,
        ]
    } == questions(page)
    assert "B Beto Bust with 105 in round 1, comes back at 60 95 → 65" in change_lines(page)

    response = confirm(ana, game, page, beto="stay_out")
    page = read_page(response)
    assert (200, 3) == (response.status_code, Record.objects.count())
    assert "B Beto In → out · without the points of round 2 95 → 105" in change_lines(page)
    assert f"* {elimination_text}" in next(iter(questions(page).values()))

    page = read_page(confirm(ana, game, page, beto="reenter"))
    assert 302 == confirm(ana, game, page).status_code
    assert (65, 1, 500) == (
        totals(game)["beto"],
        game.state().player("beto").reentries,
        pot_amount(game.state()),
    )


def test_the_settlement_page_offers_to_undo_a_correction_of_a_finished_game(ana, finished):
    payload = _payload(finished, "correct 6 round ana out beto=50 dani=21")
    corrected = ana.post(_address(finished), payload)
    assert corrected.url == ana.post(_address(finished), payload).url

    walker = Walker(ana)
    assert ["Corrected: round 3"] == walker.open(corrected.url).last
    assert ["The correction of round 3 was undone"] == walker.press("Undo").last
    assert [] == walker.open(corrected.url).notices


def test_a_correction_can_end_a_game_and_open_it_again(ana, game, write):
    write(game, build_round("ana", beto=50, caro=60, dani=60))
    write(game, build_round("ana", beto=20, caro=20, dani=20))
    change = "correct 2 round ana out beto=101 caro=102 dani=103"
    page = read_page(ana.post(_address(game), _payload(game, change)))
    assert {"Now the game ends with round 1, but it went on": ["Remove it"]} == questions(page)
    assert "The game last one standing still going → won by Ana" in change_lines(page)
    assert reverse("settlement", args=[game.code]) == confirm(ana, game, page).url
    assert 4 == Result.objects.count()

    change = "correct 2 round ana out beto=101 caro=102 dani=60"
    page = read_page(ana.post(_address(game), _payload(game, change, seen="")))
    assert "The game won by Ana → still going" in change_lines(page)
    confirm(ana, game, page)
    assert (0, False) == (Result.objects.count(), game.state().is_over)


# --- effects on an earlier season and on write-offs -------------------------------------------------------------------

ANOTHER_WINNER = "correct 6 round beto out ana=101 dani=71"


def test_a_correction_shows_its_effects_on_debts_an_earlier_season_and_what_was_forgiven(
    ana, owner, table, finished, pay, members_by_slug
):
    tonight = days.night_for(now(), table)
    pay("dani", "ana", 100, method=Method.FORGIVEN)  # an expense of 60 leaves Ana and Beto owing Caro 30 each
    caros = build_expense(
        members_by_slug["caro"], 60, (members_by_slug["ana"], members_by_slug["beto"]), is_forgiven=True
    )
    expenses.create(table, tonight, caros, key=new_key(), by=owner)
    end_season(table, last_day=tonight, next_name="Verano")
    before = table.entries.count()
    page = read_page(ana.post(_address(finished), _payload(finished, ANOTHER_WINNER, seen="")))

    assert (
        [
            "Ana, balance +$270 → −$230",
            "Beto, balance −$230 → +$270",
            "Ana → Beto $0 → $270",  # Caro still pays Ana 40
            "Beto → Ana $230 → $0",
        ]
        == [row.text[2:] for row in page.only("ul", id="in-accounts").every("li")]
    )
    assert [
        f"This changes the standings of the season {tonight.year}.",
        "Dani had been forgiven $100. That does not change.",
        "Caro had been forgiven $60. That does not change.",
    ] == [notice.text for notice in page.only("div", class_="body").every("p", class_="notice")]
    assert before == table.entries.count()


# --- the order of the seats, from the start ----------------------------------------------------------------------------


def seat_order(page):
    return tuple(page.typed(f"seat-{number}") for number in range(1, 5))


def test_a_new_order_is_previewed_before_it_is_recorded(ana, game, write):
    write(game, build_round("ana", beto=23, caro=40, dani=9))
    walker = Walker(ana)
    walker.open(reverse("more", args=[game.code]))
    walker.follow("Seating order")
    page = walker.send("See changes", SEATS)

    assert "Correct the seats" in page.only("h1").text
    assert ["Seating order Ana, Caro, Beto, Dani", "Deals next Beto → Caro"] == change_lines(page)
    assert 2 == Record.objects.count()

    walker.press("Save")
    assert ["ana", "caro", "beto", "dani"] == [player.id for player in game.state().players]
    assert ["Corrected: how the game started"] == walker.page.last


CHOOSE = "Choose a seat for each player."


def test_an_order_that_is_none_or_the_same_is_refused_as_it_was_chosen(subtests, ana, game):
    for seats, sentence in [
        (("ana", "beto", "caro", "dani"), "The players already sit in this order."),
        ((), CHOOSE),
        (("ana", "ana", "caro", "dani"), CHOOSE),
        (("ana", "beto", "caro", "zoe"), CHOOSE),
    ]:
        with subtests.test(seats=seats):
            data = {"after": "1", "key": new_key(), **_seats(*seats)}
            response = ana.post(reverse("seats", args=[game.code]), data)
            page = read_page(response)

            assert (422, [sentence]) == (response.status_code, page.alerts)
            assert seats[:3] == seat_order(page)[: len(seats[:3])]
