"""The games of a table: listing them with filters, starting one, and the actions on one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import SimpleLazyObject
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api import problems, write_headers
from games.common.api.problems import ApiProblem
from games.common.api.serializers import (
    DaysQuery,
    EmptySerializer,
    MemberField,
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    validation_error,
)
from games.common.event_text import NarratedLog
from games.common.locks import StaleGame
from games.models import VARIANT_LENGTH, Game, variant_filter
from games.play.api import game_list, request_parsing, timestamps
from games.play.api.fields import DIRECTIONS, LONGEST_WORD, OptionsField
from games.play.api.game import GameDetailSerializer, GameScoresheetSerializer
from games.play.api.game_events import (
    EventsQuery,
    EventsSerializer,
    PreviewInputSerializer,
    PreviewSerializer,
    RecordSerializer,
    add_newcomers,
    clean_newcomer_names,
    deserialize,
    events_to_presolve,
    has_newcomer,
    preview_data,
)
from games.play.api.game_list import GameListItemSerializer
from games.play.api.timestamps import PlayedAtSerializer
from games.play.presenters import new_game_form
from games.play.services import archive, game_results, recording, seating
from games.play.services.archive import GameStatus
from games.play.services.duplicates import DuplicateGame
from games.play.services.recording import When
from games.play.services.seating import NewGameSeating, NewPlayer
from games.play.services.snapshots import Snapshot
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.preview import preview_changes
from games.scoring.state import GameState
from games.scoring.text.advice import advise
from games.scoring.variants import VARIANTS
from games.tables.api.permissions import IsScorer, ScoringThrottle, UserThrottle
from games.tables.api.views import GameViewSetBase, PagedViewSetBase, PageQuery, TableViewSetBase
from games.tables.services import authorization, roster

MOST_PLAYERS = 50  # far more than any variant allows; each variant checks its own limit
SURE_HELP = "Confirms a game that was refused as “unusual”, since these people have just started one."


@problems.problem_for.register
def _duplicate_game_problem(raised: DuplicateGame) -> ApiProblem:
    return problems.question_problem(new_game_form.duplicate_question(raised.game, raised.game.table))


@problems.problem_for.register
def _game_not_over_problem(_raised: recording.GameNotOver) -> ApiProblem:
    return ApiProblem("refused", _("This game is still being played. Start the rematch when it is over."))


class GamesFilter(PageQuery, DaysQuery):
    """The filters of a table's games."""

    variant = serializers.CharField(
        required=False,
        max_length=VARIANT_LENGTH,
        help_text="The key of a variant, or the title of a game: `points:Generala`.",
    )
    season = serializers.IntegerField(
        required=False, min_value=0, max_value=write_headers.HIGHEST, help_text="The id of a season."
    )
    state = serializers.ChoiceField(
        choices=[str(state) for state in GameStatus],
        required=False,
        help_text="Only games in this state; without it, running and finished games.",
    )


