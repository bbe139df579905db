"""The source of the scripts: headers, imports, icons that exist, and types that match the printed numbers."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import dirname, join, normpath

from django.conf import settings

IMPORT = re.compile(r"""^import (?:[\w*{}\s,]+? from )?["'](\.[^"']+)["']""", re.MULTILINE)
BASE = Path(settings.BASE_DIR)
SOURCES = BASE / "scripts"
SCRIPTS = {
    path.relative_to(SOURCES).as_posix(): path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.js")
}


def test_every_script_opens_with_what_it_is_for():
    assert [] == [name for name, text in SCRIPTS.items() if not text.startswith("// ")]


def test_scripts_write_days_in_words_in_one_place():
    """In figures, 7/12 is read as the 12th of July."""
    assert {"base/days.js"} == {name for name, text in SCRIPTS.items() if ".toLocale" in text}


def test_scripts_import_each_other_one_way_only():
    """In a cycle a script may run before the one that it imports."""
    imports = {
        name: {normpath(join(dirname(name), other)) for other in IMPORT.findall(text)}
        for name, text in SCRIPTS.items()
    }
    assert "offline/queueing.js" in imports["offline/forms.js"]
    assert set(SCRIPTS) == set(TopologicalSorter(imports).static_order())


def test_nothing_is_loaded_later_but_pictures_and_the_engine_of_a_folder():
    """All that a page may need is in one file, so that it works as a whole or not at all."""
    assert {"base/share.js", "serverless/engine.js"} == {
        name
        for name, text in SCRIPTS.items()
        if "import(" in re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    }


def test_every_icon_that_a_page_or_a_script_names_is_drawn():
    """Without a picture it would be a plain square."""
    pages = [path.read_text(encoding="utf-8") for path in (BASE / "templates").rglob("*.html")]
    styles = "\n".join(path.read_text(encoding="utf-8") for path in (BASE / "styles").rglob("*.css"))
    named = re.findall(r'"i (?:i-)([a-z]+)"|icon\("([a-z]+)"\)', "\n".join([*pages, *SCRIPTS.values()]))

    assert named
    assert set() == {in_page or in_script for in_page, in_script in named} - set(
        re.findall(r"\.i-([a-z]+)\b[^{]*\{\s*--i:", styles)
    )
