"""The cache of replayed games: it never changes a page's content, and its size is limited."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from games.common.event_store import EventLog
from games.models import Game
from games.play.services import snapshots
from games.play.services.snapshots import GameCache, ReplayedGame, Snapshot
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, Log, Struck, with_names
from games.scoring.replay import replay
from games.scoring.text.codec import to_data
from games.scoring.text.game_file import play_game_file
from tests.factories import build_round, start
from tests.golden_games import each_golden_game, read_golden

pytestmark = pytest.mark.django_db


def build_event_log(log: Log) -> EventLog:
    """Return the book of a log, as if it had been read from the database."""
    source = tuple((event.kind, json.dumps(to_data(event)), str(place)) for place, event in enumerate(log))
    book = EventLog.from_rows((kind, json.loads(text), key) for kind, text, key in source)
    return EventLog(book.rows, book.log, source)


def check_snapshot(game: Game) -> Snapshot:
    """Return the snapshot of a game, after comparing the cached replay with a replay of the whole log."""
    snapshot = Snapshot.load(Game.objects.select_related("table").get(pk=game.pk))
    names = {slug: member.name for slug, member in snapshot.members.by_slug.items()}
    assert EventLog.load(game) == snapshot.book
    assert with_names(game.log(), names) == snapshot.log
    assert replay(snapshot.log) == snapshot.state
    return snapshot


# --- a replay that goes on --------------------------------------------------------------------------------------------


@each_golden_game(sampled=12)
def test_replaying_event_by_event_equals_replaying_at_once(path):
    log = play_game_file(read_golden(path)).log
    names = {"ana": "Anita"}
    known: ReplayedGame | None = None
    for length in range(1, len(log) + 1):
        book = build_event_log(log[:length])
        at_once, going_on = (try_replay(book, names, earlier) for earlier in (None, known))
        if at_once is None or going_on is None:  # some events are valid only together
            assert at_once is going_on
            continue
        known = going_on
        assert (at_once.log, at_once.state, at_once.effort) == (known.log, known.state, known.effort)
        assert length == len(
            {id(event) for event in known.log}
        )  # sentences distinguish equal events by identity


def try_replay(book: EventLog, names: Mapping[str, str], known: ReplayedGame | None) -> ReplayedGame | None:
    """Return the replayed game, or None if the rules refuse its log."""
    try:
        return ReplayedGame.of(book, names, known)
    except RuleError:
        return None


# --- what changed in the database -------------------------------------------------------------------------------------


def test_the_cache_notices_events_recorded_corrected_and_struck_by_another_process(game, write):
    check_snapshot(game)
    first, again = build_round("ana", beto=1, caro=2, dani=3), build_round("ana", beto=9, caro=2, dani=3)
    for event in (first, first, Corrected(2, again), Struck(3), build_round("beto", ana=5, caro=0, dani=1)):
        write(game, event)
        check_snapshot(game)
    assert [9, 0] == [result.points["beto"] for result in check_snapshot(game).state.rounds]


def test_the_cache_notices_a_renamed_member(table, game, write):
    write(game, build_round("ana", beto=1, caro=2, dani=3))
    check_snapshot(game)
    table.members.filter(slug="beto").update(name="Alberto")
    assert "Alberto" in {player.name for player in check_snapshot(game).state.players}


def test_the_cache_ignores_an_entry_of_another_game_with_the_same_row_id(table, owner, game, write):
    """A database restored from a copy may have another game with the same row id."""
    other = start(table, owner, stake=7)
    write(other, build_round("ana", beto=1, caro=2, dani=3))
    check_snapshot(other)
    known = snapshots.GAME_CACHE.get(other.pk)
    assert known is not None
    snapshots.GAME_CACHE.put(game.pk, known)
    assert 1 == len(check_snapshot(game).log)


# --- its limit --------------------------------------------------------------------------------------------------------


def test_the_cache_evicts_the_least_recently_used_games():
    event = build_round("ana", beto=1)
    of_three = ReplayedGame(EventLog((), ()), {}, (event,) * 3, None, None)  # type: ignore[arg-type]
    cache = GameCache(most=7)
    for pk in (1, 2, 1, 3):
        cache.put(pk, of_three)
    assert [True, False, True] == [cache.get(pk) is not None for pk in (1, 2, 3)]

    cache.put(4, ReplayedGame(EventLog((), ()), {}, (event,) * 8, None, None))  # type: ignore[arg-type]
    assert [None] * 4 == [cache.get(pk) for pk in (1, 2, 3, 4)]
