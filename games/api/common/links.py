"""The OpenAPI links: from each operation to the operations that can follow its answer.

A link says where each parameter of the next operation is taken from. People read the links, and programs
follow them to walk the API.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

ASKED = "$request.path."
SENT = "$request.body#/"
ANSWERED = "$response.body#/"
SAME = {"code": f"{ASKED}code"}  # the code of the table or game in the requested path
NEW = {"code": f"{ANSWERED}code"}
SEEN = {"If-Match": "$response.header.ETag"}
SECOND = {"grant": "$response.body#/grants/1/id"}
TWO = {"payer": "$response.body#/members/0/id", "payee": "$response.body#/members/1/id"}
TWINS = {"member": "$response.body#/members/1/id", "into": "$response.body#/members/0/id"}
FIRST = "For the first row of the list; the other rows have the same link."
BELOW_THE_FIRST = "For the second row of the list, because nobody can remove the first owner."


@dataclass(frozen=True)
class Way:
    """The links from each operation in `start` to each operation in `to`.

    Both are ids of operations, separated by blanks. If `to` is empty, the link leads to the next page of the
    same operation. `takes` maps each parameter of the next operation to its source, and `sends` maps each
    field of its body to its source. A source is an OpenAPI runtime expression, e.g. "$response.body#/id".
    `text` describes the link.
    """

    start: str
    to: str
    takes: Mapping[str, str] = field(default_factory=dict)
    sends: Mapping[str, str] = field(default_factory=dict)
    text: str = ""

    def links(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Yield each link as a tuple: the ids of its two operations, and the OpenAPI Link Object.

        The first id is the operation that was called, the second the operation that can follow.
        """
        is_of_many = any("/0/" in source for source in (*self.takes.values(), *self.sends.values()))
        text = self.text or (FIRST if is_of_many else "")
        parts = {"parameters": dict(self.takes), "requestBody": dict(self.sends), "description": text}
        written = {name: part for name, part in parts.items() if part}
        for start in self.start.split():
            for aim in self.to.split() or [start]:
                yield start, aim, {"operationId": aim, **written}


def listed(name: str, **parts: str) -> dict[str, str]:
    """Return a dict from each parameter to its source: a field in the first row of a list in the answer.

    `name` is the name of the list, and `parts` maps each parameter to the field. For example,
    `listed("games", code="id")` returns `{"code": "$response.body#/games/0/id"}`.
    """
    return {taken: f"{ANSWERED}{name}/0/{part}" for taken, part in parts.items()}


def answered(*names: str, **others: str) -> dict[str, str]:
    """Return a dict from each parameter to its source: a field of the answer.

    A parameter in `names` has the same name as its field. `others` maps a parameter to a field with another
    name. For example, `answered(code="id")` returns `{"code": "$response.body#/id"}`.
    """
    return {
        taken: f"{ANSWERED}{part}" for taken, part in {**{name: name for name in names}, **others}.items()
    }


IN_A_TABLE = (
    "table members add_member games start_game accounts nights seasons standings changes invitations invite grants "
    "claims leaving payments costs records duels export_table preview_notebook rename_table "
    "stream_changes"
)
IN_A_GAME = "game events sheet settlement hands rematch discard export_game export_game_text"
OF_A_MEMBER = "member change_member player claim set_account retire"
OF_A_PAYMENT = "payment confirm_payment dispute_payment take_back_payment"

