"""Mutants of services: changed functions that no test notices.

    python -m tests.benchmarks.mutants games/tables/services/pens.py [--tests tests/tables tests/api] [--most 60]

Each mutant changes one thing in one function, in the running process: a comparison, `and`/`or`, `not`, a sign, a
Boolean argument, a call or `raise` left out, None returned. A first pass notes which lines each test runs. Then each
mutant is tried with the tests that run its line, those of its package and the quickest first, until one fails.

`mutants.txt` lists survivors that cannot matter, each with the reason. The command exits with 1 if there are others.
A survivor that is not listed needs a test, or shows code without effect. (`mutmut` does the same for `games/scoring`,
whose tests need no database; it starts them anew for each mutant, which for services would take a day.)
"""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest
from _pytest.runner import runtestprotocol

SITE = Path(__file__).parents[2]
LIST = Path(__file__).with_name("mutants.txt")
OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
}
PATIENCE = 60  # seconds for a test, after which a mutant that never ends counts as killed
MOST_TESTS = 150  # for a mutant; some lines are run by thousands


@dataclass(frozen=True)
class Mutant:
    """A change of one node in a module's source; `position` is the node's in `ast.walk`."""

    path: Path
    function: str
    line: int
    position: int
    change: str
    source: str

    def __str__(self) -> str:
        """Return its line in the list of survivors, which does not change when the code moves."""
        shown = " ".join(self.source.split())
        return f"{self.path.relative_to(SITE)} {self.function} {self.change}: {shown[:90]}"

    def compile(self, text: str) -> CodeType:
        tree = ast.parse(text)
        mutate(tree, list(ast.walk(tree))[self.position])
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


def describe_change(node: ast.AST) -> str:
    """Return what `mutate` does to this node; "" for nothing."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OPPOSITES:
            return "turned"
        case ast.BoolOp():
            return "and/or"
        case ast.UnaryOp(op=ast.Not()):
            return "without not"
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return "other sign"
        case ast.keyword(value=ast.Constant(value=bool())):
            return "other Boolean"
        case ast.Expr(value=ast.Call()) | ast.Raise():
            return "left out"
        case ast.Return(value=ast.Call()):
            return "returns None"
        case _:
            return ""


def mutate(tree: ast.Module, node: ast.AST) -> None:
    """Change this node of the tree in place."""
    match node:
        case ast.Compare(ops=[operator]):
            node.ops = [OPPOSITES[type(operator)]()]
        case ast.BoolOp(op=operator):
            node.op = ast.And() if isinstance(operator, ast.Or) else ast.Or()
        case ast.UnaryOp(operand=operand):
            node.op, node.operand = ast.UAdd(), ast.Call(ast.Name("bool", ast.Load()), [operand], [])
        case ast.BinOp(op=operator):
            node.op = ast.Add() if isinstance(operator, ast.Sub) else ast.Sub()
        case ast.keyword(value=ast.Constant() as constant):
            constant.value = not constant.value
        case ast.Return():
            node.value = ast.Constant(None)
        case ast.stmt():
            for parent in ast.walk(tree):
                for _name, value in ast.iter_fields(parent):
                    if isinstance(value, list) and node in value:
                        value[value.index(node)] = ast.copy_location(ast.Pass(), node)


def list_mutants(path: Path) -> Iterator[Mutant]:
    """Yield all mutants of the functions in this file."""
    tree = ast.parse(path.read_text())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for position, node in enumerate(ast.walk(tree)):
        if not (change := describe_change(node)):
            continue
        line = node.value.lineno if isinstance(node, ast.keyword) else node.lineno  # type: ignore[attr-defined]
        around = [one for one in functions if one.lineno < line <= (one.end_lineno or 0)]
        if around:
            innermost = max(around, key=lambda one: one.lineno)
            yield Mutant(path, innermost.name, line, position, change, ast.unparse(node))


# --- functions in place -----------------------------------------------------------------------------------------------

CodeKey = tuple[str, int]  # the qualified name of a function and its first line


def nested_codes(code: CodeType) -> dict[CodeKey, CodeType]:
    """Return all code objects inside this one. A function that is defined twice keeps the outer one."""
    codes: dict[CodeKey, CodeType] = {}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            codes = {**nested_codes(constant), **codes}
            codes.setdefault((constant.co_qualname, constant.co_firstlineno), constant)
    return codes


def module_functions(module: ModuleType) -> dict[CodeKey, FunctionType]:
    """Return the functions that are defined in this module, also methods, properties and decorated ones."""
    functions: dict[CodeKey, FunctionType] = {}
    visited: set[int] = set()

    def visit(value: object) -> None:
        if id(value) in visited:
            return
        visited.add(id(value))
        if isinstance(value, FunctionType):
            code = value.__code__
            if code.co_filename == module.__file__:
                functions[code.co_qualname, code.co_firstlineno] = value
            for cell in value.__closure__ or ():
                try:
                    visit(cell.cell_contents)
                except ValueError:  # a cell without contents yet
                    continue
        match value:
            case property():
                inner: tuple[object, ...] = (value.fget, value.fset)
            case functools.cached_property():
                inner = (value.func,)
            case classmethod() | staticmethod():
                inner = (value.__func__,)
            case type() if value.__module__ == module.__name__:
                inner = tuple(vars(value).values())
            case _:
                inner = (getattr(value, "__wrapped__", None),)
        for each in inner:
            visit(each)

    for value in list(vars(module).values()):
        visit(value)
    return functions


@contextmanager
def replaced_codes(module: ModuleType, changed: CodeType) -> Iterator[None]:
    """Give the module's functions the code that they have in this compilation of it."""
    functions, codes = module_functions(module), nested_codes(changed)
    originals = {key: function.__code__ for key, function in functions.items()}
    for key, function in functions.items():
        if key in codes and codes[key].co_freevars == function.__code__.co_freevars:
            function.__code__ = codes[key]
    try:
        yield
    finally:
        for key, function in functions.items():
            function.__code__ = originals[key]


