"""Tables 1 to 3 of Choi & Cardie, theirs and ours line by line, and the same figures as rows."""

from collections.abc import Iterator, Mapping, Sequence

from reproductions.findings import Row
from reproductions.resampling import Drawn
from reproductions.slt_bpf.figures import MPQA, MUC6, TABLE_1, TABLE_2, TABLE_3, Printed
from reproductions.slt_bpf.outcomes import Outcome
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
            markdown("New: bias on the score, pairs before clustering, in %", _other(outcomes)),
            markdown("New: from seed to seed, in %", _seeds(outcomes)),
            markdown("New: calibration of the pair probabilities", _calibration(outcomes)),
        ]
    )


def rows(outcomes: Outcomes) -> Iterator[Row]:
    """Every figure with its interval, for the Parquet table."""
    for data, found in outcomes.items():
        for name, outcome in found.items():
            for when in ("before", "after"):
                theirs = _theirs(data, name, when)
                for number, part in enumerate(PAIRS):
                    printed = theirs and (theirs.error, theirs.recall, theirs.precision, theirs.f1)[number]
                    drawn = outcome.figure(f"{part} {when}")
                    yield _row(data, f"{name}, {part}, {when} clustering, %", drawn, printed)
            muc = _theirs_muc(data, name)
            for number, part in enumerate(JOINED):
                yield _row(data, f"{name}, {part}, %", outcome.figure(part), muc and muc[number])
            error = outcome.error.estimate()
            note = f"mean probability {outcome.mean_pred:.4f}, observed {outcome.rate:.4f}"
            table = f"CalibErr of pairs without noise, {SETTINGS[data]}"
            yield Row(table, name, error.value, lo=error.lo, hi=error.hi, note=note, detail=True)
            yield Row(f"CalibErr of pairs, {SETTINGS[data]}", name, outcome.printed_error, note=note, detail=True)


def _row(data: str, figure: str, ours: Drawn, theirs: float | None) -> Row:
    one = ours.estimate()
    return Row(
        f"{SETTINGS[data]} (theirs: {data})", figure, one.value, theirs=theirs, lo=one.lo, hi=one.hi, detail=True
    )


def _theirs(data: str, name: str, when: str) -> Printed | None:
    """The pair figures that the paper prints, from whichever table has them."""
    if (data, name) in TABLE_1:
        after, before = TABLE_1[data, name]
        return after if when == "after" else before
    return (TABLE_3 if when == "after" else TABLE_2).get((data, name))


def _theirs_muc(data: str, name: str) -> tuple[float, float, float] | None:
    found = TABLE_3.get((data, name)) or TABLE_2.get((data, name))
    return found.muc if found else None


def _pairs(outcome: Outcome, when: str) -> tuple[float, ...]:
    return tuple(outcome.figure(f"{part} {when}").value for part in PAIRS)


def _muc(outcome: Outcome) -> tuple[float, ...]:
    return tuple(outcome.figure(part).value for part in JOINED)


def _table_1(outcomes: Outcomes) -> list[Sequence[str]]:
    lines: list[Sequence[str]] = [
        ["", "", *(f"{part} after" for part in PAIRS), *(f"{part} before" for part in PAIRS)],
    ]
    for data, found in outcomes.items():
        for name in ("BASE", "SLT", "SLT, ALGORITHM-1", "BASE, 2 passes"):
            if (data, name) in TABLE_1:
                after, before = TABLE_1[data, name]
                lines.append([name, f"theirs, {data}", *_numbers((*after[:4], *before[:4]))])
            ours = (*_pairs(found[name], "after"), *_pairs(found[name], "before"))
            lines.append([name, f"ours, {SETTINGS[data]}", *_numbers(ours)])
    return lines


def _joined(outcomes: Outcomes, table: Mapping[tuple[str, str], Printed], when: str) -> list[Sequence[str]]:
    lines: list[Sequence[str]] = [["", "", *PAIRS, *JOINED]]
    for (data, name), printed in table.items():
        outcome = outcomes[data][name]
        lines.append([name, f"theirs, {data}", *_numbers((*printed[:4], *(printed.muc or ())))])
        lines.append([name, f"ours, {SETTINGS[data]}", *_numbers((*_pairs(outcome, when), *_muc(outcome)))])
    return lines


def _calibration(outcomes: Outcomes) -> list[Sequence[str]]:
    header = [
        "",
        *(f"{what}, {ours}" for ours in SETTINGS.values() for what in ("CalibErr without noise", "as printed")),
    ]
    names = list(next(iter(outcomes.values())))
    return [header, *([name, *(cell for data in SETTINGS for cell in _errors(outcomes[data][name]))] for name in names)]


def _errors(outcome: Outcome) -> tuple[str, str]:
    error = outcome.error.estimate()
    return f"{error.value:.4f} ({error.lo:.4f} to {error.hi:.4f})", f"{outcome.printed_error:.4f}"


def _other(outcomes: Outcomes) -> list[Sequence[str]]:
    """The reading of the bias that is not in the tables of theirs, and the spread over seeds."""
    lines: list[Sequence[str]] = [["", "", *PAIRS, *JOINED]]
    for data, found in outcomes.items():
        for name, outcome in found.items():
            if name.endswith("on the score"):
                lines.append([name, SETTINGS[data], *_numbers((*_pairs(outcome, "before"), *_muc(outcome)))])
    return lines


def _seeds(outcomes: Outcomes) -> list[Sequence[str]]:
    shown = [f"{part} {when}" for when in ("before", "after") for part in ("error", "F1")] + ["MUC F1"]
    lines: list[Sequence[str]] = [["", "", *shown]]
    for data, found in outcomes.items():
        for name in ("BASE", "SLT"):
            n_seeds = len(found[name].counts)
            spread = [[found[name].of_seed(part, seed) for seed in range(n_seeds)] for part in shown]
            lines.append([name, SETTINGS[data], *(f"{min(one):.2f} to {max(one):.2f}" for one in spread)])
    return lines


def _numbers(values: Sequence[float]) -> list[str]:
    """Error rates, which come first of every four, with two digits, as the paper has them."""
    return [
        f"{value:.2f}" if number == 0 or (number == 4 and len(values) == 8) else f"{value:.1f}"
        for number, value in enumerate(values)
    ]
