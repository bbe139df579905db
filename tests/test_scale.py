"""The styles use one scale: sizes, radii, shadows, paddings and gaps are tokens of `base/tokens.css`, or 0."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

STYLES = Path(__file__).parents[1] / "styles"
NO_DECLARATION = re.compile(r'/\*.*?\*/|url\("data:[^"]*"\)', re.DOTALL)
DECLARED = re.compile(r"(?<=[{;\s])([a-z-]+):\s*([^;{}]+);")
TOKEN = r"0|none|inherit|1em|var\(--{}\d\)"
# Values that fit a box, the width of the screen, or the edges of a phone.
FITTED = (
    r"(?:calc|clamp|min|max)\(.*(?:cq|vw|vmin|--column|--wide|--air|--pad|--av|env\().*\)"
    r"|var\(--(?:pad|air|fit|letters)\)"
)
LAWS = {
    r"font-size": TOKEN.format("t"),
    r"border(?:-\w+)*-radius": TOKEN.format("r"),
    r"box-shadow": TOKEN.format("e"),
    r"padding(?:-\w+)*|(?:row-|column-)?gap": TOKEN.format("s"),
}
# Drawn shapes, and space for what lies over them: this list may only shrink.
DRAWN = {
    "base/page.css": ["box-shadow: inset 0 -7rem 6rem -3rem var(--deep)"],
    "parts/notices.css": ["padding-bottom: 3rem"],
    "tables/seats.css": ["padding: 0 var(--clear) 0.75rem"],
}


def declarations(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the declarations of a style sheet, without comments and drawn icons."""
    for name, value in DECLARED.findall(NO_DECLARATION.sub("", path.read_text())):
        yield name, " ".join(value.split())


def split_value(value: str) -> Iterator[str]:
    """Yield the parts of a value separated by spaces outside brackets."""
    part = ""
    for word in value.split(" "):
        part = f"{part} {word}".strip()
        if part.count("(") == part.count(")"):
            yield part
            part = ""


def off_scale_declarations(path: Path) -> list[str]:
    """Return the declarations of a style sheet whose size or space is not on the scale."""
    return [
        f"{name}: {value}"
        for name, value in declarations(path)
        for law, allowed in LAWS.items()
        if re.fullmatch(law, name)
        and not all(re.fullmatch(f"{allowed}|{FITTED}", part) for part in split_value(value))
    ]


def test_sizes_and_spaces_are_those_of_the_scale():
    sheets = {
        path.relative_to(STYLES).as_posix(): off_scale_declarations(path) for path in STYLES.rglob("*.css")
    }
    assert DRAWN == {name: strange for name, strange in sheets.items() if strange}
