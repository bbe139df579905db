"""Old calls of the API and their answers, which version 1 must keep: status, code, fields and values.

`tests/data/v1_tables.sql.gz` is a database of that time with the tables of the recorder. It is migrated, and the
calls of `v1_calls.json.gz` are sent to it, at the recorder's time. They have the codes of tables and games
replaced by names. An answer may gain fields, and sentences may change.

    python -m tests.api.kept            # print every answer that lost something or has an undescribed null
    python -m tests.api.kept --record   # write the calls anew, for a new version of the API only
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import time_machine

from tests.api import recorded

DATA = Path(__file__).parents[1] / "data"
TABLES, CALLS = DATA / "v1_tables.sql.gz", DATA / "v1_calls.json.gz"
ROWS = {"full", "plain", "users", "sessions"}  # of the database, which are not kept beside it
FIRST = 2  # calls of each operation by each user, of which all are kept
ONE_OF = 40  # of the other calls one in so many is kept, chosen by its name
LARGEST = 12_000  # letters of an answer that is kept
# Sentences, which may be improved.
SENTENCES = {"title", "detail", "text", "note", "why", "rules", "summary", "help", "label", "fewest"}
# Words for people in a spreadsheet, which has the language of its reader, as they were and as they are.
REWORDED = {"says it is paid": "reported as paid", "Escalating": "Rising re-entries"}
RULED = {"max_players"}  # figures of RULES.md, which a new ruling changes


def main() -> None:
    """Compare the answers of the kept calls with those of today, or record them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            **{"DJANGO_SETTINGS_MODULE": "tests.unlimited", "DATA_DIR": folder},
            **{"ALLOWED_HOSTS": "testserver", "SECRET_KEY": "always the same " * 4, "LOG_LEVEL": "CRITICAL"},
        }
        import logging

        import django
        from django.conf import settings
        from django.core.management import call_command
        from django.db import connection

        django.setup()
        logging.disable(logging.CRITICAL)
        database = settings.DATABASES["default"]["NAME"]
        if not given.record:
            sqlite3.connect(database).executescript(gzip.decompress(TABLES.read_bytes()).decode())
        call_command("migrate", verbosity=0)
        with time_machine.travel(recorded.NOW, tick=False):
            if not given.record:
                sys.exit(_compare(**json.loads(gzip.decompress(CALLS.read_bytes()))))
            with recorded._fixed_chance(0):
                place = recorded._place()
            calls = list(_chosen(place))
        connection.close()
        _write(TABLES, "\n".join(sqlite3.connect(database).iterdump()))
        known = {name: value for name, value in vars(place).items() if name not in ROWS}
        codes = {"full": place.full.code, "plain": place.plain.code}
        _write(CALLS, json.dumps({"place": known | codes, "calls": calls}, ensure_ascii=False, indent=0))
        print(f"{len(calls)} calls kept")


def _write(path: Path, text: str) -> None:
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write(text.encode())


def _compare(place: dict[str, Any], calls: list[dict[str, Any]]) -> int:
    """Print what the answers lost and return the number of calls that lost something."""
    from django.contrib.auth.models import User

    from games.models import Table

    full, plain = (Table.objects.get(code=place.pop(name)) for name in ("full", "plain"))
    users = {user.username: user for user in User.objects.all()}
    stored = recorded.Place(full=full, plain=plain, users=users, **place)
    broken = 0
    for call in calls:
        answer = _answer(stored, call)
        lost = [*_lost(call["answer"], answer), *_undescribed(stored, call, answer)]
        broken += bool(lost)
        for sentence in lost:
            print(
                f"{call['as']} {call['method']} {call['path']} {call['sent']} {call['headers']}: {sentence}"
            )
    print(f"{broken} of {len(calls)} calls lost something")
    return min(broken, 100)


