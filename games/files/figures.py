"""Read words, dates and numbers as people write them: 31/5/24, 2024-05-31, $ 1.250,50, −300, (300), 2º."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

# A weekday may stand before a date, and a time after it.
_YEAR_LAST = re.compile(r"(?:\w+[.,]*\s+)?(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[T ,].*)?", re.DOTALL)
_YEAR_FIRST = re.compile(r"(?:\w+[.,]*\s+)?(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[T ,].*)?", re.DOTALL)
_FIGURE = re.compile(
    r"[^\d+−–-]*(?P<sign>[+−–-]?)[^\d+−–-]*(?P<digits>\d[\d.,]*?)[.,]?[^\d+−–-]*(?P<behind>[−–-]?)"
)
# A decimal sign with nothing before it, as in `$ .50`; not the end of a unit such as Gs. or S/.
_NO_UNITS = re.compile(r"(?<![\w.,/])(?=[.,]\d)")
_LONGEST = 40  # the most characters of a cell with a number
_ABSENT = {"", "x", "no", "na", "n/a", "ausente", "absent"}
CENTURY = 2000


def folded(text: str) -> str:
    """Return the text in lower case, without accents, and without punctuation at its ends."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return " ".join(plain.casefold().split()).strip(" .:*")


def read_day(text: str, *, is_month_first: bool = False) -> date | None:
    """Return the date in this text, or None if it is no date.

    The order is day, month, year, or month, day, year if `is_month_first`, unless the year comes first.
    """
    written = text.strip()
    if match := _YEAR_LAST.fullmatch(written):
        day, month, year = match.groups()
        if is_month_first:
            day, month = month, day
    elif match := _YEAR_FIRST.fullmatch(written):
        year, month, day = match.groups()
    else:
        return None
    try:
        return date(int(year) + (CENTURY if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def write_day(day: date, *, is_month_first: bool) -> str:
    """Return an example of a date as `read_day` reads it: 31/5/2024 or 5/31/2024."""
    first, second = (day.month, day.day) if is_month_first else (day.day, day.month)
    return f"{first}/{second}/{day.year}"


def is_absent(text: str) -> bool:
    """Return whether this cell means that the player was absent: it is empty, a dash, *x*, *ausente*."""
    return text.strip().casefold().strip(".-−–— ") in _ABSENT


def read_figure(text: str, decimals: int = 0) -> int | None:
    """Return the number in this text times `10 ** decimals`; None if it is no number or has more decimals."""
    if len(text) > _LONGEST:
        return None
    written = re.sub(r"(?<=\d)[\s'’](?=\d)", "", text.strip())
    is_negative = written.startswith("(") and written.endswith(")")
    match = _FIGURE.fullmatch(_NO_UNITS.sub("0", written[1:-1] if is_negative else written))
    if match is None or (match["sign"] and match["behind"]):
        return None
    whole, part = _parted(match["digits"], decimals)
    if not whole.isdigit() or not re.fullmatch(r"\d*", part) or part[decimals:].strip("0"):
        return None
    amount = int(whole + part[:decimals].ljust(decimals, "0"))
    return -amount if is_negative or match["behind"] or match["sign"] not in ("", "+") else amount


def _parted(digits: str, decimals: int) -> tuple[str, str]:
    """Return the digits before and after the decimal comma or point, without thousands separators.

    The last comma or point is decimal if it occurs once, and not before exactly three digits. Before three
    digits it separates thousands, except in two cases: the text has both signs (1.250,125), or it is a comma
    and the table's amounts have three decimals. Return two empty texts if the separators make no sense.
    """
    place = max(digits.rfind("."), digits.rfind(","))
    if place < 0:
        return digits, ""
    mark, part = digits[place], digits[place + 1 :]
    is_alone = digits.count(mark) == 1
    is_decimal = is_alone and (
        len(part) != 3 or ("." in digits and "," in digits) or (decimals == 3 and mark == ",")
    )
    whole, part = (digits[:place], part) if is_decimal else (digits, "")
    between = ({".", ","} & set(whole)) or {""}
    if len(between) > 1:
        return "", ""
    (between_thousands,) = between
    if between_thousands and not re.fullmatch(rf"\d{{1,3}}(?:{re.escape(between_thousands)}\d{{3}})+", whole):
        return "", ""
    return whole.replace(between_thousands, "") if between_thousands else whole, part
