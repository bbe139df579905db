"""What seasons are told from: the night of each game, its pot and length, and a few figures of each result.

Games recorded before get theirs here, by replaying what was recorded.
"""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.scoring.figures import closed_in_one_go, pot_won, rounds_to_win, survived
from games.scoring.replay import replay
from games.scoring.text.codec import from_data

NIGHT_BEGINS = timedelta(hours=6)


def fill_in(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    games = apps.get_model("games", "Game").objects.select_related("table")
    records, results = (apps.get_model("games", name).objects for name in ("Record", "Result"))
    for game in games.order_by("pk").iterator(chunk_size=500):
        there = game.started_at.astimezone(ZoneInfo(game.table.timezone)).replace(tzinfo=None)
        game.night_number = (there - NIGHT_BEGINS).toordinal()
        if game.ended_at is not None and game.discarded_at is None:
            recorded = records.filter(game=game).order_by("number").values_list("kind", "data")
            state = replay([from_data(kind, data) for kind, data in recorded])
            game.pot, game.decided_in = pot_won(state), rounds_to_win(state)
            in_one_go, close_to_out = closed_in_one_go(state), survived(state)
            for player in state.players:
                results.filter(game=game, member__slug=player.id).update(
                    total=player.total,
                    in_one_go=in_one_go.get(player.id, 0),
                    survived=close_to_out.get(player.id, 0),
                    variant=game.variant,
                    night_number=game.night_number,
                )
        game.save(update_fields=["night_number", "pot", "decided_in"])


class Migration(migrations.Migration):
    dependencies = [("games", "0004_accounts")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="night_number",
            field=models.IntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(model_name="game", name="pot", field=models.BigIntegerField(default=0)),
        migrations.AddField(
            model_name="game",
            name="decided_in",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="result", name="total", field=models.IntegerField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="result",
            name="in_one_go",
            field=models.PositiveSmallIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="result",
            name="survived",
            field=models.PositiveSmallIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="result",
            name="variant",
            field=models.CharField(default="", max_length=32),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="result",
            name="night_number",
            field=models.IntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                fields=["table", "discarded_at", "night_number", "variant", "ended_at", "pot", "decided_in"],
                name="game_by_table_and_night",
            ),
        ),
        migrations.AddIndex(
            model_name="result",
            index=models.Index(
                fields=[
                    "member",
                    "night_number",
                    "game",
                    "variant",
                    "place",
                    "points",
                    "won",
                    "net",
                    "total",
                    "in_one_go",
                    "survived",
                    "reentries",
                ],
                name="result_by_member_and_night",
            ),
        ),
        migrations.AddIndex(
            model_name="result",
            index=models.Index(fields=["game", "member", "place", "won", "net"], name="result_by_game"),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
