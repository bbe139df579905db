"""States and variants cannot be changed: their fields are final, and every mapping inside them is frozen."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass, make_dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import games.scoring as engine
from games.scoring.frozen import Frozen, FrozenDict
from games.scoring.option_values import Money, Numbers
from games.scoring.reentry_terms import Flat, Linear
from games.scoring.replay import replay
from games.scoring.variants import VARIANTS
from tests.scoring.example_files import GOLDEN, read_log, read_state

SAMPLE = GOLDEN[::12]
LINE = 110
OVER = "game loba_menos reentries=0\nplayers ana beto\nround ana out beto=101\n"
CHANGES: dict[str, tuple[object, ...]] = {
    "__setitem__": ("ana", 0),
    "__delitem__": ("ana",),
    "__ior__": ({"ana": 0},),
    "update": ({"ana": 0},),
    "setdefault": ("zoe", 0),
    "pop": ("ana",),
    "popitem": (),
    "clear": (),
}


def mappings_in(value: object) -> Iterator[Mapping[Any, Any]]:
    """Yield every mapping inside a dataclass, however deep."""
    if isinstance(value, Mapping):
        yield value
        for content in value.values():
            yield from mappings_in(content)
    elif isinstance(value, tuple):
        for content in value:
            yield from mappings_in(content)
    elif is_dataclass(value):
        for field in fields(value):
            yield from mappings_in(getattr(value, field.name))


@pytest.mark.parametrize("method", CHANGES)
def test_a_state_and_the_points_of_a_round_cannot_be_changed(method):
    state: Any = read_state(OVER)
    with pytest.raises(TypeError, match="cannot be changed"):
        getattr(state.rounds[0].points, method)(*CHANGES[method])
    with pytest.raises(FrozenInstanceError):
        state.rounds = ()
    assert {"ana": 0, "beto": 101} == state.rounds[0].points


def test_every_mapping_inside_a_state_or_a_variant_is_frozen():
    states = [read_state(path.read_text(encoding="utf-8")) for path in SAMPLE]
    assert {FrozenDict} == {type(mapping) for mapping in mappings_in((*states, *VARIANTS.values()))}


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_equal_states_have_equal_hashes_and_copies_and_print_on_one_line(path):
    log = read_log(path.read_text(encoding="utf-8"))
    state, again = replay(log), replay(log)
    copies = (copy.deepcopy(state.rounds), pickle.loads(pickle.dumps(state.rounds)))
    printed = [repr(part) for part in (state, state.variant, state.rules, *state.rounds, *state.steps)]
    assert {state, state.rounds, state.steps, state.rules} == {again, again.rounds, again.steps, again.rules}
    assert (state.rounds, state.rounds) == copies
    assert [] == [text for text in printed if len(text) > LINE or "\n" in text]


# --- shared methods -----------------------------------------------------------------------------------------


def frozen_classes() -> list[type[Any]]:
    """Return every frozen dataclass of the engine."""
    for module in walk_packages(engine.__path__, f"{engine.__name__}."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    subclasses, found = [Frozen], []
    while subclasses:
        found += (more := subclasses.pop().__subclasses__())
        subclasses += more
    return found


def test_a_frozen_dataclass_shares_its_methods_and_equals_as_one_that_has_its_own():
    """Each class is made again with the methods that `dataclass` would compile."""
    classes = [cls for cls in frozen_classes() if "__slots__" not in vars(cls)]
    assert 80 < len(classes)
    for cls in classes:
        names = [field.name for field in fields(cls)]
        compiled = make_dataclass(cls.__qualname__, names, frozen=True)
        values = [object() for _name in names]
        ours, theirs = (fill(kind, names, values) for kind in (cls, compiled))
        assert ours == fill(cls, names, values)
        assert "__hash__" in vars(cls) or hash(ours) == hash(fill(cls, names, values))
        assert ours != theirs
        if "__repr__" not in vars(cls):
            assert repr(theirs) == repr(ours)
        for place in range(len(names)):
            other = fill(cls, names, [*values[:place], object(), *values[place + 1 :]])
            assert (cls, names[place], True) == (cls, names[place], ours != other)


def fill(cls: type[Any], names: list[str], values: list[object]) -> Any:
    """Return an object of the class with these values, without its constructor, which would check them."""
    made = object.__new__(cls)
    for name, value in zip(names, values, strict=True):
        made.__dict__[name] = value
    return made


def test_an_object_does_not_equal_one_of_a_class_below_or_beside_its_own():
    assert Numbers(0, 5) != Money(0, 5)
    assert Linear(5) != Flat(5)
    assert Flat(5) == Flat(5) != Flat(6)
    assert {Flat(5): "a"} == {Flat(5): "a"}


def test_importing_the_library_imports_neither_solvers_nor_text_forms():
    program = "import sys, games.scoring; print(*(name for name in sys.modules if name.startswith('games.scoring.')))"
    printed = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True, check=True)
    parts = {name.split(".")[2] for name in printed.stdout.split()}

    assert {"variants", "replay"} <= parts
    assert set() == {"solvers", "text", "leftover_points", "meld_points", "held_points", "going_down"} & parts


def test_a_name_that_is_not_public_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Leftovers'"):
        getattr(engine, "Leftovers")  # noqa: B009
