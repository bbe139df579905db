"""A night played by a client that was generated from the API's description.

It imports the generated code and nothing of this project.

    python generated_night.py ADDRESS TOKEN SESSION FORGERY

TOKEN is a token of Ana's for all tables. SESSION is a session of Ana's, and FORGERY is its CSRF token.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from anotador_client import AuthenticatedClient, Client, models  # type: ignore[import-not-found]


class Phone:
    """A client that acts for one user; each of its writes has a new idempotency key."""

    written = 0

    def __init__(self, client: Any) -> None:
        self.client = client

    def asks(self, operation: str, *place: object, status: int = 200, **query: object) -> Any:
        """Call an operation, assert the status and return the response as the generated code parsed it."""
        code = import_module(f"anotador_client.api.{operation}")
        response = code.sync_detailed(*place, client=self.client, **query)
        assert status == response.status_code, (operation, response.status_code, response.content)
        assert response.parsed is not None, f"{operation}: the generated code reads nothing"
        return response.parsed

    def writes(self, operation: str, *place: object, status: int = 200, **sent: object) -> Any:
        """Call an operation that writes, under a new idempotency key; return the same as `asks`."""
        Phone.written += 1
        return self.asks(operation, *place, status=status, idempotency_key=f"w{Phone.written}", **sent)

    def looks_at(self, page: str) -> None:
        """Open a page in the client's session and keep its cookies and CSRF token for later requests."""
        network = self.client.get_httpx_client()
        assert 200 == network.get(page).status_code
        network.headers["X-CSRFToken"] = network.cookies["csrftoken"]


def a_round(closer: str, **hands: int) -> dict[str, Any]:
    """Return a round as JSON for the API."""
    held = [[player, str(points)] for player, points in hands.items()]
    return {"kind": "round_played", "data": {"closer": closer, "closing": "out", "hands": held}}


def event(kind: str, /, **data: Any) -> dict[str, Any]:
    """Return any other event as JSON for the API."""
    return {"kind": kind, "data": data}


