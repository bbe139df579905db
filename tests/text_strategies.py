"""Random texts of one line: a strategy for allowed ones, and examples of refused ones."""

from __future__ import annotations

from hypothesis import strategies as st

from games.scoring.errors import RuleError
from games.scoring.text_line import clean_line

# Ordinary texts, and characters that only join, select or color others.
_PARTS = (
    *("Ana", "José María", "ñandú", "Zoe\u0301", "Å", "ﬁ", "#", ";", "[K]", "{", "=", "'", "«x»", " ", "  ", "\u00a0"),
    *("👩\u200d🍳", "👩🏽\u200d🍳", "🙂\u200d↔️", "🏴\u200d☠️", "🏳️\u200d🌈", "👁️\u200d🗨️", "🇦🇷", "1️⃣", "❤️", "\U0001fae9"),
    *("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "क्\u200dष", "ന്\u200d", "葛\U000e0100"),
    *("\u200d", "\u200c", "\ufe0f", "🏽", "\u0301", "\u093f", "\u20e3", "\U000e0100"),
)  # fmt: skip

# A text for each kind of refusal, with its message.
REFUSED = {
    "Ana\u00a0\u0301": "It contains an invisible character (U+0301): type it again.",  # nor on its replacement, a plain blank
    "a\u202eb": "It contains an invisible character (U+202E): type it again.",
    "\u2068Ana\u2069": "It contains an invisible character (U+2068): type it again.",
    "A\u200dna": "It contains an invisible character (U+200D): type it again.",
    "Ana\u200d": "It contains an invisible character (U+200D): type it again.",
    "👩\u200d": "It contains an invisible character (U+200D): type it again.",
    "👩\u200c🍳": "It contains an invisible character (U+200C): type it again.",
    "A\ufe0f": "It contains an invisible character (U+FE0F): type it again.",
    "🏴\U000e0067": "It contains an invisible character (U+E0067): type it again.",
    "a\u200bb": "It contains an invisible character (U+200B): type it again.",
    "a\u00adb": "It contains an invisible character (U+00AD): type it again.",
    "Be\u3164to": "It contains an invisible character (U+3164): type it again.",
    "a\u2800b": "It contains an invisible character (U+2800): type it again.",
    "\u0301a": "It contains an invisible character (U+0301): type it again.",
    "a\ue000": "It contains an invisible character (U+E000): type it again.",
    "a\u0378": "It contains an invisible character (U+0378): type it again.",
    "a\x00b": "It contains an invisible character (U+0000): type it again.",
    "a\x01b": "It contains an invisible character (U+0001): type it again.",
    "a\tb": "It contains an invisible character (U+0009): type it again.",
    "a\nb": "Write it on one line.",
    "a\u2028b": "Write it on one line.",
}


def line_texts(longest: int, *, quoted: bool = False) -> st.SearchStrategy[str]:
    """Return a strategy for allowed lines, normalized and never blank."""

    def join_parts(parts: list[str]) -> str:
        line, pending = "", ""
        for part in parts:
            try:
                line, pending = (
                    clean_line(line + pending + part, longest=longest, field="", quoted=quoted),
                    "",
                )
            except RuleError:
                pending = part  # a joiner may be allowed before the next part
        return line or "x"

    return st.lists(st.sampled_from(_PARTS) | st.characters(), max_size=8).map(join_parts)
