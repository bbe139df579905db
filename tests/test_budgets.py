"""A limit on the work of every request, in counted steps: too many are refused, and no score changes.

`python -m tests.benchmarks.attacks` measures the time of such requests; these tests count steps, queries and
searches.
"""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import localdate, now

from games.files.services import file_reader, file_writer, imports
from games.models import MOST_ACTIVE, TABLES_A_DAY, Device, Member, Table
from games.money.services import starting_balances
from games.play.services import duplicates, recording
from games.scoring import validation, zero_sums
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, GameStarted, RoundPlayed
from games.scoring.ledger import settlement
from games.scoring.replay import replay
from games.scoring.solvers import leftovers, placing
from games.scoring.step_budget import count_steps, spend_steps
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation import parse_line
from games.tables.services import devices, guests, membership
from tests.commands import run_command
from tests.factories import get_last_night, make_table, make_user, new_key, start
from tests.hard_rounds import CONGA, EIGHT, game_text, hard_rounds
from tests.notebook_imports import preview_nights, run_nights_import
from tests.reader import read_page


@pytest.fixture
def client():
    return Client(headers={"accept-language": "en"})


def create_large_table(owner, count):
    """Create a table with this many members, as an imported file may have."""
    table = make_table(owner, people=())
    Member.objects.bulk_create(
        Member(table=table, slug=f"p{number}", name=f"P{number}", colour=number % 8 + 1)
        for number in range(count)
    )
    return table


def record_balances(table, owner):
    """Record starting balances that give every member a debt or a credit."""
    slugs = list(table.members.values_list("slug", flat=True))
    chance = random.Random(len(table.name))
    amounts = [chance.randint(1, 10**6) for _slug in slugs[1:]]
    balances = dict(zip(slugs, [-sum(amounts), *amounts], strict=True))
    starting_balances.record(table, balances, seen=0, key=new_key(), by=owner)


# --- who pays whom ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [13, 16, 17, 40, 500])
def test_however_contrived_the_amounts_the_search_ends(people, monkeypatch):
    """The search for groups that add up to zero takes a bounded number of steps.

    These amounts contain few pairs of opposites, but many groups add up to zero.
    """
    compared = []

    def counting(steps):
        compared.append(steps)
        spend_steps(steps)

    monkeypatch.setattr(zero_sums, "spend_steps", counting)
    amounts = [2, 2, 3, -5, 4, 1, 6, -7, 8, 9, -10, 11, -12, 13, -14, -15][: people - 1]
    amounts += [7 * number for number in range(len(amounts) + 1, people)]
    net = {f"p{seat}": amount for seat, amount in enumerate([*amounts, -sum(amounts)])}
    assert not any(apply_payments(net, settlement(net).transfers).values())
    assert sum(compared) <= 3 * (zero_sums.MAX_COMPARISONS + 2**zero_sums.SEARCH_UP_TO)


def apply_payments(net, paid):
    remaining = dict(net)
    for line in paid:
        remaining[line.payer] += line.amount
        remaining[line.payee] -= line.amount
    return remaining


@pytest.mark.slow
def test_five_hundred_members_take_no_more_queries_than_five(owner, client):
    client.force_login(owner)

    def queries(table):
        record_balances(table, owner)
        counts = []
        for name in ("accounts", "lobby"):
            with CaptureQueriesContext(connection) as caught:
                assert 200 == client.get(reverse(name, args=[table.code])).status_code
            counts.append(len(caught))
        return counts

    queries(create_large_table(owner, 3))
    few, many = queries(create_large_table(owner, 5)), queries(create_large_table(owner, 500))
    assert [] == [counts for counts in zip(few, many, strict=True) if counts[1] > counts[0]]


@pytest.mark.parametrize("page", ["home", "accounts", "season", "player", "games", "night", "lobby"])
def test_a_page_asks_the_database_nothing_twice(owner, client, finished, page):
    table = finished.table
    client.force_login(owner)
    args = {"home": [], "player": [table.code, "ana"], "night": [table.code, get_last_night(table)]}
    address = reverse(page, args=args.get(page, [table.code]))
    with time_machine.travel(now() + timedelta(days=1)):
        client.get(address)
        with CaptureQueriesContext(connection) as caught:
            assert 200 == client.get(address).status_code

    assert [] == [sql for sql, times in Counter(query["sql"] for query in caught).items() if times > 1]


# --- how many at a table ----------------------------------------------------------------------------------------------


