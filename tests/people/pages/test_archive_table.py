"""An archived table: the last one on its user's home page, folded; access to it does not change."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.play import recording as services
from tests.reader import Walker, read_page
from tests.tables import make_table

pytestmark = pytest.mark.django_db


def test_an_archived_table_moves_to_the_end_of_the_users_own_home_page_until_it_is_restored(
    ana, waldo, table, game, owner
):
    make_table(owner, name="Otra")
    walker = Walker(ana)
    walker.open(reverse("table-settings", args=[table.code]))
    walker.press("Archive It moves to the end of your first page; others see no change")
    home = walker.open("/")
    assert table.name not in {heading.text for heading in home.every("h2")}
    assert [table.name] == [tile.text for tile in home.only("details", class_="fold").every("a")]
    assert f"/g/{game.code}/" not in {link.attrs["href"] for link in home.every("a")}
    assert f"/g/{game.code}/" in waldo.get("/").content.decode()
    assert 200 == ana.get(f"/g/{game.code}/").status_code
    walker.follow(table.name)
    walker.follow("Table settings Name, clock, access, copies")
    walker.press("Remove it from the archive It is last on your first page")
    assert f"/g/{game.code}/" in {link.attrs["href"] for link in walker.open("/").every("a")}


def test_with_all_tables_archived_play_now_makes_a_new_table(ana, table):
    ana.post(reverse("archive-table", args=[table.code]), {"archived": "yes"})
    home = read_page(ana.get("/"))

    assert reverse("new-table") == home.link("Play now")
    assert table.name in home.only("details", class_="fold").text


def test_the_home_page_offers_to_restore_a_discarded_game_of_an_archived_table(ana, table, game):
    ana.post(reverse("archive-table", args=[table.code]), {"archived": "yes"})
    services.discard_game(game)

    assert "The game was discarded" in read_page(ana.get("/", {"discarded": game.code})).notices
