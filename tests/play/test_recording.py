"""The services that write games: what each stores and refuses, and that a refusal stores nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import connection

from games.common.locks import IdempotencyKeyReused, StaleGame
from games.models import Game, Member, Result
from games.play.services import recording
from games.play.services.snapshots import Snapshot
from games.scoring import validation
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    DealPassed,
    GameStarted,
    GameStopped,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayerReentered,
    RulesAgreed,
    SeatHandedOver,
    Stop,
)
from games.scoring.replay import replay
from games.scoring.step_budget import EVENT_STEPS
from games.scoring.text.codec import to_data
from games.scoring.variants import get_variant
from games.tables.services import membership
from tests.concurrency import run_concurrently
from tests.factories import build_round, loba_start, make_table, make_user, new_key, start, totals

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

THURSDAY = datetime(2026, 11, 20, 0, 30, tzinfo=UTC)  # 9:30 p.m. on the 19th in Buenos Aires
ROUND = build_round("ana", beto=20, caro=30, dani=30)


# --- beginning a game -------------------------------------------------------------------------------------------------


def test_a_new_game_stores_every_option_including_the_defaults(table, owner):
    game = recording.start_game(table, loba_start(table, stake=100), key="k", by=owner, at=THURSDAY)

    (started,) = game.log()
    assert isinstance(started, GameStarted)
    assert get_variant("loba_menos").house({"stake": 100}).options == started.options
    assert ("loba_menos", THURSDAY, None) == (game.variant, game.started_at, game.ended_at)
    assert (table.seasons.get(), owner) == (game.season, game.records.get().recorded_by)


def test_a_rule_that_cannot_be_met_is_refused_in_a_new_game_and_dropped_in_a_rematch(
    table, owner, monkeypatch
):
    begin = partial(start, table, owner, variant="chinchon", wilds="none", wild_chinchon=-25)
    with pytest.raises(RuleError, match="A chinchón with a wild card needs wilds=ace_of_coins/jokers"):
        begin()

    with monkeypatch.context() as earlier_version:
        earlier_version.setattr(recording, "check_new_events", lambda _log, _events: None)
        old = begin()
    recording.record(old, GameStopped(Stop.REFUND), after=1, key=new_key(), by=owner)
    assert (-25, "wins") == (
        old.state().house["wild_chinchon"],
        dict(recording.build_rematch(old).options)["wild_chinchon"],
    )


def test_a_repeated_start_returns_the_game_and_another_game_under_its_key_is_refused(table, owner):
    game = recording.start_game(table, loba_start(table, stake=100), key="k", by=owner)

    assert game == recording.start_game(table, loba_start(table, stake=100), key="k", by=owner)
    with pytest.raises(IdempotencyKeyReused):
        recording.start_game(table, loba_start(table, stake=200), key="k", by=owner)
    assert 1 == Game.objects.count()


@pytest.mark.parametrize("change", ["unknown", "retired", "merged"])
def test_a_game_with_an_unknown_retired_or_merged_player_is_refused(table, owner, change):
    event = loba_start(table)
    dani = table.members.get(slug="dani")
    if change == "unknown":
        event = replace(event, players=(*event.players[:3], Player("eva", "Eva")))
    elif change == "retired":
        Member.objects.filter(pk=dani.pk).update(retired_at=THURSDAY)
    else:
        Member.objects.filter(pk=dani.pk).update(merged_into=table.members.get(slug="ana"))

    with pytest.raises(RuleError, match="does not belong to this table"):
        recording.start_game(table, event, key="k", by=owner)
    assert 0 == Game.objects.count()


# --- recording --------------------------------------------------------------------------------------------------------


def test_a_recorded_round_is_stored_and_the_new_state_returned(game, owner):
    recorded = recording.record(
        game, build_round("caro", ana=23, beto=47, dani=12), after=1, key="k", by=owner, at=THURSDAY
    )

    assert {"ana": 23, "beto": 47, "caro": 0, "dani": 12} == {
        player.id: player.total for player in recorded.players
    }
    assert replay(game.log()) == recorded
    record = game.records.get(number=2)
    assert ("round_played", "k", THURSDAY, owner) == (
        record.kind,
        record.key,
        record.recorded_at,
        record.recorded_by,
    )


def test_a_late_repetition_returns_the_present_state_and_records_nothing(game, owner, write):
    played = build_round("caro", ana=23, beto=47, dani=12)
    recording.record(game, played, after=1, key="k", by=owner)
    write(game, build_round("ana", beto=5, caro=6, dani=7))

    assert game.state() == recording.record(game, played, after=1, key="k", by=owner)
    assert 3 == len(game.log())


ONE, TWO = build_round("caro", ana=1, beto=2, dani=3), build_round("caro", ana=4, beto=5, dani=6)


@pytest.mark.parametrize(
    ("key", "batch"),
    [("k", (ONE, ONE)), ("k", (ONE, TWO, TWO)), ("k", (ONE,)), ("start", (ONE,))],
    ids=["other points", "one more event", "one event fewer", "the key of the start"],
)
def test_an_idempotency_key_reused_with_other_events_is_refused(table, owner, write, key, batch):
    game = recording.start_game(table, loba_start(table), key="start", by=owner)
    write(game, ONE, TWO, key="k")

    with pytest.raises(IdempotencyKeyReused):
        write(game, *batch, key=key)
    assert 3 == len(game.log())


@pytest.mark.parametrize("after", [1, 0, -1])
def test_a_stale_write_is_refused_with_the_events_since(game, owner, after):
    seen = build_round("caro", ana=23, beto=47, dani=12)
    recording.record(game, seen, after=1, key="first", by=owner)

    with pytest.raises(StaleGame) as stale:
        recording.record(
            game, build_round("ana", beto=1, caro=2, dani=3), after=after, key="second", by=owner
        )
    assert after == stale.value.after
    assert (seen,) == stale.value.since[-1:]
    assert 2 == len(game.log())


def test_a_refused_batch_records_nothing_and_its_key_stays_free(game, owner):
    good = build_round("caro", ana=23, beto=47, dani=12)

    with pytest.raises(RuleError) as refusal:
        recording.record(game, good, PlayerReentered("ana"), after=1, key="k", by=owner)
    assert 3 == refusal.value.number
    assert 1 == len(game.log())
    recording.record(game, good, after=1, key="k", by=owner)
    assert 2 == len(game.log())


def test_a_seat_cannot_be_handed_over_to_a_player_of_no_table(game, write):
    with pytest.raises(RuleError, match="Eva does not belong to this table"):
        write(game, SeatHandedOver("dani", Player("eva", "Eva")))
    assert 1 == len(game.log())


def test_a_record_written_between_read_and_write_makes_the_game_stale(game, owner):
    first = game.records.get()
    other = {"kind": "deal_passed", "data": to_data(DealPassed("beto")), "key": "other"}

    def slip_in(execute, sql, params, many, context):
        if (
            "games_member" in sql and game.records.count() == 1
        ):  # the log has been read, but its next records are not yet written
            game.records.create(number=2, recorded_at=first.recorded_at, recorded_by=owner, **other)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(slip_in), pytest.raises(StaleGame) as stale:
        recording.record(game, build_round("caro", ana=1, beto=2, dani=3), after=1, key="k", by=owner)
    assert (DealPassed("beto"),) == stale.value.since


def read_snapshot(game):
    return Snapshot.load(Game.objects.select_related("table").get(pk=game.pk))


def test_recording_with_an_outdated_snapshot_is_refused_as_stale(game, owner, write):
    snapshot, first = read_snapshot(game), build_round("ana", beto=1, caro=2, dani=3)
    write(game, first)
    with pytest.raises(StaleGame) as stale:
        write(game, build_round("beto", ana=1, caro=2, dani=3), after=1, snapshot=snapshot)
    assert ((first,), 2) == (stale.value.since, game.records.count())


def test_a_snapshot_without_a_new_member_is_read_again(table, game, owner):
    snapshot, newcomer = read_snapshot(game), membership.add(table, "Eva")
    event = SeatHandedOver("ana", Player(newcomer.slug, newcomer.name))
    recorded = recording.record(game, event, after=1, key=new_key(), by=owner, snapshot=snapshot)
    assert "Eva" in {player.name for player in recorded.players}


def test_a_snapshot_does_not_change_the_step_budget_of_a_recording(game, owner, monkeypatch):
    """The steps of the stored log count too, although a snapshot saves replaying them."""
    snapshot, played = read_snapshot(game), build_round("ana", beto=1, caro=2, dani=3)
    monkeypatch.setattr(validation, "MAX_STEPS", snapshot.effort.used + EVENT_STEPS - 1)
    for known in (None, snapshot):
        with pytest.raises(RuleError, match="too long to count"):
            recording.record(game, played, after=1, key=new_key(), by=owner, snapshot=known)
    monkeypatch.setattr(validation, "MAX_STEPS", snapshot.effort.used + EVENT_STEPS)
    recording.record(game, played, after=1, key=new_key(), by=owner, snapshot=snapshot)


def test_a_game_holds_at_most_a_thousand_events_and_then_nothing_is_undone_either(game, owner, write):
    write(game, *[DealPassed("beto")] * (recording.LONGEST_LOG - 2))
    write(game, DealPassed("caro"))

    with pytest.raises(RuleError, match="This game is full: it holds at most 1000 entries"):
        write(game, DealPassed("beto"))
    with pytest.raises(RuleError, match="This game is full"):
        recording.undo(game, after=1000, key=new_key(), by=owner)
    assert 1000 == len(game.log())


@pytest.mark.django_db(transaction=True)
def test_of_six_concurrent_recordings_one_succeeds_and_five_are_stale():
    owner = make_user()
    game = start(make_table(owner), owner)

    def record(phone: int) -> str:
        game_copy, played = Game.objects.get(pk=game.pk), build_round("caro", ana=phone, beto=20, dani=30)
        try:
            recording.record(game_copy, played, after=1, key=f"phone-{phone}", by=owner)
        except StaleGame as stale:
            return f"stale by {len(stale.since)}"
        return "recorded"

    answers = run_concurrently(*(partial(record, phone) for phone in range(1, 7)))

    assert ["recorded", *["stale by 1"] * 5] == sorted(answers)
    assert [1, 2] == list(game.records.values_list("number", flat=True))
    assert replay(game.log()) == game.state()


# --- undo -------------------------------------------------------------------------------------------------------------


def test_repeated_undo_and_redo_walk_back_and_forward_through_the_game(game, owner, write):
    write(game, build_round("caro", ana=23, beto=47, dani=12))
    write(game, build_round("ana", beto=5, caro=6, dani=7))
    write(
        game,
        Corrected(2, build_round("caro", ana=24, beto=47, dani=12)),
        build_round("ana", beto=1, caro=1, dani=1),
    )
    seen = [totals(game)]
    for number in range(3):
        recording.undo(game, after=len(game.log()), key=f"u{number}", by=owner)
        seen.append(totals(game))
    for number in range(3):
        recording.redo(game, after=len(game.log()), key=f"r{number}", by=owner)
        assert seen[2 - number] == totals(game)

    assert 4 == len({tuple(totals_seen.items()) for totals_seen in seen})
    with pytest.raises(RuleError, match="There is nothing to redo"):
        recording.redo(game, after=len(game.log()), key="r", by=owner)


def test_redo_is_refused_after_something_else_was_recorded(game, owner, write):
    write(game, build_round("caro", ana=23, beto=47, dani=12))
    recording.undo(game, after=2, key="u", by=owner)
    write(game, build_round("caro", ana=24, beto=47, dani=12))

    with pytest.raises(RuleError, match="There is nothing to redo"):
        recording.redo(game, after=4, key="r", by=owner)
    recording.undo(game, after=4, key="u2", by=owner)
    assert {"ana": 0, "beto": 0, "caro": 0, "dani": 0} == totals(game)
    with pytest.raises(RuleError, match="There is nothing to undo"):
        recording.undo(game, after=5, key="u3", by=owner)


# --- the projection ---------------------------------------------------------------------------------------------------


@pytest.fixture
def finished(game, write):
    """The game of RULES 7: C and D re-enter once each, A wins a pot of 600."""
    write(game, build_round("ana", beto=20, caro=101, dani=30), at=THURSDAY)
    write(game, PlayerReentered("caro"), at=THURSDAY)
    write(game, build_round("ana", beto=50, caro=60, dani=71), at=THURSDAY)
    write(game, PlayerReentered("dani"), at=THURSDAY)
    write(game, build_round("ana", beto=60, caro=60, dani=60), at=THURSDAY.replace(minute=50))
    return game


def test_the_end_of_a_game_stores_its_results(finished):
    assert [
        ("ana", 1, 3, 500, True, 0, 3),
        ("beto", 2, 2, -100, False, 0, 0),
        ("caro", 3, 0, -200, False, 1, 0),
        ("dani", 3, 0, -200, False, 1, 0),
    ] == [
        (row.member.slug, row.place, row.points, row.net, row.won, row.reentries, row.rounds_won)
        for row in finished.results.order_by("member__slug")
    ]
    assert THURSDAY.replace(minute=50) == Game.objects.get().ended_at


def test_a_game_discarded_after_its_row_was_read_takes_no_round(table, owner):
    game = start(table, owner)
    recording.discard_game(Game.objects.get(pk=game.pk))
    with pytest.raises(RuleError):
        recording.record(game, build_round("ana", beto=5, caro=6, dani=7), after=1, key=new_key(), by=owner)

    assert 1 == game.records.count()


def test_a_refunded_game_stores_results_without_place_points_or_money(game, write):
    write(game, build_round("ana", beto=20, caro=30, dani=30))
    write(game, GameStopped(Stop.REFUND))

    assert {(None, 0, 0, False)} == set(Result.objects.values_list("place", "points", "net", "won"))


# --- discarding -------------------------------------------------------------------------------------------------------


def test_discarding_and_restoring_a_game_are_idempotent(finished):
    recording.discard_game(finished, at=THURSDAY)
    recording.discard_game(finished, at=THURSDAY.replace(year=2027))
    assert THURSDAY == Game.objects.get().discarded_at

    recording.restore_game(finished)
    recording.restore_game(finished)
    assert 4 == Result.objects.count()


# --- rematch ----------------------------------------------------------------------------------------------------------


def event_with_eva(kind, *place, **how):
    return kind(*place, Player("eva", "Eva"), **how)


@pytest.mark.parametrize(
    ("start_changes", "events", "players", "dealer"),
    [
        ({"dealer": "caro"}, [], "ana beto caro dani", "caro"),  # the player dealing again has not dealt yet
        ({"dealer": "beto", "direction": "right"}, [ROUND], "ana beto caro dani", "ana"),
        ({}, [ROUND, PlayerLeft("beto")], "ana caro dani", "caro"),
        ({}, [ROUND, event_with_eva(SeatHandedOver, "beto")], "ana eva caro dani", "eva"),
        ({}, [ROUND, event_with_eva(PlayerJoined, after="ana")], "ana eva beto caro dani", "eva"),
    ],
)
def test_a_rematch_seats_who_played_at_the_end_and_the_next_one_deals(
    table, owner, write, start_changes, events, players, dealer
):
    first = replace(loba_start(table, late_entry="on"), **start_changes)
    membership.add(table, "Eva")
    game = recording.start_game(table, first, key="k", by=owner)
    for event in (*events, GameStopped(Stop.LOWEST_WINS if events else Stop.REFUND)):
        write(game, event)
    rematch = recording.build_rematch(game)

    assert (players.split(), dealer) == ([player.id for player in rematch.players], rematch.dealer)
    assert first.direction == rematch.direction


def test_a_rematch_uses_present_names_merged_members_and_the_corrected_rules(finished, table, write):
    options = get_variant("loba_menos").house({"stake": 200}).options
    write(finished, Corrected(1, RulesAgreed("loba_menos", options)))
    ana, beto, dani = (table.members.get(slug=slug) for slug in ("ana", "beto", "dani"))
    Member.objects.filter(pk=ana.pk).update(name="Anita")
    Member.objects.filter(pk=beto.pk).update(merged_into=membership.add(table, "Norberto"))
    Member.objects.filter(pk=dani.pk).update(retired_at=THURSDAY)

    event = recording.build_rematch(finished)
    assert (Player("ana", "Anita"), Player("norberto", "Norberto"), Player("caro", "Caro")) == event.players
    assert ("ana", options) == (event.dealer, event.options)
