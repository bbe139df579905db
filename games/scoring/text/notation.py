"""Reading a game from text (NOTATION.md): statements become events."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar
from unicodedata import normalize

from .. import events
from ..cards import Card, parse_card
from ..errors import NotationError
from ..i18n import Text, _
from ..option_checks import check_options, naming_option
from ..options import Variant
from ..rounds import Hand, RoundEntry
from ..variants import get_variant
from .file_lines import normalize_blanks

T = TypeVar("T")
NOBODY = "nobody"
QUOTE = '"'
# How each statement is written; `game`, `players` and `stop` have sentences of their own.
EXAMPLES = {
    "round": "round ana out beto=23 caro=[K 7]",
    "reenter": "reenter ana",
    "stay_out": "stay_out ana",
    "leave": "leave ana",
    "join": 'join eva="Eva" after=ana',
    "replace": 'replace ana by eva="Eva"',
    "adjust": 'adjust ana=+5 "reason"',
    "deal": "deal ana",
    "won": "won ana",
    "agree": "agree ana=21 beto=37",
}
_CORRECTIONS = {
    "correct": "correct 2 round ana out beto=17",
    "before": "before 3 reenter ana",
    "strike": "strike 2",
}

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_PAIR = re.compile(rf"({_WORD.pattern})=(.+)", re.DOTALL)
_NUMBER = re.compile(r"-?[0-9]+")
_NAME = re.compile(r'"([^"]+)"')
_LINE = re.compile(r'"([^"]*)"')
_COUNTED = re.compile(r"(?P<points>-?[0-9]+)(?:\+(?P<bought>[0-9]+))?")
_CARDS = re.compile(r"(?P<melds>(?:\{[^][{}]*\})*)(?:\[(?P<held>[^][{}]*)\])?(?:\+(?P<bought>[0-9]+))?")
_IN_PARENTHESES = re.compile(rf"({_WORD.pattern})=\(([^()]*)")
_CARDS_ONLY = re.compile(r"\[([^][{}]*)\]")  # the usual hand: only cards held
_MELD = re.compile(r"\{([^}]*)\}")
# A piece of a line: one character with a meaning (blank, quote, bracket …), or all text up to the next one.
_PIECE = re.compile(r"""[^ \t"#;\[\]{}]+|.""", re.DOTALL)
MAX_GAME_LENGTH = 2**18  # letters of a game as text: hundreds of rounds of eight players with every card
MAX_LINE_LENGTH, MAX_WORD_LENGTH = 8_000, 1_000  # letters; a hundred players with long names take 7,000
_MAX_DIGITS = 30  # digits kept: far beyond every bound, so that the rules refuse the number


def parse_line(text: str) -> tuple[events.Event, ...]:
    """Return the events of one line: several if `;` joins them, none for a blank line or a comment.

    Raise NotationError if the text fits no form, RuleError for an unknown game, option or value.
    """
    return tuple(parse_statement(tokens) for tokens in split_line(text))


def parse_statement(tokens: Sequence[str]) -> events.Event:
    """Return the event of this statement, given as its words.

    The words `game …` and `players …` are accepted only in a correction of event 1 (`correct 1 game …`). At
    the head of a file they are read by `parse_rules` and `parse_players`.
    """
    match tokens:
        case ["correct", number, "game", *rest]:
            return events.Corrected(_parse_first_event_number(number, tokens), parse_rules(rest))
        case ["correct", number, "players", *rest]:
            return events.Corrected(_parse_first_event_number(number, tokens), parse_players(rest))
        case ["correct", number, *rest] if rest:
            return events.Corrected(_parse_event_number(number), _parse_play_event(rest, tokens))
        case ["before", number, *rest] if rest:
            return events.Inserted(_parse_event_number(number), _parse_play_event(rest, tokens))
        case ["strike", number]:
            return events.Struck(_parse_event_number(number))
        case _:
            return _parse_play_event(tokens, tokens)


