"""Nine regions and their formats of numbers, money and days. Babel's differ from what the people there write.

The region in use is that of the open table, or the reader's if no table is open. A table without a region
uses the formats of the reader's language. Middleware activates the reader's region, and checking the access
to a table (`games/tables/services/authorization.py`) activates the table's.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language, get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

NO_BREAK = "\u00a0"


@dataclass(frozen=True)
class Region:
    """A region and its formats; its name is "" if they follow from the language alone.

    Dates are in Django's format language. In some regions the CLDR does not group numbers of four digits;
    here every thousand is separated.
    """

    name: str
    group: str  # the separator of thousands
    decimal: str
    money: str = "¤\u00a00"  # with ¤ for the unit and 0 for the number
    date: str = "d/m/Y"
    day: str = "j/n"
    long_day: str = "D j b"  # a day with weekday and month in words, without its year
    long_date: str = "D j b Y"

    @property
    def is_month_first(self) -> bool:
        return self.date.startswith("m")

    def number(self, size: int, part: str = "") -> str:
        """Return a whole number with separated thousands, followed by the decimal digits `part`, if any."""
        whole = f"{size:,}".replace(",", self.group)
        return f"{whole}{self.decimal}{part}" if part else whole

    def amount(self, figure: str, unit: str) -> str:
        """Return a formatted number with its unit of money. A unit that is a word follows the number.

        A refused form of a new table may lack a unit.
        """
        if not unit:
            return figure
        if unit.isalpha() and unit not in _LETTERS:
            return f"{figure}{NO_BREAK}{unit}"
        # A unit that does not end in a symbol, like S/, never touches its figure (CLDR: currencySpacing).
        is_apart = NO_BREAK in self.money or not unicodedata.category(unit[-1]).startswith("S")
        space = NO_BREAK if is_apart else ""
        return f"{unit}{space}{figure}" if self.money.startswith("¤") else f"{figure}{space}{unit}"


_SPANISH = Region("", group=".", decimal=",")
_ENGLISH = Region("", group=",", decimal=".", money="¤0", long_day="D j M", long_date="D j M Y")
# The CLDR's formats, except where people write otherwise.
REGIONS: Mapping[str, Region] = {
    region.name: region
    for region in (
        replace(_SPANISH, name="es-AR"),
        replace(_SPANISH, name="es-ES", money="0\u00a0¤"),
        replace(_SPANISH, name="es-MX", group=",", decimal=".", money="¤0"),
        replace(_SPANISH, name="es-CR", group=NO_BREAK, money="¤0"),
        replace(_SPANISH, name="es-CL", money="¤0", date="d-m-Y", day="j-n"),
        replace(_SPANISH, name="es-PE", group=",", decimal="."),
        replace(_SPANISH, name="es-PY"),
        replace(_ENGLISH, name="en-GB"),
        Region(
            "en-US",
            group=",",
            decimal=".",
            money="¤0",
            date="m/d/Y",
            day="n/j",
            long_day="D, M j",
            long_date="D, M j, Y",
        ),
    )
}
# For other regions where Spanish is spoken, the first region above with the same numbers and days.
_LIKE = {
    "es-UY": "es-AR",
    **dict.fromkeys(("es-EA", "es-GQ", "es-IC", "es-PH"), "es-ES"),
    **dict.fromkeys(
        [f"es-{country}" for country in ["419", "BR", "BZ", "CU", "DO", "GT", "HN", "NI", "SV", "US"]],
        "es-MX",
    ),
}
# The money offered for a new table in each country: its units, and whether prices have cents.
_PESO, _EURO = ("$",), ("€",)
MONEY: Mapping[str, tuple[Sequence[str], bool]] = {
    **dict.fromkeys(("AR", "UY"), (("$", "U$S"), False)),
    **dict.fromkeys(("CL", "CO"), (_PESO, False)),
    **dict.fromkeys(("MX", "CU", "EC", "SV", "PR", "US"), (_PESO, True)),
    **dict.fromkeys(("ES", "EA", "IC", "AD"), (_EURO, True)),
    "BO": (("Bs",), True),
    "BR": (("R$",), True),
    "BZ": (_PESO, True),
    "CR": (("₡",), False),
    "DO": (("RD$",), True),
    "GB": (("£",), True),
    "GQ": (("FCFA",), False),
    "GT": (("Q",), True),
    "HN": (("L",), True),
    "NI": (("C$",), True),
    "PA": (("B/.",), True),
    "PE": (("S/",), True),
    "PH": (("₱",), True),
    "PY": (("Gs.", "U$S"), False),
    "VE": (("Bs",), True),
}
# The usual stakes where people pay with a sign that several countries share, and with one that belongs to few.
_HUNDREDS, _TENS, _UNITS = (500, 1000, 2000, 5000), (20, 50, 100, 200), (1, 2, 5, 10)
_STAKES: Mapping[str, Sequence[int]] = {
    **dict.fromkeys(("€", "£", "U$S", "B/."), _UNITS),
    **dict.fromkeys(("R$", "S/", "Bs", "Q"), (5, 10, 20, 50)),
    **dict.fromkeys(("L", "C$", "RD$", "₱"), _TENS),
    **dict.fromkeys(("₡", "FCFA"), _HUNDREDS),
    "Gs.": (5000, 10_000, 20_000, 50_000),
}
_PESO_STAKES: Mapping[str, Sequence[int]] = {
    **dict.fromkeys(("AR", "CL", "CO"), _HUNDREDS),
    **dict.fromkeys(("UY", "MX"), _TENS),
    **dict.fromkeys(("US", "EC", "SV", "PR", "BZ", "CU"), _UNITS),
}
_LETTERS = frozenset({"Q", "L", "Bs"})  # signs made of letters, which precede the figure as others do
# Languages of Spain that the pages lack: who reads one of them reads Spain's Spanish.
_OF_SPAIN = frozenset({"ca", "eu", "gl"})
_active: ContextVar[str] = ContextVar("region", default="")
_country: ContextVar[str] = ContextVar("country", default="")


def activate_region(name: str, *, country: str | None = None) -> None:
    """Use the formats of this region, or of the reader's language for "", until another is activated.

    `country` is the reader's, which decides the money offered for a new table; for "" the region's own
    country does. Without `country`, a region brings its own, and "" leaves the reader's.
    """
    _active.set(name)
    if name or country is not None:
        _country.set(country or name.partition("-")[2])


def usual_stakes(unit: str) -> Sequence[int]:
    """Return the stakes that people usually play for in this unit of money; () for chips and unknown units.

    They are whole units, the lowest first. The country in use decides what a $ is worth.
    """
    return _PESO_STAKES.get(_country.get(), ()) if unit in _PESO else _STAKES.get(unit, ())


def local_money() -> tuple[Sequence[str], bool]:
    """Return the units of money of the country in use, and whether prices at its tables have cents."""
    return MONEY.get(_country.get(), (_PESO, False))


@contextmanager
def use_formats(name: str) -> Iterator[None]:
    """Use the formats of this region in the `with` block, as for each table on a page that shows several."""
    token = _active.set(name)
    try:
        yield
    finally:
        _active.reset(token)


def active_region() -> Region:
    return region_named(_active.get())


def region_named(name: str) -> Region:
    """Return the region with this name; if there is none, the formats of the active language."""
    return REGIONS.get(name) or (_SPANISH if active_language() == "es" else _ENGLISH)


def active_language() -> str:
    """Return "es" for any Spanish as the active language, and "en" for all others."""
    return "es" if (get_language() or "").startswith("es") else "en"


def reader_region(request: HttpRequest) -> str:
    """Return the region named first in the phone's `Accept-Language`; "" if we do not have it.

    Return "" too if the page is in another language: in a Spanish sentence, nobody reads 11/12 as a day in
    November. A table's own region is used in every language.
    """
    spoken, country = _preferred_locale(request)
    name = f"{spoken}-{country}"
    is_read = active_language() == spoken
    return (name if name in REGIONS else _LIKE.get(name, "")) if is_read else ""


def _is_of_spain(name: str) -> bool:
    return name.lower().partition("-")[0] in _OF_SPAIN


def _preferred_locale(request: HttpRequest) -> tuple[str, str]:
    """Return the language and country that the phone names first; "" for a part that it does not name.

    Spain's other languages count as its Spanish.
    """
    first = request.headers.get("Accept-Language", "").split(",")[0].split(";")[0].strip()
    if _is_of_spain(first):
        return "es", "ES"
    spoken, *parts = first.split("-")  # some phones name a script in between
    return spoken.lower(), parts[-1].upper() if parts else ""


def reader_country(request: HttpRequest) -> str:
    """Return the country whose money the reader's phone suggests, or "", whatever the page's language."""
    spoken, country = _preferred_locale(request)
    is_known = country in MONEY and (spoken in ("es", "en") or (spoken, country) == ("pt", "BR"))
    return country if is_known else ""


# --- the reader's language --------------------------------------------------------------------------------------------

AT_HOME, ELSEWHERE = "es-ar", "en"  # for a browser that names no language; for one that names none of ours
IN_SPAIN = "es-es"


def reader_language(request: HttpRequest) -> str:
    """Return the language chosen on this phone, or the first in `Accept-Language` that we have.

    If the header names only languages that we lack, return English. Django would use `LANGUAGE_CODE`:
    Spanish, since all Spanish catalogs fall back to it. If it names none, return Argentine Spanish.
    """
    accepted = [
        name for name, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    ]
    for name in (request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""), *accepted):
        with suppress(LookupError):
            return get_supported_language_variant(IN_SPAIN if _is_of_spain(name) else name)
    return ELSEWHERE if set(accepted) - {"*"} else AT_HOME
