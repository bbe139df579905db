"""A game with a record that was altered in the database cannot be shown; all other pages still work."""

from __future__ import annotations

import pytest
from django.db import connection
from django.urls import reverse

from games.common import triggers
from games.models import Record
from tests.factories import start
from tests.reader import read_page

pytestmark = pytest.mark.django_db

TABLE_PAGES = ("lobby", "new-game", "season", "accounts", "table-settings", "import-nights")


@pytest.fixture
def phone(client_for, owner):
    """Ana's phone, which gets the error page instead of the exception."""
    return client_for(owner, raise_request_exception=False)


@pytest.fixture
def other(table, owner):
    return start(table, owner, variant="chinchon")


def corrupt_record(game, number=1, data="{}"):
    """Overwrite a record without its triggers, as anybody with the database file can."""
    triggers.remove_record_guards(connection)
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {Record._meta.db_table} SET data = %s WHERE game_id = %s AND number = %s",
                [data, game.pk, number],
            )
    finally:
        triggers.install_record_guards(connection)


@pytest.mark.parametrize("data", ["{}", "[]", '{"players": 7}'])
def test_home_marks_the_unreadable_game_and_shows_the_others(phone, game, other, data):
    corrupt_record(game, data=data)
    page = read_page(phone.get("/"))
    tiles = {
        tile.attrs["href"]: tile.text for tile in page.every("a") if "live" in tile.attrs.get("class", "")
    }

    assert "Its entries can't be read." in tiles[reverse("sheet", args=[game.code])]
    assert "round 1" in tiles[reverse("sheet", args=[other.code])]


def test_only_the_pages_of_the_unreadable_game_fail_and_the_log_names_it(
    phone, table, finished, other, caplog
):
    """The altered game is the table's last one. A new game takes its rules and players from it."""
    corrupt_record(finished)
    code = table.code
    everywhere = [
        "/",
        *(reverse(name, args=[code]) for name in TABLE_PAGES),
        reverse("sheet", args=[other.code]),
        f"/api/v1/tables/{code}/games/",
    ]

    assert {200} == {phone.get(address).status_code for address in everywhere}
    assert f"What was recorded of the game with the id {finished.pk} cannot be read" in caplog.text
    assert "NotationError" in caplog.text
    assert 500 == phone.get(reverse("sheet", args=[finished.code])).status_code
    home = read_page(phone.get("/"))
    assert reverse("new-game", args=[code]) == home.link("New game")
    assert reverse("rematch", args=[finished.code]) not in [
        form.attrs["action"] for form in home.every("form")
    ]
