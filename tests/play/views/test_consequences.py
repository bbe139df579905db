"""The consequences of a round as sentences, in each of the six games. All figures were calculated by hand.

`browser/test_consequences.py` has where the consequences stand on a phone.
"""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.common.naming import Person
from games.models import Table
from games.play.presenters import correction_preview, round_consequences
from games.scoring.events import RoundPlayed
from games.scoring.preview import preview_changes
from games.scoring.replay import apply, replay
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation import parse_line

PEOPLE = {name: Person(name, name.title(), 1) for name in ("ana", "beto", "caro", "dani")}
TABLE = Table(unit="$", decimals=0)


def parse_log(text):
    return play_game_file(parse_game_file(text)).log


def _with_names(text):
    return text.replace("players ana beto", 'players ana="Ana" beto="Beto"')


def consequence_texts(text):
    """Return the consequences of the last line of this game text, in English."""
    *before, last = _with_names(text).strip().splitlines()
    log = parse_log("\n".join(before))
    (event,) = parse_line(last)
    assert isinstance(event, RoundPlayed)
    with override("en"):
        after = apply(replay(log), len(log) + 1, event)
        consequences = list(round_consequences.build_consequences(after, PEOPLE, TABLE, is_last=True))
    return [consequence.text.replace("\u00a0", " ") for consequence in consequences]


def change_consequences(text, change):
    """Return the consequences of this correction and the choices for each conflict, in English."""
    with override("en"):
        tried = preview_changes(parse_log(_with_names(text)), *parse_line(change))
        changes = correction_preview.changed_figures(tried, PEOPLE, TABLE)
        questions = correction_preview.conflict_questions(tried, PEOPLE, TABLE)
    lines = [
        f"{row.what}: {row.before} → {row.after}{row.detail and f' ({row.detail})'}".replace("\u00a0", " ")
        for row in changes
    ]
    conflicts = {
        text: [label.replace("\u00a0", " ") for _value, label, _chosen in answers]
        for _name, text, answers in questions
    }
    return lines, conflicts


MAS = "game loba_mas point_value=10\nplayers ana beto caro dani\n"
CARIOCA = "game carioca_ar settlement=to_winner point_value=10\nplayers ana beto caro\n"
CHINCHON = "game chinchon stake=100 cut_prize=300 chinchon_prize=2\nplayers ana beto caro\n"
JOINT = "round ana out ana=147 beto=152 caro=40 dani=-10"
ROUND_CASES = [
    # RULES 7: 152, 152, 40, −10 is +274, +274, −174, −374; here ten a point.
    (
        MAS + JOINT,
        [
            "If you save, the game ends, won by Ana and Beto",
            "Ana +$2,740, Beto +$2,740, Caro −$1,740, Dani −$3,740",
            "Ana reaches 150 with 152",
            "Beto reaches 150 with 152",
        ],
    ),
    (
        MAS.replace("point_value=10", "tie=play_on") + JOINT,
        [
            "Ana reaches 150 with 152",
            "Beto reaches 150 with 152",
            "Tied for the highest total: play another round",
            "Beto deals next",
        ],
    ),
    (
        "game loba_menos settlement=none entry_limit=79\nplayers ana beto caro\n"
        "round ana out beto=90 caro=70\nround ana out beto=11 caro=10",
        [
            "Beto is out with 101: nobody comes in while a player still in has more than 79, and caro has 80.",
            "Caro deals next",
        ],
    ),
    (CARIOCA + "round ana out beto=45 caro=30", ["Caro deals next; the contract: 1 trio and 1 run"]),
    # To the winner: Beto pays 7 × 20, Caro 7 × 30, ten a point.
    (
        CARIOCA + "round ana out beto=20 caro=30\n" * 7,
        ["If you save, the game ends: Ana wins", "Ana +$3,500, Beto −$1,400, Caro −$2,100"],
    ),
    (
        CHINCHON + "round ana cut ana=3 beto=20 caro=30",
        ["Cut: everyone else pays Ana $300", "Caro deals next"],
    ),
    (CHINCHON + "round nobody stock_out ana=3 beto=20 caro=30", ["Caro deals next"]),
    # Ana takes the pot of 300 (+200), 2 × 300 for the cut and 2 × 200 for the chinchón.
    (
        CHINCHON + "round ana chinchon",
        [
            "If you save, the game ends: Ana wins",
            "Ana +$1,200, Beto −$600, Caro −$600",
            "Cut: everyone else pays Ana $300",
            "Chinchón: everyone else pays Ana $200",
        ],
    ),
]


