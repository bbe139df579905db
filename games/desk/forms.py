"""The forms of the desk: an act with its reason, and a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.models import REASON_LENGTH, REPORT_LENGTH

MISSING = {"required": gettext_lazy("Give a reason.")}


class ActForm(forms.Form):
    """A form for an act of an operator: a choice and the reason.

    `choices` are the acts that a page offers, e.g. to suspend a table. On a page with a single act, they are
    the rows to which it may be done. `sent` is the posted data, or None.
    """

    act = forms.ChoiceField(error_messages={"required": gettext_lazy("Choose one.")})
    reason = forms.CharField(max_length=REASON_LENGTH, error_messages=MISSING)

    def __init__(self, choices: Sequence[tuple[str, Any]], sent: Any = None) -> None:
        super().__init__(sent)
        self.fields["act"].choices = choices  # type: ignore[attr-defined]  # of a ChoiceField


class ReportForm(forms.Form):
    """A form for the text of a report of a table."""

    text = forms.CharField(
        max_length=REPORT_LENGTH, error_messages={"required": gettext_lazy("Say what is wrong.")}
    )
