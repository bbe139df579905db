"""What migrations need of the project: a default that the models share, and the first guards as they were.

No migration imports anything else of ours, so that moving a module edits none. If `new_code` moves, its import here
moves too. The statements never change: the guards of today are in `games/common/guards.py`, and a later migration
that needs other ones brings its own.
"""

from __future__ import annotations

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.tables.models.limits import new_code as new_code  # the models' default must be the same object

_SAME = {
    "games_record": "game_id = NEW.game_id AND (number = NEW.number OR key = NEW.key)",
    "games_handsource": "game_id = NEW.game_id AND number = NEW.number AND player = NEW.player",
    "games_entry": "table_id = NEW.table_id AND (number = NEW.number OR key = NEW.key)",
}
_LET_GO_OF_GAME = """
    SELECT 1 FROM games_game JOIN games_table ON games_table.id = games_game.table_id
    WHERE games_game.id = OLD.game_id AND games_table.erased_at < {past}"""
_LET_GO_OF_TABLE = """
    SELECT 1 FROM games_table WHERE games_table.id = OLD.table_id AND games_table.erased_at < {past}"""
_PAST_ON_SQLITE = "strftime('%Y-%m-%d %H:%M:%f', 'now', '-7 days')"
_PAST = "now() - interval '7 days'"
_ON_SQLITE = """
            CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
            BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END;
            CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
            WHEN NOT EXISTS ({let_go})
            BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END;
            CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
            WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR ({same}))
            BEGIN SELECT RAISE(ABORT, 'a record is never replaced'); END;"""
_REFUSAL = f"""CREATE OR REPLACE FUNCTION games_record_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'games_entry' THEN
            IF EXISTS ({_LET_GO_OF_TABLE.format(past=_PAST)}) THEN RETURN OLD; END IF;
        ELSIF TG_OP = 'DELETE' THEN
            IF EXISTS ({_LET_GO_OF_GAME.format(past=_PAST)}) THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'a record is never changed or deleted' USING ERRCODE = 'restrict_violation';
    END $$"""
_ON_POSTGRESQL = "CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table} FOR EACH {each} EXECUTE FUNCTION games_record_refuse()"
_EVENTS = {"update": "ROW", "delete": "ROW", "truncate": "STATEMENT"}


def install_guards(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Install the triggers that refuse to change or delete records."""
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    if is_postgresql:
        schema_editor.execute(_REFUSAL, params=None)
    for table, same in _SAME.items():
        if is_postgresql:
            for event, each in _EVENTS.items():
                schema_editor.execute(_ON_POSTGRESQL.format(table=table, event=event, each=each))
        else:
            let_go = _LET_GO_OF_TABLE if table == "games_entry" else _LET_GO_OF_GAME
            statements = _ON_SQLITE.format(table=table, same=same, let_go=let_go.format(past=_PAST_ON_SQLITE))
            for statement in statements.split("END;")[:-1]:
                schema_editor.execute(f"{statement}END", params=None)


def remove_guards(_apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Remove them again."""
    for table in _SAME:
        is_postgresql = schema_editor.connection.vendor == "postgresql"
        for event in _EVENTS if is_postgresql else ("update", "delete", "replace"):
            on = f" ON {table}" if is_postgresql else ""
            schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{event}{on}")
