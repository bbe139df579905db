"""Entries that waited on a phone without a network, and are sent once the site can be reached."""