@pytest.mark.parametrize(("text", "sentences"), ROUND_CASES)
def test_a_round_leads_to_an_end_a_contract_a_deal_and_prizes(text, sentences):
    assert sentences == consequence_texts(text)


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (
            MAS + "round ana out ana={9 9 9} beto={K K K}[] caro=5 dani=5",
            "Beto has no cards left but did not go out.",
        ),
        (CARIOCA + "round ana out beto=1 caro=20", "Beto has fewer points than the lowest card, 2."),
        (CHINCHON + "round ana cut ana=9 beto=20 caro=30", "Ana cut with 9, more than 7."),
        # Caro had 20 + 10, and no remaining card takes ten off: the highest score still in is 20 + 10 + 20 −
        # 10.
        (
            CHINCHON
            + "round ana cut ana=3 beto=60 caro=20\nround ana cut ana=3 beto=60 caro=10\nreenter beto\n"
            + "round ana cut ana=3 beto=50 caro=20\nround ana cut ana=3 beto=50 caro=0\n",
            "Beto is bust with 130; can come back at 40 for $200",
        ),
    ],
)
def test_what_is_odd_or_asks_for_an_answer_is_said_first(text, warning):
    assert warning == consequence_texts(text)[0]


# --- corrections ------------------------------------------------------------------------------------------------------


def test_a_correction_of_the_player_who_cut_moves_points_and_prizes():
    """The two prizes of 300 go to Beto instead of Ana: −600 − 300 for Ana, +600 + 300 for Beto."""
    lines, _conflicts = change_consequences(
        CHINCHON + "round ana cut ana=3 beto=20 caro=30", "correct 2 round beto cut ana=20 beto=3 caro=30"
    )

    assert [
        "Ana, round 1: 3 → 20",
        "Beto, round 1: 20 → 3",
        "Ana: 3 → 20",
        "Beto: 20 → 3",
        "Ana, money so far: +$500 → −$400",
        "Beto, money so far: −$400 → +$500",
    ] == lines


def test_an_inserted_round_moves_the_later_contracts():
    lines, _conflicts = change_consequences(
        CARIOCA + "round ana out beto=45 caro=30", "before 2 round beto out ana=10 caro=20"
    )

    assert "Next contract: 1 trio and 1 run → 2 runs" in lines


FREE = CHINCHON.replace("stake=100", "settlement=none")
LOBA = "game loba_menos stake=100\nplayers ana beto caro dani\n"
BUST = LOBA + "round ana out beto=101 caro=40 dani=60\n"
CUT = "round ana cut ana=3 beto=20 caro=30"
NOT_BUST = "Beto is not bust anymore, but came back after round 1"
OUT_NOW = "Beto is out after round 1, but came back"
OUT = "Beto is not bust anymore, but was out after round 1"
PLAYED_ON = "Beto is bust after round 1 but played on"
ELIMINATED = "Beto was out by then; the later hands are removed"
ENDS = "Now the game ends with round 1, but it went on"
SHORT = LOBA + "round ana out beto=50 caro=60 dani=60\n"
ALL_OUT = "correct 2 round ana out beto=101 caro=102 dani=103"


