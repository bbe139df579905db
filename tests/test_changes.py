"""The change feed of a table: every write of a service adds changes, once and in order; readers miss none."""

from __future__ import annotations

import ast
import threading
from collections import Counter
from contextlib import contextmanager
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils.timezone import now

from games.changes import OF_ACCOUNTS, PAGE, UnknownChange, news_of, tell
from games.keys import new_key
from games.models import (
    Change,
    ChangeKind,
    Game,
    Grant,
    Member,
    Method,
    Payment,
    Record,
    Result,
    Role,
    Season,
    SharedCost,
    Table,
)
from games.money import holders, payments
from games.money.balances import newest_entry, read_accounts
from games.money.costs import CostWords, cancel_cost, share_cost
from games.money.merging import merge, preview_merge, unmerge
from games.money.opening import StartingBalance, open_balances, take_balances_back
from games.money.simplifying import simplified, simplify
from games.money.spot import owe_again, pay_on_the_spot, set_habit
from games.notebook.books.audit import check_table
from games.notebook.old_games import import_preview_of
from games.notebook.old_nights import read_old_notebook
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.taking_over import take_back, take_over
from games.notebook.writing import write_table
from games.people.claims import accept_claim, claim, end_claim
from games.people.clocks import change_zone
from games.people.coins import change_smallest_coin
from games.people.deletion import delete_account
from games.people.guests import bring_along, make_guest
from games.people.invitations import accept_invite, make_new_phone
from games.people.leaving import leave
from games.people.members import add_member, change_member, rename_table
from games.people.regions import change_region
from games.people.removals import undo_removal
from games.play import recording as services
from games.play.bulk import Played, write_games
from games.play.seating import Sitter, Sitting, sit_down
from games.scoring.events import Corrected
from games.scoring.text.notation import read_line
from games.scoring.variants import find_variant
from games.season.seasons import change_season, drop_season
from tests.tables import a_key, a_round, become, end_season, make_table, make_user, start, the_night

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
NOTEBOOK = "fecha;Ana;Eva\n1/5/24;-7;7\n2/5/24;3;-3\n"
WINGS = ("people", "money", "play", "season", "notebook")

# Services that write, and nothing that a follower of the table keeps: who may do what there, and a table made whole,
# which is read before it is followed.
SILENT = {
    *("hand_over", "put_out", "revoke_invite", "make_invite", "make_spare", "make_new_phone"),
    # until the night or the round ends; a round that is recorded tells of its hands
    *("tap_face", "offer_hand", "withdraw_hand"),
    *("keep_grant", "make_guest", "open_table", "found_table", "make_trial", "restore_table"),
    *("use_link", "make_token", "sign_out_on", "sign_out_elsewhere", "end_watching"),
    # the table is hidden, and so is its feed
    *("erase", "finish_erasing", "finish_all", "shut_unused", "drop_lost_guests"),
    # after a restore, when no follower has come yet (tests/people/test_restored.py)
    *("erase_account", "revoke_links", "keep_owned", "end_again"),
    # faces of one night; what an owner's yes changes is told by `claim` and `add_member`
    *("tap_face", "leave_face", "propose", "agree", "refuse", "admit", "turn_down", "sit", "come_in"),
    *("show_tonight", "pass_pen", "take_pen_back"),
    *("append", "release", "end_session"),  # parts of services that record
    "simplified",  # it only reads
}


def newest(table):
    return Table.objects.values_list("newest_change", flat=True).get(pk=table.pk)


def told(table, since=0):
    """Return the kinds of the changes with a number above `since`."""
    return list(table.changes.filter(number__gt=since).values_list("what", flat=True))


# --- every service ----------------------------------------------------------------------------------------------------


def services_that_write():
    """Return the names of the public functions in the wings that open a transaction.

    A function counts too if it calls one of its own module that does.
    """
    services = set()
    for wing in WINGS:
        for file in (Path(settings.BASE_DIR) / "games" / wing).rglob("*.py"):
            functions = [
                node for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef)
            ]
            opening = {function.name for function in functions if "atomic" in names_in(function)}
            while more := {function.name for function in functions if names_in(function) & opening} - opening:
                opening |= more
            services |= {name for name in opening if not name.startswith("_")}
    return services