WAYS = (
    # --- variants: the games that can be played
    Way("variants", "variant", listed("variants", key="key")),
    Way("variants", "rules", {}, listed("variants", variant="key")),
    # --- tables
    Way("tables", IN_A_TABLE, listed("tables", code="code")),
    Way("open_table import_table", IN_A_TABLE, NEW),
    Way("accept_invitation", "table members games claims leaving", answered(code="table")),
    Way("accept_invitation", "game", answered(code="game")),
    Way(
        "table",
        "export_spreadsheet",
        {**SAME, "what": "rounds"},
        text="The results and the payments have the same link.",
    ),
    Way("export_table", "erase_table", SAME, text="Export a table before erasing it."),
    Way("erase_table", "bring_table_back", SAME),
    Way("leaving", "leave_table", SAME),
    # --- people
    Way("add_member change_member", OF_A_MEMBER, {**SAME, **answered(member="id")}),
    Way("members", "member player claim", {**SAME, **listed("members", member="id")}),
    Way(
        "members",
        "preview_merge",
        {**SAME, **TWINS},
        text="For merging the second member of the list into the first.",
    ),
    Way(
        "preview_merge",
        "merge_member",
        {**SAME, "member": f"{ASKED}member"},
        answered("into", "seen"),
    ),
    Way("merge_member", "part_member", {**SAME, **answered(member="id")}),
    Way("retire", "bring_back", {**SAME, **answered(member="id")}),
    Way(
        "claim claims",
        "accept_claim end_claim",
        {**SAME, **listed("claims", member="member")},
        listed("claims", claimant="claimant"),
    ),
    Way("invite", "invitation_ending revoke_invitation", {**SAME, **answered(invitation="id")}),
    Way("members", "invite_new_phone", {**SAME, **listed("members", member="id")}),
    Way("invite_new_phone", "revoke_invitation", {**SAME, **answered(invitation="id")}),
    Way("invite invite_new_phone", "accept_invitation", {}, answered("token")),
    Way("invitation_ending", "revoke_invitation", {**SAME, "invitation": f"{ASKED}invitation"}),
    Way("revoke_invitation remove_grant", "undo_removal", {**SAME, **answered("removal")}),
    Way("grants", "grant_ending keep_grant remove_grant", {**SAME, **SECOND}, text=BELOW_THE_FIRST),
    Way("grants", "hand_over", SAME, SECOND, BELOW_THE_FIRST),
    Way("grant_ending", "remove_grant", {**SAME, "grant": f"{ASKED}grant"}),
    Way("devices", "sign_out", listed("devices", device="id")),
    Way("tokens", "revoke_token", listed("tokens", token="id")),
    # --- money
    Way("accounts", "pay", SAME, listed("debts", payer="payer", payee="payee", amount="amount")),
    Way("accounts", "open_balances simplify", SAME, answered("seen")),
    Way("simplify", "simplify", SAME, answered("seen"), "For the preview."),
    Way("nights", "night", {**SAME, **listed("nights", night="night")}),
    Way(
        "members", "pay", SAME, TWO, "For the first two members of the list; other pairs have the same link."
    ),
    Way("pay", OF_A_PAYMENT, {**SAME, **answered(payment="id")}),
    Way("payments", "payment", {**SAME, **listed("payments", payment="id")}),
    Way("nights", "share_cost", SAME, listed("nights", night="night")),
    Way("share_cost", "cancel_cost", {**SAME, **answered(cost="id")}),
    Way("dispute_payment", "take_back_payment confirm_payment", {**SAME, **answered(payment="id")}),
    # --- play
    Way("start_game rematch", IN_A_GAME, NEW),
    Way("start_game rematch record game", "record preview undo", {**NEW, **SEEN}),
    Way("start_game rematch", "table accounts standings", answered(code="table")),
    Way("games", "game events sheet settlement", listed("games", code="code")),
    Way("record", "sheet settlement rematch", NEW),
    Way("preview", "record", {**SAME, **SEEN}, answered("events")),
    Way("undo", "redo", {**NEW, **SEEN}),
    Way("redo", "undo", {**NEW, **SEEN}),
    Way("discard", "restore", NEW),
    Way("start_game rematch record game", "offer_hand", NEW, answered("after")),
    Way("hands", "offer_hand", SAME, answered("after")),
    Way("hands offer_hand", "withdraw_hand", SAME),
    Way("hands", "record", {**SAME}, answered("after")),
    # --- seasons
    Way("seasons", "begin_season", SAME),
    Way("seasons", "change_season", {**SAME, **listed("seasons", season="id")}),
    Way("seasons", "standings records duels", {**SAME, **listed("seasons", season="id")}),
    Way("duels", "duel", {**SAME, **listed("duels", member="one", other="other")}),
    Way("standings", "player", {**SAME, **listed("lines", member="member")}),
    # --- notebooks
    Way(
        "preview_notebook",
        "take_notebook_over",
        SAME,
        {"text": f"{SENT}text", **answered("seen")},
        "The same notebook again, with the same settings.",
    ),
    Way("take_notebook_over", "take_notebook_back", SAME, {"key": "$request.header.Idempotency-Key"}),
    # --- the next page
    Way("games payments costs events", "", {**SAME, **answered(cursor="next")}),
    Way("player", "", {**SAME, "member": f"{ASKED}member", **answered(cursor="next")}),
    Way("nights", "", {**SAME, **answered(before="next")}),
    Way("changes", "", {**SAME, **answered(since="seen")}),
)


def link(described: Mapping[str, Any]) -> None:
    """Add the OpenAPI links to the successful response of each operation of the schema `described`.

    Each link is named after the operation that it leads to.
    """
    operations = {
        operation["operationId"]: operation
        for methods in described["paths"].values()
        for operation in methods.values()
    }
    for way in WAYS:
        for start, aim, written in way.links():
            responses = operations[start]["responses"]
            good = next(response for status, response in responses.items() if status < "300")
            good.setdefault("links", {})[aim] = written
