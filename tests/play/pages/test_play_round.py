"""Recording a round: accepted values, refusals at their fields with nothing typed lost, and the preview while typing."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Record
from games.play.snapshot import GAMES
from games.scoring.events import PointsAdjusted
from tests.reader import fields, read_page
from tests.replays import counted_replays
from tests.worlds import a_key, a_round, start

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


def test_a_round_is_announced_on_the_sheet_and_that_of_a_cached_game_replays_nothing(ana, game, monkeypatch):
    ana.get(_address(game))
    replays = counted_replays(monkeypatch)
    for number in (1, 2):
        response = ana.post(_address(game), _payload(game))
        assert [f"Round {number}: Ana went out"] == read_page(ana.get(response.url)).last

    assert [] == replays


@pytest.mark.parametrize(
    ("hands", "next_page"),
    [
        ({"hand_beto": "101"}, "reentry"),
        ({"hand_beto": "101", "hand_caro": "102", "hand_dani": "103"}, "settlement"),
    ],
)
def test_a_round_leads_to_the_question_of_a_re_entry_or_to_the_result(ana, game, hands, next_page):
    assert reverse(next_page, args=[game.code]) == ana.post(_address(game), _payload(game, **hands)).url


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


@pytest.mark.parametrize(
    ("stage", "next_page"), [("over", "settlement"), ("bust", "reentry"), ("discarded", "sheet")]
)
def test_a_game_that_takes_no_round_now_leads_to_what_it_shows_instead(ana, at_stage, stage, next_page):
    game = at_stage(stage)

    assert reverse(next_page, args=[game.code]) == ana.get(_address(game)).url


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


CLOSINGS = "A round does not end with “<b>” here. Allowed: out, in_one_go."
BELOW = "A hand is never below 0: a bonus such as −10 comes from how the round is closed."
SCRIPT = "<script>alert(1)</script>"
NO_HAND = f"“{SCRIPT}” is not a hand. Write points (23) or cards ([K 7 *])."
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


# --- the preview: consequences as sentences; nothing is stored ------------------------------------------------------


def preview(client, game, name="play-round", *place, **changes):
    return client.post(reverse(name, args=[game.code, *place]) + "?preview", _payload(game, **changes))


def said(client, game, **changes):
    before = Record.objects.count()
    response = preview(client, game, **changes)
    assert (200, before) == (response.status_code, Record.objects.count())
    return [item.text for item in read_page(response).every("li")]


def test_the_preview_shows_a_bust_player_with_the_terms_of_the_re_entry(ana, game):
    assert [
        "Beto is bust with 101; may come back with 40 for $ 100",
        "Beto has more than 90, the highest possible hand.",
    ] == sorted(said(ana, game, hand_beto="101")[:2], reverse=True)


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ({"hand_beto": "[K K K K K K K K K]"}, "Beto: The pack has only 8 × K; with this hand the round has 9."),
        ({"hand_beto": "[* *]", "hand_caro": "[* * *]"}, "Beto and Caro: The pack has only 4 × ★; with this hand the round has 5."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("others", [{}, {"hand_dani": ""}, {"closer": ""}])
def test_impossible_cards_are_reported_before_the_round_is_complete(ana, game, hands, sentence, others):
    assert [sentence] == said(ana, game, **{"hand_ana": "", **hands, **others})


@pytest.mark.parametrize("changes", [{"hand_beto": ""}, {"hand_beto": "x"}, {"closer": ""}])
def test_missing_input_shows_no_consequences(ana, game, changes):
    assert [] == said(ana, game, **changes)


@pytest.mark.parametrize("others", [{"hand_caro": ""}, {"hand_caro": "", "hand_dani": ""}])
def test_an_unlikely_hand_gets_a_warning_while_others_are_missing(ana, game, others):
    assert ["Beto has more than 90, the highest possible hand."] == said(ana, game, hand_beto="999", **others)


def test_the_most_important_consequences_come_first(ana, game):
    assert [
        "If you save, it ends: Ana wins, +$ 300",
        "Beto is eliminated with 101",
        "Caro is eliminated with 101",
        "Dani is eliminated with 101",
        "Beto has more than 90, the highest possible hand.",
    ] == said(ana, game, hand_beto="101", hand_caro="101", hand_dani="101")[:5]


def test_the_preview_of_a_finished_game_is_empty(ana, finished):
    assert [] == said(ana, finished)


def test_the_preview_of_a_correction_uses_the_state_before_that_round(ana, game, write):
    write(game, a_round("ana", beto=90, caro=40, dani=9))
    write(game, a_round("ana", beto=5, caro=40, dani=9))
    response = preview(ana, game, "correct", 2, hand_beto="101")

    assert "Beto is bust with 101; may come back with 40 for $ 100" in read_page(response).only("ul").text
    assert 3 == Record.objects.count()


@pytest.mark.parametrize("name", ["correct", "insert-round"])
@pytest.mark.parametrize("number", [0, 1, 9])
def test_the_preview_of_an_unknown_event_gets_404(ana, game, name, number):
    assert 404 == preview(ana, game, name, number).status_code


# --- how each hand was read -------------------------------------------------------------------------------------------


def readings(response):
    """Return how the preview interpreted each typed hand, by the player's id."""
    shown = read_page(response).every("data", class_="reading")
    assert all("hidden" in node.attrs for node in shown)
    return {node.attrs["data-hand"]: json.loads(node.attrs["value"]) for node in shown}


def test_a_typed_tag_is_escaped_in_the_preview(ana, game):
    response = preview(ana, game, hand_beto="\"><script>alert('x')</script>")

    assert b"<script" not in response.content
    assert "\"><script>alert('x')</script>" == readings(response)["beto"]["text"]


def test_the_reason_why_a_round_is_invalid_names_the_player(ana, table, owner):
    game = start(table, owner, variant="loba_mas")
    flawed = preview(ana, game, hand_ana="{K K K}", hand_beto="{9 9 9}{3 3 3 *}[5]", hand_caro="5")
    held = preview(ana, game, hand_ana="{K K K}[4]", hand_beto="5", hand_caro="5")

    assert ["Beto: A set can't contain wild cards."] == [item.text for item in read_page(flawed).every("li")]
    assert ["Ana went out, so no cards can be left."] == [item.text for item in read_page(held).every("li")]


@pytest.mark.parametrize("name", ["correct", "insert-round"])
def test_the_preview_of_a_correction_or_insertion_uses_the_contract_of_that_round(
    ana, table, owner, write, name
):
    game = start(table, owner, variant="carioca_ar", buy_points=5)
    write(game, a_round("ana", beto=10, caro=20, dani=30))
    write(game, a_round("ana", beto=10, caro=20, dani=30))
    shown = readings(preview(ana, game, name, 2, hand_ana="0+1", hand_beto="[* A]+2"))

    assert {"ana": (5, 5), "beto": (80, 80)} == {
        player: (shown[player]["points"], shown[player]["round"]) for player in ("ana", "beto")
    }
