"""Interpretations: each hand's melds, leftover cards and points while a round is being entered.

In Loba de Más the melds are entered; in Chinchón the app finds them in the cards.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import naming, texts
from games.common.event_sentences import PersonsById
from games.play.presenters.round_form import RoundForm
from games.scoring import meld_points
from games.scoring.card_points import LeftoverPoints, MeldPoints, Placing
from games.scoring.cards import Card
from games.scoring.counting import counting_module, hand_points
from games.scoring.errors import RuleError
from games.scoring.leftover_points import can_place, dealt_cards, get_solver, solve_placing
from games.scoring.rounds import Hand, PlayerId, hand_field
from games.scoring.rule_types import Rules
from games.scoring.solvers.groups import Group, Pack
from games.scoring.solvers.melds import MeldFlaw, MeldKind, MeldSolver
from games.scoring.solvers.placing import Addition, PlacingResult
from games.scoring.state import GameState
from games.scoring.text.notation_writer import write_hand

# the width in ems for a player's name below cards that were placed on that player's meld
OWNER_NAME_WIDTH = 8.5


@dataclass(frozen=True)
class InterpretedMeld:
    """A meld of Loba de Más as it was entered, in the order of a run; `wrong` is why it is not a meld.

    `ranks` are the ranks that the cards stand for, since a joker stands for another card.
    """

    text: str
    name: str = ""
    value: int | None = None
    cards: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    wilds: tuple[bool, ...] = ()
    wrong: str = ""


@dataclass(frozen=True)
class InterpretedGroup:
    """Cards of a Chinchón hand that form or extend a meld; `name` is “run” or “goes on Ana's run”."""

    cards: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class InterpretedHand:
    """The interpretation of one hand as it was entered.

    `points` are those before any bonus; None while unknown. `round` is the player's score in the round, once
    that is complete. With `may_fall`, the points may still decrease, because cards may be placed on other
    players' melds. `wrong` is an error message.
    """

    player: PlayerId
    text: str
    points: int | None = None
    round: int | None = None
    wrong: str = ""
    melds: tuple[InterpretedMeld, ...] = ()
    groups: tuple[InterpretedGroup, ...] = ()
    left: tuple[str, ...] = ()
    may_fall: bool = False

    @property
    def json(self) -> str:
        """The interpretation as JSON for the on-screen pad, without the player's id."""
        fields = asdict(self)
        del fields["player"]
        return json.dumps(fields, ensure_ascii=False)


def interpret_hands(
    before: GameState,
    form: RoundForm,
    after: GameState | None,
    people: PersonsById,
    clash: Mapping[PlayerId, str],
) -> Iterator[InterpretedHand]:
    """Yield the interpretation of every hand of the form that is not blank.

    `after` is the state with the round; None while the round is incomplete. `clash` has an error message for
    each player whose hand is possible alone, but not together with the other hands.
    """
    hands = dict(form.entry.hands)
    reader = _HandInterpreter(before, form, after, people)
    for player, text in form.raw_hands.items():
        if player in hands:
            reading = reader.interpret(player, text, hands[player])
            yield replace(reading, wrong=reading.wrong or clash.get(player, ""))
        else:
            yield InterpretedHand(player, text, wrong=form.errors[hand_field(player)])


def interpret_hand(rules: Rules, hand: Hand) -> InterpretedHand:
    """Return the interpretation of a valid hand that belongs to no round, such as an example."""
    points, melds = hand_points(rules, hand), _melds(rules, hand)
    groups, leftover = _best_groups(rules, hand) if isinstance(rules.scoring, LeftoverPoints) else ((), ())
    return InterpretedHand("", write_hand(hand), points=points, melds=melds, groups=groups, left=leftover)


