"""The command line as NOTATION describes it: exit codes, output, errors, and never a traceback."""

from __future__ import annotations

import json
import random
import re
import shlex
import subprocess
import sys

import pytest

from games.scoring import __version__
from tests.scoring.console import ROOT, CommandResult, play, run, run_program
from tests.scoring.example_files import GOLDEN, examples

HEAD = "game loba_menos\nplayers ana beto caro\n"


def output_text(ran: CommandResult) -> str:
    """Return everything that a command printed, followed by the exit code if it is not 0."""
    return (ran.out + ran.err).rstrip("\n") + (f"\nexit {ran.code}" if ran.code else "")


@pytest.mark.parametrize("example", examples("commands.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_command_prints_and_exits_as_in_the_example(example):
    """“...” stands for any lines before the last one."""
    command, expected = example.rstrip("\n").split("\n", 1)
    lines = output_text(run(*shlex.split(command)))
    assert expected == (f"...\n{lines.splitlines()[-1]}" if expected.startswith("...") else lines)


# --- play -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples("refused.txt"))
def test_a_refused_file_exits_with_its_code_and_names_its_line(tmp_path, example):
    """The code is 1 if a statement is refused or unexpected, 2 if a line is unreadable: nothing is played
    then.
    """
    head, text = example.split("\n", 1)
    ran = play(tmp_path, text)
    assert head == f"exits with {ran.code}: {ran.err.splitlines()[0]}"
    assert ran.out == "" or ran.code == 1


def by_key(out: str) -> str:
    """Return the objects of JSON lines with each key on its own line."""
    items = (item for line in out.splitlines() for item in json.loads(line).items())
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in items)


@pytest.mark.parametrize("example", examples("played.txt"), ids=lambda text: text.partition("\n")[0])
def test_a_file_is_printed_as_in_the_example(tmp_path, example):
    """After the file comes “$ play” with its options; JSON is printed with each key on its own line."""
    text, options, expected = re.split(r"(?m)^\$ play(.*)\n", example.partition("\n")[2])
    ran = play(tmp_path, text, *options.split())
    assert expected.rstrip() == output_text(
        CommandResult(ran.code, by_key(ran.out) if options else ran.out, ran.err)
    )


def test_files_exit_with_the_highest_code(tmp_path):
    texts = {
        "good": HEAD,
        "bad": HEAD + "expect doubt\n",
        "ugly": "?",
        "empty": "",
        "nul": HEAD + "leave ana\0",
    }
    paths = {name: tmp_path / f"{name}.game" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    paths |= {"nowhere": tmp_path / "nowhere.game", "folder": tmp_path}
    codes = {"good good": 0, "good bad": 1, "ugly bad": 2, "bad ugly good": 2}
    codes |= dict.fromkeys(("empty", "nul", "nowhere", "folder"), 2)
    assert codes == {
        names: run("play", *(str(paths[name]) for name in names.split())).code for names in codes
    }


# --- as a program -----------------------------------------------------------------------------------------------------


def test_the_program_needs_no_third_party_package():
    hidden = "import sys; sys.path = [p for p in sys.path if 'packages' not in p]; sys.argv[0] = 'x';"
    program = f"{hidden} from games.scoring.__main__ import main; sys.exit(main())"
    game = ROOT / "tests" / "scoring" / "golden" / "notation_example.game"
    command = [sys.executable, "-S", "-c", program, "play", str(game)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (0, b"") == (ran.returncode, ran.stderr)


def test_files_and_standard_input_are_read_and_printed_as_utf_8_on_an_ascii_terminal(tmp_path):
    text = 'tags place="La peña"\ngame loba_menos\nplayers ana="Señora ★" beto\n'.encode()
    (tmp_path / "ñ.game").write_bytes(text)
    for ran in (
        run_program("play", str(tmp_path / "ñ.game"), "--json"),
        run_program("play", "-", "--json", text=b"\xef\xbb\xbf" + text),
    ):
        summary = json.loads(ran.stdout.decode())
        assert ("La peña", "Señora ★") == (summary["tags"]["place"], summary["players"][0]["name"])
        assert (0, b"") == (ran.returncode, ran.stderr)


def test_a_closed_pipe_ends_the_program_without_a_traceback():
    program = f"{sys.executable} -m games.scoring play - --json | head -1"
    text = f"tags\n{HEAD}".encode() * 2000
    ran = subprocess.run(program, shell=True, cwd=ROOT, input=text, capture_output=True, check=False)
    assert (1, b"") == (len(ran.stdout.splitlines()), ran.stderr)


def test_the_program_prints_its_version():
    assert f"anotador {__version__}" == run_program("--version").stdout.decode().strip()


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


def mutate(chance: random.Random, text: str) -> str:
    """Return the text with a few pieces inserted or removed."""
    for _time in range(chance.randint(1, 4)):
        begin = chance.randint(0, len(text))
        if chance.random() < 0.6:
            text = text[:begin] + chance.choice(FRAGMENTS) + text[begin:]
        else:
            text = text[:begin] + text[begin + chance.choice([1, 5, 30]) :]
    return text


@pytest.mark.parametrize("seeds", [range(100), pytest.param(range(100, 600), marks=pytest.mark.long)])
def test_a_torn_game_exits_with_a_documented_code_and_names_its_line(tmp_path, seeds):
    for seed in seeds:
        chance = random.Random(seed)
        text = mutate(chance, chance.choice(GOLDEN).read_text(encoding="utf-8"))
        ran = play(tmp_path, text, *(["--json"] if seed % 2 else []))
        places = [line for line in ran.err.split("\n") if re.match(r"a\.game:\d+: .", line)]
        assert (seed, True, bool(ran.code)) == (seed, ran.code in (0, 1, 2), bool(places))
