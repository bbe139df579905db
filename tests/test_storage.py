"""Static files as the server serves them: every import names a file that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.test import override_settings

from scorekeeper.static_storage import ManifestStorage, minify

IMPORTED_SHEET = re.compile(r'@import "(.+?)"(?: layer\((\w+)\))?;')
TEXT = re.compile(r"""`[^`]*`|"[^"\n]*\"""")
TEMPLATE_MARK = re.compile(r"\\.|`|\$?\{|\}")
STATIC = Path(settings.BASE_DIR, "static")
STORAGE = {"BACKEND": "scorekeeper.static_storage.ManifestStorage"}


@pytest.fixture(scope="module")
def static_folder(tmp_path_factory) -> Path:
    """The folder from which `manage.py serve` serves static files."""
    folder: Path = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=folder, STORAGES={**settings.STORAGES, "staticfiles": STORAGE}):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


@pytest.mark.slow
def test_a_style_sheet_travels_in_one_piece_with_the_rules_of_its_parts_in_order(static_folder):
    for sheet in STATIC.rglob("*.css"):
        served = (static_folder / sheet.relative_to(STATIC)).read_text(encoding="utf-8")
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


@pytest.mark.slow
def test_a_script_that_travels_says_what_was_written(static_folder):
    for source in STATIC.rglob("*.js"):
        written = strip_comments(source.read_text(encoding="utf-8"))
        served = (static_folder / source.relative_to(STATIC)).read_text(encoding="utf-8")
        assert (source.name, "".join(written.split())) == (source.name, "".join(served.split()))
        assert (source.name, TEXT.findall(written)) == (source.name, TEXT.findall(served))


def test_a_text_inside_another_text_keeps_its_blanks():
    for source in STATIC.rglob("*.js"):
        written = strip_comments(source.read_text(encoding="utf-8"))
        served = minify(source.relative_to(STATIC).as_posix(), written.encode()).decode()
        assert (source.name, list_template_texts(written)) == (source.name, list_template_texts(served))


def list_template_texts(script: str) -> list[str]:
    """Return the texts of templates around their values, also of a template in the value of another one."""
    texts: list[str] = []
    values: list[int | None] = []  # the open braces in each value that is open; None in a text
    begin = 0
    for mark in TEMPLATE_MARK.finditer(script):
        inside = values[-1] if values else 0
        if mark[0] == "`" and inside is not None:
            values.append(None)
            begin = mark.end()
        elif inside is None and mark[0] in ("`", "${"):
            texts.append(script[begin : mark.start()])
            if mark[0] == "`":
                values.pop()
            else:
                values.append(0)
        elif inside is not None and values and mark[0].endswith("{"):
            values[-1] = inside + 1
        elif inside is not None and values and mark[0] == "}":
            values.pop()
            if inside:
                values.append(inside - 1)
            else:
                begin = mark.end()
    return texts


def strip_comments(script: str) -> str:
    """Return a script without its comments, which are on their own lines or follow `//`."""
    return re.sub(
        r"/\*\*.*?\*/|(^|(?<=[;{,)(])) *// [^\n]*$|^ *//$", "", script, flags=re.MULTILINE | re.DOTALL
    )
