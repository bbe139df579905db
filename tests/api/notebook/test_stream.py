"""The stream of a table's changes, as one request gets it: content, start, permissions and limits."""

from __future__ import annotations

import json

import pytest

from games.models import Grant, Role
from games.play import recording as services
from games.streams import STREAM, Seats, Stream
from tests.api.described import wrong_in
from tests.api.notebook.test_changes import an_evening
from tests.tables import a_key, a_round, make_user

pytestmark = pytest.mark.django_db

EVENTS, LINES = "text/event-stream", "application/x-ndjson"
FEED = "tables/{code}/changes/"


@pytest.fixture
def ask(program_for, table):
    """`ask(user, since=…)` returns the response to a request for the stream."""

    def one(user, *, accept=LINES, last=None, environ=None, **query):
        headers = {"accept": accept, **({} if last is None else {"last-event-id": last})}
        address = f"/api/v1/tables/{table.code}/changes/stream/"
        return program_for(user).client.get(address, query, headers=headers, **(environ or {}))

    return one


def lines_of(response):
    return [json.loads(line) for line in response.content.decode().splitlines()]


def events_of(response):
    """Return the server-sent events as a browser reads them: the fields of each block."""
    blocks = response.content.decode().removesuffix("\n\n").split("\n\n")
    return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]


def record(game, owner, *events):
    services.record(game, *events, after=len(game.log()), key=a_key(), by=owner)


def test_the_streams_lines_are_the_changes_of_the_feed_and_its_state(ask, program_for, table, owner, who):
    for _step in an_evening(table, owner, who):
        pass
    news = program_for(owner).get(f"tables/{table.code}/changes/", data={"since": 0}).body
    response = ask(owner, since=0)
    *changes, state = lines_of(response)

    assert LINES == response.headers["Content-Type"]
    assert news["changes"] == changes
    assert {name: news[name] for name in ("seen", "newest", "accounts")} == state
    assert [] == wrong_in({"changes": changes, **state}, FEED)


def test_server_sent_events_have_the_same_data_as_lines_and_numbers_as_ids(ask, table, owner, game):
    record(game, owner, a_round("ana", beto=23, caro=40, dani=9))
    response = ask(owner, accept=EVENTS, since=4)
    retry, *changes, state = events_of(response)

    assert EVENTS == response.headers["Content-Type"]
    assert {"retry": "5000"} == retry
    assert ["5", "6"] == [change["id"] for change in changes]
    assert lines_of(ask(owner, since=4)) == [json.loads(event["data"]) for event in (*changes, state)]
    assert ("seen", "6") == (state["event"], state["id"])


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", LINES),
        ("application/json", LINES),
        (f"{EVENTS}, */*;q=0.1", EVENTS),
        (f"{EVENTS};q=0.5, {LINES}", LINES),
    ],
)
def test_the_accept_header_chooses_server_sent_events_or_lines(ask, owner, accept, kind):
    assert kind == ask(owner, accept=accept).headers["Content-Type"]


def test_a_stream_without_a_number_begins_with_the_next_change(ask, owner, game):
    assert [{"seen": 5, "newest": 5, "accounts": True}] == lines_of(ask(owner))


def test_the_last_event_id_header_overrides_the_number_in_the_address(ask, owner, game):
    assert [4, 5] == [line["number"] for line in lines_of(ask(owner, since=0, last="3"))[:-1]]
    assert [4, 5] == [line["number"] for line in lines_of(ask(owner, since=3, last=""))[:-1]]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("x", "“Last-Event-ID” must be the number of a change."),
        ("-1", "“Last-Event-ID” must be the number of a change."),
        ("9" * 30, "“Last-Event-ID” must be the number of a change."),
        ("99", "This change doesn't exist yet. Read the table again and continue from there."),
    ],
)
def test_an_invalid_last_event_id_is_refused_with_the_name_of_the_header(ask, owner, number, sentence):
    problem = ask(owner, last=number).json()

    assert (400, "bad_request", "Last-Event-ID", sentence) == tuple(
        problem[name] for name in ("status", "code", "field", "detail")
    )