@pytest.mark.parametrize(
    ("text", "change", "conflicts"),
    [
        (
            BUST + "reenter beto\nround ana out beto=10 caro=20 dani=10\n",
            "correct 2 round ana out beto=50 caro=40 dani=60",
            {NOT_BUST: ["Undo that re-entry and return $100 to Beto"]},
        ),
        (
            BUST.replace("stake=100", "stake=100 entry_limit=79")
            + "reenter beto\nround ana out beto=10 caro=20 dani=10\n",
            "correct 2 round ana out beto=101 caro=80 dani=60",
            {OUT_NOW: ["Undo that re-entry and return $100 to Beto"], PLAYED_ON: [ELIMINATED]},
        ),
        (
            BUST.replace("101", "90") + "round ana out beto=5 caro=20 dani=10\n",
            "correct 2 round ana out beto=105 caro=40 dani=60",
            {PLAYED_ON: ["Beto came back at 60 (41 to bust) for $100", ELIMINATED]},
        ),
        (
            BUST + "stay_out beto\n",
            "correct 2 round ana out beto=50 caro=40 dani=60",
            {OUT: ["Beto stays in"]},
        ),
        (SHORT + "round ana out beto=20 caro=20 dani=20\n", ALL_OUT, {ENDS: ["Remove it"]}),
        (
            SHORT + "round ana out beto=20 caro=20 dani=20\n" * 2,
            ALL_OUT,
            {ENDS: ["Remove everything recorded after it"]},
        ),
        # The same without a pot.
        (
            FREE + CUT.replace("20", "105") + "\nreenter beto\n" + CUT,
            "correct 2 " + CUT,
            {NOT_BUST: ["Undo that re-entry"]},
        ),
        (
            FREE + CUT + "\n" + CUT,
            "correct 2 " + CUT.replace("20", "105"),
            {PLAYED_ON: ["Beto came back at 30 (71 to bust)", ELIMINATED]},
        ),
    ],
)
def test_a_correction_asks_about_each_conflict_with_what_was_recorded_later(text, change, conflicts):
    assert conflicts == change_consequences(text, change)[1]


def test_a_player_whom_the_correction_of_the_last_round_makes_bust_may_re_enter():
    lines, _conflicts = change_consequences(
        BUST.replace("101", "90"), "correct 2 round ana out beto=105 caro=40 dani=60"
    )

    assert "Beto: 90 → 105 (In → bust, can come back)" in lines


# --- totals that move by more or less than their rounds -----------------------------------------------------------------

LATER = "round ana cut ana=3 beto=10 caro=10\n"


LATE = FREE.replace("settlement=none", "settlement=none late_entry=on")
BACK = FREE + "round ana cut ana=3 beto=105 caro=30\nreenter beto\n" + LATER


@pytest.mark.parametrize(
    ("text", "change", "expected"),
    [
        # 84 + 10 = 94; with 120 Beto is bust after round 1, re-enters with 30 and has 40 after round 2.
        (
            FREE + "round ana cut ana=3 beto=84 caro=30\n" + LATER,
            "beto=120 caro=30",
            ["Beto: 94 → 40 (Bust with 120 in round 1, comes back at 30)"],
        ),
        (BACK, "beto=80 caro=30", ["Beto: 40 → 90 (No longer comes back after round 1 at 30)"]),
        # Caro's 30 become 20, and so does the total that Beto re-entered with.
        (
            BACK,
            "beto=105 caro=20",
            ["Beto: 40 → 30 (Comes back after round 1 at 20 instead of 30)", "Caro: 40 → 30"],
        ),
        (
            LATE + "round ana cut ana=3 beto=20 caro=30\njoin dani\n" + LATER.replace("\n", " dani=5\n"),
            "beto=20 caro=22",
            ["Caro: 40 → 32", "Dani: 35 → 27 (Joins after round 1 at 22 instead of 30)"],
        ),
    ],
)
def test_a_total_that_moves_by_more_than_its_round_says_why(text, change, expected):
    lines, _conflicts = change_consequences(text, f"correct 2 round ana cut ana=3 {change}")

    assert expected == [line for line in lines if line.split(":")[0] in ("Ana", "Beto", "Caro", "Dani")]


def test_who_joined_only_now_or_no_longer_is_among_the_changed_totals():
    rounds = "round ana cut ana=3 beto=20 caro=30\n"
    join_lines, _conflicts = change_consequences(
        LATE + rounds * 2, "before 3 join dani ; correct 3 round ana cut ana=3 beto=20 caro=30 dani=5"
    )
    gone, _conflicts = change_consequences(LATE + rounds + "join dani\n", "strike 3")

    assert [["Dani:  → 35"], ["Dani, total: 30 → –"]] == [
        [line for line in lines if line.startswith(("Dani: ", "Dani, total"))] for lines in (join_lines, gone)
    ]
