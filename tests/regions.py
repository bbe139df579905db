"""Make `games/regions.json` from the CLDR: each region's numbers, money and days, each language's names and plurals.

`python -m tests.regions` writes the file. Where the CLDR and the people of a region differ, `OURS` wins. The CLDR
leaves a number of four digits undivided in some regions; ours always have their thousands separated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from babel import Locale, localedata
from babel.numbers import get_currency_symbol, get_territory_currencies

FILE = Path(__file__).parents[1] / "games" / "regions.json"
LANGUAGES = ("es", "en")  # those in whose words days are shown, the first part of the codes in settings
REGIONS = ("es-AR", "es-ES", "es-MX", "es-CR", "es-CL", "es-PE", "es-PY", "en-GB", "en-US")
OURS: Mapping[str, Mapping[str, object]] = {
    "es-AR": {"money": "¤\u00a00", "units": ["$", "U$S"]},
    "es-PY": {"units": ["Gs.", "U$S"]},
}
PADDED, BARE = {"d": "d", "M": "m", "y": "Y"}, {"d": "j", "M": "n"}  # as Django's date formats name them


def generated() -> str:
    """Return the content of the file."""
    parts = {name: {**_written_in(Locale.parse(name, sep="-")), **OURS.get(name, {})} for name in REGIONS}
    languages = {language: _data_of(Locale(language)) for language in LANGUAGES}
    rows = {**parts, "like": _like(parts), "languages": languages}
    lines = [f'  "{name}": {json.dumps(part)}' for name, part in rows.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _written_in(locale: Locale) -> dict[str, object]:
    symbols = locale.number_symbols.get("latn") or locale.number_symbols
    currency = get_territory_currencies(str(locale.territory))[0]
    skeletons = {name: str(pattern) for name, pattern in locale.datetime_skeletons.items()}
    is_month_first = skeletons["MMMd"].index("M") < skeletons["MMMd"].index("d")
    return {
        "group": symbols["group"],
        "decimal": symbols["decimal"],
        "money": re.sub(r"#,##0\.00|;.*", lambda part: "0" * (part[0][0] == "#"), _pattern(locale)),
        "date": _in_figures(skeletons["yMd"], PADDED),
        "day": _in_figures(skeletons["Md"], BARE),
        "words": "{weekday}, {month} {day}" if is_month_first else "{weekday} {day} {month}",
        "words_of_year": "{weekday}, {month} {day}, {year}"
        if is_month_first
        else "{weekday} {day} {month} {year}",
        "units": [get_currency_symbol(currency, locale)],
    }


def _data_of(locale: Locale) -> dict[str, object]:
    days, months = locale.days["format"]["abbreviated"], locale.months["format"]["abbreviated"]
    plurals = {locale.plural_form(number): number for number in reversed(range(201))}
    return {
        "weekdays": [days[day] for day in range(7)],
        "months": [months[month] for month in range(1, 13)],
        "plurals": dict(sorted(plurals.items())),
    }


def _pattern(locale: Locale) -> str:
    return str(locale.currency_formats["standard"].pattern)


def _in_figures(pattern: str, letters: Mapping[str, str]) -> str:
    """Return the order and the separators of the pattern, its letters as Django names them."""
    return re.sub(r"([dMy])\1*", lambda part: letters[part[1]], pattern)


def _like(parts: Mapping[str, Mapping[str, object]]) -> dict[str, str]:
    """Return for other Spanish regions the first of ours where everything but the units is written the same."""
    like: dict[str, str] = {}
    for identifier in sorted(localedata.locale_identifiers()):
        name = identifier.replace("_", "-")
        if re.fullmatch(r"es-[A-Z]{2}", name) and name not in parts:
            written = _but_units(_written_in(Locale.parse(identifier)))
            same = [ours for ours, part in parts.items() if _but_units(part) == written]
            like.update((name, ours) for ours in same[:1])
    return {"es-419": "es-MX", **like}  # Latin America without a country, which has no currency


def _but_units(part: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in part.items() if key != "units"}


if __name__ == "__main__":
    FILE.write_text(generated(), encoding="ascii")