def _parse_play_event(tokens: Sequence[str], whole: Sequence[str]) -> events.PlayEvent:
    match tokens:
        case ["round", closer, closing, *hands]:
            return events.RoundPlayed(_parse_round(closer, closing, hands))
        case ["reenter", player]:
            return events.PlayerReentered(parse_id(player))
        case ["stay_out", player]:
            return events.PlayerStayedOut(parse_id(player))
        case ["leave", player]:
            return events.PlayerLeft(parse_id(player))
        case ["join", player]:
            return events.PlayerJoined(_parse_player(player))
        case ["join", player, neighbour] if neighbour.startswith("after="):
            return events.PlayerJoined(
                _parse_player(player), after=parse_id(neighbour.removeprefix("after="))
            )
        case ["replace", player, "by", newcomer]:
            return events.SeatHandedOver(parse_id(player), _parse_player(newcomer))
        case ["adjust", change, reason] if "=" in change:
            player, points = _parse_pair(change)
            return events.PointsAdjusted(parse_id(player), _parse_signed(points), _parse_quoted(reason))
        case ["game", *_words]:
            raise NotationError(_("A game starts once. Before another game, write a line “tags”."))
        case ["deal", player]:
            return events.DealPassed(parse_id(player))
        case ["stop", how] if how in set(events.Stop):
            return events.GameStopped(events.Stop(how))
        case ["won", *players] if players:
            _check_distinct(players)
            return events.WinnersNamed(tuple(map(parse_id, players)))
        case ["stop", *_words]:
            raise NotationError(stop_sentence(events.Stop))
        case ["agree", *totals] if totals:
            return events.TotalsAgreed(tuple(parse_pairs(totals, parse_number).items()))
        case _:
            examples = EXAMPLES | _CORRECTIONS if tokens is whole else EXAMPLES
            if tokens[0] not in examples:
                raise NotationError(_("“{text}” is not a statement.", text=" ".join(whole)))
            example = examples[tokens[0]]
            raise NotationError(
                _("“{word}” is written like this: {example}", word=tokens[0], example=example)
            )


def stop_sentence(ways: Iterable[events.Stop]) -> Text:
    """Return the sentence that says how to write each of these ways to stop a game."""
    return _("Say how the game stops: {ways}.", ways=", ".join(f"stop {way}" for way in ways))


# --- the head of a file -------------------------------------------------------------------------------------


def parse_rules(tokens: Sequence[str]) -> events.RulesAgreed:
    """Return the rules written after the word `game`: variant, options, first dealer and direction.

    Raise NotationError if the words fit no form, RuleError for an unknown game, option or value.
    """
    if not tokens or not _WORD.fullmatch(tokens[0]):
        raise NotationError(_("A game line names its game: game loba_menos."))
    chosen = parse_pairs(tokens[1:], str)
    dealer = parse_id(chosen.pop("dealer")) if "dealer" in chosen else ""
    direction = chosen.pop("direction", None)
    variant = get_variant(tokens[0])
    with naming_option(variant):
        house = variant.house({key: _unquoted_value(variant, key, text) for key, text in chosen.items()})
        check_options(variant, house, named=chosen.keys())
    return events.RulesAgreed(
        variant=variant.key,
        options=house.options,
        dealer=dealer,
        direction=variant.direction if direction is None else direction,
    )


def _unquoted_value(variant: Variant, key: str, text: str) -> str:
    """Return the value `text` of the option `key`, without double quotes if the option takes free text."""
    quoted = _LINE.fullmatch(text) if key in variant.text_option_keys else None
    return quoted[1] if quoted else text


def parse_players(tokens: Sequence[str]) -> events.PlayersSeated:
    """Return the players listed after the word `players`, clockwise.

    Raise NotationError if there are none, or if a player is named twice.
    """
    players = tuple(_parse_player(word) for word in tokens)
    if not players:
        raise NotationError(_("A players line must name the players, clockwise."))
    _check_distinct(player.id for player in players)
    return events.PlayersSeated(players)


def build_start(agreed: events.RulesAgreed, seating: events.PlayersSeated) -> events.GameStarted:
    """Return event 1, built from the `game` line and the `players` line."""
    return events.GameStarted(
        agreed.variant, agreed.options, seating.players, agreed.dealer, agreed.direction
    )


