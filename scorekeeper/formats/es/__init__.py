"""Formats for Spanish with tú, in any country."""
