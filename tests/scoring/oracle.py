"""A second implementation of Loba de Menos, slow and straight from RULES 1.1 to 1.4 and 2.

It shares no code with the engine. The other games are in oracle_games.py and only override what differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

HAND = re.compile(r"(?P<points>-?[0-9]+)?(?P<melds>(\{[^}]*\})*)(?P<held>\[[^]]*\])?(\+(?P<bought>[0-9]+))?")
CARD = re.compile(r"(?P<rank>\*|[0-9]+|[AJQK])(?P<suit>[SHDCoceb]?)(=(?P<stands_for>.+))?")


class RuleViolation(Exception):
    """A statement that RULES forbid."""


class WrittenHand:
    """A hand as written: its points or None, its melds, the cards held or None, and the cards bought.

    Each card is a tuple of rank, suit and the card that a wild stands for.
    """

    def __init__(self, text: str) -> None:
        match = HAND.fullmatch(text)
        assert match is not None, text
        self.points = None if match["points"] is None else int(match["points"])
        self.melds = [self.parse_cards(meld) for meld in re.findall(r"\{([^}]*)\}", match["melds"])]
        self.held = None if match["held"] is None else self.parse_cards(match["held"][1:-1])
        self.bought = int(match["bought"] or "0")

    @staticmethod
    def parse_cards(text: str) -> list[tuple[str, str, str]]:
        cards = []
        for word in text.split():
            match = CARD.fullmatch(word)
            assert match is not None, word
            cards.append((match["rank"], match["suit"], match["stands_for"] or ""))
        return cards

    def cards(self) -> list[tuple[str, str, str]]:
        return [card for meld in self.melds for card in meld] + (self.held or [])

    def is_empty(self) -> bool:
        return self.points == 0 or (self.points is None and self.held == [] and not self.melds)


def parse_hands(written: Iterable[str]) -> dict[str, WrittenHand]:
    """Return the hands in words such as `ana=[K 7]`, by player."""
    pairs = (word.partition("=") for word in written)
    return {player: WrittenHand(text) for player, _equals, text in pairs}


class Oracle:
    """A game of Loba de Menos. Each statement of the notation is a method call with the statement's words."""

    low_wins = True
    nobodys_closing = "stock_out"

    def __init__(self, options: dict[str, str], players: list[str], dealer: str, direction: str) -> None:
        self.options = options
        self.seats = list(players)
        self.direction = direction
        self.seat = dict.fromkeys(players, "in")
        self.total = dict.fromkeys(players, 0)
        self.times = dict.fromkeys(players, 0)
        self.high: dict[str, int] = {}
        self.bust_when: dict[str, int] = {}
        self.clock = 0
        self.put_in = dict.fromkeys(players, self.stake())
        self.got = dict.fromkeys(players, 0)
        self.pot = sum(self.put_in.values())
        self.next_dealer = dealer or players[0]
        self.last_dealer = ""
        self.end_reason = ""
        self.winners: list[str] = []
        self.last_round: dict[str, int] = {}
        self.last_is_odd = False
        self.rounds_played = 0
        self.rounds_won = dict.fromkeys(players, 0)

    # --- options ---

    def number(self, key: str) -> int:
        return int(self.options[key])

    def stake(self) -> int:
        return self.number("stake") if self.has_pot() else 0

    def has_pot(self) -> bool:
        return self.options["settlement"] in ("pot", "pot_and_pairs")

    def most_players(self) -> int:
        return 8 if self.options["packs"] == "3" else 5

    def contract(self) -> str | None:
        return None

    def fee(self, player: str) -> int:
        if not self.has_pot():
            return 0
        k, fee = self.times[player] + 1, self.number("reentry_fee")
        prices = {"flat": fee, "linear": fee * k, "double": fee << (k - 1)}
        return prices[self.options["reentry_price"]]

    # --- seats ---

    def players_in(self, where: str) -> list[str]:
        return [player for player in self.seats if self.seat[player] == where]

    def around_from(self, player: str) -> list[str]:
        """Return all players in the direction of the deal, starting with this one."""
        order = list(self.seats) if self.direction == "left" else list(reversed(self.seats))
        while order[0] != player:
            order.append(order.pop(0))
        return order

    def around_after(self, player: str) -> list[str]:
        """Return all players in the direction of the deal, ending with this one."""
        order = self.around_from(player)
        return [*order[1:], order[0]]

    def dealer(self) -> str:
        if self.end_reason:
            return ""
        order = (
            self.around_from(self.next_dealer) if self.next_dealer else self.around_after(self.last_dealer)
        )
        for player in order:
            if self.seat[player] == "in":
                return player
        raise AssertionError("nobody is in")

    def check_seat(self, player: str, *where: str) -> None:
        if player not in self.seat or self.seat[player] not in where:
            raise RuleViolation(f"{player} is not {where}")

    def check_running(self) -> None:
        if self.end_reason:
            raise RuleViolation("the game is over")

    # --- rounds ---

    def pack(self) -> tuple[list[str], str, int, int]:
        """Return the pack: its ranks, its suits, the copies of each card, and the number of jokers."""
        packs = self.number("packs")
        return ["A", *map(str, range(2, 11)), "J", "Q", "K"], "SHDC", packs, 2 * packs

    def check_cards(self, hands: dict[str, WrittenHand]) -> None:
        ranks, suits, copies, jokers = self.pack()
        seen = [card for hand in hands.values() for card in hand.cards()]
        for rank, suit, _stands_for in seen:
            available = jokers if rank == "*" else copies * len(suits) if rank in ranks else 0
            if len([card for card in seen if card[0] == rank]) > available:
                raise RuleViolation("too many of a rank, or none such")
            if suit and suit not in suits:
                raise RuleViolation("no such suit")
            if suit and len([card for card in seen if card[:2] == (rank, suit)]) > copies:
                raise RuleViolation("too many of a card")

    def values(self) -> dict[str, int]:
        faces = {str(face): face for face in range(2, 11)}
        return faces | {
            "J": 10,
            "Q": 10,
            "K": 10,
            "A": self.number("ace"),
            "*": self.number("joker"),
        }

    def hand_points(self, hand: WrittenHand) -> int:
        if hand.melds or any(stands_for for _rank, _suit, stands_for in hand.cards()):
            raise RuleViolation("no melds and no fixed wilds here")
        if hand.points is not None:
            if not 0 <= hand.points <= 10**5:
                raise RuleViolation("hands are within bounds and not negative")
            return hand.points
        return sum(self.values()[rank] for rank, _suit, _stands_for in hand.held or [])

    def closings(self) -> list[str]:
        ends_round = self.options.get("stock_end", "end_round") == "end_round"
        return ["out", "in_one_go", *(["stock_out"] if ends_round else [])]

    def round(self, closer: str, closing: str, *written: str) -> None:
        self.check_running()
        hands = parse_hands(written)
        for player in hands:
            self.check_seat(player, "in")
        dealt_in = self.players_in("in")
        if closing not in self.closings() or (closing == self.nobodys_closing) != (closer == "nobody"):
            raise RuleViolation("no such closing")
        if closer != "nobody":
            self.check_seat(closer, "in")
        self.check_cards(hands)
        scores = self.scores(closer, closing, hands, dealt_in)
        self.last_is_odd = self.is_odd(closer, closing, hands, scores)
        for player in dealt_in:
            if self.options.get("floor", "none") != "none":
                floor = self.number("floor")
                if scores[player] < 0 and self.total[player] + scores[player] < floor:
                    scores[player] = min(0, floor - self.total[player])
            self.total[player] += scores[player]
        self.last_round = scores
        self.last_dealer, self.next_dealer = self.dealer(), ""
        self.rounds_played += 1
        if closer != "nobody":
            self.rounds_won[closer] += 1
        for player in self.players_in("pending"):
            self.seat[player] = "out"
        for player in dealt_in:
            if closer not in ("nobody", player):
                self.pay(player, closer, self.round_prize())
        if self.wins_the_game(closing):
            self.end("instant_win", [closer], [])
            self.pay_instant_win(closer, dealt_in)
        else:
            self.check()

    def scores(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], dealt_in: list[str]
    ) -> dict[str, int]:
        scores = {}
        for player in dealt_in:
            hand = hands.get(player)
            if player == closer:
                if hand is not None and not hand.is_empty():
                    raise RuleViolation("the closer has nothing left")
                scores[player] = self.number("in_one_go") if closing == "in_one_go" else 0
            elif hand is None:
                raise RuleViolation("a hand is missing")
            else:
                scores[player] = self.hand_points(hand)
            if hand is not None:
                scores[player] += self.bought_points(hand)
        return scores

    def bought_points(self, hand: WrittenHand) -> int:
        """Return 0: no cards are bought in this game."""
        if hand.bought:
            raise RuleViolation("nothing is bought here")
        return 0

    def is_odd(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], scores: dict[str, int]
    ) -> bool:
        """Return whether some hand is impossible with the pack, which RULES 1.4 call a doubt."""
        ranks, _suits, copies, jokers = self.pack()
        pack = [rank for rank in ranks for _copy in range(4 * copies)] + ["*"] * jokers
        values = sorted(self.values()[rank] for rank in pack)
        return any(
            not values[0] <= self.hand_points(hand) <= sum(values[-self.most_cards(hand) :])
            or len(hand.held or []) > self.most_cards(hand)
            for player, hand in hands.items()
            if player != closer
        )

    def most_cards(self, hand: WrittenHand) -> int:
        return 9

    def round_prize(self) -> int:
        """Return the prize of a round from each other player; this game has none."""
        return 0

    def pay_instant_win(self, winner: str, dealt_in: list[str]) -> None:
        """Pay the prize of a win that ends the game at once; this game has none."""

    def wins_the_game(self, closing: str) -> bool:
        return False

    def check(self) -> None:
        """Check for bust players and for the end, after a round or an adjustment (RULES 1.2)."""
        self.clock += 1
        limit = self.number("out_at")
        inside = self.players_in("in")
        bust = [player for player in inside if self.total[player] >= limit]
        alive = [player for player in inside if self.total[player] < limit]
        for player in bust:
            self.bust_when[player] = self.clock
        lowest = [player for player in inside if self.total[player] == min(self.total[p] for p in inside)]
        if self.options["ending"] == "first_out":
            if bust:
                self.end("first_out", lowest, bust)
        elif not alive:
            self.end("everybody_bust", lowest, bust)
        elif len(alive) == 1:
            self.end("last_in", alive, bust)
        else:
            high = self.entry_total(alive)
            for player in bust:
                cap = self.options["reentries"]
                if high is None or (cap != "unlimited" and self.times[player] >= int(cap)):
                    self.seat[player] = "out"
                else:
                    self.seat[player] = "pending"
                    self.high[player] = high

    def entry_total(self, others: list[str]) -> int | None:
        """Return the total of a player who joins these others, or None if nobody may join."""
        high = max(self.total[other] for other in others)
        if self.options.get("entry_limit", "none") != "none" and high > self.number("entry_limit"):
            return None
        if self.options.get("entry_total") == "above":
            return high + 1 if high + 1 < self.number("out_at") else None
        return high

    def end(self, reason: str, winners: list[str], bust: list[str]) -> None:
        due = self.last_dealer or self.dealer()
        for player in [*bust, *self.players_in("pending")]:
            if player not in winners:
                self.seat[player] = "out"
        self.end_reason, self.winners = reason, winners
        if winners:
            self.share(self.pot, due)
            self.pot = 0
            self.settle(due)

    def share(self, amount: int, due: str) -> None:
        """Share the amount among the winners in whole units.

        Leftover units go to the first winners after the dealer.
        """
        share, odd = amount // len(self.winners), amount % len(self.winners)
        for player in self.around_after(due):
            if player in self.winners:
                self.got[player] += share + (1 if odd > 0 else 0)
                odd -= 1

    def settle(self, due: str) -> None:
        """Settle what is not paid through the pot at the end of the game."""
        if "pairs" in self.options["settlement"]:
            for first, other in combinations([p for p in self.seats if self.seat[p] != "left"], 2):
                self.pair(first, other)
        if self.options["settlement"] == "to_winner":
            paid = 0
            for player in self.seats:
                if player not in self.winners:
                    amount = max(0, self.total[player]) * self.number("point_value")
                    self.got[player] -= amount
                    paid += amount
            self.share(paid, due)

    def settle_with_leaver(self, player: str) -> None:
        if "pairs" in self.options["settlement"]:
            for other in self.seats:
                if other != player and self.seat[other] != "left":
                    self.pair(player, other)

    def pair(self, player: str, other: str) -> None:
        """Settle two players: the worse score pays the difference to the better."""
        ahead = self.total[player] - self.total[other]
        self.pay(other, player, ahead * self.number("point_value") * (-1 if self.low_wins else 1))

    def pay(self, payer: str, payee: str, amount: int) -> None:
        if self.options["settlement"] != "none":
            self.got[payer] -= amount
            self.got[payee] += amount

    # --- the other statements ---

    def reenter(self, player: str) -> None:
        self.check_running()
        self.check_seat(player, "pending")
        fee = self.fee(player)
        if fee > 10**15:
            raise RuleViolation("beyond every bound")
        self.put_in[player] += fee
        self.pot += fee
        self.times[player] += 1
        self.total[player] = self.high[player]
        self.seat[player] = "in"

    def stay_out(self, player: str) -> None:
        self.check_running()
        self.check_seat(player, "pending")
        self.seat[player] = "out"

    def leave(self, player: str) -> None:
        self.check_running()
        self.check_seat(player, "in", "pending")
        self.settle_with_leaver(player)
        self.seat[player] = "left"
        if len(self.players_in("in")) == 1:
            self.end("last_in", self.players_in("in"), [])

    def join(self, newcomer: str, neighbour: str = "") -> None:
        self.check_running()
        player, after = newcomer.partition("=")[0], neighbour.removeprefix("after=")
        if (
            self.options.get("late_entry") != "on"
            or self.seat.get(player, "left") != "left"
            or (after and after not in self.seat)
        ):
            raise RuleViolation("no newcomer")
        if len(self.players_in("in")) + len(self.players_in("pending")) >= self.most_players():
            raise RuleViolation("the table is full")
        high = self.entry_total(self.players_in("in"))
        if high is None:
            raise RuleViolation("the totals are too high")
        place = self.seats.index(player) if after and after == player else None
        if player in self.seats:  # they left and are coming back
            self.seats.remove(player)
            self.bust_when.pop(player, None)
        if place is None:
            place = self.seats.index(after) + 1 if after else len(self.seats)
        self.seats.insert(place, player)
        self.seat[player], self.total[player], self.times[player] = "in", high, 0
        self.put_in[player] = self.put_in.get(player, 0) + self.stake()
        self.got[player] = self.got.get(player, 0)
        self.rounds_won[player] = self.rounds_won.get(player, 0)
        self.pot += self.stake()

    def replace(self, old: str, _by: str, newcomer: str) -> None:
        self.check_running()
        new = newcomer.partition("=")[0]
        self.check_seat(old, "in", "pending")
        if new in self.seat:
            raise RuleViolation("the newcomer is at the table")
        self.seats[self.seats.index(old)] = new
        books: list[dict[str, Any]] = [
            self.seat,
            self.total,
            self.times,
            self.high,
            self.bust_when,
            self.rounds_won,
            self.put_in,
            self.got,
        ]
        for book in books:
            if old in book:
                book[new] = book.pop(old)
        self.next_dealer = new if self.next_dealer == old else self.next_dealer
        self.last_dealer = new if self.last_dealer == old else self.last_dealer

    def adjust(self, change: str, _reason: str) -> None:
        self.check_running()
        player, _equals, points = change.partition("=")
        self.check_seat(player, "in")
        if abs(int(points)) > 10**5:
            raise RuleViolation("beyond every bound")
        self.total[player] += int(points)
        self.check()

    def deal(self, player: str) -> None:
        self.check_running()
        self.check_seat(player, "in")
        self.next_dealer = player

    def stop(self, how: str) -> None:
        self.check_running()
        inside = self.players_in("in")
        if how == ("lowest_wins" if self.low_wins else "highest_wins"):
            self.end("stopped", self.best(inside), [])
        elif how == "split_pot" and self.has_pot():
            self.end("stopped", inside, [])
        elif how == "refund":
            self.end("stopped", [], [])
            for player, paid in self.put_in.items():
                self.got[player] += paid
            self.pot = 0
        else:
            raise RuleViolation("not here")

    def won(self, *players: str) -> None:
        raise RuleViolation("the totals say who has won")

    def best(self, players: list[str]) -> list[str]:
        totals = [self.total[player] for player in players]
        best = min(totals) if self.low_wins else max(totals)
        return [player for player in players if self.total[player] == best]

    def agree(self, *totals: str) -> None:
        if not self.seat.keys() >= {total.partition("=")[0] for total in totals}:
            raise RuleViolation("unknown player")

    # --- results ---

    def nets(self) -> dict[str, int]:
        return {player: self.got[player] - self.put_in[player] for player in self.seats}

    def places(self) -> dict[str, int]:
        """Return the place of each player by RULES 1.3.

        Winners come first, then those still in by total, then those out: a later bust ranks higher, and the
        total decides within a round. Players who left come last.
        """
        rest = [player for player in self.seats if player not in self.winners]
        inside = sorted((self.total[p] for p in rest if self.seat[p] == "in"), reverse=not self.low_wins)
        out = sorted((-self.bust_when[p], self.total[p]) for p in rest if self.seat[p] in ("out", "pending"))
        place = dict.fromkeys(self.winners, 1)
        for player in rest:
            before = len(self.winners)
            if self.seat[player] == "in":
                place[player] = before + inside.index(self.total[player]) + 1
                continue
            before += len(inside)
            if self.seat[player] == "left":
                place[player] = before + len(out) + 1
            else:
                place[player] = before + out.index((-self.bust_when[player], self.total[player])) + 1
        return place
