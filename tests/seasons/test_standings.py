"""Season tables, compared with plain Python over replayed games, for random tables and every filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User

from games.models import Game, Member, Season, SeasonOrder, Table
from games.play.services import recording
from games.scoring.events import (
    Event,
    GameStarted,
    GameStopped,
    Player,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PlayEvent,
    RoundPlayed,
    Stop,
)
from games.scoring.ledger import nets, places
from games.scoring.money import POT, movements
from games.scoring.replay import apply, is_allowed, replay
from games.scoring.rule_types import Value
from games.scoring.state import GameState, Reason
from games.scoring.variants import get_variant
from games.seasons.services import season_ranking, season_standings, season_statistics
from games.seasons.services.season_ranking import Filters, Ordering
from games.seasons.services.season_standings import GameScope, MemberTotals
from games.seasons.services.season_statistics import RecordKind
from games.tables.services.roster import People
from tests.factories import make_table, make_user, module_transaction, new_key
from tests.scoring.strategies import a_round

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

BUENOS_AIRES = ZoneInfo("America/Argentina/Buenos_Aires")
NAMES = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Otra Ana")
GAMES = 40
FIRST_EVENING = datetime(2026, 1, 8, 21, 0, tzinfo=BUENOS_AIRES)
# The variants that are played, with their relative frequency and their options.
VARIANT_MIX: tuple[tuple[str, int, dict[str, Value]], ...] = (
    ("loba_menos", 12, {"stake": 1000}),
    ("loba_menos", 4, {"stake": 500, "reentries": "unlimited", "reentry_price": "linear"}),
    ("loba_mas", 4, {"settlement": "pairs", "point_value": 20}),
    ("chinchon", 4, {"stake": 500, "cut_prize": 50}),
    ("carioca_ar", 2, {"settlement": "to_winner", "point_value": 10}),
)
STAYS_IN, STOPPED, WENT_HOME = 0.8, 0.03, 0.003  # probabilities


# --- random tables -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[0, pytest.param(1, marks=pytest.mark.long)])
def played_table(request, django_db_setup, django_db_blocker):
    """Create a table with some weeks of games and a merged member. Yield it with its finished games,
    replayed.

    Some games were stopped and refunded or discarded, and one is running. The table is created once for the
    whole module; each test rolls back its own changes.
    """
    with module_transaction(django_db_blocker):
        table = _random_table(Random(request.param))
        yield table, plain_games(table)


def _random_table(chance: Random) -> Table:
    owner = make_user()
    table = make_table(owner, people=NAMES)
    _play_games(chance, table, owner)
    for game in chance.sample(list(table.games.all()), 4):
        recording.discard_game(game)
    ana, other_ana = (table.members.get(name=name) for name in ("Ana", "Otra Ana"))
    table.members.filter(pk=other_ana.pk).update(merged_into=ana)
    return table


def _play_games(chance: Random, table: Table, owner: User) -> None:
    players = [Player(member.slug, member.name) for member in table.members.all()]
    evening = FIRST_EVENING
    for number in range(GAMES):
        if chance.random() < 0.6:
            evening += timedelta(days=chance.randint(1, 9))
        absent = chance.choice(("ana", "otra_ana"))  # entries of one person never play in the same game
        available = [player for player in players if player.id != absent]
        start_event, others = _a_game(chance, chance.sample(available, chance.randint(2, 5)))
        others = others[:-1] if number == GAMES - 1 else others
        # Up to half past five the next morning.
        at = evening + timedelta(minutes=chance.choice((0, 60, 200, 510)))
        game = recording.start_game(table, start_event, key=new_key(), by=owner, at=at)
        recording.record(game, *others, after=1, key=new_key(), by=owner, at=at + timedelta(hours=1))


def _a_game(chance: Random, players: list[Player]) -> tuple[GameStarted, list[Event]]:
    """Return the first and the other events of a whole random game of these players."""
    ((variant, _often, chosen),) = chance.choices(
        VARIANT_MIX, [often for _name, often, _chosen in VARIANT_MIX]
    )
    start_event = GameStarted(variant, get_variant(variant).house(chosen).options, tuple(players))
    log: list[Event] = []
    state = replay([start_event])
    while not state.is_over:
        event = _a_move(chance, state)
        if is_allowed(state, event):
            state = apply(state, len(log) + 2, event)
            log.append(event)
    return start_event, log


def _a_move(chance: Random, state: GameState) -> PlayEvent:
    if state.pending:
        player = state.pending[0].id
        return PlayerReentered(player) if chance.random() < STAYS_IN else PlayerStayedOut(player)
    draw = chance.random()
    if draw < STOPPED:
        return GameStopped(chance.choice(list(Stop)))
    if draw < STOPPED + WENT_HOME:
        return PlayerLeft(chance.choice(state.playing).id)
    return a_round(chance, state)


# --- the same in plain Python -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlainLine:
    """The result of one member in one game."""

    person: str
    place: int | None
    points: int
    net: int
    won: bool
    reentries: int
    rounds_won: int
    in_one_go: int
    survived: int


@dataclass(frozen=True)
class PlainGame:
    """A finished game, replayed."""

    game: Game
    night: date
    state: GameState
    lines: dict[str, PlainLine]


def merged_slug(player: str) -> str:
    return "ana" if player == "otra_ana" else player


def plain_games(table: Table) -> list[PlainGame]:
    """Return the finished games in the order of their nights."""
    plains = []
    for game in table.games.filter(discarded_at=None).order_by("pk"):
        state = game.state()
        night = (game.started_at.astimezone(BUENOS_AIRES) - timedelta(hours=6)).date()
        if state.is_over:
            plains.append(PlainGame(game, night, state, {line.person: line for line in plain_lines(state)}))
    return sorted(plains, key=lambda plain: (plain.night, plain.game.pk))


def filter_games(plains: list[PlainGame], *, first=None, last=None, variant="") -> list[PlainGame]:
    return [
        plain
        for plain in plains
        if (not first or first <= plain.night)
        and (not last or plain.night <= last)
        and variant in ("", plain.state.variant.key)
    ]


def plain_lines(state: GameState) -> Iterator[PlainLine]:
    assert state.outcome is not None
    place, net = places(state), nets(state)
    refunded = state.outcome.refunded
    for player in state.players:
        yield PlainLine(
            person=merged_slug(player.id),
            place=None if refunded else place[player.id],
            points=0 if refunded else len([other for other in place.values() if other > place[player.id]]),
            net=net[player.id],
            won=player.id in state.outcome.winners and not state.outcome.agreed,
            reentries=player.reentries,
            rounds_won=len([played for played in state.rounds if played.closer == player.id]),
            in_one_go=len([r for r in state.rounds if r.closer == player.id and r.closing == "in_one_go"]),
            survived=plain_survived(state, player.id),
        )


def plain_survived(state: GameState, player: str) -> int:
    limit = state.rules.out_at
    if limit is None:
        return 0
    runs = "".join(
        "y" if limit - 10 <= before.totals[player] and step.totals[player] < limit else "n"
        for before, step in zip(state.steps, state.steps[1:], strict=False)
        if isinstance(step.event, RoundPlayed) and player in step.moved
    )
    return max(map(len, runs.split("n")))


def plain_tally(plains: list[PlainGame], who: str) -> dict[str, Any]:
    lines = [plain.lines[who] for plain in plains if who in plain.lines]
    counted = [line for line in lines if line.place is not None]
    streak = longest = 0
    for line in counted:
        streak = streak + 1 if line.won else 0
        longest = max(longest, streak)
    return {
        "games": len(counted),
        "wins": sum(line.won for line in counted),
        "points": sum(line.points for line in counted),
        "net": sum(line.net for line in lines),
        "in_one_go": sum(line.in_one_go for line in counted),
        "streak": streak,
        "longest_streak": longest,
        "form": [(line.points, line.won) for line in counted],
    }


def slugs_in(plains: list[PlainGame]) -> set[str]:
    return {who for plain in plains for who in plain.lines}


# --- the two compared -------------------------------------------------------------------------------------------------

SCOPES: tuple[dict[str, Any], ...] = (
    {},
    {"variant": "loba_menos"},
    {"variant": "chinchon"},
    {"first": date(2026, 2, 1)},
    {"last": date(2026, 3, 1)},
    {"first": date(2026, 2, 1), "last": date(2026, 4, 10), "variant": "loba_menos"},
    {"first": date(2027, 1, 1)},
)


@pytest.fixture
def scopes(played_table, db):
    """Each filter with the games that it must include."""
    table, plains = played_table
    people = People.of(table)
    return [(GameScope(table, people, **chosen), filter_games(plains, **chosen)) for chosen in SCOPES]


def test_the_numbers_of_games_and_nights_equal_those_of_the_replayed_games(scopes):
    for scope, plains in scopes:
        extent = season_standings.load(scope).extent
        assert len(plains) == extent.games
        assert len({plain.night for plain in plains}) == extent.nights


FIGURES = ("games", "wins", "points", "net", "in_one_go", "streak", "longest_streak")


def test_every_tally_equals_the_one_of_the_replayed_games(scopes):
    for scope, plains in scopes:
        tallies = {
            slug: {name: getattr(tally, name) for name in FIGURES}
            | {
                "form": [
                    (season_standings.decode_points(mark), season_standings.is_win(mark))
                    for mark in tally.marks
                ]
            }
            for slug, tally in season_standings.load(scope).tallies.items()
        }
        assert {who: plain_tally(plains, who) for who in slugs_in(plains)} == tallies


RANKINGS = [(by, least) for by in SeasonOrder for least in (1, 5, 12)]


def test_the_ranking_equals_a_plain_calculation(scopes):
    for scope, plains in scopes:
        tallies = season_standings.load(scope).tallies.values()
        for by, least in RANKINGS:
            ranking = Ordering(by, least).rank(tallies)
            figures = {who: plain_figures(plains, who) for who in slugs_in(plains)}
            enough = {who for who in figures if plain_tally(plains, who)["games"] >= least}

            assert enough == {line.tally.member.slug for line in ranking.lines}
            assert slugs_in(plains) - enough == {tally.member.slug for tally in ranking.others}
            for line in ranking.lines:
                member_figures = figures[line.tally.member.slug]
                ahead = [who for who in enough if figures[who][by] > member_figures[by]]
                assert 1 + len(ahead) == line.rank
                assert (member_figures[SeasonOrder.POINTS], member_figures[SeasonOrder.AVERAGE]) == (
                    line.tally.points,
                    line.tally.average,
                )
            assert sorted(line.rank for line in ranking.lines) == [line.rank for line in ranking.lines]


def plain_figures(plains, who):
    tally = plain_tally(plains, who)
    return {
        SeasonOrder.WINS: tally["wins"],
        SeasonOrder.POINTS: tally["points"],
        SeasonOrder.AVERAGE: Fraction(tally["points"], tally["games"] or 1),
        SeasonOrder.MONEY: tally["net"],
    }


def tallies(*games, net=0):
    """Return a member's totals for each number of games: all of them won, and with this net."""
    return [MemberTotals(Member(slug=f"m{number}"), "b" * count, net) for number, count in enumerate(games)]


