"""The reader of games in a table's file. It replays each game batch by batch, as the game was recorded.

A batch has the events that were recorded at once. `value` is always the JSON object to read.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import takewhile
from typing import Any

from games.common import days, json_reader
from games.common.json_reader import InvalidFile, JsonObjectReader
from games.files.services import row_reader
from games.files.services.file_contents import FileContents
from games.models import CODE_LENGTH, Game, HandSource
from games.play.services import game_results, hand_offers, recording
from games.play.services.writer import Batch, NewGame
from games.scoring.errors import RefusalCode, ScoringError
from games.scoring.events import Event, GameStarted, NightImported
from games.scoring.i18n import Text, _
from games.scoring.replay import extend, replay
from games.scoring.state import GameState, Step
from games.scoring.step_budget import spend_steps
from games.scoring.text.codec import from_data
from games.scoring.text_line import check_length
from games.scoring.variants import VARIANTS

KIND_LENGTH = 40
LONGEST_TEXT = 2000  # characters of a text in an event; more than any form or program could send
# The measured steps of reading an event besides its values (and of replaying one whose hands were solved for
# another game, which counts less than it takes), of a meld in a hand, and the letters read in a step.
EVENT_READING_STEPS, MELD_STEPS, LETTERS_IN_A_STEP = 250, 4, 2
GAME_FIELDS = frozenset(("code", "key", "started_at", "night", "discarded_at", "batches", "hands", "spot"))
BATCH_FIELDS = frozenset(("key", "at", "by", "arrived_at", "events"))
EVENT_FIELDS = frozenset(("kind", "data"))
SPOT_FIELDS = frozenset(("nets", "at", "by"))
HAND_FIELDS = frozenset(("number", "player", "brought_by", "is_changed"))


def read_game(value: Any, contents: FileContents) -> None:
    """Add one game with its records and results to the contents.

    Raise InvalidFile if the game cannot be replayed.
    """
    fields = JsonObjectReader(value, GAME_FIELDS)
    started_at = fields.moment("started_at")
    night = fields.day("night")
    game = Game(
        table=contents.table,
        season=days.season_among(contents.seasons, night),
        code=contents.game_code(fields.text("code", longest=CODE_LENGTH)),
        key=contents.check_unused_key(fields.key("key"), "game"),
        started_at=started_at,
        discarded_at=fields.moment_or_none("discarded_at"),
        night_number=night.toordinal(),
    )
    batches = _read_batches(fields, game.key, contents)
    with json_reader.error_at(game_description(batches[0].events[0], night)):
        state = _replay_batches(batches, contents)
    length = batches[-1].after + len(batches[-1].events)
    if fields.has("hands"):
        contents.hand_sources += _read_hand_sources(fields, game, length, contents)
    if fields.has("spot"):
        _read_spot_mark(game, fields.part("spot"), contents)
    contents.games.append(NewGame(game, batches, state))


def game_description(first: Event, night: date) -> Text:
    """Return a description of the game for error messages: the variant and the night."""
    match first:
        case GameStarted(variant=key) | NightImported(variant=key) if key in VARIANTS:
            return _("{game}, {night}", game=VARIANTS[key].name, night=night)
        case _:
            return _("the night of {night}", night=night)


# --- the records ------------------------------------------------------------------------------------------------------


def _read_batches(fields: JsonObjectReader, game_key: str, contents: FileContents) -> list[Batch]:
    batches: list[Batch] = []
    after = 0
    for value in fields.read_list("batches", most=recording.LONGEST_LOG):
        batch = JsonObjectReader(value, BATCH_FIELDS)
        values = batch.read_list("events", most=recording.LONGEST_LOG)
        events = tuple(_read_event(event, number) for number, event in enumerate(values, start=after + 1))
        if not events:
            raise InvalidFile(_("One entry was recorded without an event."))
        recorder = contents.get_recorder(batch, "by")
        key = contents.check_unused_key(batch.key("key"), "batch", game_key)
        at, arrived_at = batch.moment("at"), batch.moment("arrived_at")
        batches.append(Batch(after, events, key, at, recorder, arrived_at))
        after += len(events)
    if not 0 < after <= recording.LONGEST_LOG:
        raise InvalidFile(_("A game must have 1 to {most} entries.", most=recording.LONGEST_LOG))
    return batches


def _read_event(value: Any, number: int) -> Event:
    fields = JsonObjectReader(value, EVENT_FIELDS)
    data = fields.part("data")
    spend_steps(EVENT_READING_STEPS)
    try:
        for level in json_reader.walk_levels(data):
            spend_steps(len(level))
            texts = [check_length(text, LONGEST_TEXT, "data") for text in level if isinstance(text, str)]
            all_texts = "".join(texts)
            spend_steps(len(all_texts) // LETTERS_IN_A_STEP + MELD_STEPS * all_texts.count("{"))
        return from_data(fields.text("kind", longest=KIND_LENGTH), data)
    except ScoringError as error:
        raise InvalidFile(_("event {number}: {problem}", number=number, problem=error.text)) from None


def _replay_batches(batches: Sequence[Batch], contents: FileContents) -> GameState:
    """Return the state after the last batch.

    Raise InvalidFile if the rules refuse a batch after those before it.
    """
    first, *others = batches
    log = first.events
    try:
        state = replay(log)
        _check_players(state, contents)
        for batch in others:
            checked = state.steps[-1]
            state = extend(state, log, batch.events)
            log += batch.events
            _check_players(state, contents, after=checked)
        game_results.check_money(state)
    except ScoringError as error:
        if error.number is None or error.code is RefusalCode.TOO_MUCH:
            raise InvalidFile(error.text) from None
        raise InvalidFile(
            _(
                "event {number} does not fit what was recorded before it: {problem}",
                number=str(error.number),
                problem=error.text,
            )
        ) from None
    return state


def _check_players(state: GameState, contents: FileContents, *, after: Step | None = None) -> None:
    """Raise InvalidFile unless all players are members and nobody plays against themselves.

    The steps up to `after` were checked before. If the game was replayed since, they are new.
    """
    steps = takewhile(lambda step: step is not after, reversed(state.steps))
    for player in dict.fromkeys(player_id for step in steps for player_id in step.seats):
        contents.get_member(player)
    people = {contents.current_slugs[player.id] for player in state.players}
    if len(people) < len(state.players):
        raise InvalidFile(_("Two of the players are the same member."))


# --- hands from phones ---------------------------------------------------------------------------------------


def _read_spot_mark(game: Game, value: Any, contents: FileContents) -> None:
    fields = JsonObjectReader(value, SPOT_FIELDS)
    game.spot_nets = row_reader.read_differences(fields, "nets", contents)
    game.spot_at = fields.moment("at")
    game.spot_by = None if fields.part("by") is None else contents.get_recorder(fields, "by")


def _read_hand_sources(
    fields: JsonObjectReader, game: Game, length: int, contents: FileContents
) -> list[HandSource]:
    sources: dict[tuple[int, str], HandSource] = {}
    for value in fields.read_list("hands", most=recording.LONGEST_LOG * hand_offers.MAX_OFFERS):
        fields_of_hand = JsonObjectReader(value, HAND_FIELDS)
        source = HandSource(
            game=game,
            number=fields_of_hand.whole("number", least=2, most=length),
            player=contents.get_member(fields_of_hand.part("player")).slug,
            brought_by=contents.get_recorder(fields_of_hand, "brought_by"),
            is_changed=fields_of_hand.truth("is_changed"),
        )
        if sources.setdefault((source.number, source.player), source) is not source:
            raise InvalidFile(_("The same hand came from two phones."))
    return list(sources.values())
