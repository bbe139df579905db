"""An operator of the site, who has no table, and their phone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

CONTACT = "operador@mesas.example"


@pytest.fixture
def operator(db):
    return User.objects.create_user("olga", password="tres lobas negras", is_staff=True)


@pytest.fixture
def desk(phone_of, operator):
    return phone_of(operator)


@pytest.fixture
def contact(settings):
    """Configure the operator's contact; without one nobody can report a table."""
    settings.OPERATOR_CONTACT = CONTACT
    return CONTACT
