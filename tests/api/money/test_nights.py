"""A program closes a night as it saw it, records dues paid on the spot, and retires a member."""

from __future__ import annotations

import pytest
from django.db import transaction

from games.models import Role
from tests.api.described import wrong_in
from tests.tables import make_user, the_night
from tests.test_rights import UNKNOWN

pytestmark = pytest.mark.django_db

NIGHTS, DUES = "tables/{code}/nights/", "games/{code}/dues/"


@pytest.fixture
def night(table, finished):
    """The night of the table's only game."""
    night = the_night(table)
    return night.isoformat()


@pytest.fixture
def members(table, finished):
    """The path of the members of a table at which Ana won 400; Beto owes 200 of it."""
    return f"tables/{table.code}/members/"


def test_a_night_is_closed_with_what_was_seen_and_once(anas, table, night):
    where = f"tables/{table.code}/nights/"
    seen = anas.get(f"tables/{table.code}/accounts/").body["seen"]
    late = anas.post(where, {"night": night, "seen": "something else"})
    closed, again = (
        anas.post(where, {"night": night, "seen": seen, "text": "All paid"}) for _time in range(2)
    )
    listed = anas.get(where).body

    assert (409, "stale") == late.problem[:2]
    assert ([], []) == (wrong_in(closed.body, NIGHTS, method="post", status=201), wrong_in(listed, NIGHTS))
    assert (201, closed.body) == (again.status, again.body)
    assert (400, "All paid") == (closed.body["balances"]["ana"], closed.body["text"])
    rows = [{"night": night, "games": 1, "closing": closed.body, "holds": True}]
    assert {"nights": rows, "next": None} == listed


def test_a_note_that_a_game_outlasted_holds_no_more(anas, table, night, play):
    where = f"tables/{table.code}/nights/"
    anas.post(where, {"night": night, "seen": anas.get(f"{where}{night}/").body["seen"]})
    play("ana", "beto")
    row, night_page = anas.get(where).body["nights"][0], anas.get(f"{where}{night}/").body

    assert [False, False, None] == [row["holds"], night_page["holds"], night_page["as_of"]]


def test_a_night_nobody_closed_is_told_and_closed_late(anas, table, play):
    old = play("ana", "beto", days=7)
    play("beto", "ana")
    where = f"tables/{table.code}/nights/"
    night = anas.get(where).body["nights"][1]["night"]
    night_page = anas.get(f"{where}{night}/")
    closed = anas.post(where, {"night": night, "seen": night_page.body["seen"]})

    assert [] == wrong_in(night_page.body, f"{NIGHTS}{{night}}/")
    assert ([old.code], {"ana": 100, "beto": -100}) == (
        night_page.body["games"],
        {guest["member"]: guest["net"] for guest in night_page.body["there"]},
    )
    assert {"members": ["beto"], "game": old.code, "net": -100} == night_page.body["worst"]
    assert (201, 100, [["beto", "ana", 100]]) == (
        closed.status,
        closed.body["balances"]["ana"],
        closed.body["lines"],
    )
    assert closed.body == anas.get(f"{where}{night}/").body["closing"]
    assert closed.body["as_of"] == night_page.body["as_of"]
    assert [404, 404] == [anas.get(f"{where}{day}/").status for day in ("2001-01-01", "soon")]


def test_nights_come_in_pages(anas, table, play):
    for days in (9, 6, 3):
        play("ana", "beto", days=days)
    where = f"tables/{table.code}/nights/"
    first = anas.get(where, data={"limit": 2}).body
    rest = anas.get(where, data={"limit": 2, "before": first["next"]}).body

    assert ([2, 1], None) == ([len(page["nights"]) for page in (first, rest)], rest["next"])
    assert (400, "bad_request") == anas.get(where, data={"before": "soon"}).problem[:2]


