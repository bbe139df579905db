"""Whoever is let in, and what ends with whom, as the API says it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from games.api.common.amounts import moment_said
from games.api.common.endpoints import Endpoint
from games.api.people.payloads import HIGHEST, MOST_ALSO
from games.models import Invite, Table
from games.notebook.fields import Fields
from games.people.removals import Ending
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.shown.common.people import called
from games.shown.people.invites import LetIn, asked_of, let_in, standing_invites, who_left


class InSession(Endpoint):
    """What decides who is let in at a table, or whether it is there: done in a session, and by no token."""

    session_only = True

    def also_sent(self) -> set[int]:
        """The grants of others that are named to end too; nothing has to be sent for none."""
        return also_in(self.sent("also")) if self.request.data else set()


def also_in(sent: Fields) -> set[int]:
    """The grants named in `also`; RuleError where one is no number of a grant."""
    named = sent.list_of("also", most=MOST_ALSO) if sent.has("also") else []
    if not all(type(one) is int and 0 < one <= HIGHEST for one in named):
        raise RuleError(_("“also” has the ids of grants."), field="also")
    return set(named)


def grants_said(table: Table, me: User) -> dict[str, Any]:
    """Everybody who is let in now, and who left."""
    return {
        "grants": [_grant(one, table) for one in let_in(table, me)],
        "left": [
            {"name": called(gone.grant.user), "role": gone.grant.role, "left_at": moment_said(gone.at, table)}
            for gone in who_left(table)
        ],
    }


def invitations_said(table: Table, me: User) -> dict[str, Any]:
    """The invitations that can be revoked; what opens them is said of none."""
    standing = set(table.invites.standing().values_list("pk", flat=True))
    return {
        "invitations": [
            {
                **invitation_said(one.invite, me),
                "stands": one.invite.pk in standing,
                "came": one.came,
            }
            for one in standing_invites(table, me)
        ]
    }


def invitation_said(invite: Invite, me: User) -> dict[str, Any]:
    """What an invitation offers, by whom and until when."""
    return {
        "id": invite.pk,
        "role": invite.role,
        "spare": invite.is_spare,
        "made_by": called(invite.made_by),
        "yours": invite.made_by == me,
        "made_at": moment_said(invite.made_at, invite.table),
        "expires_at": moment_said(invite.expires_at, invite.table),
    }


def ending_said(table: Table, ending: Ending, me: User) -> dict[str, Any]:
    """What would end, and who stays unless named; `phone` says whose other phone it most likely is."""
    phones = {grant.pk for grant in ending.phones}
    asked = asked_of(table, ending, me, named=phones)
    return {
        "grants": [_ending(one, table) for one in asked.out],
        "invitations": [one.invite.pk for one in asked.invites],
        "others": [{**_ending(one, table), "phone": phone} for one, phone in asked.others],
    }


def _ending(one: LetIn, table: Table) -> dict[str, Any]:
    return {**_grant(one, table), "tokens": list(one.programs)}


def _grant(one: LetIn, table: Table) -> dict[str, Any]:
    return {
        "id": one.grant.pk,
        "name": called(one.grant.user),
        "role": one.grant.role,
        "yours": one.is_me,
        "first": one.is_first,
        "invitation": one.grant.invite_id,
        "made_at": moment_said(one.grant.made_at, table),
        "expires_at": moment_said(one.until, table),
    }
