"""Reading the events and the house rules of a request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.common import amounts, json_reader, texts
from games.common.api import problems
from games.common.api.problems import ApiProblem
from games.models import HAND_LENGTH
from games.play.api.fields import DIRECTIONS
from games.scoring.errors import NotationError, RuleError
from games.scoring.events import Event
from games.scoring.i18n import _
from games.scoring.option_checks import check_options
from games.scoring.options import House, Variant
from games.scoring.rule_types import Value
from games.scoring.text.codec import from_data, to_data
from games.scoring.text.describe import describe
from games.scoring.text.notation import parse_line
from games.scoring.text_line import JOINER, NON_JOINER, clean_line
from games.scoring.variants import get_variant

_JOINERS = str.maketrans("", "", JOINER + NON_JOINER)  # allowed, because stored names may have them


def parse_events(values: Sequence[Mapping[str, Any]], *, most: int) -> Iterator[Event]:
    """Yield the events of a body, as `EventInputSerializer` has parsed them.

    One value may be a line of notation with several events. Raise ApiProblem for more than `most` events, and
    for the first value that is not an event; the problem names its position.
    """
    showable, count = _are_printable(values), 0
    for number, value in enumerate(values, start=1):
        events = (
            _parse_line(value["line"], number)
            if "line" in value
            else (_parse_event(value["kind"], value["data"], number, showable=showable),)
        )
        count += len(events)
        if count > most:
            raise ApiProblem(
                "too_much", _("At most {most} statements can be sent at once.", most=most), field="events"
            )
        yield from events


def _parse_event(kind: str, data: Any, number: int, *, showable: bool) -> Event:
    """Return the event of this kind with these data; raise ApiProblem if either is invalid.

    `number` is the event's position in the request, from 1. If `showable` is True, the caller has checked
    that no text of the event is too long or has invisible letters.
    """
    with problems.as_problem("events", pointer=json_pointer(number)):
        if not showable:
            _check_printable(data)
        return from_data(kind, data)


def _parse_line(line: str, number: int) -> tuple[Event, ...]:
    """Return the events of a line of notation; raise ApiProblem if it cannot be read.

    `number` is the position of the line in the request, from 1.
    """
    with problems.as_problem("events", pointer=json_pointer(number, "/line")):
        events = parse_line(line)
        if not events:
            raise NotationError(_("This line is empty."))
        for event in events:
            _check_printable(to_data(event))
        return events


def _are_printable(value: object) -> bool:
    """Return whether every text in the value is short enough and has no invisible letters.

    One check of all events together is faster than one for each.
    """
    strings = [text for text in json_reader.walk(value) if isinstance(text, str)]
    longest = max(map(len, strings), default=0)
    return longest <= HAND_LENGTH and "".join(strings).translate(_JOINERS).isprintable()


def _check_printable(parts: object) -> None:
    """Raise RuleError for the first text that is too long or has invisible letters."""
    for text in json_reader.walk(parts):
        if isinstance(text, str) and not _are_printable(text):
            clean_line(text, longest=HAND_LENGTH, field="events")


def json_pointer(number: int, part: str = "") -> str:
    """Return the JSON pointer to an event of a request body; for the first event (`number` 1) "#/events/0".

    `part` is a JSON pointer inside the event, such as "/line"; "" points to the whole event.
    """
    return f"#/events/{number - 1}{part}"


def parse_house(data: Mapping[str, Any]) -> tuple[Variant, House]:
    """Return the variant and all its house rules, from the fields `variant` and `options` of a body.

    Options that were not sent have their defaults. Raise ApiProblem for an unknown variant, option or value.
    """
    with problems.as_problem("variant"):
        variant = get_variant(data["variant"])
    with problems.as_problem("options"):
        return variant, build_house(variant, data.get("options", {}))


def build_house(variant: Variant, chosen: Mapping[str, Value]) -> House:
    """Return all house rules of the variant: the chosen values, and the defaults for all other options.

    Raise RuleError for an unknown option or value, or if the values contradict each other.
    """
    house = variant.house(chosen)
    check_options(variant, house)
    variant.build(house)
    return house


def parse_direction(variant: Variant, given: str) -> str:
    """Return `given`, the direction of the deal; if it is "", the default of the variant.

    Raise RuleError unless `given` is "left", "right" or "".
    """
    if given not in ("", *DIRECTIONS):
        raise RuleError(_("The deal can go to the left or to the right."), field="direction")
    return given or variant.direction


def rule_sentences(variant: Variant, house: House, direction: str) -> list[str]:
    """Return the rules as sentences in the reader's language.

    Amounts are bare whole numbers of the smallest coin, because without a table there is no currency.
    """
    return [texts.translate(sentence, amounts.points) for sentence in describe(variant, house, direction)]
