"""A club's long season of random games: random rounds and, rarely, other events of the rules.

Its rows are written in bulk, as recording event by event would store them. For the benchmarks and a few tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import islice
from random import Random
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common.days import night_of, season_on
from games.common.locks import lock, raise_version
from games.models import EntryKind, Game, Table
from games.money.debts import Ledger
from games.play.results import check_members
from games.play.writer import Batch, NewGame, PreparedGames
from games.scoring.errors import RuleError
from games.scoring.events import (
    Event,
    GameStarted,
    GameStopped,
    Player,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PlayEvent,
    Stop,
)
from games.scoring.kinds import Value
from games.scoring.ledger import nets
from games.scoring.replay import apply, replay
from games.scoring.state import GameState
from games.scoring.variants import find_variant
from games.tables.members import add_member
from games.tables.tables import open_table, parts_of
from tests.scoring.strategies import a_round

PEOPLE = ("Ana", "Beto", "Caro", "Dani", "Mariela", "Tío Raúl", "Nélida", "Pocho")
TIMEZONE = "America/Argentina/Buenos_Aires"
SEATS = 5
GAMES_AN_EVENING = 4
BEGIN = time(21, 30)
LASTS = timedelta(minutes=70)
AT_ONCE = 500  # games that are replayed and inserted together

# The variants, their relative frequency and their options.
PLAYED: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("loba_menos", 12, {"stake": 1000}),
    ("loba_menos", 4, {"stake": 500, "reentries": "unlimited", "reentry_price": "linear"}),
    ("loba_mas", 4, {"settlement": "pairs", "point_value": 20}),
    ("chinchon", 4, {"stake": 500, "cut_prize": 50}),
    ("carioca_ar", 2, {"settlement": "to_winner", "point_value": 10}),
)

STOPPED, WENT_HOME = 0.002, 0.003  # probabilities for each round
STAYS_IN = 0.8


def begun_by_chance(chance: Random, players: Sequence[Player]) -> GameStarted:
    """Return the first event of a game of a random variant, with these players in random seats."""
    (variant, _often, chosen), *_others = chance.choices(PLAYED, [often for _name, often, _chosen in PLAYED])
    options = find_variant(variant).house(chosen).options
    return GameStarted(variant, options, tuple(chance.sample(players, len(players))))


def played_by_chance(chance: Random, begun: GameStarted) -> list[Event]:
    """Return the log of a whole random game that begins with the event `begun`."""
    log: list[Event] = [begun]
    state = replay(log)
    while not state.is_over:
        event = _next(chance, state)
        try:
            state = apply(state, len(log) + 1, event)
        except RuleError:  # the rules do not allow this event now: draw another one
            continue
        log.append(event)
    return log


def _next(chance: Random, state: GameState) -> PlayEvent:
    if state.pending:
        player = state.pending[0].id
        return PlayerReentered(player) if chance.random() < STAYS_IN else PlayerStayedOut(player)
    draw = chance.random()
    if draw < STOPPED:
        return GameStopped(chance.choice(list(Stop)))
    if draw < STOPPED + WENT_HOME:
        return PlayerLeft(chance.choice(state.playing).id)
    return a_round(chance, state)


def fill_club(owner: User, chance: Random, *, games: int, at: datetime) -> Table:
    """Create a table of eight people with this many games. Five random people play each game."""
    evenings = list(_evenings_before(at, count=-(-games // GAMES_AN_EVENING)))
    parts = parts_of("Mesa del club", unit="$", decimals=0, language="es-ar", timezone=TIMEZONE)
    table = open_table(owner, parts, at=evenings[0])
    members = [add_member(table, name) for name in PEOPLE]
    players = [Player(member.slug, member.name) for member in members]

    def play() -> Iterator[Played]:
        for number in range(games):
            log = played_by_chance(chance, begun_by_chance(chance, chance.sample(players, SEATS)))
            begins = evenings[number // GAMES_AN_EVENING] + number % GAMES_AN_EVENING * LASTS
            moments = [begins + place * LASTS / len(log) for place in range(len(log))]
            yield Played(f"club-{number + 1}", log, moments)

    write_games(table, play(), by=owner)
    return table


def _evenings_before(at: datetime, *, count: int) -> Iterator[datetime]:
    """Yield the last `count` evenings before `at`, oldest first, leaving out today's and yesterday's."""
    today = at.astimezone(ZoneInfo(TIMEZONE)).date()
    for days in range(count + 1, 1, -1):
        yield datetime.combine(today - timedelta(days=days), BEGIN, ZoneInfo(TIMEZONE))


@dataclass(frozen=True)
class Played:
    """A finished game to import: its events, and for each event the moment at which it was recorded.

    `key` is an idempotency key that no game of the table has.
    """

    key: str
    log: Sequence[Event]
    moments: Sequence[datetime]


@transaction.atomic
def write_games(table: Table, played: Iterable[Played], *, by: User) -> int:
    """Insert these games, enter what each moved, in the order of their end, and return their number."""
    lock(table)
    table = Table.objects.prefetch_related("members").get(pk=table.pk)  # every result needs the members
    waiting = iter(played)
    games: list[NewGame] = []
    while some := list(islice(waiting, AT_ONCE)):
        games += _write(table, some, by=by)
    at = now()
    ledger = Ledger(table, at=at, by=by)
    for whole in sorted(games, key=lambda whole: (whole.game.ended_at or at, whole.game.pk)):
        ledger.change_game(whole.game, EntryKind.ENDED, nets(whole.state) if whole.state.is_over else {})
    ledger.store(raise_version(table))
    return len(games)


def _write(table: Table, played: Sequence[Played], *, by: User) -> Sequence[NewGame]:
    wholes = []
    for game_played in played:
        state = replay(game_played.log)
        check_members(table.members.all(), state)
        night = night_of(game_played.moments[0], table)
        game = Game(
            table=table,
            season=season_on(night, table),
            key=game_played.key,
            started_at=game_played.moments[0],
            night_number=night.toordinal(),
        )
        batches = [
            Batch(
                after,
                (event,),
                f"{game_played.key}-{after + 1}" if after else game_played.key,
                moment,
                by,
                moment,
            )
            for after, (event, moment) in enumerate(zip(game_played.log, game_played.moments, strict=True))
        ]
        wholes.append(NewGame(game, batches, state))
    PreparedGames(wholes, {member.slug: member for member in table.members.all()}).store(raise_version(table))
    return wholes
