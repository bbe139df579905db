"""The library as installed: its sdist, and the wheel from that, in an empty environment without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from posixpath import normpath
from shutil import copy, copytree, ignore_patterns
from textwrap import dedent
from zipfile import ZipFile

import pytest

from games.scoring import __version__

BASE = Path(__file__).parents[1]
ENGINE = BASE / "games" / "scoring"
README = BASE / "engine" / "README.md"
GOLDEN = sorted((BASE / "tests" / "scoring" / "golden").glob("*.game"))[::10]
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
LARGEST = 250_000  # bytes; the rules and the notation are a tenth of it

USERS = sorted((BASE / "tests" / "users").glob("*.py"))
WORKED_EXAMPLES = [BASE / "docs" / "examples" / name for name in ("gin.py", "rum_500.py")]

pytestmark = pytest.mark.slow


def run(*command: str | Path, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program without anything from this repository on its path."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DJANGO"))
    }
    return subprocess.run(
        command,
        cwd=folder,
        env={**environment, **OFFLINE},
        input=text,
        text=True,
        capture_output=True,
        check=False,
    )


def build_sdist(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the sdist into `built`, from the copy of the repository in this folder."""
    program = "from setuptools.build_meta import build_sdist; build_sdist('../built')"
    return run(sys.executable, "-c", program, folder=folder / "engine")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist, built from a copy of the sources, so that the build leaves nothing here."""
    folder = tmp_path_factory.mktemp("sources")
    unwanted = ignore_patterns("build", "dist", "*.egg-info", "__pycache__")
    copytree(BASE / "engine", folder / "engine", ignore=unwanted, symlinks=True)
    copytree(ENGINE, folder / "games" / "scoring", ignore=unwanted)
    copy(BASE / "LICENSE", folder)
    built = build_sdist(folder)
    assert 0 == built.returncode, built.stderr
    [made] = (folder / "built").iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist alone."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", "built", sdist)
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
    result = run(*pip, folder=folder)
    assert 0 == result.returncode, result.stderr
    return interpreter


def read_metadata(wheel: Path) -> str:
    with ZipFile(wheel) as packed:
        [name] = [name for name in packed.namelist() if name.endswith("METADATA")]
        return packed.read(name).decode()


def test_sdist_and_wheel_have_the_modules_of_the_site_byte_for_byte_and_the_licence(sdist, wheel):
    sources = {
        path.relative_to(ENGINE).as_posix(): path.read_bytes()
        for path in ENGINE.rglob("*")
        if path.suffix in (".py", ".md", ".typed")
    }
    with ZipFile(wheel) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    with tarfile.open(sdist) as packed_sources:
        members = [member for member in packed_sources.getmembers() if not member.isdir()]
        names = {member.name.partition("/")[2] for member in members}

    modules = {
        name.removeprefix("anotador/"): text for name, text in files.items() if name.startswith("anotador/")
    }
    assert sources == modules
    assert {f"src/anotador/{name}" for name in sources} | {"LICENSE", "README.md", "REFERENCE.md"} <= names
    assert all(member.isfile() for member in members)
    assert [(BASE / "LICENSE").read_bytes()] == [
        text for name, text in files.items() if name.endswith("/LICENSE")
    ]


def test_the_wheel_says_its_name_its_version_where_it_comes_from_and_that_it_needs_nothing(wheel):
    metadata = read_metadata(wheel)
    project = tomllib.loads((BASE / "engine" / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert f"anotador-{__version__}-py3-none-any.whl" == wheel.name
    assert [] == re.findall("^Requires-Dist.*", metadata, re.MULTILINE)
    assert [f"{name}, {url}" for name, url in project["urls"].items()] == re.findall(
        "^Project-URL: (.*)", metadata, re.MULTILINE
    )
    assert wheel.stat().st_size < LARGEST


def test_the_links_of_its_page_lead_to_files_of_the_repository_from_anywhere(wheel):
    metadata = read_metadata(wheel)
    [source] = re.findall("^Project-URL: Source, (.*)", metadata, re.MULTILINE)
    links = re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    files = [normpath(f"engine/{link}") for link in links]

    assert files
    assert [True] * len(files) == [(BASE / name).is_file() for name in files]
    assert [f"{source}/{name}" for name in files] == re.findall(
        r"\]\(([^)]+)\)", metadata.partition("\n\n")[2]
    )


def test_a_copy_without_links_is_not_built_and_names_git_clone(tmp_path):
    copytree(BASE / "engine", tmp_path / "engine", ignore=ignore_patterns("src"))
    (tmp_path / "engine" / "src").mkdir()
    (tmp_path / "engine" / "src" / "anotador").write_text("../../games/scoring")
    built = build_sdist(tmp_path)

    assert (1, True) == (built.returncode, "git clone" in built.stderr.splitlines()[-1])


def test_its_command_plays_golden_games(python, tmp_path):
    texts = (f"tags name={path.stem}\n{path.read_text(encoding='utf-8')}\n" for path in GOLDEN)
    result = run(python.with_name("anotador"), "play", "-", "--json", folder=tmp_path, text="".join(texts))

    assert (0, "", len(GOLDEN)) == (result.returncode, result.stderr, len(result.stdout.splitlines()))
    for command in ([python.with_name("anotador")], [python, "-m", "anotador"]):
        assert f"anotador {__version__}\n" == run(*command, "--version", folder=tmp_path).stdout


def test_the_type_checker_passes_the_programs_of_strangers(python, tmp_path):
    options = ("--strict", "--config-file=", "--python-executable", str(python))
    programs = [*USERS, *WORKED_EXAMPLES]
    checked = run(sys.executable, "-m", "mypy", *options, *programs, folder=tmp_path)

    assert f"Success: no issues found in {len(programs)} source files\n" == checked.stdout


@pytest.mark.parametrize("program", USERS, ids=lambda path: path.stem)
def test_a_program_of_a_stranger_prints_what_it_says(python, tmp_path, program):
    promised = program.read_text(encoding="utf-8").split('"""')[1].partition("prints:\n")[2]
    result = run(python, "-X", "utf8", program, folder=tmp_path)

    assert (0, "", dedent(promised)) == (result.returncode, result.stderr, result.stdout)


def test_its_command_plays_a_game_of_ones_own_with_its_module(python, tmp_path):
    copy(BASE / "tests" / "users" / "custom_game.py", tmp_path)
    text = "game own_yaniv\nplayers ana beto\nround ana asaf ana=[2 3] beto=0\nexpect totals ana=35 beto=0\n"
    command = python.with_name("anotador")
    played = run(command, "--with", "custom_game", "play", "-", folder=tmp_path, text=text)
    unknown = run(command, "play", "-", folder=tmp_path, text=text)
    missing = run(command, "--with", "another_game", "play", "-", folder=tmp_path, text=text)

    assert (0, "") == (played.returncode, played.stderr)
    assert (1, True) == (unknown.returncode, "There is no game called “own_yaniv”." in unknown.stderr)
    assert (2, "No module named 'another_game'\n") == (missing.returncode, missing.stderr)
