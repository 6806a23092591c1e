"""Why a document counts with its probability, in plain sentences.

Covers: the words for chains, failures and decisions; the terminal, the HTML page and the report say the same.
Not here: the numbers (`calib_core.events.explanation`).
"""

from collections.abc import Mapping

import numpy as np

from calib_core.coref import NEW
from calib_core.coref.posterior.marginals import antecedent_probabilities
from calib_core.events import Chain, Decision, Doubt, Explanation, Option
from calib_core.events.agents import EMBEDDED, MODAL, NEGATED, Event
from calib_core.events.dyads import ANY_TARGET, parted
from calib_core.events.explanation import LIKELY, OTHER_COUNTRIES
from calib_core.events.query import NOBODY
from flows.report.passages import entry_text, mention_mark
from flows.report.roles import role_word
from workers.explanations import ExplainedDocument

TOP = 4
"""Antecedents listed per mention."""
FLAG_WORDS = {NEGATED: "denied", MODAL: "said to be possible", EMBEDDED: "intended, feared or conditional"}


def chain_sentence(explained: ExplainedDocument, one: Explanation, chain: Chain, names: Mapping[str, str]) -> str:
    """How the country reaches the agent or patient, and with targets, whom it is done to."""
    (code, target), role = parted(one.country), role_word(explained.roles)
    aim = "" if target == ANY_TARGET else f", and the target {_has(target, names)}"
    if code == NOBODY:
        return f"the text names no {role} of the event{aim}"
    name = names.get(code, code)
    words = [f"“{entry_text(explained, mention)}”" for mention in chain.mentions]
    if len(words) == 1:
        return f"{words[0]} names {name} and is the {role} itself{aim}"
    middle = "".join(f", which is {word}" for word in words[1:])
    return f"the {role} {words[0]}{middle}, which names {name}{aim}"


def failure_sentences(
    explained: ExplainedDocument, one: Explanation, names: Mapping[str, str]
) -> list[tuple[float, str]]:
    """The share of samples in which the document does not count, and why."""
    (code, target), role = parted(one.country), role_word(explained.roles)
    name = names.get(code, code)
    found = [(share, _conflict(role, name, names.get(other, other))) for other, share in one.conflicts.items()]
    if one.apart:
        aim = "" if target == ANY_TARGET else f" whose target {_has(target, names)}"
        if code == NOBODY:
            found.append((one.apart, f"each event{aim} has its {role} in the text"))
        else:
            found.append((one.apart, f"no {role}{aim} is the same entity as a mention of {name}"))
    return sorted(found, reverse=True)


def _has(target: str, names: Mapping[str, str]) -> str:
    return "has no code" if target == NOBODY else f"is {names.get(target, target)}"


def _conflict(role: str, name: str, other: str) -> str:
    if other == "several":
        return f"the {role}'s entity holds a mention of several countries, so it is not {name}'s alone"
    return f"the {role}'s entity is described as {name} and as {other}, so it belongs to neither"


def decision_sentence(explained: ExplainedDocument, decision: Decision) -> str:
    """What is undecided about one mention."""
    return f"What is “{entry_text(explained, decision.mention)}”?"


def option_text(explained: ExplainedDocument, option: Option) -> str:
    """One thing that a mention may refer to."""
    if option.antecedent == NEW:
        return "something not mentioned before"
    return f"“{entry_text(explained, option.antecedent)}”"


def doubt_sentence(explained: ExplainedDocument, doubt: Doubt, names: Mapping[str, str]) -> str:
    """What the grammar of a sentence leaves open about one mention, and how much hangs on it."""
    n, words = round(doubt.share * explained.samples), entry_text(explained, doubt.mention)
    if doubt.code is None:
        said = f"is the {role_word(explained.roles)}"
    elif doubt.code == OTHER_COUNTRIES:
        said = "is described as several countries"
    else:
        said = f"is described as {names.get(doubt.code, doubt.code)}"
    return (
        f"Syntax: in {n:,} of {explained.samples:,} readings “{words}” {said}; then the event has {doubt.p_event:.2f}, "
        f"else {doubt.p_otherwise:.2f}."
    )


def verdict(one: Explanation, samples: int, names: Mapping[str, str]) -> str:
    """The answer for one country in one sentence."""
    counted = round(one.p * samples)
    best = "counts it" if one.best else "does not count it"
    return (
        f"{names.get(one.country, one.country)} ({one.country}): probability {one.p:.2f}, "
        f"{counted:,} of {samples:,} sampled readings; the single best reading {best}."
    )


def event_words(explained: ExplainedDocument, mention: int) -> list[str]:
    """The verbs whose agent or patient a mention is, and whether the text says they happened."""
    return [_event(explained, event) for event in explained.events.get(mention, [])]


def _event(explained: ExplainedDocument, event: Event) -> str:
    said = [words for flag, words in FLAG_WORDS.items() if event.flags & flag]
    verb = explained.annotation.document.words[event.verb]
    return f"{verb} ({', '.join(said)})" if said else verb


def no_country(explained: ExplainedDocument) -> str:
    """Why a document past the gate counts for nobody."""
    role = role_word(explained.roles)
    if not explained.evidence.agent.any():
        return f"It counts for no country: no mention is the {role} of a verb of the query."
    return f"It counts for no country: no {role} is ever the same entity as a mention that names a country."


def antecedent_list(explained: ExplainedDocument, mention: int, top: int = TOP) -> list[tuple[float, str]]:
    """The most probable antecedents of a mention with their probabilities, in words."""
    antecedents = explained.antecedents
    entries = np.arange(antecedents.offsets[mention], antecedents.offsets[mention + 1])
    probability = antecedent_probabilities(antecedents)[entries]
    order = [place for place in np.argsort(-probability, kind="stable")[:top] if probability[place] >= LIKELY]
    found = []
    for place in order:
        candidate = int(antecedents.candidates[entries[place]])
        text = "new" if candidate == NEW else f"[{candidate}] {mention_mark(explained, candidate).text}"
        found.append((float(probability[place]), text))
    return found
