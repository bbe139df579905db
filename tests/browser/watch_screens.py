"""Screens of watching and of offered hands, for the layout and accessibility tests."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User

from games.models import Game, Table
from games.play.services import hand_offers
from games.play.services.hand_offers import SubmittedHand
from tests.browser.game_setup import begin, hands, ids, play
from tests.browser.scorer import GO
from tests.browser.screens import FACES, MAIN, TOTALS, Screen, waits_for
from tests.factories import confirm_as_member, grant_access, make_table, make_user

EIGHT = ("Ana", "Beto", "Carolina", "Dani", "Eva", "Fabi", "Gabriela", "Hugo")
LONG_EIGHT = tuple(f"Maximilianosebasti{letter}n" for letter in "abcdefgh")


def watch_screens(owner: User, *, crowded: bool = False) -> Iterator[Screen]:
    """Yield the screens with usual names or, if crowded, the longest ones."""
    table = make_table(owner, people=LONG_EIGHT if crowded else EIGHT, name="Chinchón de los ocho")
    eight = eight_of_chinchon(table, owner)
    yield Screen("sheet-eight", f"/g/{eight.code}/", reachable=(TOTALS, FACES))
    bust = eight_of_chinchon(table, owner)
    play(bust, owner, f"round nobody stock_out {hands(ids(table), 40)}")
    contracts = _carioca(table, owner, rounds=10)
    yield Screen("sheet-contracts", f"/g/{contracts.code}/", reachable=(TOTALS, FACES))
    done = _carioca(table, owner, rounds=12)
    yield Screen("sheet-contracts-over", f"/g/{done.code}/", reachable=(TOTALS, MAIN))
    negative = _loba_mas(table, owner)
    yield Screen("sheet-loba-mas", f"/g/{negative.code}/", reachable=(TOTALS, FACES))
    yield Screen("board-eight", f"/g/{eight.code}/board/", reachable=(".spot .total",))
    yield Screen("board-contracts", f"/g/{contracts.code}/board/", reachable=(".spot .total",))
    yield Screen("board-bust", f"/g/{bust.code}/board/", reachable=(".spot .total",))
    for name, slug in zip(("wanda", "otto"), ids(table)[1:3], strict=True):
        grant_access(make_user(f"{name}-{table.code}"), table, face=slug)
    yield Screen("sheet-faces", f"/g/{eight.code}/", reachable=(FACES,), upright=(".says button",))
    confirm_as_member(owner, table.members.all()[0])
    for name, hand in (("wanda", "12"), ("otto", "7")):
        user = User.objects.get(username=f"{name}-{table.code}")
        hand_offers.submit(eight, SubmittedHand(hand, after=eight.records.count()), by=user)
    yield Screen("own-hand", f"/g/{eight.code}/hand/", reachable=(GO,))
    path = f"/g/{eight.code}/round/?closer={ids(table)[0]}"
    yield Screen(
        "entry-offers", path, (waits_for(".seat .sent >> nth=1"),), reachable=(".seat[data-field]", GO)
    )


def eight_of_chinchon(table: Table, owner: User) -> Game:
    """Play nine rounds of Chinchón with eight players. Some of them re-enter."""
    game = begin(table, owner, 8, variant="chinchon", packs=2, stake=1000)
    for number in range(9):
        state = game.state()
        closer, *others = (player.id for player in state.playing)
        hands_text = " ".join(
            f"{player}={(7 * place + 5 * number) % 19 + 2}" for place, player in enumerate(others)
        )
        play(game, owner, f"round {closer} cut {closer}={number % 7} {hands_text}")
        play(game, owner, *(f"reenter {player.id}" for player in game.state().pending))
    return game


def _carioca(table: Table, owner: User, *, rounds: int) -> Game:
    """Play this many of twelve contracts."""
    game = begin(table, owner, 5, variant="carioca_cl", contracts="cl12")
    closer, *others = ids(table)[:5]
    for number in range(rounds):
        play(game, owner, f"round {closer} out {hands(others, 130 + number)}")
    return game


def _loba_mas(table: Table, owner: User) -> Game:
    """Play until some totals are above and others below zero."""
    game = begin(table, owner, 5, variant="loba_mas")
    closer, *others = ids(table)[:5]
    for _round in range(3):
        play(game, owner, f"round {closer} in_one_go {closer}=18 {hands(others, 12, -20)}")
    return game
