"""Database triggers that refuse to change or delete a `Record` (a stored event), for SQLite and PostgreSQL.

The triggers make one exception: the records of an erased table that can no longer be restored.

To alter a table, SQLite rebuilds it, and its triggers are lost: so a migration that alters `Record` ends with
`install_record_guards`. If a trigger is missing for another reason, `check_books` only reports it, and
`check_books --guards` restores it.
"""

from __future__ import annotations

from django.db import NotSupportedError
from django.db.backends.base.base import BaseDatabaseWrapper

from games.models.limits import ERASING_DAYS

# Selects a row if the record's table was erased more than ERASING_DAYS ago, by the database's own clock.
_LET_GO = """
    SELECT 1 FROM games_game JOIN games_table ON games_table.id = games_game.table_id
    WHERE games_game.id = OLD.game_id AND games_table.erased_at < {past}"""

# INSERT OR REPLACE removes a row without firing a delete trigger, so SQLite needs the third trigger.
_SQLITE = {
    "games_record_no_update": """
        CREATE TRIGGER games_record_no_update BEFORE UPDATE ON games_record
        BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END""",
    "games_record_no_delete": f"""
        CREATE TRIGGER games_record_no_delete BEFORE DELETE ON games_record
        WHEN NOT EXISTS ({_LET_GO.format(past=f"strftime('%Y-%m-%d %H:%M:%f', 'now', '-{ERASING_DAYS} days')")})
        BEGIN SELECT RAISE(ABORT, 'a record is never deleted'); END""",
    "games_record_no_replace": """
        CREATE TRIGGER games_record_no_replace BEFORE INSERT ON games_record
        WHEN EXISTS (
            SELECT 1 FROM games_record WHERE id = NEW.id OR (game_id = NEW.game_id AND (number = NEW.number OR key = NEW.key))
        )
        BEGIN SELECT RAISE(ABORT, 'a record is never replaced'); END""",
}

_REFUSING = f"""
    BEGIN
        IF TG_OP = 'DELETE' THEN
            IF EXISTS ({_LET_GO.format(past=f"now() - interval '{ERASING_DAYS} days'")}) THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'a record is never changed or deleted' USING ERRCODE = 'restrict_violation';
    END """
_POSTGRESQL_REFUSAL = (
    f"CREATE OR REPLACE FUNCTION games_record_refuse() RETURNS trigger LANGUAGE plpgsql AS $${_REFUSING}$$"
)

_POSTGRESQL = {
    "games_record_no_update": """
        CREATE TRIGGER games_record_no_update BEFORE UPDATE ON games_record
        FOR EACH ROW EXECUTE FUNCTION games_record_refuse()""",
    "games_record_no_delete": """
        CREATE TRIGGER games_record_no_delete BEFORE DELETE ON games_record
        FOR EACH ROW EXECUTE FUNCTION games_record_refuse()""",
    "games_record_no_truncate": """
        CREATE TRIGGER games_record_no_truncate BEFORE TRUNCATE ON games_record
        FOR EACH STATEMENT EXECUTE FUNCTION games_record_refuse()""",
}


def install_record_guards(connection: BaseDatabaseWrapper) -> None:
    """Install the triggers that refuse UPDATE and DELETE of records; safe to repeat."""
    remove_record_guards(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_REFUSAL)
        for statement in _guards(connection).values():
            cursor.execute(statement)


def remove_record_guards(connection: BaseDatabaseWrapper) -> None:
    """Remove the triggers: to reverse their migration, and for tests that empty the database."""
    table = " ON games_record" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for name in _guards(connection):
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{table}")


def wrong_guards(connection: BaseDatabaseWrapper) -> list[str]:
    """Return one sentence for each trigger that is missing or altered."""
    read_triggers = _triggers_on_sqlite if connection.vendor == "sqlite" else _triggers_on_postgresql
    installed, wrong = read_triggers(connection), []
    for name, statement in _guards(connection).items():
        if name not in installed:
            wrong.append(f"{name} is gone")
        elif installed[name] != _plain(statement):
            wrong.append(f"{name} is not what it was")
    return wrong


def _triggers_on_sqlite(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the SQL of each installed trigger, by name."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'games_record'"
        )
        return {name: _plain(sql) for name, sql in cursor.fetchall()}


def _triggers_on_postgresql(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Return the SQL of each installed trigger, by name.

    The SQL is "" for a trigger that is disabled, or whose function was altered.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname, replace(pg_get_triggerdef(t.oid), quote_ident(current_schema()) || '.', ''),"
            " tgenabled IN ('O', 'A') AND prosrc = %s"
            " FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid"
            " WHERE tgrelid = 'games_record'::regclass AND NOT tgisinternal",
            [_REFUSING],
        )
        return {name: _plain(sql) if is_whole else "" for name, sql, is_whole in cursor.fetchall()}


def _plain(statement: str) -> str:
    """Return the SQL with single spaces, so that statements compare equal whatever their line breaks."""
    return " ".join(statement.split())


def _guards(connection: BaseDatabaseWrapper) -> dict[str, str]:
    match connection.vendor:
        case "sqlite":
            return _SQLITE
        case "postgresql":
            return _POSTGRESQL
        case vendor:
            raise NotSupportedError(f"records cannot be guarded on {vendor}")
