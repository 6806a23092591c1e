"""Coreference models side by side: on annotated documents, and on the pronouns of GAP."""
