"""The demonstration archive: invented news articles, 1987-2007, with the truth about each.

`ARCHIVE` is the file that `credence ingest` reads, `read_truth` gives mentions, entities and attackers of each article,
and `with_gold_clusters` lays them over a parsed article. People and events are invented; see docs/demonstration.md.
"""

from flows.demonstration.truth import ARCHIVE, TRUTH, Mention, Truth, gold_answer, read_truth, with_gold_clusters

__all__ = ["ARCHIVE", "TRUTH", "Mention", "Truth", "gold_answer", "read_truth", "with_gold_clusters"]
