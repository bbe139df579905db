"""A trial table for the API: made without an account, accessible with its token only, erased after an hour."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils.timezone import now

from games.api.common.guide import STEPS
from games.models import TABLES_A_DAY, Device, Game, Grant, Record, Role, Table, Token
from games.people import trials
from games.people.guests import tables_open_to
from games.people.trials import make_trial
from games.people.tries import Tries
from tests.api.conftest import Program
from tests.reader import read_page

pytestmark = pytest.mark.django_db


def program_with(secret):
    return Program(headers={"accept-language": "en", "authorization": f"Bearer {secret}"})


def tried(client):
    """Return the page after the tap on the button, and its guide."""
    page = read_page(client.post("/api/trial/"))
    return page, page.only("div", id="guide")


def test_an_anonymous_visitor_gets_a_trial_table_and_a_token_with_one_tap(client):
    form = read_page(client.get("/api/")).only("form", action="/api/trial/#guide")
    assert "post" == form.attrs["method"]
    _page, guide = tried(client)
    table = Table.objects.get()

    assert table.code == guide.attrs["data-table"]
    assert f"TOKEN={guide.attrs['data-token']}" in guide.text
    assert ["ana", "beto", "caro"] == sorted(table.members.values_list("slug", flat=True))
    assert "sessionid" not in client.cookies  # the reader does not become the guest who owns the table


def test_each_step_of_the_guide_has_a_button_with_its_request(client):
    page, guide = tried(client)
    buttons = guide.every("button")

    assert [(step.method, step.path, step.key, step.sent) for step in STEPS] == [
        tuple(button.attrs[f"data-{part}"] for part in ("method", "path", "key", "sent"))
        for button in buttons
    ]
    assert "/static/api/trying.js" in [node.attrs["src"] for node in page.every("script")]


def test_without_a_trial_table_the_page_has_no_script_and_no_buttons_for_the_steps(client):
    page = read_page(client.get("/api/"))

    assert "/static/api/trying.js" not in [node.attrs["src"] for node in page.every("script")]
    assert ["Probar con una mesa propia"] == [
        node.text for node in page.only("div", id="guide").every("button")
    ]


def test_a_trial_token_can_record_at_its_table_but_not_make_tables(client):
    _page, guide = tried(client)
    program = program_with(guide.attrs["data-token"])
    begun = program.write(
        f"tables/{guide.attrs['data-table']}/games/", json.loads(STEPS[1].sent), key="game-1"
    )
    recorded = program.write(f"games/{begun.body['code']}/events/", json.loads(STEPS[2].sent), key="round-1")

    assert (201, 200) == (begun.status, recorded.status)
    assert 403 == program.write("tables/", {"name": "Otra"}, key="other").status
    assert 1 == Table.objects.count()


def test_trial_tables_do_not_belong_to_the_signed_in_user_who_makes_them(ana, owner, fresh_cache):
    before = list(tables_open_to(owner))
    for _number in range(trials.MADE.most):
        ana.post("/api/trial/")

    assert trials.MADE.most < TABLES_A_DAY
    assert before == list(tables_open_to(owner))
    assert 0 == Grant.objects.filter(user=owner, table__ends_at__isnull=False).count()


def test_an_expired_trial_token_is_refused_and_clean_deletes_the_whole_trial():
    table, secret = make_trial("192.0.2.1")
    program = program_with(secret)
    program.write(f"tables/{table.code}/games/", json.loads(STEPS[1].sent), key="game-1")
    Table.objects.update(ends_at=now() - timedelta(seconds=1))  # triggers follow the database's clock
    Grant.objects.update(expires_at=now() - timedelta(seconds=1))
    assert 401 == program.get(f"tables/{table.code}/").status
    call_command("clean")

    assert [0] * 6 == [kind.objects.count() for kind in (Table, Grant, Token, Game, Record, User)]
    assert 0 == Device.objects.count()


def test_clean_keeps_a_trial_table_before_its_hour_is_over():
    table, secret = make_trial("192.0.2.1")
    call_command("clean")

    assert table.created_at + trials.LASTS == table.ends_at
    assert {table.ends_at} == {*Grant.objects.values_list("expires_at", flat=True)} | {
        *Token.objects.values_list("expires_at", flat=True)
    }
    assert 200 == program_with(secret).get(f"tables/{table.code}/").status
    assert [Role.SCORER] == [Role(role) for role in Token.objects.values_list("role", flat=True)]


def test_making_a_trial_table_deletes_an_expired_one():
    first = make_trial("192.0.2.1").table
    Table.objects.update(ends_at=now() - timedelta(seconds=1))
    second = make_trial("192.0.2.2").table

    assert [second] == list(Table.objects.all())
    assert first.pk != second.pk


def test_trial_tables_are_limited_per_address_and_per_site(client, monkeypatch, fresh_cache):
    monkeypatch.setattr(trials, "MADE", Tries("trial", most=1, window=3600))
    assert 200 == client.post("/api/trial/").status_code
    refused = client.post("/api/trial/", headers={"accept-language": "en"})
    assert 429 == refused.status_code
    assert "Wait an hour." in read_page(refused).only("main").text
    monkeypatch.setattr(trials, "MOST", 1)
    elsewhere = client.post("/api/trial/", REMOTE_ADDR="192.0.2.9", headers={"accept-language": "en"})
    assert 429 == elsewhere.status_code
    assert "Wait a few minutes." in read_page(elsewhere).only("main").text
    assert 1 == Table.objects.count()


def test_a_trial_form_without_a_csrf_token_makes_no_table():
    assert 403 == Client(enforce_csrf_checks=True).post("/api/trial/").status_code
    assert "/api/" == Client().get("/api/trial/").headers["Location"]
    assert 0 == Table.objects.count()
