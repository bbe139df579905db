#!/usr/bin/env python
"""Django's command line for this project."""

from __future__ import annotations

from scorekeeper.__main__ import run

if __name__ == "__main__":
    run()
