"""A whole night without scripts: only links and forms of the pages are used, and CSRF tokens are checked."""

from __future__ import annotations

import pytest

from games.models import Game, Record, Table
from games.scoring.ledger import nets
from games.scoring.money import pot_amount
from tests.reader import Walker

pytestmark = pytest.mark.django_db


@pytest.fixture
def walker(client_for):
    """A browser without a user or scripts, whose forms are refused without a CSRF token."""
    return Walker(client_for(enforce_csrf_checks=True))


def begin(walker):
    """Start a game of four with a stake of 100."""
    walker.open("/")
    walker.follow("Start playing")
    names = {"new_1": "Ana", "new_2": "Beto", "new_3": "Caro", "new_4": "Dani"}
    walker.press("Start", table_name="Los jueves", option_stake="100", **names)


def play(walker, closer, *, closing="out", **hands):
    """Record the next round from the sheet."""
    walker.follow(walker.page.only("div", class_="closers").every("a")[0].text)
    walker.press(
        "Save",
        closer=closer,
        closing=closing,
        **{f"hand_{name}": hand for name, hand in hands.items()},
    )


def totals():
    return {player.id: player.total for player in Game.objects.latest("pk").state().players}


def test_a_whole_night(walker):
    begin(walker)
    play(walker, "ana", beto="[K 7 *]", caro="40", dani="Q Q 2")
    assert ["Round 1: Ana went out"] == walker.page.last
    play(walker, "beto", closing="in_one_go", ana="30", caro="[A A A A A A]", dani="50")

    assert {"ana": 30, "beto": 17, "caro": 100, "dani": 72} == totals()
    play(walker, "ana", beto="5", caro="1", dani="9")
    assert "Is Caro coming back?" == walker.page.only("p", class_="ask").text
    walker.press("Comes back $100")
    assert ["Caro came back for $100"] == walker.page.last
    assert {"ana": 30, "beto": 22, "caro": 81, "dani": 81} == totals()

    # Correct round 1.
    walker.follow("Beto, round 1: 27, correct it")
    assert "[K 7 *]" == walker.page.typed("hand-beto")
    walker.press("See changes", hand_beto="[K 7 * 4]")
    assert "B Beto 22 → 26" in [item.text for item in walker.page.every("li")]
    walker.press("Save")
    assert {"ana": 30, "beto": 26, "caro": 81, "dani": 81} == totals()

    # Undo and redo.
    walker.press("Undo")
    assert 22 == totals()["beto"]
    walker.press("Redo")
    assert 26 == totals()["beto"]

    # One player takes another's seat, one goes home.
    walker.follow("What else happened?")
    walker.follow("Penalty or bonus")
    walker.press("Record it", penalty_player="dani", points="5", reason="se paró")
    walker.follow("What else happened?")
    walker.follow("A player goes home")
    walker.press("Goes home", leave_player="caro")
    play(walker, "ana", beto="80", dani="20")
    assert (200, "Ana wins") == (walker.status, walker.page.only("h1").text.split(" Loba")[0])

    game = Game.objects.get()
    assert {"ana": 400, "beto": -100, "caro": -200, "dani": -100} == nets(game.state())
    assert 0 == pot_amount(game.state())

    walker.press("Rematch")
    assert 2 == Game.objects.count()
    assert {"ana": 0, "beto": 0, "dani": 0} == totals()
    walker.follow("Back")
    assert "Los jueves" in walker.page.only("main").text


def test_a_refused_form_can_be_put_right_and_sent_again(walker):
    walker.open("/")
    walker.follow("Start playing")
    walker.press("Start", new_1="Ana", new_2="ana", new_3="Caro")
    assert (422, 0) == (walker.status, Table.objects.count())
    walker.press("Start", new_2="Beto")
    assert (200, 1) == (walker.status, Table.objects.count())
    play(walker, "ana", beto="[K K K K K]", caro="[K K K K]")
    assert (422, 1) == (walker.status, Record.objects.count())
    assert ("ana", "[K K K K K]") == (walker.page.typed("closer"), walker.page.typed("hand-beto"))
    walker.press("Save", hand_caro="K K K")

    assert (200, 2) == (walker.status, Record.objects.count())
