"""The tally of a night as lists show it: its winners and their lead, and everybody's sum so far."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common.amounts import money, tone_of
from games.common.names import isolated
from games.common.people import Person, all_of
from games.common.played import games_in_words, wins_in_words
from games.common.wins import Win
from games.models import Table
from games.money.evening import Attendee
from games.money.tallies import NightTally
from games.tables.pages.people import person_of

MOST_NAMED = 2  # the most members that a sentence names behind a single leader


@dataclass(frozen=True)
class TallyRow:
    """A member's figure: the sum won or lost so far or, if no money moved, the number of games won."""

    person: Person
    figure: str
    tone: str


@dataclass(frozen=True)
class TallyShown:
    """The tally of a night under way: the number of finished games, and everybody's figure."""

    games: str
    rows: tuple[TallyRow, ...]


def tally_shown(tally: NightTally, table: Table) -> TallyShown:
    """Return the tally of a night under way, ready for its template."""
    return TallyShown(
        games=games_in_words(len(tally.games)),
        rows=tuple(_row(share, tally, table) for share in tally.shares),
    )


def _row(share: Attendee, tally: NightTally, table: Table) -> TallyRow:
    if tally.has_money:
        return TallyRow(person_of(share.member), money(share.net, table, signed=True), tone_of(share.net))
    return TallyRow(person_of(share.member), wins_in_words(share.wins), "")


def win_of_night(tally: NightTally, table: Table, *, is_playing: bool) -> Win:
    """Return the winners of a night, with their lead and the sum of the pots.

    While the night is played (`is_playing`), the players who are ahead are named instead.
    """
    leaders = tally.leaders
    single = leaders[0] if len(leaders) == 1 else None
    sentence = _("nobody won")
    if leaders:
        sentence = _ahead(tally, table) if is_playing else _won(tally, table)
    return Win(
        single=person_of(single.member) if single else None,
        sentence=sentence,
        pot=_("%(sum)s in the pots") % {"sum": money(tally.pots, table)} if tally.pots else "",
        amount=money(single.net, table, signed=True) if single and single.net else "",
        tone=tone_of(single.net) if single else "",
    )


def _won(tally: NightTally, table: Table) -> str:
    names = all_of([share.member.name for share in tally.leaders])
    count = len(tally.leaders)
    if tally.has_money and tally.margin:
        text = ngettext(
            "%(names)s won the night by %(amount)s", "%(names)s won the night by %(amount)s", count
        )
        return text % {"names": names, "amount": money(tally.margin, table)}
    return ngettext("%(names)s won the night", "%(names)s won the night", count) % {"names": names}


def _ahead(tally: NightTally, table: Table) -> str:
    """Return who is ahead so far and, for a single leader, by how much: `Ana is $ 200 ahead of Beto`."""
    leaders = [isolated(share.member.name) for share in tally.leaders]
    behind = [isolated(share.member.name) for share in tally.runners_up]
    if not behind or not tally.has_money:
        return ngettext("%(names)s is ahead", "%(names)s are ahead", len(leaders)) % {
            "names": all_of(leaders)
        }
    words = {"name": leaders[0], "amount": money(tally.margin, table), "others": all_of(behind)}
    if len(behind) > MOST_NAMED:
        return _("%(name)s is %(amount)s ahead of the next") % words
    return (
        ngettext(
            "%(name)s is %(amount)s ahead of %(others)s",
            "%(name)s is %(amount)s ahead of %(others)s",
            len(behind),
        )
        % words
    )
