"""What runs, in what order: the `credence` command line, scheduled flows and reports."""
