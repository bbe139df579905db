"""Games written in bulk: their rows equal those that recording event by event would store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from games.files.books.audit import check_table
from games.management.chance import begun_by_chance, played_by_chance
from games.models import Game, Record, Result, Table
from games.play import recording as services
from games.play.bulk import Played, write_games
from games.scoring.errors import RuleError
from games.scoring.events import Event, GameStarted, Player
from tests.worlds import a_round, loba, make_table

THURSDAY = datetime(2026, 11, 19, 23, 0, tzinfo=UTC)
OF_GAMES = ("key", "variant", "started_at", "night_number", "ended_at", "pot", "decided_in", "season__name")
OF_RECORDS = ("game__key", "number", "kind", "data", "key", "recorded_at", "recorded_by")
OF_RESULTS = (
    *("game__key", "member__slug", "place", "points", "net", "won", "reentries", "rounds_won"),
    *("total", "in_one_go", "survived", "variant", "night_number"),
)


def some_games(table: Table, *, count: int = 12) -> list[Played]:
    """Return random games, the same ones for any table with the same members."""
    chance = Random(5)
    players = [Player(member.slug, member.name) for member in table.members.all()]
    games_made = []
    for number in range(count):
        log = played_by_chance(chance, begun_by_chance(chance, chance.sample(players, 4)))
        begins = THURSDAY + timedelta(days=7 * number)
        games_made.append(
            Played(f"game-{number}", log, [begins + timedelta(minutes=place) for place in range(len(log))])
        )
    return games_made


def rows(table):
    """Return the stored rows of a table's games, results and records, without their primary keys."""
    return (
        list(table.games.order_by("key").values_list(*OF_GAMES)),
        list(
            Record.objects.filter(game__table=table).order_by("game__key", "number").values_list(*OF_RECORDS)
        ),
        list(
            Result.objects.filter(game__table=table)
            .order_by("game__key", "member__slug")
            .values_list(*OF_RESULTS)
        ),
    )


@pytest.mark.slow
def test_bulk_import_writes_the_same_rows_as_recording_event_by_event(owner):
    slowly, at_once = make_table(owner, name="Una"), make_table(owner, name="Otra")
    for played in some_games(slowly):
        begun, *events = played.log
        assert isinstance(begun, GameStarted)
        game = services.start_game(slowly, begun, key=played.key, by=owner, at=played.moments[0])
        for number, event in enumerate(events, start=1):
            services.record(
                game,
                event,
                after=number,
                key=f"{played.key}-{number + 1}",
                by=owner,
                at=played.moments[number],
            )
    write_games(at_once, some_games(at_once), by=owner)

    assert rows(slowly) == rows(at_once)


def test_bulk_import_enters_each_game_in_the_order_of_its_end(owner):
    table = make_table(owner)
    played = some_games(table)

    assert 12 == write_games(table, played[::-1], by=owner)
    ended = list(table.games.filter(results__net__gt=0).distinct().order_by("ended_at"))
    assert ended == [entry.game for entry in table.entries.all()]
    assert [] == check_table(table).differences


def test_bulk_import_of_a_running_game_writes_no_results(owner):
    table = make_table(owner)
    write_games(table, [Played("running", [loba(table)], [THURSDAY])], by=owner)

    assert (None, []) == (table.games.get().ended_at, list(Result.objects.all()))


def test_bulk_import_writes_nothing_if_one_game_is_invalid(owner):
    table = make_table(owner)
    wrong: list[Event] = [loba(table), a_round("ana", beto=1)]
    with pytest.raises(RuleError):
        write_games(table, [*some_games(table), Played("wrong", wrong, [THURSDAY] * 2)], by=owner)

    assert 0 == Game.objects.count()


def test_bulk_import_refuses_a_player_of_another_table(owner):
    table, other = make_table(owner), make_table(owner, people=("Eva", "Fede"))
    with pytest.raises(RuleError, match="does not belong"):
        write_games(table, [Played("other", [loba(other)], [THURSDAY])], by=owner)
