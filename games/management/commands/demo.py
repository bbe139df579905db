"""`manage.py demo`: creates a table of six friends with games on past Thursdays and an unfinished game.

`--games 10000` also creates the table of a club that plays four games every evening.
"""

from __future__ import annotations

import secrets
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils.timezone import now

from games.management.chance import begun_by_chance, played_by_chance
from games.management.schema import is_up_to_date, refuse_an_old_schema
from games.models import Access, Game, Member, Method, Role, Table
from games.money.balances import read_accounts
from games.money.payments import pay
from games.play import recording as services
from games.play.bulk import Played, write_games
from games.scoring.cards import TWO_FRENCH_PACKS, Card
from games.scoring.counting import counting_of
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    GameStopped,
    Player,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    RoundPlayed,
    Stop,
)
from games.scoring.kinds import Value
from games.scoring.replay import replay
from games.scoring.rounds import Hand, RoundEntry
from games.scoring.state import GameState
from games.scoring.variants import find_variant
from games.tables.guests import make_guest
from games.tables.members import add_member
from games.tables.tables import open_table

USERNAME = "demo"
TABLE = "Mesa de los jueves"
TIMEZONE = "America/Argentina/Buenos_Aires"
PEOPLE = ("Ana", "Beto", "Caro", "Dani", "Mariela", "Tío Raúl")
STAKE = 1000
PAID_AT_ONCE = 0.75  # the share of debts that are paid on the same night
RISING: dict[str, Value] = {"reentries": "unlimited", "reentry_price": "linear"}

CLUB = "Mesa del club"
CLUB_PEOPLE = (*PEOPLE, "Nélida", "Pocho")
CLUB_SEATS = 5
GAMES_AN_EVENING = 4

BEGIN = time(21, 30)
ROUND = timedelta(minutes=7)
ANSWER = timedelta(minutes=1)
CLUB_GAME = timedelta(minutes=70)

# A twist (an unusual event in a demo game, such as a correction) happens after this many rounds.
TWIST_AFTER = 3

# The numbers of cards that a hand may still have when another player goes out, as often as they occur.
HELD = (1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 8, 9)


class Command(BaseCommand):
    help = "Fill a table with six friends, some Thursdays of Loba de Menos and a game in progress."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=1, help="another seed makes other games (default: 1)")
        parser.add_argument("--password", help=f"for the user “{USERNAME}” (default: a random one, printed)")
        parser.add_argument(
            "--games", type=int, default=0, help=f"also fill {CLUB} with this many games (default: none)"
        )

    def handle(self, *, seed: int, password: str | None, games: int, **options: object) -> None:
        if not is_up_to_date():
            call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        refuse_an_old_schema()
        with transaction.atomic():
            self._fill(seed, password, games)

    def _fill(self, seed: int, password: str | None, games: int) -> None:
        wanted = [TABLE, *([CLUB] if games > 0 else [])]
        there, erased = self._tables_there()
        for table in erased:
            until = table.gone_at
            assert until is not None
            self.stdout.write(
                f"{table.name} ({table.code}) was erased and can be brought back until {until:%Y-%m-%d %H:%M} UTC: "
                "left as it is."
            )
        missing = [name for name in wanted if name not in there]
        for name in wanted:
            if name in there:
                self.stdout.write(f"{name} ({there[name].code}) is there already: nothing was added.")
        if not missing:
            if self._log_in(password):
                self.stdout.write(
                    f"The password of {USERNAME} is now {password}; phones signed in with the old one are out."
                )
            return
        password = password or secrets.token_urlsafe(9)
        owner = self._log_in(password)
        assert owner is not None
        if TABLE in missing:
            table = fill_table(owner, Random(seed), at=now())
            self.stdout.write(
                f"{TABLE} ({table.code}) has {table.games.count()} games, one of them under way."
            )
        if CLUB in missing:
            table = fill_club(owner, Random(seed), games=games, at=now())
            self.stdout.write(f"{CLUB} ({table.code}) has {games} games, four every evening.")
        self.stdout.write(f"Log in at /login/ as {USERNAME} with the password {password}")

    def _tables_there(self) -> tuple[dict[str, Table], list[Table]]:
        """Return the demo's tables by name, and a list of its erased tables that can be restored."""
        accesses = Access.objects.filter(user__username=USERNAME, table__name__in=(TABLE, CLUB))
        tables = [access.table for access in accesses.select_related("table").order_by("table")]
        waiting = [table for table in tables if table.gone_at is not None and table.gone_at > now()]
        return {table.name: table for table in tables if table.erased_at is None}, waiting

    def _log_in(self, password: str | None) -> User | None:
        """Create the demo user if missing, set the password, and return the user.

        Without a password, do nothing and return None.
        """
        if password is None:
            return None
        user, _is_new = User.objects.get_or_create(username=USERNAME)
        user.set_password(password)
        user.save()
        return user


