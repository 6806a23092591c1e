"""Mentions: where they are in the trees, and what kind of thing they name."""
