"""A table exported, imported and exported again gives the same bytes; an invalid file stores nothing."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.common import schema_version
from games.common.json_reader import InvalidFile
from games.files.services import audit, file_reader, file_writer, ledger_proof, table_import
from games.files.services.file_contents import RecorderNames
from games.models import (
    ACCOUNT_LENGTH,
    NAME_LENGTH,
    NOTE_LENGTH,
    TABLE_NAME_LENGTH,
    Entry,
    EntryKind,
    Game,
    Member,
    Method,
    Payment,
    Record,
    Result,
    Role,
    Table,
    is_code,
)
from games.money.services import accounting, expenses, fewest_payments, payments
from games.play.services import archive, recording
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, Inserted, PlayerReentered, PointsAdjusted, SeatHandedOver, Struck
from games.scoring.text.notation_writer import write_game
from games.scoring.text_line import MAX_TEXT_LENGTH
from games.scoring.variants import VARIANTS, split_title
from games.tables.services import guests, links, membership, users
from games.tables.services.roster import People
from tests.commands import command_error, run_command
from tests.factories import (
    build_expense,
    build_round,
    confirm_as_member,
    get_last_night,
    grant_access,
    make_table,
    make_user,
    new_key,
    start,
    with_new_codes,
    without_codes,
)
from tests.full_tables import FullTable, fill
from tests.text_strategies import line_texts

pytestmark = pytest.mark.django_db

SEEDS = range(6)


def create_full_table(seed: int) -> Table:
    return fill(FullTable(random.Random(seed), create_password_user(f"owner-{seed}"), decimals=seed % 4))


def create_password_user(name: str) -> User:
    """Return a user who is not a guest, so that their name is in the file."""
    user = make_user(name)
    user.set_password("secreto")
    user.save()
    return user


def import_text(text: str, name: str = "nora") -> Table:
    """Import this text as a new user and return the table."""
    return table_import.create_table(file_reader.read_table(text.encode()), key=new_key(), by=make_user(name))


@pytest.fixture(scope="session")
def file_texts() -> dict[str, str]:
    """A dict with the text of a small table's file; the first test that needs it writes it."""
    return {}


@pytest.fixture
def text(db, file_texts: dict[str, str]) -> str:
    """The file of a small table with rows of every kind."""
    if not file_texts:
        with transaction.atomic():  # the table must not remain for the first test that needs its file
            full = FullTable(random.Random(3), create_password_user("somebody"))
            file_texts["text"] = file_writer.write_table(fill(full, nights=2, games=2))
            transaction.set_rollback(True)
    return file_texts["text"]


@pytest.fixture
def whole(text) -> dict[str, Any]:
    """The file of the small table, parsed as JSON, for a test to alter."""
    value: dict[str, Any] = json.loads(text)
    assert all(
        value[name] for name in ("members", "seasons", "games", "payments", "costs", "entries", "debts")
    )
    return value


@pytest.fixture
def small(text) -> Table:
    """The small table, imported by somebody."""
    return import_text(text, "somebody")


# --- export and import ------------------------------------------------------------------------------------------------


def test_a_table_exported_imported_and_exported_again_has_the_same_bytes_and_figures():
    check_round_trip(create_full_table(SEEDS[0]))


def test_the_setting_of_the_fewest_payments_is_exported_and_applies_after_the_import(table, owner, pay):
    pay("ana", "beto", 300)
    seen = accounting.latest_entry_number(table)
    fewest_payments.update(table, is_on=True, seen=seen, by=owner)
    written = file_writer.write_table(table)
    copy = import_text(written)
    assert (True, True) == (json.loads(written)["table"]["fewest"], copy.always_fewest)
    assert without_codes(written) == without_codes(file_writer.write_table(copy))
    caro, beto = (copy.members.get(slug=slug) for slug in ("caro", "beto"))
    payments.create(copy, beto, caro, 300, key=new_key(), by=make_user("zoe"))

    assert [("caro", "ana", 300)] == [
        (debt.payer.slug, debt.payee.slug, debt.amount) for debt in accounting.load_accounts(copy).debts
    ]


