"""An upload handler that limits the parts of a form with files before Django parses their heads."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from django.core.files.uploadhandler import FileUploadHandler
from django.http import QueryDict
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils.datastructures import MultiValueDict
from django.utils.encoding import force_bytes

MOST_PARTS = 200  # three pages accept files; their forms have about ten fields
LONGEST_PART_HEAD = 512  # bytes, most of them for the name of a file
PARSED_AS_HEAD = 1024  # bytes of a part that Django searches for the end of its head
END_OF_HEAD = b"\r\n\r\n"


class BoundedPartsHandler(FileUploadHandler):
    """A handler that refuses a multipart form with more parts, or longer heads, than any page's form has.

    The time in which Django decodes a head grows with the square of its length. The view's limit on the body
    has been checked already (`scorekeeper/request_limits.py`), so the body is short enough for memory.
    """

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: Mapping[str, Any],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> tuple[QueryDict, MultiValueDict[str, Any]] | None:
        """Return the parsed form. Raise MultiPartParserError if it is refused."""
        body = input_data.read()
        check_parts(body, b"--" + force_bytes(boundary))
        assert self.request is not None
        others = [handler for handler in self.request.upload_handlers if handler is not self]
        return MultiPartParser(META, BytesIO(body), others, encoding).parse()


def check_parts(body: bytes, delimiter: bytes) -> None:
    """Raise MultiPartParserError if the body has too many parts, or one with too long a head."""
    parts, start = 0, body.find(delimiter)
    while start >= 0:
        start += len(delimiter)
        end = body.find(END_OF_HEAD, start, start + PARSED_AS_HEAD)
        parts += 1
        if parts > MOST_PARTS + 1 or end - start > LONGEST_PART_HEAD:  # the last delimiter begins no part
            raise MultiPartParserError("Too many parts, or too long a head of one.")
        start = body.find(delimiter, start)
