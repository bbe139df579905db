"""The app on a phone without a network: the settings, and the gateway for requests."""
