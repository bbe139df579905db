"""The differences between two copies of a table, in words: entries were recorded separately in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Member, Payment, Table
from games.money.balances import People
from games.notebook.apart import Alone
from games.notebook.returning import WentOnApart
from games.scoring.rounds import PlayerId
from games.shown.common.amounts import money
from games.shown.common.continuations import went_on
from games.shown.common.days import moment_in_words
from games.shown.common.people import Person, people_among
from games.shown.common.played import game_name

MOST_SHOWN = 12  # the most entries listed for each copy
MOST_WORDED = 3  # the most games in each copy whose events are listed
MOST_EVENTS = 8  # the most events listed for a game


@dataclass(frozen=True)
class AloneShown:
    """An entry that one copy has and the other lacks: a member, payment, shared cost or game.

    For a game, `lines` begins with the number of its events that the other copy lacks. If the other copy has
    the game's beginning, the first of these events follow in words.
    """

    title: str
    lines: Sequence[str] = ()


@dataclass(frozen=True)
class ApartShown:
    """The entries that this site's copy (`here`) and the file (`there`) each have and the other lacks.

    Only the first entries of each copy are listed. `more_here` and `more_there` count the others.
    """

    here: Sequence[AloneShown]
    there: Sequence[AloneShown]
    more_here: int
    more_there: int


def apart_shown(apart: WentOnApart) -> ApartShown:
    """Return the entries that each copy has and the other lacks, in words.

    Changes that are no entries, such as those of settings, are one more item of this site's copy.
    """
    table = apart.table
    people = {
        **{member.slug: Person(member.slug, member.name, member.colour) for member in apart.members},
        **people_among(People.of(table)),
    }
    here, there = (list(_each(some[:MOST_SHOWN], table, people)) for some in (apart.here, apart.there))
    if apart.is_changed_here:
        changed = _(
            "The settings, members, seasons or discarded games were changed here after the file was saved."
        )
        here.insert(0, AloneShown(changed))
    more_here, more_there = (max(0, len(some) - MOST_SHOWN) for some in (apart.here, apart.there))
    return ApartShown(here, there, more_here, more_there)


def _each(some: Sequence[Alone], table: Table, people: Mapping[PlayerId, Person]) -> Iterator[AloneShown]:
    worded = set(islice((place for place, alone in enumerate(some) if alone.after), MOST_WORDED))
    for place, alone in enumerate(some):
        events = _events(alone, table, people) if place in worded else ()
        yield AloneShown(_title(alone, table), [*_count(alone), *events])


def _title(alone: Alone, table: Table) -> str:
    match alone.what:
        case Game() as game:
            return f"{game_name(game)}, {moment_in_words(game.started_at, table)}"
        case Payment() as payment:
            ends = {"payer": payment.payer.name, "payee": payment.payee.name}
            return f"{_('%(payer)s to %(payee)s') % ends}: {money(payment.amount, table)}"
        case Member() as member:
            return member.name
        case cost:
            return f"{_('Shared cost')}, {cost.payer.name}: {money(cost.amount, table)}"


def _count(alone: Alone) -> Iterator[str]:
    """Yield a text on how many events of a game the other copy lacks; nothing for any other entry."""
    if alone.count:
        yield ngettext("%(count)s entry", "%(count)s entries", alone.count) % {"count": alone.count}


def _events(alone: Alone, table: Table, people: Mapping[PlayerId, Person]) -> Sequence[str]:
    log = alone.log()
    events = log[alone.after : alone.after + MOST_EVENTS]
    return went_on(log[: alone.after], events, people=people, table=table)
