import json
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from flows.report.page import SCRIPTS, asset
from flows.self_contained import embedded_json, policy


class Scripts(HTMLParser):
    """Collects what a browser would take for the content of script elements."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        """An element begins."""
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Text."""
        self.found.append(data)


@given(st.text(max_size=40) | st.sampled_from(["</script><img>", "<!--<script>", "\u2028", "\ud800", "{{BUNDLE}}"]))
def test_any_text_comes_back_from_the_embedded_json_and_makes_no_element(text: str) -> None:
    embedded = embedded_json({"title": text})
    embedded.encode("utf-8")
    parser = Scripts()
    parser.feed(f'<script type="application/json">{embedded}</script>')
    assert parser.tags == ["script"]
    assert json.loads("".join(parser.found))["title"] == text


def test_policy_forbids_the_network_and_eval_and_names_scripts_by_hash() -> None:
    said = policy(["let a;"], ["p {}"])
    assert said.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in said
    assert "connect-src" not in said  # default-src has it


def test_scripts_of_the_page_never_write_markup() -> None:
    scripts = "".join(map(asset, SCRIPTS))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", scripts)


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_has_the_contrast_of_wcag_aa_in_both_themes() -> None:
    blocks = re.findall(r':root(?:\[data-theme="dark"\])? \{(.*?)\}', asset("report.css"), re.S)
    assert len(blocks) == 2
    for block in blocks:
        colour = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
        for ink in ("ink", "soft", "accent"):
            for ground in ("bg", "card", "tint", "warn-bg"):
                assert contrast(colour[ink], colour[ground]) >= 4.5, (ink, ground)
        for ink, ground in (("agent", "card"), ("verb", "card"), ("on-accent", "accent")):
            assert contrast(colour[ink], colour[ground]) >= 4.5, (ink, ground)
        for ground in ("agent-bg", "name-bg", "link-bg"):
            assert contrast(colour["ink"], colour[ground]) >= 4.5, ground


def test_lines_of_all_countries_stand_out_from_both_grounds() -> None:
    from flows.charts.palette import DARK, LIGHT

    assert all(contrast(colour, "#ffffff") >= 4.5 for colour in LIGHT)
    assert all(contrast(colour, "#1a2027") >= 4.5 for colour in DARK)
