"""Recording a round: accepted values, the field at which a refusal shows, and that no typed value is lost."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Record
from games.play import recording as services
from games.play.snapshot import GAMES
from games.scoring.events import PointsAdjusted
from tests.reader import fields, read_page
from tests.replays import counted_replays
from tests.worlds import a_key, a_round, start, totals

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("play-round", args=[game.code])


def _payload(game, **changes):
    """Return the form's fields for a round that Ana closed while the others held points."""
    usual = {
        "after": len(game.log()), "key": a_key(), "closer": "ana", "closing": "out",
        "hand_ana": "", "hand_beto": "23", "hand_caro": "40", "hand_dani": "9",
    }  # fmt: skip
    return fields(**{**usual, **changes})


# --- what is taken ----------------------------------------------------------------------------------------------------


def test_a_recorded_round_is_announced_on_the_sheet(ana, game):
    response = ana.post(_address(game), _payload(game))

    assert (302, f"/g/{game.code}/") == (response.status_code, response.url)
    assert {"ana": 0, "beto": 23, "caro": 40, "dani": 9} == totals(game)
    assert ["Round 1: Ana went out"] == read_page(ana.get(response.url)).last


def test_recording_a_round_replays_the_game_once_and_takes_at_most_16_queries(ana, game, monkeypatch):
    payload = _payload(game)
    ana.get(_address(game))  # The first request imports the API, which replays its examples.
    GAMES.clear()
    replays = counted_replays(monkeypatch)
    with CaptureQueriesContext(connection) as captured:
        ana.post(_address(game), payload)

    assert 1 == len(replays)
    of_transactions = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    queries = [query["sql"] for query in captured if not query["sql"].startswith(of_transactions)]
    assert len(queries) <= 16, queries
    assert 1 == sum("kind" in query and query.startswith("SELECT") for query in queries)


def test_recording_a_round_of_a_cached_game_replays_nothing(ana, game, monkeypatch):
    ana.get(_address(game))
    replays = counted_replays(monkeypatch)
    for number in (1, 2):
        response = ana.post(_address(game), _payload(game))
        assert [f"Round {number}: Ana went out"] == read_page(ana.get(response.url)).last

    assert [] == replays


def test_a_round_with_a_bust_player_redirects_to_the_re_entry_page(ana, game):
    response = ana.post(_address(game), _payload(game, hand_beto="101"))

    assert reverse("reentry", args=[game.code]) == response.url


def test_the_last_round_redirects_to_the_result(ana, game):
    response = ana.post(_address(game), _payload(game, hand_beto="101", hand_caro="102", hand_dani="103"))

    assert reverse("settlement", args=[game.code]) == response.url


# --- the empty page ---------------------------------------------------------------------------------------------------


def test_the_form_lists_all_players_with_empty_hands(ana, game):
    page = read_page(ana.get(_address(game)))
    form, _button = page.form_with("Save the round")

    assert "Round 1" in page.only("h1").text
    assert ["ana", "beto", "caro", "dani"] == form.allowed("closer")
    assert ["out", "in_one_go"] == form.allowed("closing")
    assert "" == page.typed("closer")
    assert {"hand-ana": "", "hand-beto": "", "hand-caro": "", "hand-dani": ""} == {
        name: value for name, value in form.fields.items() if name.startswith("hand-")
    }
    assert "1" == form.fields["after"]


@pytest.mark.parametrize(
    ("tapped", "chosen"), [("ana", "ana"), ("nobody", ""), ("zed", ""), ("<script>", ""), ("", "")]
)
def test_the_closer_chosen_on_the_sheet_is_preselected(ana, game, tapped, chosen):
    page = read_page(ana.get(_address(game), {"closer": tapped}))

    assert (chosen, "out") == (page.typed("closer"), page.typed("closing"))


def test_the_page_has_the_numbers_that_its_scripts_count_with(ana, table, owner, write):
    game = start(table, owner, variant="carioca_cl")
    rounds = [a_round("ana", beto=1, caro=2, dani=3)] * 6
    write(game, *rounds)
    numbers = json.loads(read_page(ana.get(_address(game))).only("form").attrs["data-numbers"])

    assert ("held", 12, 7) == tuple(numbers[name] for name in ("kind", "cards", "after"))
    assert [0, 6, 12, 18] == [seat["total"] for seat in numbers["seats"]]


