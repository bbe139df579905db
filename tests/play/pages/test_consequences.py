"""The consequences of a round as sentences, in each of the six games; all figures were calculated by hand."""

from __future__ import annotations

from django.utils.translation import override

from games.common.names import Person
from games.models import Table
from games.play.pages.comparison import changes_of, questions_of
from games.play.pages.consequences import of_round
from games.scoring.events import RoundPlayed
from games.scoring.preview import preview
from games.scoring.replay import apply, replay
from games.scoring.text.notation import read_line
from games.scoring.text.script import play_script, read_script

PEOPLE = {name: Person(name, name.title(), 1) for name in ("ana", "beto", "caro", "dani")}
TABLE = Table(unit="$", decimals=0)


def log_of(text):
    return play_script(read_script(text)).log


def _with_names(text):
    return text.replace("players ana beto", 'players ana="Ana" beto="Beto"')


def leads_to(text):
    """Return the consequences of the last line of this game text, in English."""
    *before, last = _with_names(text).strip().splitlines()
    log = log_of("\n".join(before))
    (event,) = read_line(last)
    assert isinstance(event, RoundPlayed)
    with override("en"):
        after = apply(replay(log), len(log) + 1, event)
        consequences = list(of_round(after, PEOPLE, TABLE, is_last=True))
    return [one.text.replace("\u00a0", " ") for one in consequences]


def would_change(text, change):
    """Return the consequences of this correction and the conflicts that it asks about, in English."""
    with override("en"):
        tried = preview(log_of(_with_names(text)), *read_line(change))
        changes = changes_of(tried, PEOPLE, TABLE)
        questions = questions_of(tried, PEOPLE, TABLE)
    lines = [
        f"{one.what}: {one.before} → {one.after}{one.detail and f' ({one.detail})'}".replace("\u00a0", " ")
        for one in changes
    ]
    return lines, [[option.text.replace("\u00a0", " ") for option in one.options] for one in questions]


# --- Loba de Más ------------------------------------------------------------------------------------------------------

MAS = "game loba_mas point_value=10\nplayers ana beto caro dani\n"


def test_reaching_the_target_announces_the_winner_and_everybodys_money():
    """RULES 3.4: 160, 130, 20, −20 give +350, +230, −210, −370 at one a point; here ten a point."""
    assert [
        "If you save, it ends: Ana wins",
        "Ana +$ 3,500, Beto +$ 2,300, Caro −$ 2,100, Dani −$ 3,700",
        "Ana reaches 150 with 160",
    ] == leads_to(
        MAS + "round ana out ana=100 beto=100 caro=10 dani=-10\nround ana out ana=50 beto=30 caro=10 dani=-10"
    )


def test_the_preview_names_all_joint_winners():
    """RULES 7: 152, 152, 40, −10 is +274, +274, −174, −374; here ten a point."""
    assert [
        "If you save, it ends, won by Ana and Beto",
        "Ana +$ 2,740, Beto +$ 2,740, Caro −$ 1,740, Dani −$ 3,740",
        "Ana reaches 150 with 152",
        "Beto reaches 150 with 152",
    ] == leads_to(MAS + "round ana out ana=147 beto=152 caro=40 dani=-10")


def test_a_shared_lead_does_not_end_a_game_that_plays_on_at_a_tie():
    assert [
        "Ana reaches 150 with 152",
        "Beto reaches 150 with 152",
        "The highest total is shared: another round is played",
        "Beto deals next",
    ] == leads_to(
        "game loba_mas tie=play_on\nplayers ana beto caro dani\nround ana out ana=147 beto=152 caro=40 dani=-10"
    )


def test_the_preview_warns_of_a_player_without_cards_who_did_not_go_out():
    sentences = leads_to(MAS + "round ana out ana={9_9_9} beto={K_K_K}[] caro=5 dani=5".replace("_", " "))

    assert "Beto has no cards left but did not go out." == sentences[0]


# --- contract games ---------------------------------------------------------------------------------------------------

CARIOCA = "game carioca_ar settlement=to_winner point_value=10\nplayers ana beto caro\n"


