"""Who attacks? 1-best against posterior (Nguyen & O'Connor 2015, section 6)."""
