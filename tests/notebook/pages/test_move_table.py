"""The page that moves a table to another place, the page that brings it back, and the copy that is only read."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import Role, Table
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.members import rename_table
from games.people.moving import end_move, move
from games.play import recording as services
from tests.reader import Walker, read_page
from tests.tables import a_key, a_round, make_user, start

pytestmark = pytest.mark.django_db

THERE = "https://cards.example/t/23456789abc/"


@pytest.fixture
def page(ana, table):
    """Ana's browser at the page that moves the table."""
    walker = Walker(ana)
    walker.open(reverse("move-table", args=[table.code]))
    return walker


def bring(client, text, **others):
    file = SimpleUploadedFile("mesa.json", text.encode())
    return client.post(reverse("import-table"), {"file": file, "key": a_key(), **others})


def gone_on(table, finished):
    """Return the file of a copy elsewhere in which the rematch was played, once the table has moved there."""
    nora = make_user("nora")
    copy = restore_table(read_table(write_table(table).encode()), key=a_key(), by=nora)
    game = start(copy, nora)
    services.record(game, a_round("ana", beto=101, caro=102, dani=103), after=1, key=a_key(), by=nora)
    move(copy, by=nora)
    return write_table(Table.objects.get(pk=copy.pk), with_anchor=True)


def test_an_owner_moves_it_saves_the_file_says_where_it_is_and_may_end_the_move(ana, page, table):
    shown = page.open(reverse("move-table", args=[table.code]))
    assert "can only be read" in shown.text
    assert "Access does not" in shown.text
    shown = page.press("Move it")
    assert reverse("download", args=[table.code, "table"]) in {
        link.attrs["href"] for link in shown.every("a")
    }
    assert "two tables, and they cannot be joined" in shown.text
    shown = page.press("Save", **{"moved-to": THERE})
    (link,) = [link for link in shown.every("a") if link.attrs["href"] == THERE]
    assert "noopener noreferrer" == link.attrs["rel"]

    page.press("Use this copy again")
    assert Table.objects.get(pk=table.pk).moved_at is None


def test_the_settings_lead_there(ana, waldo, table):
    where = reverse("move-table", args=[table.code])
    settings = reverse("table-settings", args=[table.code])

    assert where in ana.get(settings).content.decode()
    assert where not in waldo.get(settings).content.decode()


def test_an_address_that_is_no_link_comes_back_with_a_message(page, table):
    page.press("Move it")
    shown = page.press("Save", **{"moved-to": "javascript:alert(1)"})

    assert "javascript:alert(1)" == shown.only("textarea", name="moved-to").text
    assert "doesn't look like a link" in shown.text


def test_everybody_who_opens_it_reads_where_it_is_and_nobody_is_offered_to_record(
    ana, waldo, owner, table, game
):
    move(table, by=owner, to=THERE)
    for client in (ana, waldo):
        for where in ("/", reverse("table", args=[table.code]), reverse("sheet", args=[game.code])):
            shown = read_page(client.get(where))
            assert THERE in {link.attrs["href"] for link in shown.every("a")}
            offered = [link.attrs["href"] for link in shown.every("a")]
            assert not [link for link in offered if link.endswith(("/round/", f"/t/{table.code}/new/"))]


def test_what_was_typed_on_an_open_pad_comes_back_with_the_message(ana, owner, table, game):
    move(table, by=owner)
    typed = {"closer": "ana", "closing": "out", "hand": "5", "after": "1", "key": a_key()}
    hands = {"player": ["beto", "caro", "dani"], "hand-beto": "17", "hand-caro": "4", "hand-dani": "3"}
    answer = ana.post(reverse("play-round", args=[game.code]), {**typed, **hands})

    assert answer.status_code in (409, 422)
    assert "This table has moved" in answer.content.decode()


def test_its_file_brings_it_back_with_what_went_on_there(ana, owner, table, finished):
    move(table, by=owner)
    answer = bring(ana, gone_on(Table.objects.get(pk=table.pk), finished))
    table.refresh_from_db()

    assert reverse("export-table", args=[table.code]) in answer["Location"]
    assert "imported=1&moved=1" in answer["Location"]
    assert f"http://testserver/t/{table.code}/" in ana.get(answer["Location"]).content.decode()
    assert (None, 2) == (table.moved_at, table.games.count())


def test_the_file_that_was_saved_here_is_refused_with_a_message(ana, owner, table, finished):
    move(table, by=owner)
    answer = bring(ana, write_table(Table.objects.get(pk=table.pk), with_anchor=True))

    assert 422 == answer.status_code
    assert "Choose the file from the other place" in answer.content.decode()
    assert Table.objects.get(pk=table.pk).moved_at is not None


def test_copies_that_went_on_separately_are_shown_and_may_become_two_tables(ana, owner, table, finished):
    move(table, by=owner)
    text = gone_on(Table.objects.get(pk=table.pk), finished)
    end_move(table, by=owner)
    start(table, owner, variant="loba_mas")
    answer = bring(ana, text)
    shown = read_page(answer)

    assert 409 == answer.status_code
    assert "Loba de Más" in shown.only("ul", id="only-here").text
    assert "Loba de Menos" in shown.only("ul", id="only-there").text
    assert "2 entries" in shown.only("ul", id="only-there").text
    assert 2 == table.games.count()
    assert 302 == bring(ana, text, again=shown.only("button", name="again").attrs["value"]).status_code
    assert 3 == Table.objects.count()


def test_a_change_of_what_no_chain_covers_is_told_instead_of_overwritten(ana, owner, table, finished):
    move(table, by=owner)
    text = gone_on(Table.objects.get(pk=table.pk), finished)
    end_move(table, by=owner)
    rename_table(table, "Otro nombre")
    move(table, by=owner)
    answer = bring(ana, text)
    shown = read_page(answer)

    assert 409 == answer.status_code
    assert "were changed here after the file was saved" in shown.only("ul", id="only-here").text
    assert "Loba de Menos" in shown.only("ul", id="only-there").text
    table.refresh_from_db()
    assert "Otro nombre" == table.name


def test_a_game_that_both_went_on_with_is_shown_event_by_event(ana, owner, table, game):
    nora = make_user("nora")
    copy = restore_table(read_table(write_table(table).encode()), key=a_key(), by=nora)
    services.record(copy.games.get(), a_round("ana", beto=5, caro=7, dani=8), after=1, key=a_key(), by=nora)
    after = game.records.count()
    if after == 1:
        services.record(game, a_round("beto", ana=5, caro=7, dani=9), after=1, key=a_key(), by=owner)
    shown = read_page(bring(ana, write_table(copy)))

    assert "Ana 0" in shown.only("ul", id="only-there").text
    assert "Beto 0" in shown.only("ul", id="only-here").text


def test_who_does_not_own_the_moved_table_gets_a_table_of_their_own(phone_of, owner, table, finished):
    sonia = make_user("sonia")
    move(table, by=owner)
    bring(phone_of(sonia), gone_on(Table.objects.get(pk=table.pk), finished))

    assert 1 == table.games.count()
    assert Role.OWNER == Table.objects.latest("pk").grants.get(user=sonia).role