def test_the_preview_names_the_next_contract():
    assert ["Caro deals next; the contract: 1 trio and 1 run"] == leads_to(
        CARIOCA + "round ana out beto=45 caro=30"
    )


def test_the_preview_warns_of_fewer_points_than_the_cheapest_card():
    sentences = leads_to(CARIOCA + "round ana out beto=1 caro=20")

    assert "Beto has fewer points than the cheapest card, 2." == sentences[0]


def test_the_last_contract_ends_the_game_and_shows_everybodys_money():
    """To the winner: Beto pays 7 × 20, Caro 7 × 30, ten a point."""
    rounds = "round ana out beto=20 caro=30\n" * 7
    assert [
        "If you save, it ends: Ana wins",
        "Ana +$ 3,500, Beto −$ 1,400, Caro −$ 2,100",
    ] == leads_to(CARIOCA + rounds)


# --- Chinchón ---------------------------------------------------------------------------------------------------------

CHINCHON = "game chinchon stake=100 cut_prize=300 chinchon_prize=2\nplayers ana beto caro\n"


def test_a_cut_shows_its_prize():
    assert ["Cut: each of the others pays Ana $ 300", "Caro deals next"] == leads_to(
        CHINCHON + "round ana cut ana=3 beto=20 caro=30"
    )


def test_a_round_without_a_cut_prize_or_without_a_closer_shows_no_prize():
    free = CHINCHON.replace("cut_prize=300", "cut_prize=0")
    assert ["Caro deals next"] == leads_to(free + "round ana cut ana=3 beto=20 caro=30")
    assert ["Caro deals next"] == leads_to(CHINCHON + "round nobody stock_out ana=3 beto=20 caro=30")


def test_the_preview_warns_of_a_cut_with_too_many_points():
    sentences = leads_to(CHINCHON + "round ana cut ana=9 beto=20 caro=30")

    assert "Ana cut with 9, more than 7." == sentences[0]


def test_a_chinchon_ends_the_game_with_both_prizes_and_the_pot():
    """Ana takes the pot of 300 (+200), 2 × 300 for the cut and 2 × 200 for the chinchón."""
    assert [
        "If you save, it ends: Ana wins",
        "Ana +$ 1,200, Beto −$ 600, Caro −$ 600",
        "Cut: each of the others pays Ana $ 300",
        "Chinchón: each of the others pays Ana $ 200",
    ] == leads_to(CHINCHON + "round ana chinchon")


def test_a_bust_player_is_offered_the_second_price_of_the_re_entry_ladder():
    """Caro had 20 + 10, and no remaining card takes ten off: the highest score still in is 20 + 10 + 20 −
    10.
    """
    assert "Beto is bust with 130; may come back with 40 for $ 200" in leads_to(
        CHINCHON
        + "round ana cut ana=3 beto=60 caro=20\nround ana cut ana=3 beto=60 caro=10\nreenter beto\n"
        + "round ana cut ana=3 beto=50 caro=20\nround ana cut ana=3 beto=50 caro=0\n"
    )


# --- corrections ------------------------------------------------------------------------------------------------------


def test_a_correction_of_the_player_who_cut_moves_points_and_prizes():
    """The two prizes of 300 go to Beto instead of Ana: −600 − 300 for Ana, +600 + 300 for Beto."""
    lines, _asked = would_change(
        CHINCHON + "round ana cut ana=3 beto=20 caro=30", "correct 2 round beto cut ana=20 beto=3 caro=30"
    )

    assert [
        "Ana, round 1: 3 → 20",
        "Beto, round 1: 20 → 3",
        "Ana: 3 → 20",
        "Beto: 20 → 3",
        "Ana, money so far: +$ 500 → −$ 400",
        "Beto, money so far: −$ 400 → +$ 500",
    ] == lines


def test_an_inserted_round_moves_the_later_contracts():
    lines, _asked = would_change(
        CARIOCA + "round ana out beto=45 caro=30", "before 2 round beto out ana=10 caro=20"
    )

    assert "Next contract: 1 trio and 1 run → 2 runs" in lines


