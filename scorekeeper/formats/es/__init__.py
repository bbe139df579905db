"""Formats for Spanish with tú, in all countries."""
