"""Games in a list with their players, winners and rounds, read without replaying them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import Case, JSONField, Value, When
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from games.common import bulk
from games.common.event_store import Content
from games.models import Game, Record, Result
from games.play.api.fields import ID
from games.play.api.game import GameSerializer
from games.scoring import corrections
from games.scoring.events import Log, RoundPlayed
from games.scoring.rounds import RoundEntry
from games.scoring.text.codec import from_data
from games.tables.services.roster import People

logger = logging.getLogger(__name__)

# replaces every round, since a list only counts them
PLACEHOLDER_ROUND = RoundPlayed(RoundEntry(None, "", ()))


@extend_schema_serializer(component_name="ListedPlayer")
class GameListPlayerSerializer(serializers.Serializer[Any]):
    """A player of a game in a list."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()
    place = serializers.IntegerField(
        allow_null=True, help_text="Null while the game is played, if it was discarded, and for a refund."
    )
    net = serializers.IntegerField(
        allow_null=True, help_text="What the game won or lost; null while it is played and if discarded."
    )


@extend_schema_serializer(component_name="ListedGame")
class GameListItemSerializer(GameSerializer):
    """A game as a row of a list."""

    players = GameListPlayerSerializer(
        many=True,
        help_text="Everybody with a seat at the end: by place, or while it is played as they joined the table.",
    )
    winners = serializers.ListField(child=serializers.CharField())
    rounds = serializers.IntegerField(
        allow_null=True, help_text="How many rounds count; null if the game's records cannot be read."
    )
    game_version = serializers.IntegerField(help_text="The number of the last event.")
    version = serializers.IntegerField(help_text="The same as `game_version`.")

    def to_representation(self, instance: Game) -> dict[str, Any]:
        return {**GameSerializer(instance, context=self.context).data, **self.context["listed"][instance.pk]}


def load_rows(games: Sequence[Game], people: People) -> dict[int, dict[str, Any]]:
    """Return the players, winners, rounds and version of these games of one table, by the games' ids.

    Two queries read them all.
    """
    contents = bulk.group_values(_load_contents(games))
    results = bulk.group_values((result.game_id, result) for result in Result.objects.filter(game__in=games))
    return {
        game.pk: {
            **_build_row(_parse_log(game, contents[game.pk]), results.get(game.pk, ()), people),
            **dict.fromkeys(("game_version", "version"), len(contents[game.pk])),
        }
        for game in games
    }


def _load_contents(games: Sequence[Game]) -> Iterator[tuple[int, Content]]:
    """Yield the kind and data of the games' records in order; rounds without their data."""
    none = Value(None, output_field=JSONField())
    data_or_null = Case(When(kind=RoundPlayed.kind, then=none), default="data", output_field=JSONField())
    records = Record.objects.filter(game__in=games).order_by("game", "number").annotate(shown=data_or_null)
    for game, kind, data in records.values_list("game", "kind", "shown"):
        yield game, (kind, data)


def _parse_log(game: Game, contents: Sequence[Content]) -> Log:
    """Return the log of the game. If its records are damaged, log the reason and return ()."""
    try:
        return tuple(
            PLACEHOLDER_ROUND if kind == RoundPlayed.kind else from_data(kind, data)
            for kind, data in contents
        )
    except Exception:  # damaged data can fail in any way, and one game must not break a list
        logger.exception("What was recorded of the game with the id %s cannot be read", game.pk)
        return ()


def _build_row(played: Log, results: Sequence[Result], people: People) -> dict[str, Any]:
    results_by_slug = {people.by_pk[result.member_id].slug: result for result in results}
    seated_slugs = {
        people.by_slug[player].slug
        for player in (corrections.players_at_end(played) if played else results_by_slug)
    }
    players = [
        {
            "id": member.slug,
            "name": member.name,
            "place": result and result.place,
            "net": result and result.net,
        }
        for member in people.current_members
        if member.slug in seated_slugs
        for result in [results_by_slug.get(member.slug)]
    ]
    return {
        "players": sorted(players, key=lambda player: player["place"] or 0),
        "winners": [slug for slug, result in results_by_slug.items() if result.won],
        "rounds": sum(
            isinstance(event, RoundPlayed) for _number, event in corrections.effective_events(played)
        )
        if played
        else None,
    }
