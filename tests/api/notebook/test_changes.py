"""A client that copies a table by its change feed misses nothing; others get only what they may read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from games import changes
from games.models import Grant, Method, Role
from games.money import holders, payments
from games.people.members import change_member
from games.play import recording as services
from games.scoring.events import Corrected
from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.notation import read_line
from tests.api.described import examples_of, wrong_in
from tests.tables import a_key, a_round, make_user, start

pytestmark = pytest.mark.django_db

PATH = "tables/{code}/changes/"


@dataclass
class Copy:
    """A program's copy of a table, and the last change that it has read."""

    program: Any
    path: str
    seen: int = 0
    games: dict[str, list[Any]] = field(default_factory=dict)
    payments: dict[int, Any] = field(default_factory=dict)
    members: dict[str, Any] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)

    def begin(self):
        """Ask for the newest change, at which the copy begins."""
        self.seen = self.program.get(self.path).body["seen"]

    def follow(self):
        """Read all new changes, page by page."""
        while True:
            news = self.program.get(self.path, data={"since": self.seen}).body
            assert [] == wrong_in(news, PATH)
            for change in news["changes"]:
                self.take(change)
            self.seen = news["seen"]
            if self.seen == news["newest"]:
                return

    def take(self, change):
        self.kinds.append(change["what"])
        if change["event"]:
            log = self.games.setdefault(change["game"], [])
            log.append((change["event"]["kind"], change["event"]["data"]))
            assert len(log) == change["event"]["number"]
        if change["payment"]:
            self.payments[change["payment"]["id"]] = change["payment"]
        if change["member"]:
            self.members[change["member"]["id"]] = change["member"]["name"]


@pytest.fixture
def copy_of(program_for, table):
    """`copy_of(user)` returns a copy that follows the table's feed from now on, as a client of this user."""

    def one(user):
        copy = Copy(program_for(user), f"tables/{table.code}/changes/")
        copy.begin()
        return copy

    return one


def kept_of(table):
    """Return the events of each game and the payments from the database, in the form that a copy has."""
    logs = {
        game.code: [(kind_of(event), to_data(event)) for event in game.log()] for game in table.games.all()
    }
    return logs, {payment.pk: (payment.amount, payment.ended_at is None) for payment in table.payments.all()}


def kept_in(copy):
    return copy.games, {
        pk: (payment["amount"], payment["ended_at"] is None) for pk, payment in copy.payments.items()
    }


def an_evening(table, owner, who):
    """Yield after each step of an evening at the table."""
    game = start(table, owner, stake=100)

    def record(*events):
        services.record(game, *events, after=len(game.log()), key=a_key(), by=owner)

    yield "begun"
    record(a_round("ana", beto=23, caro=40, dani=9))
    record(a_round("caro", ana=7, beto=11, dani=30))
    yield "two rounds"
    record(Corrected(2, a_round("ana", beto=32, caro=40, dani=9)))
    yield "an old round corrected"
    record(*read_line("stop lowest_wins"))
    paid = payments.pay(
        table, who["beto"], who["ana"], 60, method=Method.CASH, key=a_key(), by=owner, note="en mano"
    )
    yield "paid"
    payments.take_back(paid, by=owner)
    change_member(who["beto"], name="Roberto", colour=2)
    yield "the payment cancelled"
    services.discard_game(game)
    services.restore_game(game)


def test_a_copy_made_from_the_change_feed_equals_the_database(table, owner, who, copy_of, monkeypatch):
    """Of three clients one reads after each step, one once at the end, and one from the feed's start."""
    diligent, late, from_the_start = copy_of(owner), copy_of(owner), copy_of(owner)
    from_the_start.seen = 0
    for step in an_evening(table, owner, who):
        diligent.follow()
        assert kept_of(table) == kept_in(diligent), step
    monkeypatch.setattr(changes, "PAGE", 3)
    for copy in (diligent, late, from_the_start):
        copy.follow()
        assert kept_of(table) == kept_in(copy)

    assert diligent.kinds == late.kinds == from_the_start.kinds[4:]
    assert "Roberto" == diligent.members["beto"]
    assert [
        *("game_begun", "event_recorded", "event_recorded", "event_recorded", "event_recorded"),
        *("payment_recorded", "payment_ended", "member_changed"),
        *("game_discarded", "game_restored"),
    ] == diligent.kinds


