"""Faces as pages show them, and the questions about them to owners and scorers.

On a phone that only watches, the user may tap the member who they are, for that night. This member is the
user's face (cara). It counts as a proposal until an owner or a scorer agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.models import Face, Newcomer, Role, Table
from games.names import isolated
from games.people.faces import faces_tonight, newcomers_tonight
from games.people.pen import KnownPhone
from games.rows import grouped
from games.shown.common.members import person_of
from games.shown.common.people import Person, given_name


@dataclass(frozen=True)
class FaceAsked:
    """A face that an owner or a scorer has to agree to: a sentence, and the member (`person`).

    `phones` is the number of phones whose users tapped this member.
    """

    face: Face
    person: Person
    sentence: str
    phones: int

    @property
    def at(self) -> datetime:
        """The moment at which the user tapped the face."""
        return self.face.tapped_at


@dataclass(frozen=True)
class Joining:
    """The members whose faces were tapped tonight (`present`), and the questions that this user may answer.

    `faces` are those to which nobody agreed yet, `agreed` those to which an owner or a scorer did.
    `newcomers` are people who are not members yet. `clashes` are sentences on members who were tapped on
    several phones.
    """

    present: Sequence[Person]
    faces: Sequence[FaceAsked]
    agreed: Sequence[FaceAsked]
    newcomers: Sequence[Newcomer]
    clashes: Sequence[str]


@dataclass(frozen=True)
class PhoneShown:
    """A phone that may get the pen (the right to record), or has it until `until`.

    `at` is when the phone got access, which tells two phones of one member apart; None for a single phone.
    `grant` is the id of its grant.
    """

    person: Person
    grant: int
    at: datetime | None
    until: datetime | None


def joining_of(table: Table, me: User | None, role: Role | None) -> Joining:
    """Return the people who tapped a face tonight, with the questions that the user `me` may answer.

    `role` is the user's role at the table. Only owners and scorers get questions, and only owners those about
    newcomers.
    """
    faces = list(faces_tonight(table))
    owns = role is Role.OWNER
    waiting = [face for face in faces if face.agreed_at is None]
    # A scorer may not agree to their own face: somebody else has to.
    open_to_me = [face for face in waiting if owns or me is None or face.user_id != me.pk]
    return Joining(
        present=list({face.member_id: person_of(face.member.now) for face in faces}.values()),
        faces=[_asked(face, faces, me) for face in open_to_me] if role in (Role.OWNER, Role.SCORER) else (),
        agreed=[_asked(face, faces, me) for face in faces if face.agreed_at is not None] if owns else (),
        newcomers=list(newcomers_tonight(table)) if owns else (),
        clashes=_clashes(faces),
    )


def _asked(face: Face, faces: Iterable[Face], me: User | None) -> FaceAsked:
    person = person_of(face.member.now)
    phones = sum(other.member_id == face.member_id for other in faces)
    if me is not None and face.user_id == me.pk:
        return FaceAsked(
            face, person, _("You say you are %(name)s") % {"name": isolated(person.name)}, phones
        )
    names = {"who": isolated(given_name(face.user)), "name": isolated(person.name)}
    text = _("“%(who)s” says they are %(name)s") if names["who"] else _("Someone says they are %(name)s")
    return FaceAsked(face, person, text % names, phones)


def _clashes(faces: Sequence[Face]) -> Sequence[str]:
    """Return a sentence for each member who was tapped as a face on several phones.

    Leave out members for whom an owner has confirmed a user.
    """
    names = grouped(
        (face.member_id, face.member.now.name) for face in faces if face.member.claimed_at is None
    )
    return [
        _("%(count)d phones say they are %(name)s.") % {"count": len(same), "name": same[0]}
        for same in names.values()
        if len(same) > 1
    ]


def phones_shown(phones: Sequence[KnownPhone]) -> Sequence[PhoneShown]:
    """Return the phones that may get the pen (the right to record) or have it, ready for templates."""
    members = [phone.member.pk for phone in phones]
    return [
        PhoneShown(
            person=person_of(phone.member),
            grant=phone.grant.pk,
            at=phone.grant.made_at if members.count(phone.member.pk) > 1 else None,
            until=phone.grant.records_until if phone.grant.has_pen else None,
        )
        for phone in phones
    ]
