"""The library as it is installed: built here, put into an empty environment without a network, and used there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from zipfile import ZipFile

import pytest

from games.scoring import __version__

BASE = Path(__file__).parents[1]
ENGINE = BASE / "games" / "scoring"
README = BASE / "engine" / "README.md"
GOLDEN = sorted((BASE / "tests" / "scoring" / "golden").glob("*.game"))
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
LARGEST = 250_000  # bytes; the rules and the notation are a tenth of it

USER = """
from naipes import Game, RuleError, UnreadableLine, lay_down, score_hand, settle
from naipes.options import Variant
from naipes.solvers.contracts import Bajada
from naipes.variants import find_variant

variant: Variant = find_variant("chinchon")
game: Game = Game.begin("loba_menos", ["ana", "beto"], stake=100).play("round ana out beto=12")
totals: list[int] = [player.total for player in game.state.players]
points: int = score_hand("chinchon", "[1o 2o 3o]", pack=40)
payers: list[str] = [transfer.payer for transfer in settle({"ana": 5, "beto": -5}).transfers]
laid = lay_down("carioca_cl", "1E1T", "[A 2 3]")
left: int | None = laid.left if isinstance(laid, Bajada) else None
try:
    game.play("leave zoe")
except (RuleError, UnreadableLine) as error:
    print(error)
"""

pytestmark = pytest.mark.slow


def run(*words: str | Path, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program without anything from this repository on its path."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DJANGO"))
    }
    return subprocess.run(
        words,
        cwd=folder,
        env={**environment, **OFFLINE},
        input=text,
        text=True,
        capture_output=True,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources, so that the build leaves nothing here."""
    folder = tmp_path_factory.mktemp("sources")
    copytree(BASE / "engine", folder / "engine", ignore=ignore_patterns("build", "*.egg-info"))
    copytree(ENGINE, folder / "games" / "scoring", ignore=ignore_patterns("__pycache__"))
    copy(BASE / "LICENSE", folder)
    pip = (
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        "built",
        "./engine",
    )
    built = run(*pip, folder=folder)
    assert 0 == built.returncode, built.stderr
    [made] = (folder / "built").iterdir()
    return made


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has the library and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    assert 0 == run(sys.executable, "-m", "venv", "--without-pip", "empty", folder=folder).returncode
    interpreter = folder / "empty" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", interpreter, "install", wheel)
    installed = run(*pip, folder=folder)
    assert 0 == installed.returncode, installed.stderr
    return interpreter


def test_the_wheel_has_the_modules_of_the_site_byte_for_byte(wheel):
    with ZipFile(wheel) as packed:
        content = {name: packed.read(name) for name in packed.namelist() if name.startswith("naipes/")}
    sources = (path for path in ENGINE.rglob("*") if path.suffix in (".py", ".md", ".typed"))

    assert {f"naipes/{path.relative_to(ENGINE)}": path.read_bytes() for path in sources} == content


def test_the_wheel_says_its_name_its_version_and_that_it_needs_nothing(wheel):
    with ZipFile(wheel) as packed:
        [name] = [name for name in packed.namelist() if name.endswith("METADATA")]
        metadata = packed.read(name).decode()

    assert f"naipes-{__version__}-py3-none-any.whl" == wheel.name
    assert [] == re.findall("^Requires-Dist.*", metadata, re.MULTILINE)
    assert README.read_text(encoding="utf-8") in metadata
    assert wheel.stat().st_size < LARGEST


def test_the_examples_of_its_page_run(python, tmp_path):
    copy(README, tmp_path)
    result = run(python, "-X", "utf8", "-m", "doctest", "README.md", folder=tmp_path)

    assert (0, "", "") == (result.returncode, result.stdout, result.stderr)


def test_its_command_plays_every_golden_game(python, tmp_path):
    texts = (f"tags name={path.stem}\n{path.read_text(encoding='utf-8')}\n" for path in GOLDEN)
    result = run(python.with_name("naipes"), "play", "-", "--json", folder=tmp_path, text="".join(texts))

    assert (0, "", len(GOLDEN)) == (result.returncode, result.stderr, len(result.stdout.splitlines()))
    assert f"naipes {__version__}\n" == run(python.with_name("naipes"), "--version", folder=tmp_path).stdout


def test_the_type_checker_passes_a_user_s_file_which_runs(python, tmp_path):
    (tmp_path / "user.py").write_text(USER)
    options = ("--strict", "--config-file=", "--python-executable", str(python))
    checked = run(sys.executable, "-m", "mypy", *options, "user.py", folder=tmp_path)
    result = run(python, "user.py", folder=tmp_path)

    assert "Success: no issues found in 1 source file\n" == checked.stdout
    assert (0, "zoe is not at this table.\n") == (result.returncode, result.stdout), result.stderr
