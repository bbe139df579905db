"""Forms for a table's settings, a member's name and color, and a token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games.common import naming
from games.common.forms import BaseForm, line_field
from games.models import COLOURS, NAME_LENGTH, TABLE_NAME_LENGTH, TOKEN_NAME_LENGTH, Member, Table
from games.tables.presenters import table_options
from games.tables.services import setup

EVERY_TABLE = "all"  # the choice of all tables; not a table's code, which is longer


class ZoneSelect(forms.Select):
    """A list of time zones. A script (`scripts/base/zone.js`) adds the phone's own zone."""

    def create_option(self, name: str, value: Any, *args: Any, **more: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **more)
        if not value:
            option["attrs"] |= {"data-zone": True, "hidden": True, "disabled": True}
        return option


# The fields of each setting, by its name in the URL. Settings are changed one at a time.
SETTINGS = {
    "name": ("name",),
    "money": ("unit", "decimals"),
    "language": ("language",),
    "region": ("region",),
    "time-zone": ("timezone",),
    "on-the-spot": ("pays_on_the_spot",),
}


class SettingsForm(BaseForm):
    """One setting of a table. The service validates the values."""

    name = line_field(TABLE_NAME_LENGTH, _("Table name"))
    unit = forms.CharField(required=False)
    decimals = forms.IntegerField(required=False)
    language = forms.CharField(
        label=_("Language for sharing"),
        help_text=_("Results and reminders for the group. Each phone has its own language."),
        widget=forms.Select(choices=settings.LANGUAGES),
        required=False,
    )
    region = forms.CharField(
        label=_("Numbers and days"),
        help_text=_("For everyone at this table, also when typing. Amounts don't change."),
        widget=forms.Select,
        required=False,
    )
    timezone = forms.CharField(
        label=_("Time zone"),
        help_text=_("Times are shown in this time zone. Past games stay on their nights."),
        widget=ZoneSelect,
        required=False,
    )
    pays_on_the_spot = forms.TypedChoiceField(
        label=_("We pay on the spot"),
        help_text=_("Each game is paid in cash when it ends and leaves no debts"),
        widget=forms.RadioSelect,
        choices=[(True, _("Yes")), (False, _("No"))],
        coerce=lambda text: text == "True",
        required=False,
    )

    def __init__(self, table: Table, setting: str, **more: Any) -> None:
        super().__init__(**more, initial={name: getattr(table, name) for name in SETTINGS[setting]})
        places = {zone for zone in setup.time_zones() if "/" in zone and not zone.startswith("Etc/")}
        zones = sorted(places | {"UTC", table.timezone})
        self.fields["region"].widget.choices = list(table_options.region_choices(table))
        self.fields["timezone"].widget.choices = [
            ("", _("This phone's time zone")),
            *((zone, zone.replace("_", " ")) for zone in zones),
        ]
        self.fields = {name: self.fields[name] for name in SETTINGS[setting]}

    def add_prefix(self, field_name: str) -> str:
        """Return the field's name on the page. `name` alone is a member's name there."""
        return {"name": "table-name", "pays_on_the_spot": "on-the-spot"}.get(field_name, field_name)

    @property
    def changes(self) -> dict[str, Any]:
        """The values that were sent: the smallest coin has no field once amounts are recorded."""
        field_names = {name for name in self.fields if self.add_prefix(name) in self.data}
        return {name: value for name, value in self.cleaned_data.items() if name in field_names}


class MemberForm(BaseForm):
    name = line_field(
        NAME_LENGTH,
        _("Name"),
        help_text=_("The new name appears in all games, including past ones."),
        attrs={"autocomplete": "off", "enterkeyhint": "done"},
    )
    colour = forms.TypedChoiceField(
        label=_("Color"),
        coerce=int,
        choices=lambda: [(number, naming.colour_label(number)) for number in range(1, COLOURS + 1)],
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose one of the colors."),
            "invalid_choice": _("Choose one of the colors."),
        },
    )

    def __init__(self, member: Member, **more: Any) -> None:
        super().__init__(**more, initial={"name": member.name, "colour": member.colour})


class TokenForm(BaseForm):
    name = line_field(TOKEN_NAME_LENGTH, _("For which program"), attrs={"required": True})
    table = forms.ChoiceField(
        label=_("For which table"),
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose a table, or all."),
            "invalid_choice": _("Choose a table, or all."),
        },
    )
    reads_only = forms.BooleanField(
        label=_("Read-only"),
        help_text=_("It can't record, pay or undo anything. Enough for a screen."),
        required=False,
    )

    def __init__(self, tables: Iterable[Table], **more: Any) -> None:
        super().__init__(**more)
        self.tables = {table.code: table for table in tables}
        chosen = self.fields["table"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [
            *((code, naming.isolate(table.name)) for code, table in self.tables.items()),
            (EVERY_TABLE, _("All my tables")),
        ]

    def clean_table(self) -> Table | None:
        return self.tables.get(self.cleaned_data["table"])
