"""A scorer on a phone: every tap is a real one and is counted.

    scorer = Scorer(page)
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9 4")
    scorer.goes_on()
    scorer.counted(29)
    scorer.saves()

The values read from the page (`pot`, `hands`, …) are those that the people at the table see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, expect

GO = "[data-go]"
ERASE = "[data-erase]:visible"
CONFIRM = "button[name=confirm]"
LONG_PRESS = 700  # milliseconds
RUN = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")  # the ranks of a run in order


class Scorer:
    """A finger on the screen of this page; `taps` counts its taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: str | Locator) -> None:
        """Tap it on a page whose scripts have run."""
        element = self.page.locator(target) if isinstance(target, str) else target
        element.wait_for(state="attached")
        self.page.wait_for_load_state("domcontentloaded")
        element.tap()
        self.taps += 1

    def hold(self, target: str) -> None:
        """Press long; it counts as one tap."""
        box = self.page.locator(target).bounding_box()
        assert box is not None
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch = self.page.context.new_cdp_session(self.page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
        self.page.wait_for_timeout(LONG_PRESS)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        touch.detach()
        self.taps += 1

    def does(self, acts: Iterable[Sequence[Any]]) -> None:
        """Call these methods: each item is a name and its arguments, perhaps with a mapping of keywords last."""
        for act, *given in acts:
            named = given.pop() if given and isinstance(given[-1], dict) else {}
            getattr(self, act)(*given, **named)

    def goes_back(self) -> None:
        """Tap the first icon of the header, back or close, and wait for the page it leads to."""
        old_url = self.page.url
        self.tap(".bar > a.icon:first-child")
        self.page.wait_for_url(lambda address: address != old_url)

    # --- the entry of a round ---------------------------------------------------------------------------------

    def begin_round(self, closer: str = "") -> None:
        """Go from the sheet to the entry of the next round by tapping the closer's face.

        Without a closer, tap any face and go back to the question.
        """
        self.tap(f".closers [data-closer={closer}]" if closer else self.page.locator("[data-closer]").first)
        expect(self.page.locator("#entry[data-ready]")).to_be_visible()
        if not closer:
            self.tap("[data-previous]")

    def went_out(self, player: str, *, in_one_go: bool = False) -> None:
        self.tap(seat(player))
        if in_one_go:
            self.tap("[data-closing=in_one_go]")

    def opens(self, player: str) -> None:
        self.tap(seat(player))

    def holds(self, cards: str) -> None:
        """Enter a hand card by card, switching from digits to cards if necessary."""
        if self.page.locator("[data-digits]").is_visible():
            self.tap(self.page.locator("[data-way]").first)
        for card in cards.split():
            self.tap(self.page.locator(f"[data-card='{card}']:visible").first)

    def counted(self, points: int) -> None:
        """Type the points of a hand. The pad keeps the digits for the next empty hand."""
        if not self.page.locator("[data-digits]").is_visible():
            self.tap("[data-way=digits]")
        for digit in str(points):
            self.tap(f"[data-digit='{digit}']")

    def lays_set(self, rank: str, size: int = 3) -> None:
        """Lay a set. The first tap adds three cards, each further tap one more."""
        self._turns_to("set")
        for _card in range(size - 2):
            self.holds(rank)

    def lays_run(self, first: str, last: str, **wilds: str) -> None:
        """Lay a run by tapping its first and last card. `K="*"` means that a joker replaces the king."""
        self._turns_to("run")
        ranks = RUN[RUN.index(first) : RUN.index(last, RUN.index(first) + 1) + 1]
        for place in (RUN.index(first), RUN.index(first) + len(ranks) - 1):
            self.tap(f"[data-place='{place}']")
        for rank, wild in wilds.items():
            for _turn in range({"2": 1, "*": 2}[wild]):
                self.tap(f"[data-turn='{ranks.index(rank)}']")

    def keeps(self, cards: str) -> None:
        """Enter the cards that stay in hand beside melds."""
        self._turns_to("hand")
        self.holds(cards)

    def _turns_to(self, way: str) -> None:
        tab = self.page.locator(f"[data-way={way}]")
        if tab.get_attribute("aria-pressed") != "true":
            self.tap(tab)

    def cuts_with(self, points: int) -> None:
        """Enter the points left to the player who cut. The next hand opens."""
        self.tap(f"[data-points='{points}']")

    def cuts(self, how: str) -> None:
        """Choose another way to cut: `closed` with seven cards in melds, `chinchon`, or by `cards`."""
        self.tap(f"[data-rest={how}]")

    def holds_seven(self, cards: str) -> None:
        """Enter all seven cards, suit by suit."""
        if not self.page.locator("[data-suit]").first.is_visible():
            self.tap("[data-way=seven]")
        for card in cards.split():
            if card != "*":
                suit = self.page.locator(f"[data-suit={card[-1]}]")
                if suit.get_attribute("aria-pressed") != "true":
                    self.tap(suit)
            self.tap(f"[data-card='{card.rstrip('oceb')}']")

    def has_nothing_left(self) -> None:
        """Enter that no card of this hand counts."""
        self.tap("[data-nothing]")

    def buys(self, count: int) -> None:
        """Enter how many cards were bought out of turn."""
        for _card in range(count):
            self.tap("[data-buy='1']")

    def enters(self, *hands: str | int) -> None:
        """Enter the missing hands one after the other, as points or cards."""
        for place, hand in enumerate(hands):
            if place:
                self.goes_on()
            if isinstance(hand, int):
                self.counted(hand)
            else:
                self.holds(hand)

    def types(self, keys: str) -> None:
        """Type cards and points on a keyboard; `Enter` and `Backspace` are keys."""
        for key in keys.split():
            if key in ("Enter", "Backspace"):
                self.page.keyboard.press(key)
            else:
                self.page.keyboard.type(key)

    def takes_back(self) -> None:
        """Erase the last card or digit."""
        self.tap(ERASE)

    def goes_on(self) -> None:
        """Go to the next missing hand."""
        self.tap(GO)

    def saves(self) -> None:
        """Save the round, and wait until the entry is left."""
        self.tap(GO)
        expect(self.page.locator("#entry")).to_have_count(0)

    # --- corrections ------------------------------------------------------------------------------------------

    def opens_cell(self, player: str, number: int) -> None:
        """Open the hand of a player in the round that is event `number`."""
        self.tap(f"a.cell[href$='/correct/{number}/?hand={player}']")
        expect(self.page.locator("#entry[data-ready]")).to_be_visible()

    def sees_what_changes(self) -> None:
        """Show the consequences of a correction before it is saved."""
        self.tap(GO)
        expect(self.page.locator("#changes")).to_be_visible()

    def confirms(self) -> None:
        self.tap(CONFIRM)
        expect(self.page.locator("#changes")).to_have_count(0)

    # --- the re-entry desk ------------------------------------------------------------------------------------

    def answers(self, answer: str) -> None:
        """Answer for a bust player: `reenter` or `stay_out`."""
        player = self.page.locator("form.dock input[name=player]").get_attribute("value")
        self.tap(f"button[value={answer}]:visible")
        expect(self.page.locator(f"form.dock input[name=player][value={player}]")).to_have_count(0)

    # --- what is seen -----------------------------------------------------------------------------------------

    def sees_totals(self, *totals: str) -> None:
        """Wait for the sheet with these totals, in seat order."""
        figures = [re.compile(rf"^{re.escape(total)}(?![\d.])") for total in totals]
        expect(self.page.locator(".score .total")).to_have_text(figures)

    @property
    def pot(self) -> str:
        return plain(self.page.locator("[data-now=pot]").inner_text())

    def hands(self) -> list[str]:
        """Return the text under every name while a round is entered."""
        return self.page.locator(".seats button[data-field] b").all_inner_texts()


def seat(player: str) -> str:
    """Return the selector of a player's button on the entry."""
    return f"button[data-seat={player}]"


def plain(text: str) -> str:
    """Return the text on one line with ordinary spaces, without the marks that join a sign to its amount."""
    return " ".join(text.replace("\u2060", "").split())


def write_name(scorer: Scorer, name: str) -> None:
    """Add a new person on the new-game screen."""
    scorer.tap("[data-add] input")
    scorer.page.keyboard.type(name)
    scorer.tap("[data-add] button")


def until(page: Page, holds: Callable[[], bool], *, tries: int = 300, or_not: bool = False) -> None:
    """Wait for a condition that no page shows; with `or_not`, go on if it does not come about."""
    for _ in range(tries):
        if holds():
            return
        page.wait_for_timeout(100)
    if not or_not:
        raise AssertionError("it did not come about")


def unseat_everybody(page: Page) -> None:
    """Remove everybody who is already seated, on the page of a new game, because they played last."""
    selected_chips = page.locator("[data-around] .chip[aria-pressed=true]")
    expect(page.locator(".chip[data-index]").first).to_be_visible()
    while selected_chips.count():
        selected_chips.first.tap()


def player_order(page: Page) -> Sequence[str]:
    """Return the names of the sheet's columns from left to right."""
    names: list[str] = page.locator(".score .who").evaluate_all("heads => heads.map(head => head.title)")
    return names