def check_round_trip(table: Table) -> None:
    """Assert that the table is the same after it is exported, imported and exported again."""
    text = file_writer.write_table(table)
    again = import_text(text, new_key())
    assert without_codes(text) == without_codes(file_writer.write_table(again))
    assert visible_figures(table) == visible_figures(again)
    assert [] == audit_differences(table) == audit_differences(again)


def audit_differences(table: Table) -> list[str]:
    return [difference.what for difference in audit.check_table(table).differences]


def visible_figures(table: Table) -> tuple[object, ...]:
    """Return the balances, debts and results that the pages show."""
    accounts = accounting.load_accounts(table)
    results = Result.objects.filter(game__table=table).order_by("game__started_at", "game", "pk")
    figures = ("place", "points", "net", "won", "total", "survived")
    return (
        accounts.balances,
        [(debt.payer.slug, debt.payee.slug, debt.amount, debt.version) for debt in accounts.debts],
        list(results.values_list("member__slug", "variant", "night_number", "reentries", *figures)),
        list(
            table.games.order_by("started_at", "pk").values_list(
                "variant", "pot", "decided_in", "ended_at", "season__name"
            )
        ),
    )


@pytest.mark.long
def test_tables_with_rows_of_every_kind_have_the_same_bytes_after_an_import(subtests):
    tables = [create_full_table(seed) for seed in SEEDS]
    titles = Game.objects.values_list("variant", flat=True)
    events = {type(event) for game in Game.objects.all() for event in game.log()}
    seldom = {EntryKind.PARTED, EntryKind.REPAIRED, EntryKind.REOPENED, EntryKind.SIMPLIFIED}
    assert set(VARIANTS) == {split_title(title)[0] for title in titles}
    assert {Corrected, Inserted, Struck, PlayerReentered, SeatHandedOver} <= events
    assert set(EntryKind) - seldom <= set(Entry.objects.values_list("kind", flat=True))
    assert {"cash", "transfer", "forgiven"} == set(Payment.objects.values_list("method", flat=True))
    for rows in (
        *(Payment.objects.exclude(**{state: None}) for state in ("ended_at", "disputed_at", "confirmed_at")),
        *(Game.objects.filter(ended_at=None), Game.objects.exclude(discarded_at=None)),
        *(Game.objects.exclude(spot_nets=None), Record.objects.filter(key=None)),
        *(Member.objects.exclude(merged_into=None), Member.objects.exclude(retired_at=None)),
    ):
        assert rows.exists(), rows.query
    for seed in SEEDS[1:]:
        with subtests.test(seed=seed):
            check_round_trip(tables[seed])


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.tuples(line_texts(TABLE_NAME_LENGTH, quoted=True), line_texts(NAME_LENGTH, quoted=True)),
    st.tuples(
        line_texts(MAX_TEXT_LENGTH, quoted=True), line_texts(ACCOUNT_LENGTH), *[line_texts(NOTE_LENGTH)] * 2
    ),
)
def test_a_table_with_any_texts_has_the_same_bytes_after_an_import(db, names, texts):
    (name, person), (reason, account, note, objection) = names, texts
    with transaction.atomic():
        owner, guest = make_user(), guests.create()
        table = make_table(owner, people=("Zulema Díaz",), name=name)
        zulema, somebody = table.members.get(), membership.add(table, person)
        game = start(table, owner, stake=100, reentries=0)
        adjusted = PointsAdjusted(somebody.slug, 1, reason)
        recording.record(game, adjusted, after=1, key=new_key(), by=owner)
        grant_access(guest, table)
        confirm_as_member(guest, somebody)
        membership.set_payment_details(zulema, account)
        paid = payments.create(
            table, zulema, somebody, 7, method=Method.CASH, key=new_key(), by=owner, note=note
        )
        payments.dispute(paid, by=guest, objection=objection)
        text = file_writer.write_table(table)
        again = import_text(text)

        assert without_codes(text) == without_codes(file_writer.write_table(again))
        assert (name, {"Zulema Díaz", person}) == (
            again.name,
            {*again.members.values_list("name", flat=True)},
        )
        assert [(note, objection)] == list(again.payments.values_list("note", "objection"))
        assert write_game(game.log()) == write_game(again.games.get().log())
        transaction.set_rollback(True)


