"""The preview of a rescue file: its user and its contents, and the refusal of an unreadable file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.models import Grant, Role, Table, TakenFact
from games.people.removals import put_out
from games.people.users import mark_of
from games.pocket import rescue
from tests.pocket.pages.test_pocket import bring, played, typed
from tests.reader import read_page
from tests.tables import become, let_in_as, make_table, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def carla(table):
    """A scorer, Caro at the table."""
    user = make_user("carla")
    let_in_as(user, table, Role.SCORER)
    become(user, table.members.get(slug="caro"))
    return user


def a_file(user, *facts, **changes):
    return {
        **{
            "format": "anotador-unsent",
            "version": 1,
            "person": mark_of(user),
            "saved_at": "2026-11-22T01:00Z",
        },
        **{"facts": facts, **changes},
    }


def choose(phone, content):
    """Choose this file on the page."""
    text = content if isinstance(content, str) else json.dumps(content)
    return phone.post("/rescue/preview/", text, content_type="application/json")


def a_payment(table, key, **changes):
    """Return the fact of a payment whose form was queued."""
    fields = {"payer": "beto", "payee": "ana", "amount": "100", "method": "cash", "note": "", "day": ""}
    return {
        **{"kind": "typed", "form": "payment", "table": table.code, "game": "", "key": key, "after": 0},
        **{"at": "2026-11-21T22:00Z", "fields": {**fields, **changes}},
    }


def turned(table, turn):
    return {
        **{"kind": "turned", "table": table.code, "payment": 1, "key": "", "turn": turn, "text": ""},
        **{"words": None, "after": 0, "at": "2026-11-21T22:00Z"},
    }


def test_the_preview_names_the_user_the_contents_and_the_consequences(ana, carla, table, game):
    facts = [typed(game, "k1", 1), played(game, "k2", 2, beto=5, caro=6, dani=7), a_payment(table, "k3")]
    page = read_page(
        choose(ana, a_file(carla, *facts, turned(table, "confirmed"), turned(table, "cancelled")))
    )

    assert page.only("h2").text.startswith("Entries of Caro")
    assert [table.name] == [link.text for link in page.every("a")]
    assert [
        "Loba de Menos: 2 entries",
        "Beto paid Ana $ 100",
        "1 change to a payment",
        "1 answer to a payment",
    ] == [line.text.replace("\xa0", " ") for line in page.every("li")]
    assert "Payments wait until they are confirmed." in page.text
    assert "Answers to payments are not recorded" in page.text
    assert ["Record it"] == [button.text for button in page.every("button")]
    assert 1 == game.records.count()


@pytest.mark.parametrize("form", ["payment", "tick"])
def test_an_incomplete_payment_is_listed_as_unreadable(ana, carla, table, form):
    page = read_page(choose(ana, a_file(carla, {**a_payment(table, "k1"), "form": form, "fields": {}})))

    assert ["A payment that can't be read"] == [line.text for line in page.every("li")]


def test_a_game_started_on_the_phone_is_listed_by_its_variant(ana, carla, table, game):
    record = game.records.get(number=1)
    begun = {"kind": record.kind, "data": record.data}
    start_of = {**played(game, "k1", 1), "kind": "start", "game": "22222222222", "events": [begun]}
    del start_of["after"]
    page = read_page(
        choose(
            ana,
            a_file(carla, start_of, {**played(game, "k2", 1, beto=5, caro=6, dani=7), "game": "22222222222"}),
        )
    )

    assert ["Loba de Menos: 1 entry"] == [line.text for line in page.every("li")]


def test_a_removed_user_is_still_named(ana, carla, owner, table, game):
    put_out(Grant.objects.get(user=carla), by=owner)

    assert "Entries of Caro" in read_page(choose(ana, a_file(carla, typed(game, "k1", 1)))).text


def test_recorded_entries_are_counted_and_a_fully_recorded_file_has_no_button(ana, owner, carla, game):
    file = a_file(carla, typed(game, "k1", 1), typed(game, "k2", 2))
    bring(ana, owner, typed(game, "k1", 1))
    assert "1 of 2 is recorded already. It does not count twice." in read_page(choose(ana, file)).text
    bring(ana, owner, typed(game, "k2", 2))
    page = read_page(choose(ana, file))

    assert "All of it is recorded already." in page.text
    assert [] == page.every("button")


def test_a_table_that_this_user_cannot_open_is_not_named(ana, owner, stranger):
    elsewhere = make_user("nadia")
    game = start(make_table(elsewhere, name="Mesa secreta"), elsewhere)
    page = read_page(choose(ana, a_file(elsewhere, typed(game, "k1", 1))))

    assert "Entries of a person this phone doesn't know" in page.text
    assert "This phone can't open that table: its entries are not recorded." in page.text
    assert ["1 entry"] == [line.text for line in page.every("li")]
    assert "Mesa secreta" not in page.text


def test_a_recorded_key_of_a_foreign_table_is_not_revealed(ana, owner, table, client):
    elsewhere = make_user("nadia")
    game = start(make_table(elsewhere, name="Mesa secreta"), elsewhere)
    fact = typed(game, "k1", 1)
    client.force_login(elsewhere)
    bring(client, elsewhere, fact)
    assert game.records.filter(key="k1").exists()

    for place in (fact, {**fact, "table": table.code}):
        assert "recorded already" not in read_page(choose(ana, a_file(owner, place))).text


def test_a_witness_reads_that_they_cannot_record(waldo, carla, game):
    page = read_page(choose(waldo, a_file(carla, typed(game, "k1", 1))))

    assert "You can watch this table, but not record" in page.text


def test_the_users_own_file_is_named_as_theirs(ana, owner, game):
    page = read_page(choose(ana, a_file(owner, typed(game, "k1", 1))))

    assert "Your own entries" in page.text
    assert [] == page.every("div", **{"data-brought": ""})


def test_an_anonymous_preview_is_redirected_to_the_sign_in_page(nobody):
    assert "/login/" == nobody.post("/rescue/preview/").headers["Location"]


def test_a_file_in_another_format_is_refused_with_a_reason(subtests, ana, owner, game):
    for content, sentence in [
        ("", "This is not a complete JSON file."),
        ("[" * 100_000, "This is not a complete JSON file."),
        ("[]", "This file has no unsent entries of Anotador."),
        ({"format": "anotador-table", "version": 1}, "This file has no unsent entries of Anotador."),
        ({"version": 3}, "This file is from a newer version of Anotador."),
        ({"version": "1"}, "“version” should be a whole number from 1 to 2."),
        ({"facts": []}, "There is nothing to record."),
        ({"facts": {}}, "“facts” should be a list."),
        ({"facts": [{}] * 501}, "“facts” has more than 500 entries."),
        ({"facts": [None]}, "Entry 1: “None” is unknown here."),
        ({"saved_at": "yesterday"}, "“saved_at” should be a moment like 2024-05-31T23:15:00+00:00."),
        ({"person": 7}, "“person” should be a text of at most 40 letters."),
        ({"extra": 1}, "“extra” is unknown here."),
        ({"extra": "x" * 1_000_001}, "This file is too large."),
    ]:
        with subtests.test(content=content, sentence=sentence):
            if isinstance(content, dict):
                content = {**a_file(owner, typed(game, "k1", 1)), **content}
            answer = choose(ana, content)

            assert (422, {"sentences": [sentence]}) == (answer.status_code, answer.json())


def test_a_file_with_one_invalid_entry_is_refused_as_a_whole(subtests, ana, owner, game):
    cases: list[Any] = [
        {"kind": "erased"},
        {"kind": []},
        {"table": None},
        {"table": "x" * 17},
        {"game": {}},
        {"at": 0},
        {"at": "2026"},
        {"key": "x" * 65},
        {"key": "\x00"},
        {"after": -1},
        {"after": 10**30},
        {"fields": []},
        {"fields": {"closer": 5}},
        {"fields": {f"f{number}": "" for number in range(101)}},
        {"form": "tables"},
        {"brought": False},
        {"brought": True},
        {"corrects": 0},
        {"more": 1},
    ]
    for changes in cases:
        with subtests.test(changes=changes):
            answer = choose(ana, a_file(owner, typed(game, "k1", 1), {**typed(game, "k2", 2), **changes}))

            assert 422 == answer.status_code
            (sentence,) = answer.json()["sentences"]
            assert sentence.startswith("Entry 2: ")
            assert (1, 0) == (game.records.count(), TakenFact.objects.count())


@pytest.mark.parametrize(
    "fact",
    [
        {"kind": "record", "events": []}, {"kind": "record", "events": [{"kind": "round", "data": []}]},
        {"kind": "record", "events": [{"kind": "no", "data": {}}]}, {"kind": "discard", "seen": "all"},
        {"kind": "guest", "slug": "zoe", "name": " "}, {"kind": "paid", "amount": 0}, {"kind": "turned", "turn": []},
    ],
)  # fmt: skip
def test_an_invalid_entry_of_the_app_makes_the_file_refused(ana, owner, table, game, fact):
    wholes = {
        "record": played(game, "k", 1, beto=5, caro=6, dani=7),
        "discard": {"table": table.code, "game": game.code, "at": "2026-11-21T22:00Z", "seen": 1},
        "guest": {"table": table.code, "slug": "zoe", "name": "Zoe", "is_apart": False},
        "paid": {
            **{"table": table.code, "game": "", "at": "2026-11-21T22:00Z", "key": "k", "payer": "beto"},
            **{"payee": "ana", "amount": 5, "method": "cash", "note": "", "day": None, "night": None},
            **{"is_along_the_plan": False, "after": 0},
        },
        "turned": turned(table, "cancelled"),
    }
    whole = {**wholes[fact["kind"]], "kind": fact["kind"]}

    assert 200 == choose(ana, a_file(owner, whole)).status_code
    assert 422 == choose(ana, a_file(owner, {**whole, **fact})).status_code


def test_reading_a_file_has_a_step_budget(ana, owner, game, monkeypatch):
    monkeypatch.setattr(rescue, "READ", 1_000_000)
    answer = choose(ana, a_file(owner, typed(game, "k1", 1), typed(game, "k2", 2)))

    assert 422 == answer.status_code


@pytest.fixture
def cabin():
    """The facts of a table that was opened on a phone, with two people and a payment."""
    code, at = "22222222222", "2026-11-21T22:00Z"
    about = {"table": code, "at": at}
    place = {"name": "La cabaña", "unit": "$", "decimals": 0, "language": "es-ar", "region": "es-AR"}
    paid = {"payer": "beto", "payee": "ana", "amount": 50, "method": "cash", "note": "", "day": None}
    return [
        {"kind": "table", "key": "k1", "timezone": "America/Argentina/Buenos_Aires", **place, **about},
        *(
            {
                "kind": "guest",
                "table": code,
                "slug": name.lower(),
                "name": name,
                "is_apart": False,
                "key": "k1",
            }
            for name in ("Ana", "Beto")
        ),
        {
            **{
                "kind": "paid",
                "game": "",
                "key": "k3",
                "night": None,
                "is_along_the_plan": False,
                "after": 0,
            },
            **paid,
            **about,
        },
    ]


def test_a_table_that_was_opened_on_the_phone_is_shown_before_anything_has_it(ana, carla, owner, cabin):
    page = read_page(choose(ana, a_file(carla, *cabin, version=2)))

    assert ["New player: Ana", "New player: Beto", "Beto paid Ana $ 50"] == [
        line.text.replace("\xa0", " ") for line in page.every("li")
    ]
    assert "La cabaña" in page.text
    assert "New table" in page.text
    assert "The new table becomes yours." in page.text
    assert ["Record it"] == [button.text for button in page.every("button")]
    assert 1 == Table.objects.count()

    bring(ana, owner, *({**fact, "brought": True} for fact in cabin))
    page = read_page(choose(ana, a_file(carla, *cabin, version=2)))
    assert ["/t/22222222222/"] == [link.attrs["href"] for link in page.every("a")]
    assert "All of it is recorded already." in page.text


def test_of_a_new_table_that_another_phone_brought_only_that_is_told(ana, owner, stranger, carla, cabin):
    bring(ana, owner, *({**fact, "brought": True} for fact in cabin))
    stranger.force_login(make_user("nadia"))
    page = read_page(choose(stranger, a_file(carla, *cabin, version=2)))

    assert ["4 entries"] == [line.text for line in page.every("li")]
    assert "La cabaña" not in page.text
    assert "All of it is recorded already." in page.text


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"unit": 7}, {"decimals": -1}, {"key": None}, {"region": []}]
)
def test_a_new_table_that_cannot_be_read_is_said(ana, carla, cabin, wrong):
    answer = choose(ana, a_file(carla, {**cabin[0], **wrong}, version=2))

    assert 422 == answer.status_code
    assert answer.json()["sentences"][0].startswith("Entry 1: ")
