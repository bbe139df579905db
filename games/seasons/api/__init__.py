"""Seasons in the API: standings, records, head-to-head results, and the games of each member."""
