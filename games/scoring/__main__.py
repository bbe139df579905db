"""The command line: `python -m games.scoring play | hand | rules` (NOTATION.md)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from games.scoring.errors import NotationError, RuleError
from games.scoring.options import House, Variant
from games.scoring.text.describe import describe
from games.scoring.text.notation import read_hand, read_pairs
from games.scoring.text.report import hand_points, sheet, summary
from games.scoring.text.script import UnreadableLine, play_script, read_script
from games.scoring.text.writing import write_hand
from games.scoring.variants import find_variant

HELD, REFUSED, UNREADABLE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code: 0 all well, 1 refused or not as expected, 2 unreadable."""
    options = _parser().parse_args(arguments)
    try:
        match options.command:
            case "play":
                return max(_play(path, as_json=options.json) for path in options.files)
            case "hand":
                *house, hand = options.words
                return _hand(options.variant, house, hand)
            case _:
                return _rules(options.variant, options.options)
    except RuleError as refusal:
        print(refusal, file=sys.stderr)
        return REFUSED
    except NotationError as error:
        print(error, file=sys.stderr)
        return UNREADABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m games.scoring", description="Scores games written as text."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="replay game files: the sheet, the money, who pays whom")
    play.add_argument("files", nargs="+", metavar="FILE")
    play.add_argument("--json", action="store_true", help="one JSON object per file instead")
    hand = commands.add_parser("hand", help="the points of one hand, and how it was read")
    hand.add_argument("variant", metavar="VARIANT")
    hand.add_argument("words", nargs="+", metavar="option=value … HAND")
    rules = commands.add_parser("rules", help="the rules in force, in words")
    rules.add_argument("variant", metavar="VARIANT")
    rules.add_argument("options", nargs="*", metavar="option=value")
    return parser


def _play(path: str, *, as_json: bool) -> int:
    try:
        played = play_script(read_script(Path(path).read_text(encoding="utf-8-sig")))
    except UnreadableLine as unreadable:
        print(f"{path}:{unreadable.line}: {unreadable.error}", file=sys.stderr)
        return UNREADABLE
    except (OSError, UnicodeDecodeError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return UNREADABLE
    if played.state is not None:
        if as_json:
            print(json.dumps(summary(played.state), ensure_ascii=False))
        else:
            print(sheet(played.state))
    for problem in played.problems:
        print(f"{path}:{problem.line}: {problem.text}", file=sys.stderr)
    return REFUSED if played.problems else HELD


def _house(variant: str, words: Sequence[str]) -> tuple[Variant, House]:
    chosen = read_pairs(words, str)
    found = find_variant(variant)
    return found, found.house(chosen)


def _hand(variant: str, words: Sequence[str], text: str) -> int:
    hand = read_hand(text)
    found, house = _house(variant, words)
    print(hand_points(found.build(house), hand))
    print(write_hand(hand) if hand.points is None else f"{hand.points} counted at the table")
    return HELD


def _rules(variant: str, words: Sequence[str]) -> int:
    found, house = _house(variant, words)
    print(found.name)
    for sentence in describe(found, house):
        print(f"- {sentence}")
    return HELD


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as the files are, whatever the terminal was set up for
    sys.exit(main())