def test_the_sixty_first_who_plays_is_refused_on_the_page_in_the_api_and_if_they_come_back(owner, client):
    table = create_large_table(owner, MOST_ACTIVE)
    gone = table.members.first()
    membership.retire(gone)
    membership.add(table, "Zoe")
    client.force_login(owner)
    sentence = "At most 60 people can play at a table. Remove one from future games first."
    page = client.post(reverse("add-member", args=[table.code]), {"name": "Yago"})
    answer = client.post(
        reverse("api-member-list", args=[table.code]), {"name": "Yago"}, content_type="application/json"
    )

    assert (422, True) == (page.status_code, sentence in read_page(page).only("main").text)
    assert (422, sentence) == (answer.status_code, answer.json()["detail"])
    with pytest.raises(RuleError, match="At most 60 people can play"):
        membership.reactivate(gone)
    assert MOST_ACTIVE == table.members.active().count()


# --- hands that take long ---------------------------------------------------------------------------------------------


def replay_steps(log):
    with count_steps() as effort:
        replay(log)
    return effort.used


@pytest.mark.slow
def test_the_hardest_hands_known_fit_the_budget_of_a_game_twenty_times():
    assert replay_steps(hard_rounds(20)) <= validation.MAX_STEPS


def test_the_whole_of_three_packs_in_a_round_is_added_up():
    sets = "".join("{" + " ".join([rank] * 9) + "}" for rank in "345")
    cards = " ".join(rank for rank in ("6", "7", "8", "9", "10", "J", "Q", "K", "A") for _copy in range(12))
    hands = f"p0={sets} p1=[{cards}] " + " ".join(f"p{number}=1" for number in range(2, 8))
    people = " ".join(player.id for player in EIGHT)
    game = f"game loba_mas packs=3 target=1000 settlement=none\nplayers {people}\nround p0 out {hands}\n"
    state = play_game_file(parse_game_file(game)).state
    assert state
    assert -12 * 17 == state.rounds[0].points["p1"]


def test_steps_are_the_same_whether_answers_are_kept_or_not():
    log = hard_rounds(2)
    leftovers._cached_solver.cache_clear()
    assert replay_steps(log) == replay_steps(log)


def test_a_round_counted_before_is_not_solved_again(monkeypatch):
    log = hard_rounds(2)
    scored, second = replay(log), log[2]
    assert isinstance(second, RoundPlayed)

    def solved_again(*_hands):
        raise AssertionError("this round was solved before")

    monkeypatch.setattr(placing, "table_states", solved_again)
    corrected = replay([*log, Corrected(2, second)])
    assert (scored.rounds[1].points, scored.rounds) == (corrected.rounds[0].points, replay(log).rounds)


def start_hard_game(owner):
    table = create_large_table(owner, 8)
    return recording.start_game(table, GameStarted("chinchon", CONGA, EIGHT), key=new_key(), by=owner)


def test_a_round_that_takes_too_much_is_refused_and_its_points_are_taken(owner, monkeypatch):
    game, (_start, hard, *_) = start_hard_game(owner), hard_rounds(1)
    monkeypatch.setattr(validation, "MAX_STEPS", replay_steps(game.log()) + 1000)
    with pytest.raises(RuleError, match="too long to count"):
        recording.record(game, hard, after=1, key=new_key(), by=owner)
    points = replay((*game.log(), hard)).rounds[0].points
    counted_by_hand = " ".join(f"{player}={max(0, count)}" for player, count in points.items())
    state = recording.record(
        game, *parse_line(f"round p0 cut {counted_by_hand}"), after=1, key=new_key(), by=owner
    )
    assert points == dict(state.rounds[0].points)


def test_a_game_that_takes_more_than_the_budget_is_still_undone_and_read_in(owner, monkeypatch):
    game, (_start, hard, *_) = start_hard_game(owner), hard_rounds(1)
    recording.record(game, hard, after=1, key=new_key(), by=owner)
    monkeypatch.setattr(validation, "MAX_STEPS", 1000)
    file = file_writer.write_table(game.table).encode()
    assert 1 == len(file_reader.read_table(file).games)
    assert () == recording.undo(game, after=2, key=new_key(), by=owner).rounds


def test_what_a_page_refuses_as_too_much_the_command_takes(owner, client, tmp_path, monkeypatch):
    game, log = start_hard_game(owner), hard_rounds(1)
    recording.record(game, *log[1:], after=1, key=new_key(), by=owner)
    file = tmp_path / "mesa.json"
    file.write_text(file_writer.write_table(game.table))
    monkeypatch.setattr("games.files.services.file_reader.MOST_STEPS", 1000)
    client.force_login(make_user("nora"))
    with file.open("rb") as upload:
        page = client.post(reverse("import-table"), {"file": upload, "key": new_key()})
    assert (422, True) == (page.status_code, "command line" in read_page(page).alerts[-1])
    call_command("import_table", str(file), owner="nora")
    assert 2 == Table.objects.count()


