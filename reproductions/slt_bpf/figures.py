"""The figures that Choi & Cardie (2007) print in Tables 1 to 3, in %."""

from typing import NamedTuple


class Printed(NamedTuple):
    """Error rate, recall, precision and F1 of pairs, then recall, precision and F1 of MUC."""

    error: float
    recall: float
    precision: float
    f1: float
    muc: tuple[float, float, float] | None = None


MUC6, MPQA = "MUC6", "MPQA"

TABLE_1 = {
    (MUC6, "BASE"): (Printed(1.50, 59.2, 56.2, 57.7), Printed(1.18, 38.0, 85.6, 52.6)),
    (MUC6, "SLT"): (Printed(1.28, 49.8, 67.3, 57.2), Printed(1.35, 26.4, 84.3, 40.2)),
    (MPQA, "BASE"): (Printed(9.83, 75.8, 57.0, 65.1), Printed(7.05, 52.1, 83.4, 64.1)),
    (MPQA, "SLT"): (Printed(6.39, 62.1, 80.6, 70.2), Printed(7.39, 43.7, 90.1, 58.9)),
}
"""After clustering, before clustering."""

TABLE_2 = {
    (MUC6, "BASE"): Printed(1.18, 38.0, 85.6, 52.6, (59.0, 75.8, 66.4)),
    (MUC6, "BASIC-P1 1.5"): Printed(1.20, 38.9, 82.1, 52.8, (64.2, 71.8, 67.8)),
    (MUC6, "BASIC-P1 3.0"): Printed(1.32, 46.9, 71.3, 56.6, (68.9, 64.3, 66.5)),
    (MUC6, "BASIC-Pa 1.5"): Printed(1.15, 44.2, 79.9, 56.9, (62.1, 68.7, 65.2)),
    (MUC6, "BASIC-Pa 3.0"): Printed(1.44, 52.5, 62.9, 57.2, (70.9, 60.5, 65.3)),
    (MPQA, "BASE"): Printed(7.05, 52.1, 83.4, 64.1, (75.6, 81.5, 78.4)),
    (MPQA, "BASIC-P1 1.5"): Printed(7.18, 54.6, 79.6, 64.8, (77.7, 76.5, 77.1)),
    (MPQA, "BASIC-P1 3.0"): Printed(7.22, 59.9, 75.4, 66.8, (83.3, 71.7, 77.1)),
    (MPQA, "BASIC-Pa 1.5"): Printed(7.65, 59.7, 72.2, 65.4, (79.8, 73.2, 76.4)),
    (MPQA, "BASIC-Pa 3.0"): Printed(8.22, 69.2, 65.1, 67.1, (85.8, 67.8, 75.7)),
}
"""Pairs before clustering."""

TABLE_3 = {
    (MUC6, "BASE"): Printed(1.50, 59.2, 56.2, 57.7, (59.0, 75.8, 66.4)),
    (MUC6, "SLT"): Printed(1.28, 49.8, 67.3, 57.2, (56.3, 77.8, 65.3)),
    (MUC6, "SLT-P1 1.5"): Printed(1.19, 52.8, 70.6, 60.4, (59.3, 74.6, 66.1)),
    (MUC6, "SLT-P1 3.0"): Printed(1.42, 63.5, 57.9, 60.6, (67.5, 70.7, 69.1)),
    (MUC6, "SLT-Pa 1.5"): Printed(1.43, 58.6, 58.5, 58.5, (64.0, 73.6, 68.5)),
    (MUC6, "SLT-Pa 3.0"): Printed(1.71, 65.2, 50.3, 56.8, (70.5, 69.3, 69.9)),
    (MPQA, "BASE"): Printed(9.83, 75.8, 57.0, 65.1, (75.6, 81.5, 78.4)),
    (MPQA, "SLT"): Printed(6.39, 62.1, 80.6, 70.2, (69.1, 88.2, 77.5)),
    (MPQA, "SLT-P1 1.5"): Printed(6.54, 64.9, 77.4, 70.6, (72.2, 84.5, 77.9)),
    (MPQA, "SLT-P1 3.0"): Printed(9.09, 77.2, 59.6, 67.3, (78.4, 79.5, 78.9)),
    (MPQA, "SLT-Pa 1.5"): Printed(6.74, 65.2, 75.7, 70.1, (72.4, 87.2, 79.1)),
    (MPQA, "SLT-Pa 3.0"): Printed(14.71, 78.2, 43.9, 56.2, (80.5, 73.8, 77.0)),
}
"""Pairs after clustering."""