def test_an_invalid_since_is_refused_with_the_name_of_the_parameter(ask, owner):
    for since in ("x", "99"):
        problem = ask(owner, since=since).json()

        assert (400, "since") == (problem["status"], problem["field"]), since


def test_a_witness_gets_no_changes_of_the_accounts_but_the_newest_number(ask, table, owner, who):
    waldo = make_user("waldo")
    Grant.objects.create(user=waldo, table=table, role=Role.WITNESS)
    for _step in an_evening(table, owner, who):
        pass
    *changes, state = lines_of(ask(waldo, since=0))

    assert not [change["what"] for change in changes if change["payment"]]
    assert {"seen": 14, "newest": 14, "accounts": False} == state
    assert 14 == max(line["number"] for line in lines_of(ask(owner, since=0))[:-1])


def test_the_streams_headers_disable_buffering_and_caching_by_proxies(ask, owner):
    headers = ask(owner).headers

    assert ("no", "private, no-store, no-transform") == (
        headers["X-Accel-Buffering"],
        headers["Cache-Control"],
    )


def test_a_page_of_the_stream_is_serialized_once_for_users_with_the_same_permissions(
    ask, table, owner, game, monkeypatch
):
    from games.api.notebook import payloads

    zoe = make_user("zoe")
    Grant.objects.create(user=zoe, table=table, role=Role.SCORER)
    expected = ask(owner, since=0).content
    monkeypatch.setattr(payloads, "NewsTold", None)

    assert expected == ask(zoe, since=0).content


def test_an_open_stream_continues_after_its_last_change_and_ignores_the_address(ask, owner, game):
    stream = Stream(Seats())
    ask(owner, since=3, environ={STREAM: stream})
    stream.is_open = True
    record(game, owner, a_round("ana", beto=23, caro=40, dani=9))

    assert [6] == [line["number"] for line in lines_of(ask(owner, since=3, environ={STREAM: stream}))[:-1]]
    assert (game.table_id, 6) == (stream.table, stream.seen)


def test_a_user_can_have_ten_open_streams(ask, owner):
    seats = Seats()
    streams = [Stream(seats) for _stream in range(12)]
    statuses = [ask(owner, environ={STREAM: stream}).status_code for stream in streams[:11]]
    refused = ask(owner, environ={STREAM: streams[11]})
    streams[0].end()

    assert [200] * 10 + [429] == statuses
    assert ("too_many_requests", "Too many streams are open. Close one first.", "60") == (
        refused.json()["code"],
        refused.json()["detail"],
        refused.headers["Retry-After"],
    )
    assert 200 == ask(owner, environ={STREAM: Stream(seats)}).status_code


def test_an_address_can_have_a_hundred_open_streams(ask, table):
    seats = Seats()
    users = [make_user(f"user{number}") for number in range(11)]
    for user in users:
        Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    statuses = [
        ask(users[number // 10], environ={STREAM: Stream(seats), "REMOTE_ADDR": "192.0.2.1"}).status_code
        for number in range(101)
    ]
    other = ask(users[10], environ={STREAM: Stream(seats), "REMOTE_ADDR": "192.0.2.2"})

    assert [200] * 100 + [429] == statuses
    assert 200 == other.status_code


@pytest.mark.usefixtures("limited")
def test_only_opening_a_stream_counts_for_the_rate_limit(ask, owner, monkeypatch):
    from dataclasses import replace

    from games.api.common.limits import PerUser

    monkeypatch.setattr(PerUser, "limit", replace(PerUser.limit, most=2))
    stream = Stream(Seats())
    ask(owner, environ={STREAM: stream})
    stream.is_open = True
    parts = [ask(owner, environ={STREAM: stream}).status_code for _part in range(5)]

    assert [200] * 5 == parts
    assert [200, 429] == [ask(owner).status_code for _request in range(2)]
