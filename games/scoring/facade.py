"""The main functions of the library, for games, hands, contracts, rules and payments (engine/README.md).

Each function imports what it needs of the text forms and the solvers, which take half of the time to import everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING

from .arguments import check_events, check_players, check_text, check_type, check_values
from .bound_rules import BoundRules, build_bound_rules
from .cards import Card, advise_cards
from .errors import NotationError, RefusedLine, RuleError, UnreadableLine
from .events import Event, Log
from .frozen import Frozen, FrozenDict, freeze
from .i18n import _
from .ledger import Settlement, nets, places, settlement
from .option_checks import naming_option
from .options import House, Variant
from .replay import extend, replay
from .rounds import PlayerId
from .rule_types import Value
from .state import GameState
from .validation import check_new_events
from .variants import VARIANTS, get_variant

if TYPE_CHECKING:
    from .going_down import NotDown
    from .solvers.contracts import Bajada
    from .solvers.leftovers import Leftover
    from .text.collection import GameText
    from .text.game_file import Problem


@dataclass(frozen=True, eq=False, repr=False)
class Game(Frozen):
    """A game: its events (`log`), its state after all of them, and the tags of its text, such as its date.

    `unmet` lists the problems with `expect` and `refuse` lines of its text that did not hold.
    """

    log: Log
    state: GameState
    tags: Mapping[str, str] = field(default_factory=FrozenDict)
    unmet: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, "tags")

    def __repr__(self) -> str:
        return repr(self.state).replace("GameState", "Game")

    @classmethod
    def from_text(cls, text: str | GameText) -> Game:
        """Return the game written as text (NOTATION.md), which may have tags.

        Raise UnreadableLine at a line that fits no form, and RefusedLine at a line that the rules do not
        allow.
        """
        from .text.collection import GameText
        from .text.game_file import play_game_file

        check_type("text", text, (str, GameText), "a game as text")
        if isinstance(text, str):
            text = _single_game(text)
        tags, lines = text.tags(), text.parse_lines()
        played = play_game_file(lines)
        expected = {line.number for line in lines if line.expectation is not None}
        for problem in played.problems:
            if problem.refusal is not None and problem.line not in expected:
                raise RefusedLine(problem.line, problem.refusal)
        assert played.state is not None
        return cls(played.log, played.state, tags, tuple(played.problems))

    @classmethod
    def begin(cls, variant: str, players: Iterable[str] | Mapping[str, str], **options: Value) -> Game:
        """Return a new game. `players` are listed clockwise, as ids or as a mapping from id to name.

        `options` are the house rules by key. Two further keys are allowed: `dealer`, the id of the first
        dealer, and `direction`, the direction of the deal ("left" or "right"). Raise NotationError for an
        invalid id, and RuleError for options or players that the game does not allow.
        """
        from . import entries
        from .text.notation import build_start

        check_players(players)
        log = (build_start(entries.game(variant, **options), entries.players(players)),)
        state = replay(log)
        check_new_events((), log)
        return cls(log, state)

    def play(self, line: str) -> Game:
        """Return a new game with the statements of this line added (NOTATION, Statements).

        Raise NotationError for a line that fits no form, and RuleError for a line that the rules do not
        allow.
        """
        from .text.notation import parse_line

        check_text("line", line)
        with advise_cards(self.state.rules.deck):
            events = parse_line(line)
        return self.add(*events)

    def add(self, *events: Event) -> Game:
        """Return a new game with these events added, such as events built with `entries`.

        Raise RuleError for events that the rules do not allow.
        """
        check_events(events)
        if not events:
            return self
        try:
            state = extend(self.state, self.log, events)
        except RuleError as refusal:
            from .text.advice import advise

            raise advise(self.log, events, refusal) from None
        check_new_events(self.log, events)
        return Game((*self.log, *events), state, self.tags, self.unmet)

    def text(self) -> str:
        """Return the game as text, with its tags. `from_text` turns the text back into the same game."""
        from .text.collection import write_tags
        from .text.notation_writer import write_game

        tags = f"{write_tags(self.tags)}\n" if self.tags else ""
        return tags + write_game(self.log)

    def sheet(self) -> str:
        """Return the scoresheet as a table of text, with the money and who pays whom."""
        from .text.report import sheet

        return sheet(self.state)

    def summary(self) -> dict[str, object]:
        """Return the state as the JSON object that `play --json` prints (NOTATION, Command line)."""
        from .text.report import summary

        return {**summary(self.state), **({"tags": dict(self.tags)} if self.tags else {})}

    def nets(self) -> Mapping[PlayerId, int]:
        """Return the money each player won (+) or lost (−) so far, in whole units, in seat order."""
        return FrozenDict(nets(self.state))

    def places(self) -> Mapping[PlayerId, int]:
        """Return each player's place, 1 for winners; equal players share a place."""
        return FrozenDict(places(self.state))

    def settlement(self) -> Settlement:
        """Return the payments that settle the game, found by `settle`; none while the game is in progress."""
        return settle(self.nets() if self.state.is_over else {})


