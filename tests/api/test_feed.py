"""The feed of a table: its contents, their order, and who may read them."""

from __future__ import annotations

import os
import random
from collections import Counter
from datetime import date, timedelta
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from games.common import days, locks
from games.files.services import file_reader, file_writer, imports, table_import
from games.models import Access, Entry, Method, Record, Role
from games.money.services import cash_settlement, expenses, member_merges, payments, starting_balances
from games.play.services import recording
from games.scoring.events import Corrected, PlayerReentered, PointsAdjusted, Struck
from games.scoring.text.notation import parse_line
from games.tables.services import lobby, membership, tokens
from tests.api.conftest import Program
from tests.concurrency import run_concurrently
from tests.factories import (
    build_expense,
    build_round,
    confirm_as_member,
    get_last_night,
    grant_access,
    load_balances,
    make_table,
    make_user,
    new_key,
    start,
    store_unchecked,
    winning_round,
)
from tests.full_tables import FullTable, fill
from tests.notebook_imports import run_nights_import

pytestmark = pytest.mark.django_db


@pytest.fixture
def events(table):
    """The address of the table's feed."""
    return f"tables/{table.code}/events/"


def row_texts(answer):
    """Return the kind, the number and the words of each row of a page of the feed."""
    return [(row["kind"], row["number"], row["text"].replace("\xa0", " ")) for row in answer.body["results"]]


def row_positions(rows):
    """Return the version, kind, game and number of each row of a feed."""
    return [(row["version"], row["kind"], row["game"], row["number"]) for row in rows]


def retry_while_busy(ask):
    """Return the answer of `ask()`, retrying while the site is too busy to give one."""
    while (answer := ask()).status == 503:
        pass
    assert answer.status in (200, 201), answer.body
    return answer


def read_feed(program, address, limit, after=0):
    """Return all rows after a version, page by page, and the version to continue from."""
    rows, page = [], retry_while_busy(lambda: program.get(f"{address}?after={after}&limit={limit}")).body
    while True:
        assert len(page["results"]) <= limit
        rows += page["results"]
        if page["next"] is None:
            return rows, page["version"]
        path = urlsplit(page["next"])
        rest = f"{path.path.removeprefix('/api/v1/')}?{path.query}"
        page = retry_while_busy(lambda rest=rest: program.get(rest)).body


# --- what it says -----------------------------------------------------------------------------------------------------


def test_games_and_money_are_told_in_the_order_in_which_they_were_written(
    owner_program, events, table, owner
):
    seen = owner_program.get(events).body["version"]
    game = start(table, owner, stake=100)
    recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)
    payments.create(
        table, table.members.get(slug="beto"), table.members.get(slug="ana"), 40, key=new_key(), by=owner
    )
    recording.undo(game, after=2, key=new_key(), by=owner)
    answer = owner_program.get(f"{events}?after={seen}")
    tonight = days.format_day(days.night_for(now(), table))

    assert [
        ("event", 1, "The game started"),
        ("event", 2, "Ana went out: Beto 101, Caro 101, Dani 101"),
        ("entry", 1, "Loba de Menos: Ana +$300, Beto −$100, Caro −$100, Dani −$100"),
        ("entry", 2, "Payment from Beto to Ana: Ana −$40, Beto +$40"),
        ("event", 3, "Undone: Ana went out: Beto 101, Caro 101, Dani 101"),
        ("entry", 3, f"Loba de Menos, reopened {tonight}: Ana −$300, Beto +$100, Caro +$100, Dani +$100"),
    ] == row_texts(answer)
    versions = [row["version"] - seen for row in answer.body["results"]]
    assert ([1, 2, 2, 3, 4, 4], seen + 4, None) == (versions, answer.body["version"], answer.body["next"])