class _HandInterpreter:
    """An interpreter of the hands of one round.

    In Chinchón, leftover cards are placed on other players' melds once all hands are entered.
    """

    def __init__(
        self, before: GameState, form: RoundForm, after: GameState | None, people: PersonsById
    ) -> None:
        self.rules: Rules = before.rules
        self.people = people
        self.names = dict(
            zip(
                people,
                map(
                    naming.isolate,
                    naming.shorten([person.name for person in people.values()], OWNER_NAME_WIDTH),
                ),
                strict=True,
            )
        )
        self.moved: Mapping[PlayerId, int] = after.rounds[-1].points if after else {}
        self.placed: Mapping[PlayerId, PlacingResult] = {}
        self.is_open = False  # True if cards may still be placed on melds in hands not entered yet
        if isinstance(self.rules.scoring, LeftoverPoints):
            if after:
                self.placed = solve_placing(self.rules, form.entry, before.turn)
            else:
                self.is_open = _has_placing(self.rules, self.rules.scoring, form)

    def interpret(self, player: PlayerId, text: str, hand: Hand) -> InterpretedHand:
        melds = _melds(self.rules, hand)
        points, wrong = self._points(player, hand, melds)
        groups, leftover = self._groups(player, hand) if not wrong else ((), ())
        return InterpretedHand(
            player,
            text,
            points=points,
            round=self.moved.get(player),
            wrong=wrong,
            melds=melds,
            groups=groups,
            left=leftover,
            may_fall=bool(points) and self.is_open and dealt_cards(self.rules, hand) is not None,
        )

    def _points(
        self, player: PlayerId, hand: Hand, melds: tuple[InterpretedMeld, ...]
    ) -> tuple[int | None, str]:
        """Return the hand's points and its error message; the points are None if there is an error.

        A wrong meld has a message of its own.
        """
        try:
            self.rules.deck.check([("", hand.cards)])
            if any(meld.wrong for meld in melds):
                return None, ""
            if player in self.placed:
                return self.placed[player].points, ""
            return counting_module(self.rules).hand_points(self.rules, hand), ""
        except RuleError as refusal:
            return None, texts.translate(refusal.text)

    def _groups(self, player: PlayerId, hand: Hand) -> tuple[tuple[InterpretedGroup, ...], tuple[str, ...]]:
        """Return the melds of a Chinchón hand, with cards placed on others' melds, and the leftover cards."""
        if not isinstance(self.rules.scoring, LeftoverPoints):
            return (), ()
        if player in self.placed:
            hand_placed = self.placed[player]
            return tuple(self._placed_groups(hand_placed)), _card_texts(hand_placed.remaining)
        return _best_groups(self.rules, hand)

    def _placed_groups(self, hand_placed: PlacingResult) -> Iterator[InterpretedGroup]:
        """Yield the player's own melds, then the cards that the player placed on others' melds."""
        pack = get_solver(self.rules).pack
        for group, player_cards in zip(hand_placed.groups, hand_placed.player_cards, strict=True):
            if player_cards:
                yield InterpretedGroup(
                    _card_texts(_sort_as_in_group(group, player_cards)), _group_name(pack, group)
                )
        for addition in hand_placed.additions:
            cards = _sort_as_in_group(addition.group, addition.cards)
            yield InterpretedGroup(_card_texts(cards), self._addition_label(pack, addition))

    def _addition_label(self, pack: Pack, addition: Addition) -> str:
        name = self.names[addition.owner]
        if pack.is_run(addition.group.cards):
            return _("goes on %(name)s's run") % {"name": name}
        rank = next(card.rank for card in addition.group.cards if card not in pack.wilds)
        return _("goes with %(name)s's %(rank)ss") % {"name": name, "rank": rank}


def _melds(rules: Rules, hand: Hand) -> tuple[InterpretedMeld, ...]:
    """Return the interpretation of each meld of the hand; () in games without melds to enter."""
    if not isinstance(rules.scoring, MeldPoints):
        return ()
    solver = meld_points.get_solver(rules)
    return tuple(_interpret_meld(solver, meld) for meld in hand.melds)


def _best_groups(rules: Rules, hand: Hand) -> tuple[tuple[InterpretedGroup, ...], tuple[str, ...]]:
    """Return the melds that the seven cards of a Chinchón hand make by themselves, and the leftover cards.

    Unless all seven cards and their suits are entered, all cards are leftover.
    """
    dealt = dealt_cards(rules, hand)
    if dealt is None:
        return (), _card_texts(hand.held or ())
    solver = get_solver(rules)
    best = solver.best(dealt)
    groups = tuple(
        InterpretedGroup(_card_texts(solver.pack.group(group.cards).cards), _group_name(solver.pack, group))
        for group in best.groups
    )
    return groups, _card_texts(best.left)


def _has_placing(rules: Rules, scoring: LeftoverPoints, form: RoundForm) -> bool:
    """Return whether leftover cards are placed on other players' melds in the round of this form.

    They are if the house rules allow it and a player closed the round without thereby winning the game.
    """
    closing = rules.closing(form.entry.closing)
    if "closer" in form.errors or closing is None or not closing.by_player:
        return False
    if form.entry.closer is not None:
        return can_place(rules, form.entry)
    return scoring.placing is not Placing.OFF and not closing.wins_game


def _interpret_meld(solver: MeldSolver, cards: tuple[Card, ...]) -> InterpretedMeld:
    text = "{" + " ".join(map(str, cards)) + "}"
    meld = solver.parse_meld(cards)
    if isinstance(meld, MeldFlaw):
        return InterpretedMeld(text, wrong=texts.translate(solver.flaw_sentence(meld)))
    placements = solver.placement(cards)
    return InterpretedMeld(
        text,
        name=pgettext("cards", "set") if meld.kind is MeldKind.SET else pgettext("cards", "run"),
        value=meld.value,
        cards=tuple(str(placement.card) for placement in placements),
        ranks=tuple(placement.rank for placement in placements),
        wilds=tuple(placement.is_wild for placement in placements),
    )


def _group_name(pack: Pack, group: Group) -> str:
    return pgettext("cards", "run") if pack.is_run(group.cards) else pgettext("cards", "set")


def _sort_as_in_group(group: Group, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return `cards` in their order in the meld `group`, which contains all of them."""
    remaining = Counter(cards)
    ordered = []
    for card in group.cards:
        if remaining[card]:
            remaining[card] -= 1
            ordered.append(card)
    return tuple(ordered)


def _card_texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(map(str, cards))
