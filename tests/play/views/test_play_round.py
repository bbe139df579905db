"""Recording a round: accepted values, refusals at their fields that keep the typed values, and the preview."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Record
from games.play.services import snapshots
from games.scoring import replay
from games.scoring.events import Corrected, PlayerReentered, PointsAdjusted, Struck
from tests.factories import build_round, new_key, start
from tests.reader import fields, read_page

pytestmark = pytest.mark.django_db


def _address(game):
    return reverse("play-round", args=[game.code])


def _payload(game, **changes):
    """Return the form's fields for a round that Ana closed while the others held points."""
    usual = {
        "after": len(game.log()), "key": new_key(), "closer": "ana", "closing": "out",
        "hand_ana": "", "hand_beto": "23", "hand_caro": "40", "hand_dani": "9",
    }  # fmt: skip
    return fields(**{**usual, **changes})


@pytest.fixture
def replays(monkeypatch):
    """A list that collects the first arguments of every replay from now on."""
    started: list[object] = []
    start = replay._start_game

    def counting(*first):
        started.append(first)
        return start(*first)

    monkeypatch.setattr(replay, "_start_game", counting)
    return started


# --- what is taken ----------------------------------------------------------------------------------------------------


def test_recording_a_round_replays_the_game_once_and_takes_at_most_16_queries(
    ana, game, replays, monkeypatch
):
    payload = _payload(game)
    ana.get(_address(game))  # The first request imports the API, which replays its examples.
    monkeypatch.setattr(snapshots, "GAME_CACHE", snapshots.GameCache(snapshots.MAX_CACHED_EVENTS))
    replays.clear()
    with CaptureQueriesContext(connection) as captured:
        ana.post(_address(game), payload)

    assert 1 == len(replays)
    of_transactions = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    queries = [query["sql"] for query in captured if not query["sql"].startswith(of_transactions)]
    assert len(queries) <= 16, queries
    assert 1 == sum("kind" in query and query.startswith("SELECT") for query in queries)


def test_a_round_of_a_cached_game_replays_nothing_and_is_announced_on_the_sheet(ana, game, replays):
    ana.get(_address(game))
    replays.clear()
    for number in (1, 2):
        response = ana.post(_address(game), _payload(game))
        assert [f"Round {number}: Ana went out"] == read_page(ana.get(response.url)).last

    assert [] == replays


# --- the empty page ---------------------------------------------------------------------------------------------------


def test_the_form_lists_all_players_with_empty_hands(ana, game):
    page = read_page(ana.get(_address(game)))
    form, _button = page.form_with("Save")

    assert ["ana", "beto", "caro", "dani"] == form.allowed("closer")
    assert ["out", "in_one_go"] == form.allowed("closing")
    assert "" == page.typed("closer")
    assert {"hand-ana": "", "hand-beto": "", "hand-caro": "", "hand-dani": ""} == {
        name: value for name, value in form.fields.items() if name.startswith("hand-")
    }


@pytest.mark.parametrize(("tapped", "chosen"), [("ana", "ana"), ("nobody", ""), ("<script>", "")])
def test_the_closer_chosen_on_the_sheet_is_preselected(ana, game, tapped, chosen):
    page = read_page(ana.get(_address(game), {"closer": tapped}))

    assert (chosen, "out") == (page.typed("closer"), page.typed("closing"))


@pytest.mark.parametrize(
    ("stage", "next_page"), [("over", "settlement"), ("bust", "reentry"), ("discarded", "sheet")]
)
def test_a_game_that_takes_no_round_now_leads_to_what_it_shows_instead(ana, at_stage, stage, next_page):
    game = at_stage(stage)

    assert reverse(next_page, args=[game.code]) == ana.get(_address(game)).url


# --- what is refused, at its field, with everything typed still there -------------------------------------------------


def post_invalid(client, game, *, status=422, **changes):
    """Send a round. Assert that it is refused, stores nothing and keeps the typed values. Return the page."""
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