@extend_schema_serializer(component_name="Sitter")
class NewPlayerSerializer(StrictSerializer):
    """A player of a new game: a member by `id`, or a newcomer by a `name` that no member has."""

    id = MemberField(required=False)
    name = StrictCharField(
        max_length=LONGEST_WORD, required=False, help_text="The name of a newcomer at the table."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1:
            raise validation_error(_("A player must be an id or, if new, a name."))
        return attrs


class StartSerializer(PlayedAtSerializer):
    """A game to start: its rules and its players."""

    variant = serializers.ChoiceField(choices=sorted(VARIANTS))
    options = OptionsField(required=False)
    direction = serializers.ChoiceField(choices=DIRECTIONS, required=False)
    players = NewPlayerSerializer(  # type: ignore[call-arg]  # of a list
        many=True, max_length=MOST_PLAYERS, help_text="The players, clockwise."
    )
    dealer = StrictIntegerField(
        min_value=1,
        max_value=MOST_PLAYERS,
        required=False,
        help_text="The number of the player who deals first; the first player has the number 1.",
    )
    sure = StrictBooleanField(required=False, help_text=SURE_HELP)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("dealer", 1) > max(len(attrs["players"]), 1):
            wrong = self.fields["dealer"].error_messages["max_value"]
            raise serializers.ValidationError({"dealer": [wrong.format(max_value=len(attrs["players"]))]})
        return attrs


class RematchSerializer(StrictSerializer):
    """A rematch to start."""

    sure = StrictBooleanField(required=False, help_text=SURE_HELP)


class StepSerializer(PlayedAtSerializer):
    """The version of the game that the client has seen, for undo and redo."""

    after = StrictIntegerField(
        min_value=0, max_value=write_headers.HIGHEST, required=False, help_text=write_headers.AFTER
    )


class TableGameViewSet(PagedViewSetBase):
    """The games of a table."""

    serializer_class = GameListItemSerializer
    rights = {"create": IsScorer}
    queries = {"list": GamesFilter}
    keyed = ("create",)
    ordering = ("-started_at", "-pk")

    @extend_schema(operation_id="games", responses=GameListItemSerializer(many=True))
    def list(self, request: Request, code: str) -> Response:
        """List the games of a table, the newest first, with their players, winners and rounds."""
        games = self.paginate_queryset(self._filter_games().select_related("table")) or ()
        context = {**self.get_serializer_context(), "listed": game_list.load_rows(games, self.people)}
        return self.get_paginated_response(GameListItemSerializer(games, many=True, context=context).data)

    @extend_schema(operation_id="start_game", request=StartSerializer, responses={201: GameDetailSerializer})
    def create(self, request: Request, code: str) -> Response:
        """Start a game.

        The players sit clockwise in the given order: members by their ids, newcomers by their names. While a
        game of the same people has no round yet, another one is refused as “unusual” until it is sent again
        under the same key with `sure`.
        """
        data = self.parsed_body(StartSerializer)
        variant, house = request_parsing.parse_house(data)
        people = [
            NewPlayer(slug=player["id"].slug) if "id" in player else NewPlayer.named(player["name"])
            for player in data["players"]
        ]
        direction = request_parsing.parse_direction(variant, data.get("direction", ""))
        sitting = NewGameSeating(variant, house, people, direction, data.get("dealer", 1) - 1)
        is_asking = not data.get("sure", False)
        game = seating.start_with_newcomers(
            self.table,
            sitting,
            key=self.key,
            by=self.user,
            at=timestamps.get_started_at(data),
            is_asking=is_asking,
        )
        return _start_response(self, game)

    def _filter_games(self) -> QuerySet[Game]:
        query = self.query
        games = archive.filter_by_status(self.table, query.get("state", ""))
        if "season" in query:
            games = games.filter(season=query["season"])
        if "variant" in query:
            games = games.filter(variant_filter(query["variant"]))
        if "from" in query:
            games = games.filter(night_number__gte=query["from"].toordinal())
        if "to" in query:
            games = games.filter(night_number__lte=query["to"].toordinal())
        return games


class GameViewSet(GameViewSetBase, PagedViewSetBase):
    """One game."""

    serializer_class = GameDetailSerializer
    rights = dict.fromkeys(("record", "preview", "undo", "redo", "rematch", "discard", "restore"), IsScorer)
    stores_nothing = ("preview",)
    queries = {"events": EventsQuery}
    keyed = ("record", "undo", "redo", "rematch")
    versioned = ("record", "preview", "undo", "redo")
    ordering = ("number",)
    lookup_url_kwarg, lookup_value_converter = "code", "slug"

    def get_serializer_context(self) -> dict[str, Any]:
        narrated_log = SimpleLazyObject(lambda: NarratedLog(self.game.log(), roster.to_persons(self.people)))
        return {**super().get_serializer_context(), "entered": narrated_log}

    @extend_schema(operation_id="game", responses=GameScoresheetSerializer)
    def retrieve(self, request: Request, code: str) -> Response:
        """Read a game: its state, its scoresheet and its money.

        Totals, seats, pot, dealer, the scoresheet, and the money each player has won or lost with its causes.
        `transfers` are the payments that the game itself calls for once it is over; payments that were made
        never change them. `rows` has every valid event with its points in each column and the totals after
        it. `version` is the number of the last event. A write to `events/`, `undo/` or `redo/` sends it as
        `after`, and `preview/` may. `rematch/`, `discard/` and `restore/` do not take it.
        """
        return self._current_response(GameScoresheetSerializer)

    @extend_schema(operation_id="events", responses=RecordSerializer(many=True))
    @action(detail=True)
    def events(self, request: Request, code: str) -> Response:
        """List the log of a game.

        Every event as it was recorded, including corrections and strikes, oldest first.
        """
        return self.page(self.game.records.filter(number__gt=self.query.get("after", 0)), RecordSerializer)

    @extend_schema(operation_id="record", request=EventsSerializer)
    @events.mapping.post
    def record(self, request: Request, code: str) -> Response:
        """Record events.

        One or several events, recorded together or not at all, after the last event that was seen. A
        correction, an inserted event and a strike are events too: `corrected`, `inserted`, `struck`. An event
        is sent by its kind and data, or as a line of notation. A newcomer is sent with only a name, and gets
        an id. `played_at` is the time of the events, for a program that was offline: it is kept, or refused
        with the reason. `last_at` of the answer is the time that was kept.
        """
        data = self.parsed_body(EventsSerializer)
        after = self.after(data)
        clean_newcomer_names(data)
        recording.presolve(self.game, *events_to_presolve(data, self.game))
        before = Snapshot.load(self.game)
        # The transaction removes a newcomer again if an event is refused. Without a newcomer no transaction
        # is needed, and the lock is taken as late as possible.
        with transaction.atomic() if has_newcomer(data) else nullcontext():
            events = add_newcomers(data, self.game, self.key)
            at = self._played_at(data)
            try:
                recording.record(
                    self.game, *events, after=after, key=self.key, by=self.user, at=at, snapshot=before
                )
            except RuleError as refusal:
                raise advise(before.log, events, refusal) from None
        return self._response_after_write(before)

    @extend_schema(operation_id="preview", request=PreviewInputSerializer, responses=PreviewSerializer)
    @action(detail=True, methods=["post"], throttle_classes=[UserThrottle, ScoringThrottle])
    def preview(self, request: Request, code: str) -> Response:
        """Preview events.

        The state of the game with these events, and the later events that they make impossible, each with its
        possible remedies. `answers` chooses a remedy by the key of each conflict. The events of the answer
        are the ones to record. Nothing is recorded.
        """
        current, data = Snapshot.load(self.game), self.parsed_body(PreviewInputSerializer)
        is_versioned = "after" in data or "If-Match" in request.headers
        version = len(current.log)
        after = self.after(data) if is_versioned else version
        if after != version:
            raise StaleGame(after=after, since=current.log[after:])
        tried = preview_changes(current.log, *deserialize(data["events"]), answers=data.get("answers", {}))
        if tried.after is not None:
            game_results.check_people(current.members, tried.after)
        with_accounts = authorization.can_view_accounts(self.table.reader_access)
        response = self.answer(PreviewSerializer, preview_data(self.game, tried, with_accounts=with_accounts))
        response.headers["ETag"] = f'"{version}"'
        return response

    @extend_schema(operation_id="undo", request=StepSerializer)
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, code: str) -> Response:
        """Undo the last step that was not undone: all events that were recorded together."""
        return self._undo_or_redo(recording.undo)

    @extend_schema(operation_id="redo", request=StepSerializer)
    @action(detail=True, methods=["post"])
    def redo(self, request: Request, code: str) -> Response:
        """Redo the step that was undone last, if nothing was recorded since."""
        return self._undo_or_redo(recording.redo)

    @extend_schema(operation_id="rematch", request=RematchSerializer, responses={201: GameDetailSerializer})
    @action(detail=True, methods=["post"])
    def rematch(self, request: Request, code: str) -> Response:
        """Start a rematch.

        A new game with the same rules and stakes, and with the same players if they are still members. While
        a game of the same people has no round yet, another one is refused as “unusual” until it is sent again
        under the same key with `sure`.
        """
        is_asking = not self.parsed_body(RematchSerializer).get("sure", False)
        event = recording.build_rematch(self.game)
        game = recording.start_game(self.table, event, key=self.key, by=self.user, is_asking=is_asking)
        return _start_response(self, game)

    @extend_schema(operation_id="discard", request=EmptySerializer)
    @action(detail=True, methods=["post"])
    def discard(self, request: Request, code: str) -> Response:
        """Discard a game.

        A discarded game counts nowhere; its events are kept, and it can be restored. Its state keeps its
        totals and its money: look at `discarded_at` before counting them. The body is {}. Discarding it again
        changes nothing.
        """
        self.parsed_body(EmptySerializer)
        recording.discard_game(self.game, by=self.user)
        return self._current_response()

    @extend_schema(operation_id="restore", request=EmptySerializer)
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, code: str) -> Response:
        """Restore a discarded game.

        The game counts again. The body is {}. Restoring it again changes nothing.
        """
        self.parsed_body(EmptySerializer)
        recording.restore_game(self.game, by=self.user)
        return self._current_response()

    def _undo_or_redo(self, step: Callable[..., GameState]) -> Response:
        data = self.parsed_body(StepSerializer)
        after, before = self.after(data), Snapshot.load(self.game)
        step(self.game, after=after, key=self.key, by=self.user, at=self._played_at(data), snapshot=before)
        return self._response_after_write(before)

    def _played_at(self, data: Mapping[str, Any]) -> When:
        """Return a function that checks the sent time and returns it; it is called under the lock."""
        return partial(timestamps.get_played_at, data, self.game)

    def _response_after_write(self, before: Snapshot) -> Response:
        """Return the game as this write left it, without events that others have recorded since.

        A repeated write, which `before` already has, is answered with the game as it is now.
        """
        until = "" if before.book.batch(self.key) else self.key
        return _game_response(
            self, GameDetailSerializer, Snapshot.load(self.game, until=until), is_recorded=True
        )

    def _current_response(self, form: type[GameDetailSerializer] = GameDetailSerializer) -> Response:
        return _game_response(self, form, Snapshot.load(self.game))


def _start_response(view: TableViewSetBase, game: Game) -> Response:
    """Return the response about a new game; raise DuplicateGame if another key has just started it.

    Two phones that start the same game at the same moment share it, but a program with another key asks for
    another game.
    """
    if game.key != view.key:
        raise DuplicateGame(game)
    return _game_response(view, GameDetailSerializer, Snapshot.load(game), is_recorded=True, status=201)


def _game_response(
    view: TableViewSetBase,
    form: type[GameDetailSerializer],
    current: Snapshot,
    *,
    is_recorded: bool = False,
    status: int = 200,
) -> Response:
    """Return the response about a game, with the number of its last event as ETag."""
    context = {**view.get_serializer_context(), "is_recorded": is_recorded}
    headers = {"ETag": f'"{len(current.log)}"'}
    return Response(form(current, context=context).data, status=status, headers=headers)
