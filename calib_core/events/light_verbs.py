"""Verbs that add little to the noun of an event but its agent: "launch an attack", "make an arrest".

Covers: the list that a query gets unless it gives its own under `light`.
Not here: how agents are found through them (`nouns`).
"""

from typing import Any

LIGHT_VERBS: list[Any] = [
    "launch", "mount", "stage", "conduct", "commit", "perpetrate", "unleash", "execute", "orchestrate", "carry out",
    "open", "wage", "renew", "resume", "continue", "resort to", "engage in", "press", "repeat", "deliver", "intensify",
    {"make": ["makes", "made", "making"]},
    {"begin": ["begins", "began", "begun", "beginning"]},
    {"undertake": ["undertakes", "undertook", "undertaken", "undertaking"]},
    {"lead": ["leads", "led", "leading"]},
    {"do": ["does", "did", "done", "doing"]},
]  # fmt: skip
"""As they would stand in a query's file."""
