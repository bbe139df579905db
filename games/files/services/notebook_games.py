"""The nights of an old notebook as the contents of a file, to be imported into a table like any other."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from hashlib import sha256

from django.contrib.auth.models import User

from games.common import days, naming
from games.files.services import notebook_reader
from games.files.services.file_contents import FileContents
from games.files.services.notebook_reader import Figures, Night, OldNotebook
from games.models import NAME_LENGTH, Game, Member, Table
from games.play.services.writer import Batch, NewGame
from games.scoring.errors import ScoringError
from games.scoring.events import NightImported, Player
from games.scoring.i18n import _
from games.scoring.ledger import nets
from games.scoring.replay import replay

START_TIME = time(21)
GAME_INTERVAL = timedelta(minutes=1)  # the time between the starts of one night's games, to keep their order


def build_contents(
    table: Table, notebook: OldNotebook, *, variant: str = "", paid: bool = True
) -> FileContents:
    """Return the nights of a notebook as finished games in this table's money and time zone.

    `variant` is the card game of all nights; "" if it is unknown. With `paid`, each night's money was paid on
    the spot. A night with impossible figures becomes a problem of the notebook. If there were problems
    before, nothing is built.
    """
    left_out = [str(each.key) for each in notebook.possible_sums if not each.is_counted]
    # Money adds nothing, so that forms from before an update keep their digests.
    figures = [notebook.figures.value] if notebook.figures is not Figures.MONEY else []
    digest = sha256(repr((notebook.nights, variant, *left_out, *figures)).encode()).hexdigest()
    contents = FileContents(Table(unit=table.unit, decimals=table.decimals), digest)
    if sum(len(night.results) for night in notebook.nights) > notebook_reader.MOST_SEATS:
        notebook.add_problem(
            0,
            _(
                "At most {most} results can be imported at a time. Split the file.",
                most=notebook_reader.MOST_SEATS,
            ),
        )
    if notebook.problems:
        return contents
    last_index: dict[object, int] = {}
    for night in notebook.nights:
        place = last_index[night.day] = last_index.get(night.day, -1) + 1
        started_at = datetime.combine(night.day, START_TIME, days.table_zone(table)) + place * GAME_INTERVAL
        try:
            contents.games.append(
                _build_game(night, notebook.figures, variant, started_at, contents, paid=paid)
            )
        except ScoringError as error:
            notebook.add_problem(night.line, error.text, notebook.cures.get(night.line))
    return contents


def _build_game(
    night: Night, figures: Figures, variant: str, started_at: datetime, contents: FileContents, *, paid: bool
) -> NewGame:
    """Return the night as a game. Raise ScoringError if its figures are inconsistent."""
    if not night.results:
        raise ScoringError(_("This night has no results."))
    players = [_find_or_add_player(name, contents) for name in night.results]
    numbers = night.results.values()
    results = tuple((player.id, number) for player, number in zip(players, numbers, strict=True))
    is_money, fewest_win = figures is Figures.MONEY, figures is Figures.FEWEST_WIN
    event = NightImported(
        variant=variant,
        players=tuple(players),
        # Players with equal figures share a place.
        places=tuple(
            (player, 1 + sum(other < number if fewest_win else other > number for other in numbers))
            for player, number in results
        ),
        totals=() if is_money else results,
        nets=results if is_money else (),
    )
    state = replay((event,))
    game = Game(started_at=started_at, night_number=night.day.toordinal())
    if paid:
        game.spot_nets = dict(nets(state))
    return NewGame(game, [Batch(0, (event,), "", started_at, User(), started_at)], state)


def _find_or_add_player(name: str, contents: FileContents) -> Player:
    """Return the player with this name, who joins the contents at their first night."""
    key = naming.casefold_key(" ".join(name.split()))
    known = next(
        (member for member in contents.members.values() if naming.casefold_key(member.name) == key), None
    )
    if known is None:
        name = naming.clean_name(name, longest=NAME_LENGTH)
        known = Member(slug=naming.slug_for(name, contents.members), name=name)
        contents.members[known.slug] = known
    return Player(known.slug, known.name)
