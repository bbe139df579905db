"""The result of a game for the group's chat: as text, and as data for a picture."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TypeAlias

from django.conf import settings
from django.utils.text import slugify

from games.common import amounts, days, event_sentences, naming, texts
from games.common.event_sentences import PersonsById
from games.common.naming import Person
from games.models import Game, Table
from games.money.presenters import debt_list, highlights, stakes
from games.money.presenters.debt_list import DebtList
from games.money.presenters.game_results import GameResult, PlayerResult
from games.scoring.options import Topic
from games.scoring.state import GameState
from games.scoring.variants import split_title

PictureData: TypeAlias = dict[str, object]


def build_picture(
    occasion: str, title: str, reason: str, people: list[PictureData], **fields: object
) -> PictureData:
    """Return the data that `scripts/money/picture.js` draws for a result, a night or a season.

    Texts and amounts are formatted; colors are numbers. `fields` are those that not every picture has. A poster
    (`isPoster`) shows the first `standing` of the people on its podium, and the `prize` above them.
    """
    nothing: PictureData = {"winners": [], "notes": [], "debts": None, "rules": "", "isPoster": False}
    content = {
        "occasion": occasion,
        "title": title,
        "reason": reason,
        "people": people,
        "by": naming.APP_NAME,
    }
    return {**nothing, **content, **fields}


def build_poster(
    occasion: str,
    title: str,
    reason: str,
    people: list[PictureData],
    *,
    standing: int,
    prize: str,
    **fields: object,
) -> PictureData:
    """Return the data of a picture to brag with, of a game or a season."""
    poster: PictureData = {"isPoster": True, "standing": standing, "prize": prize, "course": [], "site": ""}
    return build_picture(occasion, title, reason, people, **{**poster, **fields})


def picture_row(
    person: Person, below: str, figure: str, *, won: bool, place: str = "", tone: str = ""
) -> PictureData:
    return {**person.picture_data, "place": place, "won": won, "below": below, "figure": figure, "tone": tone}


def game_message(
    game: Game, state: GameState, result: GameResult, debts: DebtList | None, spot: str, at: datetime
) -> str:
    """Return the result of a game as a text for the group's chat: places, debts, and house rules.

    `debts` is the list as of `at`. `spot` is a sentence on money paid on the spot, or "".
    """
    lines = [_occasion_label(game, state), result.title, ""]
    for player_result in result.player_results:
        parts = [_name_with_place(player_result), player_result.points, *player_result.details]
        lines.append(" · ".join([*parts, player_result.net] if result.has_money else parts))
    if spot:
        lines += ["", spot]
    if debts is not None:
        lines += ["", *debt_list.message_lines(debts, game.table, at)]
    return "\n".join((*lines, "", rules_summary(state, game.table)))


def game_picture(
    game: Game,
    state: GameState,
    people: PersonsById,
    result: GameResult,
    debts: DebtList | None,
    spot: str,
    at: datetime,
) -> PictureData:
    """Return the picture data of a game's result. `site` is the site's public address, "" if it has none."""
    return build_poster(
        _occasion_label(game, state),
        result.title,
        " · ".join((result.reason, *(fact for fact in result.facts if fact not in result.pot))),
        [_result_row(player_result, result) for player_result in result.player_results],
        standing=len(result.podium or result.winners or result.sharing or result.player_results),
        prize=result.prize,
        site=settings.SITE_URL.partition("://")[2],
        notes=list(filter(None, (highlights.best_moment(game, state, people), ": ".join(result.pot), spot))),
        course=highlights.totals_by_round(state, people),
        debts=debt_list.picture_data(debts, game.table, at) if debts is not None else None,
        rules=rules_summary(state, game.table),
    )


def picture_file_name(game: Game) -> str:
    began = days.to_table_time(game.started_at, game.table)
    played = slugify(" ".join(split_title(game.variant)))
    return f"{played}-{began:%Y-%m-%d}.png"


_MAIN_TOPICS = (Topic.NAME, Topic.LENGTH, Topic.STAKES)  # always shown, even with default values


def rules_summary(state: GameState, table: Table) -> str:
    """Return the house rules in one line: the length of the game, the stakes, and the changed options.

    The length is the rule that ends the game, such as the limit. A changed option differs from its default.
    """
    return " · ".join(
        (
            *_length_labels(state, table),
            *stakes.stake_labels(state.rules, table),
            *_changed_option_labels(state, table),
        )
    )


def _length_labels(state: GameState, table: Table) -> Iterator[str]:
    for key, value in state.house.options:
        option = state.variant.option(key)
        if option.topic is Topic.LENGTH and option.matters(None, dict(state.house.options)):
            label = texts.translate(option.label)
            value_text = event_sentences.option_value_label(option, value, table)
            yield f"{label} {value_text}" if isinstance(value, int) else f"{label}: {value_text}"


def _changed_option_labels(state: GameState, table: Table) -> Iterator[str]:
    usual = dict(state.variant.defaults_for(state.house).options)
    for key, value in state.house.options:
        option = state.variant.option(key)
        is_shown = option.matters(None, dict(state.house.options)) and option.topic not in _MAIN_TOPICS
        if value != usual[key] and is_shown:
            yield f"{texts.translate(option.label)}: {event_sentences.option_value_label(option, value, table)}"


def _occasion_label(game: Game, state: GameState) -> str:
    day = days.format_day(days.to_table_time(game.started_at, game.table).date())
    return f"{texts.translate(state.variant.name)} · {naming.isolate(game.table.name)} · {day}"


def _name_with_place(player_result: PlayerResult) -> str:
    name = naming.isolate(player_result.person.name)
    return name if player_result.place is None else f"{player_result.place}. {name}"


def _result_row(player_result: PlayerResult, result: GameResult) -> PictureData:
    """Return a row with the player's money as its figure or, where there is none, with their points."""
    is_even = not result.has_places and player_result.tone == "soft"
    if player_result.share:
        figure, tone = player_result.share, ""
    elif result.has_money and not is_even:
        figure, tone = player_result.net, player_result.tone
    else:
        figure, tone = player_result.points, ""
    points = () if figure == player_result.points else (player_result.points,)
    place = "" if player_result.place is None else amounts.ordinal(player_result.place)
    return picture_row(
        player_result.person,
        " · ".join((*points, *player_result.details)),
        figure,
        won=player_result.won,
        place=place,
        tone=tone,
    )