def test_what_is_forgiven_is_told_as_no_payment(owner_program, events, table, game, owner):
    recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)
    confirm_as_member(owner, table.members.get(slug="ana"))
    beto, ana = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    seen = owner_program.get(events).body["version"]
    payment = payments.create(
        table, beto, ana, 40, method=Method.FORGIVEN, key=new_key(), by=owner, role=Role.OWNER
    )
    payments.void(payment, by=owner)
    tonight = days.format_day(days.night_for(now(), table))

    assert [
        "Ana forgave Beto: Ana −$40, Beto +$40",
        f"Ana forgave Beto, voided {tonight}: Ana +$40, Beto −$40",
    ] == [text for _kind, _number, text in row_texts(owner_program.get(f"{events}?after={seen}"))]


def test_a_row_has_the_event_and_its_line_or_the_entry_that_adds_up_to_the_balances(
    owner_program, events, table, game, owner
):
    confirm_as_member(owner, table.members.get(slug="ana"))
    recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)
    *_before, event, entry = owner_program.get(events).body["results"]
    line = "round ana out beto=101 caro=101 dani=101"

    assert (line, game.code, "Ana") == (event["line"], event["game"], event["by"])
    hands = [["beto", "101"], ["caro", "101"], ["dani", "101"]]
    data = {"closer": "ana", "closing": "out", "hands": hands}
    assert {"kind": "round_played", "data": data} == event["data"]
    assert ("ended", load_balances(table)) == (entry["data"]["kind"], entry["data"]["differences"])
    assert ("", game.code) == (entry["line"], entry["game"])
    assert {"payer": "beto", "payee": "ana", "amount": 100} in entry["data"]["debts"]


def test_undos_and_corrections_say_what_they_undo_and_correct(owner_program, game, owner):
    round_event = build_round("ana", beto=110, caro=1, dani=2)
    recording.record(game, round_event, PlayerReentered("beto"), after=1, key=new_key(), by=owner)
    recording.record(game, PointsAdjusted("dani", 10, "multa"), after=3, key=new_key(), by=owner)
    recording.undo(game, after=4, key=new_key(), by=owner)
    recording.redo(game, after=5, key=new_key(), by=owner)
    corrected = Corrected(2, build_round("ana", beto=110, caro=9, dani=2))
    inserted = parse_line("before 4 round beto in_one_go ana=5 caro=[K *] dani=1")
    rules = parse_line("correct 1 game loba_menos stake=50")
    recording.record(game, corrected, *inserted, *rules, Struck(7), after=6, key=new_key(), by=owner)
    rows = owner_program.get(f"games/{game.code}/events/").body["results"]

    assert [
        ("round ana out beto=110 caro=1 dani=2", "Ana went out: Beto 110, Caro 1, Dani 2"),
        ("reenter beto", "Beto came back"),
        ('adjust dani=+10 "multa"', "Dani +10: multa"),
        ("strike 4", "Undone: Dani +10: multa"),
        ("strike 5", "Redone: Dani +10: multa"),
        (
            "correct 2 round ana out beto=110 caro=9 dani=2",
            "Corrected: Ana went out: Beto 110, Caro 9, Dani 2",
        ),
        (
            "before 4 round beto in_one_go ana=5 caro=[K *] dani=1",
            "Added: Beto went out in one go: Ana 5, Caro [K ★], Dani 1",
        ),
    ] == [(row["line"], row["text"]) for row in rows[1:8]]
    assert "Corrected: how the game started" == rows[8]["text"]
    assert "Undone: Corrected: Ana went out: Beto 110, Caro 9, Dani 2" == rows[9]["text"]
    assert rows[0]["line"].startswith("game loba_menos ")


def test_a_write_that_is_neither_event_nor_entry_raises_the_version_alone(owner_program, events, table):
    before = owner_program.get(events).body
    membership.add(table, "Eva")
    after = owner_program.get(f"{events}?after={before['version']}").body

    assert (before["version"] + 1, []) == (after["version"], after["results"])


def test_without_a_version_the_newest_fifty_rows_come_the_oldest_of_them_first(
    owner_program, events, game, owner
):
    recording.record(game, *[PointsAdjusted("ana", 1, "multa")] * 59, after=1, key=new_key(), by=owner)
    rows = owner_program.get(events).body["results"]

    assert [*range(11, 61)] == [row["number"] for row in rows]
    assert [60] == [row["number"] for row in owner_program.get(f"{events}?limit=1").body["results"]]


