"""The rule for one line of text: the characters that a name, reason, note, alias or unit may contain.

The rule applies to what is entered. Replaying a game asks only that its texts can be written in the text of a
game (`is_writable`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category, combining, normalize

from .errors import RuleError
from .i18n import _

MAX_TEXT_LENGTH = 200  # the most letters of a name or reason in a game
# Before it is normalized, which joins letters with their accents, a text may be this many times longer.
RAW_FACTOR = 4

NON_JOINER, JOINER = "\u200c", "\u200d"
BLACK_FLAG = "\U0001f3f4"
VIRAMA = 9  # the combining class of a sign that mutes the vowel of the letter before it

# England, Scotland, Wales: a black flag followed by invisible letters.
_FLAG = re.compile(f"{BLACK_FLAG}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{{2,6}}\U000e007f")

# Invisible characters that Unicode nevertheless classifies as letters, marks or signs.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159\U00016fe4")
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_SELECTORS = frozenset(
    map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0)))
)


def check_length(text: str, longest: int, field: str, *, times: int = 1) -> str:
    """Return the text. Raise RuleError, for the input `field`, if it is longer than `longest` × `times`.

    Call this before anything else on a text from a client: normalizing accents that are out of order takes
    time that grows with the square of the length.
    """
    if len(text) > longest * times:
        raise RuleError(_("At most {longest} characters fit here.", longest=longest), field=field)
    return text


def clean_line(text: str, *, longest: int, field: str, quoted: bool = False) -> str:
    """Return the text normalized: NFC, single spaces between words, none at its ends; "" if it is blank.

    Raise RuleError, for the input `field`, if the text is longer than `longest`, has more than one line or
    contains an invisible character. If the text will be written between double quotes (`quoted`), it may not
    contain any double quote either.
    """
    text = normalize("NFC", check_length(text, longest, field, times=RAW_FACTOR).strip())
    if any(category(character) in ("Zl", "Zp") or character in "\n\r\v\f\x85" for character in text):
        raise RuleError(_("Write it on one line."), field=field)
    line = " ".join(text.split())
    # Check both `text` and `line`: an accent may follow a special blank such as a no-break space, but not the
    # plain blank that replaces it in `line`.
    unseen = _first_invisible(_FLAG.sub(BLACK_FLAG, text)) or _first_invisible(_FLAG.sub(BLACK_FLAG, line))
    if unseen:
        code = f"U+{ord(unseen):04X}"
        raise RuleError(
            _("It contains an invisible character ({code}): type it again.", code=code), field=field
        )
    if quoted and '"' in text:
        raise RuleError(_("Write it without double quotes."), field=field)
    return check_length(line, longest, field)


def check_writable(text: str, *, field: str) -> None:
    """Raise RuleError unless this name or reason can be written in the text of a game."""
    if not is_writable(check_length(text, MAX_TEXT_LENGTH, field)):
        raise RuleError(_("Enter some text, on one line and without double quotes."), field=field)


@lru_cache(maxsize=1 << 10)  # every replay checks the names of its players
def is_writable(text: str) -> bool:
    """Return whether the text is not blank and can be written on one line between double quotes."""
    unwritable = ("Cc", "Cs", "Zl", "Zp")  # control characters, lone surrogates, line ends
    return (
        bool(text.strip()) and '"' not in text and all(category(letter) not in unwritable for letter in text)
    )


def shorten(text: str, longest: int) -> str:
    """Return at most `longest` characters of a line, cut without splitting a letter or an emoji."""
    result = text[:longest].rstrip()
    while (
        result
        and len(result) < len(text)
        and (_is_modifier(text[len(result)]) or result[-1] in (JOINER, NON_JOINER))
    ):
        result = result[:-1].rstrip()
    return result


def visible_text(text: str) -> str:
    """Return the visible characters of the text, to compare texts that look alike.

    Joiners and variation selectors are removed too, even inside an emoji.
    """
    return "".join(
        character
        for character in text
        if category(character) != "Cf" and character not in _BLANK | _EMOJI_SELECTORS | _SELECTORS
    )


def _is_modifier(character: str) -> bool:
    """Return whether this character is part of the letter or emoji before it, such as an accent."""
    return category(character) in ("Mn", "Mc", "Me", "Cf") or "\U0001f3fb" <= character <= "\U0001f3ff"


def _first_invisible(text: str) -> str:
    """Return the first character that is invisible in its context; "" if there is none."""
    base = before = " "  # the last character that modifies no other; the previous character
    for character, after in zip(text, f"{text[1:]} ", strict=False):
        if not _is_visible(character, base, before, after):
            return character
        base = base if _is_modifier(character) else character
        before = character
    return ""


def _is_visible(character: str, base: str, before: str, after: str) -> bool:
    kind = category(character)
    if character in _BLANK:
        return False
    if character in (JOINER, NON_JOINER):
        in_emoji = character == JOINER and _is_picture(base) and _is_picture(after)
        return in_emoji or combining(before) == VIRAMA or _is_within_a_word(base, after)
    if character in _EMOJI_SELECTORS:
        return before == base and category(base)[0] in "SNP"
    if character in _SELECTORS:
        return before == base and category(base) in ("Lo", "So", "Sm")
    if kind[0] == "M":
        return base != " "
    return kind[0] != "C" or (kind == "Cn" and _is_picture(character))


def _is_within_a_word(base: str, after: str) -> bool:
    """Return whether an invisible joiner is allowed between the characters `base` and `after` of a word.

    It is allowed in scripts without capitals, such as Arabic, where it decides whether letters join.
    """
    return category(base) == "Lo" and category(after) in ("Lo", "Mn", "Mc")


def _is_picture(character: str) -> bool:
    """Return whether the character is an emoji, or a code point reserved for future emoji."""
    return category(character) == "So" or character == "↔" or "\U0001f000" <= character <= "\U0001faff"
