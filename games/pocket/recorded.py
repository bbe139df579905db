"""Look up whether the site has already recorded a fact, which is a change that was made on a phone.

A fact is looked up by its key, whichever user sent it. `parts` are the fields of the fact.
"""

from __future__ import annotations

from games.models import KEY_LENGTH, NAME_LENGTH, Game, Payment, Record, Table
from games.names import same_name
from games.notebook.fields import Fields
from games.pocket.facts import GUEST, PUT, RECORD, START
from games.pocket.identity import was_taken
from games.pocket.opening import OPENED, opened_before
from games.pocket.payments import LONGEST_SLUG, PAID, TURNED, meant_payment
from games.pocket.typed import OF_GAMES, TYPED, form_of


def is_recorded(kind: str, parts: Fields, table_code: str, code: str) -> bool:
    """Return whether the site has recorded this fact. `code` is the code of the fact's game, or "".

    `table_code` is the code of the fact's table; "" if the fact names only its game. The fact of a new member
    has a key only if the table was opened on a phone too; return False for one without a key.
    """
    key = parts.text("key", longest=KEY_LENGTH) if parts.has("key") else ""
    if kind in (OPENED, GUEST):
        table = opened_before(table_code, key)
        return table is not None and (kind == OPENED or _is_member(table, parts))
    games = Game.objects.filter(**({"table__code": table_code} if table_code else {}))
    if kind in PUT:
        game = games.select_related("table").filter(code=code).first()
        return game is not None and was_taken(game.table, parts, game)
    if kind == TURNED:
        table = Table.objects.filter(code=table_code).first()
        payment = meant_payment(table, parts) if table is not None else None
        return payment is not None and was_taken(payment.table, parts, payment)
    if kind == START:
        return games.filter(key=key).exists()
    if kind == RECORD or (kind == TYPED and form_of(parts) in OF_GAMES):
        return Record.objects.filter(game__in=games.filter(code=code), key=key).exists()
    if kind in (PAID, TYPED):
        place = {"table__code": table_code} if table_code else {"table__games__code": code}
        return Payment.objects.filter(key=key, **place).exists()
    return False


def _is_member(table: Table, parts: Fields) -> bool:
    member = table.members.filter(slug=parts.name("slug", longest=LONGEST_SLUG)).first()
    return member is not None and same_name(member.name, parts.name("name", longest=NAME_LENGTH))