@pytest.mark.parametrize(
    ("filters", "games", "expected"),
    [
        (Filters(Season()), tallies(), (SeasonOrder.WINS, 1)),
        (Filters(Season()), tallies(4, 3), (SeasonOrder.WINS, 1)),
        (Filters(None), tallies(40, 12, 3, net=-100), (SeasonOrder.MONEY, 1)),
        (Filters(Season(order="points")), tallies(40, 12, net=100), (SeasonOrder.POINTS, 1)),
        (Filters(Season(order="average")), tallies(7, 9), (SeasonOrder.AVERAGE, 3)),
        (Filters(Season(order="average")), tallies(10, 3), (SeasonOrder.AVERAGE, 4)),
        (Filters(Season(order="money"), by=SeasonOrder.WINS), tallies(40, 12), (SeasonOrder.WINS, 1)),
    ],
)
def test_the_requested_order_overrides_the_tables_and_the_tables_overrides_the_default(
    filters, games, expected
):
    ordering = season_ranking.resolve_ordering(filters, games)

    assert expected == (ordering.by, ordering.least)


def test_the_played_variants_are_listed_most_played_first(scopes):
    everything, plains = scopes[0]
    counted = Counter(plain.state.variant.key for plain in plains)

    assert sorted(counted, key=lambda key: (-counted[key], key)) == list(
        season_ranking.load_history(everything.table, everything.people).variants
    )


