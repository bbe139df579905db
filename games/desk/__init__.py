"""The desk: the admin site of a site's operators, their acts, and the reports that people send.

The app on a phone does not include it.
"""
