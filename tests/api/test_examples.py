"""The examples of answers in the OpenAPI document: those of the demo's table, for operations that the guide
names.

UPDATE_EXAMPLES=1 in the environment writes them again.
"""

from __future__ import annotations

import json
import os
import re

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.common.api import schema
from games.management.commands.demo import fill_table

PAID = {"payer": "beto", "payee": "mariela", "amount": 5000, "method": "cash"}
ROUND = {"events": [{"line": "round ana out beto=[K 7 *]"}]}
# The number of a row, which databases count differently.
NUMBER = re.compile(r'("(id|payment|season)": |"(game|payment)/)(\d+)')


@pytest.fixture
def answers(program_for, time_machine):
    """The answers of these operations at the demo's table, with fixed codes and numbers."""
    time_machine.move_to("2026-11-24T21:00:00-03:00", tick=False)
    table = fill_table(User.objects.create_user("demo", first_name="Ana"), at=now())
    program = program_for(table.accesses.get(role="owner").user, table=table, reads_only=False)
    table_path, players = f"tables/{table.code}", [{"id": "ana"}, {"id": "beto"}]
    start_response = program.post(
        f"{table_path}/games/", {"variant": "loba_menos", "players": players}, key="a"
    )
    game = f"games/{start_response.body['code']}"
    me = program.get("me/")
    me.body["token"]["id"] = 1
    responses = {
        "me": me,
        "table": program.get(f"{table_path}/"),
        "members": program.get(f"{table_path}/members/"),
        "start_game": start_response,
        "preview": program.post(f"{game}/preview/", ROUND),
        "record": program.post(f"{game}/events/", {"after": 1, **ROUND}, key="b"),
        "game": program.get(f"{game}/"),
        "events": program.get(f"{game}/events/"),
        "games": program.get(f"{table_path}/games/?state=ended&limit=1"),
        "accounts": program.get(f"{table_path}/accounts/"),
        "pay": program.post(f"{table_path}/payments/", PAID, key="c"),
        "table_events": program.get(f"{table_path}/events/?limit=2"),
    }
    text = json.dumps({name: {str(response.status): response.body} for name, response in responses.items()})
    known = {table.code: "kd7m2xq9rta", start_response.body["code"]: "8xcd8zy7g9v"}
    for changing, replacement in {**known, "http://testserver": "https://anotador.example"}.items():
        text = text.replace(changing, replacement)
    numbers: dict[str, list[str]] = {"payment": [], "season": [], "game": []}

    def renumber(match):
        """Return the row's number among those of its kind, in order of appearance."""
        rows = numbers[{"id": "payment"}.get(match[2], match[2] or match[3])]
        if match[4] not in rows:
            rows.append(match[4])
        return f"{match[1]}{rows.index(match[4]) + 1}"

    return json.loads(NUMBER.sub(renumber, text))


def test_the_examples_are_the_answers_of_the_demos_table(answers):
    if os.environ.get("UPDATE_EXAMPLES") == "1":
        rows = (
            f"{json.dumps(name)}: {json.dumps(answer, ensure_ascii=False)}"
            for name, answer in answers.items()
        )
        schema.EXAMPLES.write_text("{" + ",\n".join(rows) + "}\n", encoding="utf-8")
        schema.generate.cache_clear()

    assert json.loads(schema.EXAMPLES.read_text(encoding="utf-8")) == answers


def test_every_operation_that_the_guide_names_has_an_example():
    named = {
        operation["operationId"]
        for operations in schema.openapi()["paths"].values()
        for operation in operations.values()
        for response in operation["responses"].values()
        if "example" in response.get("content", {}).get("application/json", {})
    }

    assert set(json.loads(schema.EXAMPLES.read_text(encoding="utf-8"))) == named
    assert 12 == len(named)
