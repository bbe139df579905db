"""Seasons in the API: their standings and records, who did how against whom, and each member's games."""
