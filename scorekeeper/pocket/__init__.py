"""The app as it runs on a phone without a network: its settings there, and what hands it the requests."""
