"""The result of a game for the group's chat: as text, and as data for a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeAlias, assert_never

import segno
from django.conf import settings
from django.utils.text import slugify

from games.common.days import date_in_figures, local
from games.common.names import APP_NAME, isolated
from games.common.words import translate, value_shown
from games.models import Game, Table
from games.money.pages.debt_rows import DebtsShown, drawn_of, lines_of
from games.money.pages.prices import prices_in_words
from games.money.pages.settled import Settlement, Standing
from games.scoring.options import Topic
from games.scoring.state import GameState
from games.scoring.variants import split_title

Drawn: TypeAlias = dict[str, object]


def played_on(game: Game) -> str:
    """Return the day on which a game began, in the table's time zone, as text in figures: `31/05/2024`."""
    began = local(game.started_at, game.table)
    return date_in_figures(began)


@dataclass(frozen=True)
class Sent:
    """The part of a result that changes until it is sent.

    It is the list of who pays whom, if the result has one, and the mark *paid on the spot*.

    `at` is the moment at which the list was read, and `spot` says who set the mark; "" without it.
    """

    at: datetime
    debts: DebtsShown | None = None
    spot: str = ""


def message_of(game: Game, state: GameState, result: Settlement, sent: Sent) -> str:
    """Return the result of a game as text for the group's chat: places, who pays whom, and house rules."""
    lines = [_occasion(game, state), result.title, ""]
    for standing in result.standings:
        parts = [_placed(standing), standing.points, *standing.details]
        lines.append(" · ".join([*parts, standing.net] if result.has_money else parts))
    if sent.spot:
        lines += ["", sent.spot]
    if sent.debts is not None:
        lines += ["", *lines_of(sent.debts, game.table, sent.at)]
    return "\n".join((*lines, "", rules_in_short(state, game.table)))


def picture_of(game: Game, state: GameState, result: Settlement, sent: Sent) -> Drawn:
    """Return the data from which `static/money/picture.js` draws the result of a game.

    Texts and amounts are formatted; colours are numbers. If the site has a public address, `site` has that
    address and its QR code, a string of 0 and 1 for each row of modules; otherwise it is None.
    """
    moment = result.moment
    return {
        "site": _site(settings.SITE_URL),
        "occasion": _occasion(game, state),
        "title": result.title,
        "winners": [winner.drawn for winner in moment.winners] if moment else [],
        "prize": " · ".join(filter(None, (moment.closing, moment.prize))) if moment else "",
        "reason": result.reason,
        "people": [_drawn(standing, has_money=result.has_money) for standing in result.standings],
        "pot": asdict(result.pot) if result.pot else None,
        "notes": [sent.spot] if sent.spot else [],
        "debts": drawn_of(sent.debts, game.table, sent.at) if sent.debts is not None else None,
        "rules": rules_in_short(state, game.table),
        "by": APP_NAME,
    }


def _site(address: str) -> Drawn | None:
    if not address:
        return None
    rows = segno.make(address, micro=False, error="m").matrix
    return {"address": address.partition("://")[2], "code": ["".join(map(str, row)) for row in rows]}


def file_name(game: Game) -> str:
    """Return the file name under which the picture of a game is saved."""
    began = local(game.started_at, game.table)
    played = slugify(" ".join(split_title(game.variant)))
    return f"{played}-{began:%Y-%m-%d}.png"


def rules_in_short(state: GameState, table: Table) -> str:
    """Return the house rules in one line: the length of the game, the stakes, and the changed options.

    The length is what ends the game, such as the limit. A changed option has another value than its default.
    """
    return " · ".join(
        (*_lengths(state, table), *prices_in_words(state.rules, table), *_changed(state, table))
    )


def _lengths(state: GameState, table: Table) -> Iterator[str]:
    for key, value in state.house.options:
        option = state.variant.option(key)
        if option.topic is Topic.LENGTH and option.matters(None, dict(state.house.options)):
            label, value_text = translate(option.label), value_shown(option, value, table)
            yield f"{label} {value_text}" if isinstance(value, int) else f"{label}: {value_text}"


def _changed(state: GameState, table: Table) -> Iterator[str]:
    usual = dict(state.variant.usual(state.house).options)
    for key, value in state.house.options:
        option = state.variant.option(key)
        is_shown = option.matters(None, dict(state.house.options)) and not _is_always_shown(option.topic)
        if value != usual[key] and is_shown:
            yield f"{translate(option.label)}: {value_shown(option, value, table)}"


def _is_always_shown(topic: Topic) -> bool:
    """Return whether house rules of this topic are shown even if they have their default values."""
    match topic:
        case Topic.NAME | Topic.LENGTH | Topic.STAKES:
            return True
        case Topic.SETTLEMENT | Topic.HOUSE:
            return False
        case _:
            assert_never(topic)


def _occasion(game: Game, state: GameState) -> str:
    return f"{translate(state.variant.name)} · {isolated(game.table.name)} · {played_on(game)}"


def _placed(standing: Standing) -> str:
    name = isolated(standing.person.name)
    return name if standing.place is None else f"{standing.place}. {name}"


def _drawn(standing: Standing, *, has_money: bool) -> Drawn:
    below = (standing.points, *standing.details) if has_money else standing.details
    return {
        **standing.person.drawn,
        "place": "" if standing.place is None else str(standing.place),
        "won": standing.won,
        "below": " · ".join(below),
        "figure": standing.net if has_money else standing.points,
        "tone": standing.tone if has_money else "",
    }
