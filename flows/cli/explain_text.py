"""The explanation of one document in the terminal.

Covers: marked text and tables by rich.
Not here: the words of the reasons (`flows.report.reasons`), HTML (`flows.report.explain_page`).
"""

from collections.abc import Iterable, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from calib_core.events import Explanation
from flows.report import reasons
from flows.report.passages import CHAINS, DECISIONS, OPTIONS, Passage, key_mentions, mention_mark, whole_passage
from flows.report.roles import role_word
from workers.explanations import ExplainedDocument


def explanation_text(explained: ExplainedDocument, names: Mapping[str, str], *, every: bool = False) -> Group:
    """The document, its mentions with their antecedents, and the reasons by country.

    Parameters
    ----------
    every : bool
        List all mentions, not only those that affect the answer.
    """
    annotation = explained.annotation
    mentions = range(len(annotation.mentions)) if every else sorted(key_mentions(explained))
    parts: list[RenderableType] = [Text(f"{annotation.title or annotation.doc_id}", style="bold")]
    parts.append(Text(f"{annotation.doc_id}, {annotation.published}\n", style="dim"))
    parts += [Padding(_marked(whole_passage(explained, mentions)), (0, 2)), Text()]
    if not explained.countries:
        parts.append(Text(reasons.no_country(explained)))
    for one in explained.countries:
        parts += [*_reasons(explained, one, names), Text()]
    if explained.countries or every:
        parts.append(_mentions_table(explained, mentions))
    return Group(*parts)


def _marked(passage: Passage) -> Text:
    text = Text()
    for sentence in passage.sentences:
        for words, inside in sentence or ():
            marks = [passage.marks[number] for number in inside]
            style = " ".join(
                [
                    "bold underline" if any(mark.agent for mark in marks) else "",
                    "italic bold" if any(mark.mention < 0 for mark in marks) else "",
                    "cyan" if any(mark.country for mark in marks) else "",
                ]
            )
            text.append(words, style.strip() or ("green" if marks else ""))
        text.append(" ")
    return text


def _reasons(explained: ExplainedDocument, one: Explanation, names: Mapping[str, str]) -> Iterable[RenderableType]:
    yield Text(reasons.verdict(one, explained.samples, names), style="bold")
    for chain in one.chains[:CHAINS]:
        yield Text(f"  {chain.share:5.2f}  counts: {reasons.chain_sentence(explained, one, chain, names)}")
    rest = sum(chain.share for chain in one.chains[CHAINS:])
    if rest:
        yield Text(f"  {rest:5.2f}  counts by {len(one.chains) - CHAINS} other chains")
    for share, sentence in reasons.failure_sentences(explained, one, names):
        yield Text(f"  {share:5.2f}  does not count: {sentence}")
    for decision in one.decisions[:DECISIONS]:
        yield Text(f"  {reasons.decision_sentence(explained, decision)}")
        for option in decision.options[:OPTIONS]:
            then = "" if option.p_event is None else f"; then the event has {option.p_event:.2f}"
            yield Text(f"    {option.probability:.2f} {reasons.option_text(explained, option)}{then}")
    for doubt in one.doubts[:DECISIONS]:
        yield Text(f"  {reasons.doubt_sentence(explained, doubt, names)}")


def _mentions_table(explained: ExplainedDocument, mentions: Iterable[int]) -> Table:
    role = role_word(explained.roles)
    table = Table("", "mention", "names", f"{role} of", "refers to", title="Mentions", title_justify="left")
    for mention in mentions:
        mark = mention_mark(explained, mention)
        found = "\n".join(f"{p:.2f} {what}" for p, what in reasons.antecedent_list(explained, mention))
        verbs = ", ".join(reasons.event_words(explained, mention))
        table.add_row(str(mention), Text(mark.text), mark.country, Text(verbs), Text(found))
    return table
