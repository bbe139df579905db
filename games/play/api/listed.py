"""Games in a list with their players, winners and rounds, read without a replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, JSONField, Value, When
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.common.rows import grouped
from games.models import Game, Record, Result
from games.play.api.fields import ID
from games.play.api.game import GameSerializer
from games.scoring.events import Event, Log, RoundPlayed, effective, seated_in
from games.scoring.rounds import RoundEntry
from games.scoring.text.codec import from_data, kind_of
from games.tables.people import People

A_ROUND = RoundPlayed(RoundEntry(None, "", ()))  # stands for each round: only how many there are is asked


@dataclass(frozen=True)
class ListedGame:
    """A game of a list: the part that is read from its records and results."""

    players: Sequence[dict[str, Any]]
    rounds: int
    version: int

    @property
    def winners(self) -> list[str]:
        """The ids of the winners; none while it is played."""
        return [player["id"] for player in self.players if player["won"]]


class ListedPlayerSerializer(serializers.Serializer[Any]):
    """A player of a game in a list."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()
    place = serializers.IntegerField(
        allow_null=True, help_text="Null while the game is played, if it was discarded, and for a refund."
    )
    net = serializers.IntegerField(
        allow_null=True, help_text="What the game won or lost; null while it is played and if discarded."
    )


class ListedGameSerializer(GameSerializer):
    """A game as a row of a list, with its players."""

    players = serializers.SerializerMethodField(
        help_text="Everybody with a seat at the end: by place, or while it is played as they joined the table."
    )
    winners = serializers.SerializerMethodField(help_text="The ids of the winners; empty while it is played.")
    rounds = serializers.SerializerMethodField(help_text="How many rounds count.")
    version = serializers.SerializerMethodField(help_text="The number of the last event.")

    @extend_schema_field(ListedPlayerSerializer(many=True))
    def get_players(self, game: Game) -> Any:
        """Return the players with their places and nets."""
        return ListedPlayerSerializer(self._listed(game).players, many=True).data

    def get_winners(self, game: Game) -> list[str]:
        """Return the ids of the winners."""
        return self._listed(game).winners

    def get_rounds(self, game: Game) -> int:
        """Return the number of rounds."""
        return self._listed(game).rounds

    def get_version(self, game: Game) -> int:
        """Return the number of the last event."""
        return self._listed(game).version

    def _listed(self, game: Game) -> ListedGame:
        listed: ListedGame = self.context["listed"][game.pk]
        return listed


def listed_games(games: Sequence[Game], people: People) -> dict[int, ListedGame]:
    """Return what a list says of these games of one table, by the game's id, with two queries."""
    logs = grouped(_events(games))
    results = grouped((result.game_id, result) for result in Result.objects.filter(game__in=games))
    return {game.pk: _listed(logs[game.pk], results.get(game.pk, ()), people) for game in games}


def _events(games: Sequence[Game]) -> Iterator[tuple[int, Event]]:
    """Yield the events of these games in order; of a round nothing is read but that it is one."""
    a_round = kind_of(A_ROUND)
    none = Value(None, output_field=JSONField())
    shown = Case(When(kind=a_round, then=none), default="data", output_field=JSONField())
    records = Record.objects.filter(game__in=games).order_by("game", "number").annotate(shown=shown)
    for game, kind, data in records.values_list("game", "kind", "shown"):
        yield game, A_ROUND if kind == a_round else from_data(kind, data)


def _listed(log: Log, results: Sequence[Result], people: People) -> ListedGame:
    result_of = {people.by_pk[result.member_id].slug: result for result in results}
    seated = {people.by_slug[player].slug for player in seated_in(log)}
    players = [
        {
            "id": member.slug,
            "name": member.name,
            "place": result and result.place,
            "net": result and result.net,
            "won": result is not None and result.won,
        }
        for member in people.own
        if member.slug in seated
        for result in [result_of.get(member.slug)]
    ]
    players.sort(key=lambda player: player["place"] or 0)
    rounds = sum(isinstance(event, RoundPlayed) for _number, event in effective(log))
    return ListedGame(players, rounds, len(log))
