"""The scheduled flows: Prefect as a thin skin over what the command line runs.

Imports nothing here: prefect takes a second to load, and only what is scheduled needs it.
"""