NOTE = "__note__"  # the name of the function that each statement of a noted module calls first


def compile_noted(path: Path) -> CodeType:
    """Compile a file whose functions note the lines of each statement before they run it."""
    tree = ast.parse(path.read_text())
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in ast.walk(function):
            for _name, body in ast.iter_fields(node):
                if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                    body[:] = [each for one in body for each in (*note_calls(path, one), one)]
    return compile(ast.fix_missing_locations(tree), path, "exec")


def note_calls(path: Path, statement: ast.stmt) -> list[ast.stmt]:
    """Return a call of NOTE for each line of the statement, without those of the statements in it."""
    inner = [
        node.lineno for node in ast.walk(statement) if isinstance(node, ast.stmt) and node is not statement
    ]
    end = min(inner, default=(statement.end_lineno or statement.lineno) + 1)
    calls = [
        ast.parse(f"{NOTE}(({str(path)!r}, {line}))").body[0]
        for line in range(statement.lineno, max(end, statement.lineno + 1))
    ]
    return [ast.copy_location(call, statement) for call in calls]


# --- the run ----------------------------------------------------------------------------------------------------------


class TooSlow(BaseException):
    """A test takes longer than PATIENCE."""


@dataclass(eq=False)  # pytest needs plugins that can be hashed
class MutationRun:
    """A pytest plugin that runs the collected tests once, then again for each mutant."""

    paths: list[Path]
    most: int
    seed: int
    survivors: list[Mutant] = field(default_factory=list)
    made = 0
    failed_subtests = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed_subtests += report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session = session
        modules = {}
        for path in self.paths:
            name = ".".join(path.relative_to(SITE).with_suffix("").parts)
            modules[path] = importlib.import_module(name)
        signal.signal(signal.SIGALRM, self._stop_test)
        tests_by_line, seconds = self._note_lines(session.items, modules)
        for mutant in [mutant for path in self.paths for mutant in self._choose_mutants(path)]:
            concerned = tests_by_line.get((str(mutant.path), mutant.line), [])
            home = f"tests/{mutant.path.relative_to(SITE).parts[1]}/"
            concerned.sort(key=lambda item: (not item.nodeid.startswith(home), seconds[item.nodeid]))
            concerned = concerned[:MOST_TESTS]
            self.made += 1
            killer = self._find_killer(mutant, modules[mutant.path], concerned)
            shown = killer.nodeid.rpartition("/")[2] if killer else f"SURVIVES {len(concerned)} tests"
            print(
                f"{mutant.path.name}:{mutant.line} {mutant.change}: {mutant.source[:60]!r} – {shown}",
                flush=True,
            )
            if killer is None:
                self.survivors.append(mutant)
        return True

    def _choose_mutants(self, path: Path) -> list[Mutant]:
        mutants = list(list_mutants(path))
        random.Random(self.seed).shuffle(mutants)
        return mutants[: self.most]

    def _note_lines(
        self, items: list[pytest.Item], modules: dict[Path, ModuleType]
    ) -> tuple[dict[tuple[str, int], list[pytest.Item]], dict[str, float]]:
        """Run each test. Return the tests that run each line of the modules and pass, and the seconds of each test."""
        lines: set[tuple[str, int]] = set()
        tests_by_line: dict[tuple[str, int], list[pytest.Item]] = {}
        seconds = {}
        with ExitStack() as noted:
            for path, module in modules.items():
                vars(module)[NOTE] = lines.add
                noted.enter_context(replaced_codes(module, compile_noted(path)))
            for item in items:
                lines.clear()
                began = time.process_time()
                passes = self._passes(item)
                seconds[item.nodeid] = time.process_time() - began
                if not passes:
                    print(f"left out, since it fails: {item.nodeid}", flush=True)
                for line in lines if passes else ():
                    tests_by_line.setdefault(line, []).append(item)
        return tests_by_line, seconds

    def _find_killer(
        self, mutant: Mutant, module: ModuleType, tests: list[pytest.Item]
    ) -> pytest.Item | None:
        """Return the first of these tests that fails with the mutant."""
        with replaced_codes(module, mutant.compile(mutant.path.read_text())):
            return next((item for item in tests if not self._passes(item)), None)

    def _passes(self, item: pytest.Item) -> bool:
        """Return whether the test and all of its subtests pass. Fixtures of the session stay for the next one."""
        self.failed_subtests = 0
        signal.alarm(PATIENCE)
        try:
            reports = runtestprotocol(item, nextitem=_NextItem(self.session), log=False)  # type: ignore[arg-type]
        except TooSlow:
            return False
        finally:
            signal.alarm(0)
        return not self.failed_subtests and not any(report.failed for report in reports)

    def _stop_test(self, *_signal: object) -> None:
        raise TooSlow


