"""ETags of answers about a table, known before anything is read: a write changes the tag of what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Access, Method, Role, Table
from games.money.services import (
    accounting,
    cash_settlement,
    debt_settlement,
    expense_corrections,
    expenses,
    fewest_payments,
    member_merges,
    payments,
    proposals,
    starting_balances,
)
from games.play.services import recording
from games.scoring.events import Corrected, Struck
from games.seasons.services import season_setup
from games.tables.services import confirmations, erasure, links, lobby, membership, setup
from games.tables.services.roster import People
from tests import bulk_actions
from tests.api.test_operations import operations
from tests.factories import (
    build_expense,
    build_round,
    confirm_as_member,
    get_last_night,
    grant_access,
    make_user,
    new_key,
    start,
    winning_round,
)

pytestmark = pytest.mark.django_db

READ_BEFORE_ANYTHING_ELSE = 4  # the token's user, its use, the access, and the names


class Books:
    """A table with rows of every kind, and its owner's program."""

    def __init__(self, table: Table, owner: User) -> None:
        self.table, self.owner = table, owner
        self.ana, self.beto, self.caro, self.dani = table.members.all()
        confirm_as_member(owner, self.ana)
        self.finished = start(table, owner, stake=100)
        recording.record(self.finished, winning_round("ana"), after=1, key=new_key(), by=owner)
        self.game = start(table, owner, stake=100)
        recording.record(
            self.game, build_round("ana", beto=10, caro=5, dani=1), after=1, key=new_key(), by=owner
        )
        self.guest = make_user("guest-of-beto")
        self.guest.set_unusable_password()
        self.guest.save()
        self.beto_access = confirm_as_member(self.guest, self.beto)
        self.payment = payments.create(
            table, self.caro, self.ana, 5, key=new_key(), by=owner, role=Role.OWNER
        )
        self.claim = payments.create(table, self.beto, self.ana, 7, key=new_key(), by=self.guest)
        self.cost = self.expense()
        self.proposal = self.expense(self.beto, by=self.guest, is_proposal=True)
        self.opening = starting_balances.record(
            table,
            {"ana": 50, "beto": -50},
            seen=accounting.latest_entry_number(table),
            key=new_key(),
            by=owner,
        )

    def expense(self, payer=None, **how):
        content = build_expense(payer or self.ana, 90, (self.ana, self.beto))
        night = get_last_night(self.table)
        return expenses.create(self.table, night, content, **{"key": new_key(), "by": self.owner, **how})

    def other_content(self):
        return build_expense(self.caro, 60, (self.ana, self.beto), "vino")

    def merge(self):
        anita = membership.add(self.table, "Anita")
        seen = member_merges.preview(anita, self.dani).digest
        return member_merges.merge(anita, self.dani, seen=seen, by=self.owner)

    def discard_and_restore(self):
        recording.discard_game(self.finished, by=self.owner)
        recording.restore_game(self.finished, by=self.owner)

    def debt(self):
        return accounting.load_accounts(self.table, People.of(self.table)).debts[0]


@pytest.fixture
def books(table, owner):
    return Books(table, owner)


def addresses(table: Table) -> list[str]:
    """Return the addresses of all that a program can read about a table, with those of each of its games."""
    games = [game.code for game in table.games.order_by("pk")]
    ids = {
        **{"member": "ana", "what": "entries", "night": games and str(get_last_night(table))},
        "payment": table.payments.order_by("pk").values_list("pk", flat=True).first() or 0,
    }
    found = []
    for method, path in operations().values():
        if method == "get" and "{code}" in path:
            codes = games if "/games/{" in path else [table.code]
            found += [path.format_map({**ids, "code": code}) for code in codes]
    return [
        *found,
        *(f"/api/v1/tables/{table.code}/spreadsheets/{what}/" for what in ("results", "payments")),
    ]


def read_all(client: Client, tables: list[Table]) -> dict[str, tuple[bytes, str]]:
    """Return the answer and the ETag of each address that the client may read."""
    answers = {path: client.get(path) for table in tables for path in addresses(table)}
    return {
        path: (answer.getvalue(), answer.headers["ETag"])
        for path, answer in answers.items()
        if answer.status_code == 200
    }


