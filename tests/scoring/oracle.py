"""Loba de Menos once more, slowly and straight from the text of RULES 1.1 to 1.4 and 2; shares no code with the engine."""

from __future__ import annotations

from typing import Any

DEFAULTS: dict[str, str] = {
    "out_at": "101",
    "ending": "last_in",
    "ace": "10",
    "joker": "10",
    "in_one_go": "-10",
    "floor": "none",
    "reentries": "2",
    "reentry_price": "flat",
    "late_entry": "off",
    "stock_end": "reshuffle",
    "settlement": "pot",
    "stake": "10",
}


class Refused(Exception):
    """RULES do not allow it."""


class Oracle:
    """A table playing Loba de Menos; every statement of the notation is a call with words."""

    def __init__(self, options: dict[str, str], players: list[str], dealer: str, direction: str) -> None:
        self.options = {**DEFAULTS, "reentry_fee": options.get("stake", DEFAULTS["stake"]), **options}
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
        self.over = ""
        self.winners: list[str] = []
        self.last_round: dict[str, int] = {}

    # --- what the options say ---

    def number(self, key: str) -> int:
        return int(self.options[key])

    def stake(self) -> int:
        return self.number("stake") if self.options["settlement"] == "pot" else 0

    def fee(self, player: str) -> int:
        if self.options["settlement"] != "pot":
            return 0
        k, fee = self.times[player] + 1, self.number("reentry_fee")
        prices = {"flat": fee, "linear": fee * k, "double": fee << (k - 1)}
        return prices[self.options["reentry_price"]]

    # --- who is where ---

    def those(self, where: str) -> list[str]:
        return [player for player in self.seats if self.seat[player] == where]

    def around_from(self, player: str) -> list[str]:
        """Everybody in dealing direction, this player first."""
        order = list(self.seats) if self.direction == "left" else list(reversed(self.seats))
        while order[0] != player:
            order.append(order.pop(0))
        return order

    def around_after(self, player: str) -> list[str]:
        """Everybody in dealing direction, this player last."""
        order = self.around_from(player)
        return [*order[1:], order[0]]

    def dealer(self) -> str:
        if self.over:
            return ""
        order = (
            self.around_from(self.next_dealer) if self.next_dealer else self.around_after(self.last_dealer)
        )
        for player in order:
            if self.seat[player] == "in":
                return player
        raise AssertionError("nobody is in")

    def must_be(self, player: str, *where: str) -> None:
        if player not in self.seat or self.seat[player] not in where:
            raise Refused(f"{player} is not {where}")

    def running(self) -> None:
        if self.over:
            raise Refused("the game is over")

    # --- rounds ---

    def hand(self, text: str, seen: list[tuple[str, str]]) -> int:
        if not text.startswith("["):
            if not 0 <= int(text) <= 10**5:
                raise Refused("hands are within bounds and not negative")
            return int(text)
        points = 0
        for word in text[1:-1].split():
            rank, suit = (word[:-1], word[-1]) if word[-1] in "SHDC" else (word, "")
            seen.append((rank, suit))
            if rank == "*":
                points += self.number("joker")
            elif rank == "A":
                points += self.number("ace")
            elif rank in ("J", "Q", "K"):
                points += 10
            else:
                points += int(rank)
        return points

    def round(self, closer: str, closing: str, hands: dict[str, str]) -> None:
        self.running()
        for player in hands:
            self.must_be(player, "in")
        dealt_in = self.those("in")
        if closing == "stock_out":
            if self.options["stock_end"] != "end_round" or closer != "nobody":
                raise Refused("no such closing")
        elif closing in ("out", "in_one_go"):
            if closer == "nobody":
                raise Refused("somebody goes out")
            self.must_be(closer, "in")
        else:
            raise Refused("no such closing")
        seen: list[tuple[str, str]] = []
        scores = {}
        for player in dealt_in:
            if player == closer:
                if hands.get(player, "0") not in ("0", "[]"):
                    raise Refused("he has nothing left")
                scores[player] = self.number("in_one_go") if closing == "in_one_go" else 0
            elif player not in hands:
                raise Refused("a hand is missing")
            else:
                scores[player] = self.hand(hands[player], seen)
        for rank, suit in seen:
            if len([card for card in seen if card[0] == rank]) > (4 if rank == "*" else 8):
                raise Refused("too many of a rank")
            if suit and seen.count((rank, suit)) > 2:
                raise Refused("too many of a card")
        for player in dealt_in:
            if self.options["floor"] != "none":
                floor = self.number("floor")
                if scores[player] < 0 and self.total[player] + scores[player] < floor:
                    scores[player] = min(0, floor - self.total[player])
            self.total[player] += scores[player]
        self.last_round = scores
        self.last_dealer, self.next_dealer = self.dealer(), ""
        for player in self.those("pending"):
            self.seat[player] = "out"
        self.check()

    def check(self) -> None:
        """1.2, after a round or an adjust."""
        self.clock += 1
        limit = self.number("out_at")
        inside = self.those("in")
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
            high = max(self.total[player] for player in alive)
            for player in bust:
                cap = self.options["reentries"]
                if cap != "unlimited" and self.times[player] >= int(cap):
                    self.seat[player] = "out"
                else:
                    self.seat[player] = "pending"
                    self.high[player] = high

    def end(self, reason: str, winners: list[str], bust: list[str]) -> None:
        due = self.last_dealer or self.dealer()
        for player in [*bust, *self.those("pending")]:
            if player not in winners:
                self.seat[player] = "out"
        self.over, self.winners = reason, winners
        if not winners:
            return
        share, odd = self.pot // len(winners), self.pot % len(winners)
        for player in self.around_after(due):
            if player in winners:
                self.got[player] += share + (1 if odd > 0 else 0)
                odd -= 1
        self.pot = 0

    # --- the other statements ---

    def reenter(self, player: str) -> None:
        self.running()
        self.must_be(player, "pending")
        fee = self.fee(player)
        if fee > 10**15:
            raise Refused("beyond every bound")
        self.put_in[player] += fee
        self.pot += fee
        self.times[player] += 1
        self.total[player] = self.high[player]
        self.seat[player] = "in"

    def stay_out(self, player: str) -> None:
        self.running()
        self.must_be(player, "pending")
        self.seat[player] = "out"

    def leave(self, player: str) -> None:
        self.running()
        self.must_be(player, "in", "pending")
        self.seat[player] = "left"
        if len(self.those("in")) == 1:
            self.end("last_in", self.those("in"), [])

    def join(self, player: str, after: str) -> None:
        self.running()
        if self.options["late_entry"] != "on" or player in self.seat or (after and after not in self.seat):
            raise Refused("no newcomer")
        if len(self.those("in")) + len(self.those("pending")) >= 5:
            raise Refused("the table is full")
        high = max(self.total[other] for other in self.those("in"))
        self.seats.insert(self.seats.index(after) + 1 if after else len(self.seats), player)
        self.seat[player], self.total[player], self.times[player] = "in", high, 0
        self.put_in[player], self.got[player] = self.stake(), 0
        self.pot += self.stake()

    def replace(self, old: str, new: str) -> None:
        self.running()
        self.must_be(old, "in", "pending")
        if new in self.seat:
            raise Refused("he is at the table")
        self.seats[self.seats.index(old)] = new
        books: list[dict[str, Any]] = [
            self.seat,
            self.total,
            self.times,
            self.high,
            self.bust_when,
            self.put_in,
            self.got,
        ]
        for book in books:
            if old in book:
                book[new] = book.pop(old)
        self.next_dealer = new if self.next_dealer == old else self.next_dealer
        self.last_dealer = new if self.last_dealer == old else self.last_dealer

    def adjust(self, player: str, points: int) -> None:
        self.running()
        self.must_be(player, "in")
        if abs(points) > 10**5:
            raise Refused("beyond every bound")
        self.total[player] += points
        self.check()

    def deal(self, player: str) -> None:
        self.running()
        self.must_be(player, "in")
        self.next_dealer = player

    def stop(self, how: str) -> None:
        self.running()
        inside = self.those("in")
        if how == "lowest_wins":
            low = min(self.total[player] for player in inside)
            self.end("stopped", [player for player in inside if self.total[player] == low], [])
        elif how == "split_pot" and self.options["settlement"] == "pot":
            self.end("stopped", inside, [])
        elif how == "refund":
            self.end("stopped", [], [])
            for player, paid in self.put_in.items():
                self.got[player] += paid
            self.pot = 0
        else:
            raise Refused("not here")

    def agree(self, players: list[str]) -> None:
        for player in players:
            if player not in self.seat:
                raise Refused("who?")

    # --- what comes of it ---

    def nets(self) -> dict[str, int]:
        return {player: self.got[player] - self.put_in[player] for player in self.seats}

    def places(self) -> dict[str, int]:
        """1.3: winners; those in by total; the out, later bust first, equal by total; leavers last."""
        rest = [player for player in self.seats if player not in self.winners]
        inside = sorted(self.total[p] for p in rest if self.seat[p] == "in")
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
