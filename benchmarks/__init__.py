"""Speed and memory, always beside another library or a reference measured in the same run."""