def test_the_importing_user_is_the_only_owner_and_nobody_can_sign_in_as_a_recorder(text):
    again = import_text(text)
    assert [("nora", str(Role.OWNER))] == list(again.accesses.values_list("user__username", "role"))
    strangers = User.objects.exclude(username="nora")
    assert {"Beto", "somebody"} == {user.first_name for user in strangers}
    for user in strangers:
        assert (False, False) == (user.is_active, user.has_usable_password())
        assert not user.accesses.exists()
    assert not again.accesses.exclude(member=None).exists()


def test_codes_and_keys_are_imported_and_the_table_gets_a_code_of_its_own(small):
    text = with_new_codes(file_writer.write_table(small))
    again = import_text(text)

    assert text == file_writer.write_table(again)
    assert small.code != again.code
    assert small.identity == again.identity


def test_a_game_whose_code_is_taken_gets_a_new_one(client, text, small):
    again = import_text(text)
    client.force_login(again.accesses.get().user)
    codes = [set(table.games.values_list("code", flat=True)) for table in (small, again)]

    assert not codes[0] & codes[1]
    assert all(map(is_code, codes[1]))
    for code in codes[1]:
        assert 200 == client.get(f"/g/{code}/", follow=True).status_code
    assert 404 == client.get(f"/g/{min(codes[0])}/").status_code


def test_a_file_without_codes_gets_new_ones(whole):
    for game in whole["games"]:
        game["code"] = ""

    assert all(is_code(game.code) for game in import_text(json.dumps(whole)).games.all())


def test_a_code_that_another_game_takes_during_the_import_stores_nothing(monkeypatch, text, small):
    monkeypatch.setattr(table_import, "replace_used_codes", lambda games: None)
    with pytest.raises(RuleError):
        import_text(text, "otro")

    assert not Table.objects.filter(accesses__user__username="otro").exists()


def test_links_and_accesses_are_not_exported():
    owner = make_user()
    table = make_table(owner)
    grant_access(make_user("waldo"), table)
    link, token = links.create_personal(table, role=Role.SCORER, by=owner)
    text = file_writer.write_table(table)
    assert token not in text
    assert link.token_hash not in text
    assert "waldo" not in text


def play_won_game(table: Table, owner: User) -> Game:
    """Play a game of four for 100 each that Ana won."""
    game = start(table, owner, stake=100, reentries=0)
    recording.record(game, build_round("ana", beto=101, caro=120, dani=130), after=1, key=new_key(), by=owner)
    return game


def test_two_recorders_with_the_same_name_are_numbered():
    table = make_table(owner := create_password_user("olga"))
    game = start(table, owner)
    for _guest in range(2):
        guest = guests.create()
        recording.record(
            game, build_round("ana", beto=5, caro=7, dani=9), after=len(game.log()), key=new_key(), by=guest
        )
    text = file_writer.write_table(table)
    assert ["olga", "guest", "guest 2"] == [batch["by"] for batch in json.loads(text)["games"][0]["batches"]]
    assert without_codes(text) == without_codes(file_writer.write_table(import_text(text)))


def test_a_recorder_without_a_name_has_none_after_the_import():
    owner = guests.create()
    table = make_table(owner)
    start(table, owner)
    read_in = import_text(file_writer.write_table(table))
    recorders = User.objects.filter(pk__in=read_in.games.values("records__recorded_by"))

    assert [""] == [users.name_at_table(user, People.of(read_in)) for user in recorders]


@pytest.mark.django_db(transaction=True)
def test_an_export_is_a_snapshot_and_blocks_no_writer(monkeypatch):
    owner = make_user()
    table = make_table(owner)
    game = start(table, owner, stake=100, reentries=0)
    recorded, reads_on = [], RecorderNames

    def record() -> None:
        won = build_round("ana", beto=101, caro=120, dani=130)
        recording.record(game, won, after=1, key=new_key(), by=owner)
        recorded.append(won)
        connection.close()

    def wait(*args: Any) -> Any:
        phone = threading.Thread(target=record)
        phone.start()
        phone.join(5)
        assert 1 == len(recorded), "the phone still waits"
        return reads_on(*args)

    before = file_writer.write_table(table)
    monkeypatch.setattr(file_writer, "RecorderNames", wait)
    assert before == file_writer.write_table(table)
    monkeypatch.undo()
    assert before != file_writer.write_table(table)


