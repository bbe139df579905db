"""A state is immutable, also inside: it can be hashed, copied and printed on one line."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from games.scoring.frozen import FrozenDict
from games.scoring.options import Numbers
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.script import play_script, read_script
from games.scoring.variants import VARIANTS
from games.scoring.words import Text

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.game"))
LINE = 110

CHANGES: dict[str, Callable[[Any], object]] = {
    "item": lambda points: points.__setitem__("ana", 0),
    "deletion": lambda points: points.__delitem__("ana"),
    "update": lambda points: points.update(ana=0),
    "union": lambda points: points.__ior__({"ana": 0}),
    "default": lambda points: points.setdefault("zoe", 0),
    "pop": lambda points: points.pop("ana"),
    "popitem": lambda points: points.popitem(),
    "clear": lambda points: points.clear(),
}


def played(path: Path) -> GameState:
    """Return the state after a golden game."""
    state = play_script(read_script(path.read_text(encoding="utf-8"))).state
    assert state is not None
    return state


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


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_the_points_of_a_round_cannot_be_changed(change):
    state = played(GOLDEN[0])
    before = dict(state.rounds[0].points)

    with pytest.raises(TypeError, match="cannot be changed"):
        change(state.rounds[0].points)
    assert before == state.rounds[0].points


def test_a_field_of_a_state_cannot_be_set():
    state: Any = played(GOLDEN[0])

    with pytest.raises(FrozenInstanceError):
        state.rounds = ()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_mapping_inside_a_state_is_frozen(path):
    state = played(path)

    assert set() == {type(mapping) for mapping in mappings_in(state)} - {FrozenDict}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_equal_states_have_equal_hashes_and_copies_are_equal(path):
    log = play_script(read_script(path.read_text(encoding="utf-8"))).log
    state, again = replay(log), replay(log)
    copies = (copy.deepcopy(state.rounds), pickle.loads(pickle.dumps(state.rounds)))

    assert {state} == {again}
    assert {state.rounds, state.steps, state.rules} == {again.rounds, again.steps, again.rules}
    assert (state.rounds, state.rounds) == copies


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_state_and_its_parts_print_on_one_line(path):
    state = played(path)
    printed = [repr(part) for part in (state, state.variant, state.rules, *state.rounds, *state.steps)]

    assert [] == [text for text in printed if len(text) > LINE or "\n" in text]
    assert repr(state).startswith(f"<GameState {state.variant.key}: {len(state.players)} players, ")


@pytest.mark.parametrize(("points", "course"), [(50, "playing"), (101, "over, last_in")])
def test_the_repr_of_a_state_says_whether_the_game_is_over(points, course):
    script = f"game loba_menos reentries=0\nplayers ana beto\nround ana out beto={points}\n"
    state = play_script(read_script(script)).state
    assert state is not None

    assert f"<GameState loba_menos: 2 players, 1 rounds, {course}>" == repr(state)
    assert "<RoundResult 2: out by ana>" == repr(state.rounds[0])


def test_a_dict_given_to_an_option_is_copied_and_frozen():
    words = {"any": Text("any number")}
    option = Numbers(1, 5, words)
    words["none"] = Text("none")

    assert ["any"] == list(option.words)
    assert FrozenDict is type(option.words)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_mapping_inside_a_variant_is_frozen(variant):
    assert set() == {type(mapping) for mapping in mappings_in(variant)} - {FrozenDict}
