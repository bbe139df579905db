"""Quick keys: an owner chooses them, and a tap on a face records a round with 0 for all other players."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from games.models import Grant, Role
from games.notebook.fields import Unreadable
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.faces import tap_face
from games.play.hands import SentHand, offer_hand
from games.play.quick_keys import choose_quick_keys
from games.play.recording import undo
from games.scoring.events import GameStopped, Stop
from tests.reader import read_page
from tests.tables import a_key, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(table, owner):
    """A game of points at a table that chose the keys +1 and +5."""
    choose_quick_keys(table, [5, 1])
    return start(table, owner, variant="points", ending="open")


def tap(client, game, player, points=1, *, after=None, key=None):
    fields = {
        "player": player,
        "points": points,
        "after": after or game.records.count(),
        "key": key or a_key(),
    }
    return client.post(reverse("quick-round", args=[game.code]), fields)


def totals(game):
    return {player.id: player.total for player in game.state().players}


def sheet(client, game):
    return read_page(client.get(reverse("sheet", args=[game.code])))


def names(page):
    """Return the values of the faces that record a round in one tap."""
    return [button.attrs["value"] for button in page.every("button") if button.attrs.get("name") == "player"]


def test_a_quick_tap_records_a_round_with_zeros_for_the_others_and_offers_undo(ana, game):
    answer = tap(ana, game, "beto", 5)

    assert f"{reverse('sheet', args=[game.code])}?done=2" == answer.headers["Location"]
    assert "Undo" in read_page(ana.get(answer.headers["Location"])).text
    assert {"ana": 0, "beto": 5, "caro": 0, "dani": 0} == totals(game)
    entry = game.log()[-1].entry
    assert [("ana", 0), ("beto", 5), ("caro", 0), ("dani", 0)] == [
        (player, hand.points) for player, hand in entry.hands
    ]


def test_only_a_points_game_has_quick_keys_on_its_sheet(ana, waldo, table, owner, game):
    page = sheet(ana, game)
    numbers = [one.attrs["value"] for one in page.every("input") if one.attrs.get("name") == "points"]

    assert (["1", "5"], ["ana", "beto", "caro", "dani"]) == (numbers, names(page))
    assert [] == names(sheet(waldo, game))
    assert [] == names(sheet(ana, start(table, owner)))


def test_a_table_that_chose_no_quick_keys_has_none(ana, table, game):
    choose_quick_keys(table, [])

    assert [] == names(sheet(ana, game))
    assert 422 == tap(ana, game, "beto").status_code


def test_a_quick_tap_with_other_points_or_an_unknown_player_is_refused(subtests, ana, game):
    for player, points in [("beto", 2), ("beto", "x"), ("beto", ""), ("zoe", 1), ("", 1)]:
        with subtests.test(player=player, points=points):
            answer = tap(ana, game, player, points)

            sentence = (
                "This table doesn't have that quick key."
                if player == "beto"
                else "This player is not in the round."
            )
            assert (422, 1) == (answer.status_code, game.records.count())
            assert sentence in read_page(answer).text


def test_a_quick_tap_repeated_on_the_same_page_records_nothing(ana, owner, game):
    key = a_key()
    first = tap(ana, game, "beto", key=key, after=1)
    again = tap(ana, game, "beto", key=key, after=1)
    assert first.headers["Location"] == again.headers["Location"]
    assert {"ana": 0, "beto": 1, "caro": 0, "dani": 0} == totals(game)

    stale = tap(ana, game, "caro", after=1)
    assert 409 == stale.status_code
    assert "Recorded meanwhile" in read_page(stale).text
    undo(game, after=2, key=a_key(), by=owner)
    assert {"ana": 0, "beto": 0, "caro": 0, "dani": 0} == totals(game)


def test_a_quick_tap_is_refused_while_a_phone_has_sent_points(ana, table, game):
    user = make_user("phone")
    Grant.objects.create(user=user, table=table, role=Role.WITNESS)
    tap_face(table.members.get(slug="beto"), user)
    offer_hand(game, SentHand("7", after=1), by=user)

    assert [] == names(sheet(ana, game))
    answer = tap(ana, game, "caro")
    assert (409, 1) == (answer.status_code, game.records.count())
    assert "A phone has sent points" in read_page(answer).text


def test_a_finished_game_refuses_quick_taps(ana, write, game):
    write(game, GameStopped(Stop.HIGHEST_WINS))

    assert (422, 2) == (tap(ana, game, "beto").status_code, game.records.count())


# --- the choice -----------------------------------------------------------------------------------------------


def choose(client, game, *keys):
    return client.post(reverse("quick-keys", args=[game.code]), {"quick-key": keys})


def test_an_owner_chooses_the_quick_keys_on_the_page_of_other_events(ana, table, owner, game):
    address = reverse("quick-keys", args=[game.code])
    links = [link.attrs["href"] for link in read_page(ana.get(reverse("more", args=[game.code]))).every("a")]
    other = ana.get(reverse("more", args=[start(table, owner).code])).content.decode()
    assert (True, False) == (address in links, "quick-keys" in other)
    checked = [
        box.attrs["value"] for box in read_page(ana.get(address)).every("input") if "checked" in box.attrs
    ]
    assert ["1", "5"] == checked

    assert reverse("sheet", args=[game.code]) == choose(ana, game, "5", "2").headers["Location"]
    table.refresh_from_db()
    assert [2, 5] == table.quick_keys
    assert 302 == choose(ana, game).status_code
    table.refresh_from_db()
    assert [] == table.quick_keys


@pytest.mark.parametrize("key", ["3", "-1", "x", ""])
def test_an_unknown_quick_key_is_refused_at_its_field(ana, table, game, key):
    answer = choose(ana, game, "2", key)

    assert 422 == answer.status_code
    page = read_page(answer)
    assert "The quick keys must be +1, +2, +5." == page.only("span", id="quick-key-error").text
    assert ["2"] == [box.attrs["value"] for box in page.every("input") if "checked" in box.attrs]
    table.refresh_from_db()
    assert [1, 5] == table.quick_keys


# --- the table's file -----------------------------------------------------------------------------------------


def test_quick_keys_survive_export_and_import(table, owner, game):
    text = "".join(write_table(table)).encode()

    assert [1, 5] == restore_table(read_table(text), key=a_key(), by=owner, again=True).quick_keys


@pytest.mark.parametrize("keys", [[3], [True], ["1"], [[1]], [1, 2, 5, 1], 1])
def test_an_import_with_unknown_quick_keys_is_refused(table, keys):
    value = json.loads("".join(write_table(table)))
    value["table"]["quick_keys"] = keys

    with pytest.raises(Unreadable):
        read_table(json.dumps(value).encode())
