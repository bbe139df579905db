"""Phones without a network for the tests: their books, random changes in them, and the sync."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.contrib.auth.models import User

from games.models import Game, Method, Table
from games.money import payments
from games.money.amendments import Words, amend, amendments_of
from games.money.balances import read_accounts
from games.money.ticks import pay_on_the_spot
from games.people.members import add_member
from games.play import recording as services
from games.pocket.copying import copy_for
from games.pocket.facts import beyond
from games.pocket.payments import Fact
from games.pocket.taking import DONE, Answer, take
from games.pocket.unpacking import unpack
from games.pocket.unsent import rebuild
from games.scoring.errors import ScoringError
from games.scoring.events import Corrected, GameStarted, Player, RoundPlayed
from games.scoring.rounds import Hand, RoundEntry
from games.views.pocket.typed import READERS
from tests.databases import At
from tests.tables import a_key

GUESTS = ("Zoe", "Zoé", "Yago", "Yamila")


class Pocket:
    """The phone of one user; `empty` is the path of a file with empty books."""

    def __init__(self, user: User, empty: Path, file: Path) -> None:
        self.user, self.empty, self.file = user, empty, file
        self.held: list[Fact] = []  # facts that the site refused: a person has to decide
        self.come_back()

    def come_back(self) -> None:
        """Replace the books by a fresh copy of the site."""
        self.copy = json.loads(json.dumps(copy_for(self.user)))
        shutil.copy(self.empty, self.file)
        with At(self.file):
            self.reader = unpack(self.copy)

    @contextmanager
    def away(self) -> Iterator[User]:
        """Run the block against the phone's books; yield the user there."""
        with At(self.file):
            self.reader.refresh_from_db()
            yield self.reader

    @contextmanager
    def anew(self, facts: list[Fact]) -> Iterator[None]:
        """Rebuild lost books from the copy and these facts, and run the block against them."""
        shutil.copy(self.empty, self.file)
        with At(self.file):
            self.reader = rebuild(self.copy, facts, READERS)
            yield

    def outbox(self) -> list[Fact]:
        """Return the facts to send, as JSON values."""
        with At(self.file):
            facts: list[Fact] = json.loads(json.dumps(beyond(self.copy)))
            return facts

    def send(self, facts: list[Fact]) -> list[Answer]:
        """Send these facts and return the outcomes."""
        return list(take(facts, self.user, READERS))

    def sync(self) -> list[Answer]:
        """Send all facts, fetch a fresh copy, and remember the refused facts in `held`."""
        facts = self.outbox()
        answers = self.send(facts)
        self.held += [fact for fact, answer in zip(facts, answers, strict=True) if answer.status != DONE]
        self.come_back()
        return answers


class Somebody:
    """A player who makes random changes at a table through the services, on a phone or at the site."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def act(self, table: Table, by: User) -> None:
        """Make one random change at the table."""
        running = list(table.games.filter(discarded_at=None, ended_at=None))
        if self.chance.random() < 0.3:
            self.chance.choice((self.pay, self.pay, self.tick, self.cancel, self.amend))(table, by)
            return
        if not running or self.chance.random() < 0.2:
            self.start(table, by)
            return
        doings = [self.play, self.play, self.play, self.correct, self.undo, self.put_away]
        self.chance.choice(doings)(self.chance.choice(running), by)

    def start(self, table: Table, by: User) -> None:
        """Start a game, perhaps with a new member."""
        if self.chance.random() < 0.4:
            with suppress(ScoringError):  # the name is taken already
                add_member(table, self.chance.choice(GUESTS), apart=GUESTS)
        members = list(table.members.active())
        seated = self.chance.sample(members, self.chance.randint(2, min(4, len(members))))
        players = tuple(Player(member.slug, member.name) for member in seated)
        begun = GameStarted("loba_menos", (("stake", 100), ("reentries", 0)), players)
        services.start_game(table, begun, key=a_key(), by=by)

    def play(self, game: Game, by: User) -> None:
        """Record a round, which may end the game."""
        self._record(game, RoundPlayed(self._round(game)), by)

    def correct(self, game: Game, by: User) -> None:
        """Correct an earlier round."""
        rounds = game.state().rounds
        if rounds:
            self._record(
                game, Corrected(self.chance.choice(rounds).number, RoundPlayed(self._round(game))), by
            )

    def _record(self, game: Game, event: RoundPlayed | Corrected, by: User) -> None:
        with suppress(ScoringError):  # a page would show the refusal
            services.record(game, event, after=len(game.log()), key=a_key(), by=by)

    def _round(self, game: Game) -> RoundEntry:
        playing = [player.id for player in game.state().playing]
        closer = self.chance.choice(playing)
        hands = tuple(
            (player, Hand(points=self.chance.randint(1, 45))) for player in playing if player != closer
        )
        return RoundEntry(closer, "out", hands)

    def undo(self, game: Game, by: User) -> None:
        """Undo the last batch."""
        with suppress(ScoringError):  # there is nothing to undo
            services.undo(game, after=len(game.log()), key=a_key(), by=by)

    def put_away(self, game: Game, by: User) -> None:
        """Discard a game, or restore one."""
        away = list(game.table.games.filter(discarded_at__isnull=False))
        if away and self.chance.random() < 0.5:
            services.restore_game(self.chance.choice(away))
        else:
            services.discard_game(game)

    def pay(self, table: Table, by: User) -> None:
        """Record a payment of the plan, in full or in part, or one between any two members."""
        lines = read_accounts(table).to_pay
        if lines and self.chance.random() < 0.7:
            line = self.chance.choice(lines)
            payer, payee, amount = line.payer, line.payee, self.chance.choice((line.left, 7))
        else:
            payer, payee = self.chance.sample(list(table.members.active()), 2)
            amount = self.chance.randint(1, 300)
        payments.pay(table, payer, payee, amount, method=Method.TRANSFER, key=a_key(), by=by, note="taxi")

    def tick(self, table: Table, by: User) -> None:
        """Pay a finished game on the spot."""
        over = list(table.games.filter(discarded_at=None, ended_at__isnull=False))
        if over:
            game = self.chance.choice(over)
            with suppress(ScoringError):  # the line is paid already
                pay_on_the_spot(game, after=len(game.log()), key=a_key(), by=by)

    def cancel(self, table: Table, by: User) -> None:
        """Cancel a payment."""
        for payment in list(table.payments.standing())[:1]:
            payments.cancel(payment, by=by, text="no fue")

    def amend(self, table: Table, by: User) -> None:
        """Amend a payment."""
        for payment in list(table.payments.filter(game=None).standing())[:1]:
            words, seen = Words(self.chance.randint(1, 300), Method.CASH, "era"), len(amendments_of(payment))
            amend(payment, words, after=seen, by=by, is_keeper=True)