def find_stale(client: Client, known: Mapping[str, tuple[bytes, str]]) -> set[str]:
    """Return the addresses whose former answer is stale. Assert that those with a 304 would be the same."""
    stale = set()
    for path, (content, tag) in known.items():
        if client.get(path, headers={"if-none-match": tag}).status_code != 304:
            stale.add(path)
        elif client.get(path).getvalue() != content:
            raise AssertionError(f"another answer with the same tag: {path}")
    return stale


def rename_guest(on: Books) -> None:
    """Let a guest without a name, who recorded here, get one at another table."""
    fields = setup.clean_fields("Otra", unit="$", decimals=0, language="es-ar", timezone="UTC")
    other = setup.create_table(on.owner, fields)
    confirmations.remove_identity(on.beto_access, by=on.owner)
    link, _token = links.create_personal(other, by=on.owner, role=Role.SCORER)
    links.redeem_personal(link, User.objects.get(pk=on.guest.pk), name="Norberto")


WRITES = {
    # games
    "record": lambda on: recording.record(
        on.game, build_round("beto", ana=1, caro=5, dani=1), after=2, key=new_key(), by=on.owner
    ),
    "correct": lambda on: recording.record(
        on.game,
        Corrected(2, build_round("ana", beto=11, caro=5, dani=1)),
        after=2,
        key=new_key(),
        by=on.owner,
    ),
    "strike": lambda on: recording.record(on.game, Struck(2), after=2, key=new_key(), by=on.owner),
    "undo": lambda on: recording.undo(on.finished, after=2, key=new_key(), by=on.owner),
    "discard": lambda on: recording.discard_game(on.finished, by=on.owner),
    "restore": lambda on: on.discard_and_restore(),
    "start": lambda on: start(on.table, on.owner, variant="chinchon"),
    "on the spot": lambda on: cash_settlement.mark_paid(on.finished, by=on.owner),
    # payments
    "pay": lambda on: payments.create(on.table, on.dani, on.ana, 3, key=new_key(), by=on.owner),
    "void": lambda on: payments.void(on.payment, by=on.owner, role=Role.OWNER, reason="no"),
    "confirm": lambda on: payments.confirm(on.claim, by=on.owner, role=Role.OWNER, is_asking=False),
    "dispute": lambda on: payments.dispute(on.claim, by=on.owner, objection="no llegó"),
    "undo a denial": lambda on: (
        payments.dispute(on.claim, by=on.owner, objection="no"),
        payments.undo_denial(payments_row(on.claim), by=on.owner),
    ),
    "method": lambda on: payments.change_method(on.payment, Method.TRANSFER, "nota", by=on.owner),
    "settle": lambda on: debt_settlement.settle(
        on.table,
        on.debt().payer,
        on.debt().payee,
        version=on.debt().version,
        claims=on.debt().claims,
        by=on.owner,
    ),
    # expenses
    "share": lambda on: on.expense(),
    "propose": lambda on: on.expense(on.beto, by=on.guest, is_proposal=True),
    "accept": lambda on: proposals.accept(on.proposal, by=on.owner),
    "refuse": lambda on: proposals.refuse(on.proposal, by=on.owner, objection="no"),
    "correct an expense": lambda on: expense_corrections.correct(
        on.cost, on.other_content(), key=new_key(), by=on.owner, reason="no"
    ),
    "void an expense": lambda on: expenses.void(on.cost, by=on.owner, reason="no"),
    "void balances": lambda on: starting_balances.void(on.table, on.opening.number, by=on.owner),
    "fewest": lambda on: fewest_payments.update(
        on.table, is_on=not on.table.always_fewest, seen=accounting.latest_entry_number(on.table), by=on.owner
    ),
    # the table and its members
    "add": lambda on: membership.add(on.table, "Eva"),
    "rename": lambda on: membership.update(on.beto, name="Alberto", colour=on.beto.colour),
    "colour": lambda on: membership.update(on.beto, name="Beto", colour=7),
    "payment details": lambda on: membership.set_payment_details(on.ana, "alias.de.ana"),
    "retire": lambda on: membership.retire(membership.add(on.table, "Eva")),
    "merge": lambda on: on.merge(),
    "part": lambda on: member_merges.unmerge(on.merge(), by=on.owner),
    "name": lambda on: setup.change_settings(on.table, name="Otra"),
    "zone": lambda on: setup.change_settings(on.table, timezone="Asia/Tokyo"),
    "region": lambda on: setup.change_settings(on.table, region="en-US"),
    "sign": lambda on: setup.change_settings(on.table, unit="€", confirmed="€"),
    "season": lambda on: season_setup.create(
        on.table, name="Otra", first_day=get_last_night(on.table) + timedelta(days=1)
    ),
    "season's name": lambda on: season_setup.update(on.table.seasons.get(), name="Verano"),
    # users
    "name of a guest": rename_guest,
    "no longer a member": lambda on: confirmations.remove_identity(on.beto_access, by=on.owner),
    "end of an access": lambda on: lobby.revoke(on.beto_access, by=on.owner),
    "deleted account": lambda on: erasure.delete_account(on.guest),
}


