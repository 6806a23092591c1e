"""Tables 1 to 3 of Choi & Cardie, theirs and ours line by line, and the same figures as rows."""

from collections.abc import Iterator, Mapping, Sequence

from reproductions.findings import Row
from reproductions.slt_bpf.figures import MPQA, MUC6, TABLE_1, TABLE_2, TABLE_3, Printed
from reproductions.slt_bpf.pair_variants import Outcome, PairScores
from reproductions.structured.tables import markdown

SETTINGS = {MUC6: "mentions found", MPQA: "mentions given"}
"""The data set of theirs that each setting of ours stands beside."""

Outcomes = dict[str, dict[str, Outcome]]
"""By their data set, then by variant."""

PAIRS = ("error", "recall", "precision", "F1")
JOINED = ("MUC recall", "MUC precision", "MUC F1")


def wide_tables(outcomes: Outcomes) -> str:
    """All three tables and that of the calibration, as Markdown; figures in %."""
    return "\n\n".join(
        [
            markdown("Table 1: structured local training, in %", _table_1(outcomes)),
            markdown("Table 2: biased potentials, pairs before clustering, in %", _joined(outcomes, TABLE_2, "before")),
            markdown("Table 3: both, pairs after clustering, in %", _joined(outcomes, TABLE_3, "after")),
            markdown("New: calibration of the pair probabilities", _calibration(outcomes)),
        ]
    )


def rows(outcomes: Outcomes) -> Iterator[Row]:
    """Every figure, for the Parquet table."""
    for data, found in outcomes.items():
        for name, outcome in found.items():
            for when in ("before", "after"):
                theirs = _theirs(data, name, when)
                for number, part in enumerate(PAIRS):
                    value = _pairs(getattr(outcome, when))[number]
                    printed = theirs and (theirs.error, theirs.recall, theirs.precision, theirs.f1)[number]
                    yield _row(data, f"{name}, {part}, {when} clustering, %", value, printed)
            muc = _theirs_muc(data, name)
            for number, part in enumerate(JOINED):
                yield _row(data, f"{name}, {part}, %", _muc(outcome)[number], muc and muc[number])
            yield Row(
                f"CalibErr of pairs, {SETTINGS[data]}",
                name,
                outcome.error.value,
                lo=outcome.error.lo,
                hi=outcome.error.hi,
                note=f"mean probability {outcome.mean_pred:.4f}, observed {outcome.rate:.4f}",
                detail=True,
            )


def _row(data: str, figure: str, ours: float, theirs: float | None) -> Row:
    return Row(f"{SETTINGS[data]} (theirs: {data})", figure, ours, theirs=theirs, detail=True)


def _theirs(data: str, name: str, when: str) -> Printed | None:
    """The pair figures that the paper prints, from whichever table has them."""
    if (data, name) in TABLE_1:
        after, before = TABLE_1[data, name]
        return after if when == "after" else before
    return (TABLE_3 if when == "after" else TABLE_2).get((data, name))


def _theirs_muc(data: str, name: str) -> tuple[float, float, float] | None:
    found = TABLE_3.get((data, name)) or TABLE_2.get((data, name))
    return found.muc if found else None


def _pairs(scores: PairScores) -> tuple[float, float, float, float]:
    links = scores.links
    return 100 * scores.error, 100 * links.recall, 100 * links.precision, 100 * links.f1


def _muc(outcome: Outcome) -> tuple[float, float, float]:
    return 100 * outcome.muc.recall, 100 * outcome.muc.precision, 100 * outcome.muc.f1


def _table_1(outcomes: Outcomes) -> list[Sequence[str]]:
    lines: list[Sequence[str]] = [
        ["", "", *(f"{part} after" for part in PAIRS), *(f"{part} before" for part in PAIRS)],
    ]
    for data, found in outcomes.items():
        for name in ("BASE", "SLT", "SLT, ALGORITHM-1"):
            if (data, name) in TABLE_1:
                after, before = TABLE_1[data, name]
                lines.append([name, f"theirs, {data}", *_numbers((*after[:4], *before[:4]))])
            ours = (*_pairs(found[name].after), *_pairs(found[name].before))
            lines.append([name, f"ours, {SETTINGS[data]}", *_numbers(ours)])
    return lines


def _joined(outcomes: Outcomes, table: Mapping[tuple[str, str], Printed], when: str) -> list[Sequence[str]]:
    lines: list[Sequence[str]] = [["", "", *PAIRS, *JOINED]]
    for (data, name), printed in table.items():
        outcome = outcomes[data][name]
        lines.append([name, f"theirs, {data}", *_numbers((*printed[:4], *(printed.muc or ())))])
        lines.append([name, f"ours, {SETTINGS[data]}", *_numbers((*_pairs(getattr(outcome, when)), *_muc(outcome)))])
    return lines


def _calibration(outcomes: Outcomes) -> list[Sequence[str]]:
    header = ["", *(f"CalibErr, {ours} (95 % interval)" for ours in SETTINGS.values())]
    names = list(next(iter(outcomes.values())))
    return [header, *([name, *(_estimate(outcomes[data][name]) for data in SETTINGS)] for name in names)]


def _estimate(outcome: Outcome) -> str:
    return f"{outcome.error.value:.4f} ({outcome.error.lo:.4f} to {outcome.error.hi:.4f})"


def _numbers(values: Sequence[float]) -> list[str]:
    """Error rates, which come first of every four, with two digits, as the paper has them."""
    return [
        f"{value:.2f}" if number == 0 or (number == 4 and len(values) == 8) else f"{value:.1f}"
        for number, value in enumerate(values)
    ]
