"""The command `anotador`; in the site it is `python -m games.scoring` (NOTATION.md, Command line).

Its subcommands: `play` scores game files, `hand` counts one hand, `contract` tells whether cards fulfill a
contract, and `rules` prints the rules of a game.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

from . import __version__
from .cards import advise_cards
from .counting import hand_points
from .errors import NotationError, RuleError, UnreadableLine
from .going_down import NotDown, get_contract, go_down, require_cards_only
from .option_checks import check_options, naming_option
from .options import House, Variant
from .rounds import Hand
from .solvers.contracts import Bajada, Lacking
from .text.collection import GameText, split_games, write_tags
from .text.contracts import contract_text, not_down_sentences
from .text.describe import describe
from .text.game_file import play_game_file
from .text.notation import parse_hand, parse_pairs
from .text.notation_writer import write_hand
from .text.report import going_down_summary, sheet, summary
from .variants import get_variant

SUCCESS, REFUSED, UNREADABLE = 0, 1, 2
STDIN = "-"

DESCRIPTION = (
    "Scores games written as text. Amounts of money are whole numbers of the smallest coin: 50 is 0.50 where there "
    "are cents."
)
_PROGRAM = "anotador" if __package__ == "anotador" else f"python -m {__package__}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command in `arguments` (None for those of the process) and return its exit code.

    0: success. 1: refused by the rules, or an expectation failed. 2: unreadable input or wrong usage.
    """
    options = _parser().parse_args(arguments)
    try:
        for module in options.modules:
            import_module(module)
        match options.command:
            case "play":
                return max(_play(path, as_json=options.json) for path in options.files)
            case "hand":
                *house, hand = options.words
                return _hand(options.variant, house, hand)
            case "contract":
                return _contract(options)
            case _:
                return _rules(options.variant, options.options)
    except RuleError as refusal:
        print(refusal, file=sys.stderr)
        return REFUSED
    except (NotationError, ImportError) as error:
        print(error, file=sys.stderr)
        return UNREADABLE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=_PROGRAM, description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"anotador {__version__}")
    parser.add_argument(
        "--with",
        dest="modules",
        action="append",
        default=[],
        metavar="MODULE",
        help="a module that registers games of your own",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="replay game files: the sheet, the money, who pays whom")
    play.add_argument(
        "files", nargs="+", metavar="FILE", help="a file of one game or of many; - reads standard input"
    )
    play.add_argument("--json", action="store_true", help="one JSON object per game instead, each on a line")
    hand = commands.add_parser("hand", help="the points of one hand, and its cards as they were read")
    hand.add_argument("variant", metavar="VARIANT")
    hand.add_argument("words", nargs="+", metavar="option=value … HAND")
    contract = commands.add_parser("contract", help="whether cards fulfill a contract, and how")
    contract.add_argument("variant", metavar="VARIANT")
    contract.add_argument("options", nargs="*", metavar="option=value")
    contract.add_argument("contract", metavar="CONTRACT")
    contract.add_argument("hand", metavar="HAND")
    contract.add_argument("--json", action="store_true", help="one JSON object instead")
    rules = commands.add_parser("rules", help="the rules in force, in words")
    rules.add_argument("variant", metavar="VARIANT")
    rules.add_argument("options", nargs="*", metavar="option=value")
    return parser


def _play(path: str, *, as_json: bool) -> int:
    """Play the games of a file, print each result, and return the highest exit code of any game (`main`)."""
    worst = SUCCESS
    try:
        with _lines(path) as lines:
            for game in split_games(lines):
                worst = max(worst, _play_game(path, game, as_json=as_json))
    except BrokenPipeError:
        raise
    except UnreadableLine as unreadable:
        print(f"{path}:{unreadable.line}: {unreadable.error}", file=sys.stderr)
        return UNREADABLE
    except FileNotFoundError:
        print(f"{path}: there is no such file.", file=sys.stderr)
        return UNREADABLE
    except OSError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return UNREADABLE
    return worst


@contextmanager
def _lines(path: str) -> Iterator[Iterable[bytes]]:
    if path == STDIN:
        yield sys.stdin.buffer
    else:
        with Path(path).open("rb") as file:
            yield file


def _play_game(path: str, game: GameText, *, as_json: bool) -> int:
    try:
        tags = game.tags()
        played = play_game_file(game.parse_lines())
    except UnreadableLine as unreadable:
        print(f"{path}:{unreadable.line}: {unreadable.error}", file=sys.stderr)
        return UNREADABLE
    if played.state is not None:
        if as_json:
            tagged = {"tags": tags} if tags else {}
            print(json.dumps({**summary(played.state), **tagged}, ensure_ascii=False))
        else:
            print(*([write_tags(tags)] if tags else []), sheet(played.state), sep="\n")
    for problem in played.problems:
        print(f"{path}:{problem.line}: {problem.text}", file=sys.stderr)
    return REFUSED if played.problems else SUCCESS


def _house(key: str, option_pairs: Sequence[str]) -> tuple[Variant, House]:
    chosen = parse_pairs(option_pairs, str)
    variant = get_variant(key)
    with naming_option(variant):
        house = variant.house(chosen)
        check_options(variant, house, named=chosen.keys())
    return variant, house


def _hand(key: str, option_pairs: Sequence[str], text: str) -> int:
    variant, house = _house(key, option_pairs)
    rules = variant.build(house)
    with advise_cards(rules.deck):
        hand = parse_hand(text)
    print(hand_points(rules, hand))
    print(write_hand(hand) if hand.points is None else f"{hand.points} counted at the table")
    return SUCCESS


def _contract(options: argparse.Namespace) -> int:
    variant, house = _house(options.variant, options.options)
    rules = variant.build(house)
    with advise_cards(rules.deck):
        hand = parse_hand(options.hand)
    contract = get_contract(rules, options.contract)
    result = go_down(rules, house, contract, require_cards_only(hand))
    layout = result.lacking if isinstance(result, NotDown) else result
    if options.json:
        print(json.dumps(going_down_summary(variant.key, contract, result), ensure_ascii=False))
    elif result is layout:
        print(_format_layout(layout))
        print(f"{contract_text(contract)}; {layout.left} points kept")
    if isinstance(result, NotDown):
        reasons = " ".join(map(str, not_down_sentences(result)))
        print(f"{contract_text(contract)}: {_format_layout(layout)}. {reasons}", file=sys.stderr)
        return REFUSED
    return SUCCESS


def _format_layout(layout: Bajada | Lacking) -> str:
    return write_hand(Hand(melds=layout.games, held=layout.kept))


def _rules(key: str, option_pairs: Sequence[str]) -> int:
    variant, house = _house(key, option_pairs)
    sentences = describe(variant, house)
    print(variant.with_name_from(house).name)
    for sentence in sentences:
        print(f"- {sentence}")
    return SUCCESS


def run() -> int:
    """Run `main` with this process's arguments, and return its exit code.

    The output is UTF-8, like the game files, whatever the terminal's encoding is.
    """
    sys.path.append("")  # for --with: an installed program does not look for modules in the current folder
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader stopped early, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    return code


if __name__ == "__main__":
    sys.exit(run())