def parse_night(lines: Sequence[Sequence[str]]) -> events.NightImported:
    """Return the night of an old notebook from its lines, each given as its words.

    The lines are `night`, `players`, `places` and, if known, `totals`, `nets` and `note`.
    """
    if [word for word, *_tokens in lines[:3]] != ["night", "players", "places"]:
        raise NotationError(_("A night names its players, and below them their places: places ana=1 beto=2."))
    (_night, *variant), (_players, *players), *numbers = lines
    if len(variant) > 1 or not all(_WORD.fullmatch(word) for word in variant):
        raise NotationError(_("A night line names its game, or nothing: night loba_menos."))
    note = ""
    if numbers and numbers[-1][0] == "note":
        *numbers, (_note, *quoted) = numbers
        note = _parse_quoted(" ".join(quoted))
    numbers_by_word = {word: tuple(parse_pairs(pairs, parse_number).items()) for word, *pairs in numbers}
    if not all(numbers_by_word.values()):
        raise NotationError(_("A line of numbers names the players: nets ana=100 beto=-100."))
    seating = parse_players(players)
    return events.NightImported("".join(variant), seating.players, **numbers_by_word, note=note)


# --- rounds and hands ---------------------------------------------------------------------------------------


def _parse_round(closer: str, closing: str, hands: Sequence[str]) -> RoundEntry:
    # A hand in place of the closing is left to the rules, whose refusal lists the game's closings.
    if not _WORD.fullmatch(closing) and "=" not in closing:
        raise NotationError(_("“{text}” is not a way to end a round.", text=closing))
    in_parentheses = _IN_PARENTHESES.search(" ".join(hands))
    if in_parentheses is not None:
        player, cards = in_parentheses.groups()
        raise NotationError(_("Cards go in square brackets: {example}.", example=f"{player}=[{cards}]"))
    return RoundEntry(
        closer=None if closer == NOBODY else parse_id(closer),
        closing=closing,
        hands=tuple(parse_pairs(hands, parse_hand).items()),
    )


@lru_cache(maxsize=1 << 12)  # most rounds have the same few points, and exceptions are not cached
def parse_hand(text: str) -> Hand:
    """Return the hand written as `text`.

    Examples: `23` (points), `[K 7 *]` (cards held), `{A 2 Q}[4 *]` (a meld, and cards held), `45+2` (points,
    and two bought cards). Raise NotationError if the text fits no form.
    """
    text = normalize_blanks(text)
    bracket_match = _CARDS_ONLY.fullmatch(text)
    if bracket_match is not None:
        return Hand(held=_parse_cards(bracket_match[1]))
    counted = _COUNTED.fullmatch(text)
    if counted is not None:
        points, bought = counted.groups("0")
        return Hand(points=parse_number(points), bought=parse_number(bought))
    cards = _CARDS.fullmatch(text)
    if cards is None or not text.startswith(("{", "[")):
        raise NotationError(
            _("“{text}” is not a hand. Write points (23) or, in a game with cards, cards ([7 2]).", text=text)
        )
    melds, cards_text, bought = cards.groups()
    return Hand(
        held=None if cards_text is None else _parse_cards(cards_text),
        melds=tuple(map(_parse_cards, _MELD.findall(melds))),
        bought=parse_number(bought) if bought else 0,
    )


def _parse_cards(text: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, filter(None, text.replace("\t", " ").split(" "))))


# --- words, names, numbers ----------------------------------------------------------------------------------


def split_line(text: str) -> list[list[str]]:
    """Return the statements of a line, which `;` separates, each as a list of words.

    Blanks within quotes or brackets do not end a word; `#` starts a comment. Raise NotationError for a quote
    or bracket that is not closed, for an empty statement beside a semicolon, and for a line or word too long.
    """
    if len(text) > MAX_LINE_LENGTH:
        raise NotationError(_("A line has at most {most} characters.", most=MAX_LINE_LENGTH))
    statements: list[list[str]] = [[]]
    word, quoted, inside = "", False, ""
    for piece in _PIECE.findall(normalize_blanks(text) + " "):
        if quoted:
            word, quoted = word + piece, piece != '"'
        elif piece == "#":
            break
        elif piece == ";":
            _end_word(statements, word)
            word = ""
            statements.append([])
        elif piece in " \t" and not inside:
            _end_word(statements, word)
            word = ""
        else:
            quoted = piece == '"'
            inside = {"[": "]", "{": "}"}.get(piece, "" if piece == inside else inside)
            word += piece
    _end_word(statements, word)
    if quoted or inside:
        raise NotationError(_("A quote or a bracket is not closed."))
    if len(statements) > 1 and not all(statements):
        raise NotationError(_("A semicolon has no statement next to it."))
    return [statement for statement in statements if statement]


