"""Days and numbers as people write them into notebooks: 31/5/24, 2024-05-31, $ 1.250,50, −300, (300), 2º."""

from __future__ import annotations

import re
from datetime import date

# A weekday may stand before a day, a time after it.
_DAY_FIRST = re.compile(r"(?:\w+[.,]*\s+)?(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[T ,].*)?", re.DOTALL)
_YEAR_FIRST = re.compile(r"(?:\w+[.,]*\s+)?(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[T ,].*)?", re.DOTALL)
_FIGURE = re.compile(
    r"[^\d+−–-]*(?P<sign>[+−–-]?)[^\d+−–-]*(?P<digits>\d[\d.,]*?)[.,]?[^\d+−–-]*(?P<behind>[−–-]?)"
)
_LONGEST = 40  # letters of a number with whatever stands around it
_ABSENT = {"", "x", "no", "na", "n/a", "ausente", "absent"}
CENTURY = 2000


def read_day(text: str) -> date | None:
    """The day; its month stands after it, unless the year comes first. None where `text` is none."""
    written = text.strip()
    if found := _DAY_FIRST.fullmatch(written):
        day, month, year = found.groups()
    elif found := _YEAR_FIRST.fullmatch(written):
        year, month, day = found.groups()
    else:
        return None
    try:
        return date(int(year) + (CENTURY if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def is_absent(text: str) -> bool:
    """Whether a cell says that somebody did not play: nothing, a stroke, a cross."""
    return text.strip().casefold().strip(".-−–— ") in _ABSENT


def read_figure(text: str, decimals: int = 0) -> int | None:
    """The number, in units of which `10 ** decimals` are a whole one; None where `text` is none, or finer than that."""
    if len(text) > _LONGEST:
        return None
    written = re.sub(r"(?<=\d)[\s'’](?=\d)", "", text.strip())
    is_negative = written.startswith("(") and written.endswith(")")
    found = _FIGURE.fullmatch(written[1:-1] if is_negative else written)
    if found is None or (found["sign"] and found["behind"]):
        return None
    whole, part = _parted(found["digits"], decimals)
    if not whole.isdigit() or not re.fullmatch(r"\d*", part) or part[decimals:].strip("0"):
        return None
    amount = int(whole + part[:decimals].ljust(decimals, "0"))
    return -amount if is_negative or found["behind"] or found["sign"] not in ("", "+") else amount


def _parted(digits: str, decimals: int) -> tuple[str, str]:
    """What stands before and after the decimal comma or point, the one between thousands taken out.

    Before three digits it stands between thousands, unless the table counts in thousandths and it is a comma.
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
