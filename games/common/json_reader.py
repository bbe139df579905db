"""A reader for JSON objects that checks the types of their fields and reports where an error is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
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
    """A reader of a JSON object that may have only the fields `names`.

    An unknown field raises InvalidFile, and so does reading a field that is missing or has another type.
    """

    def __init__(self, value: object, *names: str) -> None:
        if not isinstance(value, dict):
            raise InvalidFile(_("This must be an object."))
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
            raise self._wrong(name, _("a list"))
        if len(values) > most:
            problem = _("“{name}” has more than {most} entries.", name=name, most=most)
            raise InvalidFile(problem)
        return values

    def text(self, name: str, *, longest: int) -> str:
        """Return a line of at most `longest` characters."""
        text = self.part(name)
        if not isinstance(text, str) or len(text) > longest:
            raise self._wrong(name, _("text of at most {longest} characters", longest=longest))
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
        number = self.part(name)
        if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
            raise self._wrong(name, _("a whole number from {least} to {most}", least=least, most=most))
        return number

    def truth(self, name: str) -> bool:
        value = self.part(name)
        if not isinstance(value, bool):
            raise self._wrong(name, _("true or false"))
        return value

    def day(self, name: str) -> date:
        try:
            return _in_range(date.fromisoformat(self.part(name)))
        except (TypeError, ValueError):
            raise self._wrong(name, _("a day like 2024-05-31")) from None

    def moment(self, name: str) -> datetime:
        """Return a moment in UTC. The text may have any offset, but needs one: 2024-05-31T23:15:00+00:00."""
        try:
            moment = datetime.fromisoformat(self.part(name))
            if moment.tzinfo is None:
                raise ValueError
            return _in_range(moment.astimezone(UTC))
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(name, _("a date and time like 2024-05-31T23:15:00+00:00")) from None

    def moment_or_none(self, name: str) -> datetime | None:
        return None if self.part(name) is None else self.moment(name)

    def _wrong(self, name: str, expected: Text) -> InvalidFile:
        return InvalidFile(_("“{name}” should be {expected}.", name=name, expected=expected))


def _in_range(day: Day) -> Day:
    if not days.FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError
    return day
