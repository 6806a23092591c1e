"""Annotated corpora: the formats, and one reader for all of them."""
