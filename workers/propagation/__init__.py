"""From an archive to posterior counts, chunk by chunk; `workers.propagate` is the way in.

Imports nothing here: the identity of a stage follows from the modules that it imports, and must not grow by accident.
"""
