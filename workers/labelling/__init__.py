"""Probability samples of an archive that people label: the frozen frame, and the log of what was answered."""

from workers.labelling.answers import Answer, AnswerError, read_answer
from workers.labelling.frame import Frame, FrameError, FrameSettings, freeze, read_frame
from workers.labelling.frames import choose_frame, frame_ids
from workers.labelling.labels import Label, LabelError, LabelLog, append_labels, read_labels
from workers.labelling.verdicts import Verdict, verdicts

__all__ = [
    "Answer",
    "AnswerError",
    "Frame",
    "FrameError",
    "FrameSettings",
    "Label",
    "LabelError",
    "LabelLog",
    "Verdict",
    "append_labels",
    "choose_frame",
    "frame_ids",
    "freeze",
    "read_answer",
    "read_frame",
    "read_labels",
    "verdicts",
]