def test_rows_of_before_the_versions_are_left_out(owner_program, events, game, owner):
    store_unchecked(game, PointsAdjusted("ana", 1, "multa"), owner)
    recording.record(game, PointsAdjusted("beto", 1, "multa"), after=2, key=new_key(), by=owner)

    assert [1, 3] == [row["number"] for row in owner_program.get(f"{events}?after=0").body["results"]]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_of_any_size_make_the_same_feed_also_where_a_page_ends_inside_a_version(
    owner_program, events, table, owner, limit
):
    for winner in ("ana", "beto"):
        fine = PointsAdjusted(winner, 1, "multa")
        recording.record(
            start(table, owner, stake=100), fine, winning_round(winner), after=1, key=new_key(), by=owner
        )
    whole, version = read_feed(owner_program, events, 200)

    assert (8, (whole, version)) == (len(whole), read_feed(owner_program, events, limit))
    assert (400, "bad_request", "cursor") == owner_program.get(f"{events}?cursor=17").problem


@pytest.mark.slow
def test_the_entries_of_many_nights_add_up_to_the_accounts_and_every_event_has_its_words(program_for):
    """A program that keeps the books from the feed alone has the balances of the page, even after a merge."""
    owner = make_user("ana")
    table = fill(FullTable(random.Random(7), owner), nights=2, games=2)
    program, sums = program_for(owner, reads_only=True), Counter[str]()
    rows, _version = read_feed(program, f"tables/{table.code}/events/", 200)
    members = program.get(f"tables/{table.code}/members/").body
    current_ids = {member["id"]: member["merged_into"] or member["id"] for member in members}
    for row in rows:
        for member, amount in row["data"].get("differences", {}).items():
            sums[current_ids[member]] += amount

    balances = program.get(f"tables/{table.code}/accounts/").body["balances"]
    assert balances == {member: sums[member] for member in balances}
    assert any(balances.values())
    assert [] == [row for row in rows if not row["text"] or not (row["line"] or row["kind"] == "entry")]
    assert Record.objects.count() + Entry.objects.count() == len(rows)


# --- how it is asked --------------------------------------------------------------------------------------------------


def capture_queries(ask):
    """Return the answer of `ask()` and its queries, except those of the token."""
    with CaptureQueriesContext(connection) as caught:
        answer = ask()
    return answer, [query["sql"] for query in caught if "games_token" not in query["sql"]]


@pytest.mark.parametrize("role", [Role.OWNER, Role.WITNESS])
def test_nothing_new_is_a_304_after_one_query(program_for, table, events, game, role):
    user = make_user("nora")
    grant_access(user, table, role)
    program = program_for(user)
    tag = program.get(events).headers["ETag"]
    answer, queries = capture_queries(lambda: program.get(f"{events}?after=2", **{"if-none-match": tag}))

    assert (304, "", 1) == (answer.status, answer.body, len(queries))
    assert f'"{locks.get_version(table)}.' == tag[: tag.index(".") + 1]
    membership.add(table, "Eva")
    assert 200 == program.get(events, **{"if-none-match": tag}).status


def test_the_etag_is_of_a_language_and_a_page(owner_program, events, game):
    tag = {"if-none-match": owner_program.get(events).headers["ETag"]}

    assert 304 == owner_program.get(events, **tag).status
    assert 200 == owner_program.get(events, **tag, **{"accept-language": "es"}).status
    assert 200 == owner_program.get(f"{events}?cursor=1-0-1", **tag).status


def test_a_feed_of_many_games_takes_as_many_queries_as_that_of_one(owner_program, events, table, owner):
    def count():
        return len(capture_queries(lambda: owner_program.get(f"{events}?after=0"))[1])

    recording.record(start(table, owner, stake=100), winning_round("ana"), after=1, key=new_key(), by=owner)
    query_count = count()
    for _time in range(4):
        recording.record(
            start(table, owner, stake=100), winning_round("ana"), after=1, key=new_key(), by=owner
        )

    assert (7, 7) == (query_count, count())