class Night:
    """A night at *Los jueves*: Ana keeps the score with a program, Beto pays from a phone."""

    def __init__(self, address: str, token: str, session: str, forgery: str) -> None:
        asking = {"base_url": address, "raise_on_unexpected_status": True}
        known = {"cookies": {"sessionid": session, "csrftoken": forgery}, "headers": {"X-CSRFToken": forgery}}
        self.ana = Phone(AuthenticatedClient(**asking, token=token))
        self.ana_herself = Phone(Client(**asking, **known))
        self.beto = Phone(Client(**asking))
        self.table = self.game = ""
        self.after = self.seen = 0

    def run(self) -> None:
        """Play the whole night, from an empty table until everybody but José has paid."""
        self.open_table()
        self.play_game()
        self.check_settlement()
        self.invite_beto()
        self.confirm_betos_payment()
        self.check_change_feed()
        self.check_export_and_import()

    def open_table(self) -> None:
        table = self.ana.writes(
            "tables.open_table", status=201, body=models.TableSent(name="Los jueves", decimals=2)
        )
        assert ("Los jueves", 2, "owner") == (table.name, table.decimals, table.role)
        self.table = table.code
        for name in ("Ana", "Beto"):
            self.ana.asks(
                "tables.add_member", self.table, status=201, body=models.MemberSent.from_dict({"name": name})
            )
        self.seen = self.ana.asks("tables.changes", self.table).seen

    def play_game(self) -> None:
        wanted = {
            "variant": "loba_menos",
            "options": {"stake": 500},
            "players": [{"id": "ana"}, {"id": "beto"}, {"name": "José"}],
            "dealer": 2,
        }
        begun = self.ana.writes(
            "tables.start_game", self.table, status=201, body=models.GameWanted.from_dict(wanted)
        )
        assert ("beto", 1, 1500) == (begun.dealer, begun.after, begun.pot)
        self.game, self.after = begun.code, begun.after

        assert {"ana": 0, "beto": 60, "jose": 20} == self.records(a_round("ana", beto=60, jose=20))
        assert {"ana": 10, "beto": 90, "jose": 20} == self.records(a_round("jose", ana=10, beto=30))
        right = a_round("jose", ana=10, beto=20)
        corrected = event("corrected", number=3, kind=right["kind"], event=right["data"])
        assert {"ana": 10, "beto": 80, "jose": 20} == self.records(corrected)

        self.records(event("player_left", player="jose"))
        undone = self.ana.writes("games.undo", self.game, body=models.StepSent(after=self.after))
        assert "in" == {player.id: player.seat for player in undone.players}["jose"]
        late = {"after": self.after, "events": [a_round("ana", beto=1, jose=1)]}
        self.after = undone.after
        stale = self.ana.writes("games.record", self.game, status=409, body=models.EventsSent.from_dict(late))
        assert ("stale", str(self.after)) == (stale.code, stale.version)

        assert {"ana": 10, "beto": 110, "jose": 40} == self.records(a_round("ana", beto=30, jose=20))
        stays_out = event("player_stayed_out", player="beto")
        assert {"ana": 10, "beto": 110, "jose": 110} == self.records(stays_out, a_round("ana", jose=70))

    def records(self, *events: dict[str, Any]) -> dict[str, int]:
        """Record these events and return the total of each player."""
        body = models.EventsSent.from_dict({"after": self.after, "events": list(events)})
        state = self.ana.writes("games.record", self.game, body=body)
        self.after = state.after
        return {player.id: player.total for player in state.players}

    def check_settlement(self) -> None:
        game = self.ana.asks("games.game", self.game)
        assert ("last_in", ["ana"]) == (game.over, game.winners)
        assert {"ana": 1, "beto": 3, "jose": 2} == game.places.to_dict()

        money = self.ana.asks("games.settlement", self.game)
        assert {"ana": 1000, "beto": -500, "jose": -500} == money.nets.to_dict()
        assert [("beto", "ana", 500), ("jose", "ana", 500)] == [
            (line.from_, line.to, line.amount) for line in money.transfers
        ]
        assert self.balances() == {"ana": 1000, "beto": -500, "jose": -500}

    def balances(self) -> dict[str, int]:
        """Return the balance of each member; they add up to zero."""
        accounts = self.ana.asks("tables.accounts", self.table)
        balances: dict[str, int] = accounts.balances.to_dict()
        assert 0 == sum(balances.values())
        return balances

    def invite_beto(self) -> None:
        wanted = models.InvitationSent.from_dict({"role": "witness", "lasts": "week"})
        offered = self.ana_herself.asks("tables.invite", self.table, status=201, body=wanted)
        self.beto.looks_at(offered.link)
        accepted = models.InvitationAccepted(token=offered.token, name="Beto")
        let_in = self.beto.writes("invitations.accept_invitation", body=accepted)
        self.beto.looks_at(f"/t/{self.table}/")
        assert (self.table, "witness") == (let_in.table, let_in.role)

        (claim,) = self.beto.asks("tables.claim", self.table, "beto").claims
        assert (True, False) == (claim.yours, claim.agreed)
        agreed = models.ClaimantSent(claimant=claim.claimant)
        self.ana.asks("tables.accept_claim", self.table, "beto", body=agreed)
        self.ana.asks("tables.claim", self.table, "ana")
        claims = self.ana.asks("tables.claims", self.table).claims
        assert [("ana", True), ("beto", True)] == [(one.member, one.agreed) for one in claims]

    def confirm_betos_payment(self) -> None:
        paid = {"payer": "beto", "payee": "ana", "amount": 500, "method": "transfer"}
        body = models.PaymentSent.from_dict(paid)
        claimed = self.beto.writes("tables.pay", self.table, status=201, body=body)
        assert ("claimed", None) == (claimed.state, claimed.confirmed_at)
        assert {"ana": 1000, "beto": -500, "jose": -500} == self.balances()

        confirmed = self.ana.asks("tables.confirm_payment", self.table, claimed.id)
        assert ("counts", 2) == (confirmed.state, confirmed.decimals)
        assert {"ana": 500, "beto": 0, "jose": -500} == self.balances()
        debts = self.ana.asks("tables.accounts", self.table).debts
        assert [("jose", "ana", 500)] == [(debt.payer, debt.payee, debt.amount) for debt in debts]

    def check_change_feed(self) -> None:
        """Assert that the change feed, read from its start, contains every event in order."""
        changes: list[Any] = []
        newest = self.seen + 1
        while self.seen < newest:
            news = self.ana.asks("tables.changes", self.table, since=self.seen)
            changes += news.changes
            self.seen, newest = news.seen, news.newest
        assert sorted({change.number for change in changes}) == [change.number for change in changes]
        kinds = [change.event.kind for change in changes if change.event]
        log = self.ana.asks("games.events", self.game).events
        assert [*("game_started", "round_played", "round_played", "corrected", "player_left", "struck")] == [
            event.kind for event in log
        ][:6]
        assert [event.kind for event in log] == kinds
        paid = [change.what for change in changes if change.payment]
        assert ["payment_recorded", "payment_confirmed"] == paid

    def check_export_and_import(self) -> None:
        """Assert that the table's exported file can be imported as a second table with the same balances."""
        file = self.ana.asks("tables.export_table", self.table)
        known = self.ana.writes("table_files.import_table", status=409, body=file)
        assert "here_already" == known.code
        brought = self.ana.writes("table_files.import_table", status=201, body=file, again=True)
        assert brought.code != self.table
        again = self.ana.asks("tables.accounts", brought.code)
        assert self.balances() == again.balances.to_dict()


if __name__ == "__main__":
    Night(*sys.argv[1:]).run()
