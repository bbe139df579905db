"""The page `/metrics`: the counters of all server processes, and gauges of the site.

The app on a phone does not include it.
"""
