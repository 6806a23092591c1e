"""From text to a probability: four short articles through the parser, the coreference model and the event question."""

from dataclasses import dataclass

from rich.table import Table

from calib_core.coref import AntecedentModel
from calib_core.events import Query, document_bits, gate, mention_evidence
from calib_core.randomness import document_key
from workers.parser import Parser

ARTICLES = [
    "Iraqi troops attacked a border post before dawn on Sunday, officials said.",
    "President Saddam Hussein of Iraq spoke on television on Friday. "
    "Officials in Riyadh feared that Mr. Hussein might attack Saudi Arabia.",
    "The president of Iran met the president of Turkey in Geneva. Diplomats feared that he would attack the Kurds.",
    "Kuwait protested on Monday after its tanker was attacked in the Gulf. The ship was not badly damaged.",
]
N_SAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Answer:
    """What one article says about one country."""

    country: str
    p: float
    """Share of sampled clusterings in which an entity of the country is the attacker."""
    best: bool
    """Whether the single most probable clustering says so."""


def answers(articles: list[str], *, seed: int) -> list[list[Answer]]:
    """The countries that each article may count for, most probable first."""
    query, parser, model = Query.from_yaml("attack"), Parser(), AntecedentModel.load()
    found: list[list[Answer]] = []
    for number, text in enumerate(articles):
        name = f"article-{number}"
        if not gate(text, query):
            found.append([])
            continue
        document = parser.parse(name, text)
        mentions = model.mentions(document)
        evidence = mention_evidence(document, mentions.heads, mentions.starts, mentions.ends, query, year=None)
        antecedents = model.antecedents(document, mentions=mentions)
        samples = document_bits(evidence, antecedents, N_SAMPLES, key=document_key(seed, name)).positive()
        rows = zip(samples.country, samples.p.tolist(), samples.best.tolist(), strict=True)
        found.append(sorted((Answer(c, p, best > 0) for c, p, best in rows), key=lambda answer: -answer.p))
    return found


def worked_example(*, seed: int) -> Table:
    """A table for the terminal."""
    table = Table("article", "attacker", "probability", "1-best", title="Who attacks?", title_justify="left")
    table.show_lines = True
    for text, found in zip(ARTICLES, answers(ARTICLES, seed=seed), strict=True):
        table.add_row(
            text,
            "\n".join(answer.country for answer in found) or "none",
            "\n".join(f"{answer.p:.2f}" for answer in found),
            "\n".join("yes" if answer.best else "no" for answer in found),
        )
    table.caption = f"{N_SAMPLES:,} sampled clusterings of each article's mentions; 1-best: the likeliest one alone"
    return table
