"""Random weeks through the pages' forms, beside a treasurer's own books: every amount that is read agrees."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from games.common.days import night_of
from games.files.audit import check_table
from games.files.writing import write_table
from games.models import Game, Payment, SharedCost
from games.money.balances import newest_entry
from games.scoring.ledger import Transfer
from tests.money.own_books import OwnBooks, OwnGame
from tests.reader import Node, open_page, read_page, whole_number
from tests.scoring.test_debts import ORDER
from tests.worlds import become, make_table, make_user

pytestmark = pytest.mark.django_db

THURSDAY = datetime(2026, 11, 20, 1, tzinfo=UTC)  # ten in the evening of the 19th in Buenos Aires
NAMES = {slug.capitalize(): slug for slug in ORDER}
MOST_UNDER_WAY = 5  # games whose end was undone; a table has room for few more
PHONES = ("beto", "caro")  # members whose phones are at the table; the owner is no member


class Walk:
    """Phones at a table, the treasurer's books, and the moves that change both."""

    def __init__(self, chance: random.Random, phone_of, clock) -> None:
        self.chance, self.clock, self.at = chance, clock, THURSDAY
        owner = make_user("olga")
        self.table = make_table(owner, people=tuple(NAMES))
        self.owner = phone_of(owner)
        self.phones = {}
        for slug in PHONES:
            user = make_user(f"user-of-{slug}")
            become(user, self.table.members.get(slug=slug))
            self.phones[slug] = phone_of(user)
        self.books = OwnBooks()
        self.people = list(ORDER)
        self.stories: dict[str, tuple[list[tuple[str, ...]], list[tuple[str, ...]]]] = {}
        self.undone: dict[str, str] = {}
        self.nights: dict[int, int] = {}  # of payments and costs, by their number
        self.disputed: set[int] = set()
        self.costs: set[int] = set()
        self.did = ""

    # --- pages --------------------------------------------------------------------------------------------------------

    @property
    def night(self) -> int:
        return night_of(self.at, self.table).toordinal()

    def page(self, name: str, *words: object) -> str:
        return reverse(name, args=[self.table.code, *words])

    def send(
        self,
        client: Client,
        address: str,
        action: str = "",
        typed: Mapping[str, str] | None = None,
        *,
        wanted: Mapping[str, str] | None = None,
    ) -> HttpResponseBase:
        """Open the page, fill in its form with this action and these values, and send it, twice if it asks."""
        form = _form(open_page(client, address), action or None, wanted or {})
        response: HttpResponseBase = client.post(action or address, {**form.fields, **(typed or {})})
        if response.status_code in (200, 422):  # it asks whether one is sure
            form, answer = _question(read_page(response))
            act = {"act": typed["act"]} if typed and "act" in typed else {}
            response = client.post(form.attrs.get("action") or address, {**form.fields, **answer, **act})
        assert 302 == response.status_code, (self.did, address)
        return response

    def act(self, client: Client, name: str, number: int, act: str, **typed: str) -> None:
        """Do this to a payment or a cost, on its page."""
        self.send(client, self.page(name, number), self.page(name, number), {"act": act, **typed})

    # --- games --------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        if sum(not done for done, _undone in self.stories.values()) > MOST_UNDER_WAY:
            return
        players = self.chance.sample([one for one in self.people if one != "gabi"], self.chance.randint(2, 5))
        winner, *losers = players
        stake = self.chance.choice((100, 250, 1000))
        seats = {f"seat-{place + 1}": players[place] if place < len(players) else "" for place in range(8)}
        self.send(self.owner, self.page("new-game"), "", {"option-stake": str(stake), **seats})
        code = Game.objects.latest("pk").code
        self.enter_round(reverse("play-round", args=[code]), winner, losers)
        game = self.books.games[code] = OwnGame(self.night, winner, tuple(losers), stake)
        self.stories[code] = ([(winner, *losers)], [])
        self.books.change(game, {})

    def enter_round(self, address: str, winner: str, losers: Sequence[str]) -> None:
        hands = {f"hand-{winner}": "", **{f"hand-{loser}": "101" for loser in losers}}
        self.send(self.owner, address, address, {"closer": winner, **hands})

    def some_game(self, is_fit: Callable[[OwnGame], bool]) -> tuple[str, OwnGame] | None:
        fit = [(code, game) for code, game in self.books.games.items() if is_fit(game)]
        return self.chance.choice(fit[-4:]) if fit else None

    def changed(self, code: str, game: OwnGame, **values: object) -> None:
        old = game.nets
        for name, value in values.items():
            setattr(game, name, value)
        self.books.change(game, old)

    def correct(self) -> None:
        chosen = self.some_game(lambda game: game.counts)
        if chosen is None:
            return
        code, game = chosen
        winner = self.chance.choice(game.losers)
        losers = tuple(one for one in (game.winner, *game.losers) if one != winner)
        self.enter_round(reverse("correct", args=[code, 2]), winner, losers)
        self.stories[code][0].append((winner, *losers))
        self.stories[code][1].clear()
        self.changed(code, game, winner=winner, losers=losers)

    def undo(self) -> None:
        chosen = self.some_game(lambda game: game.counts)
        if chosen is None:
            return
        code, game = chosen
        done, undone = self.stories[code]
        answer = self.send(self.owner, reverse("sheet", args=[code]), reverse("undo-last", args=[code]))
        self.undone[code] = answer.headers["Location"]  # which offers to redo it
        undone.append(done.pop())
        if done:
            winner, *losers = done[-1]
            self.changed(code, game, winner=winner, losers=tuple(losers))
        else:
            self.changed(code, game, counts=False)

    def redo(self) -> None:
        fit = [
            code for code, (_done, undone) in self.stories.items() if undone and not self.is_discarded(code)
        ]
        if not fit:
            return
        code = self.chance.choice(fit)
        done, undone = self.stories[code]
        self.send(self.owner, self.undone[code], reverse("redo-last", args=[code]))
        done.append(undone.pop())
        winner, *losers = done[-1]
        self.changed(code, self.books.games[code], winner=winner, losers=tuple(losers), counts=True)

    def is_discarded(self, code: str) -> bool:
        return not self.books.games[code].counts and bool(self.stories[code][0])

    def discard(self) -> None:
        chosen = self.some_game(lambda game: game.counts)
        if chosen is not None:
            code, game = chosen
            self.send(self.owner, reverse("more", args=[code]), reverse("discard", args=[code]))
            self.changed(code, game, counts=False)

    def restore(self) -> None:
        fit = [code for code in self.stories if self.is_discarded(code)]
        if fit:
            code = self.chance.choice(fit)
            self.send(self.owner, reverse("sheet", args=[code]), reverse("restore", args=[code]))
            self.changed(code, self.books.games[code], counts=True)

    def spot(self) -> None:
        """Mark a game of tonight as paid on the spot, or take the mark of any game back."""
        chosen = self.some_game(
            lambda game: game.counts and (game.spot is not None or game.night == self.night)
        )
        if chosen is None:
            return
        code, game = chosen
        result, is_marked = reverse("settlement", args=[code]), game.spot is not None
        answer = {"paid": "no" if is_marked else "yes"}
        self.send(self.owner, result, reverse("spot", args=[code]), answer)
        won = {game.winner: game.stake * len(game.losers), **dict.fromkeys(game.losers, -game.stake)}
        self.changed(code, game, spot=None if is_marked else won)

    # --- payments -----------------------------------------------------------------------------------------------------

    def paid(self, number: int, payer: str, payee: str, amount: int) -> None:
        self.books.entries["payment", number] = self.books.enter(
            {payer: amount, payee: -amount}, self.nights[number]
        )

    def tick(self) -> None:
        if not self.books.debts:
            return
        debt = self.chance.choice(sorted(self.books.debts, key=lambda debt: (debt.payer, debt.payee)))
        claims = [
            (number, claim)
            for number, claim in self.books.claims.items()
            if (claim.payer, claim.payee) == (debt.payer, debt.payee)
        ]
        is_own = debt.payer in PHONES and self.chance.random() < 0.5
        if (is_own and claims) or (claims and claims[0][1].amount > debt.amount):
            return
        client = self.phones[debt.payer] if is_own else self.owner
        address = self.chance.choice((self.page("accounts"), self.page("account", debt.payee)))
        ends = {"payer": debt.payer, "payee": debt.payee}
        self.send(client, address, self.page("tick"), wanted=ends)
        if claims:
            self.confirmed(*claims[0])
            return
        self.recorded(debt.payer, debt.payee, debt.amount, is_claim=is_own and debt.payee in PHONES)

    def recorded(self, payer: str, payee: str, amount: int, *, is_claim: bool) -> None:
        number = Payment.objects.latest("pk").pk
        self.nights[number] = self.night
        if is_claim:
            self.books.claims[number] = Transfer(payer, payee, amount)
        else:
            self.paid(number, payer, payee, amount)

    def pay(self) -> None:
        payer, payee = self.chance.sample(self.people, 2)
        is_own = payer in PHONES and self.chance.random() < 0.6
        client = self.phones[payer] if is_own else self.owner
        method = self.chance.choice(("cash", "transfer", "cash" if is_own or payee in PHONES else "forgiven"))
        amount = self.chance.choice((70, 100, 1000))
        typed = {"payer": payer, "payee": payee, "amount": str(amount), "method": method}
        self.send(client, self.page("accounts"), self.page("pay"), typed)
        self.recorded(payer, payee, amount, is_claim=is_own and payee in PHONES)

    def confirmed(self, number: int, claim: Transfer) -> None:
        self.books.claims.pop(number, None)
        self.paid(number, claim.payer, claim.payee, claim.amount)

    def answer(self) -> None:
        if not self.books.claims:
            return
        number, claim = self.chance.choice(sorted(self.books.claims.items()))
        client = self.chance.choice((self.owner, self.phones[claim.payee]))
        if client is not self.owner and self.chance.random() < 0.4:
            self.act(client, "payment", number, "dispute")
            del self.books.claims[number]
        else:
            self.act(client, "payment", number, "confirm")
            self.confirmed(number, claim)

    def dispute(self) -> None:
        """Let a payee say that a payment did not arrive, or an owner confirm such a one."""
        if self.disputed and self.chance.random() < 0.6:
            number = self.chance.choice(sorted(self.disputed))
            payment = Payment.objects.select_related("payer", "payee").get(pk=number)
            self.act(self.owner, "payment", number, "confirm")
            self.disputed.discard(number)
            self.paid(number, payment.payer.slug, payment.payee.slug, payment.amount)
            return
        mine = [
            number
            for kind, number in self.books.entries
            if kind == "payment" and Payment.objects.get(pk=number).payee.slug in PHONES
        ]
        if mine:
            number = self.chance.choice(mine)
            client = self.phones[Payment.objects.get(pk=number).payee.slug]
            self.act(client, "payment", number, "dispute")
            self.books.take_back(self.books.entries.pop(("payment", number)), self.nights[number])
            self.disputed.add(number)

    def take_back(self) -> None:
        numbers = [number for kind, number in self.books.entries if kind == "payment"]
        if numbers:
            number = self.chance.choice(numbers[-5:])
            self.act(self.owner, "payment", number, "take-back", reason="no fue")
            self.books.take_back(self.books.entries.pop(("payment", number)), self.nights[number])

    # --- costs, and the whole table -----------------------------------------------------------------------------------

    def share(self) -> None:
        payer, *others = self.chance.sample(self.people, self.chance.randint(2, 4))
        is_forgiven = self.chance.random() < 0.3
        sharers = others if is_forgiven or self.chance.random() < 0.5 else [payer, *others]
        part = self.chance.choice((30, 100))
        typed = {f"for-{one}": "yes" for one in sharers} | ({"forgiven": "yes"} if is_forgiven else {})
        empty = _form(open_page(self.owner, self.page("accounts")), self.page("share-cost"), {}).fields
        key, night = empty["key"], empty["night"]
        amount = part * len(sharers)
        response = self.owner.post(
            self.page("share-cost"),
            {"key": key, "night": night, "payer": payer, "amount": str(amount), "note": "pizza", **typed},
        )
        assert 302 == response.status_code
        moved = {payer: amount, **dict.fromkeys(others, 0)}
        for one in sharers:
            moved[one] -= part
        number = SharedCost.objects.latest("pk").pk
        self.nights[-number] = self.night
        self.books.entries["cost", number] = self.books.enter(moved, self.night)

    def cancel(self) -> None:
        numbers = [number for kind, number in self.books.entries if kind == "cost"]
        if numbers:
            number = self.chance.choice(numbers[-3:])
            self.act(self.owner, "cost", number, "take-back", reason="no fue")
            self.books.take_back(self.books.entries.pop(("cost", number)), self.nights[-number])

    def simplify(self) -> None:
        if self.books.simplify(self.people, self.night):
            self.send(self.owner, self.page("accounts"), self.page("simplify"))

    def sleep(self) -> None:
        self.at += timedelta(days=self.chance.choice((1, 7)))
        self.clock.move_to(self.at)

    def merge(self) -> None:
        """Gabi, who never played, is Eva."""
        address = self.page("merge-member", "gabi")
        page = open_page(self.owner, self.page("member", "gabi"), {"into": "eva"})
        seen = _form(page, None, {"into": "eva"}).fields
        assert 302 == self.owner.post(address, seen).status_code
        self.people.remove("gabi")
        self.books.merge("gabi", "eva")
        ended = {number for number in self.disputed if Payment.objects.get(pk=number).ended_at}
        self.disputed -= ended

    def step(self) -> None:
        move = self.chance.choice(
            [self.play] * 5 + [self.tick] * 5 + [self.pay, self.answer, self.sleep, self.correct] * 3
            + [self.undo, self.redo, self.spot, self.share, self.take_back] * 2
            + [self.discard, self.restore, self.dispute, self.cancel, self.simplify]
        )  # fmt: skip
        self.did = move.__name__
        move()

    # --- what is read -------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Compare the accounts page, its text, a person's page, the API and the file with the books."""
        expected = {(debt.payer, debt.payee): debt.amount for debt in self.books.debts}
        balances = {one: self.books.balances.get(one, 0) for one in self.people}
        page = open_page(self.owner, self.page("accounts"))
        assert expected == _rows(page), self.did
        sent = re.findall(
            r"(?<!✓ )\b(\w+) → (\w+): \$ ([\d.,]+)", _plain(page.only("textarea", id="message").text)
        )
        assert expected == {(NAMES[one], NAMES[other]): whole_number(amount) for one, other, amount in sent}
        answer = self.owner.get(reverse("api-accounts", args=[self.table.code])).json()
        assert (expected, balances) == (
            {(debt["payer"], debt["payee"]): debt["amount"] for debt in answer["debts"]},
            answer["balances"],
        )
        if self.chance.random() < 1 / 3:
            self.check_person(self.chance.choice(self.people), expected)
            self.check_home(self.chance.choice(PHONES), expected)
            self.check_file(expected)

    def check_file(self, expected: dict[tuple[str, str], int]) -> None:
        file = json.loads(write_table(self.table))
        assert expected == {(debt["debtor"], debt["creditor"]): debt["amount"] for debt in file["debts"]}

    def check_person(self, one: str, expected: dict[tuple[str, str], int]) -> None:
        page = open_page(self.owner, self.page("account", one))
        own = {ends: amount for ends, amount in expected.items() if one in ends}
        assert own == _rows(page)
        moved = [
            whole_number(tile.every("b", "span", class_="figure")[0].text)
            for tile in page.only(id="entries").every("p", class_="line")
        ]
        moved += [
            whole_number(cell.every("b")[0].text) for cell in page.only(id="entries").every(class_="moved")
        ]
        assert self.books.balances.get(one, 0) == sum(moved), (self.did, one)

    def check_home(self, one: str, expected: dict[tuple[str, str], int]) -> None:
        """Check that the debts on a person's first page are in the list; one that they claim is left out."""
        text = _plain(open_page(self.phones[one], reverse("home")).only("main").text)
        claimed = {(claim.payer, claim.payee) for claim in self.books.claims.values()}
        for (payer, payee), amount in expected.items():
            if payer == one and (payer, payee) not in claimed:
                assert f"You owe {payee.capitalize()} $ {amount:,}" in text, (self.did, text)


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u2068", "").replace("\u2069", "")


