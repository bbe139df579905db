"""A draw (sorteo) on the page of a new game: the first dealer or all seats by chance.

Only the resulting order of the seats is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import SystemRandom

from django.utils.translation import gettext as _

from games.play.pages.wanted import Seat, Wanted

DEALER, SEATS = "dealer", "seats"
_CHANCE = SystemRandom()


def draw(wanted: Wanted, what: str) -> Wanted:
    """Return the form after a draw. `what` is "seats" to shuffle the seats, or "dealer" to draw a dealer.

    For a dealer the seats are rotated, because the player of the first seat deals first.
    """
    people = list(wanted.taken)
    if what == SEATS:
        _CHANCE.shuffle(people)
    else:
        first = _CHANCE.randrange(len(people))
        people = people[first:] + people[:first]
    empty = [Seat(0)] * (len(wanted.seats) - len(people))
    seats = tuple(replace(seat, number=number) for number, seat in enumerate((*people, *empty), start=1))
    return replace(wanted, seats=seats, draws=wanted.draws + 1)


def draw_in_words(wanted: Wanted, members: Mapping[str, str]) -> str:
    """Return the draw in words, e.g. "Draw 2: Ana, Beto. Ana deals."; `members` are names by id.

    Anybody may repeat a draw, so its number shows how often that was done.
    """
    names = [members.get(seat.slug, seat.new) for seat in wanted.taken]
    return _("Draw %(count)s: %(names)s. %(dealer)s deals.") % {
        "count": wanted.draws,
        "names": ", ".join(names),
        "dealer": names[0],
    }
