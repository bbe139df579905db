"""The app in a folder of static files: the settings, the only user, and the gateway for requests."""
