"""Random faults: small edits of the syntax tree, spread evenly over the packages."""

from __future__ import annotations

import ast
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.seeded.faults import BASE, Definition, Fault, definitions

PACKAGES = ("games", "scorekeeper")
NOT_DRAWN = ("migrations", "locale")
MOST_LINES_OF_CONTEXT = 6
SWAPPED_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
OPERATORS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
SIGNS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.FloorDiv: ("//", "%"), ast.Mult: ("*", "+")}


class Source:
    """The text of a file, whose parts are found by line and byte, as the syntax tree gives them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.bytes = self.text.encode()
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def start(self, node: ast.AST) -> int:
        return int(self.starts[node.lineno - 1] + node.col_offset)  # type: ignore[attr-defined]

    def end(self, node: ast.AST) -> int:
        return int(self.starts[node.end_lineno - 1] + node.end_col_offset)  # type: ignore[attr-defined]

    def of(self, node: ast.AST) -> str:
        """Return the source text of a node."""
        return self.between(self.start(node), self.end(node))

    def between(self, start: int, end: int) -> str:
        return self.bytes[start:end].decode()


@dataclass(frozen=True)
class Edit:
    """A text that replaces some bytes of a file."""

    kind: str
    start: int
    end: int
    text: str


Mutator = Callable[[Source, ast.AST], Iterator[Edit]]


def _replaced(kind: str, source: Source, node: ast.AST, text: str) -> Edit:
    return Edit(kind, source.start(node), source.end(node), text)


def comparison(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that change a comparison, such as `<=` for `<`."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        old, new = OPERATORS[type(node.ops[0])]
        start, end = source.end(node.left), source.start(node.comparators[0])
        yield Edit("comparison", start, end, source.between(start, end).replace(old, new, 1))


def dropped_condition(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that remove an operand of `and` or `or`, or the filter of a comprehension."""
    if isinstance(node, ast.BoolOp):
        word = " and " if isinstance(node.op, ast.And) else " or "
        texts = [f"({source.of(value)})" for value in node.values]
        for place in range(len(texts)):
            yield _replaced("dropped condition", source, node, word.join(texts[:place] + texts[place + 1 :]))
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield _replaced("dropped condition", source, test, "True")


def negation(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that remove a `not`, or negate a condition."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _replaced("negation", source, node, f"({source.of(node.operand)})")
    elif isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.UnaryOp):
        yield _replaced("negation", source, node.test, f"not ({source.of(node.test)})")


def off_by_one(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that make a whole number one more."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield _replaced("off by one", source, node, str(node.value + 1))


def truth(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that exchange True and False."""
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield _replaced("truth", source, node, str(not node.value))


def arithmetic(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that change an arithmetic sign, such as `-` for `+`, except between texts or lists."""
    joined = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)
    if isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        operands = (node.left, node.right)
        texts = any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in operands)
        if not texts and not any(isinstance(one, joined) for one in operands):
            old, new = SIGNS[type(node.op)]
            start, end = source.end(node.left), source.start(node.right)
            yield Edit("arithmetic", start, end, source.between(start, end).replace(old, new, 1))


