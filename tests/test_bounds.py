"""Limits on the cost of a request: what is too long is refused by its raw length, before anything reads it.

`python -m tests.benchmarks.attacks` measures the cost of each refusal.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.urls import reverse
from django.utils.timezone import now

from games.common import days, naming, rate_limits, write_queue
from games.common.locks import IdempotencyKeyReused
from games.files.services import file_reader
from games.money.services import expenses, payments
from games.scoring.errors import NotationError, RuleError
from games.scoring.text.notation import parse_line
from games.scoring.text_line import clean_line
from tests.benchmarks.attacks import accents
from tests.factories import build_expense, make_user, new_key
from tests.queued_entries import build_entry, entry_answers, send_entries
from tests.reader import read_page

pytestmark = pytest.mark.django_db


def test_a_text_may_be_four_times_its_limit_before_it_is_normalized():
    assert "á" * 30 == clean_line("a\u0301" * 30, longest=30, field="name")
    for text in ("a" * 31, "a\u0301" * 61, accents(100_000), "\ufdfa" * 100_000):
        with pytest.raises(RuleError, match="At most 30 characters fit here"):
            clean_line(text, longest=30, field="name")


@pytest.mark.parametrize(
    "line",
    [
        f'round ana out beto="{"x" * 9000}"',
        f"round {'x' * 1001} out",
        "round ana out beto=[" + "K " * 600 + "]",
    ],
)
def test_a_line_or_a_word_of_a_game_that_is_too_long_is_refused(line):
    with pytest.raises(NotationError, match="has at most"):
        parse_line(line)


# --- the door ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/" + "a" * 2000, "/t/" + "-" * 20_000, "/?x=" + "a" * 2000, "/" + "%00" * 4000]
)
def test_a_long_address_is_refused(nobody, path):
    response = nobody.get(path)

    assert (414, "Too long") == (response.status_code, read_page(response).only("h1").text)


def test_a_program_gets_a_problem_for_a_long_address(client):
    response = client.get("/api/v1/tables/?x=" + "a" * 2000)

    assert (414, "address_too_long") == (response.status_code, json.loads(response.content)["code"])


@pytest.mark.parametrize("page", ["new-table", "login", "waiting", "pay"])
def test_a_form_that_is_too_large_is_refused_before_it_is_read(ana, table, page):
    address = reverse(page, args=[table.code] if page == "pay" else [])
    response = ana.post(address, {"note": "x" * 500_000})

    assert 413 == response.status_code
    assert 5000 > len(response.content) > 0


def test_a_field_that_no_form_has_is_refused_and_not_repeated(ana, table):
    response = ana.post(reverse("pay", args=[table.code]), {"note": "x" * 2001})

    assert 422 == response.status_code
    assert "At most 2000 characters fit here." in read_page(response).only("main").text
    assert 5000 > len(response.content)


def test_a_field_that_no_form_has_is_not_repeated_without_a_token_either(client_for):
    phone = client_for(None, enforce_csrf_checks=True)
    response = phone.post(reverse("login"), {"username": "x" * 2001}, headers={"Origin": "http://testserver"})

    assert 422 == response.status_code
    assert 5000 > len(response.content)


def test_a_script_is_told_in_a_sentence(ana, table):
    response = ana.post(
        reverse("pay", args=[table.code]), {"note": "x" * 2001}, headers={"HX-Request": "true"}
    )

    assert ("At most 2000 characters fit here.", "none") == (
        response.content.decode(),
        response.headers["HX-Reswap"],
    )


def test_addresses_that_lead_nowhere_are_counted(client, rate_limited, monkeypatch):
    monkeypatch.setattr(
        "games.common.rate_limits.NOT_FOUND", replace(rate_limits.NOT_FOUND, most=2, window=24 * 60 * 60)
    )

    assert [404, 404, 429] == [client.get(f"/nowhere/{number}").status_code for number in range(3)]


# --- programs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "game points\nplayers a b\nreenter " + accents(100_000)}, 422),
        ({"game": f'game points name="{accents(80_000)}"\nplayers a b\n'}, 422),
        ({"game": "x" * 2001, "more": "x" * 2001}, 400),
        ({"game": [[]] * 40_000}, 400),
        ({"x" * 2001: 1}, 400),
    ],
)
def test_a_body_with_long_parts_is_refused(client, body, status):
    response = client.post(
        "/api/v1/score/", json.dumps(body, ensure_ascii=False), content_type="application/json"
    )

    assert status == response.status_code


def test_a_list_is_counted_before_its_items_are_read(ana, game, monkeypatch):
    monkeypatch.setattr("games.play.api.fields.EventInputField.to_internal_value", pytest.fail)
    body = json.dumps({"after": 1, "events": [{"kind": "round_played"}] * 101})
    response = ana.post(
        reverse("api-game-events", args=[game.code]),
        body,
        content_type="application/json",
        headers={"Idempotency-Key": new_key()},
    )

    assert (400, "events") == (response.status_code, response.json()["field"])


def test_a_key_that_another_user_has_used_is_refused(table, owner):
    scorer, (ana, beto, *_others) = make_user("sonia"), table.members.all()
    key, night = new_key(), days.night_for(now(), table)
    payments.create(table, ana, beto, 5, key=key, by=owner)
    pizza = build_expense(ana, 100, (ana, beto), "pizza")
    expenses.create(table, night, pizza, key=key, by=owner)
    table.accesses.create(user=scorer, role="scorer")

    with pytest.raises(IdempotencyKeyReused):
        payments.create(table, ana, beto, 5, key=key, by=scorer)
    assert 5 == payments.create(table, ana, beto, 5, key=key, by=owner).amount
    table.accesses.filter(user=owner).delete()  # the guest signed in, and the phone sends it again
    assert 5 == payments.create(table, ana, beto, 5, key=key, by=scorer).amount


# --- what waited, files, notebooks ------------------------------------------------------------------------


def test_an_entry_with_half_a_letter_is_refused_and_the_others_are_recorded(ana, game):
    good = build_entry("round", game=game.code, after=1, closer="ana", hand_beto=5, hand_caro=6, hand_dani=7)
    bad = {**build_entry("round", after=1), "game": "\ud800"}

    assert ["refused", "done"] == [answer["status"] for answer in entry_answers(send_entries(ana, bad, good))]


def test_a_tables_file_with_too_many_parts_is_refused_before_it_is_parsed(ana):
    count = file_reader.MOST_STEPS // file_reader.VALUE_STEPS
    file = SimpleUploadedFile("mesa.json", b"[" + b"[]," * (count + 1) + b"1]")
    response = ana.post(reverse("import-table"), {"file": file, "key": new_key()})

    assert 422 == response.status_code
    assert ["This file is too big to check here."] == [alert[:35] for alert in read_page(response).alerts]


# --- names ------------------------------------------------------------------------------------------------


def test_a_name_that_looks_like_another_has_the_same_looks():
    assert (
        naming.confusable_key("Ana")
        == naming.confusable_key("\u0410na")
        == naming.confusable_key("\u0391n\u0430")
    )
    assert naming.casefold_key("Ana") != naming.casefold_key("\u0410na")


# --- writers that wait --------------------------------------------------------------------------------------


def test_at_most_six_writers_wait_and_the_next_is_told_at_once():
    places = [write_queue.reserve_place() for _waiting in range(write_queue.MOST_WAITING)]
    for place in places:
        place.__enter__()
    with pytest.raises(OperationalError), write_queue.reserve_place():
        pytest.fail("a seventh waits")
    for place in places:
        place.__exit__(None, None, None)
    with write_queue.reserve_place():
        pass