def payments_row(payment):
    payment.refresh_from_db()
    return payment


def test_each_write_changes_the_tags_of_the_answers_that_it_changes(books, program_for, rollback_subtest):
    client = program_for(books.owner).client
    before = read_all(client, [books.table])
    for name, write in WRITES.items():
        with rollback_subtest(name):
            write(deepcopy(books))

            assert set() != find_stale(client, before)


@pytest.mark.long
@pytest.mark.parametrize(
    "build", [*bulk_actions.ACTS[4:], *bulk_actions.GAME_ACTS], ids=lambda build: build.__name__
)
def test_each_bulk_action_changes_the_tags_of_the_answers_that_it_changes(program_for, build):
    with bulk_actions.without_bounds():
        act = build(2)
        tables = [*Table.objects.exclude(code__startswith="t")]
        for table in tables:
            owner = Access.objects.filter(table=table, role=Role.OWNER).first()
            if owner is not None:
                client = program_for(owner.user).client
                before = read_all(client, tables)
                act()
                find_stale(client, before)
                break


def test_whoever_reads_has_a_tag_of_their_own_for_their_language_rights_and_night(
    books, program_for, time_machine
):
    time_machine.move_to(datetime(2026, 3, 6, 1, tzinfo=UTC))
    viewer = make_user("vera")
    grant_access(viewer, books.table, Role.SCORER)
    path = f"/api/v1/tables/{books.table.code}/accounts/"
    client, other = program_for(books.owner).client, program_for(viewer).client
    tags = [
        client.get(path).headers["ETag"],
        client.get(path, headers={"accept-language": "es-AR"}).headers["ETag"],
        client.get(f"{path.replace('accounts', 'payments')}?limit=5").headers["ETag"],
        client.get(f"{path.replace('accounts', 'payments')}?limit=6").headers["ETag"],
        other.get(path).headers["ETag"],
    ]
    confirm_as_member(viewer, books.caro)
    tags.append(other.get(path).headers["ETag"])
    time_machine.move_to(datetime(2026, 3, 7, 1, tzinfo=UTC))
    tags.append(client.get(path).headers["ETag"])

    assert len(tags) == len({*tags})


def test_every_unchanged_answer_is_a_304_that_reads_nothing_of_the_table(books, program_for):
    client = program_for(books.owner).client
    for path in addresses(books.table):
        answer = client.get(path)
        with CaptureQueriesContext(connection) as queries:
            again = client.get(path, headers={"if-none-match": answer.headers["ETag"]})

        assert (304, b"", answer.headers["ETag"]) == (again.status_code, again.content, again.headers["ETag"])
        assert READ_BEFORE_ANYTHING_ELSE >= len(queries), path


def test_a_tag_of_a_row_that_is_not_there_is_no_answer(books, program_for):
    client = program_for(books.owner).client
    path = f"/api/v1/tables/{books.table.code}/payments/"
    tag = client.get(f"{path}{books.payment.pk}/").headers["ETag"]

    for known in (tag, "*"):
        assert 404 == client.get(f"{path}99999/", headers={"if-none-match": known}).status_code
    assert 304 == client.get(path, headers={"if-none-match": "*"}).status_code
