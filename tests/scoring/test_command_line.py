"""The command line as NOTATION describes it: exit codes, output, errors, and never a traceback."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from games.scoring.__main__ import main
from tests.scoring.written import GOLDEN, examples

ROOT = Path(__file__).parents[2]
HEAD = "game loba_menos\nplayers ana beto caro\n"


@dataclass(frozen=True)
class Ran:
    """The result of one command: its exit code, output and errors."""

    code: int
    out: str
    err: str


def run(*arguments: str) -> Ran:
    """Run one command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as stopped:
            code = int(str(stopped.code))
    return Ran(code, out.getvalue(), err.getvalue())


def play(folder: Path, text: str | bytes, *options: str) -> Ran:
    """Write this text into a file, play it, and return the result."""
    path = folder / "a.game"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = run("play", str(path), *options)
    return Ran(ran.code, ran.out, ran.err.replace(str(path), "a.game"))


# --- play -------------------------------------------------------------------------------------------------------------


def test_a_valid_game_exits_with_0_without_errors(tmp_path):
    ran = play(tmp_path, HEAD + "round ana out beto=5 caro=6\nexpect totals beto=5\n")
    assert (0, "") == (ran.code, ran.err)
    assert "beto" in ran.out


@pytest.mark.parametrize("refused", examples("refused.txt"))
def test_a_refused_file_exits_with_its_code_and_names_its_line(tmp_path, refused):
    """With 1 if a statement is refused or not as expected, with 2 if a line is unreadable: then nothing is played."""
    head, text = refused.split("\n", 1)
    ran = play(tmp_path, text)
    assert head == f"exits with {ran.code}: {ran.err.splitlines()[0]}"
    assert ran.out == "" or ran.code == 1


def test_an_empty_file_and_a_control_character_are_unreadable(tmp_path):
    assert [2, 2] == [play(tmp_path, text).code for text in ("", HEAD + "leave ana\x00\n")]


def test_a_missing_file_and_a_folder_exit_with_2(tmp_path):
    assert [2, 2] == [run("play", str(path)).code for path in (tmp_path / "nowhere.game", tmp_path)]


def test_every_failed_expectation_is_reported_and_a_refused_statement_ends_the_game(tmp_path):
    ran = play(tmp_path, HEAD + "expect pot 1\nexpect pot 2\nleave zoe\nexpect pot 3\n")
    assert [3, 4, 5] == [int(row.split(":")[1]) for row in ran.err.splitlines()]


def test_a_difference_from_agreed_totals_is_printed_and_exits_with_0(tmp_path):
    ran = play(tmp_path, HEAD + "round ana out beto=5 caro=6\nagree beto=8\n")
    assert (0, True) == (ran.code, "beto: 8 was agreed, 5 is counted here." in ran.out)


def test_several_files_exit_with_the_highest_code(tmp_path):
    texts = {"good": HEAD, "bad": HEAD + "expect doubt\n", "ugly": "?"}
    paths = {}
    for name, text in texts.items():
        paths[name] = tmp_path / f"{name}.game"
        paths[name].write_text(text)
    good, bad, ugly = (str(paths[name]) for name in texts)
    assert [0, 1, 2, 2] == [
        run("play", good, good).code,
        run("play", good, bad).code,
        run("play", ugly, bad).code,
        run("play", bad, ugly, good).code,
    ]


def test_the_sheet_shows_rounds_money_and_payments(tmp_path):
    ran = play(tmp_path, HEAD + "round ana out beto=101 caro=20\nstay_out beto\nround ana out caro=81\n")
    expected = """\
         ana    beto    caro
   2       0     101      20   ana out (beto has more than 90, the highest possible hand.)
   3       ·       ·       ·   stay_out beto
   4       0       ·      81   ana out
           0     101     101

Over (last_in); won by ana.
Pot 0; ana +20, beto -10, caro -10
beto pays ana 10
caro pays ana 10
"""
    assert expected == ran.out.removesuffix("\n")


def test_a_new_player_with_a_reused_id_has_a_column_of_their_own(tmp_path):
    text = HEAD.replace("menos", "menos late_entry=on") + (
        "round ana out beto=5 caro=6\nreplace beto by eva\njoin beto after=ana\nround ana out beto=1 eva=2 caro=3\n"
    )
    rows = [row.split()[:5] for row in play(tmp_path, text).out.splitlines()]
    assert [
        ["ana", "beto", "eva", "caro"],
        ["2", "0", "·", "5", "6"],
        ["5", "0", "1", "2", "3"],
    ] == [rows[0], rows[1], rows[4]]


