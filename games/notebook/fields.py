"""The parts of a JSON object, each read as what it must be; what is wrong is said with the place where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from games.nights import FIRST_YEAR
from games.scoring.errors import ScoringError
from games.scoring.one_line import JOINER, NON_JOINER, one_line
from games.scoring.words import Text, _

LAST_YEAR = 2200

# Until there was one law for every line, names could have joiners anywhere, and nothing else that is not seen.
_JOINERS = str.maketrans("", "", JOINER + NON_JOINER)

Day = TypeVar("Day", bound=date)


class Unreadable(Exception):
    """What is wrong with a file, in sentences, and the part it is about where that is one."""

    def __init__(self, *problems: Text, field: str = "") -> None:
        super().__init__(*map(str, problems))
        self.problems = problems
        self.field = field


@contextmanager
def found_in(where: Text, field: str = "") -> Iterator[None]:
    """Says of whatever is wrong inside where it is; `field` is the part, where it is one."""
    try:
        yield
    except (Unreadable, ScoringError) as error:
        told = error.problems if isinstance(error, Unreadable) else (error.text,)
        raise Unreadable(
            *(_("{where}: {problem}", where=where, problem=problem) for problem in told), field=field
        ) from None
    except RecursionError:
        problem = _("Too many parts are nested inside one another.")
        raise Unreadable(_("{where}: {problem}", where=where, problem=problem)) from None


class Fields:
    """A JSON object whose parts are asked for by name; Unreadable where one is missing or something else."""

    def __init__(self, value: object, *names: str) -> None:
        if not isinstance(value, dict):
            raise Unreadable(_("This should be an object with named parts."))
        for name in value:
            if name not in names:
                raise Unreadable(_("“{name}” is not known here.", name=str(name)[:40]), field=str(name)[:40])
        self._parts: Mapping[str, Any] = value

    def has(self, name: str) -> bool:
        """Whether the part is there."""
        return name in self._parts

    def part(self, name: str) -> Any:
        """The part as it stands."""
        if name not in self._parts:
            raise Unreadable(_("“{name}” is missing.", name=name), field=name)
        return self._parts[name]

    def list_of(self, name: str, *, most: int) -> list[Any]:
        """A list with not too many values."""
        found = self.part(name)
        if not isinstance(found, list):
            raise self._wrong(name, _("a list"))
        if len(found) > most:
            problem = _("“{name}” has more than {most} entries.", name=name, most=most)
            raise Unreadable(problem, field=name)
        return found

    def text(self, name: str, *, longest: int, quoted: bool = False) -> str:
        """A text in one line, as the law has it today or as it was possible to write one before."""
        found = self.part(name)
        if not isinstance(found, str) or len(found) > longest:
            raise self._wrong(name, _("a text of at most {longest} letters", longest=longest))
        if not found.translate(_JOINERS).isprintable() or (quoted and '"' in found):
            with found_in(_("“{name}”", name=name), name):
                one_line(found, longest=longest, field=name, quoted=quoted)
        return found

    def name(self, name: str, *, longest: int) -> str:
        """Such a text that somebody, or something, is called."""
        found = self.text(name, longest=longest, quoted=True)
        if not found.strip():
            raise Unreadable(_("A name is missing."), field=name)
        return found

    def whole(self, name: str, *, least: int, most: int) -> int:
        """A whole number between these, both included."""
        found = self.part(name)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise self._wrong(name, _("a whole number from {least} to {most}", least=least, most=most))
        return found

    def whole_or_none(self, name: str, *, least: int, most: int) -> int | None:
        """Such a number, or null."""
        return None if self.part(name) is None else self.whole(name, least=least, most=most)

    def truth(self, name: str) -> bool:
        """Whether something is so."""
        found = self.part(name)
        if not isinstance(found, bool):
            raise self._wrong(name, _("true or false"))
        return found

    def day(self, name: str) -> date:
        """A day: 2024-05-31."""
        try:
            return _in_range(date.fromisoformat(self.part(name)))
        except (TypeError, ValueError):
            raise self._wrong(name, _("a day like 2024-05-31")) from None

    def day_or_none(self, name: str) -> date | None:
        """A day, or null."""
        return None if self.part(name) is None else self.day(name)

    def moment(self, name: str) -> datetime:
        """A day and a time with its distance from Greenwich: 2024-05-31T23:15:00+00:00."""
        try:
            found = datetime.fromisoformat(self.part(name))
            if found.tzinfo is None:
                raise ValueError
            return _in_range(found.astimezone(UTC))
        except (TypeError, ValueError, OverflowError):
            raise self._wrong(name, _("a moment like 2024-05-31T23:15:00+00:00")) from None

    def moment_or_none(self, name: str) -> datetime | None:
        """A moment, or null."""
        return None if self.part(name) is None else self.moment(name)

    def _wrong(self, name: str, expected: Text) -> Unreadable:
        return Unreadable(_("“{name}” should be {expected}.", name=name, expected=expected), field=name)


def _in_range(day: Day) -> Day:
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError
    return day
