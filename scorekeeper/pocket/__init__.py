"""The app on a phone without a network: its settings there, and the gateway for requests."""