def test_duels_equal_a_plain_count_over_the_games(scopes):
    for scope, plains in scopes:
        expected: dict[tuple[str, str], list[int]] = {}
        for plain in plains:
            for first, other in combinations(plain.lines.values(), 2):
                if first.place is None or other.place is None:
                    continue
                for line, theirs in ((first, other), (other, first)):
                    counts = expected.setdefault((line.person, theirs.person), [0, 0, 0])
                    counts[0] += 1
                    counts[1] += line.place < theirs.place
                    counts[2] += line.place > theirs.place
        duels = season_statistics.load_all_head_to_heads(scope)
        assert expected == {pair: [duel.games, duel.ahead, duel.behind] for pair, duel in duels.items()}
        for member in scope.people.current_members:
            member_duels = {
                (duel.one.slug, duel.other.slug): duel
                for duel in season_statistics.load_head_to_heads(scope, member)
            }
            assert {pair: duel for pair, duel in duels.items() if pair[0] == member.slug} == member_duels


def test_a_members_career_equals_a_plain_count_over_the_games(scopes):
    for scope, plains in scopes:
        for member in scope.people.current_members:
            member_games = [
                (plain, plain.lines[member.slug]) for plain in plains if member.slug in plain.lines
            ]
            lines = [line for _plain, line in member_games if line.place is not None]
            career = season_statistics.load_career(scope, member)
            tallies = {
                key: plain_tally(filter_games(plains, variant=key), member.slug)
                for key in {plain.state.variant.key for plain, _line in member_games}
            }

            assert {
                key: tuple(tally[name] for name in ("games", "wins", "points", "net"))
                for key, tally in tallies.items()
            } == {played.variant: astuple(played)[1:] for played in career.variants}
            games = [played.games for played in career.variants]
            assert sorted(games, reverse=True) == games
            assert (
                sum(line.rounds_won for line in lines),
                sum(line.in_one_go for line in lines),
                sum(line.reentries for line in lines),
                max((line.reentries for line in lines), default=0),
                max((line.survived for line in lines), default=0),
                max((line.net for _plain, line in member_games), default=0),
            ) == astuple(replace(career, variants=()))[1:]


