"""The base of all forms: one template for every field, and one way to show what a service refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.forms.renderers import TemplatesSetting

from games.common import request_handling, texts
from games.scoring.errors import RuleError


class FormRenderer(TemplatesSetting):
    """A renderer that shows every field by one template; a field with a look of its own names another."""

    field_template_name = "parts/_field.html"


class BaseForm(forms.Form):
    """A form whose service may refuse it too. `mark` ends the ids of its fields where a page has it several times.

    `key` and `after` stay outside, because they belong to the request.
    """

    use_required_attribute = False
    question = ""  # a question that the form asks before its service does what was sent
    money: Callable[[int], str] = str  # how the amounts in a refusal are written
    error_fields: Mapping[str, str] = {}  # fields of a refusal that another field of the form shows

    def __init__(self, data: Mapping[str, str] | None = None, *, id_suffix: str = "", **kwargs: Any) -> None:
        super().__init__(data, auto_id=f"%s{id_suffix}", label_suffix="", **kwargs)

    def refuse(self, refusal: RuleError) -> None:
        """Show a refusal of the service at the field that it names, or above the form."""
        field = self.error_fields.get(refusal.field, refusal.field)
        self.add_error(field if field in self.fields else None, texts.translate(refusal.text, self.money))

    def add_error(self, field: str | None, error: Any) -> None:
        """Add a refusal; the first field that has one gets the focus."""
        super().add_error(field, error)
        if field in self.fields and not any(
            "autofocus" in other.widget.attrs for other in self.fields.values()
        ):
            self.fields[field].widget.attrs["autofocus"] = True

    @property
    def sentences(self) -> list[str]:
        """All refusals, without their fields."""
        return [str(sentence) for sentences in self.errors.values() for sentence in sentences]

    @property
    def status(self) -> int:
        """The HTTP status of a page with this form."""
        return request_handling.UNPROCESSABLE if self.errors or self.question else 200


def line_field(longest: int, label: Any, **kwargs: Any) -> forms.CharField:
    """Return a field for a line of text. Its service trims, measures and refuses it."""
    widget = forms.TextInput(attrs={"maxlength": longest, **kwargs.pop("attrs", {})})
    return forms.CharField(label=label, required=False, strip=False, widget=widget, **kwargs)


def day_field(label: Any, wrong: Any, **kwargs: Any) -> forms.DateField:
    """Return a field for a day, which says `wrong` if it is none."""
    return forms.DateField(
        label=label,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={"required": wrong, "invalid": wrong},
        **kwargs,
    )
