"""A draw (sorteo) on the page of a new game: who deals first, or who sits where. Only the order it comes to is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import SystemRandom

from django.utils.translation import gettext as _

from games.views.play.wanted import Seat, Wanted

DEALER, SEATS = "dealer", "seats"
_CHANCE = SystemRandom()


def draw(wanted: Wanted, what: str) -> Wanted:
    """Return the form with the seats drawn anew, or turned so that another player deals first."""
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
    """Return the number of the draw, since anybody may ask for another, and its result; `members` are names
    by slug.
    """
    names = [members.get(seat.slug, seat.new) for seat in wanted.taken]
    return _("Draw %(count)s: %(names)s. %(dealer)s deals.") % {
        "count": wanted.draws,
        "names": ", ".join(names),
        "dealer": names[0],
    }