def swapped(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that swap `max` and `min`, `all` and `any`, two arguments, or two branches."""
    if isinstance(node, ast.Name) and node.id in SWAPPED_NAMES:
        yield _replaced("swapped", source, node, SWAPPED_NAMES[node.id])
    pair: tuple[ast.AST, ast.AST] | None = None
    if isinstance(node, ast.Call) and len(node.args) > 1 and not isinstance(node.args[0], ast.Starred):
        pair = node.args[0], node.args[1]
    elif isinstance(node, ast.IfExp):
        pair = node.body, node.orelse
    if pair and not isinstance(pair[1], ast.Starred):
        first, second = sorted(pair, key=source.start)
        between = source.between(source.end(first), source.start(second))
        yield Edit(
            "swapped", source.start(first), source.end(second), source.of(second) + between + source.of(first)
        )


def dropped_step(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that put `pass` for a step: a call without use of its value, a `raise`, an assignment.

    Only assignments to attributes are replaced.
    """
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    is_stored = isinstance(node, ast.Assign | ast.AugAssign) and isinstance(
        node.targets[0] if isinstance(node, ast.Assign) else node.target, ast.Attribute | ast.Subscript
    )
    if is_call or is_stored or (isinstance(node, ast.Raise) and node.exc):
        yield _replaced("dropped step", source, node, "pass")


def dropped_argument(source: Source, node: ast.AST) -> Iterator[Edit]:
    """Yield the edits that remove a named argument of a query or a call."""
    if isinstance(node, ast.Call) and len(node.keywords) > 1:
        for before, keyword in zip(node.keywords, node.keywords[1:], strict=False):
            yield Edit("dropped argument", source.end(before), source.end(keyword), "")


MUTATORS: tuple[Mutator, ...] = (
    comparison,
    dropped_condition,
    negation,
    off_by_one,
    truth,
    arithmetic,
    swapped,
    dropped_step,
    dropped_argument,
)


def draw(seed: int, count: int, base: Path = BASE) -> list[Fault]:
    """Return this many faults: the packages in turn, in each a random kind of edit at a random place."""
    chance = random.Random(seed)
    packages = [list(_sites(files).items()) for files in _packages(base)]
    packages = [package for package in packages if package]
    faults: list[Fault] = []
    used: set[tuple[str, str]] = set()
    while len(faults) < count:
        chance.shuffle(packages)
        for package in packages[: count - len(faults)]:
            _kind, sites = chance.choice(package)
            source, where, node, edit = chance.choice(sites)
            path = source.path.relative_to(base).as_posix()
            fault = _as_text(f"{seed}-{len(faults) + 1:03} {edit.kind}", path, where, source, node, edit)
            if fault and (path, where) not in used:
                used.add((path, where))
                faults.append(fault)
    return faults


Site = tuple[Source, str, Definition, Edit]


def _packages(base: Path) -> list[list[Path]]:
    """Return the files of each package from which faults are drawn."""
    packages = defaultdict(list)
    for name in PACKAGES:
        for path in sorted((base / name).rglob("*.py")):
            if not set(NOT_DRAWN) & set(path.parts):
                packages[path.parent].append(path)
    return list(packages.values())


def _sites(files: Iterable[Path]) -> dict[str, list[Site]]:
    """Return every possible edit of these files, by its kind."""
    sites: dict[str, list[Site]] = defaultdict(list)
    for path in files:
        source = Source(path)
        for where, function in definitions(source.text):
            if not isinstance(function, ast.ClassDef):
                for node in _nodes(function.body):
                    for mutator in MUTATORS:
                        for edit in mutator(source, node):
                            sites[edit.kind].append((source, where, function, edit))
    return sites


def _nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes that a function executes, without nested definitions, messages and assertions."""
    for node in body:
        is_message = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"_", "gettext"}
        )
        if not isinstance(node, Definition | ast.Assert) and not is_message:
            yield node
            yield from _nodes(ast.iter_child_nodes(node))


def _as_text(
    name: str, path: str, where: str, source: Source, function: Definition, edit: Edit
) -> Fault | None:
    """Return the edit as a fault; None if it changes no syntax.

    The old text of the fault is extended until it is in the function exactly once.
    """
    mutated = source.between(0, edit.start) + edit.text + source.between(edit.end, len(source.bytes))
    try:
        if ast.dump(ast.parse(mutated)) == ast.dump(ast.parse(source.text)):
            return None
    except SyntaxError:
        return None
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    inside = source.between(source.starts[first - 1], source.starts[function.end_lineno or first])
    for start, end in _widening(source, edit):
        old = source.between(start, end)
        if inside.count(old) == 1:
            new = source.between(start, edit.start) + edit.text + source.between(edit.end, end)
            return Fault(name, path, old, new, where, kind="drawn")
    return None


def _widening(source: Source, edit: Edit) -> Iterator[tuple[int, int]]:
    """Yield the bytes of an edit's whole lines as (start, end), then those with more lines before them."""
    first = max(place for place, start in enumerate(source.starts) if start <= edit.start)
    last = max(place for place, start in enumerate(source.starts) if start < max(edit.end, edit.start + 1))
    for more in range(MOST_LINES_OF_CONTEXT):
        if more <= first:
            start = source.starts[first - more]
            indent = len(source.bytes[start:]) - len(source.bytes[start:].lstrip(b" "))
            yield start + indent, source.starts[last + 1] - 1


def written(faults: Iterable[Fault], comment: str) -> str:
    """Return drawn faults as the text of a file of faults, with this comment."""
    blocks = [f'# {comment}\n\nkind = "drawn"\n']
    for fault in faults:
        fields = {
            "name": fault.name,
            "path": fault.path,
            "where": fault.where,
            "old": fault.old,
            "new": fault.new,
        }
        lines = [f"{key} = {_quoted(value)}" for key, value in fields.items()]
        blocks.append("[[fault]]\n" + "\n".join(lines) + "\n")
    return "\n".join(blocks)


def _quoted(text: str) -> str:
    """Return a text as a TOML string, in the most readable form that is possible."""
    if "'" not in text and "\n" not in text:
        return f"'{text}'"
    if "'''" not in text and not text.endswith("'"):
        return f"'''\n{text}'''"
    return json.dumps(text, ensure_ascii=False)
