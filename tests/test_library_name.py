"""In the site `naipes` is the site's own engine, whether the library is absent, installed, or of another version."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

from games.scoring import __version__

BASE = Path(__file__).parents[1]
ENGINE = BASE / "games" / "scoring"

PLUG_IN = """
import naipes.options
from naipes.options import Variant
from naipes.kinds import Rules
from naipes.variants import VARIANTS
import naipes
"""
SITE = """
import games
import plug_in
import games.scoring
from games.scoring.options import Variant
from games.scoring.kinds import Rules
from games.scoring.variants import VARIANTS

assert plug_in.Variant is Variant, "two classes"
assert plug_in.Rules is Rules, "two classes"
assert plug_in.VARIANTS is VARIANTS, "two lists of games"
assert plug_in.naipes is games.scoring, plug_in.naipes
assert plug_in.naipes.rules is games.scoring.rules, "two functions"
assert games.scoring.options.__spec__.name == "games.scoring.options", games.scoring.options.__spec__
print(plug_in.naipes.__version__)
"""


def ran(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program that may import the site, and the packages of this folder before any other."""
    (folder / "plug_in.py").write_text(PLUG_IN)
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(BASE)))},
        text=True,
        capture_output=True,
        check=False,
    )


def install(folder: Path, version: str) -> None:
    """Put the library of this version where the interpreter finds it."""
    copytree(ENGINE, folder / "naipes")
    if version != __version__:
        (folder / "naipes" / "__init__.py").write_text(f'__version__ = "{version}"\n')
        (folder / "naipes" / "options.py").write_text("class Variant: pass\n")
        (folder / "naipes" / "newer.py").write_text("")


def test_no_module_of_the_engine_imports_it_by_the_site_s_name():
    absolute = re.compile(r"^\s*(?:from|import) (?:games|naipes)\b", re.MULTILINE)

    assert [] == [
        str(path) for path in ENGINE.rglob("*.py") if absolute.search(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("version", ["", __version__, "99.0"], ids=["absent", "installed", "another"])
@pytest.mark.parametrize(
    "before", ["", "import games.scoring.options, games.scoring.kinds\n"], ids=["first", "later"]
)
def test_a_plug_in_gets_the_engine_of_the_site(tmp_path, version, before):
    if version:
        install(tmp_path, version)
    result = ran(tmp_path, before + SITE)

    assert ("", f"{__version__}\n") == (result.stderr, result.stdout)


@pytest.mark.parametrize("version", [__version__, "99.0"])
def test_a_module_that_the_site_lacks_is_not_taken_from_the_library(tmp_path, version):
    install(tmp_path, version)
    result = ran(tmp_path, "import games\nimport naipes.newer")

    assert "ModuleNotFoundError: No module named 'naipes.newer'" == result.stderr.splitlines()[-1]


def test_outside_the_site_the_library_is_the_one_installed(tmp_path):
    install(tmp_path, "99.0")

    assert "99.0\n" == ran(tmp_path, "import naipes; print(naipes.__version__)").stdout


def test_a_library_imported_before_the_site_is_refused_with_a_reason(tmp_path):
    install(tmp_path, "99.0")
    result = ran(tmp_path, "import naipes, games")

    assert (
        "ImportError: import games before naipes: the site must give it its own engine"
        == (result.stderr.splitlines()[-1])
    )
