"""The database's own refusal to change or delete a record, for SQLite and PostgreSQL.

It lets go of the records of a table that was erased and that nobody can bring back any more, and of no others.

A rebuilt SQLite table loses its triggers: a migration that alters `Record` ends with `install_record_guards`.
"""

from __future__ import annotations

from django.db import NotSupportedError
from django.db.backends.base.base import BaseDatabaseWrapper

from games.models.limits import ERASING_DAYS

# That a record is of such a table, by the database's own clock.
_LET_GO = """
    SELECT 1 FROM games_game JOIN games_table ON games_table.id = games_game.table_id
    WHERE games_game.id = OLD.game_id AND games_table.erased_at < {past}"""

# INSERT OR REPLACE removes a row without firing a delete trigger, so SQLite needs the third one.
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

_POSTGRESQL_REFUSAL = f"""
    CREATE OR REPLACE FUNCTION games_record_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            IF EXISTS ({_LET_GO.format(past=f"now() - interval '{ERASING_DAYS} days'")}) THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION 'a record is never changed or deleted' USING ERRCODE = 'restrict_violation';
    END $$"""

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
    """Makes the database refuse UPDATE and DELETE of records; harmless where it already does."""
    remove_record_guards(connection)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_POSTGRESQL_REFUSAL)
        for statement in _guards(connection).values():
            cursor.execute(statement)


def remove_record_guards(connection: BaseDatabaseWrapper) -> None:
    """Takes the guards away: for undoing their migration, and for tests that empty the database."""
    table = " ON games_record" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for name in _guards(connection):
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{table}")


def missing_record_guards(connection: BaseDatabaseWrapper) -> list[str]:
    """The names of the guards that are not there, or are switched off."""
    names = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE tgrelid = 'games_record'::regclass AND tgenabled <> 'D'",
    }
    with connection.cursor() as cursor:
        guards = _guards(connection)
        cursor.execute(names[connection.vendor])
        there = {name for (name,) in cursor.fetchall()}
    return [name for name in guards if name not in there]


def _guards(connection: BaseDatabaseWrapper) -> dict[str, str]:
    match connection.vendor:
        case "sqlite":
            return _SQLITE
        case "postgresql":
            return _POSTGRESQL
        case vendor:
            raise NotSupportedError(f"records cannot be guarded on {vendor}")
