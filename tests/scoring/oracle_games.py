"""A second implementation of the other games, slow and straight from RULES 3, 4, 5 and 8.

It shares no code with the engine, except for the cards of a meld. Melds and leftovers are those of
meld_oracle.py and by_the_book.py.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from games.scoring.cards import Card as MeldCard
from tests.scoring import meld_oracle
from tests.scoring.by_the_book import WILDS, Book, Cards, Pack, join_cards
from tests.scoring.oracle import Oracle, RuleViolation, WrittenHand, parse_hands

Card = tuple[str, str, str]


# --- Loba de Más ------------------------------------------------------------------------------------------------------

DEAR = ("8", "9", "10", "J", "Q", "K")


def meld_value(cards: list[Card], packs: int) -> int:
    """Return the best value of a meld (RULES 3.2). Raise RuleViolation if it is none."""
    value = meld_oracle.meld_value([MeldCard(*card) for card in cards], packs)
    if value is None:
        raise RuleViolation("no meld")
    return value


class LobaDeMas(Oracle):
    """Loba de Más (RULES 3)."""

    low_wins = False

    def bonus(self, closing: str, players: int) -> int:
        if closing == "out":
            return self.number("out_bonus")
        forms = {"5n": 5 * players, "5(n-1)": 5 * (players - 1), "5+5n": 5 + 5 * players}
        form = self.options["in_one_go"]
        return forms[form] if form in forms else int(form)

    def scores(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], dealt_in: list[str]
    ) -> dict[str, int]:
        scores = {}
        for player in dealt_in:
            hand = hands.get(player)
            if hand is None or hand.bought:
                raise RuleViolation("everybody has a hand, nobody buys")
            if hand.points is not None:
                if abs(hand.points) > 10**5 or (player == closer and hand.points < 0):
                    raise RuleViolation("within bounds; the closer holds nothing that counts against them")
                scores[player] = hand.points
            else:
                if player == closer and hand.held:
                    raise RuleViolation("the closer has nothing left")
                if player != closer and hand.held is None:
                    raise RuleViolation("melds without brackets")
                cards = hand.held or []
                if any(fixed for _rank, _suit, fixed in cards):
                    raise RuleViolation("a card in hand stands for itself")
                threes, twos = ("A", "2", "*"), DEAR
                deduction = sum(3 if rank in threes else 2 if rank in twos else 1 for rank, _s, _f in cards)
                scores[player] = (
                    sum(meld_value(meld, self.number("packs")) for meld in hand.melds) - deduction
                )
            if player == closer:
                scores[player] += self.bonus(closing, len(dealt_in))
        return scores

    def is_odd(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], scores: dict[str, int]
    ) -> bool:
        """Return whether the round is doubtful.

        It is if a player other than the closer has an empty hand, a score exceeds the pack, or the closer has
        too little.
        """
        if any(hand.held == [] for player, hand in hands.items() if player != closer):
            return True
        most = {"2": 196, "3": 294}[self.options["packs"]]
        bonus = self.bonus(closing, len(scores)) if closer in scores else 0
        bare = {player: score - (bonus if player == closer else 0) for player, score in scores.items()}
        return bare.get(closer, 11) < 11 or any(abs(score) > most for score in bare.values())

    def check(self) -> None:
        inside = self.players_in("in")
        best = self.best(inside)
        if self.total[best[0]] >= self.number("target") and (
            self.options["tie"] == "joint" or len(best) == 1
        ):
            self.end("target", best, [])


# --- the contract games -----------------------------------------------------------------------------------------------

SIX = "2T 1E1T 2E 3T 2T1E 2E1T"
LISTS = {
    "ca6": SIX,
    "ar7": f"{SIX} 3E",
    "cl7": f"{SIX} real",
    "cl8": f"{SIX} 3E 4T",
    "cl8b": f"{SIX} 4T 3E",
    "cl9": f"{SIX} 3E 4T real",
    "cl10": f"{SIX} 3E 4T sucia real",
    "cl11": f"{SIX} 3E 4T sucia real imperial",
    "cl12": f"{SIX} 3E 4T sucia color bicolor real",
}
# J Q K A joker
TABLES = {
    "ca": (11, 12, 13, 14, 25),
    "ca_joker50": (11, 12, 13, 14, 50),
    "ca_tens": (10, 10, 10, 10, 25),
    "ca_tens_joker50": (10, 10, 10, 10, 50),
    "ar": (10, 10, 10, 20, 50),
    "cl30": (10, 10, 10, 20, 30),
    "bands": (10, 10, 10, 20, 30),
    "a15_j20": (10, 10, 10, 15, 20),
}


class Contracts(Oracle):
    """The contract games (RULES 4). A log names all options, so one class serves all three."""

    def contract(self) -> str | None:
        return None if self.end_reason else LISTS[self.options["contracts"]].split()[self.rounds_played]

    def values(self) -> dict[str, int]:
        table = self.options["values"]
        low = {str(face): face for face in range(2, 11)}
        if table == "bands":
            low = {rank: 5 if face <= 7 else 10 for rank, face in low.items()}
        return low | dict(zip(("J", "Q", "K", "A", "*"), TABLES[table], strict=True))

    def bought_points(self, hand: WrittenHand) -> int:
        return hand.bought * self.number("buy_points")

    def is_odd(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], scores: dict[str, int]
    ) -> bool:
        free = any(hand.bought for hand in hands.values()) and self.number("buy_points") == 0
        return (free and not self.grows()) or super().is_odd(closer, closing, hands, scores)

    def most_cards(self, hand: WrittenHand) -> int:
        if self.grows():
            contract_cards = {
                "2T": 6,
                "1E1T": 7,
                "2E": 8,
                "3T": 9,
                "2T1E": 10,
                "2E1T": 11,
                "3E": 12,
                "4T": 12,
            }
            dealt = contract_cards.get(LISTS[self.options["contracts"]].split()[self.rounds_played], 13) + 1
            return max(2 * dealt, dealt + 2 * hand.bought)
        dealt = 12 if self.rounds_played >= 6 else int(self.options.get("dealt", "11"))
        return dealt + 2 * hand.bought

    def grows(self) -> bool:
        return self.options.get("dealt") == "growing"

    def check(self) -> None:
        if self.rounds_played < len(LISTS[self.options["contracts"]].split()):
            return
        best = self.best(self.players_in("in"))
        if self.options["tie"] == "rounds_won":
            most = max(self.rounds_won[player] for player in best)
            best = [player for player in best if self.rounds_won[player] == most]
        self.end("contracts_done", best, [])


# --- Chinchón ---------------------------------------------------------------------------------------------------------


@cache
def get_book(ranks: tuple[int, ...], wild: str) -> Book:
    return Book(Pack(ranks, frozenset({wild} - {""})))


class Chinchon(Oracle):
    """Chinchón (RULES 5) with at most one hand of seven cards, so that nobody places cards on other hands."""

    def check(self) -> None:
        if self.options.get("wins_at", "none") != "none":
            inside = self.players_in("in")
            if min(self.total[player] for player in inside) <= self.number("wins_at"):
                bust = [player for player in inside if self.total[player] >= self.number("out_at")]
                self.clock += 1
                self.bust_when.update(dict.fromkeys(bust, self.clock))
                self.end("target", self.best(inside), bust)
                return
        super().check()

    def most_players(self) -> int:
        if self.options["packs"] == "2":
            return 8
        return 5 if self.options["pack"] == "40" else 6

    def pack(self) -> tuple[list[str], str, int, int]:
        packs = self.number("packs")
        ranks = [str(rank) for rank in range(1, 13) if self.options["pack"] != "40" or rank not in (8, 9)]
        return ranks, "oceb", packs, 2 * packs if self.options["pack"] == "50" else 0

    def value(self, card: Card) -> int:
        if self.is_wild(card):
            return 1 if self.options["wild_value"] == "face" else self.number("wild_value")
        figures = {
            "10-11-12": {"10": 10, "11": 11, "12": 12},
            "tens": {"10": 10, "11": 10, "12": 10},
            "8-9-10": {"10": 8, "11": 9, "12": 10},
        }
        return figures[self.options["figures"]].get(card[0]) or int(card[0])

    def is_wild(self, card: Card) -> bool:
        if self.options["wilds"] == "jokers":
            return card[0] == "*"
        return self.options["wilds"] == "ace_of_coins" and card[:2] == ("1", "o")

    def is_seven(self, hand: WrittenHand) -> bool:
        """Return whether the hand is whole: seven cards, all with a suit."""
        cards = hand.held
        return cards is not None and len(cards) == 7 and all(suit or rank == "*" for rank, suit, _f in cards)

    def is_run(self, cards: list[Card]) -> bool:
        return bool(self.book().escaleras(self.texts(cards)))

    def is_set(self, cards: list[Card]) -> bool:
        return bool(self.book().piernas(self.texts(cards)))

    def book(self) -> Book:
        return get_book(self.ranks(), WILDS[self.options["wilds"]])

    def ranks(self) -> tuple[int, ...]:
        return tuple(map(int, self.pack()[0]))

    def texts(self, cards: list[Card]) -> Cards:
        """Return the cards in the book's form. A card of unknown suit gets a suit of its own."""
        return join_cards(
            tuple(rank if rank == "*" else rank + (suit or "?") for rank, suit, _fixed in cards)
        )

    def leftover_points(self, hand: WrittenHand) -> int:
        if hand.melds or hand.bought or any(fixed for _rank, _suit, fixed in hand.cards()):
            raise RuleViolation("no melds, no bought cards, no fixed wilds")
        if hand.points is not None:
            if not 0 <= hand.points <= 10**5:
                raise RuleViolation("within bounds, never negative")
            return hand.points
        cards = hand.held or []
        if len(cards) > 7:
            raise RuleViolation("more cards than are dealt")
        return self.least_points(cards) if self.is_seven(hand) else sum(map(self.value, cards))

    def least_points(self, cards: list[Card]) -> int:
        """Return the fewest points left by any way to lay the cards."""
        points = {text: self.value(card) for card in cards for text in self.texts([card])}
        return min(
            sum(map(points.__getitem__, leftover))
            for _games, leftover in self.book().partitions(self.texts(cards))
        )

    def closings(self) -> list[str]:
        apart = ["wild_chinchon"] if self.counts_wilds_apart() else []
        return ["cut", "closed", "chinchon", *apart, "stock_out"]

    def counts_wilds_apart(self) -> bool:
        return self.options["wilds"] != "none" and self.options["wild_chinchon"] != "wins"

    def actual_closing(self, closing: str, closer_hand: WrittenHand | None) -> str:
        """Return the kind of chinchón, which the cards decide if they are known."""
        if (
            "chinchon" not in closing
            or not self.counts_wilds_apart()
            or closer_hand is None
            or not self.is_seven(closer_hand)
        ):
            return closing
        without_wilds = get_book(self.ranks(), "")
        return "chinchon" if without_wilds.escaleras(self.texts(closer_hand.held or [])) else "wild_chinchon"

    def round(self, closer: str, closing: str, *written: str) -> None:
        closer_hand = parse_hands(written).get(closer)
        super().round(closer, self.actual_closing(closing, closer_hand), *written)

    def wins_the_game(self, closing: str) -> bool:
        return closing == "chinchon" and self.options["chinchon"] == "wins"

    def scores(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], dealt_in: list[str]
    ) -> dict[str, int]:
        leftovers = {player: self.leftover_points(hand) for player, hand in hands.items()}
        closer_hand = hands.get(closer)
        if closing == "closed" and closer_hand is not None and leftovers[closer]:
            raise RuleViolation("the cutter has nothing left")
        if "chinchon" in closing and closer_hand is not None:
            in_one_run = self.is_seven(closer_hand) and self.is_run(closer_hand.held or [])
            if not (closer_hand.is_empty() or in_one_run):
                raise RuleViolation("that is no chinchón")
        if self.wins_the_game(closing):
            return dict.fromkeys(dealt_in, 0)
        if closing == "cut" and closer in leftovers and self.options["cut"] == "strict":
            room = self.number("out_at") - self.total[closer]
            if leftovers[closer] > self.number("cut_max") or leftovers[closer] >= room:
                raise RuleViolation("a strict cut")
        scores = {}
        for player in dealt_in:
            if player not in leftovers:
                if player != closer or closing == "cut":
                    raise RuleViolation("a hand is missing")
                leftovers[player] = 0
            scores[player] = leftovers[player]
            if "chinchon" in closing and player == closer:
                scores[player] = self.number(closing)
            elif (
                closing != "stock_out"
                and leftovers[player] == 0
                and self.earns_minus_ten(player, closer, closing, closer_hand)
            ):
                scores[player] = self.number("minus_ten")
        return scores

    def earns_minus_ten(
        self, player: str, closer: str, closing: str, closer_hand: WrittenHand | None
    ) -> bool:
        """Return whether this player gets −10 for having nothing left."""
        rewarded = self.options["minus_ten_for"]
        all_seven = closing == "closed" or (closer_hand is not None and self.is_seven(closer_hand))
        return rewarded == "anyone" or (player == closer and (rewarded == "cutter" or all_seven))

    def is_odd(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], scores: dict[str, int]
    ) -> bool:
        ranks = sorted((self.value((rank, "c", "")) for rank in self.pack()[0]), reverse=True)
        dearest = sum(sorted(ranks + ranks, reverse=True)[:7])
        if self.options["wilds"] != "none":
            wild = ("*", "", "") if self.options["wilds"] == "jokers" else ("1", "o", "")
            dearest = max(dearest, self.value(wild) + sum(ranks[:6]))
        for hand in hands.values():
            if self.leftover_points(hand) > dearest or self.has_unlaid_game(hand):
                return True
        if closer == "nobody":
            return False
        closer_hand = hands.get(closer)
        if closer_hand is not None and self.is_seven(closer_hand):
            if "chinchon" not in closing and self.is_run(closer_hand.held or []):
                return True
        elif self.has_placing(closing):
            keeping = [hand for hand in hands.values() if self.is_seven(hand) and self.leftover_points(hand)]
            if keeping:
                return True
        if closing != "cut":
            return False
        busts = self.total[closer] + scores[closer] >= self.number("out_at")
        return self.leftover_points(hands[closer]) > self.number("cut_max") or (
            busts and self.options["cut"] == "normal"
        )

    def has_placing(self, closing: str) -> bool:
        """Return whether cards are placed in a round that somebody closed with unknown cards."""
        if self.wins_the_game(closing) or self.options["placing"] == "off":
            return False
        return self.options["placing"] == "on" or closing == "cut"

    def has_unlaid_game(self, hand: WrittenHand) -> bool:
        """Return whether the leftover cards include three that form a pierna or an escalera."""
        return not self.is_seven(hand) and any(
            self.is_set(list(three))
            or (all(suit or rank == "*" for rank, suit, _f in three) and self.is_run(list(three)))
            for three in combinations(hand.held or [], 3)
        )

    def round_prize(self) -> int:
        return self.number("cut_prize")

    def pay_instant_win(self, winner: str, dealt_in: list[str]) -> None:
        for player in dealt_in:
            if player != winner:
                self.pay(player, winner, self.number("chinchon_prize") * self.number("stake"))


