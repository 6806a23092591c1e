"""Arrays in, arrays out: calibration, coreference and event counts, with no I/O beyond model and corpus files."""
