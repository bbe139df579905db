"""Bodies of requests and responses: only JSON, of limited size and depth, and without isolating marks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import IO, Any, NoReturn

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from games.common import json_reader, naming
from games.common.api.problems import ApiProblem
from games.scoring.i18n import _
from games.scoring.text.notation import MAX_GAME_LENGTH, MAX_LINE_LENGTH

LARGEST = 2**20  # bytes: enough for the file of a game with the largest number of entries
DEEPEST = 12  # levels of nesting; the deepest valid body, an event inside an event inside a game, has eight
MOST_BRACKETS = 40_000  # arrays and objects; a hundred events with every field have some thousand
LONGEST_TEXT = 2000  # characters of a text in a body, except for a game or a line as text
LONGEST_TEXTS = {"game": MAX_GAME_LENGTH, "line": MAX_LINE_LENGTH}
LONGEST_NUMBER = 30  # digits: far more than any valid number has; the notation has the same limit


class JsonParser(BaseParser):
    """A parser of request bodies: JSON in UTF-8 within the limits of this module."""

    media_type = "application/json"

    def parse(  # type: ignore[override]  # JSON is any value
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> object:
        """Return the parsed body.

        Raise ApiProblem if the body is not JSON, too large, nested too deeply or incomplete.
        """
        assert parser_context is not None
        content = read_body(stream, parser_context["request"].META)
        if content.count(b"[") + content.count(b"{") > MOST_BRACKETS:
            raise ApiProblem("malformed", _("The body has more than {most} brackets.", most=MOST_BRACKETS))
        try:
            text = content.decode()
            value = json.loads(text, parse_int=_whole, parse_constant=_refuse)
            if "\\ud" in text.lower():
                json.dumps(value, ensure_ascii=False).encode()  # raises for a lone surrogate (no valid UTF-8)
        except (ValueError, RecursionError):
            raise ApiProblem("malformed") from None
        if _is_deep(value):
            raise ApiProblem("malformed", _("The body is nested too deeply."))
        _refuse_long_texts(value)
        return value


class PlainNamesRenderer(JSONRenderer):
    """A renderer of JSON without isolating marks: programs compare and lay out names themselves."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = super().render(data, accepted_media_type, renderer_context)
        return body.replace(naming.ISOLATE.encode(), b"").replace(naming.END_OF_ISOLATE.encode(), b"")


class JsonOnlyNegotiation(DefaultContentNegotiation):
    """A content negotiation that always picks JSON, whatever the Accept header says."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


def _is_deep(value: object) -> bool:
    level = [value]
    for _deeper in range(DEEPEST):
        level = list(json_reader.inside(level))
        if not level:
            return False
    return True


def _refuse_long_texts(value: object) -> None:
    """Raise ApiProblem for a name or a text that is longer than any field takes."""
    for part in json_reader.walk(value):
        named = (
            part.items() if isinstance(part, dict) else (("", item) for item in json_reader.inside([part]))
        )
        for name, text in named:
            longest = LONGEST_TEXTS.get(name, LONGEST_TEXT)
            if len(name) > LONGEST_TEXT or (isinstance(text, str) and len(text) > longest):
                raise ApiProblem("misshapen", _("At most {longest} characters fit here.", longest=longest))


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("too long a number")
    return int(digits)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


# --- reading from the connection --------------------------------------------------------------------------


def read_body(stream: IO[bytes], environ: Mapping[str, Any], *, most: int = LARGEST) -> bytes:
    """Return the whole body of a request, read from its `stream`. `environ` is the WSGI environment.

    Raise ApiProblem if the body is longer than `most` bytes, or shorter than its Content-Length. Reading
    never blocks, because the server starts a request only when its body is complete.
    """
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > most:
        raise ApiProblem("too_large", _("The body must not exceed {most} bytes.", most=most))
    content = stream.read()
    if len(content) < length:
        raise ApiProblem("malformed")
    return content