CLOSINGS = "A round does not end with “<b>” here. Allowed: out, in_one_go."
BELOW = "A hand is never below 0: a bonus such as −10 comes from how the round ended."
SCRIPT = "<script>alert(1)</script>"
NO_HAND = f"“{SCRIPT}” is not a hand. Write points (23) or, in a game with cards, cards ([7 2])."
REFUSED = [
    ({"closer": "<script>", "hand_ana": "4"}, "closer", "<script> is not at this table."),
    ({"closer": "ANA", "hand_ana": "4"}, "closer", "ANA is not at this table."),
    ({"closing": "<b>"}, "closing", CLOSINGS),
    ({"hand_beto": "−4"}, "hand-beto", BELOW),
    ({"hand_beto": "{A 2 Q}[4]"}, "hand-beto", "This game doesn't count melds on the table."),
    ({"hand_beto": SCRIPT}, "hand-beto", NO_HAND),
    (
        {"hand_beto": "[K K K K K K K K K]"},
        "hand-beto",
        "The pack has only 8 × K; with this hand the round would have 9.",
    ),
]


def test_a_wrong_field_is_refused_beside_it(subtests, ana, game):
    for changes, field, sentence in REFUSED:
        with subtests.test(**changes):
            assert sentence == post_invalid(ana, game, **changes).said_at(field)


def test_all_errors_are_shown_at_once(ana, game):
    page = post_invalid(ana, game, closer="", hand_ana="4", hand_beto="x", hand_caro="")

    assert "Choose who went out." == page.said_at("closer")
    assert page.said_at("hand-beto").startswith("“x” is not a hand")
    assert "Caro's hand is missing." == page.said_at("hand-caro")


def test_a_round_is_refused_while_a_re_entry_is_undecided(ana, game, write):
    write(game, build_round("ana", beto=101, caro=40, dani=9))
    response = ana.post(_address(game), _payload(game))

    assert (422, ["Is Beto coming back?"]) == (response.status_code, read_page(response).alerts)


# --- recorded meanwhile -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "buttons"),
    [
        (build_round("ana", beto=23, caro=40, dani=9), ["Go to the sheet"]),
        (PointsAdjusted("beto", 5, "late"), ["Save"]),
    ],
)
def test_a_round_that_another_phone_may_have_recorded_is_asked_about(ana, game, write, event, buttons):
    payload = _payload(game)
    write(game, event)
    page = read_page(ana.post(_address(game), payload))

    assert buttons == [button.text for button in page.every(class_="btn go")]
    is_asked = buttons == ["Go to the sheet"]
    assert is_asked == ("Your round was not saved. Is it the same one?" in page.notices)
    assert is_asked == ("It is round 2" in page.only("form", id="entry").text)


def test_a_round_that_follows_an_unknown_entry_gets_409_with_a_reason(ana, game):
    page = post_invalid(ana, game, status=409, after="2")

    assert "The entry before this one is missing here: check the sheet." in page.only("main").text


# --- the preview: consequences as sentences; nothing is stored ------------------------------------------------------


def preview(client, game, name="play-round", *place, **changes):
    return client.post(reverse(name, args=[game.code, *place]) + "?preview", _payload(game, **changes))


def preview_lines(client, game, **changes):
    before = Record.objects.count()
    response = preview(client, game, **changes)
    assert (200, before) == (response.status_code, Record.objects.count())
    return [item.text for item in read_page(response).every("li")]


TOO_MANY_KINGS = "Beto: The pack has only 8 × K; with this hand the round would have 9."
TOO_MANY_JOKERS = "Beto and Caro: The pack has only 4 × ★; with this hand the round would have 5."
UNLIKELY = "Beto has more than 90, the highest possible hand."
PREVIEWS = [
    (
        {"hand_beto": "101", "hand_caro": "101", "hand_dani": "101"},
        [
            "If you save, the game ends: Ana wins, +$300",
            "Beto is out with 101",
            "Caro is out with 101",
            "Dani is out with 101",
            UNLIKELY,
        ],
    ),
    *(
        ({**hands, **others}, [sentence])
        for hands, sentence in [
            ({"hand_beto": "[K K K K K K K K K]"}, TOO_MANY_KINGS),
            ({"hand_beto": "[* *]", "hand_caro": "[* * *]"}, TOO_MANY_JOKERS),
        ]
        for others in ({}, {"hand_dani": ""}, {"closer": ""})
    ),
    *(({"hand_beto": "999", "hand_caro": "", "hand_dani": dani}, [UNLIKELY]) for dani in ("", "9")),
    *((missing, []) for missing in ({"hand_beto": ""}, {"hand_beto": "x"}, {"closer": ""})),
]


def test_the_preview_says_what_follows_of_a_round_complete_or_not(subtests, ana, game):
    for changes, sentences in PREVIEWS:
        with subtests.test(**changes):
            assert sentences == preview_lines(ana, game, **changes)[:5]