# --- who may read it ---------------------------------------------------------------------------------------


@pytest.fixture
def ended_game_and_payment(table, game, owner):
    """Finish the game and record a payment."""
    recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)
    payments.create(
        table, table.members.get(slug="beto"), table.members.get(slug="ana"), 40, key=new_key(), by=owner
    )


def kinds(program, events):
    return [row["kind"] for row in program.get(events).body["results"]]


def test_a_token_that_only_reads_and_one_for_this_table_are_told_all(
    program_for, owner, table, events, ended_game_and_payment
):
    for limits in ({"reads_only": True}, {"table": table}, {"table": table, "reads_only": True}):
        assert ["event", "event", "entry", "entry"] == kinds(program_for(owner, **limits), events)


def test_who_has_no_view_of_the_accounts_is_told_no_entries_until_they_have(
    program_for, table, events, ended_game_and_payment
):
    wanda = make_user("wanda")
    grant_access(wanda, table)
    program = program_for(wanda)
    tag = {"if-none-match": program.get(events).headers["ETag"]}
    assert ["event", "event"] == kinds(program, events)
    confirm_as_member(wanda, table.members.get(slug="caro"))

    assert ["event", "event", "entry", "entry"] == kinds(program, events)
    assert 200 == program.get(events, **tag).status


def test_an_access_that_has_ended_ends_the_feed(program_for, table, owner, events, ended_game_and_payment):
    wanda = make_user("wanda")
    grant_access(wanda, table)
    table_program, every = program_for(wanda, table=table), program_for(wanda)
    tag = {"if-none-match": every.get(events).headers["ETag"]}
    lobby.revoke(Access.objects.get(user=wanda), by=owner)

    assert (401, 404) == (table_program.get(events, **tag).status, every.get(events, **tag).status)


# --- one write, one version -------------------------------------------------------------------------------------------


def test_every_row_has_the_version_with_which_its_transaction_ends(table, owner):
    ana, beto, caro, dani = table.members.all()
    game, eva = start(table, owner, stake=100), membership.add(table, "Eva")
    night = get_last_night(table)

    def rounds(*rounds):
        recording.record(game, *rounds, after=game.records.count(), key=new_key(), by=owner)

    acts = [
        lambda: rounds(winning_round("ana")),
        lambda: rounds(Corrected(2, winning_round("beto"))),
        lambda: recording.discard_game(game, by=owner),
        lambda: recording.restore_game(game, by=owner),
        lambda: cash_settlement.mark_paid(game, by=owner),
        lambda: cash_settlement.unmark_paid(game, by=owner),
        lambda: recording.undo(game, after=3, key=new_key(), by=owner),
        lambda: payments.create(table, ana, beto, 10, key="paid", by=owner),
        lambda: payments.void(table.payments.get(), by=owner),
        lambda: expenses.create(
            table, night, build_expense(ana, 90, (ana, beto, caro)), key=new_key(), by=owner
        ),
        lambda: expenses.void(table.costs.get(), by=owner),
        lambda: starting_balances.record(
            table, {"ana": 5, "eva": -5}, seen=newest(), key=new_key(), by=owner
        ),
        lambda: member_merges.merge(eva, dani, seen=member_merges.preview(eva, dani).digest, by=owner),
        lambda: member_merges.unmerge(eva, by=owner),
        lambda: starting_balances.void(table, table.entries.get(kind="opened").number, by=owner),
    ]

    def newest():
        return table.entries.latest("number").number

    for number, act in enumerate(acts):
        before = locks.get_version(table)
        act()
        written = {
            *Record.objects.filter(game__table=table, version__gt=before).values_list("version", flat=True),
            *table.entries.filter(version__gt=before).values_list("version", flat=True),
        }
        assert {before + 1} == written, f"act {number}"
        assert before + 1 == locks.get_version(table)