@pytest.mark.django_db(transaction=True)
def test_a_failed_export_leaves_no_transaction_open(monkeypatch):
    table = make_table(make_user())
    monkeypatch.setattr(file_writer, "RecorderNames", lambda table: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        file_writer.write_table(table)
    monkeypatch.undo()
    assert file_writer.write_table(table) == file_writer.write_table(table)


# --- bad files --------------------------------------------------------------------------------------------------------


def problem_texts(value: object) -> list[str]:
    """Return the problems of this file. Assert that importing it stored nothing."""
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    before = [model.objects.count() for model in (Table, Game, Record, User)]
    with pytest.raises(InvalidFile) as unreadable:
        file_reader.read_table(text)
    assert before == [model.objects.count() for model in (Table, Game, Record, User)]
    return [str(problem) for problem in unreadable.value.problems]


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (b"", "This file is empty."),
        (b"\xff\xfe\xff", "This is not a complete JSON file."),
        (b"[" * 100_000, "This is not a complete JSON file."),
        (b"[]", "This is not a table file: “anotador-table” is missing."),
        ({"format": "anotador-game"}, "This is not a table file: “anotador-table” is missing."),
        (
            {"format": "anotador-table", "version": 1, "shape": schema_version.SHAPE},
            "The table: “table” is missing.",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused(value, problem):
    assert [problem] == problem_texts(value)


@pytest.mark.parametrize("change", [{"version": 6}, {"shape": "another"}, {"shape": None}], ids=str)
def test_a_file_of_another_version_or_shape_is_refused(whole, change):
    sentence = "This file is from a newer version."

    assert [sentence] == problem_texts({**whole, **change})


def test_the_shape_of_a_file_is_the_name_of_the_first_migration(whole):
    migration = min(name for app, name in MigrationLoader(None).disk_migrations if app == "games")

    assert (1, migration) == (whole["version"], f"0001_{whole['shape']}")


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return a function that sets a value in a file. The arguments are its path, and last the value."""

    def change(whole: dict[str, Any]) -> None:
        *way, name, value = path
        part: Any = whole
        for step in way:
            part = part[step]
        part[name] = value

    return change


def drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return a function that removes the part at this path from a file."""

    def change(whole: dict[str, Any]) -> None:
        *way, name = path
        part: Any = whole
        for step in way:
            part = part[step]
        del part[name]

    return change


def merge(into: str) -> Callable[[dict[str, Any]], None]:
    """Return a function that merges the first member of a file into the member with this slug."""

    def change(whole: dict[str, Any]) -> None:
        merged = {"merged_into": into, "merged_at": "2026-01-01T00:00:00+00:00", "merged_by": "olga"}
        whole["members"][0] |= merged

    return change


INVALID = [
    (put("extra", 1), "“extra” is unknown here."),
    (put("games", {}), "“games” should be a list."),
    (put("table", "id", "ana"), "The table: “ana” is not a table id."),
    (put("table", "name", ""), "The table: Enter a name."),
    (put("table", "name", "a\u0000b"), "The table: “name”: It contains an invisible character (U+0000): type it again."),
    (put("table", "language", "tlh"), "The table: The language “tlh” is not available."),
    (put("table", "timezone", "Mars/Olympus"), "The table: The time zone “Mars/Olympus” doesn't exist."),
    (put("table", "created_at", "2024-01-01T00:00"), "The table: “created_at” should be a date and time like 2024-05-31T23:15:00+00:00."),
    (put("members", 0, "name", "A\u3164na"), "Member 1: “name”: It contains an invisible character (U+3164): type it again."),
    (put("members", 0, "id", "Ana"), "Member 1: “Ana” is not a player's id: a-z"),
    (put("members", 0, "id", "beto"), "Member 2: Two members have the id “beto”."),
    (put("members", 0, "merged_into", "beto"), "Members: The merge of “ana” lacks its target or its time."),
    (merge("ana"), "Members: The merges of member “ana” go in a circle."),
    (put("members", 0, "x"), "Member 1: This must be an object."),
    (put("seasons", []), "Seasons: A table has at least one season."),
    (put("seasons", 1, "starts_on", "2000-01-01"), "Season 2: It must start after the previous season."),
    (put("seasons", 0, "order", "luck"), "Season 1: Choose what the standings are sorted by."),
    (put("games", 0, "night", "soon"), "Game 1: “night” should be a day like 2024-05-31."),
    (lambda whole: whole["games"].insert(1, whole["games"][0]), "Game 2: Two games have the code “"),
    (put("games", 0, "batches", []), "Game 1: A game must have 1 to 1000 entries."),
    (put("games", 0, "batches", 0, "events", []), "Game 1: One entry was recorded without an event."),
    (put("games", 0, "batches", 1, "events", 0, "kind", "magic"), "Game 1: event 2: This is not an event of the kind “magic”."),
    (put("games", 0, "batches", 0, "events", 0, "data", {}), "Game 1: event 1: This is not an event of the kind “game_started”."),
    (put("games", 0, "batches", 0, "events", 0, "data", "players", 0, "id", "zoe"), "Game 1: Loba de Más, 2024-03-07: There is no member “zoe”."),
    (put("payments", 0, "amount", 0), "Payment 1: “amount” should be a whole number from 1 to 999999999999999."),
    (put("payments", 0, "method", "gold"), "Payment 1: “gold” is not a payment method."),
    (put("payments", 0, "key", ""), "Payment 1: “key”: A key must have 1 to 64 characters."),
    (put("costs", 0, "sharers", []), "Expense 1: “borne” is unknown here."),
    (put("costs", 0, "borne", {}), "Expense 1: The shares of an expense must add up to its amount, and can't be the payer's alone."),
    (put("costs", 0, "borne", "ana", -1), "Expense 1: “ana” should be a whole number from 0 to "),
    (put("costs", 0, "borne", "zoe", 1), "Expense 1: “zoe” is unknown here."),
    (put("entries", 0, "number", 2), "Entry 1: It should be number 1."),
    (put("entries", 0, "kind", "luna"), "Entry 1: “luna” is not a kind of entry."),
    (put("entries", 0, "kind", "merged"), "Entry 1: An entry of the kind “merged” has another cause."),
    (put("entries", 0, "cost", 99), "Entry 1: “cost” should be a whole number from 1 to "),
    (put("entries", 0, "differences", {"ana": 1}), "Entry 1: “differences” does not add up to zero."),
    (put("entries", 0, "after", [["ana", "beto"]]), "Entry 1: A line needs a payer, a payee and an amount."),
    (put("entries", 0, "after", [["ana", "zoe", 3]]), "Entry 1: A debt in an entry is between two of its people."),
    (put("debts", 0, "version", 999), "Debt 1: “version” should be a whole number from 1 to "),
    (put("games", 0, "spot", {"nets": {"ana": 1}, "at": None, "by": None}), "Game 1: “nets” does not add up to zero."),
    (put("table", "language", "\ud800"), "The table: It contains half a character, which cannot be shown."),
    (put("table", "created_at", "1900-01-01T00:00+14:00"), "The table: “created_at” should be a date and time like 2024-05-31T23:15:00+00:00."),
]  # fmt: skip


def test_the_time_zone_localtime_of_an_earlier_version_becomes_the_sites(whole):
    whole["table"]["timezone"] = "localtime"

    contents = file_reader.read_table(json.dumps(whole).encode())

    assert "America/Argentina/Buenos_Aires" == contents.table.timezone


def test_an_invalid_part_is_reported_with_its_place(subtests, whole):
    for change, problem in INVALID:
        with subtests.test(problem=problem):
            value = deepcopy(whole)
            change(value)

            assert problem_texts(value)[0].startswith(problem)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_half_a_character_is_reported_with_its_place_however_it_is_encoded(whole, encoding):
    whole["payments"][0]["note"] = "\ud800"
    text = json.dumps(whole, ensure_ascii=False).encode(encoding, "surrogatepass")

    assert ["Payment 1: It contains half a character, which cannot be shown."] == problem_texts(text)


def file_with_game(*batches: list[Any]) -> dict[str, Any]:
    """Return the file of a table with one game, with these batches of events appended."""
    owner = make_user()
    table = make_table(owner)
    game = start(table, owner)
    recording.record(game, build_round("ana", beto=5, caro=7, dani=9), after=1, key=new_key(), by=owner)
    value: dict[str, Any] = json.loads(file_writer.write_table(table))
    value["games"][0]["started_at"], value["games"][0]["night"] = "2026-01-01T00:00:00+00:00", "2025-12-31"
    moments = {"at": "2026-01-01T00:00:00+00:00", "arrived_at": "2026-01-01T00:00:00+00:00"}
    by_hand = [
        {**moments, "key": f"by-hand-{number}", "by": "olga", "events": events}
        for number, events in enumerate(batches)
    ]
    value["games"][0]["batches"] += by_hand
    return value


def event(kind: str, **data: Any) -> dict[str, Any]:
    return {"kind": kind, "data": data}


@pytest.mark.parametrize("depth", [300, 980])
@pytest.mark.parametrize(("begins", "ends"), [("[", "]"), ('{"a":', "}")])
def test_too_deep_nesting_is_refused(whole, begins, ends, depth):
    whole["games"][0]["batches"][0]["events"][0] = {"kind": "corrected", "data": "here"}
    text = json.dumps(whole).replace('"here"', begins * depth + "1" + ends * depth)

    assert problem_texts(text.encode())


def test_a_game_against_the_rules_is_refused_with_its_event():
    value = file_with_game([event("player_reentered", player="ana")])
    assert [
        "Game 1: Loba de Menos, 2025-12-31: event 3 does not fit what was recorded before it: "
        "Ana has no re-entry to decide on."
    ] == problem_texts(value)


def test_a_game_that_moves_more_than_the_accounts_can_hold_is_refused():
    owner = make_user()
    table = make_table(owner)
    start(table, owner, variant="chinchon", stake=10**9)
    value = json.loads(file_writer.write_table(table))
    value["games"][0]["started_at"], value["games"][0]["night"] = "2026-01-02T00:00:00+00:00", "2026-01-01"
    (start_event,) = value["games"][0]["batches"][0]["events"]
    start_event["data"]["options"] = [
        [key, 10**9 if key == "chinchon_prize" else option] for key, option in start_event["data"]["options"]
    ]
    hands = [["beto", "5"], ["caro", "7"], ["dani", "9"]]
    won = event("round_played", closer="ana", closing="chinchon", hands=hands)
    batches = value["games"][0]["batches"]
    batches.append({**batches[0], "key": "won", "at": "2026-01-01T00:00:00+00:00", "events": [won]})
    assert problem_texts(value)[0].startswith(
        "Game 1: Chinchón, 2026-01-01: Ana would win or lose 3000000003"
    )


def test_a_struck_event_must_have_been_allowed_when_it_was_recorded():
    odd = event(
        "round_played", closer="ana", closing="\u0000", hands=[["beto", "5"], ["caro", "7"], ["dani", "9"]]
    )
    value = file_with_game([odd], [event("struck", number=3)])
    assert problem_texts(value)[0].startswith("Game 1: Loba de Menos, 2025-12-31: event 3 ")


def test_one_person_under_two_ids_cannot_play_against_themselves():
    value = file_with_game()
    merge("beto")(value)
    assert ["Game 1: Loba de Menos, 2025-12-31: Two of the players are the same member."] == (
        problem_texts(value)
    )


def test_payments_that_contradict_themselves_or_one_another_store_nothing(subtests, whole):
    payment = whole["payments"][0] | dict.fromkeys(("confirmed_at", "disputed_at", "ended_at"))
    payment |= {"is_claim": False, "objection": "", "reason": ""}
    nora = make_user("nora")
    for payment_rows in (
        [payment | {"payee": payment["payer"]}],
        [payment | {"confirmed_at": payment["made_at"], "confirmed_by": payment["by"]}],
        [payment | {"objection": "no me llegó"}],
        [payment, payment],
    ):
        contents = file_reader.read_table(
            json.dumps({**whole, "payments": payment_rows, "entries": [], "debts": []}).encode()
        )
        with subtests.test(payments=payment_rows), pytest.raises(RuleError, match="contradict each other"):
            table_import.create_table(contents, key=new_key(), by=nora)
    assert not nora.accesses.exists()


# --- a ledger that does not add up ------------------------------------------------------------------------------------


def raise_a_debt(whole: dict[str, Any]) -> None:
    whole["debts"][0]["amount"] += 5


def leave_more_than_is_owed(whole: dict[str, Any]) -> None:
    """Make a debt and the last entry that altered it too large, so that both still agree."""
    debt = whole["debts"][0]
    for line in whole["entries"][debt["version"] - 1]["after"]:
        if line[:2] == [debt["debtor"], debt["creditor"]]:
            line[2] += 5
            debt["amount"] += 5


UNBALANCED = [
    (put("payments", 0, "amount", 3), "Payment 1"),
    (put("costs", 0, "borne", {"ana": 40, "beto": 50}), "Expense 1"),
    (put("games", 0, "discarded_at", "2026-01-01T00:00:00+00:00"), "Game 1"),
    (raise_a_debt, "Debt 1"),
    (drop("debts", 0), "Debts"),
    (leave_more_than_is_owed, "Debts"),
]


@pytest.fixture
def books() -> dict[str, Any]:
    """The file of a table with a game, an expense and a payment, for a test to alter."""
    owner = make_user()
    table = make_table(owner)
    play_won_game(table, owner)
    ana, beto = (table.members.get(slug=slug) for slug in ("ana", "beto"))
    expense = build_expense(ana, 90, (ana, beto))
    expenses.create(table, get_last_night(table), expense, key=new_key(), by=owner)
    payments.create(table, beto, ana, 50, key=new_key(), by=owner)
    value: dict[str, Any] = json.loads(file_writer.write_table(table))
    return value


def test_a_ledger_that_does_not_add_up_is_refused_at_its_line(subtests, books):
    for alter, where in UNBALANCED:
        with subtests.test(where=where):
            value = deepcopy(books)
            alter(value)
            with pytest.raises(InvalidFile) as error:
                ledger_proof.check_ledger(file_reader.read_table(json.dumps(value).encode()))
            problem = str(error.value.problems[0])
            assert problem.startswith(f"{where}: In this file, who pays whom doesn't match")


def test_the_operator_imports_a_ledger_that_does_not_add_up_and_mends_it(tmp_path, books):
    for alter, _where in UNBALANCED:
        alter(books)
    (tmp_path / "table.json").write_text(json.dumps(books), encoding="utf-8")
    make_user("nora")
    run_import_table(tmp_path / "table.json")
    again = Table.objects.get(accesses__user__username="nora")
    assert audit_differences(again)
    audit.check_table(again, repair=True)
    assert [] == audit_differences(again)


def test_of_many_problems_the_first_few_are_reported(whole):
    whole["members"] = [{}] * 50
    assert file_reader.MOST_PROBLEMS + 1 == len(problem_texts(whole))
    assert "… and perhaps more." == problem_texts(whole)[-1]


# --- from the command line --------------------------------------------------------------------------------------------


def run_import_table(path: Any, owner: str = "nora", **options: Any) -> str:
    return run_command("import_table", path, owner=owner, **options)


def test_the_command_says_what_is_wrong(tmp_path):
    file = tmp_path / "table.json"
    with pytest.raises(CommandError, match="There is no user called nora"):
        run_import_table(file)
    make_user("nora")
    with pytest.raises(CommandError, match=r"table.json cannot be read: No such file or directory\."):
        run_import_table(file)
    file.write_text("{}")
    with pytest.raises(CommandError, match="not a table file"):
        run_import_table(file)


def test_the_command_imports_a_table_that_is_already_here_only_with_again(tmp_path, text):
    file = tmp_path / "table.json"
    file.write_text(text, encoding="utf-8")
    make_user("nora")
    output = run_import_table(file)
    again = Table.objects.get(accesses__user__username="nora")
    assert (
        f"nora has this table already: {again.name} ({again.code}). With --again it comes in all the same."
    ) == command_error("import_table", file, owner="nora")
    assert 1 == Table.objects.count()
    game_count = archive.filter_by_status(again).count()  # the file has a discarded game too
    assert (f"{again.name} ({again.code}) is here, with {game_count} games.", 1) == (
        output.strip(),
        again.games.count() - game_count,
    )
    run_import_table(file, again=True)
    assert 2 == Table.objects.filter(accesses__user__username="nora").count()
