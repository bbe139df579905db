"""Random walks along the links of the description: no server error, no undescribed status, no other shape.

Schemathesis follows the links: it opens a table, starts a game with the code from that response, and undoes
with the version from the next. Requests are an owner's, and sometimes those of a member who is a witness. One
table is filled before; every walk finds it unchanged.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import Phase, settings

from games.models import Grant, Role
from tests.api.sense import OF_THE_GUEST, sensible
from tests.api.tried import HOW, described_api, kept_open, session_of, wanted_checks
from tests.full_tables import FullTable, fill
from tests.tables import make_user

SHORT, LONG = (6 if connection.vendor == "sqlite" else 3), 60  # walks for each subject
STEPS = 100  # steps of a walk, at most
MOSTLY = 0.5  # the share of operations that must get a successful response at least once
# Where every walk begins: the rules of schemathesis that need no earlier response.
BEGINNINGS = {"RANDOM__POST_api_v1_tables_", "RANDOM__GET_api_v1_tables_"}
SUBJECTS = {  # the further operations of each walk; a walk over all of them would not get far in any
    "people": (
        "members member add_member change_member claims claim accept_claim end_claim grants grant_ending keep_grant "
        "remove_grant undo_removal hand_over invitations invite invite_new_phone invitation_ending revoke_invitation accept_invitation "
        "leaving leave_table erase_table export_table bring_table_back"
    ),
    "money": (
        "members add_member pay payments payment confirm_payment dispute_payment take_back_payment "
        "costs share_cost cancel_cost accounts simplify open_balances nights night set_account retire bring_back"
    ),
    "play": (
        "start_game games game events record preview undo redo rematch discard restore sheet settlement"
    ),
    "season and notebook": (
        "seasons change_season begin_season standings records duels duel player changes preview_notebook "
        "take_notebook_over take_notebook_back export_table"
    ),
}
ASKED_BY_THE_GUEST = {  # sent as the member; so is every seventh step, whatever its operation
    *("accept_invitation", "claim", "leaving", "leave_table"),
    *("confirm_payment", "dispute_payment", "take_back_payment"),
}


@pytest.fixture
def sessions(db):
    """Return the cookies of an owner and of a witness who is a confirmed member."""
    owner = make_user("ana")
    full = FullTable(random.Random(7), owner)
    table = fill(full, nights=1, games=2)
    Grant.objects.create(user=full.scorer, table=table, role=Role.WITNESS)
    return session_of(owner), session_of(full.scorer)


def walker(subject, sessions, came):
    """Return the state machine that walks; it counts in `came` each status of each operation."""
    import schemathesis
    from schemathesis.generation.feedback import NO_FEEDBACK

    described = described_api().include(operation_id=["open_table", "tables", *SUBJECTS[subject].split()])
    described.config.phases.stateful.generation.update(modes=[schemathesis.GenerationMode.POSITIVE])
    machine: Any = described.build_state_machine(feedback=NO_FEEDBACK, link_calibration=None)
    elsewhere, wanted = machine.root_rules - BEGINNINGS, wanted_checks()

    class Walk(machine):  # type: ignore[misc]  # made from the description
        root_rules = BEGINNINGS
        locals().update(dict.fromkeys(elsewhere))  # no walk begins with these rules

        def setup(self):
            super().setup()
            self.turn, self.kept = 0, transaction.atomic()
            self.kept.__enter__()

        def teardown(self):
            transaction.set_rollback(True)
            self.kept.__exit__(None, None, None)

        def step(self, input):
            self.turn += 1
            case = input.case
            session = sessions[name_of(case) in ASKED_BY_THE_GUEST or self.turn % OF_THE_GUEST == 0]
            case.cookies, case.headers["X-CSRFToken"] = session, session["csrftoken"]
            if self.turn % 5:
                speak_sense(input, self.turn)
            return super().step(input)

        def validate_response(self, response, case, **more):
            came[name_of(case), response.status_code] += 1
            case.validate_response(response, checks=wanted)

    return Walk


def name_of(case):
    return case.operation.definition.raw["operationId"]


def speak_sense(input, turn):
    """Complete the request of a step before it is sent, with a new idempotency key.

    It takes all values of the link, and a sensible body where a random one would be refused.
    """
    case, link = input.case, input.transition
    for place, taken in (link.parameters if link else {}).items():
        getattr(case, place).update(there({name: value_of(part) for name, part in taken.items()}))
    linked = there((link and link.request_body and value_of(link.request_body)) or {})
    made = sensible(name_of(case), case.path_parameters, turn)
    if linked or made is not None:
        case.body = {**(made or {}), **linked} if turn % OF_THE_GUEST else {**linked, **(made or {})}
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"step-{turn}"


def value_of(extracted):
    """Return the value that a link takes from a response; None if the response has no such part."""
    from schemathesis.core.result import Ok

    return extracted.value.ok() if isinstance(extracted.value, Ok) else None


def there(parts):
    """Return the parts that have a value; a link to the first item of an empty list has none."""
    from schemathesis.core.transforms import UNRESOLVABLE

    items = parts.items() if isinstance(parts, dict) else ()
    return {name: part for name, part in items if part is not None and part is not UNRESOLVABLE}


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize(
    "walks", [pytest.param(SHORT, marks=pytest.mark.slow), pytest.param(LONG, marks=pytest.mark.long)]
)
def test_random_walks_along_the_links_reach_at_least_half_of_the_operations(sessions, subject, walks):
    pytest.importorskip("schemathesis")
    came: Counter[tuple[str, int]] = Counter()
    known = set(SUBJECTS[subject].split())
    with kept_open():
        walker(subject, sessions, came).run(
            settings=settings(**HOW, max_examples=walks, stateful_step_count=STEPS, phases=[Phase.generate])
        )

    good = {name for name, status in came if status < 300}
    assert len(good) >= len(known) * MOSTLY, sorted(known - good)
