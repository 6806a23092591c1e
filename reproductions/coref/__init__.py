"""Are two mentions one entity? (Nguyen & O'Connor 2015, section 5)."""
