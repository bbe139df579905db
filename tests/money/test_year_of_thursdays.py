"""A year of Thursdays beside an independent ledger: page, text, file and API have the same sums."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game, Method, Payment
from games.money import payments
from games.money.balances import People, balances_of, read_accounts
from games.money.costs import CostWords, cancel_cost, share_cost
from games.money.merging import merge, preview_merge, unmerge
from games.money.settling import PlayedNight, choose_settling, settlement_of, tick_night
from games.notebook.books.audit import check_table
from games.play import recording as services
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, GameStarted, RoundPlayed
from games.scoring.ledger import Transfer, nets
from games.scoring.rounds import Hand, RoundEntry
from tests.reader import open_page, whole_number
from tests.tables import a_key, make_table, make_user, seated, the_night

pytestmark = pytest.mark.django_db

PEOPLE = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gabi", "Hugo")
FIRST_THURSDAY = datetime(2025, 11, 21, 1, tzinfo=UTC)  # ten in the evening of the 20th in Buenos Aires
NIGHTS, STEPS = 52, 40


@dataclass
class Ledger:
    """An independent ledger: the winner and stake of each game, payments, shared costs and merged members."""

    games: dict[int, tuple[str, tuple[str, ...], int]] = field(default_factory=dict)  # winner, losers, stake
    paid: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    shared: dict[int, tuple[int, str, tuple[str, ...], int]] = field(
        default_factory=dict
    )  # night, payer, sharers
    same: dict[str, str] = field(default_factory=dict)

    def who(self, slug: str) -> str:
        return self.who(self.same[slug]) if slug in self.same else slug

    def nets_of(self, games: Any) -> Counter[str]:
        sums: Counter[str] = Counter()
        for game in games:
            winner, losers, stake = self.games[game]
            for loser in losers:
                sums[self.who(winner)] += stake
                sums[self.who(loser)] -= stake
        return sums

    def nets_of_cost(self, night: int | None = None) -> Counter[str]:
        sums: Counter[str] = Counter()
        for of_night, payer, sharers, amount in self.shared.values():
            if night in (None, of_night):
                sums[self.who(payer)] += amount
                for sharer in sharers:  # amounts that four people share without an odd coin
                    sums[self.who(sharer)] -= amount // len(sharers)
        return sums

    def balances(self) -> dict[str, int]:
        sums = self.nets_of(self.games)
        sums.update(self.nets_of_cost())
        for payer, payee, amount in self.paid.values():
            sums[self.who(payer)] += amount
            sums[self.who(payee)] -= amount
        return {slug: amount for slug, amount in sums.items() if amount}


class Year:
    """A table with its ledger, and the random actions that change both."""

    def __init__(self, seed: int) -> None:
        self.chance, self.ledger = random.Random(seed), Ledger()
        self.owner = make_user("olga")
        self.table = make_table(self.owner, people=PEOPLE)
        self.slugs = [name.lower() for name in PEOPLE]
        self.at = FIRST_THURSDAY
        for _night in range(NIGHTS):
            self.plays()
            self.at += timedelta(days=7)
        self.at -= timedelta(days=7)

    def plays(self) -> None:
        """Play a game of one round that one of them wins."""
        present = self.chance.sample([slug for slug in self.slugs if self.ledger.who(slug) == slug], 5)
        stake, (winner, *losers) = self.chance.choice((100, 250, 1000)), present
        players = tuple(player for player in seated(self.table) if player.id in present)
        event = GameStarted("loba_menos", (("stake", stake),), players)
        self.at += timedelta(minutes=20)
        game = services.start_game(self.table, event, key=a_key(), by=self.owner, at=self.at)
        lost = everybody_out(winner, losers)
        services.record(game, lost, after=1, key=a_key(), by=self.owner, at=self.at)
        self.ledger.games[game.pk] = (winner, tuple(losers), stake)

    def pays(self) -> None:
        payer, payee = self.chance.sample([member.slug for member in People.of(self.table).own], 2)
        self._paid(payer, payee, self.chance.choice((70, 100, 1000)))

    def _paid(self, payer: str, payee: str, amount: int) -> None:
        who = {member.slug: member for member in self.table.members.all()}
        payment = payments.pay(
            self.table, who[payer], who[payee], amount, method=Method.CASH, key=a_key(), by=self.owner
        )
        self.ledger.paid[payment.pk] = (payer, payee, amount)

    def cancels(self) -> None:
        if self.ledger.paid:
            number = self.chance.choice([*self.ledger.paid])
            payments.take_back(Payment.objects.get(pk=number), by=self.owner)
            del self.ledger.paid[number]

    def corrects(self) -> None:
        """Let another one be the winner of some game."""
        number = self.chance.choice([*self.ledger.games])
        winner, losers, stake = self.ledger.games[number]
        other = self.chance.choice(losers)
        others = tuple(slug for slug in (winner, *losers) if slug != other)
        game = Game.objects.get(pk=number)
        event = Corrected(2, everybody_out(other, others))
        services.record(game, event, after=game.records.count(), key=a_key(), by=self.owner)
        self.ledger.games[number] = (other, others, stake)

    def merges(self) -> None:
        if self.ledger.same:
            slug, _into = self.ledger.same.popitem()
            unmerge(self.table.members.get(slug=slug), by=self.owner)
            return
        people = People.of(self.table)
        for member, into in combinations(self.chance.sample(people.own, len(people.own)), 2):
            try:
                merge(member, into, seen=preview_merge(member, into).seen, by=self.owner)
            except RuleError:
                continue  # they played the same game
            self.ledger.same[member.slug] = into.slug
            return

    def settles(self) -> None:
        """Tick off a line of the last night, by the other choice if nothing is ticked yet."""
        night = the_night(self.table)
        if not self.table.payments.standing().filter(night=night).exists():
            choose_settling(self.table, with_before=self.chance.random() < 0.5)
            self.table.refresh_from_db()
        lines = settlement_of(PlayedNight.read(night, self.table, People.of(self.table))).lines
        if lines:
            line = self.chance.choice(lines)
            due = Transfer(line.payer.slug, line.payee.slug, line.amount)
            payment = tick_night(self.table, night, due, key=a_key(), by=self.owner)
            self.ledger.paid[payment.pk] = (due.payer, due.payee, due.amount)

    def shares(self) -> None:
        """Let one of four pay something for all four in some night, or take such a cost back."""
        night = self.chance.choice([*self.table.games.values_list("night_number", flat=True)])
        if self.ledger.shared and self.chance.random() < 1 / 3:
            wrong = self.table.costs.get(pk=self.chance.choice([*self.ledger.shared]))
            cancel_cost(wrong, by=self.owner, reason="no era")
            del self.ledger.shared[wrong.pk]
            return
        four = self.chance.sample(list(People.of(self.table).own), 4)
        amount = self.chance.choice((400, 1200))
        words = CostWords(four[0], amount, tuple(four), "pizza")
        cost = share_cost(self.table, date.fromordinal(night), words, key=a_key(), by=self.owner)
        self.ledger.shared[cost.pk] = (night, four[0].slug, tuple(member.slug for member in four), amount)

    def step(self) -> None:
        what = (self.pays, self.pays, self.cancels, self.corrects, self.merges, self.settles)
        self.chance.choice((*what, self.settles, self.settles, self.plays, self.shares, self.shares))()


def everybody_out(winner: str, losers: Sequence[str]) -> RoundPlayed:
    """Return a round in which the losers go out at once."""
    return RoundPlayed(RoundEntry(winner, "out", tuple((slug, Hand(points=101)) for slug in losers)))


def nonzero(amounts: Any) -> dict[str, int]:
    return {str(slug): int(amount) for slug, amount in dict(amounts).items() if amount}


def assert_everything_agrees(year: Year, client: Client) -> None:
    """Assert that pages, texts, files, the API and the audit agree with the ledger."""
    table, people, wanted = year.table, People.of(year.table), year.ledger.balances()
    names = {member.name: member.slug for member in people.own}
    accounts = read_accounts(table)

    assert wanted == nonzero(balances_of(table))
    assert wanted == moved((line.payer.slug, line.payee.slug, line.left) for line in accounts.to_pay)
    page = open_page(client, reverse("accounts", args=[table.code]))
    shown = {
        names[row.only("span", class_="name").text]: whole_number(
            next(part.text for part in row.every() if "figure" in part.attrs.get("class", ""))
        )
        for row in page.only("div", id="balances").every("a")
    }
    assert wanted == nonzero(shown)
    message = page.only("textarea", id="message").text
    for member in people.own:
        account = open_page(client, reverse("account", args=[table.code, member.slug]))
        (balance,) = account.only("dl", id="made-of").every("dd")[-1:]
        assert wanted.get(member.slug, 0) == whole_number(balance.text), member
    for line in accounts.to_pay:
        assert f"{line.payer.name} → {line.payee.name}" in message
    program = client.get(f"/api/v1/tables/{table.code}/accounts/").json()
    assert wanted == nonzero({one["member"]: one["balance"] for one in program["balances"]})
    file = json.loads(client.get(reverse("download", args=[table.code, "table"])).content)
    assert len(year.ledger.games) == len(file["games"])
    standing = [one for one in file["payments"] if one["ended_at"] is None]
    apart = [
        ends for ends in year.ledger.paid.values() if year.ledger.who(ends[0]) != year.ledger.who(ends[1])
    ]
    assert sorted(apart) == sorted((one["payer"], one["payee"], one["amount"]) for one in standing)
    assert_the_night_agrees(year, client, people)
    assert [] == list(check_table(table).differences)


def assert_the_night_agrees(year: Year, client: Client, people: People) -> None:
    table, night = year.table, the_night(year.table)
    games = list(table.games.filter(night_number=night.toordinal(), discarded_at=None))
    settlement = settlement_of(PlayedNight.read(night, table, people))
    played = year.ledger.nets_of(game.pk for game in games)
    together = played.copy()
    together.update(year.ledger.nets_of_cost(night.toordinal()))
    assert nonzero(together) == nonzero(settlement.nets)
    assert {line.payer.slug for line in settlement.lines} <= set(settlement.nets)
    if settlement.is_with_before:
        left = Counter(year.ledger.balances())
        for line in (*settlement.lines, *settlement.absent):
            left[line.payer.slug] += line.left
            left[line.payee.slug] -= line.left
        assert not any(left[slug] for slug in settlement.nets)
    page = open_page(client, reverse("night", args=[table.code, night.isoformat()]))
    (button,) = [button for button in page.every("button") if "data-drawn" in button.attrs]
    drawn = json.loads(button.attrs["data-drawn"])
    names = {member.name: member.slug for member in people.own}
    assert nonzero(played) == nonzero(
        {names[one["name"]]: whole_number(one["figure"]) for one in drawn["people"] if one["figure"]}
    )
    last = games[-1]
    winner, losers, stake = year.ledger.games[last.pk]
    assert {winner: stake * len(losers), **dict.fromkeys(losers, -stake)} == nets(last.state())
    result = open_page(client, reverse("settlement", args=[last.code]))
    assert people.by_slug[winner].name in result.only("h1").text


def moved(lines: Any) -> dict[str, int]:
    """Return the balances that these payments would clear."""
    sums: Counter[str] = Counter()
    for payer, payee, amount in lines:
        sums[payer] -= amount
        sums[payee] += amount
    return {slug: amount for slug, amount in sums.items() if amount}


@pytest.mark.slow
def test_all_views_of_the_accounts_equal_an_independent_ledger_after_forty_random_steps(phone_of):
    year = Year(seed=23)
    client = phone_of(year.owner)
    assert_everything_agrees(year, client)
    for _step in range(STEPS):
        year.step()
        assert_everything_agrees(year, client)