# --- any other game ---------------------------------------------------------------------------------------------------


class AnyOther(Oracle):
    """Any other game (RULES 8)."""

    is_played_off = False
    books_before_the_end: tuple[dict[str, int], int, str]

    @property
    def nobodys_closing(self) -> str:  # type: ignore[override]
        return "stock_out" if self.one_closes() else "played"

    def one_closes(self) -> bool:
        return self.options.get("closes") == "one"

    def adds_up_to_zero(self) -> bool:
        return self.options["settlement"] == "own"

    def join(self, *args: str) -> None:
        if self.options["ending"] != "last_in":
            raise RuleViolation("only games of elimination have newcomers")
        super().join(*args)

    @property
    def low_wins(self) -> bool:  # type: ignore[override]
        return self.options["wins"] == "fewest"

    def most_players(self) -> int:
        return 8

    def closings(self) -> list[str]:
        return ["out", "in_one_go", "stock_out"] if self.one_closes() else ["played"]

    def pack(self) -> tuple[list[str], str, int, int]:
        return [], "", 0, 0

    def scores(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], dealt_in: list[str]
    ) -> dict[str, int]:
        scores = {}
        for player in dealt_in:
            hand = hands.get(player)
            if hand is None and player == closer:
                continue
            if hand is None or hand.bought or hand.points is None or abs(hand.points) > 10**5:
                raise RuleViolation("everybody's points are written, within bounds, and nothing else")
            scores[player] = hand.points
        if closer in dealt_in and closer not in scores:
            scores[closer] = -sum(scores.values()) if self.adds_up_to_zero() else 0
        if self.adds_up_to_zero() and sum(scores.values()) != 0:
            raise RuleViolation("the points of a round add up to 0")
        return scores

    def is_odd(
        self, closer: str, closing: str, hands: dict[str, WrittenHand], scores: dict[str, int]
    ) -> bool:
        others = [hand.points for player, hand in hands.items() if player != closer]
        return closer != "nobody" and self.options["wins"] == "fewest" and 0 in others

    def adjust(self, change: str, reason: str) -> None:
        if self.adds_up_to_zero():
            raise RuleViolation("points only pass from one player to another")
        if not self.end_reason:
            super().adjust(change, reason)
        elif self.options.get("bonuses") == "after" and self.end_reason in ("target", "rounds_done"):
            self.add_after_the_end(change)
        else:
            raise RuleViolation("the game is over")

    def add_after_the_end(self, change: str) -> None:
        """Add points to a total, and settle the game anew with the best totals as the winners."""
        player, _equals, points = change.partition("=")
        self.check_seat(player, "in")
        if abs(int(points)) > 10**5:
            raise RuleViolation("beyond every bound")
        self.total[player] += int(points)
        got, pot, due = self.books_before_the_end
        self.got, self.winners = dict(got), self.best(self.players_in("in"))
        self.share(pot, due)
        self.settle(due)

    def end(self, reason: str, winners: list[str], bust: list[str]) -> None:
        self.books_before_the_end = dict(self.got), self.pot, self.last_dealer or self.dealer()
        super().end(reason, winners, bust)

    def won(self, *players: str) -> None:
        self.check_running()
        if self.options.get("winner") != "named":
            raise RuleViolation("the totals say who has won")
        for player in players:
            self.check_seat(player, "in")
        if len(set(players)) < len(players):
            raise RuleViolation("a winner is named once")
        self.end("goal", [player for player in self.seats if player in players], [])

    def stop(self, how: str) -> None:
        if self.options.get("winner") == "named" and how in ("lowest_wins", "highest_wins"):
            raise RuleViolation("no total wins")
        super().stop(how)

    def leave(self, player: str) -> None:
        if not self.end_reason and self.seat.get(player) == "sits_out":
            self.settle_with_leaver(player)
            self.seat[player] = "left"
        else:
            super().leave(player)

    def places(self) -> dict[str, int]:
        """Return the places; in a play-off, those who sit out come after all who play on."""
        groups = {"in": 1, "sits_out": 2, "left": 3}
        if "sits_out" not in self.seat.values():
            return super().places()
        rank = {}
        for player in self.seats:
            group = 0 if player in self.winners else groups[self.seat[player]]
            counted = self.total[player] if self.low_wins else -self.total[player]
            rank[player] = (group, counted if group in (1, 2) else 0)
        return {player: 1 + len([r for r in rank.values() if r < rank[player]]) for player in self.seats}

    def round_prize(self) -> int:
        return self.number("round_prize") * (2 if self.closed_in_one_go else 1)

    def round(self, closer: str, closing: str, *written: str) -> None:
        self.closed_in_one_go = closing == "in_one_go"
        super().round(closer, closing, *written)

    def settle(self, due: str) -> None:
        super().settle(due)
        if self.adds_up_to_zero():
            for player in self.seats:
                self.got[player] += self.total[player] * self.number("point_value")

    def check(self) -> None:
        inside, ending = self.players_in("in"), self.options["ending"]
        if ending == "last_in":
            super().check()
            return
        best = self.best(inside)
        reached = {
            "target": any(self.total[player] >= self.number("target") for player in inside),
            "rounds": self.rounds_played >= self.number("rounds"),
            "open": False,
        }
        if not (reached[ending] or self.is_played_off):
            return
        if self.options["tie"] == "joint" or len(best) == 1:
            self.end("target" if ending == "target" else "rounds_done", best, [])
        elif self.options["tie"] == "play_off":
            self.is_played_off = True
            self.seat.update({player: "sits_out" for player in inside if player not in best})