def _undescribed(place: recorded.Place, call: dict[str, Any], answer: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence for each null that was answered, or accepted, and is not described."""
    from tests.api.nulls import nulls_answered, nulls_sent

    method, path = call["method"], _aliased(place, call["path"], back=True)
    yield from nulls_answered(method, path, answer["status"], answer["body"])
    if answer["status"] < 300:
        yield from nulls_sent(method, path, call["sent"])


def _lost(old: Any, new: Any, where: str = "answer") -> Iterator[str]:
    """Yield a sentence for each field and value of the old answer that the new one does not have."""
    match old, new:
        case dict(), dict():
            for name in old:
                if name not in new:
                    yield f"{where}.{name} is missing"
                elif name == "version" and "format" in old:  # of a file, which gains fields
                    continue
                elif name not in SENTENCES | RULED or type(old[name]) is not type(new[name]):
                    yield from _lost(old[name], new[name], f"{where}.{name}")
        case list(), list() if (named := _by_name(old)) and (news := _by_name(new)):
            yield from _lost(named, news, where)
        case list(), list() if len(old) == len(new):
            for number, pair in enumerate(zip(old, new, strict=True)):
                yield from _lost(*pair, f"{where}[{number}]")
        case str(), str() if _reworded(old) == new:
            return
        case _ if old != new:
            yield f"{where} was {str(old)[:200]} and is {str(new)[:200]}"


def _reworded(text: str) -> str:
    for old, new in REWORDED.items():
        text = text.replace(old, new)
    return text


def _by_name(values: list[Any]) -> dict[str, Any]:
    """Return the values by their names, such as a game's options, to which new ones are added; else nothing."""
    match values:
        case [[str(), _], *_]:
            return dict(values)
        case [{"key": str()}, *_]:
            return {one["key"]: one for one in values}
    return {}


# --- calls ----------------------------------------------------------------------------------------------------


def _chosen(place: recorded.Place) -> Iterator[dict[str, Any]]:
    """Yield the calls to keep, each with its answer."""
    counts: Counter[str] = Counter()
    for name, _client, method, path, options in recorded._calls(place):
        operation, asker, *_rest = name.split()
        counts[f"{operation} {asker}"] += 1
        if counts[f"{operation} {asker}"] > FIRST and crc32(_aliased(place, name).encode()) % ONE_OF:
            continue
        call = {
            **{"as": asker, "method": method, "path": path, "sent": options.get("data")},
            "headers": options["headers"],
        }
        call = json.loads(_aliased(place, json.dumps(call, ensure_ascii=False)))
        answer = _answer(place, call)
        if len(str(answer)) + len(str(call["sent"])) < LARGEST:
            yield {**call, "answer": answer}


def _answer(place: recorded.Place, call: dict[str, Any]) -> dict[str, Any]:
    """Send the call, undo what it wrote and return status, headers and body of the answer."""
    from django.db import transaction

    known: dict[str, Any] = json.loads(_aliased(place, json.dumps(call, ensure_ascii=False), back=True))
    options: dict[str, Any] = {"headers": known["headers"]}
    if known["sent"] is not None or known["method"] != "get":
        options |= {"data": known["sent"], "content_type": "application/json"}
    client = recorded._client(place, known["as"])
    recorded._forget_counts()
    seed = crc32(f"{call['as']} {call['method']} {call['path']} {call['sent']}".encode())
    with recorded._fixed_chance(seed), transaction.atomic():
        response = getattr(client, known["method"])(known["path"], **options)
        content = b"".join(response) if response.streaming else response.content
        transaction.set_rollback(True)
    text = _aliased(place, content.decode())
    answer = {"status": response.status_code, "type": response.headers.get("Content-Type", "")}
    if "ETag" in response.headers:
        answer["version"] = response.headers["ETag"].strip('"').partition(".")[0]
    return {**answer, "body": json.loads(text) if "json" in answer["type"] else text}


def _aliased(place: recorded.Place, text: str, *, back: bool = False) -> str:
    """Return the text with names instead of the codes of tables and games; with `back`, the reverse."""
    codes = {"plain-table": place.plain.code, "full-table": place.full.code, "the-secret": place.secret}
    codes |= {f"{name}-game": code for name, code in place.games.items()}
    codes |= {f"game-{game.pk}-of-full": game.code for game in place.full.games.all()}
    for name, code in codes.items():
        text = text.replace(f"<{name}>", code) if back else text.replace(code, f"<{name}>")
    return text


if __name__ == "__main__":
    main()
