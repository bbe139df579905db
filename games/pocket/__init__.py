"""The app on a phone without a network: the copy of the user's tables, and the sync of unsent changes."""
