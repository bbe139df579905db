"""Every hour that a table's pages, texts and files print is on the table's clock, not on the site's."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.apps import apps
from django.db.models import DateTimeField
from django.urls import reverse

from games.common import days
from games.models import Method, Role, Table
from games.money.services import expenses, payments
from games.play.services import recording
from games.tables.services import erasure, links, lobby, setup, tokens
from tests.factories import build_expense, new_key, start
from tests.page_urls import visible_pages
from tests.reader import read_html

pytestmark = pytest.mark.django_db

SAN_JOSE = "America/Costa_Rica"
# Within the night of Thursday in San José (22:17 to 4:41). For the site in Buenos Aires, it ends on Friday.
BEGINS, ENDS = "2026-03-13T04:17Z", "2026-03-13T10:41Z"
THE_NIGHT = date(2026, 3, 12)
HOUR = re.compile(r"(?<![\d:T+])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])")
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)")
FILES = ("rounds", "results", "payments", "costs")
API = ("", "games/", "payments/", "costs/", "seasons/")


@pytest.fixture
def night(request):
    """A table in San José after a night with something of everything. From the next night on it is in Madrid."""
    with time_machine.travel(BEGINS, tick=False) as clock:
        table, owner = request.getfixturevalue("table"), request.getfixturevalue("owner")
        Table.objects.update(timezone=SAN_JOSE)
        table.refresh_from_db()
        request.getfixturevalue("waldo")
        game = request.getfixturevalue("finished")
        clock.shift(timedelta(minutes=31))
        links.create_personal(table, role=Role.SCORER, by=owner)
        tokens.create(owner, "Un robot", table=table)
        clock.shift(timedelta(hours=1))
        lobby.revoke(table.accesses.get(role=Role.WITNESS), by=owner)
        record_money(table, owner)
        clock.move_to(ENDS)
        recording.discard_game(start(table, owner, stake=50))
        setup.change_settings(table, timezone="Europe/Madrid")
        start(table, owner, stake=100)
        yield game, request.getfixturevalue("ana")


def record_money(table, owner):
    who = {member.slug: member for member in table.members.all()}
    payments.create(table, who["beto"], who["ana"], 40, method=Method.CASH, key=new_key(), by=owner)
    expense = build_expense(who["caro"], 300, (who["ana"], who["beto"], who["caro"]), "pizza")
    expenses.create(table, THE_NIGHT, expense, key=new_key(), by=owner)


def visible_texts(game, client):
    """Return the visible text of each page and file of the game's table, by name."""
    table = game.table
    texts = {
        name.partition(" ")[0]: visible_text(answer) for name, answer in visible_pages(client, table, game)
    }
    places = {f"file {what}": reverse("download", args=[table.code, what]) for what in FILES}
    places |= {"home": "/", "yours": "/you/"}
    texts |= {name: visible_text(client.get(place)) for name, place in places.items()}
    erasure.erase(table, name=table.name, by=table.accesses.get(role=Role.OWNER).user)
    places = {"erased": reverse("table-settings", args=[table.code]), "home of erased": "/"}
    return texts | {name: visible_text(client.get(place)) for name, place in places.items()}


def visible_text(answer):
    text = answer.getvalue().decode(errors="replace")
    return read_html(text).text if "html" in answer["Content-Type"] else text


def stored_hours(table):
    """Return the hours of all stored times and of now, on the table's clock."""
    moments = [datetime.fromisoformat(ENDS), table.restorable_until]
    for model in apps.get_app_config("games").get_models():
        for field in model._meta.get_fields():
            if isinstance(field, DateTimeField):
                moments += model._base_manager.values_list(field.name, flat=True)
    return {f"{days.to_table_time(moment, table):%H:%M}" for moment in moments if moment is not None}


def test_every_printed_hour_is_on_the_tables_clock(night):
    game, client = night
    pages = visible_texts(game, client)
    there = stored_hours(Table.objects.get())

    printing = {name for name, text in pages.items() if HOUR.search(text)}
    assert printing >= {"accounts", "payment", "night", "erased"}
    assert [] == [
        (name, hour.group())
        for name, text in pages.items()
        for hour in HOUR.finditer(text)
        if hour.group().zfill(5) not in there
    ]


def test_every_moment_of_the_api_is_on_the_tables_clock(night):
    game, client = night
    places = ["tables/", f"games/{game.code}/", *(f"tables/{game.table.code}/{part}" for part in API)]
    bodies = {place: client.get(f"/api/v1/{place}").content.decode() for place in places}

    table = Table.objects.get()
    stamps = [(place, stamp) for place, body in bodies.items() for stamp in STAMP.findall(body)]
    assert {place for place, _stamp in stamps} == set(places) - {f"tables/{game.table.code}/seasons/"}
    assert [] == [
        (place, stamp)
        for place, stamp in stamps
        if days.to_table_time(datetime.fromisoformat(stamp), table).isoformat() != stamp
    ]
