"""The app on a phone without a network, run by Pyodide in the browser: settings and gateway."""