def names_in(function):
    """Return every name and attribute in this function's code."""
    nodes = list(ast.walk(function))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {
        node.id for node in nodes if isinstance(node, ast.Name)
    }


def an_evening(table, owner):
    """Yield, for every service that writes, its name and a function that calls it.

    The result of each call is sent back into this generator.
    """
    yield "change_smallest_coin", lambda: [change_smallest_coin(table, decimals) for decimals in (2, 0)]
    game = yield "start_game", lambda: start(table, owner, stake=100)
    eva = yield "add_member", lambda: add_member(table, "Eva")
    yield "change_member", lambda: change_member(eva, name="Evita", colour=3)
    yield "rename_table", lambda: rename_table(table, "Mesa de los viernes")
    yield "change_zone", lambda: change_zone(table, "America/Santiago")
    yield "change_region", lambda: change_region(table, "es-CL")
    yield "set_account", lambda: holders.set_account(eva, "eva.loba.mp")
    yield "retire", lambda: holders.retire(eva)
    yield "bring_back", lambda: holders.bring_back(eva)
    yield "record", lambda: services.record(game, lost_round(), after=1, key=a_key(), by=owner)
    yield "undo", lambda: services.undo(game, after=2, key=a_key(), by=owner)
    yield "redo", lambda: services.redo(game, after=3, key=a_key(), by=owner)
    yield "record", lambda: correct(game, 2, owner)
    stop = read_line("stop lowest_wins")
    yield "record", lambda: services.record(game, *stop, after=len(game.log()), key=a_key(), by=owner)
    yield from the_money(table, game, owner)
    yield "sit_down", lambda: sit_down(table, two_at(table), key=a_key(), by=owner)
    yield "discard_game", lambda: services.discard_game(game)
    yield "restore_game", lambda: services.restore_game(game)
    yield from the_people(table, owner)
    yield from the_seasons(table)
    yield from the_notebook(table, owner, game)


def the_money(table, game, owner):
    who = {member.slug: member for member in table.members.all()}
    debt = read_accounts(table).to_pay[0]
    seen = {"version": debt.version, "claims": debt.claims, "by": owner}
    yield "tick", lambda: payments.tick(table, debt.payer, debt.payee, **seen)
    yield "pay_on_the_spot", lambda: pay_on_the_spot(game, by=owner)
    yield "owe_again", lambda: owe_again(game, by=owner)
    yield "set_habit", lambda: [set_habit(table, pays_on_the_spot=is_on) for is_on in (True, False)]
    beto, ana = who["beto"], who["ana"]
    payment = yield "pay", lambda: payments.pay(table, beto, ana, 60, key=a_key(), by=owner)
    become(owner, ana)
    yield "dispute", lambda: payments.dispute(payment, by=owner, objection="no me llegó")
    yield "confirm", lambda: payments.confirm(payment, by=owner)
    yield "take_back", lambda: payments.take_back(payment, by=owner, reason="no fue")
    yield from the_pizza(table, owner, who)
    before = [StartingBalance(5, slug="ana"), StartingBalance(-5, name="Zoe")]
    kept = {"seen": newest_entry(table), "key": a_key(), "by": owner}
    opening = yield "open_balances", lambda: open_balances(table, before, **kept)
    yield "take_balances_back", lambda: take_balances_back(table, opening.number, by=owner)
    for payer, payee in (("dani", "caro"), ("beto", "dani")):  # a chain of two debts
        payments.pay(table, who[payer], who[payee], 900, key=a_key(), by=owner)
    week_later, seen_then = now() + 7 * DAY, simplified(table).seen  # nobody is a visitor any more
    yield "simplify", lambda: simplify(table, seen=seen_then, by=owner, at=week_later)
    Result.objects.filter(game=game).update(points=99)
    yield "check_table", lambda: check_table(table, repair=True)
    yield "retire", lambda: holders.retire(who["dani"])


def the_pizza(table, owner, who):
    night = the_night(table)
    pizza = CostWords(who["beto"], 1000, (who["ana"], who["beto"]), "pizza")
    cost = yield "share_cost", lambda: share_cost(table, night, pizza, key=a_key(), by=owner)
    yield "cancel_cost", lambda: cancel_cost(cost, by=owner, reason="no fue")