def test_the_form_of_a_finished_game_redirects_to_the_result(ana, finished):
    assert reverse("settlement", args=[finished.code]) == ana.get(_address(finished)).url


def test_the_form_redirects_to_the_re_entry_page_while_an_answer_is_pending(ana, game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=9))

    assert reverse("reentry", args=[game.code]) == ana.get(_address(game)).url


# --- what is refused, at its field, with everything typed still there -------------------------------------------------


def refused(client, game, *, status=422, **changes):
    """Send a round that is refused and stores nothing; return the page, which still has all the typed
    values.
    """
    before = Record.objects.count()
    payload = _payload(game, **changes)
    response = client.post(_address(game), payload)
    page = read_page(response)

    assert status == response.status_code
    assert before == Record.objects.count()
    for name, value in payload.items():
        if name not in ("after", "key", "closer", "closing"):
            assert value == page.typed(name)
    return page


REFUSED = [
    *(
        ({"closer": closer, "hand_ana": "4"}, "closer", f"{closer} is not at this table.")
        for closer in ("zed", "<script>", "ANA")
    ),
    *(
        (
            {"closing": closing},
            "closing",
            f"A round does not end with “{closing}” here. Allowed: out, in_one_go.",
        )
        for closing in ("cut", "stock_out", "<b>")
    ),
    (
        {"hand_beto": "−4"},
        "hand-beto",
        "A hand is never below 0: a bonus such as −10 comes from how the round is closed.",
    ),
    ({"hand_beto": "{A 2 Q}[4]"}, "hand-beto", "This game doesn't count melds on the table."),
    (
        {"hand_beto": "<script>alert(1)</script>"},
        "hand-beto",
        "“<script>alert(1)</script>” is not a hand. Write points (23) or cards ([K 7 *]).",
    ),
    (
        {"hand_beto": "[K K K K K K K K K]"},
        "hand-beto",
        "The pack has only 8 × K; with this hand the round has 9.",
    ),
]


def test_a_wrong_field_is_refused_beside_it(subtests, ana, game):
    for changed, field, sentence in REFUSED:
        with subtests.test(**changed):
            assert sentence == refused(ana, game, **changed).said_at(field)


def test_all_errors_are_shown_at_once(ana, game):
    page = refused(ana, game, closer="", hand_ana="4", hand_beto="x", hand_caro="")

    assert "Choose who went out." == page.said_at("closer")
    assert page.said_at("hand-beto").startswith("“x” is not a hand")
    assert "The hand of Caro is missing." == page.said_at("hand-caro")


def test_a_round_is_refused_while_a_re_entry_is_undecided(ana, game, write):
    write(game, a_round("ana", beto=101, caro=40, dani=9))
    response = ana.post(_address(game), _payload(game))

    assert 422 == response.status_code
    assert ["Does Beto re-enter?"] == read_page(response).alerts
    assert 2 == Record.objects.count()


# --- keys and versions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand_beto", ["23", "[K 8 5]"])
def test_a_round_that_another_phone_recorded_with_the_same_hands_needs_no_saving(ana, game, write, hand_beto):
    payload = _payload(game, hand_beto=hand_beto)
    write(game, a_round("ana", beto=23, caro=40, dani=9))
    page = read_page(ana.post(_address(game), payload))

    assert "Round 1 is already recorded with these hands." in page.notices
    assert ["To the sheet"] == [button.text for button in page.every(class_="btn go")]
    assert "It is round 2" in page.only("form", id="entry").text


def test_a_penalty_recorded_meanwhile_does_not_raise_the_question_of_the_same_round(ana, game, write):
    payload = _payload(game)
    write(game, PointsAdjusted("beto", 5, "late"))
    page = read_page(ana.post(_address(game), payload))

    assert ["Save the round"] == [button.text for button in page.every(class_="btn go")]


def test_a_round_that_follows_an_unknown_entry_gets_409_with_a_reason(ana, game):
    page = refused(ana, game, status=409, after="2")

    assert "The entry before this one is missing here: check the sheet." in page.only("main").text


# --- a game that was taken away ---------------------------------------------------------------------------------------


def test_the_form_of_a_discarded_game_redirects_to_the_sheet(ana, game):
    services.discard_game(game)
    response = ana.get(_address(game))

    assert (302, reverse("sheet", args=[game.code])) == (response.status_code, response.url)
