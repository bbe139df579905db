"""Lines of a game file that state a fact to be checked, such as `expect pot 300` (NOTATION, Expectations)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import NotationError
from ..frozen import Frozen
from ..i18n import _
from ..ledger import nets, payments
from ..money import pot_amount, reentry_fee
from ..rounds import PlayerId
from ..state import GameState, Reason, Seat
from .notation import parse_id, parse_number, parse_pairs

# An example of every expectation.
_FORMS = (
    *("totals ana=45", "round ana=23", "seats ana=out", "net ana=-10", "reentry ana=45/10", "pot 30"),
    *("dealer ana", "contract 2T", "playing", "over last_in", "winners ana", "transfers beto>ana=10"),
    *("doubt", "no_doubt"),
)
_MAX_NAME_LENGTH = 20
_PAYMENT = re.compile(r"([^>=]+)>([^>=]+)=(.+)")


@dataclass(frozen=True, eq=False, repr=False)
class Expectation(Frozen):
    """One `expect` line of a game file, such as `expect pot 300`.

    `subject` names the fact ("pot") and `expected` is the value stated in the line. `actual` computes the
    value from the state of the game, in the same form.
    """

    subject: str
    expected: str
    actual: Callable[[GameState], str]

    def failure(self, state: GameState) -> str:
        """Return a sentence about the difference if the expectation does not hold in `state`, "" if it does.

        Raise RuleError for an unknown player.
        """
        actual = self.actual(state)
        if actual == self.expected:
            return ""
        return f"expected {self.subject} {self.expected or '(none)'}, found {actual or '(none)'}"


def parse_expectation(tokens: Sequence[str]) -> Expectation:
    """Return the expectation written after the word `expect`.

    Raise NotationError if the words fit no form.
    """
    match tokens:
        case ["totals", *pairs] if pairs:
            return _player_expectation("totals", pairs, _total)
        case ["round", *pairs] if pairs:
            return _player_expectation("round", pairs, _last_round)
        case ["seats", *pairs] if pairs:
            return _player_expectation(
                "seats", pairs, lambda state, player: str(state.player(player).seat), _seat
            )
        case ["net", *pairs] if pairs:
            return _player_expectation("net", pairs, _net)
        case ["reentry", *pairs] if pairs:
            return _player_expectation("reentry", pairs, _reentry, _total_and_fee)
        case ["pot", amount]:
            return Expectation("pot", str(parse_number(amount)), lambda state: str(pot_amount(state)))
        case ["dealer", player]:
            return Expectation("dealer", parse_id(player), lambda state: state.dealer or "")
        case ["contract", name]:
            return Expectation("contract", name, lambda state: state.contract or "")
        case ["playing"]:
            return Expectation("game", "playing", _course)
        case ["over", reason] if reason in set(Reason):
            return Expectation("game", f"over {reason}", _course)
        case ["winners", *players]:
            return Expectation("winners", _join_sorted(_distinct_ids(players)), _winners)
        case ["transfers", *payments]:
            return Expectation(
                "transfers", _join_sorted(_payment(payment) for payment in payments), _payments
            )
        case ["doubt" | "no_doubt" as expected]:
            return Expectation("round", expected, _doubt)
        case _:
            raise NotationError(
                _(
                    "“{text}” is not something to expect. Use expect {forms}.",
                    text=" ".join(tokens),
                    forms=" · ".join(_nearest_forms_first(tokens)),
                )
            )


def _nearest_forms_first(tokens: Sequence[str]) -> list[str]:
    """Return an example of every expectation, first those that begin almost like `tokens`."""
    from difflib import get_close_matches  # rarely needed, and slow to import

    names = {form.split()[0]: form for form in _FORMS}
    near = get_close_matches(tokens[0][:_MAX_NAME_LENGTH] if tokens else "", names)
    return [*(names[name] for name in near), *(form for name, form in names.items() if name not in near)]


def _player_expectation(
    subject: str,
    tokens: Sequence[str],
    actual: Callable[[GameState, PlayerId], str],
    read: Callable[[str], str] = lambda text: str(parse_number(text)),
) -> Expectation:
    expected = parse_pairs(tokens, read)
    return Expectation(
        subject,
        _pairs(expected),
        lambda state: _pairs({player: actual(state, player) for player in expected}),
    )


def _pairs(values: Mapping[PlayerId, str]) -> str:
    return " ".join(f"{player}={value}" for player, value in values.items())


def _join_sorted(items: Iterable[str]) -> str:
    return " ".join(sorted(items))


def _total(state: GameState, player: PlayerId) -> str:
    return str(state.player(player).total)


def _last_round(state: GameState, player: PlayerId) -> str:
    points = state.rounds[-1].points if state.rounds else {}
    if player not in points:
        state.player(player)
    return str(points.get(player, "no score"))


def _net(state: GameState, player: PlayerId) -> str:
    state.player(player)
    return str(nets(state)[player])


def _reentry(state: GameState, player: PlayerId) -> str:
    seat = state.player(player)
    if seat.seat is not Seat.PENDING:
        return str(seat.seat)
    return f"{seat.reentry_total}/{reentry_fee(state, player)}"


def _total_and_fee(text: str) -> str:
    total, slash, fee = text.partition("/")
    if not slash:
        raise NotationError(_("“{text}” should read TOTAL/FEE.", text=text))
    return f"{parse_number(total)}/{parse_number(fee)}"


def _seat(text: str) -> str:
    if text not in set(Seat):
        raise NotationError(
            _("“{text}” is not the state of a seat. Use in, pending, out, sits_out or left.", text=text)
        )
    return text


def _course(state: GameState) -> str:
    return f"over {state.outcome.reason}" if state.outcome else "playing"


def _winners(state: GameState) -> str:
    return _join_sorted(state.outcome.winners if state.outcome else ())


def _distinct_ids(tokens: Sequence[str]) -> Sequence[str]:
    players = [parse_id(word) for word in tokens]
    if len(set(players)) != len(players):
        raise NotationError(_("Someone is named twice."))
    return players


def _payment(text: str) -> str:
    match = _PAYMENT.fullmatch(text)
    if match is None:
        raise NotationError(_("“{text}” should read A>B=N.", text=text))
    return f"{parse_id(match[1])}>{parse_id(match[2])}={parse_number(match[3])}"


def _payments(state: GameState) -> str:
    return _join_sorted(f"{paid.payer}>{paid.payee}={paid.amount}" for paid in payments(state))


def _doubt(state: GameState) -> str:
    return "doubt" if state.rounds and state.rounds[-1].doubts else "no_doubt"
