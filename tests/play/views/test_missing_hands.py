"""Corrections after which hands, a round or an answer are missing, asked for page by page without scripts.

`api/test_missing_hands.py` has the refusals of the API; `browser/test_missing_hands.py` has the pad with scripts.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from games.scoring import Game as PlayedGame
from games.scoring.ledger import nets
from games.scoring.text.notation import parse_line
from tests.factories import new_key, start
from tests.reader import Node, Walker, change_lines, fields, read_page

pytestmark = pytest.mark.django_db

# Case 1: Caro is bust in round 1, came back and played on, but was recorded as out.
LINES = (
    "round ana cut ana=1 beto=10 caro=101 dani=20",
    "stay_out caro",
    "round beto cut ana=10 beto=2 dani=30",
    "round ana cut ana=3 beto=20 dani=12",
)


PLAYERS = 'players ana="Ana" beto="Beto" caro="Caro" dani="Dani"'


def record_lines(game, write, *lines: str) -> None:
    for line in lines:
        for event in parse_line(line):
            write(game, event)


def written_right(*lines: str, head: str = "chinchon packs=2 stake=1000") -> PlayedGame:
    """Return the game that was written right at once."""
    return PlayedGame.from_text("\n".join((f"game {head}", PLAYERS, *lines)))


def assert_equal(right: PlayedGame, game) -> None:
    state = game.state()
    assert (right.state.players, right.state.dealer, nets(right.state)) == (
        state.players,
        state.dealer,
        nets(state),
    )


def titles(page: Node) -> str:
    return page.only("h1").text


def known_hands(page: Node) -> dict[str, str]:
    """Return the hands that the page shows and does not let change."""
    return {
        node.attrs["name"].removeprefix("hand-"): node.attrs["value"]
        for node in page.only(id="hands").every("input")
        if "readonly" in node.attrs
    }


@pytest.fixture
def chinchon(table, owner, write):
    game = start(table, owner, variant="chinchon", packs=2, stake=1000)
    record_lines(game, write, *LINES)
    return game


@pytest.fixture
def walker(ana, chinchon):
    """A browser on the page of the wrong answer."""
    walker = Walker(ana)
    walker.open(reverse("correct", args=[chinchon.code, 3]))
    return walker


def test_who_came_back_after_all_gives_the_missing_hands_round_by_round_and_one_save_records_them(
    walker, chinchon
):
    page = walker.press("Actually came back")
    assert ("Round 2 Caro's hand is missing.", {"ana": "10", "beto": "2", "dani": "30"}) == (
        titles(page),
        known_hands(page),
    )
    assert ["beto"] == page.only("form", id="entry").allowed("closer")
    assert [] == page.alerts

    page = walker.press("Continue", hand_caro="15")
    assert ("Round 3 Caro's hand is missing.", {"ana": "3", "beto": "20", "dani": "12"}) == (
        titles(page),
        known_hands(page),
    )
    page = walker.press("Continue", hand_caro="4")

    right = written_right(
        LINES[0],
        "reenter caro",
        "round beto cut ana=10 beto=2 caro=15 dani=30",
        "round ana cut ana=3 beto=20 caro=4 dani=12",
    )
    assert {
        "C Caro Out → in · bust with 101 in round 1, comes back at 20 101 → 39",
        "Pot $4,000 → $5,000",
        "C Caro, round 2 – → 15",
        "C Caro, round 3 – → 4",
    } <= set(change_lines(page))
    assert 5 == Record.objects.count()

    walker.press("Save")
    assert_equal(right, chinchon)
    assert ["Corrected: Caro came back for $1,000"] == walker.page.last
    walker.press("Undo")
    assert "out" == chinchon.state().player("caro").seat


def test_who_goes_bust_again_on_the_way_is_asked_about_in_between(walker, chinchon):
    walker.press("Actually came back")
    page = walker.press("Continue", hand_caro="90")
    assert ("Is Caro coming back?", True) == (page.only("p", class_="ask").text, "Bust: 110" in page.text)
    assert "50" in page.only("dl").text
    page = walker.press("Comes back $2,000")
    assert "Round 3" in titles(page)
    walker.press("Continue", hand_caro="4")
    walker.press("Save")

    right = written_right(
        LINES[0],
        "reenter caro",
        "round beto cut ana=10 beto=2 caro=90 dani=30",
        "reenter caro",
        "round ana cut ana=3 beto=20 caro=4 dani=12",
    )
    assert_equal(right, chinchon)


def test_who_goes_bust_again_and_stays_out_is_asked_for_no_more_hands(walker, chinchon):
    walker.press("Actually came back")
    walker.press("Continue", hand_caro="90")
    page = walker.press("Stays out")
    assert "Nothing is saved yet" in titles(page)
    walker.press("Save")
    assert ("out", 110) == (chinchon.state().player("caro").seat, chinchon.state().player("caro").total)


def test_who_comes_back_at_another_total_because_of_the_added_hands_is_asked_about_before_the_save(
    ana, table, owner, write
):
    game = start(table, owner, variant="chinchon", packs=2, stake=1000)
    last = "round ana cut ana=1 beto=2 dani=3"
    record_lines(game, write, *LINES[:3], LINES[3].replace("beto=20", "beto=120"), "reenter beto", last)
    walker = corrects(ana, game, 3)
    walker.press("Actually came back")
    walker.press("Continue", hand_caro="40")
    walker.press("Continue", hand_caro="25")
    page = walker.press("Continue", hand_caro="4")
    (question,) = page.every("fieldset")
    assert "Beto comes back at another total after round 3" == question.only("legend").text
    assert ["Beto came back at 85 (16 to bust) for $1,000", "Beto stayed out"] == [
        label.text for label in question.every("label")
    ]
    walker.press("Save")
    assert ("in", 87) == (game.state().player("beto").seat, game.state().player("beto").total)


def test_who_went_home_instead_has_no_hands_to_give(walker, chinchon):
    page = walker.press("Actually came back")
    page = walker.press("Caro had gone home by then")
    assert "Nothing is saved yet" in titles(page)
    walker.press("Save")
    assert ("left", 20) == (chinchon.state().player("caro").seat, chinchon.state().player("caro").total)


def test_giving_up_halfway_changes_nothing(walker, chinchon):
    walker.press("Actually came back")
    walker.press("Continue", hand_caro="15")
    walker.follow("Back to the sheet")
    assert (5, "out") == (Record.objects.count(), chinchon.state().player("caro").seat)


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("", "Caro's hand is missing."),
        ("[1 1 1 1 1 1 1 1]", "The pack has only 8 × 1; with this hand the round would have 8."),
    ],
)
def test_a_hand_that_is_refused_stays_typed_beside_what_was_given_before(
    ana, walker, chinchon, hand, sentence
):
    walker.press("Actually came back")
    walker.press("Continue", hand_caro="15")
    page = walker.press("Continue", hand_caro=hand)
    assert (422, hand) == (walker.status, page.typed("hand-caro"))
    assert page.said_at("hand-caro")
    assert "caro=15" in page.typed("given")


def test_the_recorded_hands_are_not_changed_by_a_page_that_does_not_ask_for_them(ana, walker, chinchon):
    page = walker.press("Actually came back")
    form, _button = page.form_with("Continue")
    data = {**form.fields, "hand-caro": "15", "hand-ana": "99", "closer": "dani"}
    page = read_page(ana.post(reverse("changes", args=[chinchon.code]), data))
    assert "correct 4 round beto cut ana=10 beto=2 caro=15 dani=30" == page.typed("given")


def test_a_second_tap_shows_the_same_page_and_saves_once(ana, walker, chinchon):
    address = reverse("changes", args=[chinchon.code])
    page = walker.press("Actually came back")
    form, _button = page.form_with("Continue")
    sent = {**form.fields, "hand-caro": "15"}
    assert [titles(read_page(ana.post(address, sent))) for _tap in range(2)] == [
        "Round 3 Caro's hand is missing."
    ] * 2
    walker.press("Continue", hand_caro="15")
    page = walker.press("Continue", hand_caro="4")
    form, button = page.form_with("Save")
    answers = [ana.post(address, {**form.fields, "confirm": button.attrs["value"]}) for _tap in range(2)]
    assert ([302, 302], 8) == ([answer.status_code for answer in answers], Record.objects.count())


def test_newer_events_answer_409_and_nothing_typed_is_lost(walker, chinchon, write):
    walker.press("Actually came back")
    walker.press("Continue", hand_caro="15")
    record_lines(chinchon, write, "round dani cut ana=5 beto=6 dani=1")
    page = walker.press("Continue", hand_caro="4")
    assert (409, "Recorded in the meantime:") == (walker.status, page.notices[0])
    assert "Round 4" in titles(page)
    assert "caro=15" in page.typed("given")
    assert "caro=4" in page.typed("given")
    walker.press("Continue", hand_caro="7")
    walker.press("Save")
    assert 20 + 15 + 4 + 7 == chinchon.state().player("caro").total


def test_newer_events_beside_a_hand_that_is_refused_keep_it_typed(walker, chinchon, write):
    walker.press("Actually came back")
    record_lines(chinchon, write, "round dani cut ana=5 beto=6 dani=1")
    page = walker.press("Continue", hand_caro="diez")
    assert (409, "diez", "6") == (walker.status, page.typed("hand-caro"), page.typed("after"))


def test_a_round_corrected_meanwhile_by_another_phone_keeps_its_correction_and_the_given_hand(
    walker, chinchon, write
):
    walker.press("Actually came back")
    walker.press("Continue", hand_caro="15")
    record_lines(chinchon, write, "correct 4 round beto cut ana=11 beto=2 dani=30")
    walker.press("Continue", hand_caro="4")
    assert 409 == walker.status
    walker.press("Save")
    state = chinchon.state()
    assert (11, 15) == (state.rounds[1].points["ana"], state.rounds[1].points["caro"])


# --- the kind ---------------------------------------------------------------------------------------------------------

LOBA = (
    "round ana out beto=5 caro=6 dani=7",
    "round beto out ana=5 caro=6 dani=7",
    "leave dani",
    "round caro out ana=5 beto=6",
    "round ana out beto=5 caro=6",
)


@pytest.fixture
def loba(table, owner, write):
    game = start(table, owner, stake=100, late_entry="on")
    record_lines(game, write, *LOBA)
    return game


def corrects(ana, game, number: int) -> Walker:
    walker = Walker(ana)
    walker.open(reverse("correct", args=[game.code, number]))
    return walker


def test_who_stayed_gives_the_hands_of_the_rounds_after_they_were_said_to_have_left(ana, loba):
    walker = corrects(ana, loba, 4)
    walker.press("It didn't happen: remove it")
    walker.press("Continue", hand_dani="20")
    walker.press("Continue", hand_dani="30")
    walker.press("Save")
    right = written_right(
        *LOBA[:2], f"{LOBA[3]} dani=20", f"{LOBA[4]} dani=30", head="loba_menos stake=100 late_entry=on"
    )
    assert_equal(right, loba)


def test_who_is_not_bust_after_all_gives_their_hands_or_had_gone_home(subtests, ana, chinchon):
    for answer, seat, total in [("", "in", 11 + 7 + 8), ("home", "left", 11)]:
        with subtests.test(answer=answer):
            walker = corrects(ana, chinchon, 2)
            walker.press("See changes", hand_caro="11")
            if answer:
                page = walker.press("Caro had gone home by then")
            else:
                walker.press("Continue", hand_caro="7")
                page = walker.press("Continue", hand_caro="8")
            questions = {box.only("legend").text: box.only("p").text for box in page.every("fieldset")}
            assert {"Caro is not bust anymore, but was out after round 1": "Caro stays in"} == questions
            walker.press("Save")
            caro = chinchon.state().player("caro")
            assert (seat, total) == (caro.seat, caro.total)
            walker.press("Undo")


def test_who_left_later_gives_the_hands_in_between(ana, loba):
    walker = corrects(ana, loba, 4)
    walker.press("See changes", place="6")
    walker.press("Continue", hand_dani="20")
    page = walker.press("Save")
    assert ["Added: Dani went home"] == page.last
    right = written_right(
        *LOBA[:2], f"{LOBA[3]} dani=20", "leave dani", LOBA[4], head="loba_menos stake=100 late_entry=on"
    )
    assert_equal(right, loba)


def test_a_second_tap_saves_once_who_left_after_everything_recorded(ana, loba):
    walker = corrects(ana, loba, 4)
    walker.press("See changes", place="last")
    walker.press("Continue", hand_dani="20")
    form, button = walker.press("Continue", hand_dani="30").form_with("Save")
    payload = {**form.fields, "confirm": button.attrs["value"]}
    answers = [ana.post(form.attrs["action"], payload) for _tap in range(2)]

    assert [(302, reverse("sheet", args=[loba.code]))] * 2 == [
        (answer.status_code, answer.url) for answer in answers
    ]
    assert ("left", 14 + 20 + 30) == (loba.state().player("dani").seat, loba.state().player("dani").total)


def test_who_is_bust_before_they_are_said_to_have_left_reads_why_that_is_impossible(ana, table, owner, write):
    game = start(table, owner, stake=100, reentries=0)
    record_lines(game, write, *LOBA)
    walker = corrects(ana, game, 4)
    walker.press("See changes", place="6")
    page = walker.press("Continue", hand_dani="90")
    assert (422, ["Dani is not in the game."], "90") == (walker.status, page.alerts, page.typed("hand-dani"))


def test_who_left_earlier_loses_the_hands_between_and_nothing_is_asked_for(ana, loba):
    page = corrects(ana, loba, 4).press("See changes", place="3")
    assert ["D Dani Without the points of round 2 14 → 7"] == change_lines(page)


def test_who_came_earlier_gives_the_hands_since_then(ana, table, owner, write):
    game = start(table, owner, stake=100, late_entry="on")
    table.members.create(name="Eva", slug="eva", colour=table.members.first().colour)
    record_lines(
        game, write, *LOBA[:2], 'join eva="Eva" after=ana', "round ana out beto=5 caro=6 dani=1 eva=8"
    )
    walker = corrects(ana, game, 4)
    walker.press("See changes", place="3")
    walker.press("Continue", hand_eva="9")
    walker.press("Save")
    assert ("beto", 9) == (game.state().rounds[1].closer, game.state().rounds[1].points["eva"])


def test_who_came_later_loses_the_hands_before(ana, table, owner, write):
    game = start(table, owner, stake=100, late_entry="on")
    table.members.create(name="Eva", slug="eva", colour=table.members.first().colour)
    with_eva = "round ana out beto=5 caro=6 dani=1 eva=8"
    record_lines(game, write, LOBA[0], 'join eva="Eva"', with_eva, with_eva)
    walker = corrects(ana, game, 3)
    page = walker.press("See changes", place="5")
    questions = {
        box.only("legend").text: [label.text for label in box.every("label")]
        for box in page.every("fieldset")
    }
    assert {
        "This no longer adds up: Round 2: Ana went out": [
            "Eva didn't play there; those hands are removed",
            "Remove it",
        ]
    } == questions
    walker.press("Save")
    assert [None, 8] == [played.points.get("eva") for played in game.state().rounds[1:]]
    assert_equal(
        written_right(
            LOBA[0],
            with_eva.removesuffix(" eva=8"),
            'join eva="Eva"',
            with_eva,
            head="loba_menos stake=100 late_entry=on",
        ),
        game,
    )


def test_a_seat_handed_over_earlier_renames_what_lies_between_and_asks_nothing(ana, table, owner, write):
    game = start(table, owner, stake=100)
    table.members.create(name="Eva", slug="eva", colour=table.members.first().colour)
    record_lines(game, write, *LOBA[:2], 'replace dani by eva="Eva"', "round ana out beto=5 caro=6 eva=8")
    walker = corrects(ana, game, 4)
    page = walker.press("See changes", place="3")
    assert ("Nothing is saved yet" in titles(page), []) == (True, page.every("fieldset"))
    walker.press("Save")
    right = written_right(
        LOBA[0], 'replace dani by eva="Eva"', LOBA[1].replace("dani", "eva"),
        "round ana out beto=5 caro=6 eva=8", head="loba_menos stake=100",
    )  # fmt: skip
    assert_equal(right, game)


def test_when_an_event_happened_has_to_be_chosen(ana, loba):
    walker = corrects(ana, loba, 4)
    assert ["", "2", "3", "6", "last"] == walker.page.only("form", class_="stack").allowed("place")
    page = walker.press("See changes", place="")
    assert (422, "Choose when it happened.") == (walker.status, page.said_at("place"))


def test_a_game_that_now_wants_somebody_who_went_out_asks_for_every_round_anew(ana, table, owner, write):
    game = start(table, owner, variant="points", stake=100, closes="nobody")
    record_lines(game, write, "round nobody played ana=5 beto=6 caro=7 dani=8")
    walker = Walker(ana)
    walker.open(reverse("correct-rules", args=[game.code]))
    page = walker.press("See changes", option_closes="one")
    assert ("Round 1 Tap the player who went out", "8") == (titles(page), page.typed("hand-dani"))
    assert {} == known_hands(page)
    walker.press("Continue", closer="ana", closing="out", hand_ana="")
    walker.press("Save")
    assert ("ana", 6) == (game.state().rounds[0].closer, game.state().rounds[0].points["beto"])


def test_a_round_that_somebody_closed_who_was_out_by_then_is_asked_for_anew(ana, table, owner, write):
    game = start(table, owner, stake=100, reentries=0)
    record_lines(game, write, "round ana out beto=90 caro=40 dani=60", "round beto out ana=5 caro=20 dani=10")
    walker = Walker(ana)
    walker.open(reverse("correct", args=[game.code, 2]))
    page = walker.press("See changes", hand_beto="105")

    assert ("Round 2 Tap the player who went out", "20") == (titles(page), page.typed("hand-caro"))
    assert "Beto is not in the game." in page.text
    walker.press("Continue", closer="ana", closing="out", hand_ana="")
    walker.press("Save")
    assert [("ana", 90 + 15), ("ana", None)] == [
        (played.closer, played.points.get("beto")) for played in game.state().rounds
    ]


def test_a_round_that_somebody_closed_who_was_out_by_then_can_be_removed(ana, table, owner, write):
    game = start(table, owner, stake=100, reentries=0)
    record_lines(game, write, "round ana out beto=90 caro=40 dani=60", "round beto out ana=5 caro=20 dani=10")
    walker = Walker(ana)
    walker.open(reverse("correct", args=[game.code, 2]))
    walker.press("See changes", hand_beto="105")
    walker.press("This round wasn't played: remove it")
    walker.press("Save")

    assert [105] == [played.points["beto"] for played in game.state().rounds]


def test_a_preview_counts_the_round_that_is_being_completed(ana, walker, chinchon):
    page = walker.press("Actually came back")
    form, _button = page.form_with("Continue")
    answer = ana.post(
        f"{reverse('changes', args=[chinchon.code])}?preview", {**form.fields, "hand-caro": "90"}
    )
    assert (200, True) == (answer.status_code, "Caro" in answer.content.decode())


def test_a_reloaded_step_leads_to_the_sheet(ana, chinchon):
    answer = ana.get(reverse("changes", args=[chinchon.code]))
    assert (302, reverse("sheet", args=[chinchon.code])) == (answer.status_code, answer.url)


def test_what_cannot_be_given_is_not_read(ana, chinchon):
    for given in ("leave ana", "correct 2 leave ana", "correct 1 game chinchon", "before 99 leave ana", "x"):
        data = fields(after=5, key=new_key(), change="correct 3 reenter caro", given=given)
        answer = ana.post(reverse("changes", args=[chinchon.code]), data)
        assert answer.status_code in (200, 422)
        assert 5 == Record.objects.count()
