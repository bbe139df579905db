"""A game as part of a link: it is parsed unchanged, and anything else is refused."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given

from games.scoring.effort import counting_steps
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.replay import replay
from games.scoring.text.link import LARGEST, LONGEST, read_link, with_points, write_link
from games.scoring.text.notation import read_line
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_game
from tests.examples import examples
from tests.golden_games import each_golden_game, read_golden
from tests.scoring.strategies import games, games_with_corrections

Log = tuple[Event, ...]
few = examples(60)

CUT = "This link is incomplete. Copy the whole link as you received it."
CHANGED = "This link was changed. Ask for it again."
TOO_LARGE = "This link is too large to be a game."
HEAD = 'game loba_menos stake=100\nplayers ana="Ana" beto="Beto" caro="Caro" dani="Dani"\n'


def a_log(rounds: int = 3) -> Log:
    lines = ["round caro out ana=1 beto=2 dani=0", "round ana out beto=0 caro=1 dani=2"] * rounds
    return play_script(read_script(HEAD + "\n".join(lines[:rounds]))).log


def deflate(data: bytes) -> bytes:
    return zlib.compress(data, 9, wbits=-15)


def packed(data: bytes) -> str:
    return "1" + urlsafe_b64encode(data).decode().rstrip("=")


def refusal_of(part: str) -> str:
    with pytest.raises(ScoringError) as refused:
        read_link(part)
    return str(refused.value)


@few
@given(games)
def test_a_game_survives_a_round_trip_through_a_link(log: Log):
    assert (log, replay(log)) == read_link(write_link(log))


@few
@given(games_with_corrections)
def test_corrections_survive_a_round_trip_through_a_link(log: Log):
    assert (log, replay(log)) == read_link(write_link(log))


@each_golden_game(sampled=4)
def test_golden_games_survive_a_round_trip_through_a_link(path):
    log = play_script(read_golden(path)).log

    assert write_game(log) == write_game(read_link(write_link(log))[0])


@few
@given(games_with_corrections)
def test_a_game_reduced_to_points_has_the_same_totals(log: Log):
    short = with_points(log)

    if short is not None:
        assert [each.total for each in replay(log).players] == [each.total for each in replay(short).players]


def test_the_link_of_forty_rounds_of_points_has_fewer_than_700_characters():
    assert 700 > len(write_link(a_log(40)))


def test_a_truncated_link_is_refused():
    part = write_link(a_log())

    assert {CUT, CHANGED} >= {refusal_of(part[:length]) for length in range(len(part))}


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ("", CUT),
        ("x", CUT),
        ("1ñandú", CUT),
        ("1" + "A" * LONGEST, TOO_LARGE),
        ("2abc", "This link is from a newer version of Anotador."),
        (packed(deflate(b"\xff\xfe")), CUT),
        (packed(deflate(b"hello")), CHANGED),
        (packed(deflate(b"a" * 10 * LARGEST)), TOO_LARGE),
    ],
)
def test_an_invalid_link_is_refused_with_a_reason(part: str, sentence: str):
    assert sentence == refusal_of(part)


def test_only_the_canonical_link_of_a_game_is_accepted():
    log = a_log()
    part, text = write_link(log), f"{write_game(log)}expect totals ana=2 beto=4 caro=1 dani=2\n".encode()
    aliases = {
        "something behind the end": packed(deflate(text) + b"\0\0\0"),
        "blanks": packed(deflate(text.replace(b" ana=2", b"  ana=2"))),
        "a comment": packed(deflate(b"# hello\n" + text)),
        "padding": f"{part}=",
        "signs that base64 passes over": f"{part[:9]}\n{part[9:]}",
        "other totals": packed(deflate(text.replace(b"totals ana=2", b"totals ana=3"))),
    }

    assert replay(log) == read_link(packed(deflate(text)))[1]
    assert dict.fromkeys(aliases, CHANGED) == {name: refusal_of(alias) for name, alias in aliases.items()}


def test_reading_a_link_has_a_step_budget():
    part = write_link((*a_log(), *read_line("round beto out ana=9 caro=9 dani=9")))

    with pytest.raises(ScoringError), counting_steps(400):
        read_link(part)
