"""The ASGI application for any ASGI server. `manage.py serve` uses `rsgi.py` instead."""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")

application = get_asgi_application()
