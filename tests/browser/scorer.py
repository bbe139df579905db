"""Somebody who keeps the score on a phone: every tap is a real one and is counted.

    scorer = Scorer(page)
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9 4")
    scorer.goes_on()
    scorer.counted(29)
    scorer.saves()

What is read from the page (`totals`, `pot`, …) is what the people at the table see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from playwright.sync_api import Locator, Page, expect

GO = "[data-go]"
ERASE = "[data-erase]:visible"
CONFIRM = "button[name=confirm]"
LONG_PRESS = 700  # milliseconds
RUN = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")  # the places of a run


class Scorer:
    """A finger on the screen of this page; `taps` is how often it came down."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: str | Locator) -> None:
        """One tap."""
        found = self.page.locator(target) if isinstance(target, str) else target
        found.tap()
        self.taps += 1

    def hold(self, target: str) -> None:
        """One long press; it counts as a tap."""
        box = self.page.locator(target).bounding_box()
        assert box is not None
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch = self.page.context.new_cdp_session(self.page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [middle]})
        self.page.wait_for_timeout(LONG_PRESS)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        touch.detach()
        self.taps += 1

    def goes_back(self) -> None:
        """The first sign of every page's head: back, or close."""
        self.tap(".bar > a.icon:first-child")

    # --- the entry of a round ---------------------------------------------------------------------------------

    def begin_round(self, closer: str = "") -> None:
        """From the sheet to the entry of the next round, by the face of whoever closed it; by any, and back to the
        question, where nobody is named."""
        self.tap(f".closers [data-closer={closer}]" if closer else self.page.locator("[data-closer]").first)
        expect(self.page.locator("#entry[data-ready]")).to_be_visible()
        if not closer:
            self.tap("[data-previous]")

    def resumes_round(self) -> None:
        """From the sheet back to the round that is half entered."""
        self.tap(".score .half a")
        expect(self.page.locator("#entry[data-ready]")).to_be_visible()

    def went_out(self, player: str, *, in_one_go: bool = False) -> None:
        """Who went out, and how."""
        self.tap(seat(player))
        if in_one_go:
            self.tap("[data-closing=in_one_go]")

    def opens(self, player: str) -> None:
        """The hand of this player."""
        self.tap(seat(player))

    def holds(self, cards: str) -> None:
        """A hand, card by card."""
        for card in cards.split():
            self.tap(self.page.locator(f"[data-card='{card}']:visible").first)

    def counted(self, points: int) -> None:
        """A hand as the table counted it, on the digits; they stay for the next empty hand."""
        if not self.page.locator("[data-digits]").is_visible():
            self.tap("[data-typed]")
        for digit in str(points):
            self.tap(f"[data-digit='{digit}']")

    def lays_set(self, rank: str, size: int = 3) -> None:
        """A set on the table: three with the first tap, one more with each other."""
        self._turns_to("set")
        for _card in range(size - 2):
            self.holds(rank)

    def lays_run(self, first: str, last: str, **wilds: str) -> None:
        """A run on the table, its first and last card tapped; `K="*"` says that a joker stands for the king."""
        self._turns_to("run")
        ranks = RUN[RUN.index(first) : RUN.index(last, RUN.index(first) + 1) + 1]
        for place in (RUN.index(first), RUN.index(first) + len(ranks) - 1):
            self.tap(f"[data-place='{place}']")
        for rank, wild in wilds.items():
            for _turn in range({"2": 1, "*": 2}[wild]):
                self.tap(f"[data-turn='{ranks.index(rank.removeprefix('r'))}']")

    def keeps(self, cards: str) -> None:
        """What stays in hand beside melds."""
        self._turns_to("hand")
        self.holds(cards)

    def _turns_to(self, mode: str) -> None:
        tab = self.page.locator(f"[data-mode={mode}]")
        if tab.get_attribute("aria-pressed") != "true":
            self.tap(tab)

    def cuts_with(self, points: int) -> None:
        """What is left to whoever cut, on the keys for that; the next hand opens."""
        self.tap(f"[data-points='{points}']")

    def cuts(self, how: str) -> None:
        """Another way to cut: `closed` with all seven in games, `chinchon`, or his `cards`."""
        self.tap(f"[data-rest={how}]")

    def holds_seven(self, cards: str) -> None:
        """All seven cards, suit by suit."""
        if not self.page.locator("[data-suit]").first.is_visible():
            self.tap("[data-way=seven]")
        for card in cards.split():
            if card != "*":
                suit = self.page.locator(f"[data-suit={card[-1]}]")
                if suit.get_attribute("aria-pressed") != "true":
                    self.tap(suit)
            self.tap(f"[data-card='{card.rstrip('oceb')}']")

    def lays_down(self, cards: str) -> None:
        """The cards of a contract, each by its suit and rank."""
        for card in cards.split():
            if card != "*":
                self.tap(f"[data-suit={card[-1]}]")
            self.tap(f"[data-card='{card.rstrip('SHDC')}']")

    def has_nothing_left(self) -> None:
        """Nobody's card counts here."""
        self.tap("[data-nothing]")

    def buys(self, count: int) -> None:
        """So many cards were bought out of turn."""
        for _card in range(count):
            self.tap("[data-buy='1']")

    def holds_cards_again(self) -> None:
        """Back from the digits to the cards."""
        self.tap("[data-typed]")

    def enters(self, *hands: str | int) -> None:
        """The hands still missing, one after the other: points, or cards."""
        for place, hand in enumerate(hands):
            if place:
                self.goes_on()
            if isinstance(hand, int):
                self.counted(hand)
                continue
            if self.page.locator("[data-digits]").is_visible():
                self.holds_cards_again()
            self.holds(hand)

    def takes_back(self) -> None:
        """The last card or digit."""
        self.tap(ERASE)

    def goes_on(self) -> None:
        """To the next hand that is missing."""
        self.tap(GO)

    def saves(self) -> None:
        """The whole round; the page that follows is no entry any more."""
        self.tap(GO)
        expect(self.page.locator("#entry")).to_have_count(0)

    # --- corrections ------------------------------------------------------------------------------------------

    def opens_cell(self, player: str, number: int) -> None:
        """The hand of a player in the round that stands as event `number`."""
        self.tap(f"a.cell[href$='/correct/{number}/?hand={player}']")
        expect(self.page.locator("#entry[data-ready]")).to_be_visible()

    def sees_what_changes(self) -> None:
        """The consequences of a correction, before it is saved."""
        self.tap(GO)
        expect(self.page.locator("#changes")).to_be_visible()

    def confirms(self) -> None:
        """The correction is saved."""
        self.tap(CONFIRM)
        expect(self.page.locator("#changes")).to_have_count(0)

    # --- the re-entry desk ------------------------------------------------------------------------------------

    def answers(self, answer: str) -> None:
        """What a bust player says: `reenter` or `stay_out`."""
        asked = self.page.locator("input[name=player]").get_attribute("value")
        self.tap(f"button[value={answer}]:visible")
        expect(self.page.locator(f"input[name=player][value={asked}]")).to_have_count(0)

    # --- what is seen -----------------------------------------------------------------------------------------

    def sees_totals(self, *totals: str) -> None:
        """Waits for the sheet with these totals, in the order of the seats."""
        figures = [re.compile(rf"^{re.escape(total)}(?![\d.])") for total in totals]
        expect(self.page.locator(".score .total")).to_have_text(figures)

    @property
    def pot(self) -> str:
        """The pot as the sheet shows it."""
        return plain(self.page.locator(".strip .gold b").inner_text())

    def hands(self) -> list[str]:
        """What stands under every name while a round is entered."""
        return self.page.locator(".seats button[data-field] b").all_inner_texts()

    def changes(self) -> dict[str, str]:
        """The consequences of a correction, by what they are about."""
        rows = self.page.locator("#what-changes li").evaluate_all(
            "rows => rows.map(row => [row.querySelector('.grow').firstChild.textContent, row.querySelector('b').textContent])"
        )
        return {plain(what): plain(figures) for what, figures in rows}

    def facts(self) -> list[str]:
        """The right-hand figures of the re-entry desk: back with, margin, pot."""
        return [plain(text) for text in self.page.locator(".deskpage:visible .rows dd").all_inner_texts()]

    def ladder(self) -> list[str]:
        """The prices of the asked player's re-entries."""
        return [plain(text) for text in self.page.locator(".ladder li").all_inner_texts()]


def seat(player: str) -> str:
    """The button of a player on the entry."""
    return f"button[data-seat={player}]"


def plain(text: str) -> str:
    """The text with ordinary spaces, as one line, without the marks that hold a sign to its amount."""
    return " ".join(text.replace("\u2060", "").split())


def write_name(scorer: Scorer, name: str) -> None:
    """Somebody new on the new-game screen."""
    scorer.tap("[data-add] input")
    scorer.page.keyboard.type(name)
    scorer.tap("[data-add] button")


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Waits for what no page shows."""
    for _ in range(100):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not come about")


def seated_order(page: Page) -> Sequence[str]:
    """The names of the columns of the sheet, from the left."""
    names: list[str] = page.locator(".score .who").evaluate_all("heads => heads.map(head => head.title)")
    return names
