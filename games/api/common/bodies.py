"""Bodies: JSON alone, of a bounded size and depth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, NoReturn

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games.api.common.problems import Problem
from games.scoring.words import _

LARGEST = 2**20  # bytes: the file of a game with as many entries as it can hold
DEEPEST = 12  # an event within an event within a game has eight
LONGEST_NUMBER = 30  # digits: far beyond every bound, as in the notation


class JsonParser(BaseParser):
    """A parser of JSON."""

    media_type = "application/json"

    def parse(  # type: ignore[override]  # JSON is any value
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> object:
        """Return the value; raise Problem if it is no JSON, or too large, too deep or too slow."""
        assert parser_context is not None
        content = read_body(stream, parser_context["request"].META)
        try:
            text = content.decode()
            value = json.loads(text, parse_int=_whole, parse_constant=_refuse)
            if "\\ud" in text.lower():
                json.dumps(value, ensure_ascii=False).encode()  # half a letter cannot be written again
        except (ValueError, RecursionError):
            raise Problem("malformed") from None
        if _is_deep(value):
            raise Problem("malformed", _("Too many parts are nested inside one another."))
        return value


class JsonAlone(BaseContentNegotiation):
    """A content negotiation that always answers JSON: there is nothing to choose from."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return the parser for the media type that was sent, or None."""
        sent = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the first renderer and its media type."""
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


def walk(value: object) -> Iterator[object]:
    """Yield every value inside, names of parts too, level by level."""
    level = [value]
    while level:
        yield from level
        level = list(_inside(level))


def _inside(level: Iterable[object]) -> Iterator[object]:
    for value in level:
        if isinstance(value, dict):
            yield from value
            yield from value.values()
        elif isinstance(value, list):
            yield from value


def _is_deep(value: object) -> bool:
    level = [value]
    for _deeper in range(DEEPEST):
        level = list(_inside(level))
        if not level:
            return False
    return True


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("too long a number")
    return int(digits)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


# --- the wire -----------------------------------------------------------------------------------------------


def read_body(stream: IO[bytes], environ: Mapping[str, Any], *, most: int = LARGEST) -> bytes:
    """Return the whole body; raise Problem if it is longer than `most` bytes, or shorter than its length says.

    The server hands over a request once it is complete (`scorekeeper/rsgi.py`), so this waits for nothing.
    """
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > most:
        raise Problem("too_large", _("A body has at most {most} bytes.", most=most))
    content = stream.read()
    if len(content) < length:
        raise Problem("too_slow")
    return content
