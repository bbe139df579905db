"""The page that checks whether cards fulfil a contract (¿bajó bien?), with the answer in words.

In a contract game, each round has a contract: the melds that a player must lay down first. Laying them down
is called going down (bajar).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.scoring.cards import JOKER, Card
from games.scoring.errors import ScoringError
from games.scoring.going_down import (
    CARDS,
    CONTRACT,
    MOST_CARDS,
    NotDown,
    cards_alone,
    contract_called,
    go_down,
    needs_suits,
)
from games.scoring.kinds import Rules
from games.scoring.solvers.contracts import CONTRACTS, Bajada, Contract, Lacking, LongRun, SetsAndRuns
from games.scoring.state import GameState
from games.scoring.text.contracts import not_down_texts
from games.scoring.text.typed import read_typed_hand
from games.shown.common.sentences import translate
from games.shown.play.contracts import contract_in_words
from games.shown.play.keys import Key, keys_of

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True)
class Choice:
    """A contract of this game to choose from. `suited` is True if the suits of the cards matter."""

    key: str
    label: str
    chosen: bool
    suited: bool


@dataclass(frozen=True)
class Laid:
    """Cards that lie together: as notation (`text`), as shown (`cards`), and the name of their meld."""

    text: str
    cards: str
    name: str


@dataclass(frozen=True)
class Answer:
    """The answer: the verdict in sentences, the melds made of the cards (`games`), and the rest (`kept`)."""

    is_down: bool
    sentences: tuple[str, ...]
    games: tuple[Laid, ...]
    kept: Laid | None


@dataclass(frozen=True)
class Check:
    """The content of the page: the contracts to choose from, the typed cards, and the answer or errors."""

    contracts: tuple[Choice, ...]
    cards: str
    keys: tuple[Key, ...]
    suits: tuple[tuple[str, str], ...]
    most: int
    answer: Answer | None
    errors: Mapping[str, str]

    @property
    def contract_error(self) -> str:
        """The error message for the chosen contract; "" if the game has that contract."""
        return self.errors.get(CONTRACT, "")

    @property
    def cards_error(self) -> str:
        """The error message for the typed cards; "" if a player can hold these cards."""
        return self.errors.get(CARDS, "")


def check_of(state: GameState, posted: Mapping[str, str]) -> Check:
    """Return the content of the page for the posted contract and cards.

    The default contract is that of the present round or, after the last round, the last contract of the game.
    """
    rules = state.rules
    name, cards = posted.get(CONTRACT) or state.contract or rules.contracts[-1], posted.get(CARDS, "").strip()
    answer, errors = None, {}
    try:
        contract = contract_called(rules, name)
        if cards:
            answer = _answer(state, contract, cards)
    except ScoringError as refusal:
        errors = {refusal.field or CARDS: translate(refusal.text)}
    return Check(
        contracts=tuple(_choices(rules, name)),
        cards=cards,
        keys=tuple(keys_of(rules)),
        suits=(("S", _("♠ spades")), ("H", _("♥ hearts")), ("D", _("♦ diamonds")), ("C", _("♣ clubs"))),
        most=MOST_CARDS,
        answer=answer,
        errors=errors,
    )


def _choices(rules: Rules, chosen: str) -> Iterator[Choice]:
    for number, key in enumerate(rules.contracts, start=1):
        label = f"{number} · {contract_in_words(key)}"
        yield Choice(key, label, chosen=key == chosen, suited=needs_suits(CONTRACTS[key]))


def _answer(state: GameState, contract: Contract, text: str) -> Answer:
    hand = read_typed_hand(text if text.startswith(("[", "{")) else f"[{text}]", state.rules.deck)
    verdict = go_down(state.rules, state.house, contract, cards_alone(hand))
    laid = verdict.lacking if isinstance(verdict, NotDown) else verdict
    is_down = isinstance(verdict, Bajada)
    return Answer(
        is_down=is_down,
        sentences=tuple(_sentences(verdict)),
        games=tuple(_melds(contract, laid)),
        kept=_together(laid.kept, _("stays in hand") if is_down else _("left over")) if laid.kept else None,
    )


def _sentences(verdict: Bajada | NotDown) -> Iterator[str]:
    if isinstance(verdict, NotDown):
        yield from (translate(text) for text in not_down_texts(verdict))
    elif verdict.kept:
        yield _("The other cards stay in hand; they can be added in later turns.")


def _melds(contract: Contract, laid: Bajada | Lacking) -> Iterator[Laid]:
    """Yield the melds of the contract that the cards make, each with its name, such as “run”; runs first.

    `laid` has these melds. It is a `Bajada` if the cards fulfil the contract, and a `Lacking` if they do not.
    """
    match contract:
        case SetsAndRuns(runs=runs):
            runs -= laid.runs if isinstance(laid, Lacking) else 0
            for place, game in enumerate(laid.games):
                yield _together(game, pgettext("cards", "run") if place < runs else _("trio"))
        case LongRun(key=key):
            yield from (_together(game, contract_in_words(key)) for game in laid.games if game)


def _together(cards: tuple[Card, ...], name: str) -> Laid:
    return Laid(" ".join(map(str, cards)), " ".join(map(_face, cards)), name)


def _face(card: Card) -> str:
    return "★" if card.rank == JOKER else card.rank + SIGNS.get(card.suit, "")