def notebook_text(count, first=0):
    """Return this many nights of an old notebook, each with money won and lost by two players."""
    days = (date(2024, 1, 1) + timedelta(days=number) for number in range(first, first + count))
    return "\n".join(["fecha;Ana;Beto", *(f"{day:%d/%m/%Y};1;-1" for day in days)])


def test_an_import_and_its_undo_are_one_version_each(owner_program, table, owner, events):
    before = locks.get_version(table)
    at = run_nights_import(table, notebook_text(3), paid=False)
    import_version = locks.get_version(table)
    imports.revert(table.arrivals.get(at=at), by=owner)
    rows, _version = read_feed(owner_program, events, 200, after=before)

    assert [before + 1] * 6 + [before + 2] * 3 == [row["version"] for row in rows]
    assert (before + 1, before + 2) == (import_version, locks.get_version(table))


@pytest.mark.long
def test_a_table_of_a_thousand_rows_that_is_imported_is_one_version_and_is_read_whole(program_for):
    first = make_table(make_user("nadia"), people=("Ana", "Beto"))
    run_nights_import(first, notebook_text(250), paid=False)
    run_nights_import(first, notebook_text(250, first=250), paid=False)
    olga = make_user("olga")
    table = table_import.create_table(
        file_reader.read_table(file_writer.write_table(first).encode()), key=new_key(), by=olga
    )
    rows, version = read_feed(program_for(olga), f"tables/{table.code}/events/", 50)

    assert (1000, {1}, 1) == (len(rows), {row["version"] for row in rows}, version)
    assert 1000 == len({(row["kind"], row["game"], row["number"]) for row in rows})
    assert load_balances(first) == load_balances(table)


# --- while others write -----------------------------------------------------------------------------------------------

WRITERS = 6
ROUNDS = -(-int(os.environ.get("WRITES", "60")) // (2 * WRITERS))  # of each: an event and a payment


@pytest.mark.django_db(transaction=True)
def test_a_follower_loses_no_row_while_six_write():
    """Six programs write games and payments as fast as they can, and a seventh follows with small pages."""
    owner = make_user("ana")
    table = make_table(owner)
    events = f"tables/{table.code}/events/"
    program = Program(authorization=f"Bearer {tokens.create(owner, 'pantalla', reads_only=True)[1]}")
    writers = [Program(authorization=f"Bearer {tokens.create(owner, f'bot {n}')[1]}") for n in range(WRITERS)]
    for participant in (program, *writers):
        participant.client.raise_request_exception = False
    running, seen = [WRITERS], []

    def write(writer, name):
        people = {"variant": "loba_menos", "players": [{"id": "ana"}, {"id": "beto"}], "sure": True}
        code = send(writer, f"tables/{table.code}/games/", people, f"{name} begins").body["code"]
        for number in range(ROUNDS):
            line = {"after": number + 1, "events": [{"line": f'adjust ana=+1 "{name}"'}]}
            send(writer, f"games/{code}/events/", line, f"{name} {number}")
            paid = {"payer": "beto", "payee": "ana", "amount": 1, "method": "cash", "sure": True}
            send(writer, f"tables/{table.code}/payments/", paid, f"{name} pays {number}")
        running[0] -= 1

    def follow():
        version = 0
        while running[0] or version < locks.get_version(table):
            rows, version = read_feed(program, events, 5, after=version)
            seen.extend(rows)

    ends = run_concurrently(follow, *(lambda w=w, n=n: write(w, f"w{n}") for n, w in enumerate(writers)))
    whole, _version = read_feed(program, events, 200)

    assert [None] * (WRITERS + 1) == ends
    assert row_positions(whole) == row_positions(seen)
    assert WRITERS * (1 + 2 * ROUNDS) == len(whole)
    assert Record.objects.count() + Entry.objects.count() == len(whole)


def send(program, path, body, key):
    """Send a write until it is accepted. The same key records nothing twice."""
    return retry_while_busy(lambda: program.post(path, body, key=key))