def test_a_player_who_comes_back_has_one_column_for_both_stays(tmp_path):
    text = HEAD.replace("menos", "menos late_entry=on") + (
        "round ana out beto=5 caro=9\nleave beto\nround ana out caro=1\njoin beto after=caro\nround ana out beto=2 caro=3\n"
    )
    rows = [row.split()[:4] for row in play(tmp_path, text).out.splitlines()]
    assert (
        [
            ["ana", "caro", "beto"],
            ["2", "0", "9", "5"],
            ["4", "0", "1", "·"],
            ["5", "·", "·", "5"],  # from 5 to the highest total, 10
            ["6", "0", "3", "2"],
            ["0", "13", "12", ""],
        ]
        == [rows[0][:3], rows[1], rows[3], rows[4], rows[5], [*rows[6][:3], ""]]
    )


def test_the_column_of_a_handed_over_seat_keeps_its_earlier_points(tmp_path):
    ran = play(tmp_path, HEAD + 'round ana out beto=5 caro=6\nreplace beto by eva="Eva"\n')
    assert ["2", "0", "5", "6"] == ran.out.splitlines()[1].split()[:4]


# --- play --json ------------------------------------------------------------------------------------------------------


def test_the_json_of_a_game_has_the_documented_keys_and_values(tmp_path):
    text = """\
game loba_menos stake=100 reentry_price=linear reentries=unlimited
players ana beto caro="Carolina" dani
round caro out ana=23 beto=47 dani=12
round ana in_one_go beto=[K K 10 8] caro=21 dani=9
round dani out ana=8 beto=29 caro=16
"""
    ran = play(tmp_path, text, "--json")
    expected = {
        "variant": "loba_menos",
        "over": None,
        "winners": [],
        "pot": 400,
        "dealer": "dani",
        "contract": None,
        "players": [
            {"id": "ana", "name": "ana", "total": 21, "seat": "in", "reentries": 0, "net": -100},
            {"id": "beto", "name": "beto", "total": 114, "seat": "pending", "reentries": 0, "net": -100},
            {"id": "caro", "name": "Carolina", "total": 37, "seat": "in", "reentries": 0, "net": -100},
            {"id": "dani", "name": "dani", "total": 21, "seat": "in", "reentries": 0, "net": -100},
        ],
        "rounds": [
            {
                "number": 2,
                "closer": "caro",
                "closing": "out",
                "points": {"ana": 23, "beto": 47, "caro": 0, "dani": 12},
            },
            {
                "number": 3,
                "closer": "ana",
                "closing": "in_one_go",
                "points": {"ana": -10, "beto": 38, "caro": 21, "dani": 9},
            },
            {
                "number": 4,
                "closer": "dani",
                "closing": "out",
                "points": {"ana": 8, "beto": 29, "caro": 16, "dani": 0},
            },
        ],
        "pending": [{"id": "beto", "total": 37, "fee": 100}],
        "transfers": [],
    }
    assert (expected, list(expected), 1) == (
        json.loads(ran.out),
        list(json.loads(ran.out)),
        len(ran.out.splitlines()),
    )


def test_json_of_a_finished_game_has_winners_and_transfers_and_no_dealer(tmp_path):
    text = "game loba_menos stock_end=end_round\nplayers ana beto\nround nobody stock_out ana=101 beto=105\n"
    summary = json.loads(play(tmp_path, text, "--json").out)
    assert {
        "over": "everybody_bust",
        "winners": ["ana"],
        "pot": 0,
        "dealer": None,
        "contract": None,
        "pending": [],
        "transfers": [{"from": "beto", "to": "ana", "amount": 10}],
    } == {
        key: summary[key] for key in ("over", "winners", "pot", "dealer", "contract", "pending", "transfers")
    }
    assert [None, "stock_out"] == [summary["rounds"][0][key] for key in ("closer", "closing")]


def test_json_has_the_points_after_a_floor_and_the_rounds_in_playing_order(tmp_path):
    text = HEAD.replace("menos", "menos floor=0") + (
        "round ana out beto=4 caro=5\nround beto in_one_go ana=1 caro=1\nbefore 3 round caro out ana=2 beto=3\n"
    )
    rounds = json.loads(play(tmp_path, text, "--json").out)["rounds"]
    assert [
        (2, {"ana": 0, "beto": 4, "caro": 5}),
        (4, {"ana": 2, "beto": 3, "caro": 0}),
        (3, {"ana": 1, "beto": -7, "caro": 1}),
    ] == [(played["number"], played["points"]) for played in rounds]


def test_json_of_a_contract_game_has_the_next_contract(tmp_path):
    head = "game carioca_ar settlement=pairs\nplayers ana beto\n"
    summary = json.loads(play(tmp_path, head + "round ana out beto=5\n", "--json").out)
    assert ("1E1T", "beto", 0, None) == tuple(summary[key] for key in ("contract", "dealer", "pot", "over"))
    summary = json.loads(play(tmp_path, head + "round ana out beto=5\nstop lowest_wins\n", "--json").out)
    assert (None, None, ["ana"]) == tuple(summary[key] for key in ("contract", "dealer", "winners"))
    assert [{"from": "beto", "to": "ana", "amount": 5}] == summary["transfers"]