def fill_table(owner: User, chance: Random, *, at: datetime) -> Table:
    """Create a table of six people with games on the Thursdays before `at`, and an unfinished game."""
    thursdays = list(_thursdays_before(at, count=6))
    table = open_table(
        owner, TABLE, unit="$", decimals=0, language="es-ar", timezone=TIMEZONE, at=thursdays[0]
    )
    people = [add_member(table, name) for name in PEOPLE]
    players = [Player(member.slug, member.name) for member in people]
    night = _Nights(table, owner, chance)

    first = night.play(night.begin(players[:4]), at=thursdays[0])
    night.pay_up(night.play(services.rematch_of(first), at=_later(first)))
    night.pay_up(night.play(night.begin(players[1:6]), at=thursdays[1], twist=Corrected))
    night.pay_up(night.play(night.begin(players[:5]), at=thursdays[2], twist=PlayerLeft))
    night.pay_up(night.play(night.begin(players[2:5]), at=thursdays[3]))
    night.pay_up(night.play(night.begin(players[:4], **RISING), at=thursdays[4], twist=GameStopped))
    last = night.play(night.begin(players[:3] + players[4:], **RISING), at=thursdays[5], twist=Corrected)
    night.play(services.rematch_of(last), at=_later(last))
    _claim(table, owner, at=_later(last))
    night.play_on(night.begin(players[:4], **RISING), until=at)
    return table


def _claim(table: Table, owner: User, *, at: datetime) -> None:
    """Record a claim: a member with read-only access says that they paid another member."""
    debt = read_accounts(table).to_pay[0]
    payer, _payee = [_join(table, member, owner, at) for member in (debt.payer, debt.payee)]
    pay(
        table,
        debt.payer,
        debt.payee,
        debt.amount,
        method=Method.TRANSFER,
        key="demo-claimed",
        by=payer,
        role=Role.WITNESS,
        at=at,
        arrived_at=at,
    )


def _join(table: Table, member: Member, owner: User, at: datetime) -> User:
    guest = make_guest()
    Access.objects.create(
        user=guest,
        table=table,
        role=Role.WITNESS,
        made_at=at,
        member=member,
        confirmed_at=at,
        confirmed_by=owner,
    )
    return guest