def read_games(source: str | PathLike[str] | Iterable[str | bytes]) -> Iterator[Game]:
    """Yield the games of a file (NOTATION, Many games), given by its path or as its lines.

    Each game is read and played only when the iterator reaches it. Raise UnreadableLine or RefusedLine at the
    first game that cannot be played. To continue after such a game, use `split_games`.
    """
    from .text.collection import split_games

    if isinstance(source, str | PathLike):
        with open(source, "rb") as lines:
            yield from map(Game.from_text, split_games(lines))
    else:
        yield from map(Game.from_text, split_games(source))


def bind(variant: str, **options: Value) -> BoundRules:
    """Return the rules of a game with these options, for counting many hands without building them each time.

    Raise RuleError for an unknown game or option, and for a value that is not allowed.
    """
    return build_bound_rules(*_variant_and_house(variant, options))


def score_hand(variant: str, hand: str | Sequence[Card], **options: Value) -> int:
    """Return the points of one hand, before any bonus for closing the round.

    The hand is its cards, or a text as in NOTATION (Hands). Raise RuleError for a hand that nobody can hold
    under these house rules.
    """
    return bind(variant, **options).score_hand(hand)


def least_leftover(variant: str, hand: str | Sequence[Card], **options: Value) -> Leftover:
    """Return the groups (juegos) of a dealt hand that leave the fewest points, and the cards left (sobrante).

    A group is a set or a run. Raise ValueError for a game that counts no leftovers, for a hand with fewer or
    more cards than are dealt, and for cards without their suits. Raise RuleError for cards that the pack does
    not have.
    """
    return bind(variant, **options).least_leftover(hand)


def lay_down(variant: str, contract: str, cards: str | Sequence[Card], **options: Value) -> Bajada | NotDown:
    """Return the contract laid down from these cards, or the reasons why they do not fulfill it.

    A contract is the melds that a round requires; `contract` is its name, or the number of its round. The
    contract is laid so that the cards kept in hand count the fewest points. Raise RuleError for a game
    without contracts.
    """
    return bind(variant, **options).lay_down(contract, cards)


def rules(variant: str, **options: Value) -> tuple[str, ...]:
    """Return the rules in force with these options, as English sentences."""
    from .text.describe import describe

    return tuple(map(str, describe(*_variant_and_house(variant, options))))


def all_variants() -> Mapping[str, Variant]:
    """Return the games that can be scored, by key: those of the library, then those that were registered."""
    return FrozenDict(VARIANTS)


def settle(nets: Mapping[PlayerId, int]) -> Settlement:
    """Return payments that clear these amounts, won (+) or lost (−), in whole units.

    For up to 12 people, and with one debtor or one creditor, they are the fewest possible; otherwise
    `Settlement.is_exact` tells whether they are known to be the fewest. Raise ValueError unless the amounts
    are whole numbers that add up to zero.
    """
    check_type("nets", nets, Mapping, "a mapping from id to amount")
    for player, amount in nets.items():
        if type(amount) is not int:  # True is an int, but not an amount
            raise ValueError(f"the amount of {player} is {amount!r}, not a whole number")
    if sum(nets.values()) != 0:
        raise ValueError(f"the amounts add up to {sum(nets.values())}, not to 0")
    return settlement(nets)


def _variant_and_house(variant: str, options: Mapping[str, Value]) -> tuple[Variant, House]:
    check_text("variant", variant)
    game = get_variant(variant)
    check_values(options)
    with naming_option(game):
        return game, game.house(options)


def _single_game(text: str) -> GameText:
    from .text.collection import split_games

    only, *others = split_games(text)
    if others:
        raise UnreadableLine(others[0].line, NotationError(_("Another game starts here.")))
    return only
