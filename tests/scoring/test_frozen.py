"""States and variants cannot be changed: their fields are final, and every mapping inside them is frozen."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest

from games.scoring.frozen import FrozenDict
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
