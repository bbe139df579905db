"""Static files as the server serves them: every import names a file that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile

from scorekeeper.static_storage import ManifestStorage, minify

IMPORTED_SHEET = re.compile(r'@import "(.+?)"(?: layer\((\w+)\))?;')
TEXT = re.compile(r"""`[^`]*`|"[^"\n]*\"""")
NESTED = re.compile(r"\$\{(?:[^{}`]|\{[^{}`]*\})*`.*")
STATIC = Path(settings.BASE_DIR, "static")


@pytest.mark.slow
def test_a_style_sheet_travels_in_one_piece_with_the_rules_of_its_parts_in_order(prepared_site):
    for sheet in STATIC.rglob("*.css"):
        served = (prepared_site / "static" / sheet.relative_to(STATIC)).read_text(encoding="utf-8")
        assert _strip_blanks(_inline_imports(sheet)) == _strip_blanks(served)


def _inline_imports(sheet: Path) -> str:
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    return IMPORTED_SHEET.sub(
        lambda match: _in_layer(match[2], _inline_imports(sheet.parent / match[1])), text
    )


def _in_layer(layer: str | None, styles: str) -> str:
    return f"@layer {layer} {{ {styles} }}" if layer else styles


def _strip_blanks(styles: str) -> str:
    return re.sub(r"\s", "", styles).replace(";}", "}")


def test_a_minified_style_sheet_keeps_the_blanks_that_mean_something():
    written = b'a :is(b, c) > d,\n#e .f { width: calc(1px + 2px); content: "a b" }\n@media (x) and (y) {\n}\n'

    assert b'a :is(b,c)>d,#e .f{width:calc(1px + 2px);content:"a b"}@media (x) and (y){}' == minify(
        "base/x.css", written
    )


def test_the_name_of_a_style_sheet_changes_when_a_part_does(tmp_path, monkeypatch):
    monkeypatch.setattr("scorekeeper.static_storage.STATIC", tmp_path)
    (tmp_path / "play").mkdir()
    part = tmp_path / "play/sheet.css"
    names = []
    for colour in ("red", "blue"):
        part.write_text(f"/* why */ a {{ color: {colour} }}\n")
        names.append(ManifestStorage().hashed_name("app.css", ContentFile(b'@import "./play/sheet.css";\n')))

    assert 2 == len(set(names))


def test_a_script_travels_without_its_types_and_its_spaces():
    written = b"""// What it is for.
/**
 * @typedef {{ after: number }} Numbers
 */

/** @type {Numbers | null} */
let numbers = null; // none yet
export const said = (text) => `${text}  // ${numbers?.after}`.replace(/ \\/\\/ /g, "  ");
"""
    served = b"""let numbers=null;export const said=(text)=>`${text}  // ${numbers?.after}`.replace(/ \\/\\/ /g,"  ");"""
    assert served == minify("base/said.js", written)


def test_no_script_has_a_text_within_a_text_which_would_lose_its_blanks():
    assert b'`${a ? `b` : ""}`' == minify("base/said.js", b'`${a ? ` b` : ""}`')
    nested = [(path.name, NESTED.findall(path.read_text(encoding="utf-8"))) for path in STATIC.rglob("*.js")]
    assert [] == [(name, found) for name, found in nested if found]


@pytest.mark.slow
def test_a_script_that_travels_says_what_was_written(prepared_site):
    for source in STATIC.rglob("*.js"):
        written = strip_comments(source.read_text(encoding="utf-8"))
        served = (prepared_site / "static" / source.relative_to(STATIC)).read_text(encoding="utf-8")
        assert (source.name, "".join(written.split())) == (source.name, "".join(served.split()))
        assert (source.name, TEXT.findall(written)) == (source.name, TEXT.findall(served))


def strip_comments(script: str) -> str:
    """Return a script without its comments, which are on their own lines or follow `//`."""
    return re.sub(
        r"/\*\*.*?\*/|(^|(?<=[;{,)(])) *// [^\n]*$|^ *//$", "", script, flags=re.MULTILINE | re.DOTALL
    )
