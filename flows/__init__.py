"""What runs, and in what order: the `credence` command line, scheduled flows and reports."""
