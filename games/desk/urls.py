"""The URLs of the operators' desk. The app on a phone has none of them."""

from __future__ import annotations

from games.desk import lists as lists  # registers the lists
from games.desk.site import desk

app_name = "admin"  # the name that Django's templates use
urlpatterns = desk.get_urls()
