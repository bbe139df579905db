"""The WSGI application for servers such as gunicorn. `manage.py serve` limits heads in `http_server.py`."""

from __future__ import annotations

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from games.management import site_folder
from scorekeeper.request_limits import BoundedHeads

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")

application = BoundedHeads(get_wsgi_application())

if sentence := site_folder.missing_secret_message():  # each process would sign sessions with another key
    raise ImproperlyConfigured(sentence)
