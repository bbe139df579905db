"""The refusals of Django REST framework's fields, which our catalogs translate.

The framework is no installed app, so its own catalogs are not loaded, and its styles are not served.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop

MESSAGES = (
    gettext_noop("Ensure this field has no more than {max_length} characters."),
    gettext_noop("Ensure this field has no more than {max_length} elements."),
    gettext_noop("Ensure this field has at least {min_length} characters."),
    gettext_noop("Ensure this field has at least {min_length} elements."),
    gettext_noop("Ensure this value is less than or equal to {max_value}."),
    gettext_noop("Ensure this value is greater than or equal to {min_value}."),
    gettext_noop("Surrogate characters are not allowed: U+{code_point:X}."),
    gettext_noop("This field may not be blank."),
    gettext_noop("Expected a datetime but got a date."),
    gettext_noop("Expected a date but got a datetime."),
    gettext_noop("Object with {slug_name}={value} does not exist."),
    gettext_noop("This dictionary may not be empty."),
    gettext_noop("This list may not be empty."),
    gettext_noop("A valid biginteger is required."),
    gettext_noop("A valid integer is required."),
    gettext_noop("A valid number is required."),
    gettext_noop("Date has wrong format. Use one of these formats instead: {format}."),
    gettext_noop("Datetime has wrong format. Use one of these formats instead: {format}."),
    gettext_noop("Invalid data. Expected a dictionary, but got {datatype}."),
    gettext_noop("Invalid value."),
    gettext_noop("Must be a valid boolean."),
    gettext_noop("Not a valid string."),
    gettext_noop('"{input}" is not a valid choice.'),
    gettext_noop('Invalid datetime for the timezone "{timezone}".'),
    gettext_noop("String value too large."),
    gettext_noop('Expected a dictionary of items but got type "{input_type}".'),
    gettext_noop('Expected a list of items but got type "{input_type}".'),
    gettext_noop("This field may not be null."),
    gettext_noop("Datetime value out of range."),
    gettext_noop("Integer value too large to convert to float"),
)
