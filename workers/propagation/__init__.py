"""From an archive to posterior counts, chunk by chunk; start reading at `workers.propagate`.

Imports nothing here: a stage's identity depends on the modules that it imports, and must not grow by accident.
"""
