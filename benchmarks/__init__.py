"""Speed and memory, always beside a peer or a reference measured in the same run."""