# --- hand, contract and rules -----------------------------------------------------------------------------------------

COMMANDS = (Path(__file__).parent / "data" / "commands.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command", re.split(r"\n\$ ", COMMANDS)[1:], ids=lambda text: text.partition("\n")[0]
)
def test_a_command_prints_and_exits_as_in_the_example(command):
    """The examples of `data/commands.txt`; "..." stands for any lines."""
    words, *expected = re.sub(r"\n# --- .*", "", command).rstrip("\n").split("\n")
    ran = run(*shlex.split(words))
    printed = (ran.out + ran.err).rstrip("\n").split("\n") + ([f"exit {ran.code}"] if ran.code else [])
    if expected[0] == "...":
        expected, printed = expected[1:], printed[-1:]
    assert expected == printed


# --- as a program -----------------------------------------------------------------------------------------------------


def as_a_program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "games.scoring", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


def test_the_program_needs_no_third_party_package():
    hidden = "import sys; sys.path = [p for p in sys.path if 'packages' not in p]; sys.argv[0] = 'x';"
    ran = subprocess.run(
        [
            sys.executable,
            "-S",
            "-c",
            f"{hidden} from games.scoring.__main__ import main; sys.exit(main())",
            "play",
            str(ROOT / "tests" / "scoring" / "golden" / "notation_example.game"),
        ],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    assert (0, b"") == (ran.returncode, ran.stderr)


def test_names_are_printed_in_utf_8_on_an_ascii_terminal(tmp_path):
    path = tmp_path / "ñ.game"
    path.write_text('game loba_menos\nplayers ana="Señora ★" beto\n', encoding="utf-8")
    ran = as_a_program("play", str(path), "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (0, "Señora ★", b"") == (
        ran.returncode,
        json.loads(ran.stdout.decode())["players"][0]["name"],
        ran.stderr,
    )


# --- random texts -----------------------------------------------------------------------------------------------------

FRAGMENTS = (
    "round ana out beto=5 caro=6", "round beto in_one_go ana=[K *] caro=3", "round nobody stock_out", "reenter beto",
    "stay_out beto", "leave caro", 'join eva="E # ;"', "replace ana by fito", 'adjust beto=+90 "x"', "deal caro",
    "stop refund", "agree ana=5", "correct 2", "before 2", "strike 2", "strike 3", "correct 1 game loba_menos",
    "correct 1 players ana beto", "expect totals ana=5", "expect over last_in", "refuse", ";", "#", '"', "[", "]",
    "{", "}", "=", "+", "-", "after=ana", "nobody", "0", "-1", "99999999999999999999", "٣", "\x00", "\t", "\r",
    "round ana out ana={A K Q}{2 2 2}[] beto={7 * *}[K 2] caro=-4", "round nobody stock_out ana=1 beto=[2] caro={A}",
    "round ana cut ana=3 beto=[12 11] caro=0", "round ana closed beto=5 caro=6", "round caro chinchon",
    "round ana chinchon ana=[1c 2c 3c 4c 5c 6c 7c] beto=[*] caro=[1o]", "correct 1 game chinchon", "correct 1 game loba_mas",
    "correct 1 game loba_ca", "correct 1 game carioca_cl contracts=cl12", "settlement=pairs", "settlement=to_winner",
    "in_one_go=5(n-1)", "pack=50 wilds=jokers", "wilds=ace_of_coins", "{A 2 Q}", "*=7", "2S=K", "[4o 5o 6o 7o 10c 10e 10b]",
    "stop highest_wins", "stop split_pot", "expect contract 2T", "expect net ana=0", "expect over instant_win", "[*]+3",
    "\x0b", "\u2028", "ñ", " ", "\n", "tags", "tags date=2026-11-21", "game", "players", "expect", "*", "[*=7]", "45+2", "{K}{K}[K]", "[10H 1o]",
)  # fmt: skip


def mutated(chance: random.Random, text: str) -> str:
    """Return the text with a few pieces inserted or removed."""
    for _time in range(chance.randint(1, 4)):
        begin = chance.randint(0, len(text))
        if chance.random() < 0.6:
            text = text[:begin] + chance.choice(FRAGMENTS) + text[begin:]
        else:
            text = text[:begin] + text[begin + chance.choice([1, 5, 30]) :]
    return text


@pytest.mark.parametrize("seeds", [range(200), pytest.param(range(200, 3000), marks=pytest.mark.slow)])
def test_a_torn_game_exits_with_a_documented_code_and_names_its_line(tmp_path, seeds):
    for seed in seeds:
        chance = random.Random(seed)
        text = mutated(chance, chance.choice(GOLDEN).read_text(encoding="utf-8"))
        ran = play(tmp_path, text, *(["--json"] if seed % 2 else []))
        places = [line for line in ran.err.split("\n") if re.match(r"a\.game:\d+: .", line)]
        assert (seed, True, bool(ran.code)) == (seed, ran.code in (0, 1, 2), bool(places))