def test_the_remedies_of_a_conflict_do_not_mention_a_pot_if_there_is_none():
    text = (
        CHINCHON.replace("stake=100", "settlement=none")
        + "round ana cut ana=3 beto=20 caro=30\nround ana cut ana=3 beto=20 caro=30"
    )
    _lines, questions = would_change(text, "correct 2 round ana cut ana=3 beto=105 caro=30")
    assert [
        ["Beto re-entered with 30 (71 busts)", "Beto was eliminated there; the later hands are removed"]
    ] == questions

    bust = text.replace("beto=20", "beto=105", 1)
    gone = bust.replace("round ana cut ana=3 beto=20", "stay_out beto\nround ana cut ana=3")
    _lines, questions = would_change(gone, "correct 2 round ana cut ana=3 beto=20 caro=30")
    assert [["Beto stays in"], ["Beto went home there"]] == questions


# --- totals that move by more or less than their rounds -----------------------------------------------------------------

FREE = CHINCHON.replace("stake=100", "settlement=none")
LATER = "round ana cut ana=3 beto=10 caro=10\n"


def totals(text, change):
    """Return the totals that this correction would change, without the lines about single rounds."""
    lines, _asked = would_change(text, change)
    return [line for line in lines if line.split(":")[0] in ("Ana", "Beto", "Caro")]


def test_a_total_lowered_by_a_re_entry_names_the_re_entry():
    """84 + 10 = 94; with 120 Beto is bust after round 1, re-enters with 30 and has 40 after round 2."""
    text = FREE + "round ana cut ana=3 beto=84 caro=30\n" + LATER

    assert ["Beto: 94 → 40 (Bust with 120 in round 1, re-enters with 30)"] == totals(
        text, "correct 2 round ana cut ana=3 beto=120 caro=30"
    )


def test_a_total_of_a_newly_eliminated_player_names_the_rounds_that_no_longer_count():
    text = FREE + "round ana cut ana=3 beto=74 caro=30\n" + LATER + LATER
    with override("en"):
        log, (change,) = (
            log_of(_with_names(text)),
            read_line("correct 2 round ana cut ana=3 beto=120 caro=30"),
        )
        tried = preview(log, change, answers={"bust-played-on-3-beto": "stay_out"})
        (beto,) = [one for one in changes_of(tried, PEOPLE, TABLE) if one.what == "Beto"]

    assert ("94", "120") == (beto.before, beto.after)
    assert "In → eliminated · without the points of rounds 2 and 3" == beto.detail


def test_a_total_names_a_re_entry_that_is_no_longer_needed():
    """Before: bust with 105, back with 30, 40 after round 2. After: 95 + 10."""
    text = FREE + "round ana cut ana=3 beto=105 caro=30\nreenter beto\n" + LATER

    assert "Beto: 40 → 90 (No longer re-enters after round 1 with 30)" in totals(
        text, "correct 2 round ana cut ana=3 beto=80 caro=30"
    )


def test_a_total_names_the_changed_points_of_a_re_entry():
    """Caro's 30 become 20, and so does the total that Beto re-entered with."""
    text = FREE + "round ana cut ana=3 beto=105 caro=30\nreenter beto\n" + LATER

    assert [
        "Beto: 40 → 30 (Re-enters after round 1 with 20 instead of 30)",
        "Caro: 40 → 30",
    ] == totals(text, "correct 2 round ana cut ana=3 beto=105 caro=20")


def test_a_total_names_the_changed_points_of_a_late_entry():
    late = FREE.replace("settlement=none", "settlement=none late_entry=on")
    text = late + "round ana cut ana=3 beto=20 caro=30\njoin dani\n" + LATER.replace("\n", " dani=5\n")

    assert ["Caro: 40 → 32", "Dani: 35 → 27 (Joins after round 1 with 22 instead of 30)"] == [
        line
        for line in would_change(text, "correct 2 round ana cut ana=3 beto=20 caro=22")[0]
        if "round" not in line.split(":")[0]
    ]
