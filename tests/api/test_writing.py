"""Writes that are repeated, stale, concurrent, paged, or carry their own time: nothing is duplicated or lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils.timezone import localdate, now

from games.common import days
from games.money.services import payments, starting_balances
from games.play.services import recording
from tests.api.conftest import round_data
from tests.factories import build_round, make_table, new_key
from tests.factories import start as a_game

pytestmark = pytest.mark.django_db

ROUND = round_data("ana", beto=7, caro=9, dani=2)
LINE = {"line": "round ana out beto=7 caro=9 dani=2"}
PLAYERS = [{"id": "ana"}, {"id": "beto"}]


@pytest.fixture
def path(game):
    return f"games/{game.code}/"


# --- keys and versions ------------------------------------------------------------------------------------------------


def test_a_repeated_write_records_nothing_twice_and_other_content_under_its_key_is_refused(
    owner_program, path
):
    answers = [
        owner_program.post(f"{path}events/", {"after": 1, "events": [event]}, key="one")
        for event in (ROUND, LINE)
    ]
    other = owner_program.post(
        f"{path}events/", {"after": 1, "events": [round_data("beto", ana=1)]}, key="one"
    )

    assert [(200, 2), (200, 2)] == [(answer.status, answer.body["version"]) for answer in answers]
    assert (409, "key_reused", None) == other.problem


@pytest.mark.parametrize(
    ("where", "body"),
    [
        ("tables/", {"name": "Otra"}),
        ("{table}/games/", {"variant": "chinchon", "players": PLAYERS}),
        ("{table}/payments/", {"payer": "beto", "payee": "ana", "amount": 5, "method": "cash", "sure": True}),
        ("{table}/costs/", {"night": "{night}", "payer": "ana", "amount": 90, "sharers": ["ana", "beto"]}),
    ],
)
def test_what_is_made_twice_under_one_key_is_made_once(owner_program, table, where, body):
    filled = {**body, **({"night": str(days.night_for(now(), table))} if "night" in body else {})}
    answers = [
        owner_program.post(where.format(table=f"tables/{table.code}"), filled, key="same")
        for _time in range(2)
    ]

    assert [201, 201] == [answer.status for answer in answers]
    assert answers[0].body == answers[1].body


def test_what_a_repeated_key_does_not_compare_stays_as_recorded(owner_program, table):
    payment = {"payer": "beto", "payee": "ana", "amount": 20, "method": "cash", "note": "beer", "sure": True}
    where = f"tables/{table.code}/payments/"
    payments = [
        owner_program.post(where, {**payment, **changed}, key="paid")
        for changed in ({}, {"method": "transfer", "note": "wine", "sure": False})
    ]
    forgiven = owner_program.post(where, {**payment, "method": "forgiven"}, key="paid")

    assert [(201, "cash", "beer")] * 2 == [
        (answer.status, answer.body["method"], answer.body["note"]) for answer in payments
    ]
    assert (409, "key_reused", None) == forgiven.problem


def test_an_expense_is_shared_equally_by_parts_or_by_amounts_and_never_two_ways(owner_program, table):
    cost: dict[str, Any] = {"night": str(days.night_for(now(), table)), "payer": "beto", "amount": 1001}
    parts, amounts = {"ana": 2, "beto": 1, "caro": 1}, {"ana": 500, "beto": 250, "caro": 251}
    where = f"tables/{table.code}/costs/"
    ways: list[dict[str, Any]] = [{"parts": parts}, {"amounts": amounts}, {"sharers": ["ana", "beto"]}]
    answers = [owner_program.post(where, {**cost, **way}, key=f"cost {n}") for n, way in enumerate(ways)]

    assert [amounts, amounts, {"ana": 501, "beto": 500}] == [answer.body["borne"] for answer in answers]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"parts": parts, "amounts": amounts}, "amounts"),
        ({"amounts": parts}, "amounts"),
        ({"parts": {"zoe": 1}}, "parts"),
        ({"amounts": {}}, "amounts"),
    ]
    for shares, field in wrong:
        response = owner_program.post(where, {**cost, **shares}, key="refused")
        assert (True, field) == (response.status in (400, 422), response.problem[2])


def test_a_table_opened_without_decimals_gets_those_of_its_sign(owner_program):
    answers = [
        owner_program.post("tables/", {"name": "M", "unit": unit}, key=unit)
        for unit in ("EUR", "€", "fichas")
    ]

    assert [2, 2, 0] == [answer.body["decimals"] for answer in answers]


def test_another_sign_of_recorded_amounts_is_confirmed(owner_program, table, owner):
    starting_balances.record(table, {"ana": 460, "beto": -460}, seen=0, key=new_key(), by=owner)
    where = f"tables/{table.code}/"

    assert (409, "unusual", "confirm") == owner_program.patch(where, {"unit": "€"}).problem
    assert "€" == owner_program.patch(where, {"unit": "€", "confirm": True}).body["unit"]


def test_the_same_game_under_another_key_is_asked_about_and_then_another_game(owner_program, table):
    where, game = f"tables/{table.code}/games/", {"variant": "chinchon", "players": PLAYERS}
    first = owner_program.post(where, game, key="one")
    refusal = owner_program.post(where, game, key="two")
    second, again = (owner_program.post(where, {**game, "sure": True}, key="two") for _time in range(2))

    assert (409, "unusual", "sure") == refusal.problem
    assert (201, second.body["code"]) == (second.status, again.body["code"])
    assert first.body["code"] != second.body["code"]


@pytest.mark.parametrize("key", ["", "x" * 1000, "a\x07"])
def test_a_write_without_a_proper_key_is_refused(owner_program, path, key):
    answer = owner_program.post(f"{path}undo/", {"after": 1}, key=key)

    assert (400, "misshapen", "Idempotency-Key") == answer.problem
    assert ("“Idempotency-Key” is missing." == answer.body["detail"]) == (not key)


def test_a_stale_write_gets_the_version_and_the_events_since(owner_program, path, game, owner):
    ahead = owner_program.post(f"{path}events/", {"after": 9, "events": [ROUND]})
    assert ("The last event is number 1.", 1) == (ahead.body["detail"], ahead.body["version"])
    recording.record(game, build_round("ana", beto=10, caro=9, dani=8), after=1, key=new_key(), by=owner)
    answer = owner_program.post(f"{path}events/", {"after": 1, "events": [ROUND]})

    assert (409, "stale", None) == answer.problem
    assert (2, ["round_played"]) == (
        answer.body["version"],
        [event["kind"] for event in answer.body["since"]],
    )
    assert 2 == len(game.log())


def test_the_version_may_come_as_if_match_and_must_not_differ_from_after(owner_program, path):
    tag = owner_program.get(path).headers["ETag"]
    body = {"events": [ROUND]}
    other = owner_program.post(f"{path}events/", {**body, "after": 2}, **{"if-match": tag})
    wrong = owner_program.post(f"{path}events/", body, **{"if-match": '"x"'})
    right = owner_program.post(f"{path}events/", body, **{"if-match": f"W/{tag}"})

    assert [(400, "misshapen", "after"), (400, "misshapen", "If-Match")] == [other.problem, wrong.problem]
    assert (200, 2) == (right.status, right.body["version"])


def test_an_import_counts_the_games_that_the_table_then_lists(owner_program, table, owner):
    discarded, _other_game = a_game(table, owner), a_game(table, owner)
    recording.discard_game(discarded)
    file = owner_program.get(f"tables/{table.code}/file/").body
    copy = owner_program.post("table-files/?again=true", file).body

    assert 1 == len(owner_program.get(f"tables/{copy['code']}/games/").body["results"]) == copy["games"]


@pytest.mark.parametrize(("write", "body"), [("record", {"events": [ROUND]}), ("undo", {}), ("redo", {})])
def test_a_write_answers_with_the_game_as_it_left_it_whatever_others_recorded_before_the_answer(
    owner_program, path, game, owner, monkeypatch, write, body
):
    real, record = getattr(recording, write), recording.record
    if write != "record":
        recording.record(game, build_round("ana", beto=1, caro=9, dani=8), after=1, key=new_key(), by=owner)
    if write == "redo":
        recording.undo(game, after=2, key=new_key(), by=owner)
    seen, where = len(game.log()), f"{path}{'events' if write == 'record' else write}/"

    def overtaken(*args, **how):
        """Write, and let somebody else record before the answer."""
        real(*args, **how)
        record(game, build_round("dani", ana=50, beto=60, caro=70), after=seen + 1, key=new_key(), by=owner)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(recording, write, overtaken)
        answer = owner_program.post(where, {"after": seen, **body})
    again = owner_program.post(where, {"after": seen, **body})
    written_record = game.records.get(number=seen + 1)

    assert (f'"{seen + 1}"', seen + 1) == (answer.headers["ETag"], answer.body["version"])
    assert written_record.recorded_at == datetime.fromisoformat(answer.body["last_at"])
    assert max(player["total"] for player in answer.body["players"]) < 50
    assert (200, seen + 2) == (again.status, again.body["version"])  # a repetition gets the present state


# --- ETags ------------------------------------------------------------------------------------------------------------


def test_an_unchanged_game_and_list_of_games_are_a_304_until_something_is_recorded(
    owner_program, path, table
):
    for where in (path, f"tables/{table.code}/games/"):
        tag = owner_program.get(where).headers["ETag"]
        again = owner_program.client.get(f"/api/v1/{where}", headers={"if-none-match": f'"x", W/{tag}'})

        assert (304, b"", tag) == (again.status_code, again.content, again.headers["ETag"])
    tag = owner_program.get(path).headers["ETag"]
    owner_program.post(f"{path}events/", {"after": 1, "events": [ROUND]})

    assert owner_program.get(path, **{"if-none-match": tag}).headers["ETag"].startswith('"2.')


# --- pages ------------------------------------------------------------------------------------------------------------


def test_rows_written_between_two_pages_are_neither_missed_nor_repeated(owner_program, table, owner):
    beto, ana = (table.members.get(slug=slug) for slug in ("beto", "ana"))

    def paid(count):
        return [payments.create(table, beto, ana, 5, key=new_key(), by=owner).pk for _time in range(count)]

    before, where, seen = paid(5), f"tables/{table.code}/payments/?limit=2", []
    while where:
        page = owner_program.get(where).body
        seen += [row["id"] for row in page["results"]]
        paid(1)
        where = (page["next"] or "").partition("/api/v1/")[2]

    assert before[::-1] == seen


def test_the_events_of_a_game_come_in_pages_after_a_number(owner_program, path):
    for number in range(1, 5):
        owner_program.post(f"{path}events/", {"after": number, "events": [ROUND]}, key=str(number))
    page = owner_program.get(f"{path}events/?after=2&limit=2").body
    rest = owner_program.get(page["next"].partition("/api/v1/")[2]).body

    assert [[3, 4], [5]] == [
        [row["number"] for row in results_page["results"]] for results_page in (page, rest)
    ]
    assert (None, True) == (rest["next"], rest["previous"] is not None)


# --- times ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def later(owner, time_machine):
    """Create a table in January, set the clock to March, and return the address of its games."""
    time_machine.move_to(datetime(2026, 1, 3, 20, tzinfo=UTC), tick=False)
    table = make_table(owner)
    time_machine.move_to(datetime(2026, 3, 1, 12, tzinfo=UTC), tick=False)
    return f"tables/{table.code}/games/"


def start(program, where, *, played_at, **more):
    """Start a game at this time. Return the answer and the stored time."""
    moments = {"played_at": played_at.isoformat(), **more}
    answer = program.post(
        where, {"variant": "chinchon", "players": PLAYERS, "sure": True, **moments}, key=new_key()
    )
    return answer, answer.status == 201 and datetime.fromisoformat(answer.body["last_at"])


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (datetime(2026, 1, 10, 23, 15, 30, 123456, tzinfo=UTC), None),
        (datetime(2026, 3, 1, 12, 0, 59, tzinfo=UTC), datetime(2026, 3, 1, 12, tzinfo=UTC)),
    ],
)
def test_a_time_is_kept_and_one_up_to_a_minute_ahead_is_now(owner_program, later, moment, expected):
    _answer, at = start(owner_program, later, played_at=moment)

    assert (expected or moment) == at


def test_a_time_more_than_a_minute_ahead_or_before_the_last_entry_is_refused(owner_program, later):
    ahead, _at = start(owner_program, later, played_at=now() + timedelta(seconds=61))
    began, at = start(owner_program, later, played_at=datetime(2026, 1, 10, 22, tzinfo=UTC))
    body = {"after": 1, "events": [{"line": "round ana closed beto=10"}]}
    before = {**body, "played_at": (at - timedelta(seconds=1)).isoformat()}
    answer = owner_program.post(f"games/{began.body['code']}/events/", before)

    assert [(422, "refused", "played_at")] * 2 == [ahead.problem, answer.problem]


# --- newcomers, corrections, previews ---------------------------------------------------------------------------------


def test_a_newcomer_sent_by_name_becomes_a_member_once(owner_program, path, table):
    def sent(name):
        late = {"kind": "seat_handed_over", "data": {"player": "beto", "to": {"name": name}}}
        return owner_program.post(f"{path}events/", {"after": 1, "events": [late]})

    answers = [sent("Eva"), sent("Eva"), sent("Fede")]

    assert [200, 200, 409] == [answer.status for answer in answers]
    assert "eva" in {player["id"] for player in answers[1].body["players"]}
    assert ["Eva"] == list(table.members.filter(name__in=["Eva", "Fede"]).values_list("name", flat=True))


def test_a_conflicting_correction_is_refused_and_its_preview_proposes_the_remedies(owner_program, path):
    lines = ["round ana out beto=150 caro=1 dani=1", "reenter beto"]
    body = {"after": 1, "events": [{"line": line} for line in lines]}
    assert 200 == owner_program.post(f"{path}events/", body, key="bust").status
    fixed = [{"line": "correct 2 round ana out beto=10 caro=1 dani=1"}]
    refusal = owner_program.post(f"{path}events/", {"after": 3, "events": fixed}, key="fix")
    preview = owner_program.post(f"{path}preview/", {"events": fixed}).body
    recorded = owner_program.post(f"{path}events/", {"after": 3, "events": preview["events"]}, key="all")

    assert (422, True, 200) == (refusal.status, preview["possible"], recorded.status)
    assert ["player_reentered"] == [conflict["event"]["kind"] for conflict in preview["conflicts"]]


# --- programs of version 1.1.0 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?preview=true"])
def test_a_program_that_still_simplifies_is_told_the_setting(owner_program, table, query):
    address = f"/api/v1/tables/{table.code}/simplify/{query}"
    answer = owner_program.client.post(address, {"after": 0}, content_type="application/json")

    told = "Debts are simplified by the setting “fewest” now."
    assert (422, told, "fewest") == (answer.status_code, answer.json()["detail"], answer.json()["field"])


# --- seasons ----------------------------------------------------------------------------------------------------------


def test_a_season_with_an_older_game_is_renamed_without_its_first_day(owner_program, table, play):
    """Its first day is earlier than stored, after an import of older nights."""
    play("ana", "beto", days=60)
    season = table.seasons.get()
    season.starts_on = localdate() - timedelta(days=5)
    season.save()
    answer = owner_program.patch(f"tables/{table.code}/seasons/{season.pk}/", {"name": "Verano"})

    assert (200, "Verano", 1) == (answer.status, answer.body["name"], answer.body["games"])
