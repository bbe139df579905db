"""Every refusal that says what to write is obeyed, in each language, and what it said is accepted."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import polib
import pytest
from django.conf import settings
from django.utils.translation import override

from games.common import days, parsing, regions, texts
from games.files.services import balance_lines, notebook_cells
from games.files.services.notebook_reader import EXAMPLE_DATE
from games.models import Table
from games.play.presenters import round_form
from games.scoring import Game, LineError, RuleError, ScoringError, read_games, score_hand
from games.scoring.text.advice import HAND
from games.scoring.text_line import clean_line

LANGUAGES = [code for code, _name in settings.LANGUAGES]
CATALOG = polib.pofile(f"{settings.BASE_DIR}/games/locale/es/LC_MESSAGES/django.po")
# "Write down" advises the players of a game, not the reader of a refusal.
ADVISING = {entry.msgid for entry in CATALOG if re.search(r"\b[Ww]rite (?!down)", entry.msgid)}
GAME = Game.begin("loba_menos", ["ana", "jose", "beto"])


def _play(template: str) -> Callable[[str], object]:
    return lambda text: GAME.play(template.format(text))


def _read(template: str) -> Callable[[str], object]:
    return lambda text: Game.from_text(template.format(text))


def _begin_with(player: str) -> object:
    return Game.begin("loba_menos", [player, "beto"])


def _score(variant: str) -> Callable[[str], object]:
    return lambda card: score_hand(variant, f"[{card}]")


NOT_AN_ID = "“{text}” is not a player's id: a-z, 0-9 and _, beginning with a letter. Write {example}."
NOT_A_CARD, NOT_IN_PACK = (
    "“{text}” is not a card. Write {meant}.",
    "The pack has no {card}. Write {meant}.",
)
DEALT, LEFT = "deal {}", "leave {}"
REENTERED = "round beto out ana=110 jose=5; reenter {}"
AT_THE_HEAD = "game loba_menos\nplayers {} beto"
DEALER = "game loba_menos dealer={}\nplayers ana beto"
DATED = "tags date={}\ngame loba_menos\nplayers ana beto"
SPANISH, FRENCH = "chinchon", "loba_menos"
NAMES = ("Ana", "José", 'ana="Ana"', "_ana", "JOSE")
# The message, what is tried, and what was written wrongly.
TYPED: list[tuple[str, Callable[[str], object], tuple[str, ...]]] = [
    *((NOT_AN_ID, _play(line), NAMES) for line in (DEALT, LEFT)),
    (NOT_AN_ID, _play("round {} out beto=4 jose=5"), ("Ana", 'ana="Ana"', "_ana")),
    (NOT_AN_ID, _play(REENTERED), ("Ana", 'ana="Ana"')),
    (NOT_AN_ID, _begin_with, ("Ana", "José", 'ana="Ana"', "nobody", "木")),
    (NOT_AN_ID, _read(AT_THE_HEAD), ("Ana", "José", "2nd", "nobody", "木", '"Ana"')),
    (NOT_AN_ID, _read(DEALER), ("Ana", "ANA")),
    (NOT_A_CARD, _score(FRENCH), ("Kh", "kH", "k", "10s", "T", "TD", "joker", "jk", "x")),
    (NOT_A_CARD, _score(SPANISH), ("12O", "7B")),
    (NOT_IN_PACK, _score(FRENCH), ("5c",)),
    (NOT_IN_PACK, _score(SPANISH), ("5C",)),
    (
        "“{text}” is not a date. Write it like 2026-11-22.",
        _read(DATED),
        ("21-11-2026", "2026-02-30", "20261121"),
    ),
]


def get_advice(refusal: ScoringError) -> str:
    """Return what the refusal, in the active language, says to write: its last word."""
    return translate(refusal).removesuffix(".").rpartition(" ")[2]


def translate(refusal: ScoringError) -> str:
    """Return the sentence in the active language, without the signs that isolate its names."""
    return texts.translate(refusal.text).translate(dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_refusal_says_to_write_is_accepted(subtests, language):
    for message, attempt, mistakes in TYPED:
        for mistake in mistakes:
            with subtests.test(f"{message}: {mistake}"), override(language):
                with pytest.raises((ScoringError, LineError)) as refusal:
                    attempt(mistake)
                error = refusal.value.error if isinstance(refusal.value, LineError) else refusal.value
                assert isinstance(error, ScoringError)
                assert message == error.text.template
                attempt(get_advice(error))


JOKERS_SHOWN = ("x", "K7*", "K★", "Kx", "* " * 9)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cards", JOKERS_SHOWN)
def test_a_joker_is_read_as_a_refusal_shows_it(language, cards):
    with override(language):
        with pytest.raises(ScoringError) as refusal:
            _score(FRENCH)(cards)
        shown = re.search("★", translate(refusal.value).rpartition("”")[2])

    assert shown
    assert score_hand(FRENCH, f"[{shown[0]}]") == score_hand(FRENCH, "[*]")


# --- messages with fixed examples -------------------------------------------------------------------------------------


def accepts_hands() -> bool:
    return all(GAME.play(f"round ana out beto={hand} jose=1").log for hand in ("23", "[7 2]"))


def accepts_another_game() -> bool:
    lines = ["game points", "players ana beto", "tags", "game points", "players ana beto"]
    return len(list(read_games(lines))) == 2


def accepts_the_date_of_a_notebook() -> bool:
    return notebook_cells.parse_day(days.format_numeric_date(EXAMPLE_DATE)) == EXAMPLE_DATE


def accepts_points() -> bool:
    return [round_form.parse_points(text) for text in ("10", "-5")] == [10, -5]


def accepts_an_amount() -> bool:
    table, region = Table(unit="$", decimals=0), regions.active_region()
    example = parsing.amount_error("x", table, region, "%(example)s")
    return parsing.parse_amount(example, table, region) == 1500


def accepts_starting_balances() -> bool:
    table, region = Table(unit="$", decimals=0), regions.active_region()
    template = "Write a name and an amount, such as {example}."
    [problem] = balance_lines.read_balances("Ana", table, region)[1]
    assert template == problem.text.template
    debt = get_advice(RuleError(problem.text)).removesuffix(".")
    return balance_lines.read_balances(f"Ana {debt}\nBeto 3000", table, region)[1] == []


def accepts_a_day() -> bool:
    return parsing.parse_day("2024-05-31") == date(2024, 5, 31)


def accepts_a_line() -> bool:
    return clean_line("Ana's", longest=5, field="name", quoted=True) == "Ana's"


def accepts_a_short_line() -> bool:
    return bool(Game.begin("points", ["ana", "beto"], name="x" * 20).log)


def accepts_advice_on_corrections() -> bool:
    """The advice is obeyed line by line in tests/scoring/test_advice.py, in English; here in each language."""
    game = GAME.play("round beto out ana=110 jose=5")
    game = game.play("stay_out ana").play("round jose out beto=4")
    with pytest.raises(RuleError) as late:
        game.play("reenter ana")
    advised = texts.translate(late.value.text).partition(": ")[2].replace(HAND, "7")
    with pytest.raises(RuleError) as lacking:
        game.play("correct 3 reenter ana")
    completed = texts.translate(lacking.value.text).partition(": ")[2].replace(HAND, "7")
    return game.play(advised).state == game.play(f"correct 3 reenter ana ; {completed}").state


ON_CORRECTIONS = (
    "{name}'s hand is missing in round {rounds} (event {numbers}). Write on the same line: {line}",
    "{sentence} That is round {round} (event {number}). Write on the same line: {line}",
    "{sentence} That is round {round} (event {number}). Write on the same line: {line}, or: {other}",
)
FIXED: dict[str, Callable[[], bool]] = {
    "“{text}” is not a hand. Write points (23) or, in a game with cards, cards ([7 2]).": accepts_hands,
    "A game starts once. Before another game, write a line “tags”.": accepts_another_game,
    "“{text}” is not a date. Write it like {example}.": accepts_the_date_of_a_notebook,
    "Write a number of points, such as 10 or -5.": accepts_points,
    "Write an amount, such as %(example)s.": accepts_an_amount,
    "Write the day like this: 2024-05-31.": accepts_a_day,
    "Write a name and an amount, such as {example}.": accepts_starting_balances,
    "Write who owes, and who is owed.": accepts_starting_balances,
    "Write it on one line.": accepts_a_line,
    "Write it without double quotes.": accepts_a_line,
    "Write at most {longest} characters, without double quotes.": accepts_a_short_line,
    **dict.fromkeys(ON_CORRECTIONS, accepts_advice_on_corrections),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_refusals_are_accepted(subtests, language):
    for message, is_accepted in FIXED.items():
        with subtests.test(message), override(language):
            assert is_accepted()


def test_every_message_that_says_what_to_write_is_obeyed_here():
    assert ADVISING == {message for message, _attempt, _mistakes in TYPED} | FIXED.keys()