@dataclass
class _NextItem:
    """A stand-in for the next test. Pytest asks it only what stays set up for it: the session."""

    session: pytest.Session

    def listchain(self) -> list[pytest.Session]:
        return [self.session]


def read_list() -> dict[str, str]:
    """Return the reasons why a survivor cannot matter, by the mutant's text."""
    reasons = {}
    text = ""
    for line in LIST.read_text().splitlines():
        if line.startswith("  "):
            reasons[text] = line.strip()
        elif line and not line.startswith("#"):
            text = line
    return reasons


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--tests", nargs="+", help="by default those of the package of each file")
    options.add_argument("--most", type=int, default=60, help="mutants of each file")
    options.add_argument("--seed", type=int, default=7)
    chosen = options.parse_args()
    paths = [path.resolve() for path in chosen.files]
    tests = chosen.tests or sorted({f"tests/{path.relative_to(SITE).parts[1]}" for path in paths})
    run = MutationRun(paths, chosen.most, chosen.seed)
    os.environ["PYTEST_ADDOPTS"] = ""
    pytest.main(["-n0", "-qq", "--tb=no", "--no-summary", *tests], plugins=[run])
    reasons = read_list()
    unexplained = [mutant for mutant in run.survivors if str(mutant) not in reasons]
    print(
        f"\n{run.made} mutants, {run.made - len(run.survivors)} killed; survivors that are not in {LIST.name}:"
    )
    for mutant in unexplained:
        print(f"{mutant}  (line {mutant.line})")
    raise SystemExit(bool(unexplained))


if __name__ == "__main__":
    main()