def the_people(table, owner):
    caro, guest, user = table.members.get(slug="caro"), make_guest(), make_user("carola")
    yield "claim", lambda: claim(caro, guest, is_agreed=False)
    yield "bring_along", lambda: bring_along(guest, user)
    yield "accept_claim", lambda: accept_claim(caro, of=user.pk)
    yield "end_claim", lambda: end_claim(caro, of=user.pk)
    carolina = add_member(table, "Carolina")
    payments.pay(table, caro, carolina, 5, method=Method.CASH, key=a_key(), by=owner)
    claim(carolina, user, is_agreed=True)
    yield "merge", lambda: merge(carolina, caro, seen=preview_merge(carolina, caro).seen, by=owner)
    yield "unmerge", lambda: unmerge(carolina, by=owner)
    come_as(caro)
    invite, _token = make_new_phone(caro, by=owner)
    yield "accept_invite", lambda: accept_invite(invite, make_guest())  # other invitations are silent
    yield "undo_removal", lambda: undo_removal(table.removals.get(), by=owner)
    for name, goes in (("leave", lambda user: leave(table, by=user)), ("delete_account", delete_account)):
        somebody = come_as(caro)
        yield name, partial(goes, somebody)


def come_as(member):
    """Return a new user who is a witness of the table and confirmed as this member."""
    user = make_user(new_key())
    Grant.objects.create(user=user, table=member.table, role=Role.WITNESS)
    become(user, member)
    return user


def the_seasons(table):
    season = table.seasons.get()
    yield "change_season", lambda: change_season(season, name="Verano", first_day=season.starts_on - DAY)
    last_day = season.starts_on
    yield "begin_season", lambda: end_season(season.table, last_day=last_day, next_name="Otoño")
    yield "drop_season", lambda: drop_season(table.seasons.latest("starts_on"))


def the_notebook(table, owner, game):
    notebook, key = read_old_notebook(NOTEBOOK, decimals=0, today=date(2026, 10, 1)), a_key()

    def look():
        return import_preview_of(table, notebook)

    add_member(table, "Eva")
    seen = look().seen
    yield "take_over", lambda: take_over(table, look, seen=seen, paid=True, key=key, by=owner)
    yield "take_back", lambda: take_back(table, key=key, by=owner)
    played = Played("made-up", game.log()[:1], [game.started_at])
    yield "write_games", lambda: write_games(table, [played], by=owner)


def two_at(table):
    """Return the start of a game of Chinchón with the member Ana and a newcomer."""
    variant = find_variant("chinchon")
    people = [Sitter("ana"), Sitter(name="Zulema")]
    return Sitting(variant, variant.house({}), people, variant.direction)


def lost_round():
    return a_round("ana", beto=23, caro=40, dani=9)


def correct(game, number, by):
    """Correct this event to a round in which Beto has 12 points."""
    entry = a_round("ana", beto=12, caro=40, dani=9)
    return services.record(game, Corrected(number, entry), after=len(game.log()), key=a_key(), by=by)


def rows(table):
    """Return the rows of the table that a copy must have, as dicts of fields, by model and key."""
    kept = {
        Table: Table.objects.filter(pk=table.pk).defer("revision", "newest_change"),
        Season: table.seasons.all(),
        Member: table.members.all(),
        Game: table.games.all(),
        Record: Record.objects.filter(game__table=table),
        Payment: table.payments.all(),
        SharedCost: table.costs.all(),
    }
    return {
        (model, row.pk): {name: value for name, value in vars(row).items() if name != "_state"}
        for model, kept_rows in kept.items()
        for row in kept_rows
    }


# Fields of a game that repeat its records change with these; its season changes with the seasons.
REPEATED = {"variant", "ended_at", "pot", "decided_in", "season_id"}


def to_be_told(before, after):
    """Return what the changes must name: for each written row, the row itself or a kind of change."""
    wanted = set()
    for (model, pk), row in after.items():
        was = before.get((model, pk), {})
        differing = {name for name, value in row.items() if name not in was or was[name] != value}
        if model is Game:
            differing -= REPEATED if was else set()
        if differing:
            wanted.add(subject(model, pk, row))
    return wanted | {subject(model, pk, before[model, pk]) for model, pk in before.keys() - after.keys()}


def subject(model, pk, row):
    match model:
        case _ if model is Season:
            return ChangeKind.SEASONS_CHANGED
        case _ if model is Table:
            return ChangeKind.TABLE_CHANGED
    return (model, pk)