def test_a_members_games_are_listed_completely_newest_first_and_in_pages(scopes):
    for scope, plains in scopes:
        for member in scope.people.current_members:
            game_pks = [plain.game.pk for plain in reversed(plains) if member.slug in plain.lines]
            for start in (0, 3, len(game_pks)):
                games, is_more = season_statistics.load_results(scope, member, start=start, count=5)
                assert game_pks[start : start + 5] == [played.result.game_id for played in games]
                shared = [plain.game.pk for plain in plains if plain.state.outcome.agreed]
                assert [played.result.game_id in shared for played in games] == [
                    played.has_shared_pot for played in games
                ]
                assert is_more == (len(game_pks) > start + 5)


def test_the_encounters_of_two_members_equal_a_plain_count_over_the_games(scopes):
    for scope, plains in scopes:
        for slug, other in (("ana", "beto"), ("dani", "ana"), ("caro", "eva")):
            met = [
                (plain, plain.lines[slug], plain.lines[other])
                for plain in plains
                if {slug, other} <= set(plain.lines) and plain.lines[slug].place is not None
            ]
            encounters = season_statistics.load_head_to_head(
                scope, *(scope.people.by_slug[who] for who in (slug, other)), last=7
            )

            assert len(met) == encounters.head_to_head.games
            for figure, both in (("won", encounters.wins), ("net", encounters.nets)):
                assert both == (
                    sum(getattr(slug, figure) for _game, slug, _other in met),
                    sum(getattr(other, figure) for _game, _line, other in met),
                )
            assert [
                (
                    plain.game.pk,
                    None if plain.state.outcome.agreed else (line.place, theirs.place),
                    (line.net, theirs.net),
                )
                for plain, line, theirs in met[::-1][:7]
            ] == [(meeting.game.pk, meeting.places, meeting.nets) for meeting in encounters.shared_games]


def test_a_record_is_held_by_all_members_with_the_best_value_and_links_to_the_first_such_game(scopes):
    for scope, plains in scopes:
        records = {
            best.kind: best
            for best in season_statistics.load_records(scope, season_standings.load(scope).tallies.values())
        }
        expected = {}
        for feat, values in plain_feats(plains).items():
            reached = [row for row in values if row[0]]
            if reached:
                best = (min if feat is RecordKind.FEWEST_ROUNDS else max)(
                    value for value, _who, _game in reached
                )
                first = next(game for value, _who, game in reached if value == best)
                expected[feat] = best, {who for value, who, _game in reached if value == best}, first
        assert expected == {
            feat: (best.value, {holder.slug for holder in best.holders}, best.game)
            for feat, best in records.items()
        }


def plain_feats(plains: list[PlainGame]) -> dict[RecordKind, list[tuple[int, str, Game | None]]]:
    """Return each statistic's values in game order: the value, the member, and the game if it is of one game."""
    lines = [(plain, line) for plain in plains for line in plain.lines.values() if line.place is not None]
    won = [(plain, line.person) for plain, line in lines if line.won]
    tallies = {who: plain_tally(plains, who) for who in slugs_in(plains)}
    return {
        RecordKind.REENTRIES: [(line.reentries, line.person, plain.game) for plain, line in lines],
        RecordKind.SURVIVED: [(line.survived, line.person, plain.game) for plain, line in lines],
        RecordKind.POT: [(plain_pot(plain.state), who, plain.game) for plain, who in won],
        RecordKind.FEWEST_ROUNDS: [(plain_length(plain.state) or 0, who, plain.game) for plain, who in won],
        RecordKind.IN_ONE_GO: [(tally["in_one_go"], who, None) for who, tally in tallies.items()],
        RecordKind.STREAK: [(tally["longest_streak"], who, None) for who, tally in tallies.items()],
    }


def plain_pot(state: GameState) -> int:
    """Return the game's pot, or 0 if no winner got it."""
    paid_in = [
        movement.amount
        for movement in movements(state)
        if movement.payee == POT and movement.cause in ("stake", "reentry")
    ]
    assert state.outcome is not None
    return 0 if state.outcome.refunded else sum(paid_in)


def plain_length(state: GameState) -> int | None:
    assert state.outcome is not None
    last = state.steps[-1].event
    if not isinstance(last, RoundPlayed) or state.outcome.reason is Reason.CONTRACTS_DONE:
        return None
    return len(state.rounds)
