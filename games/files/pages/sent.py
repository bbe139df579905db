"""The text of an uploaded file or of the field into which it was pasted."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.files.old_nights import LONGEST, decode

LARGEST = 2 * LONGEST  # bytes; most letters take one byte, so LONGEST letters fit


def text_sent(request: HttpRequest) -> str:
    """Return the text of the uploaded file; without a file, that of the text field.

    A file that is too large counts as no file.
    """
    file = request.FILES.get("file")
    is_sent = file is not None and file.size is not None and 0 < file.size <= LARGEST
    return decode(file.read()) if file is not None and is_sent else request.POST.get("text", "")


def text_problem(request: HttpRequest, text: str) -> str:
    """Return the error message if the file is too large or there is no text; "" if there is a text."""
    file = request.FILES.get("file")
    if file is not None and (file.size or 0) > LARGEST:
        return _("This file is too large for a notebook.")
    return "" if text.strip() else _("Choose a file, or paste the notebook.")
