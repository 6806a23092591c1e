"""Open a model folder of ours as an engine that parses.

Covers: joining tokenizer, network, word pieces and temperatures.
Not here: choosing a folder and checking it (`workers.parser`), each part's file (`package`, `distribution`).
"""

from pathlib import Path

from workers.parsing.distribution import Temperatures, load_temperatures
from workers.parsing.joint import JointEngine
from workers.parsing.package import TOKENIZER, WORD_PIECES, load_network
from workers.parsing.pieces import WordPieces
from workers.parsing.quantise import quantise
from workers.parsing.segment import Segmenter


def joint_engine(folder: Path, *, fast: bool = False, temperatures: Temperatures | None = None) -> JointEngine:
    """The parser of a checked model folder, in 8-bit arithmetic if it is to be fast; by default at its temperatures."""
    network = load_network(folder)
    if fast:
        quantise(network)
    kept = load_temperatures(folder) if temperatures is None else temperatures
    return JointEngine(Segmenter(folder / TOKENIZER), network, WordPieces(folder / WORD_PIECES), kept)
