"""From entity clusterings to posterior event counts."""
