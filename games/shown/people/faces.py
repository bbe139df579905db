"""Faces in words, and the answers of an owner or a scorer to them.

A face is the member whom the user of a watching phone says they are, for tonight.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.models import Face, Newcomer, Role, Table
from games.people.faces import faces_tonight, newcomers_tonight
from games.people.pen import KnownPhone
from games.rows import grouped
from games.shown.common.members import person_of
from games.shown.common.people import Person, given_name


@dataclass(frozen=True)
class FaceAsked:
    """A tapped face, as a question to an owner or a scorer: the sentence, and when the phone tapped it.

    `phones` is the number of phones that say they are this member.
    """

    face: Face
    person: Person
    sentence: str
    phones: int

    @property
    def at(self) -> datetime:
        """The moment at which the phone tapped the face."""
        return self.face.tapped_at


@dataclass(frozen=True)
class Joining:
    """The people who tapped a face tonight, and what this user may answer.

    `faces` are those to which nobody agreed yet, `agreed` those to which somebody did, `newcomers` the people
    who are no members yet. `clashes` are sentences on members whom several phones say they are.
    """

    present: Sequence[Person]
    faces: Sequence[FaceAsked]
    agreed: Sequence[FaceAsked]
    newcomers: Sequence[Newcomer]
    clashes: Sequence[str]


@dataclass(frozen=True)
class PhoneShown:
    """A phone that may get the pen (the right to record), or has it until `until`.

    `at` tells apart two phones of one member.
    """

    person: Person
    grant: int
    at: datetime | None
    until: datetime | None


def joining_of(table: Table, me: User | None, role: Role | None) -> Joining:
    """Return the people who tapped a face tonight, with the questions about them.

    Only owners and scorers get questions, and only owners those about newcomers.
    """
    faces = list(faces_tonight(table))
    owns = role is Role.OWNER
    waiting = [face for face in faces if face.agreed_at is None]
    # somebody else has to agree to a scorer's own face
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
        return FaceAsked(face, person, _("You say you are %(name)s") % {"name": person.name}, phones)
    names = {"who": given_name(face.user), "name": person.name}
    text = _("“%(who)s” says they are %(name)s") if names["who"] else _("Someone says they are %(name)s")
    return FaceAsked(face, person, text % names, phones)


def _clashes(faces: Sequence[Face]) -> Sequence[str]:
    """Return a sentence for each member whom several phones say they are, unless an owner agreed to one."""
    names = grouped(
        (face.member_id, face.member.now.name) for face in faces if face.member.claimed_at is None
    )
    return [
        _("%(count)d phones say they are %(name)s.") % {"count": len(same), "name": same[0]}
        for same in names.values()
        if len(same) > 1
    ]


def phones_shown(phones: Sequence[KnownPhone]) -> Sequence[PhoneShown]:
    """Return the phones that may get the pen.

    Each has the time at which it got access if its member has several phones.
    """
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
