"""The lines that tell a person's balance: they name the others, differ if their causes do, and add up."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils.translation import override

from games.common import days
from games.models import Method
from games.money.presenters.cause_titles import CauseTitles
from games.money.services import expenses, payments
from games.play.services import recording
from games.scoring.events import GameStopped, Stop
from games.tables.services.roster import People
from tests.factories import build_expense, new_key
from tests.money.story import bare, figure
from tests.reader import open_page

pytestmark = pytest.mark.django_db


def long_night(story, *, after_earlier_one):
    """Return a table where Ana lost, shared and paid eight times on the 12th."""
    story = story("Ana", "Beto", "Caro", "Dani")
    if after_earlier_one:
        story.game("Loba", ana=-300, beto=300)
    story.at = datetime(2026, 3, 13, 0, 8, tzinfo=UTC)
    story.game("Loba", ana=-1000, dani=1000)  # over at 21:10
    story.game("Chinchón", ana=-1000, beto=1000)
    story.at = datetime(2026, 3, 13, 2, 38, tzinfo=UTC)
    story.game("Loba", ana=-1000, dani=1000)  # over at 23:40
    story.expense("dani", 1200, "ana", note="")
    story.expense("beto", 900, "ana", note="")
    story.pay("ana", "beto", 500)
    story.pay("ana", "dani", 700)
    story.pay("ana", "caro", 100, Method.FORGIVEN)
    return story


OTHERS = ["Gasto que puso Beto −9,00", "Pago a Beto +5,00", "Pago a Dani +7,00", "Perdonado por Caro +1,00"]


def test_a_long_night_after_another_one_keeps_its_largest_lines(story):
    story = long_night(story, after_earlier_one=True)

    assert -4100 == story.balances["ana"]
    assert [
        "Loba que ganó Beto −3,00",
        "Loba que ganó Dani, 21:10 −10,00",
        "Chinchón que ganó Beto −10,00",
        "Loba que ganó Dani, 23:40 −10,00",
        "Gasto que puso Dani −12,00",
        "otras 4 de esa noche +4,00",
    ] == story.reasons("ana")
    nested = story.explanation("ana").lines[-1].nested
    assert OTHERS == [f"{line.text.split(' · ')[0]} {figure(line.amount)}" for line in nested]


def test_a_lone_long_night_is_never_one_line(story):
    story = long_night(story, after_earlier_one=False)

    assert [
        "Loba que ganó Dani, 21:10 −10,00",
        "Chinchón que ganó Beto −10,00",
        "Loba que ganó Dani, 23:40 −10,00",
        "Gasto que puso Dani −12,00",
        "Gasto que puso Beto −9,00",
        "otras 3 de esa noche +13,00",
    ] == story.reasons("ana")
    assert ["Perdonado a Ana −1,00"] == story.reasons("caro")
    assert {"Chinchón que ganaste +10,00", "Pago de Ana −5,00"} <= {*story.reasons("beto")}


def titles_of(story, side, reader=""):
    """Return the titles of all entries of this person, oldest first."""
    people = People.of(story.table)
    entries = list(story.table.entries.select_related("game", "payment", "cost").order_by("number"))
    own = [entry for entry in entries if side in entry.differences]
    with override("es-ar"):
        return CauseTitles.of_entries(own, story.table, people).entry_titles(own, side, reader)


def test_games_name_their_winners_or_say_that_nobody_won(story):
    story = story("Ana", "Beto", "Caro", "Dani", "Eva")
    story.game("Loba", ana=100, beto=100, caro=-200)
    story.game("Carioca", ana=100, beto=100, caro=100, dani=100, eva=-400)

    assert ["Loba que ganaron Ana y Beto", "Carioca que ganaron Ana, Beto y 2 más"] == titles_of(
        story, "caro"
    )
    assert "Loba que ganaron Beto y vos" == titles_of(story, "ana", "ana")[0]


def test_what_is_forgiven_names_the_other_side(story):
    story = story("Ana", "Beto", "Caro", "Dani")
    story.game("Loba", ana=-500, beto=300, caro=200)
    story.pay("ana", "beto", 100, Method.FORGIVEN)
    sharers = [story.member("beto"), story.member("caro")]
    forgiven = build_expense(story.member("ana"), 200, sharers, "", is_forgiven=True)
    expenses.create(
        story.table,
        (story.at - timedelta(hours=9)).date(),
        forgiven,
        key=new_key(),
        by=story.owner,
        at=story._later(),
    )

    assert ["Perdonado por Beto", "Perdonado por Beto y Caro"] == titles_of(story, "ana")[1:]
    assert ["Perdonado a Ana", "Perdonado entre 2 a Ana"] == titles_of(story, "beto")[1:]


def test_what_was_taken_back_has_the_day_of_that(story):
    story = story("Ana", "Beto")
    loba = story.game("Loba", ana=-500, beto=500)
    taxi = story.expense("beto", 200, "ana", "beto", note="taxi")
    paid = story.pay("ana", "beto", 300)
    story.go_to_day(12)
    expenses.void(taxi, by=story.owner, reason="no fue", at=story._later())
    payments.void(paid, by=story.owner, reason="no fue", at=story._later())
    story.correct(loba, ana=-600, beto=600)
    recording.discard_game(loba, at=story._later())
    with override("es-ar"):
        day = days.format_day(story.at.date().replace(day=12))

    assert [
        "Loba",
        "taxi, puso Beto",
        "Pago a Beto",
        f"taxi, puso Beto, anulación del {day}",
        f"Pago a Beto, anulación del {day}",
        f"Loba, corrección del {day}",
        f"Loba, descarte del {day}",
    ] == titles_of(story, "ana")


def test_a_refunded_game_says_so(story):
    story = story("Ana", "Beto")
    loba = story.game("Loba", ana=-500, beto=500)
    assert ["Loba que ganó Beto"] == titles_of(story, "ana")
    recording.undo(loba, after=2, key=new_key(), by=story.owner)
    recording.record(loba, GameStopped(Stop.REFUND), after=3, key=new_key(), by=story.owner)

    assert "Loba devuelta" == titles_of(story, "ana")[0]


def test_page_text_and_api_tell_the_same_lines(story, client_for):
    story = long_night(story, after_earlier_one=True)
    phone = client_for(story.owner, language="es-AR")
    page = open_page(phone, reverse("account", args=[story.table.code, "ana"]))
    answer = phone.get(reverse("api-accounts", args=[story.table.code])).json()["reasons"]["ana"]

    first = "Loba que ganó Dani, 21:10"
    assert first in page.only(id="why").text
    assert first in page.only("textarea", id="message").text
    (reason,) = (row for row in answer if row["title"] == first)
    assert (["dani"], 11) == (reason["named"], len(reason["game"]))
    assert -4100 == sum(row["amount"] for row in answer)
    assert len(answer) == len({(row["night"], row["title"]) for row in answer})


@pytest.mark.parametrize(
    ("nights", "kept"),
    [((2, 48, 2), 50), ((2, 49, 2), 2), ((51,), 50), ((2, 51), 50), ((50,), 50)],
    ids=["fifty of whole nights", "no half night", "a long night", "the end of a long night", "no more"],
)
def test_a_program_gets_the_newest_reasons_by_whole_nights_and_the_sum_of_those_before(
    story, client_for, nights, kept
):
    story = story("Ana", "Beto", "Caro")
    for number, count in enumerate(nights):
        story.go_to_day(5 + number)
        for _payment in range(count):
            story.pay("ana", "beto", 10)
    answer = client_for(story.owner).get(reverse("api-accounts", args=[story.table.code])).json()
    told, earlier = answer["reasons"]["ana"], 10 * (sum(nights) - kept)

    assert kept == len(told)
    assert ({"ana": earlier, "beto": -earlier} if earlier else {}) == answer["earlier"]
    assert [f"2026-03-{5 + number:02}" for number, count in enumerate(nights) for _payment in range(count)][
        -kept:
    ] == [reason["night"] for reason in told]


def test_the_people_that_a_title_names_are_those_of_its_words(story):
    told = story("Ana", "Beto", "Caro", "Dani", "Eva")
    game = told.game("Loba", ana=-400, beto=100, caro=100, dani=100, eva=100)
    people = People.of(told.table)
    titles = CauseTitles.load([("game", game.pk)], told.table, people)
    with override("en"):
        title = bare(titles.title(("game", game.pk)))

    assert ("Loba won by Beto, Caro and 2 more", ["beto", "caro"]) == (
        title, titles.named_slugs(("game", game.pk)),
    )  # fmt: skip
