"""Python 3.11.2, which Debian 12 has, matches possessive and atomic patterns wrong (gh-106052, fixed in 3.11.5)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from django.conf import settings

POSSESSIVE = re.compile(r"(?<!\\)[*+?}]\+|\(\?>")
CHARACTERS = re.compile(r"\[\^?]?(?:\\.|[^]\\])*]")  # such as `[{}+]`


def patterns(path: Path) -> list[str]:
    """Return the patterns that this module passes to functions of `re`."""
    calls = (
        call for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(call, ast.Call)
    )
    firsts = (call.args[0] for call in calls if call.args and ast.unparse(call.func).startswith("re."))
    texts = (first.value for first in firsts if isinstance(first, ast.Constant))
    return [text.decode() if isinstance(text, bytes) else str(text) for text in texts]


def is_possessive(pattern: str) -> bool:
    return POSSESSIVE.search(CHARACTERS.sub("x", pattern)) is not None


def test_no_pattern_is_possessive_or_atomic():
    base = Path(settings.BASE_DIR)
    modules = [path for folder in ("games", "scorekeeper") for path in (base / folder).rglob("*.py")]
    found = {
        path.relative_to(base).as_posix(): pattern
        for path in modules
        for pattern in patterns(path)
        if is_possessive(pattern)
    }
    assert {} == found
    assert is_possessive(r"([a-z]*+)")
