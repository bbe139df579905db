"""The app on a phone: the copy of the books that it carries, and the sync of what was recorded there."""
