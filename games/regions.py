"""Nine regions, and the formats of numbers, money and dates in each.

`regions.json` is made from the CLDR by `tests/regions.py`, with the names of days and the
plural forms of each language. The region in use is that of the table that was opened, else
the reader's. Older tables have no region: there the language decides.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path

from django.http import HttpRequest
from django.utils.translation import get_language

NO_BREAK = "\u00a0"


@dataclass(frozen=True)
class Region:
    """The formats of a region, and the `units` of money that a new table is offered there.

    `group` and `decimal` are the separators of a number. `money` is a pattern with ¤ for the unit and 0 for
    the number. `date` and `day` are Django's formats of a date in digits; `words` and `words_of_year` are
    patterns of a date with its month in words. `day` and `words` leave the year out. `name` is "" if the
    formats follow from the language alone.
    """

    name: str
    group: str
    decimal: str
    money: str
    date: str
    day: str
    words: str
    words_of_year: str
    units: Sequence[str]

    @property
    def is_month_first(self) -> bool:
        """True if a date in digits begins with the month."""
        return self.date.startswith("m")

    def number(self, size: int, part: str = "") -> str:
        """Return a whole number with its thousands separated, and the decimal digits `part`, if any."""
        whole = f"{size:,}".replace(",", self.group)
        return f"{whole}{self.decimal}{part}" if part else whole

    def amount(self, figure: str, unit: str) -> str:
        """Return a formatted number with its unit of money. A unit that is a word follows the number."""
        if unit.isalpha():
            return f"{figure}{NO_BREAK}{unit}"
        # A unit that ends in no symbol, like S/ or U$S, never touches its figure (CLDR: currencySpacing).
        is_apart = NO_BREAK in self.money or not unicodedata.category(unit[-1]).startswith("S")
        between = NO_BREAK if is_apart else ""
        return f"{unit}{between}{figure}" if self.money.startswith("¤") else f"{figure}{between}{unit}"


@dataclass(frozen=True)
class LocaleData:
    """A language's short names of the weekdays, from Monday, and of the months, and its plural forms.

    `plurals` maps each plural form of whole numbers to the lowest number with that form: in English, “one” to
    1 and “other” to 0.
    """

    weekdays: Sequence[str]
    months: Sequence[str]
    plurals: Mapping[str, int]


def _read() -> tuple[Mapping[str, Region], Mapping[str, str], Mapping[str, LocaleData]]:
    """Return the content of `regions.json` as three mappings.

    They hold the regions by name; for other locales, the name of the region whose formats they use (“es-MX”
    for “es-CU”); and the data of each language by its code.
    """
    parts = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="ascii"))
    like, languages = parts.pop("like"), parts.pop("languages")
    regions = {name: Region(name, **part) for name, part in parts.items()}
    return regions, like, {language: LocaleData(**part) for language, part in languages.items()}


REGIONS, _LIKE, _LANGUAGES = _read()
_OF_LANGUAGE = {
    language: replace(REGIONS[region], name="", money=REGIONS["es-AR"].money, units=("$",))
    for language, region in {"es": "es-AR", "en": "en-GB"}.items()
}
_active: ContextVar[str] = ContextVar("region", default="")


def activate_region(name: str) -> None:
    """Use the formats of this region, "" for those of the reader's language, until another is activated."""
    _active.set(name)


@contextmanager
def formats_of(name: str) -> Iterator[None]:
    """Use the formats of this region in the `with` block, as for each table on a page that shows several."""
    token = _active.set(name)
    try:
        yield
    finally:
        _active.reset(token)


def current_region() -> Region:
    """Return the region in use."""
    return region_named(_active.get())


def region_named(name: str) -> Region:
    """Return the region with this name; if there is none, the formats of the active language."""
    return REGIONS.get(name) or _OF_LANGUAGE.get(_language(), _OF_LANGUAGE["en"])


def locale_data() -> LocaleData:
    """Return the weekdays, months and plural forms of the active language."""
    return _LANGUAGES.get(_language(), _LANGUAGES["en"])


def _language() -> str:
    """Return the active language without its country."""
    return (get_language() or "").partition("-")[0]


def reader_region(request: HttpRequest) -> str:
    """Return the region that the reader's phone names first in `Accept-Language`; "" if it is none of ours.

    Return "" too if the page is in another language: in a Spanish sentence, nobody reads 11/12 as a day of
    November. A table's own region is used in every language.
    """
    accepted = request.headers.get("Accept-Language", "")
    spoken, _dash, country = accepted.split(",")[0].split(";")[0].strip().partition("-")
    name = f"{spoken.lower()}-{country.upper()}"
    is_read = _language() == spoken.lower()
    return (name if name in REGIONS else _LIKE.get(name, "")) if is_read else ""