def test_a_payment_in_the_feed_has_its_present_state(table, owner, who, copy_of):
    copy = copy_of(owner)
    for _step in an_evening(table, owner, who):
        pass
    copy.follow()
    (payment,) = copy.payments.values()

    assert ("beto", "ana", 60, "cash", "en mano") == tuple(
        payment[name] for name in ("payer", "payee", "amount", "method", "note")
    )
    assert payment["ended_at"].endswith("-03:00")


def test_the_feed_includes_changed_payment_details(program_for, table, owner, who):
    since = program_for(owner).get(f"tables/{table.code}/changes/").body["seen"]
    holders.set_account(who["ana"], "ana.loba.mp")
    holders.retire(who["dani"])
    news = program_for(owner).get(f"tables/{table.code}/changes/", data={"since": since}).body

    assert [] == wrong_in(news, PATH)
    assert [("account_changed", "ana.loba.mp"), ("member_changed", None)] == [
        (change["what"], change["member"].get("account")) for change in news["changes"]
    ]


# --- permissions ------------------------------------------------------------------------------------------------------


@pytest.fixture
def waldo_user(table):
    user = make_user("waldo")
    Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    return user


def test_a_witness_gets_changes_of_games_but_none_of_the_accounts(table, owner, who, copy_of, waldo_user):
    copy = copy_of(waldo_user)
    before = copy.seen
    for _step in an_evening(table, owner, who):
        pass
    holders.set_account(who["ana"], "ana.loba.mp")
    answered = copy.program.get(copy.path, data={"since": before})
    text = str(answered.body)
    copy.follow()

    assert {*("game_begun", "event_recorded", "member_changed", "game_discarded", "game_restored")} == set(
        copy.kinds
    )
    assert kept_of(table)[0] == copy.games
    assert ({}, False) == (copy.payments, answered.body["accounts"])
    assert not [word for word in ("payment_", "night_", "en mano", "ana.loba.mp", "balances") if word in text]


def test_a_member_with_a_witness_grant_also_gets_changes_of_the_accounts(
    table, pay, copy_of, waldo_user, claims
):
    copy = copy_of(waldo_user)
    claims(waldo_user, "ana")
    pay("beto", "ana", 60)
    copy.follow()

    assert [60] == [payment["amount"] for payment in copy.payments.values()]
    assert copy.program.get(copy.path).body["accounts"]


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_a_request_without_a_number_returns_the_newest_one_without_changes(program_for, table, owner, game):
    news = program_for(owner).get(f"tables/{table.code}/changes/").body

    assert {"changes": [], "seen": 5, "newest": 5, "accounts": True} == news


def test_an_invalid_number_is_a_bad_request(program_for, table, owner):
    program = program_for(owner)
    for since in ("-1", "x", "", "1.0", "٣", "9" * 30):
        answer = program.get(f"tables/{table.code}/changes/", data={"since": since})

        assert (400, "bad_request", {"field": "since"}) == (*answer.problem[:2], answer.place), since


def test_a_number_beyond_the_newest_is_a_bad_request_that_says_to_start_again(program_for, table, owner):
    answer = program_for(owner).get(f"tables/{table.code}/changes/", data={"since": 99})

    assert (400, "This change doesn't exist yet. Read the table again and continue from there.") == (
        answer.status,
        answer.problem[2],
    )


def test_a_page_of_changes_takes_at_most_four_queries(
    program_for, table, owner, game, pay, django_assert_num_queries
):
    asking, where = program_for(owner), f"tables/{table.code}/changes/"
    asking.get(where)
    for _time in range(3):
        pay("beto", "ana", 60, is_asking=False)
    with django_assert_num_queries(4):
        asking.get(where, data={"since": 0})
    with django_assert_num_queries(3):
        asking.get(where, data={"since": 8})


def test_the_examples_match_the_schema_of_the_response():
    assert [] == [wrong for example in examples_of(PATH) for wrong in wrong_in(example, PATH)]
    assert examples_of(PATH)