def test_hands_are_solved_before_anybody_waits_for_it(owner, monkeypatch):
    """Hands are solved and cached before the transaction, so that nothing is left to solve inside it."""
    game, log = start_hard_game(owner), hard_rounds(1)
    leftovers._cached_solver.cache_clear()
    with monkeypatch.context() as outside:
        outside.setattr(transaction.get_connection(), "in_atomic_block", False)
        recording.presolve(game, *log[1:])
    monkeypatch.setattr(placing, "table_states", None)
    assert 1 == len(recording.record(game, *log[1:], after=1, key=new_key(), by=owner).rounds)


def test_rules_agreed_again_and_again_end_at_a_line(client, db):
    options = " ".join(f"{name}={value}" for name, value in CONGA)
    lines = "".join(
        f"correct 1 game chinchon {options} wild_value={1 + count % 99}\n" for count in range(600)
    )
    answer = client.post(
        reverse("api-score"), {"game": game_text(hard_rounds(1)) + lines}, content_type="application/json"
    )
    assert (422, "too_much") == (answer.status_code, answer.json()["code"])


# --- what is held while others wait ----------------------------------------------------------------------------------


def notebook_text(nights, people):
    head = "fecha;" + ";".join(f"Nombre{number}" for number in range(people))
    rows = (f"{1 + n % 28}/{1 + n // 28}/2020;{people - 1}" + ";-1" * (people - 1) for n in range(nights))
    return "\n".join([head, *rows])


def count_import_queries(table, owner, nights, people=3):
    """Return the number of queries for importing this many nights, and for reverting that."""
    at, counts = now(), []
    for act in (
        lambda: run_nights_import(table, notebook_text(nights, people), at=at),
        lambda: imports.revert(table.arrivals.get(at=at), by=owner),
    ):
        with CaptureQueriesContext(connection) as caught:
            act()
        counts.append(len(caught))
        assert nights == table.games.count()
    return counts


def test_thirty_old_nights_are_taken_over_and_back_in_as_many_queries_as_three(owner):
    three, thirty = (count_import_queries(make_table(owner, people=()), owner, nights) for nights in (3, 30))
    assert all(more <= few + 12 for few, more in zip(three, thirty, strict=True)), (three, thirty)


def test_more_old_nights_than_others_should_wait_for_come_in_parts(table):
    assert 300 == preview_nights(table, notebook_text(300, 13)).count
    with pytest.raises(
        ValueError, match=r"At most 4000 results can be imported at a time\. Split the file\."
    ):
        preview_nights(table, notebook_text(300, 14))


# --- what piles up ----------------------------------------------------------------------------------------------------


def test_nobody_opens_tables_without_end_in_a_day(owner):
    for number in range(TABLES_A_DAY):
        make_table(owner, people=(), name=f"Mesa {number}")
    with pytest.raises(RuleError, match="At most 10 tables"):
        make_table(owner, people=())
    with time_machine.travel(now() + timedelta(days=1, minutes=1)):
        make_table(owner, people=())


def test_a_person_is_signed_in_on_so_many_phones_and_the_longest_unseen_ends(owner, monkeypatch):
    monkeypatch.setattr(devices, "MOST_DEVICES", 2)
    owner.set_password("a long one for ana")
    owner.save()
    phones = [Client() for _phone in range(3)]
    for days, phone in enumerate(phones):
        phone.post(reverse("login"), {"username": "ana", "password": "a long one for ana"})
        phone.get(reverse("home"))
        Device.objects.filter(session_key=phone.session.session_key).update(
            seen_on=localdate() - timedelta(days=9 - days)
        )
    assert [False, True, True] == ["_auth_user_id" in phone.session for phone in phones]


def test_games_under_way_are_bounded_and_one_taken_away_makes_room(owner, table, monkeypatch):
    monkeypatch.setattr(duplicates, "MOST_RUNNING", 2)
    game, _other = start(table, owner), start(table, owner)
    with pytest.raises(RuleError, match="2 games are in progress"):
        start(table, owner)
    recording.discard_game(game)
    start(table, owner)


def test_games_of_a_night_are_bounded_and_the_next_night_begins_anew(owner, table, monkeypatch):
    monkeypatch.setattr(duplicates, "MOST_GAMES_A_NIGHT", 2)
    recording.discard_game(start(table, owner))
    start(table, owner)
    with pytest.raises(RuleError, match="At most 2 games can start in one night"):
        start(table, owner)
    with time_machine.travel(now() + timedelta(days=1)):
        start(table, owner)


def test_a_table_nobody_ever_played_at_is_shut(owner, table):
    unused = make_table(guests.create(), people=())
    start(table, owner)
    Table.objects.update(created_at=now() - timedelta(days=200))
    assert "Shut, since nobody ever played there: 1 table." in run_command("clean")
    assert (True, False) == tuple(
        stored_table.erased_at is not None
        for stored_table in (Table.objects.get(pk=unused.pk), Table.objects.get(pk=table.pk))
    )