def _end_word(statements: list[list[str]], word: str) -> None:
    if len(word) > MAX_WORD_LENGTH:
        raise NotationError(_("A word has at most {most} characters.", most=MAX_WORD_LENGTH))
    if word:
        statements[-1].append(word)


@lru_cache(maxsize=1 << 10)  # a log names its few players in every event, and exceptions are not cached
def parse_id(text: str) -> str:
    """Return `text` if it is a player's id. Raise NotationError otherwise."""
    if not _is_id(text):
        raise _invalid_id(text, _guess_id(text))
    return text


def _parse_new_id(text: str) -> str:
    """Return `text` if it can be a newcomer's id. The refusal of a name says how to write both."""
    if not _is_id(text):
        raise _invalid_id(text, f'{_guess_id(text)}="{text.replace(QUOTE, "")}"')
    return text


def _is_id(text: str) -> bool:
    return _WORD.fullmatch(text) is not None and text != NOBODY


def _invalid_id(text: str, example: str) -> NotationError:
    return NotationError(
        _(
            "“{text}” is not a player's id: a-z, 0-9 and _, beginning with a letter. Write {example}.",
            text=text,
            example=example,
        )
    )


def _guess_id(text: str) -> str:
    """Return the id that a name, or an id with its name, probably stands for: jose for José."""
    name = text[:MAX_WORD_LENGTH].partition("=")[0]  # cut, because normalizing takes quadratic time
    letters = normalize("NFKD", name).lower().encode("ascii", "ignore").decode()
    player = re.sub("[^a-z0-9_]", "", letters).lstrip("0123456789_")
    return "ana" if player in ("", NOBODY) else player


def parse_number(text: str) -> int:
    """Return the whole number written in ASCII digits. Raise NotationError for anything else."""
    if not _NUMBER.fullmatch(text):
        raise NotationError(_("“{text}” is not a number.", text=text))
    digits = text.lstrip("-").lstrip("0")[:_MAX_DIGITS]
    return int(digits or "0") * (-1 if text.startswith("-") else 1)


def _parse_signed(text: str) -> int:
    return parse_number(text[1:] if re.fullmatch(r"\+[0-9]+", text) else text)


def parse_pairs(tokens: Iterable[str], read: Callable[[str], T]) -> dict[str, T]:
    """Return words such as `ana=23` as a dict from id to value; `read` converts the text of each value.

    Raise NotationError for a word of another form, or if an id occurs twice.
    """
    pairs = [_parse_pair(word) for word in tokens]
    _check_distinct(key for key, _value in pairs)
    return {parse_id(key): read(value) for key, value in pairs}


def _parse_pair(word: str) -> tuple[str, str]:
    match = _PAIR.fullmatch(word)
    if match is None:
        raise NotationError(_("“{text}” should read id=…, with no spaces around “=”.", text=word))
    return match[1], match[2]


def _check_distinct(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise NotationError(_("{key} appears twice.", key=key))
        seen.add(key)


def _parse_player(word: str) -> events.Player:
    if "=" not in word:
        return events.Player(_parse_new_id(word), word)
    player, name = _parse_pair(word)
    return events.Player(parse_id(player), _parse_quoted(name))


def _parse_quoted(text: str) -> str:
    match = _NAME.fullmatch(text)
    if match is None or not match[1].strip():
        raise NotationError(_("{text} must be in double quotes.", text=text))
    return match[1]


def _parse_event_number(text: str) -> int:
    if text.startswith("-"):
        raise NotationError(_("“{text}” is not an event's number.", text=text))
    return parse_number(text)


def _parse_first_event_number(number: str, tokens: Sequence[str]) -> int:
    if _parse_event_number(number) != 1:
        raise NotationError(_("“{text}” is not a statement.", text=" ".join(tokens)))
    return 1
