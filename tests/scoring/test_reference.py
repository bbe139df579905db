"""The public surface of the library: each name of the three public modules is in engine/REFERENCE.md."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from pkgutil import iter_modules
from textwrap import dedent
from types import ModuleType
from typing import get_args

import pytest

import games.scoring as engine
from games.scoring import custom, entries
from games.scoring.text.notation import parse_line
from games.scoring.variants import shared

PAGES = Path(__file__).parents[2] / "engine"
EXAMPLES = PAGES.parent / "docs" / "examples"
AS_LIBRARY = {**os.environ, "PYTHONPATH": str(PAGES / "src"), "PYTHONUTF8": "1"}
REFERENCE = (PAGES / "REFERENCE.md").read_text(encoding="utf-8")
MODULES = {"anotador": engine, "anotador.entries": entries, "anotador.custom": custom}
ENTRIES = REFERENCE.partition("## `anotador.entries`")[2].partition("## `anotador.custom`")[0]
_ENTRY = re.compile(r"^- `([^`]+)`:(?: |\n  )(.+(?:\n  .+)*)", re.MULTILINE)


def public_names(module: ModuleType) -> Sequence[str]:
    names: Sequence[str] = module.__all__
    return names


PUBLIC = {name: getattr(module, name) for module in MODULES.values() for name in public_names(module)}
METHODS = {
    f"{owner.__name__}.{name}": getattr(owner, name)
    for owner in (engine.Game, engine.BoundRules)
    for name, value in vars(owner).items()
    if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, classmethod))
}


def entry_signature(name: str, value: object) -> str:
    """Return the signature of an entry, without quotes, `self`, and a constructor's return type."""
    if isinstance(value, type) and issubclass(value, Enum):
        return f"{name}: {', '.join(member.name for member in value)}"
    if not callable(value) or (isinstance(value, type) and issubclass(value, Exception)):
        return name
    signature = str(inspect.signature(value)).replace("(self, ", "(").replace("(self)", "()")
    signature = (
        re.sub(r"<(\w+\.\w+): '[^']*'>", r"\1", signature).replace("<factory>", "{}").replace("events.", "")
    )
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", re.sub(r"ForwardRef\('([^']*)'\)", r"\1", signature))
    return name + (signature.partition(" -> ")[0] if isinstance(value, type) else signature)


def parse_entries(text: str) -> dict[str, tuple[str, str]]:
    """Return the signature and the text of each entry by its name."""
    pairs = [
        (signature.replace("\n  ", " "), " ".join(description.split()))
        for signature, description in _ENTRY.findall(text)
    ]
    return {re.split(r"[(:]", signature)[0]: (signature, description) for signature, description in pairs}


@pytest.mark.parametrize("page", ["README.md", "REFERENCE.md"])
def test_the_examples_of_a_page_hold(page):
    program = (sys.executable, "-m", "doctest", PAGES / page)
    ran = subprocess.run(program, env=AS_LIBRARY, text=True, capture_output=True, check=False)

    assert (0, "", "") == (ran.returncode, ran.stdout, ran.stderr)


@pytest.mark.parametrize("program", ["gin.py", "rum_500.py"])
def test_a_worked_example_prints_what_it_says(program):
    command = (sys.executable, EXAMPLES / program)
    ran = subprocess.run(command, env=AS_LIBRARY, text=True, capture_output=True, check=False)

    text = (EXAMPLES / program).read_text(encoding="utf-8")
    promised = dedent(text.split('"""')[1].partition("prints:\n")[2])
    assert (0, "", promised) == (ran.returncode, ran.stderr, ran.stdout)


def test_every_public_name_has_its_entry_and_no_other():
    assert 110 < len(PUBLIC)
    assert {*PUBLIC, *METHODS} == set(parse_entries(REFERENCE))


def test_an_entry_says_what_the_code_says():
    """The text is the docstring, perhaps followed by an object's attributes. Aliases and constants have none."""
    reference = parse_entries(REFERENCE)
    for name, value in {**PUBLIC, **METHODS}.items():
        signature, description = reference[name]
        assert entry_signature(name, value) == signature
        if isinstance(value, type) or inspect.isroutine(value):
            docstring, has = (
                " ".join(str(inspect.getdoc(value)).split()),
                description.partition(" It has ")[2],
            )
            assert (name, docstring) == (name, description.removesuffix(f" It has {has}"))
            assert [] == [part for part in re.findall(r"`(\w+)`", has) if not _has(value, part)]


def test_what_is_shared_is_listed_with_its_key_its_default_and_what_it_allows():
    [option_rows, readers] = re.findall(r"\| (?:`shared`|reader) \|.*\n((?:\|.*\n)+)", REFERENCE)
    for name in re.findall(r"`([A-Z_]+)`", option_rows):
        option = getattr(shared, name)
        if isinstance(option, custom.Option) and isinstance(option.default, int | str):
            assert (name, True) == (name, f"`{option.key}`: {option.default}" in option_rows)
    for signature in re.findall(r"`(\w+\([^`]*\))`", option_rows + readers):
        name, *parameters = re.findall(r"\w+", re.sub(r": [^,)]+", "", signature))
        assert (name, [*inspect.signature(getattr(shared, name)).parameters]) == (name, parameters)


def test_a_statement_stands_beside_its_builder():
    rows = re.findall(r"^\| `([^`]+)` \| `(\w+\(.*\))` \|$", ENTRIES, re.MULTILINE)
    built = {text: (eval(builder, {**vars(entries), "Stop": engine.Stop}),) for text, builder in rows}

    assert {text: parse_line(text) for text in built} == built
    kinds = {type(event) for (event,) in built.values()}
    assert {*get_args(engine.Event)} == kinds | {engine.GameStarted, engine.NightImported}
    assert set(public_names(entries)) - {"HandGiven"} == set(
        re.findall(r"(\w+)\(", " ".join(dict(rows).values()))
    )


def _has(value: Callable[..., object], part: str) -> bool:
    """Return whether objects of the class have this attribute; errors set theirs in their constructors."""
    return hasattr(value, part) or part in inspect.signature(value).parameters


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_used_in_an_example_of_its_module(module):
    [part] = re.findall(rf"^## `{re.escape(module)}`$(.*?)(?=^## |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
    code = "\n".join(re.findall(r"^(?:>>>|\.\.\.) (.*)", part, re.MULTILINE))

    names = set(public_names(MODULES[module]))
    if module == "anotador":
        names = names - set(public_names(custom)) | {name[name.index(".") :] for name in METHODS}
    assert [] == [name for name in sorted(names) if not re.search(rf"{re.escape(name)}\b", code)]


@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
def test_dir_has_the_public_names_and_no_private_module(module):
    names = {name for name in dir(module) if not name.startswith("__")}

    assert {*public_names(module)} == names - {"custom", "entries"}


def test_no_module_has_the_name_of_something_public():
    assert set() == {module.name for module in iter_modules(engine.__path__)} & set(public_names(engine))


def test_the_pages_import_public_names_alone():
    text = (PAGES / "README.md").read_text(encoding="utf-8") + REFERENCE
    imported = re.findall(r"^>>> from (anotador\S*) import (.+)$", text, re.MULTILINE)

    assert imported
    for module, names in imported:
        modules = {"entries", "custom"} if module == "anotador" else set()
        assert set(names.split(", ")) <= {*public_names(MODULES[module]), *modules}
