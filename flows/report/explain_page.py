"""The explanation of one document as one HTML file without any script.

Covers: the document with every mention marked and numbered, the reasons, antecedents of all mentions.
Not here: the words of the reasons (`reasons`), the terminal (`flows.cli.explain_text`).

All text goes through `html.escape`; the Content-Security-Policy allows the page's own style and nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from calib_core.events import Explanation
from flows.report import reasons
from flows.report.page import asset
from flows.report.passages import CHAINS, DECISIONS, OPTIONS, Mark, Passage, key_mentions, mention_mark, whole_passage
from flows.report.roles import role_word, role_words
from flows.self_contained import policy
from workers.explanations import ExplainedDocument

TEMPLATE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>{title}</title><style>{style}</style></head><body>
<header class="top"><div><p class="over">Credence: why this probability?</p><h1>{title}</h1>
<p class="lead">{lead}</p></div></header><main>
<section class="card"><h2>The article</h2>
<p class="soft">Underlined: {roles} of the query's verbs. Tinted with a code: names that country. Numbers refer to the
table below.</p><p class="text">{text}</p></section>
<section class="card"><h2>Why</h2>{reasons}</section>
<section class="card"><h2>Mentions and what they may refer to</h2><details open><summary>Those that affect the answer
</summary><div class="scroll">{key}</div></details><details><summary>All {count} mentions</summary>
<div class="scroll">{every}</div></details></section></main></body></html>
"""


def explanation_page(explained: ExplainedDocument, names: Mapping[str, str], labels: Sequence[str] = ()) -> str:
    """The whole page; `labels` says what people answered."""
    annotation = explained.annotation
    mentions = range(len(annotation.mentions))
    style = asset("report.css") + _dark(asset("report.css"))
    why = [_reasons(explained, one, names) for one in explained.countries] or [
        f"<p>{escape(reasons.no_country(explained))}</p>"
    ]
    why += [f"<p>{escape(sentence)}</p>" for sentence in labels]
    return TEMPLATE.format(
        policy=policy([], [style]),
        style=style,
        roles=role_words(explained.roles),
        title=escape(annotation.title or annotation.doc_id),
        lead=escape(f"{annotation.doc_id}, {annotation.published}; {explained.samples:,} sampled readings."),
        text="".join(_marked(whole_passage(explained, sorted(key_mentions(explained))), role_word(explained.roles))),
        reasons="".join(why),
        key=_table(explained, sorted(key_mentions(explained))),
        every=_table(explained, list(mentions)),
        count=len(mentions),
    )


def _dark(style: str) -> str:
    """The dark colours for readers whose system asks for them: without script nothing else can choose them."""
    colours = style.partition(':root[data-theme="dark"] {')[2].partition("}")[0]
    return f"@media (prefers-color-scheme: dark) {{ :root {{{colours}}} }}"


def _marked(passage: Passage, role: str) -> Iterator[str]:
    for sentence in passage.sentences:
        stretches = sentence or ()
        for place, (words, inside) in enumerate(stretches):
            following = stretches[place + 1][1] if place + 1 < len(stretches) else ()
            yield _stretch(words, [passage.marks[number] for number in inside])
            yield from (_tags(passage.marks[number], role) for number in reversed(inside) if number not in following)
        yield " "


def _stretch(words: str, marks: list[Mark]) -> str:
    if not marks:
        return escape(words)
    kinds = ["m"]
    kinds += ["verb"] if any(mark.mention < 0 for mark in marks) else []
    kinds += ["agent"] if any(mark.agent for mark in marks) else []
    kinds += ["named"] if any(mark.country for mark in marks) else []
    return f'<span class="{" ".join(kinds)}">{escape(words)}</span>'


def _tags(mark: Mark, role: str) -> str:
    if mark.mention < 0:
        return ""
    said = " ".join(filter(None, [str(mark.mention), role if mark.agent else "", escape(mark.country)]))
    return f'<span class="tag{" a" if mark.agent else ""}">{said}</span>'


def _reasons(explained: ExplainedDocument, one: Explanation, names: Mapping[str, str]) -> str:
    lines = [
        (chain.share, "counts: " + reasons.chain_sentence(explained, one, chain, names))
        for chain in one.chains[:CHAINS]
    ]
    rest = sum(chain.share for chain in one.chains[CHAINS:])
    if rest:
        lines.append((rest, f"counts by {len(one.chains) - CHAINS} other chains"))
    lines += [
        (share, "does not count: " + sentence) for share, sentence in reasons.failure_sentences(explained, one, names)
    ]
    items = "".join(f'<li><span class="num">{share:.2f}</span> {escape(text)}</li>' for share, text in lines)
    decisions = "".join(_decision(explained, one, number) for number in range(min(DECISIONS, len(one.decisions))))
    decisions += "".join(
        f"<li>{escape(reasons.doubt_sentence(explained, doubt, names))}</li>" for doubt in one.doubts[:DECISIONS]
    )
    depends = f'<p class="soft">What it depends on:</p><ul class="why">{decisions}</ul>' if decisions else ""
    return f'<h3>{escape(reasons.verdict(one, explained.samples, names))}</h3><ul class="why">{items}</ul>{depends}'


def _decision(explained: ExplainedDocument, one: Explanation, number: int) -> str:
    decision = one.decisions[number]
    options = []
    for option in decision.options[:OPTIONS]:
        then = "" if option.p_event is None else f" (then the event has {option.p_event:.2f})"
        options.append(f"{reasons.option_text(explained, option)} {option.probability:.2f}{then}")
    return f"<li>{escape(reasons.decision_sentence(explained, decision))} {escape('; '.join(options))}</li>"


def _table(explained: ExplainedDocument, mentions: list[int]) -> str:
    role = role_word(explained.roles)
    head = "".join(
        f'<th scope="col" class="left">{name}</th>' for name in ("", "mention", "names", f"{role} of", "refers to")
    )
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(_row(explained, m) for m in mentions)}</tbody></table>"
    )


def _row(explained: ExplainedDocument, mention: int) -> str:
    mark = mention_mark(explained, mention)
    verbs = ", ".join(reasons.event_words(explained, mention))
    found = "<br>".join(escape(f"{p:.2f} {what}") for p, what in reasons.antecedent_list(explained, mention))
    cells = [f'<td class="left wrap">{escape(mark.text)}</td>']
    cells += [f'<td class="left">{escape(text)}</td>' for text in (mark.country, verbs)]
    return f'<tr><td>{mention}</td>{"".join(cells)}<td class="left wrap">{found}</td></tr>'