def test_what_was_paid_on_the_spot_is_ticked_off_line_by_line_and_then_all(anas, finished):
    path, after = f"games/{finished.code}/dues/", finished.records.count()
    line = {"after": after, "payer": "beto", "payee": "ana", "amount": 200}
    ticked, again = (anas.write(path, line, key="one") for _time in range(2))
    anew, early = anas.write(path, line, key="two"), anas.write(path, {"after": 1}, key="early")
    half = anas.write(path, {"after": after, "payer": "beto"}, key="half")
    rest = anas.write(path, {"after": after}, key="rest").body["payments"]

    assert [] == wrong_in(ticked.body, DUES, method="post", status=201)
    assert (201, ticked.body) == (again.status, again.body)
    assert [(409, "stale"), (409, "stale"), (400, "misshapen")] == [
        answer.problem[:2] for answer in (anew, early, half)
    ]
    assert {("caro", 100, finished.code), ("dani", 100, finished.code)} == {
        (one["payer"], one["amount"], one["game"]) for one in rest
    }


def test_members_say_where_to_send_their_own_money_and_nobody_elses(anas, betos, members, table):
    own = betos.post(f"{members}beto/account/", {"account": "beto.mp"}, method="put")
    others = betos.post(f"{members}ana/account/", {"account": "beto.mp"}, method="put")
    owners = anas.post(f"{members}caro/account/", {"account": "caro.mp"}, method="put")
    accounts = betos.get(f"tables/{table.code}/accounts/").body["balances"]

    assert [] == wrong_in(own.body, "tables/{code}/members/{member}/account/", method="put")
    assert ((403, "forbidden"), 200) == (others.problem[:2], owners.status)
    assert ["", "beto.mp", "caro.mp", ""] == [one["account"] for one in accounts]


def test_an_owner_lets_somebody_go_with_their_debt_written_off_and_has_them_back(anas, members):
    retire = f"{members}beto/retire/"
    unseen = anas.write(retire, {}, key="unseen")
    gone, again = (anas.write(retire, {"written_off": -200}, key="gone") for _time in range(2))
    back = anas.post(f"{members}beto/bring-back/", {})

    assert (409, "stale") == unseen.problem[:2]
    assert ([], False) == (
        wrong_in(gone.body, "tables/{code}/members/{member}/retire/", method="post"),
        gone.body["plays"],
    )
    assert (gone.body, True) == (again.body, back.body["plays"])
    assert 404 == anas.post(f"{members}nobody/bring-back/", {}).status


def test_a_member_who_is_even_retires_with_nothing_written_off(anas, table):
    retired = anas.write(f"tables/{table.code}/members/beto/retire/", {}, key="even")

    assert (200, False) == (retired.status, retired.body["plays"])


def test_who_may_less_does_less_and_a_stranger_finds_none(
    subtests, betos, waldos, saras, program, person_recording, table, night
):
    tried = {
        ("get", "nights/"): ({}, (200, 200, 403)),
        ("get", f"nights/{night}/"): ({}, (200, 200, 403)),
        ("post", "nights/"): ({"night": night, "seen": ""}, (409, 403, 403)),
        ("put", "members/caro/account/"): ({"account": "caro.mp"}, (403, 403, 403)),
        ("post", "members/caro/retire/"): ({}, (403, 403, 403)),
        ("post", "members/caro/bring-back/"): ({}, (403, 403, 403)),
    }
    for (method, path), (sent, statuses) in tried.items():
        with subtests.test(method=method, path=path), transaction.atomic():

            def ask(who, code, *, method=method, path=path, sent=sent):
                if method == "get":
                    return who.get(f"tables/{code}/{path}")
                return who.post(
                    f"tables/{code}/{path}", sent, method=method, headers={"idempotency-key": "k"}
                )

            assert statuses == tuple(ask(who, table.code).status for who in (person_recording, betos, waldos))
            for who in (saras, program):
                known, unknown = (ask(who, code) for code in (table.code, UNKNOWN))
                assert (404, known.body) == (known.status, unknown.body)
            transaction.set_rollback(True)


@pytest.fixture
def person_recording(token_of, table):
    """A client with a token of somebody who is a scorer and no owner."""
    user = make_user("sonia")
    table.grants.create(user=user, role=Role.SCORER)
    return token_of(user, Role.SCORER)
