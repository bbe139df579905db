"""Triggers like those of django-pgtrigger, but for SQLite too: they refuse to change or delete records.

They guard `Record` (a stored event), `HandSource`, which belongs to a recorded round, and `Entry` (of the
ledger). The only exception is the rows of an erased table that can no longer be restored.

SQLite alters a table by rebuilding it, which loses its triggers, so a migration that alters one of these
models ends with `install_record_guards`. If a trigger is missing for another reason, `check_books` only
reports it, and `check_books --repair` restores it.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import NotSupportedError
from django.db.backends.base.base import BaseDatabaseWrapper

from games.tables.models.limits import ERASING_DAYS

# The guarded tables, each with the condition that a new row would replace an existing one.
_SAME: Mapping[str, str] = {
    "games_record": "game_id = NEW.game_id AND (number = NEW.number OR key = NEW.key)",
    "games_handsource": "game_id = NEW.game_id AND number = NEW.number AND player = NEW.player",
    "games_entry": "table_id = NEW.table_id AND (number = NEW.number OR key = NEW.key)",
}

# These select a row if the table was erased more than ERASING_DAYS ago, by the database's own clock.
_LET_GO_OF_GAME = """
    SELECT 1 FROM games_game JOIN games_table ON games_table.id = games_game.table_id
    WHERE games_game.id = OLD.game_id AND games_table.erased_at < {past}"""
_LET_GO_OF_TABLE = """
    SELECT 1 FROM games_table WHERE games_table.id = OLD.table_id AND games_table.erased_at < {past}"""
_PAST_ON_SQLITE = f"strftime('%Y-%m-%d %H:%M:%f', 'now', '-{ERASING_DAYS} days')"
_PAST = f"now() - interval '{ERASING_DAYS} days'"

_REFUSING = f"""
    BEGIN
        IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'games_entry' THEN
            IF EXISTS ({_LET_GO_OF_TABLE.format(past=_PAST)}) THEN RETURN OLD; END IF;
        ELSIF TG_OP = 'DELETE' THEN
            IF EXISTS ({_LET_GO_OF_GAME.format(past=_PAST)}) THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'a record is never changed or deleted' USING ERRCODE = 'restrict_violation';
    END """
_POSTGRESQL_REFUSAL = (
    f"CREATE OR REPLACE FUNCTION games_record_refuse() RETURNS trigger LANGUAGE plpgsql AS $${_REFUSING}$$"
)


def _on_sqlite(table: str) -> dict[str, str]:
    """Return the statements that guard `table`, by the names of their triggers.

    INSERT OR REPLACE removes a row without firing a delete trigger, so SQLite needs the third one.
    """
    let_go = _LET_GO_OF_TABLE if table == "games_entry" else _LET_GO_OF_GAME
    let_go = let_go.format(past=_PAST_ON_SQLITE)
    return {
        f"{table}_no_update": f"""
            CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
            BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END""",
        f"{table}_no_delete": f"""
            CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
            WHEN NOT EXISTS ({let_go})
            BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END""",
        f"{table}_no_replace": f"""
            CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
            WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR ({_SAME[table]}))
            BEGIN SELECT RAISE(ABORT, 'a record is never replaced'); END""",
    }


def _on_postgresql(table: str) -> dict[str, str]:
    events = {"update": "ROW", "delete": "ROW", "truncate": "STATEMENT"}
    return {
        f"{table}_no_{event}": f"""
            CREATE TRIGGER {table}_no_{event} BEFORE {event.upper()} ON {table}
            FOR EACH {each} EXECUTE FUNCTION games_record_refuse()"""
        for event, each in events.items()
    }


def install_record_guards(connection: BaseDatabaseWrapper) -> None:
    """Install the triggers that refuse UPDATE and DELETE of records. Repeating this is safe."""
    remove_record_guards(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_REFUSAL)
        for table in _SAME:
            for statement in _guards(connection, table).values():
                cursor.execute(statement)


def remove_record_guards(connection: BaseDatabaseWrapper) -> None:
    """Remove the triggers, for reversing their migration and for tests that empty the database."""
    with connection.cursor() as cursor:
        for table in _SAME:
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            for name in _guards(connection, table):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")


def wrong_guards(connection: BaseDatabaseWrapper) -> list[str]:
    """Return a sentence for each trigger that is missing or was altered."""
    read_triggers = _triggers_on_sqlite if connection.vendor == "sqlite" else _triggers_on_postgresql
    wrong = []
    for table in _SAME:
        definitions = read_triggers(connection, table)
        for name, statement in _guards(connection, table).items():
            if name not in definitions:
                wrong.append(f"{name} is gone")
            elif definitions[name] != _plain(statement):
                wrong.append(f"{name} is not what it was")
    return wrong


def _triggers_on_sqlite(connection: BaseDatabaseWrapper, table: str) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
        )
        return {name: _plain(sql) for name, sql in cursor.fetchall()}


def _triggers_on_postgresql(connection: BaseDatabaseWrapper, table: str) -> dict[str, str]:
    """Return the SQL of each trigger on `table`, by name.

    It is "" for a trigger that is disabled, or whose function was altered.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname, replace(pg_get_triggerdef(t.oid), quote_ident(current_schema()) || '.', ''),"
            " tgenabled IN ('O', 'A') AND prosrc = %s"
            " FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid"
            " WHERE tgrelid = %s::regclass AND NOT tgisinternal",
            [_REFUSING, table],
        )
        return {name: _plain(sql) if is_whole else "" for name, sql, is_whole in cursor.fetchall()}


def _plain(statement: str) -> str:
    """Return the SQL with single spaces, so that statements compare equal whatever their line breaks."""
    return " ".join(statement.split())


def _guards(connection: BaseDatabaseWrapper, table: str) -> dict[str, str]:
    match connection.vendor:
        case "sqlite":
            return _on_sqlite(table)
        case "postgresql":
            return _on_postgresql(table)
        case vendor:
            raise NotSupportedError(f"records cannot be guarded on {vendor}")