def fill_club(owner: User, chance: Random, *, games: int, at: datetime) -> Table:
    """Create a table of eight people with this many games. Five random people play each game."""
    evenings = list(_evenings_before(at, count=-(-games // GAMES_AN_EVENING)))
    table = open_table(owner, CLUB, unit="$", decimals=0, language="es-ar", timezone=TIMEZONE, at=evenings[0])
    members = [add_member(table, name) for name in CLUB_PEOPLE]
    players = [Player(member.slug, member.name) for member in members]

    def play() -> Iterator[Played]:
        for number in range(games):
            log = played_by_chance(chance, begun_by_chance(chance, chance.sample(players, CLUB_SEATS)))
            begins = evenings[number // GAMES_AN_EVENING] + number % GAMES_AN_EVENING * CLUB_GAME
            moments = [begins + place * CLUB_GAME / len(log) for place in range(len(log))]
            yield Played(f"demo-{number + 1}", log, moments)

    write_games(table, play(), by=owner)
    return table


def _evenings_before(at: datetime, *, count: int) -> Iterator[datetime]:
    """Yield the last `count` evenings before `at`, oldest first, leaving out today's and yesterday's."""
    today = at.astimezone(ZoneInfo(TIMEZONE)).date()
    for days in range(count + 1, 1, -1):
        yield datetime.combine(today - timedelta(days=days), BEGIN, ZoneInfo(TIMEZONE))


def _thursdays_before(at: datetime, *, count: int) -> Iterator[datetime]:
    """Yield the last `count` Thursday evenings before `at`, oldest first, without today's and yesterday's."""
    today = at.astimezone(ZoneInfo(TIMEZONE)).date()
    days_since = (today.weekday() - 5) % 7 + 2
    for weeks in reversed(range(count)):
        day = today - timedelta(days=days_since + 7 * weeks)
        yield datetime.combine(day, BEGIN, ZoneInfo(TIMEZONE))


def _later(game: Game) -> datetime:
    """Return the start time of the rematch: a little after the end of this game."""
    assert game.ended_at is not None
    return game.ended_at + ROUND


class _Nights:
    """A recorder of random games at a table. A *twist* is the type of a rare event that a game must have."""

    def __init__(self, table: Table, owner: User, chance: Random) -> None:
        self.table = table
        self.owner = owner
        self.chance = chance

    def begin(self, players: Sequence[Player], **chosen: Value) -> GameStarted:
        """Return the first event of a game of Loba de Menos for these players, with the demo's stake.

        `chosen` are the options of the game, by key, that differ from the defaults.
        """
        options = find_variant("loba_menos").house({"stake": STAKE, **chosen}).options
        return GameStarted("loba_menos", options, tuple(players))

    def play(self, begun: GameStarted, *, at: datetime, twist: type[Event] | None = None) -> Game:
        """Record a whole random game that begins at `at`. With a `twist`, it has an event of this type."""
        log = self._imagine(begun, twist)
        while twist is not None and not _has(log, twist):
            log = self._imagine(begun, twist)
        return self._write(log, at)

    def play_on(self, begun: GameStarted, *, until: datetime) -> Game:
        """Record an unfinished game in which a player paid to come back. Its last round ends at `until`."""
        log: Sequence[Event] = ()
        while not log:
            log = _under_way(self._imagine(begun, None))
        return self._write(log, until - sum((_duration(event) for event in log), timedelta()))

    def pay_up(self, last: Game) -> None:
        """Record in cash most of what those who played this game, the last of its night, owe each other."""
        at, there = _later(last), {player.id for player in last.state().players}
        for debt in read_accounts(self.table).to_pay:
            if {debt.payer.slug, debt.payee.slug} <= there and self.chance.random() < PAID_AT_ONCE:
                key = f"demo-paid-{self.table.payments.count() + 1}"
                pay(
                    *(self.table, debt.payer, debt.payee, debt.amount),
                    key=key,
                    by=self.owner,
                    at=at,
                    arrived_at=at,
                )

    def _imagine(self, begun: GameStarted, twist: type[Event] | None) -> list[Event]:
        """Return the log of a random game, with an event of the type `twist` if the game is long enough.

        The game is whole, except after a correction that makes a later round impossible: then the log ends
        before the event that the rules refuse.
        """
        log: list[Event] = [begun]
        state = replay(log)
        while not state.is_over:
            if state.pending:
                event = self._answer(state)
            elif twist is not None and len(state.rounds) == TWIST_AFTER and not _has(log, twist):
                event = self._twist(twist, state)
            else:
                event = self._round(state)
            try:
                state = replay([*log, event])
            except RuleError:  # a correction may make later rounds impossible
                return log
            log.append(event)
        return log

    def _answer(self, state: GameState) -> Event:
        player = state.pending[0]
        stays_in = self.chance.random() < 0.85 - 0.2 * player.reentries
        return PlayerReentered(player.id) if stays_in else PlayerStayedOut(player.id)

    def _twist(self, twist: type[Event], state: GameState) -> Event:
        if twist is Corrected:
            return self._correction(state)
        if twist is PlayerLeft:
            return PlayerLeft(self.chance.choice(state.playing).id)
        assert twist is GameStopped
        return GameStopped(Stop.SPLIT_POT)

    def _correction(self, state: GameState) -> Corrected:
        """Return the correction of one miscounted hand in the second round."""
        played = state.rounds[1]
        player = self.chance.choice([player for player, _hand in played.entry.hands])
        counted = Hand(points=max(1, played.points[player] + self.chance.choice((-10, -3, 5, 10))))
        hands = {**dict(played.entry.hands), player: counted}
        return Corrected(played.number, RoundPlayed(replace(played.entry, hands=tuple(hands.items()))))

    def _round(self, state: GameState) -> RoundPlayed:
        """Return a round dealt from a shuffled pack, entered as cards or as points."""
        pack = [
            Card(rank)
            for rank in TWO_FRENCH_PACKS.ranks_with_jokers()
            for _copy in range(TWO_FRENCH_PACKS.copies_of(rank))
        ]
        self.chance.shuffle(pack)
        closer = self.chance.choice(state.playing).id
        closing = "in_one_go" if self.chance.random() < 0.08 else "out"
        is_tapped = self.chance.random() < 0.6
        hands = []
        for player in state.playing:
            if player.id != closer:
                held = tuple(pack.pop() for _card in range(self.chance.choice(HELD)))
                hand = Hand(held=held)
                hands.append(
                    (
                        player.id,
                        hand
                        if is_tapped
                        else Hand(points=counting_of(state.rules).hand_points(state.rules, hand)),
                    )
                )
        return RoundPlayed(RoundEntry(closer, closing, tuple(hands)))

    def _write(self, log: Sequence[Event], at: datetime) -> Game:
        begun, *events = log
        assert isinstance(begun, GameStarted)
        key = f"demo-{self.table.games.count() + 1}"
        game = services.start_game(self.table, begun, key=key, by=self.owner, at=at, arrived_at=at)
        for number, event in enumerate(events, start=1):
            at += _duration(event)
            services.record(
                game, event, after=number, key=f"{key}-{number}", by=self.owner, at=at, arrived_at=at
            )
        return game


def _under_way(log: Sequence[Event]) -> Sequence[Event]:
    """Return the longest prefix of the log that is an unfinished game with a re-entry and ends with a round.

    Return () if there is none.
    """
    for length in range(len(log) - 1, 0, -1):
        begun = log[:length]
        state = replay(begun)
        if (
            isinstance(begun[-1], RoundPlayed)
            and _has(begun, PlayerReentered)
            and not state.pending
            and not state.is_over
        ):
            return begun
    return ()


def _has(log: Sequence[Event], kind: type[Event]) -> bool:
    return any(isinstance(event, kind) for event in log)


def _duration(event: Event) -> timedelta:
    return ROUND if isinstance(event, RoundPlayed) else ANSWER
