"""Combine a published run with the labels of a sample: anchored counts, and what they rest on."""

from workers.anchoring.answered import Answered, answered_sample
from workers.anchoring.groups import Group, Groups, list_groups
from workers.anchoring.publish import AnchorReport, anchor_run, anchored_rows, read_anchored
from workers.anchoring.tables import Estimates, estimate

__all__ = [
    "AnchorReport",
    "Answered",
    "Estimates",
    "Group",
    "Groups",
    "anchor_run",
    "anchored_rows",
    "answered_sample",
    "estimate",
    "list_groups",
    "read_anchored",
]
