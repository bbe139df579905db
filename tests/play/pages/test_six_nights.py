"""A night of each of the six games through the pages alone, with corrections, undo, penalties and money.

All figures were calculated by hand from RULES; the sums are in the comments.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.ledger import nets
from games.scoring.money import pot_of
from tests.keeper import Keeper
from tests.reader import Walker, fields, shown_changes
from tests.tables import start

pytestmark = pytest.mark.django_db


class Night:
    """A game recorded through the pages without scripts."""

    def __init__(self, walker, game):
        self.walker, self.game = walker, game
        self.keeper = Keeper(walker, game.code)

    def plays(self, closer, closing, **hands):
        """Record the next round and return the page that it leads to."""
        return self.keeper.plays(closer, closing, hands)

    def corrects(self, number, closer, closing, **hands):
        """Correct the round of this event after its preview; return the consequences that were shown."""
        return self._confirms(self.keeper.looks_at_round(number, closer, closing, hands))

    def puts_in(self, number, closer, closing, **hands):
        """Insert a forgotten round before this event and return the changes."""
        return self._confirms(self.keeper.looks_at_missing_round(number, closer, closing, hands))

    def _confirms(self, page):
        lines = shown_changes(page)
        lines += [node.text for node in page.every("legend", class_="label")]
        self.walker.press("Save")
        return lines

    def fines(self, player, points):
        """Record a penalty by its form."""
        self.keeper.does("Record it", fields(penalty_player=player, points=points, reason="se paró"))

    def stops(self, how):
        """Stop the game early."""
        self.keeper.does("Stop the game", {"how": how})

    def presses(self, button):
        """Press a button beside the last entry on the sheet."""
        self.keeper.steps(button, len(self.game.log()))

    @property
    def totals(self):
        return {player.id: player.total for player in self.game.state().players}

    @property
    def nets(self):
        return nets(self.game.state())

    @property
    def winners(self):
        outcome = self.game.state().outcome
        return None if outcome is None else outcome.winners


@pytest.fixture
def begin(ana, table, owner):
    """`begin(variant, **options)` starts a game of Ana, Beto, Caro and Dani and returns it."""
    return lambda variant, **options: Night(Walker(ana), start(table, owner, variant=variant, **options))


def four(ana, beto, caro, dani):
    return {"ana": ana, "beto": beto, "caro": caro, "dani": dani}


# --- Loba de Menos ----------------------------------------------------------------------------------------------------


def test_a_night_of_loba_de_menos_has_the_calculated_totals(begin):
    night = begin("loba_menos", stake=100)
    night.plays("ana", "in_one_go", beto="[k k 10 8]", caro="21", dani="9")
    assert four(-10, 38, 21, 9) == night.totals
    night.plays("dani", "out", ana="8", beto="70", caro="16")  # Beto 108, the highest score still in is 37
    night.walker.press("Re-enters $ 100")
    assert four(-2, 37, 37, 9) == night.totals

    night.corrects(2, "ana", "out", beto="[k k 10 8]", caro="21", dani="9")
    assert four(8, 37, 37, 9) == night.totals
    night.stops("lowest_wins")
    assert (("ana",), four(400, -200, -100, -100)) == (night.winners, night.nets)


# --- Loba de Más ------------------------------------------------------------------------------------------------------


@pytest.fixture
def mas(begin):
    """A game of Loba de Más after its first round.

    Ana went out in one go with melds of 28 and gets 48. Beto's 22 less A 2 7 is 15, Caro's K K 9 5 ★ is −10,
    and Dani's A-2-2 less 4 is 8.
    """
    night = begin("loba_mas", point_value=10)
    night.plays(
        "ana",
        "in_one_go",
        ana="{K K K K}{A A A}{10 J Q K A}",
        beto="{a 2 2 j} {a 2 2 j} a 2 7",
        caro="k k 9 5 ★",
        dani="{A 2 2}[4]",
    )
    return night


def test_a_night_of_loba_de_mas_has_the_calculated_totals(mas):
    assert four(48, 15, -10, 8) == mas.totals
    mas.plays("beto", "out", ana="-4", beto="{9 9 9}{10 2=j q *=k a}", caro="30", dani="{3 4 5}[]")
    assert four(44, 39, 20, 11) == mas.totals  # 6 + 13 + 5 for Beto

    mas.fines("dani", -5)
    mas.presses("Undo")
    assert 11 == mas.totals["dani"]
    mas.presses("Redo")
    assert 6 == mas.totals["dani"]

    mas.plays("ana", "out", ana="96", beto="10", caro="10", dani="10")
    assert four(145, 49, 30, 16) == mas.totals
    page = mas.plays("ana", "out", ana="10", beto="81", caro="-10", dani="-36")
    assert reverse("settlement", args=[mas.game.code]) == mas.walker.address
    assert "Ana" in page.text
    # RULES 3.4: 160, 130, 20, −20 are +350, +230, −210, −370 at one a point.
    assert four(160, 130, 20, -20) == mas.totals
    assert (("ana",), four(3500, 2300, -2100, -3700)) == (mas.winners, mas.nets)

    lines = mas.corrects(3, "beto", "out", ana="-4", beto="{9 9 9}", caro="30", dani="{3 4 5}[]")
    assert "B Beto, round 2 24 → 11" in lines
    # 160, 117, 20, −20 add up to 277: 4 × 160 − 277 and so on.
    assert four(3630, 1910, -1970, -3570) == mas.nets

    mas.puts_in(8, "dani", "out", ana="1", beto="2", caro="3", dani="{k k k}")
    # 161, 119, 23, −9 add up to 294.
    assert four(161, 119, 23, -9) == mas.totals
    assert four(3500, 1820, -2020, -3300) == mas.nets


def test_invalid_melds_are_refused_at_their_hand(begin):
    night = begin("loba_mas")
    night.walker.open(reverse("play-round", args=[night.game.code]))
    page = night.walker.press(
        "Save the round",
        closer="ana",
        closing="out",
        hand_ana="{9 9 9}",
        hand_beto="{3 3 3 *}[4]",
        hand_caro="{K Q J}",
        hand_dani="5",
    )

    assert 422 == night.walker.status
    assert "A set can't contain wild cards." == page.said_at("hand-beto")
    assert ("{9 9 9}", "{3 3 3 *}[4]", "{K Q J}") == tuple(
        page.typed(f"hand-{player}") for player in ("ana", "beto", "caro")
    )


# --- the contract games -----------------------------------------------------------------------------------------------


def test_a_night_of_central_american_loba_has_the_calculated_totals(begin):
    night = begin("loba_ca", settlement="pot", stake=50)
    for _ in range(4):
        night.plays("ana", "out", beto="10", caro="20", dani="30")
    night.plays("beto", "out", ana="[J Q K A * 5]", caro="20", dani="30")  # 11 + 12 + 13 + 14 + 25 + 5
    assert (80, 200) == (night.totals["ana"], pot_of(night.game.state()))
    page = night.walker.open(reverse("play-round", args=[night.game.code]))
    assert "Round 6 · 1 trio and 2 runs" in page.only("h1").text

    night.plays("ana", "out", beto="10", caro="20", dani="30")
    assert four(80, 50, 120, 180) == night.totals
    assert (("beto",), four(-50, 150, -50, -50)) == (night.winners, night.nets)

    night.corrects(6, "beto", "out", ana="5", caro="20", dani="30")
    assert (("ana",), four(150, -50, -50, -50)) == (night.winners, night.nets)

    # A seventh round is one too many: the correction removes the last one.
    lines = night.puts_in(3, "dani", "out", ana="1", beto="2", caro="3")
    assert "Now the game ends with round 6, but it went on" in lines
    assert four(6, 42, 103, 150) == night.totals
    assert (("ana",), 6) == (night.winners, len(night.game.state().rounds))


def test_a_night_of_argentine_carioca_has_the_calculated_totals(begin):
    night = begin("carioca_ar", settlement="to_winner", point_value=10, buy_points=5)
    night.plays("ana", "out", ana="0+2", beto="[k 7]+2", caro="45+1", dani="a *")
    assert four(10, 27, 50, 70) == night.totals
    night.plays("beto", "in_one_go", ana="20", caro="0", dani="5")
    night.fines("caro", 15)
    assert four(30, 27, 65, 75) == night.totals
    for _ in range(5):
        night.plays("beto", "out", ana="10", caro="10", dani="10")
    # Ana pays 80, Caro 115, Dani 125, ten a point, to Beto.
    assert four(80, 27, 115, 125) == night.totals
    assert (("beto",), four(-800, 3200, -1150, -1250)) == (night.winners, night.nets)

    night.corrects(2, "ana", "out", ana="0", beto="[k 7 *]+2", caro="45+1", dani="a *")
    # 10 + 7 + 50 + 2 × 5 for Beto, who wins no more: Ana 70, Beto 77, Caro 115, Dani 125.
    assert (("ana",), four(3170, -770, -1150, -1250)) == (night.winners, night.nets)


def test_a_night_of_chilean_carioca_has_the_calculated_totals(begin):
    night = begin("carioca_cl", settlement="pairs", point_value=2)
    page = night.walker.open(reverse("play-round", args=[night.game.code]))
    assert "Round 1 · 2 trios" in page.only("h1").text
    for _ in range(6):
        night.plays("ana", "out", beto="10", caro="20", dani="30")
    page = night.walker.open(reverse("play-round", args=[night.game.code]))
    assert "Round 7 · royal run" in page.only("h1").text

    night.plays("nobody", "stock_out", ana="50", beto="0", caro="0", dani="0")
    # 50, 60, 120, 180 add up to 410; low wins: 410 − 4 × 50 and so on, two a point.
    assert four(50, 60, 120, 180) == night.totals
    assert (("ana",), four(420, 340, -140, -620)) == (night.winners, night.nets)

    night.presses("Undo")
    night.stops("lowest_wins")
    # 0, 60, 120, 180 add up to 360.
    assert (("ana",), four(720, 240, -240, -720)) == (night.winners, night.nets)


# --- Chinchón ---------------------------------------------------------------------------------------------------------

ANA, DANI = "4o 4c 4e 10c 11c 12c 2b", "5O 6O 7O 4B 1C 3E 10B"


@pytest.fixture
def chinchon(begin):
    """A game of Chinchón in which Ana cut with the 2 of clubs left; Dani's 4 of clubs goes on Ana's run.

    Dani keeps 14 points.
    """
    night = begin("chinchon", stake=100, cut_prize=300)
    night.plays("ana", "cut", ana=ANA, beto="5", caro="[9]", dani=DANI)
    return night


def test_a_night_of_chinchon_has_the_calculated_totals(chinchon):
    assert four(2, 5, 9, 14) == chinchon.totals
    assert four(800, -400, -400, -400) == chinchon.nets

    # Beto −10; Caro 104; the highest score still in is Dani's 54.
    chinchon.plays("beto", "closed", ana="20", caro="95", dani="40")
    chinchon.walker.press("Re-enters $ 100")
    assert four(22, -5, 54, 54) == chinchon.totals
    chinchon.fines("dani", 10)
    chinchon.plays("nobody", "stock_out", ana="10", beto="15", caro="20", dani="50")  # Dani 114
    chinchon.walker.press("Eliminated")
    assert four(32, 10, 74, 114) == chinchon.totals
    assert 500 == pot_of(chinchon.game.state())

    chinchon.plays("ana", "chinchon")
    assert reverse("settlement", args=[chinchon.game.code]) == chinchon.walker.address
    # Ana: −100 + 900 − 300 + 600 + 200 + 500. Beto: −100 − 300 + 900 − 300 − 100.
    # Caro: −100 − 300 − 300 − 100 − 300 − 100. Dani: −100 − 300 − 300.
    assert (("ana",), four(1800, 100, -1200, -700)) == (chinchon.winners, chinchon.nets)

    lines = chinchon.corrects(2, "beto", "cut", ana="20", beto="5", caro="[9]", dani=DANI)
    assert "D Dani, round 1 14 → 18" in lines
    # The three prizes of the first cut go to Beto: −900 − 300 for Ana, +900 + 300 for Beto.
    assert four(600, 1300, -1200, -700) == chinchon.nets
    assert four(50, 10, 78, 118) == chinchon.totals

    chinchon.puts_in(8, "beto", "cut", ana="5", beto="3", caro="6")
    assert four(300, 1900, -1500, -700) == chinchon.nets


def test_a_chinchon_for_points_needs_the_hands_of_the_others(begin):
    night = begin("chinchon", chinchon=-50)
    night.walker.open(reverse("play-round", args=[night.game.code]))
    page = night.walker.press("Save the round", closer="ana", closing="chinchon", hand_beto="5")

    assert 422 == night.walker.status
    assert ("", "The hand of Caro is missing.") == tuple(
        page.said_at(f"hand-{player}") for player in ("beto", "caro")
    )

    night.plays("ana", "chinchon", beto="5", caro="9", dani="0")
    assert four(-50, 5, 9, -10) == night.totals