def subjects(changes):
    """Return the rows and kinds that these changes name.

    A change that adds a whole game stands for all its records.
    """
    whole = Record.objects.filter(game__in=changes.filter(what=ChangeKind.GAME_ADDED).values("game"))
    about = {(Record, pk) for pk in whole.values_list("pk", flat=True)}
    for change in changes:
        about |= {change.what} | {
            (type(row), row.pk)
            for row in (change.game, change.record, change.payment, change.cost, change.member)
            if row is not None
        }
    return about


def test_every_service_tells_of_whatever_it_wrote(table, owner):
    walked, walk = set(), an_evening(table, owner)
    name, act = next(walk)
    while name:
        before, since = rows(table), newest(table)
        came_to = act()
        changes = table.changes.filter(number__gt=since)
        assert set() == to_be_told(before, rows(table)) - subjects(changes), name
        assert changes, name
        walked.add(name)
        name, act = following(walk, came_to)

    assert services_that_write() - SILENT == walked
    assert list(range(1, newest(table) + 1)) == list(table.changes.values_list("number", flat=True))
    assert set(ChangeKind) == set(told(table))


def following(walk, came_to):
    try:
        return walk.send(came_to)
    except StopIteration:
        return None, None


def test_what_records_nothing_new_tells_nothing(table, owner, game):
    key = a_key()
    services.record(game, lost_round(), after=1, key=key, by=owner)
    since = newest(table)

    services.record(game, lost_round(), after=1, key=key, by=owner)
    services.restore_game(game)
    rename_table(table, table.name)
    ana = table.members.get(slug="ana")
    change_member(ana, name=ana.name, colour=ana.colour)
    holders.bring_back(ana)
    holders.set_account(ana, "")

    assert [] == told(table, since)


def test_a_game_begins_with_its_first_event_and_goes_on_with_one_change_an_event(table, owner):
    since = newest(table)
    game = start(table, owner, stake=100)
    services.record(game, lost_round(), *read_line("stop lowest_wins"), after=1, key=a_key(), by=owner)
    changes = table.changes.filter(number__gt=since).select_related("record")

    assert [("game_begun", 1), ("event_recorded", 2), ("event_recorded", 3)] == [
        (change.what, change.record.number) for change in changes
    ]


def test_a_table_read_in_from_its_file_has_told_nothing_yet(table, game):
    text = write_table(table)
    again = restore_table(read_table(text.encode()), key=a_key(), by=make_user("nora"))

    assert (0, []) == (newest(again), told(again))
    assert "newest_change" not in text


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_each_table_counts_for_itself_and_without_gaps(table, owner):
    other = make_table(owner, people=("Zoe",), name="Otra")

    assert ([1, 2, 3, 4], [1]) == tuple(
        list(one.changes.values_list("number", flat=True)) for one in (table, other)
    )


def test_what_was_refused_leaves_no_gap(table, game, owner):
    since = newest(table)
    with transaction.atomic():
        services.discard_game(game)
        transaction.set_rollback(True)
    game.refresh_from_db()
    services.discard_game(game)

    assert [(since + 1, "game_discarded")] == list(
        table.changes.filter(number__gt=since).values_list("number", "what")
    )


def test_no_number_stands_twice(table):
    with pytest.raises(IntegrityError), transaction.atomic():
        Change.objects.create(table=table, number=1, what=ChangeKind.TABLE_CHANGED)


def test_the_books_name_a_table_whose_feed_lost_a_change(table):
    assert [] == check_table(table).differences
    table.changes.filter(number=2).delete()

    assert ["changes: 3 up to 4, and should be 4"] == [str(one) for one in check_table(table).differences]


# --- reading ----------------------------------------------------------------------------------------------------------


def read_all(table, *, since=0, with_accounts=True):
    """Return all changes after `since`, read page by page."""
    changes: list[Change] = []
    while True:
        table.refresh_from_db()
        news = news_of(table, since, with_accounts=with_accounts)
        changes += news.changes
        since = news.seen
        if since == news.newest:
            return changes


def test_whoever_is_up_to_date_costs_no_query(table, django_assert_num_queries):
    table.refresh_from_db()
    with django_assert_num_queries(0):
        news = news_of(table, 4, with_accounts=True)

    assert ((), 4, 4) == (news.changes, news.seen, news.newest)