def test_a_preview_that_arrives_after_its_round_was_recorded_counts_it_once(ana, game):
    payload = _payload(game, hand_beto="60", hand_caro="50")
    ana.post(_address(game), payload)
    response = ana.post(f"{_address(game)}?preview", payload)

    assert [] == [item.text for item in read_page(response).every("li") if "bust" in item.text]
    assert [60, 50, 9] == [
        json.loads(node.attrs["value"])["points"]
        for node in read_page(response).every("data", class_="reading")
        if node.attrs["data-hand"] != "ana"
    ]


def test_a_preview_at_any_position_of_a_corrected_game_is_answered(subtests, ana, game, write):
    """Between a correction and the removal of the re-entry that it contradicts, the game has no state."""
    write(game, build_round("ana", beto=101, caro=4, dani=6))
    write(game, PlayerReentered("beto"))
    write(game, Corrected(2, build_round("ana", beto=50, caro=4, dani=6)), Struck(3))
    for after in range(-1, len(game.log()) + 2):
        with subtests.test(after=after):
            assert 200 == ana.post(f"{_address(game)}?preview", _payload(game, after=after)).status_code


def test_the_preview_of_a_finished_game_is_empty(ana, finished):
    assert [] == preview_lines(ana, finished)


# --- how each hand was read -------------------------------------------------------------------------------------------


def parse_readings(response):
    nodes = read_page(response).every("data", class_="reading")
    assert all("hidden" in node.attrs for node in nodes)
    return {node.attrs["data-hand"]: json.loads(node.attrs["value"]) for node in nodes}


def test_the_preview_offers_the_closing_that_was_probably_meant(ana, table, owner):
    game = start(table, owner, variant="chinchon")
    page = read_page(preview(ana, game, closing="cut", hand_ana="[1c 2c 3c 4c 5c 6c 7c]", hand_beto="12"))

    (button,) = page.every("button")
    assert ("chinchon", "Yes: chinchón") == (button.attrs["data-closing"], button.text)


def test_a_typed_tag_is_escaped_in_the_preview(ana, game):
    response = preview(ana, game, hand_beto="\"><script>alert('x')</script>")

    assert b"<script" not in response.content
    assert "\"><script>alert('x')</script>" == parse_readings(response)["beto"]["text"]


def test_the_reason_why_a_round_is_invalid_names_the_player(ana, table, owner):
    game = start(table, owner, variant="loba_mas")
    flawed = preview(ana, game, hand_ana="{K K K}", hand_beto="{9 9 9}{3 3 3 *}[5]", hand_caro="5")
    leftover = preview(ana, game, hand_ana="{K K K}[4]", hand_beto="5", hand_caro="5")

    assert ["Beto: A set can't contain wild cards."] == [item.text for item in read_page(flawed).every("li")]
    assert ["Ana went out, so no cards can be left."] == [
        item.text for item in read_page(leftover).every("li")
    ]


def test_the_head_of_a_pad_has_a_step_for_each_contract_and_marks_that_of_its_round(ana, table, owner, write):
    game = start(table, owner, variant="carioca_ar")
    write(game, build_round("ana", beto=10, caro=20, dani=30))
    write(game, build_round("ana", beto=10, caro=20, dani=30))
    later, first = (
        [
            step.attrs.get("class", "")
            for step in read_page(ana.get(address)).only("span", class_="steps").every("i")
        ]
        for address in (_address(game), reverse("correct", args=[game.code, 2]))
    )

    assert ["done", "done", "next", *[""] * (len(first) - 3)] == later
    assert ["next", *[""] * (len(later) - 1)] == first
    assert [] == read_page(ana.get(_address(start(table, owner)))).every("span", class_="steps")


@pytest.mark.parametrize("name", ["correct", "insert-round"])
def test_the_preview_of_a_correction_or_insertion_uses_the_contract_of_that_round(
    ana, table, owner, write, name
):
    game = start(table, owner, variant="carioca_ar", buy_points=5)
    write(game, build_round("ana", beto=10, caro=20, dani=30))
    write(game, build_round("ana", beto=10, caro=20, dani=30))
    hand_readings = parse_readings(preview(ana, game, name, 2, hand_ana="0+1", hand_beto="[* A]+2"))

    assert {"ana": (5, 5), "beto": (80, 80)} == {
        player: (hand_readings[player]["points"], hand_readings[player]["round"])
        for player in ("ana", "beto")
    }
