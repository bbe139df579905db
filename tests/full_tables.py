"""Tables with rows of every kind: corrected games, payments, seasons, retired members."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User

from games.models import Game, Member, Method, Table
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expenses,
    fewest_payments,
    member_merges,
    movements,
    payments,
    starting_balances,
)
from games.play.services import recording
from games.scoring.errors import RuleError
from games.scoring.events import GameStarted, Player
from games.tables.services import membership, setup
from tests.factories import build_expense, build_round, confirm_as_member, end_season, get_last_night, new_key
from tests.scoring.strategies import GUESTS, IDS, a_game, add_corrections

BUENOS_AIRES = ZoneInfo("America/Argentina/Buenos_Aires")
FIRST_EVENING = datetime(2024, 3, 7, 21, 30, 15, 123456, tzinfo=BUENOS_AIRES)


class FullTable:
    """A table filled with random nights, entirely through the services."""

    def __init__(self, chance: random.Random, owner: User, *, decimals: int = 0) -> None:
        self.chance = chance
        self.at = FIRST_EVENING
        self.owner = owner
        self.table = setup.create_table(
            owner,
            setup.clean_fields(
                "Mesa #1; «la de siempre»",
                unit="$",
                decimals=decimals,
                language="es-ar",
                timezone="America/Argentina/Buenos_Aires",
            ),
            at=self.at - timedelta(days=40),
        )
        self.members = {name: membership.add(self.table, name.capitalize()) for name in (*IDS, *GUESTS)}
        self.scorer = self._create_user(self.members["beto"])

    def _create_user(self, member: Member) -> User:
        user = User.objects.create_user(f"{self.owner.username}-{member.slug}")
        confirm_as_member(user, member, at=self.at)
        return user

    def advance(self, **passed: float) -> datetime:
        """Move the clock forward and return the new time."""
        self.at += timedelta(**passed)
        return self.at

    def play(self, *variants: str) -> Game:
        """Play a game of one of these variants, or of any, and correct some of its events later."""
        log, batch_ends = add_corrections(self.chance, a_game(self.chance, *variants))
        first, *ends = batch_ends
        start_event = log[0]
        assert isinstance(start_event, GameStarted)
        assert first == 1
        game = recording.start_game(
            self.table, start_event, key=new_key(), by=self.owner, at=self.advance(hours=1)
        )
        after = 1
        for end in ends:
            by = self.chance.choice((self.owner, self.scorer))
            recording.record(
                game, *log[after:end], after=after, key=new_key(), by=by, at=self.advance(minutes=7)
            )
            after = end
        return game

    def play_for_money(self) -> Game:
        """Play a short game whose pot one of four players wins."""
        winner, *losers = self.chance.sample(IDS, 4)
        players = tuple(Player(slug, self.members[slug].name) for slug in (winner, *losers))
        start_event = GameStarted("loba_menos", (("stake", 100), ("reentries", 0)), players)
        game = recording.start_game(
            self.table, start_event, key=new_key(), by=self.owner, at=self.advance(hours=1)
        )
        busted = build_round(winner, closing="out", **dict.fromkeys(losers, 120))
        recording.record(game, busted, after=1, key=new_key(), by=self.owner, at=self.advance(minutes=7))
        return game

    def pay_something(self) -> None:
        """Pay a debt, or a random amount between any two members. Then void or dispute some payments."""
        lines = accounting.load_accounts(self.table).debts
        if lines and self.chance.random() < 0.8:
            line = self.chance.choice(lines)
            payer, payee = line.payer, line.payee
            amount = self.chance.choice((line.amount, (line.amount + 1) // 2, line.amount + 3))
        else:
            payer, payee = self.chance.sample(list(self.members.values()), 2)
            amount = self.chance.randint(1, 5000)
        payment = payments.create(
            self.table, payer, payee, min(amount, 10**12 - 1), method=self.chance.choice((Method.CASH, Method.TRANSFER)),
            key=new_key(), by=self.scorer, note=self.chance.choice(("", "en el bar; date: mañana", "por Ana [2020/99/99]")),
            at=self.advance(minutes=3),
        )  # fmt: skip
        payment.refresh_from_db()
        if payment.payee.belongs_to(self.scorer):
            payments.dispute(payment, by=self.scorer, objection="no fue así", at=self.advance(minutes=1))
            if self.chance.random() < 0.5:
                payments.confirm(payment, by=self.scorer, at=self.advance(minutes=1))
        elif self.chance.random() < 0.2:
            payments.void(payment, by=self.owner, reason="no fue así", at=self.advance(minutes=1))

    def claim_payments(self) -> None:
        """Record unconfirmed payments as the scorer, then confirm some, void some and leave the rest.

        One payment is backdated, and another is disputed and then confirmed.
        """
        payer = next(member for member in self.members.values() if member.belongs_to(self.scorer))
        payee = next(member for member in self.members.values() if member != payer)
        confirm_as_member(User.objects.create_user(f"payee-{payee.pk}"), payee)
        made = [
            payments.create(
                self.table, payer, payee, 100 + number, method=Method.TRANSFER, key=new_key(), by=self.scorer,
                note="la seña", day=day, at=self.advance(minutes=1),
            )
            for number, day in enumerate((None, movements.first_night(self.table), None, None))
        ]  # fmt: skip
        payments.confirm(made[0], by=self.owner, at=self.advance(minutes=1))
        payments.create(
            self.table, payee, payer, 5, method=Method.FORGIVEN, key=new_key(), by=self.scorer,
            at=self.advance(minutes=1),
        )  # fmt: skip
        payments.void(made[2], by=self.scorer, at=self.advance(minutes=1))
        back = payments.create(
            self.table, payee, payer, 7, method=Method.CASH, key=new_key(), by=self.owner, at=self.advance(minutes=1)
        )  # fmt: skip
        payments.dispute(back, by=self.scorer, objection="no llegó", at=self.advance(minutes=1))
        payments.confirm(back, by=self.owner, at=self.advance(minutes=1))

    def settle_first_debt(self) -> None:
        for debt in accounting.load_accounts(self.table).debts[:1]:
            debt_settlement.settle(
                self.table, debt.payer, debt.payee, version=debt.version, claims=debt.claims,
                by=self.owner, at=self.advance(minutes=1),
            )  # fmt: skip

    def pay_on_the_spot(self, game: Game) -> None:
        """Mark a finished game as paid in cash. Sometimes remove the mark again."""
        try:
            cash_settlement.mark_paid(game, by=self.owner, at=self.advance(minutes=2))
        except RuleError:
            return  # unfinished, or discarded
        if self.chance.random() < 0.3:
            cash_settlement.unmark_paid(game, by=self.owner, at=self.advance(minutes=1))

    def open_with_balances(self) -> None:
        """Record starting balances twice, and void the second ones."""
        for amount in (7_000, 300):
            balances = {"ana": amount, "beto": -amount}
            seen = accounting.latest_entry_number(self.table)
            entry = starting_balances.record(
                self.table, balances, seen=seen, key=new_key(), by=self.owner, at=self.advance(minutes=1)
            )
        starting_balances.void(self.table, entry.number, by=self.owner, at=self.advance(minutes=1))

    def add_import(self) -> None:
        """Add an import whose rows are all gone."""
        self.table.arrivals.create(
            at=self.advance(minutes=1), user=self.owner, games=1, payments=0, expenses=0
        )

    def share_expense(self, number: int) -> None:
        """Share an expense of the last night. Every second one is a forgiven debt, every third one is voided."""
        night = get_last_night(self.table)
        payer, *others = list(self.members.values())[:4]
        is_forgiven, sharers = number % 2 == 1, (payer, *others[:2])
        expense = build_expense(
            payer, 10_001 + number, sharers, "pizza [2020/99/99]", is_forgiven=is_forgiven
        )
        cost = expenses.create(
            self.table, night, expense, key=new_key(), by=self.scorer, at=self.advance(minutes=1)
        )
        if number % 3 == 1:
            expenses.void(cost, by=self.owner, reason="pagó la casa", at=self.advance(minutes=1))

    def end_season(self, name: str) -> None:
        """End the season today and start the next one three days later."""
        end_season(self.table, last_day=self.advance(days=20).date(), next_name=name)
        self.advance(days=3)


def fill(full: FullTable, *, nights: int = 4, games: int = 3) -> Table:
    """Play some nights with games, payments and seasons, and return the table."""
    table, chance = full.table, full.chance
    full.open_with_balances()
    full.add_import()
    for night in range(nights):
        played = [full.play() for _game in range(games)]
        for game in chance.sample(played, 2):
            full.pay_on_the_spot(game)
            full.pay_something()
        full.play_for_money()
        full.settle_first_debt()
        full.share_expense(night)
        recording.discard_game(chance.choice(played), at=full.advance(minutes=1))
        if night % 2:
            recording.restore_game(
                table.games.filter(discarded_at__isnull=False)[0], at=full.advance(minutes=1)
            )
            full.end_season(f"Temporada {night}")
        full.advance(days=6)
    fewest_payments.update(
        table,
        is_on=True,
        seen=accounting.latest_entry_number(table),
        by=full.owner,
        at=full.advance(minutes=1),
    )
    full.claim_payments()
    _retire_and_merge(full)
    return table


def _retire_and_merge(full: FullTable) -> None:
    """Retire a member, and merge two members who never played in the same game."""
    slugs = [slug for slug in (*IDS, *GUESTS) if slug != "beto"]
    gone = next((slug for slug in reversed(slugs) if _try_to_retire(full, slug)), "")
    pairs = [
        (target_slug, other)
        for target_slug in slugs
        for other in slugs
        if target_slug < other and gone not in (target_slug, other)
    ]
    target_slug, other = next(
        (target_slug, other)
        for target_slug, other in pairs
        if not member_merges.preview(full.members[other], full.members[target_slug]).shared_game
    )
    twin, person = full.members[other], full.members[target_slug]
    member_merges.merge(
        twin, person, seen=member_merges.preview(twin, person).digest, by=full.owner, at=full.advance(days=1)
    )
    membership.set_payment_details(full.members[target_slug], "alias.de.ana")


def _try_to_retire(full: FullTable, slug: str) -> bool:
    """Retire this member. Return False if it is refused because they are in a running game."""
    try:
        membership.retire(full.members[slug], at=full.advance(days=1))
    except RuleError:
        return False
    return True
