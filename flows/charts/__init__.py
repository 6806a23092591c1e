"""Charts that the report, `credence calibrate` and the reproductions share."""
