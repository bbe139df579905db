"""The refusal of a page: an HTTP status, and messages for the fields of its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import JsonResponse

from games.common.names import Alike

MISSING, FORBIDDEN = 404, 403
UNPROCESSABLE, CONFLICT, TOO_MANY = 422, 409, 429


@dataclass(frozen=True)
class Refused:
    """A refusal for a page to show: an HTTP status, error messages, and news about a conflict.

    `errors` are messages by field of the form; the field "" is for messages about no field. In a conflict,
    `news` is the message about it, and `recorded` are sentences on the events that others recorded meanwhile.
    """

    status: int
    errors: Mapping[str, str] = field(default_factory=dict)
    news: str = ""
    recorded: tuple[str, ...] = ()

    @property
    def notice(self) -> tuple[str, ...]:
        """The message about a conflict, followed by sentences on the events that others recorded.

        It is an empty tuple if there was no conflict.
        """
        return (self.news, *self.recorded) if self.news else ()

    def beside(self, *fields: str) -> Refused:
        """Return the refusal without the messages about `fields`: the page shows those at the fields."""
        return replace(
            self, errors={name: sentence for name, sentence in self.errors.items() if name not in fields}
        )


def refused_as_json(*sentences: str) -> JsonResponse:
    """Return a refusal with these messages as JSON, for a page's script."""
    return JsonResponse({"sentences": sentences}, status=UNPROCESSABLE)


def asked_about(refusal: Exception) -> str:
    """Return the entered name if it was refused because a member has a similar name, else "".

    Similar names differ only in accents. The page then asks if it is another person.
    """
    return refusal.name if isinstance(refusal, Alike) else ""
