"""The app in a folder of static files, without a server: settings, the single user, and the gateway.

The database is in the browser, and is the only copy.
"""
