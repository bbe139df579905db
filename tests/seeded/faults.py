"""Seeded faults: small edits that tests are expected to notice, kept as text in `faults/*.toml`."""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

BASE = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).with_name("faults")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Misplaced(Exception):
    """Raised when the old text of a fault is not in its function exactly once."""


@dataclass(frozen=True)
class Fault:
    """One edit: in the function `where` of the file `path`, the text `old` becomes `new`.

    `where` is a qualified name (`Laying.after_others`), or "" for a whole file. `tests` names the tests where traces
    cannot: of a script, of a style, and of a lock, which runs on PostgreSQL (`is_locking`), since SQLite lets one write
    at a time. `equivalent` says why no test can notice the fault, "" for all others.
    """

    name: str
    path: str
    old: str
    new: str
    where: str = ""
    tests: tuple[str, ...] = field(default=())
    is_locking: bool = False
    equivalent: str = ""
    kind: str = "by hand"

    @property
    def digest(self) -> str:
        """A digest of the edit: a stored result is valid while it is unchanged."""
        edit = "\0".join((self.path, self.where, self.old, self.new, *self.tests))
        return hashlib.sha256(edit.encode()).hexdigest()[:12]

    @property
    def wing(self) -> str:
        """The folder under `tests/` for the wing of the fault's file, "" if that has no wing."""
        wings = {"scoring", "people", "money", "play", "season", "notebook", "pocket", "api"}
        return next((part for part in Path(self.path).parts if part in wings), "")


def read_faults(folder: Path = FOLDER) -> list[Fault]:
    """Return all stored faults, file by file."""
    return [fault for path in sorted(folder.glob("*.toml")) for fault in _read_file(path)]


def _read_file(path: Path) -> Iterator[Fault]:
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    for entry in document["fault"]:
        tests = tuple(entry.pop("tests", ()))
        yield Fault(**entry, tests=tests, kind=document["kind"])


def applied(fault: Fault, source: str) -> str:
    """Return the file's text with the fault applied.

    Raise Misplaced unless the old text is in its function exactly once.
    """
    first, last = span(fault.where, source) if fault.where else (1, source.count("\n") + 1)
    lines = source.splitlines(keepends=True)
    before, inside, after = (
        "".join(part) for part in (lines[: first - 1], lines[first - 1 : last], lines[last:])
    )
    count = inside.count(fault.old)
    if count != 1:
        raise Misplaced(f"{fault.name}: {fault.path}:{fault.where or 'the file'} has its text {count} times")
    if fault.old == fault.new:
        raise Misplaced(f"{fault.name} changes nothing")
    return before + inside.replace(fault.old, fault.new) + after


def changed_lines(fault: Fault, source: str) -> set[int]:
    """Return the numbers of the lines that the fault changes, in the text without it."""
    lines, edited = source.splitlines(), applied(fault, source).splitlines()
    same_before = _common(lines, edited)
    rest, edited_rest = lines[same_before:], edited[same_before:]
    same_after = _common(rest[::-1], edited_rest[::-1])
    last = max(len(lines) - same_after, same_before + 1)
    return set(range(same_before + 1, last + 1))


def _common(lines: Sequence[str], others: Sequence[str]) -> int:
    """Return the number of lines that are the same at the beginning of both."""
    pairs = enumerate(zip(lines, others, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(lines), len(others)))


def span(where: str, source: str) -> tuple[int, int]:
    """Return the first and last line of a function or class, with its decorators.

    Raise Misplaced if there is none of this name.
    """
    for name, node in definitions(source):
        if name == where:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return first, node.end_lineno or first
    raise Misplaced(f"there is no {where}")


@cache
def definitions(source: str) -> list[tuple[str, Definition]]:
    """Return the qualified name and the node of every function and class of a module, outer ones first."""
    return list(_definitions(ast.parse(source).body, ""))


def _definitions(body: Iterable[ast.AST], prefix: str) -> Iterator[tuple[str, Definition]]:
    for node in body:
        if isinstance(node, Definition):
            yield prefix + node.name, node
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        else:
            yield from _definitions(ast.iter_child_nodes(node), prefix)
