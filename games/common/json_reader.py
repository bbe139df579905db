"""A reader for JSON objects that checks the types of their fields and reports where an error is."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import chain
from typing import Any, TypeVar

from games.common import days, locks
from games.models import KEY_LENGTH
from games.scoring.errors import ScoringError
from games.scoring.i18n import Text, _
from games.scoring.text_line import clean_line

LAST_YEAR = 2200

Day = TypeVar("Day", bound=date)


class InvalidFile(Exception):
    """A file is invalid; `problems` are the reasons."""

    def __init__(self, *problems: Text) -> None:
        super().__init__(*map(str, problems))
        self.problems = problems


@contextmanager
def error_at(where: Text) -> Iterator[None]:
    """Prefix every problem raised inside the `with` block with `where`, the name of a place in the file.

    A ScoringError or RecursionError in the block becomes an InvalidFile.
    """
    try:
        yield
    except (InvalidFile, ScoringError) as error:
        problems = error.problems if isinstance(error, InvalidFile) else (error.text,)
        raise InvalidFile(
            *(_("{where}: {problem}", where=where, problem=problem) for problem in problems)
        ) from None
    except RecursionError:
        problem = _("The body is nested too deeply.")
        raise InvalidFile(_("{where}: {problem}", where=where, problem=problem)) from None


class JsonObjectReader:
    """A reader of a JSON object that may have only the fields `names`; None allows any.

    An unknown field raises InvalidFile, and so does reading a field that is missing or has another type. Pass
    a set or mapping that exists already: one built for each object would take quadratic time.
    """

    def __init__(self, value: object, names: Container[str] | None = None) -> None:
        if not isinstance(value, dict):
            raise InvalidFile(_("This must be an object."))
        if names is not None:
            for name in value:
                if name not in names:
                    raise InvalidFile(_("“{name}” is unknown here.", name=str(name)[:40]))
        self._parts: Mapping[str, Any] = value

    def has(self, name: str) -> bool:
        return name in self._parts

    def part(self, name: str) -> Any:
        """Return the field's value without checking its type."""
        if name not in self._parts:
            raise InvalidFile(_("“{name}” is missing.", name=name))
        return self._parts[name]

    def read_list(self, name: str, *, most: int) -> list[Any]:
        values = self.part(name)
        if not isinstance(values, list):
            raise _wrong_value(name, _("a list"))
        if len(values) > most:
            problem = _("“{name}” has more than {most} entries.", name=name, most=most)
            raise InvalidFile(problem)
        return values

    def text(self, name: str, *, longest: int) -> str:
        """Return a line of at most `longest` characters."""
        text = self.part(name)
        if not isinstance(text, str) or len(text) > longest:
            raise _wrong_value(name, _("text of at most {longest} characters", longest=longest))
        if not text.isprintable():
            with error_at(_("“{name}”", name=name)):
                clean_line(text, longest=longest, field=name)
        return text

    def name(self, name: str, *, longest: int) -> str:
        """Return a line that is a name. A blank one, invisible characters and double quotes are invalid."""
        text = self.text(name, longest=longest)
        if not text.strip():
            raise InvalidFile(_("Enter a name."))
        with error_at(_("“{name}”", name=name)):
            clean_line(text, longest=longest, field=name, quoted=True)
        return text

    def key(self, name: str) -> str:
        key = self.text(name, longest=KEY_LENGTH)
        with error_at(_("“{name}”", name=name)):
            locks.check_key(key)
        return key

    def whole(self, name: str, *, least: int, most: int) -> int:
        return read_whole(name, self.part(name), least=least, most=most)

    def truth(self, name: str) -> bool:
        value = self.part(name)
        if not isinstance(value, bool):
            raise _wrong_value(name, _("true or false"))
        return value

    def day(self, name: str) -> date:
        try:
            return _in_range(date.fromisoformat(self.part(name)))
        except (TypeError, ValueError):
            raise _wrong_value(name, _("a day like 2024-05-31")) from None

    def moment(self, name: str) -> datetime:
        """Return a moment in UTC. The text may have any offset, but needs one: 2024-05-31T23:15:00+00:00."""
        try:
            moment = datetime.fromisoformat(self.part(name))
            if moment.tzinfo is None:
                raise ValueError
            return _in_range(moment.astimezone(UTC))
        except (TypeError, ValueError, OverflowError):
            raise _wrong_value(name, _("a date and time like 2024-05-31T23:15:00+00:00")) from None

    def moment_or_none(self, name: str) -> datetime | None:
        return None if self.part(name) is None else self.moment(name)


def read_whole(name: str, value: object, *, least: int, most: int) -> int:
    """Return this value of the field `name`. Raise InvalidFile unless it is a whole number between the limits."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise _wrong_value(name, _("a whole number from {least} to {most}", least=least, most=most))
    return value


def _wrong_value(name: str, expected: Text) -> InvalidFile:
    return InvalidFile(_("“{name}” should be {expected}.", name=name, expected=expected))


def walk(value: object) -> Iterator[object]:
    """Yield a JSON value and everything nested in it, including the keys of objects, outermost first."""
    return chain.from_iterable(walk_levels(value))


def walk_levels(value: object) -> Iterator[list[object]]:
    """Yield the same as `walk`, in a list for each level of nesting."""
    level = [value]
    while level:
        yield level
        level = list(inside(level))


def inside(level: Iterable[object]) -> Iterator[object]:
    """Yield the keys, values and items of these JSON values."""
    for value in level:
        if isinstance(value, dict):
            yield from value
            yield from value.values()
        elif isinstance(value, list):
            yield from value


def _in_range(day: Day) -> Day:
    if not days.FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError
    return day
