"""The wing of the app itself in a phone: what of the books goes down there, and how they are opened there again."""
