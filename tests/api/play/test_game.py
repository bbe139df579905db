"""One game through the API: read, undone, redone, discarded, restored and played again; its ETags."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.models import Game, Record
from games.people.members import change_member
from games.scoring.text.report import full_summary
from tests.api.play.conftest import event, round_of, totals
from tests.tables import long_game

pytestmark = pytest.mark.django_db

ROUNDS = 60


@pytest.fixture
def sixty(table, owner):
    """A game of sixty rounds that is still running."""
    return long_game(table, owner, rounds=ROUNDS)


def test_reading_a_long_game_takes_five_queries(ana, sixty, django_assert_num_queries):
    ana.get("tables/")  # whose session is saved only once
    with django_assert_num_queries(5):  # queries: session, user, game, its records, its people
        answer = ana.get(f"games/{sixty.code}/")

    assert (ROUNDS, ROUNDS + 1) == (len(answer.body["rounds"]), answer.body["after"])
    assert full_summary(sixty.state()).items() <= answer.body.items()
    assert '"61' == answer.headers["ETag"].partition(".")[0]


def test_recording_a_round_in_a_long_game_takes_few_queries(ana, sixty, django_assert_max_num_queries):
    ana.get("tables/")
    body = {"after": ROUNDS + 1, "events": [round_of("ana", beto=1, caro=1, dani=1)]}
    with django_assert_max_num_queries(21):
        answer = ana.write(f"games/{sixty.code}/events/", body, key="k")

    assert (200, ROUNDS + 1) == (answer.status, len(answer.body["rounds"]))


def test_players_have_their_present_names(ana, game, table):
    change_member(table.members.get(slug="beto"), name="Betito", colour=2)
    body = {"after": 1, "events": [round_of("ana", beto=1, caro=1, dani=1)]}
    recorded = [ana.write(f"games/{game.code}/events/", body, key="k") for _ in range(2)]

    for answer in (*recorded, ana.get(f"games/{game.code}/")):
        assert ["Ana", "Betito", "Caro", "Dani"] == [player["name"] for player in answer.body["players"]]


# --- undo and redo ----------------------------------------------------------------------------------------------------


def test_events_recorded_together_are_undone_and_redone_together(ana, game):
    path = f"games/{game.code}/"
    two = [round_of("ana", beto=10, caro=5, dani=1), round_of("beto", ana=7, caro=1, dani=1)]
    played = ana.write(f"{path}events/", {"after": 1, "events": two}, key="k1")
    undone = ana.write(f"{path}undo/", {"after": 3}, key="k2")
    redone = ana.write(f"{path}redo/", {"after": undone.body["after"]}, key="k3")

    assert (True, False) == (played.body["can_undo"], played.body["can_redo"])
    assert ([], False, True) == tuple(undone.body[name] for name in ("rounds", "can_undo", "can_redo"))
    assert totals(played) == totals(redone)
    assert (422, "refused") == ana.write(f"{path}redo/", {"after": 7}, key="k4").problem[:2]


def test_an_undo_can_give_its_version_as_an_etag_in_if_match(ana, game):
    path = f"games/{game.code}/"
    ana.write(f"{path}events/", {"after": 1, "events": [event("player_left", player="dani")]}, key="k1")
    tag = ana.get(path).headers["ETag"]

    assert 200 == ana.write(f"{path}undo/", {}, key="k2", **{"if-match": tag}).status
    assert (400, "misshapen", {"field": "after"}) == (
        *(undone := ana.write(f"{path}undo/", {}, key="k3")).problem[:2],
        undone.place,
    )


# --- discarded, and more -----------------------------------------------------------------------------------------------


def test_a_discarded_game_is_unlisted_and_refuses_rounds_until_it_is_restored(ana, game, table):
    path, games = f"games/{game.code}/", f"tables/{table.code}/games/"
    body = {"after": 1, "events": [round_of("ana", beto=1, caro=1, dani=1)]}
    gone = [ana.post(f"{path}discard/", {}) for _ in range(2)]

    assert [200, 200] == [answer.status for answer in gone]
    assert gone[0].body["discarded_at"] == gone[1].body["discarded_at"] is not None
    assert [] == ana.get(games).body["games"]
    assert [game.code] == [answer["code"] for answer in ana.get(f"{games}?state=discarded").body["games"]]
    assert (422, "refused", "This game was discarded. Restore it first.") == ana.write(
        f"{path}events/", body, key="k"
    ).problem

    assert ana.post(f"{path}restore/", {}).body["discarded_at"] is None
    assert 200 == ana.write(f"{path}events/", body, key="k").status


def test_a_rematch_sent_twice_starts_one_game(ana, game):
    path = f"games/{game.code}/"
    ana.write(f"{path}events/", {"after": 1, "events": [event("game_stopped", how="lowest_wins")]}, key="k1")
    begun = [ana.write(f"{path}rematch/", {}, key="k2") for _ in range(2)]

    assert [201, 201] == [answer.status for answer in begun]
    assert begun[0].body["code"] == begun[1].body["code"] != game.code
    assert (2, 3) == (Game.objects.count(), Record.objects.count())


@pytest.fixture
def begun(ana, game, owner):
    """The rematch of the ended game, started a minute ago, without a round."""
    body = {"after": 1, "events": [event("game_stopped", how="lowest_wins")]}
    ana.write(f"games/{game.code}/events/", body, key="k1")
    code = ana.write(f"games/{game.code}/rematch/", {}, key="k2").body["code"]
    Game.objects.filter(code=code).update(started_at=now() - timedelta(minutes=1))
    return code


def test_another_game_of_the_same_people_is_started_only_if_the_client_confirms_it(ana, game, begun, table):
    again = {"variant": "loba_menos", "players": [{"id": member.slug} for member in table.members.all()]}
    for where, body in ((f"games/{game.code}/rematch/", {}), (f"tables/{table.code}/games/", again)):
        refused = ana.write(where, body, key=f"again {where}")
        sure = ana.write(where, {**body, "sure": True}, key=f"again {where}")

        assert (409, "unusual") == refused.problem[:2]
        assert "Start another one?" in refused.problem[2]
        assert "sure" == refused.body["field"]
        assert (201, True) == (sure.status, sure.body["code"] != begun)


def test_an_unchanged_game_is_a_304_until_a_member_is_renamed(ana, game, table):
    """A clock on the wall polls with the ETag. A new name of Beto changes it, although no event says so."""
    where, beto = f"/api/v1/games/{game.code}/", table.members.get(slug="beto")
    tag = ana.client.get(where)["ETag"]
    seen = {"if-none-match": f'"other", W/{tag}'}
    same = ana.client.get(where, headers=seen)
    change_member(beto, name="Betito", colour=2)
    renamed = ana.client.get(where, headers=seen)

    assert (304, b"", tag) == (same.status_code, same.content, same["ETag"])
    assert (200, '"1') == (renamed.status_code, renamed["ETag"].partition(".")[0])
    assert 304 == ana.client.get(where, headers={"if-none-match": "*"}).status_code


def test_the_etag_of_a_game_depends_on_the_language_and_on_whether_it_is_discarded(ana, game):
    where = f"/api/v1/games/{game.code}/"
    seen = {"if-none-match": ana.client.get(where)["ETag"]}

    assert 304 == ana.client.get(where, headers=seen).status_code
    assert 200 == ana.client.get(where, headers={**seen, "accept-language": "es-AR"}).status_code
    ana.post(f"games/{game.code}/discard/", {})
    assert 200 == ana.client.get(where, headers=seen).status_code


def test_the_etag_of_a_game_is_valid_in_the_if_match_header_of_a_write(ana, game):
    tag = ana.get(f"games/{game.code}/").headers["ETag"]
    sent = {"events": [round_of("ana", beto=1, caro=2, dani=3)]}

    assert 200 == ana.write(f"games/{game.code}/events/", sent, key="k", **{"if-match": tag}).status
    assert 409 == ana.write(f"games/{game.code}/events/", sent, key="other", **{"if-match": tag}).status