@pytest.mark.parametrize("since", [-1, 5])
def test_a_number_that_was_never_handed_out_is_refused(table, since):
    table.refresh_from_db()
    with pytest.raises(UnknownChange):
        news_of(table, since, with_accounts=True)


def test_pages_follow_each_other_without_a_gap_or_a_repetition(table, django_assert_num_queries):
    tell(table, *(Change(what=ChangeKind.TABLE_CHANGED) for _ in range(2 * PAGE)))
    table.refresh_from_db()
    with django_assert_num_queries(1):
        first = news_of(table, 0, with_accounts=True)

    assert (PAGE, PAGE, 2 * PAGE + 4) == (len(first.changes), first.seen, first.newest)
    assert list(range(1, 2 * PAGE + 5)) == [change.number for change in read_all(table)]


def test_of_the_accounts_nothing_is_told_to_who_only_sees_games(table, owner, pay):
    since = newest(table)
    pay("beto", "ana", 100)
    holders.set_account(table.members.get(slug="ana"), "ana.mp")
    start(table, owner)

    assert ["game_begun"] == [change.what for change in read_all(table, since=since, with_accounts=False)]
    assert 3 == len(read_all(table, since=since))


def test_a_page_of_nothing_but_accounts_still_leads_on(table):
    tell(
        table,
        *(Change(what=ChangeKind.ACCOUNT_CHANGED) for _ in range(PAGE)),
        Change(what=ChangeKind.TABLE_CHANGED),
    )
    table.refresh_from_db()
    news = news_of(table, 4, with_accounts=False)

    assert ((), PAGE + 4) == (news.changes, news.seen)
    assert [PAGE + 5] == [one.number for one in read_all(table, since=4, with_accounts=False)]


def test_whatever_is_about_money_is_of_the_accounts():
    """Only readers of the accounts get these kinds, because the others are sent to everybody."""
    assert {what for what in ChangeKind if what.startswith(("payment_", "night_", "account_"))} <= set(
        OF_ACCOUNTS
    )


# --- two at once ------------------------------------------------------------------------------------------------------


@contextmanager
def beside(act):
    """Run `act` in a thread with a connection of its own during the `with` block."""

    def do():
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=do)
    thread.start()
    yield
    thread.join(10)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write at a time")
def test_a_writer_who_would_be_done_before_an_earlier_one_is_not_seen_first(table, owner):
    """The first writer has its number and waits; the second tries to commit first, while a third reads."""
    first, second = start(table, owner), start(table, owner)
    seen: list[Change] = []
    reads: Counter[int] = Counter()
    numbered, committed = threading.Event(), threading.Event()

    def dawdle():
        with transaction.atomic():
            services.record(first, lost_round(), after=1, key=a_key(), by=owner)
            numbered.set()
            committed.wait(0.3)  # no event comes: the other one cannot commit first

    def hurry():
        numbered.wait(5)
        services.record(second, lost_round(), after=1, key=a_key(), by=owner)
        committed.set()

    def read():
        table.refresh_from_db()
        news = news_of(table, seen[-1].number if seen else 0, with_accounts=True)
        seen.extend(news.changes)
        reads[news.newest] += 1

    with beside(dawdle), beside(hurry):
        while not committed.is_set():
            read()
    read()

    assert list(range(1, newest(table) + 1)) == [change.number for change in seen]
    assert [first, second] == [change.record and change.record.game for change in seen[-2:]]
    assert reads[newest(table) - 2] > 1, "nobody read while the first one dawdled"


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write at a time")
def test_two_rounds_and_a_new_name_at_once_have_a_number_each(table, owner):
    game, other = start(table, owner), start(table, owner)
    services.record(game, lost_round(), after=1, key=a_key(), by=owner)

    with (
        beside(lambda: services.record(game, lost_round(), after=2, key=a_key(), by=owner)),
        beside(lambda: services.record(other, lost_round(), after=1, key=a_key(), by=owner)),
        beside(lambda: rename_table(table, "Otra")),
    ):
        pass

    assert list(range(1, newest(table) + 1)) == [change.number for change in read_all(table)]
    assert ["event_recorded"] * 2 + ["table_changed"] == sorted(told(table, newest(table) - 3))