def _rows(page: Node) -> dict[tuple[str, str], int]:
    """Return the debts that a page shows, paid rows apart."""
    rows = [
        row for row in page.only(id="payments").every("div") if row.attrs.get("id", "").startswith("debt-")
    ]
    return {
        (names[0], names[1]): whole_number(row.every("span", class_="figure")[0].text)
        for row in rows
        if "done" not in row.attrs["class"].split()
        for names in [[NAMES[name.text.strip("→ \u00a0")] for name in row.every("b", class_="name")]]
    }


def _form(page: Node, action: str | None, wanted: Mapping[str, str]) -> Node:
    """Return the page's first form with this action that has these fields; values "" are free."""
    return next(
        form
        for form in page.every("form")
        if form.attrs.get("method") == "post"
        and (action is None or form.attrs.get("action") in (action, None))
        and all(name in form.fields and value in ("", form.fields[name]) for name, value in wanted.items())
    )


def _question(page: Node) -> tuple[Node, dict[str, str]]:
    """Return the form that asks whether one is sure, and what its button says."""
    for form in page.every("form"):
        answer = {
            button.attrs["name"]: button.attrs["value"]
            for button in form.buttons
            if button.attrs.get("name") in ("sure", "confirm")
        }
        if answer or {"sure", "confirm", "seen"} & form.fields.keys():
            return form, answer
    raise AssertionError("the page asks nothing")


def walked(chance: random.Random, steps: int, phone_of, clock) -> Walk:
    clock.move_to(THURSDAY)
    walk = Walk(chance, phone_of, clock)
    for step in range(steps):
        walk.at += timedelta(minutes=1)
        clock.move_to(walk.at)
        if step == steps // 2:
            walk.did = "merge"
            walk.merge()
        else:
            walk.step()
        walk.check()
    return walk


STEPS = [25, pytest.param(300, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize("steps", STEPS)
def test_everything_that_is_read_agrees_with_the_books_of_a_treasurer(phone_of, time_machine, steps):
    walk = walked(random.Random(steps), steps, phone_of, time_machine)

    assert [] == [str(one) for one in check_table(walk.table).differences]
    assert newest_entry(walk.table) == walk.table.entries.count()
