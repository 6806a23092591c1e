"""The labelling page in a real browser, mostly by keyboard: what a coder does, and that nothing else happens."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from flows.label.desk import Desk
from flows.label.server import LabelServer
from tests.browser.conftest import Browser
from tests.labelling_warehouse import ARTICLES, HOSTILE, dyadic_query, small_desk

pytestmark = pytest.mark.slow


class Coder:
    """Somebody at the keyboard."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address

    def open(self) -> None:
        """Load the page as somebody new."""
        self.browser.driver.get("about:blank")
        for kind in ("browser", "performance"):
            self.browser.driver.get_log(kind)
        self.browser.driver.get(self.address)
        self.browser.until("return document.documentElement.dataset.ready === 'true'")

    def begin(self, name: str, task: int = 0) -> None:
        """Say who labels and what, by keyboard."""
        self.browser.until("return document.activeElement.id === 'coder'")
        self.press(Keys.CONTROL, "a")
        self.type(name)
        if task:
            self.type(Keys.TAB, *[Keys.ARROW_DOWN] * task)
        self.type(Keys.ENTER)
        self.settled()

    def again(self, name: str, task: int = 0) -> None:
        """Become another coder, or take up another task."""
        self.browser.run("document.getElementById('who').focus()")
        self.type(Keys.ENTER)
        self.browser.run("document.querySelector('[name=task][value=new]').checked = true")
        self.begin(name, task)

    def type(self, *keys: str) -> None:
        """Press keys one after another, and wait for the server."""
        for key in keys:
            ActionChains(self.browser.driver).send_keys(key).perform()
            self.settled()

    def press(self, held: str, key: str) -> None:
        """Press a key while another is held."""
        ActionChains(self.browser.driver).key_down(held).send_keys(key).key_up(held).perform()

    def settled(self) -> None:
        """Wait until nothing is on its way."""
        self.browser.until("return !document.body.hasAttribute('aria-busy')")

    def text(self, element: str) -> str:
        """What an element says."""
        return self.browser.run(f"return document.getElementById('{element}').textContent")

    def article(self) -> str:
        """Id of the article that is shown; empty at the end."""
        shown = self.browser.run(
            "return document.getElementById('work').hidden ? '' : document.getElementById('meta').textContent"
        )
        return shown.rpartition(" · ")[2]

    def offered(self) -> list[str]:
        """Codes that have a button."""
        return self.browser.run(
            "return [...document.querySelectorAll('#choices [data-code]')].map(b => b.dataset.code).slice(0, -1)"
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return small_desk(tmp_path)


@pytest.fixture
def coder(browser: Browser, desk: Desk) -> Iterator[Coder]:
    yield from at_work(browser, desk)


def at_work(browser: Browser, desk: Desk) -> Iterator[Coder]:
    """Somebody before the page of a desk."""
    server = LabelServer(desk)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    person = Coder(browser, server.address)
    person.open()
    yield person
    server.shutdown()
    thread.join()
    server.server_close()


def said(desk: Desk) -> list[tuple[str, str, str]]:
    """Lines of the log: article, coder, answer."""
    return [(label.doc_id, label.coder, label.answer or label.kind) for label in desk.log().labels]


def test_all_articles_are_labelled_by_keyboard_alone(coder: Coder, desk: Desk) -> None:
    coder.begin("Ada")
    answers = {
        "iraq": ("1", Keys.ENTER), "none": ("n",), "both": ("1", "2", Keys.ENTER), "hostile": ("u",),
        "many": ("a", "v", "a", "n", "u", Keys.ENTER, Keys.ENTER), "empty-title": ("s", "1"),
        "third": ("3", "1", "1", Keys.ENTER), "last": ("1", Keys.ENTER),
    }  # fmt: skip
    for doc_id, keys in answers.items():
        assert coder.article() == doc_id
        coder.type(*keys)
    assert said(desk) == [
        ("iraq", "Ada", "IRQ"), ("none", "Ada", "none"), ("both", "Ada", "LBY;TCD"), ("hostile", "Ada", "unsure"),
        ("many", "Ada", "VUT"), ("empty-title", "Ada", "skip"), ("third", "Ada", "SYR"), ("last", "Ada", "USA"),
    ]  # fmt: skip
    assert coder.text("end-title") == "All articles are answered"
    assert coder.text("progress").startswith("7 of 8 answered")
    assert all(label.seconds is not None and 0 <= label.seconds < 60 for label in desk.log().labels)
    assert coder.browser.complaints() == []


def test_keys_are_those_of_the_words_in_the_article_in_their_order(coder: Coder) -> None:
    coder.begin("Ada")
    assert coder.offered() == ["IRQ", "IRN"]
    marked = coder.browser.run(
        "return [...document.querySelectorAll('#text .m')].map(m => m.textContent + ' ' + m.className)"
    )
    assert marked == ["Iraqi m name", "attacked m event", "Iran m name"]


def test_undo_brings_the_article_and_the_answer_back(coder: Coder, desk: Desk) -> None:
    coder.begin("Ada")
    coder.type("1", Keys.ENTER, "n", "z")
    assert (coder.article(), coder.text("said")) == ("none", "Taken back: none.")
    coder.type("z")
    assert coder.article() == "iraq"
    assert coder.browser.run("return document.querySelector('[data-code=IRQ]').ariaPressed") == "true"
    coder.type("1", "2", Keys.ENTER)
    assert str(desk.verdicts()["iraq"].answers["Ada"]) == "IRN"
    assert len(said(desk)) == 5
    coder.press(Keys.CONTROL, "z")
    coder.settled()
    assert coder.article() == "iraq"


@pytest.fixture
def dyads(browser: Browser, tmp_path: Path) -> Iterator[tuple[Coder, Desk]]:
    desk = small_desk(tmp_path, dyadic_query(tmp_path))
    yield from ((coder, desk) for coder in at_work(browser, desk))


def test_of_a_dyad_the_agent_is_chosen_then_the_target(dyads: tuple[Coder, Desk]) -> None:
    coder, desk = dyads
    coder.begin("Ada")
    coder.type("1")
    assert coder.text("prompt") == "Iraq → to whom?"
    coder.type("2", Keys.ENTER, "n", "1", "0", "2", "1", Keys.ENTER, "1", Keys.ESCAPE, "u")
    assert [answer for _, _, answer in said(desk)] == ["IRQ>IRN", "none", "LBY>TCD;TCD>-", "unsure"]
    coder.type("z", "z")
    assert coder.browser.run("return [...document.querySelectorAll('#pairs button')].map(b => b.textContent)") == [
        "Libya → Chad ×",
        "Chad → Somebody without a code ×",
    ]


def test_reloading_goes_on_with_the_same_coder_and_article(coder: Coder) -> None:
    coder.begin("Ada")
    coder.type("n", "n")
    coder.browser.driver.refresh()
    coder.browser.until("return document.getElementById('meta').textContent !== ''")
    assert coder.article() == "both"
    assert coder.text("who") == "Ada"
    assert coder.text("progress").startswith("2 of 8 answered")


def test_two_tabs_get_different_articles_and_lose_no_answer(coder: Coder, desk: Desk) -> None:
    driver = coder.browser.driver
    coder.begin("Ada")
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(coder.address)
    coder.begin("Ada")
    assert coder.article() == "none"
    coder.type("n")
    second = driver.current_window_handle
    driver.switch_to.window(first)
    assert coder.article() == "iraq"
    coder.type("1", Keys.ENTER)
    assert coder.article() != ""
    driver.switch_to.window(second)
    driver.close()
    driver.switch_to.window(first)
    assert sorted(said(desk)) == [("iraq", "Ada", "IRQ"), ("none", "Ada", "none")]


def test_second_coder_sees_no_answer_and_a_third_settles(coder: Coder, desk: Desk) -> None:
    coder.begin("Ada")
    coder.type("1", Keys.ENTER, "n", "1", "2", Keys.ENTER)
    coder.again("Ben", task=1)
    assert coder.article() == "iraq"
    assert "Ada" not in coder.text("work")
    assert coder.browser.run("return document.getElementById('disputed').hidden")
    coder.type("1", Keys.ENTER, "n", "1", Keys.ENTER)
    assert coder.article() == ""
    assert "coders agree on 67 % of 3, Krippendorff’s α 0.62" in coder.text("end-text")
    coder.again("Cyd", task=2)
    assert coder.article() == "both"
    assert "Ada: Chad, Libya" in re.sub(r"Libya, Chad", "Chad, Libya", coder.text("disputed"))
    assert "Ben: Chad" in coder.text("disputed")
    coder.type("1", "2", Keys.ENTER)
    assert coder.text("end-title") == "Nothing to settle"
    assert desk.verdicts()["both"].certain == {"LBY", "TCD"}
    assert desk.verdicts()["both"].adjudicated


def test_hostile_text_shows_as_text_and_never_runs(coder: Coder) -> None:
    coder.begin("Ada")
    coder.type("n", "n", "n")
    assert coder.article() == "hostile"
    shown = coder.text("headline")
    assert re.sub(r"\s", "", shown) == re.sub(r"\s", "", HOSTILE)
    assert coder.browser.run("return document.title") == "attack: labelling"
    assert coder.browser.run("return document.querySelectorAll('img, article script').length") == 0
    assert coder.browser.complaints() == []


def test_a_hostile_name_of_a_coder_is_text_too(coder: Coder, desk: Desk) -> None:
    name = '</script><img src=x onerror="document.title=1">;"'
    coder.begin(name)
    coder.type("n")
    assert said(desk) == [("iraq", name, "none")]
    coder.browser.driver.refresh()
    coder.browser.until("return document.getElementById('meta').textContent !== ''")
    assert coder.text("who") == name
    assert coder.browser.run("return document.querySelectorAll('img').length") == 0
    assert coder.browser.complaints() == []


def test_the_page_talks_to_its_own_server_alone(coder: Coder) -> None:
    coder.begin("Ada")
    coder.type("n", "a", Keys.ESCAPE, "?", Keys.ESCAPE, "c")
    asked = coder.browser.requests()
    assert asked
    assert all(url.startswith(coder.address) for url in asked)


def test_keys_do_nothing_while_a_dialog_is_open(coder: Coder, desk: Desk) -> None:
    coder.begin("Ada")
    coder.type("a", "n", "u", "1")
    assert said(desk) == []
    coder.type(Keys.ESCAPE)
    assert coder.article() == "iraq"


def test_everything_that_can_be_used_is_reached_by_tab_and_named(coder: Coder) -> None:
    coder.begin("Ada")
    seen = set()
    for _ in range(30):
        coder.browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.add(coder.browser.run("const e = document.activeElement; return e.id || e.dataset.code || e.tagName"))
    assert {"who", "keys", "theme", "SUMMARY", "IRQ", "IRN", "more", "save", "none", "unsure", "skip", "undo"} <= seen
    nameless = coder.browser.run(
        "return [...document.querySelectorAll('button, input')]"
        ".filter(e => e.offsetParent && !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).map(e => e.id)"
    )
    assert nameless == []


CONTRAST = r"""
const channel = (v) => (v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
const light = (colour) => {
  const [r, g, b] = colour.match(/[\d.]+/g).slice(0, 3).map((v) => channel(v / 255));
  return .2126 * r + .7152 * g + .0722 * b;
};
const ground = (element) => {
  for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor;
    if (!/, 0\)$|transparent/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
const poor = [];
for (const element of document.querySelectorAll("body *")) {
  const said = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!element.offsetParent || !said) continue;
  const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
  if ((a + .05) / (b + .05) < 4.5) poor.push(element.tagName + "#" + element.id);
}
return poor;
"""
"""Elements whose text has less contrast with what is behind it than WCAG AA asks for."""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_page_fits_phone_and_laptop_with_good_contrast(coder: Coder, width: int, theme: str) -> None:
    driver = coder.browser.driver
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        coder.begin("Ada")
        coder.type("n", "n", "1")
        coder.browser.run(f"document.documentElement.dataset.theme = '{theme}'")
        assert coder.browser.run("return document.documentElement.scrollWidth") <= width
        assert coder.browser.run(CONTRAST) == []
        save = coder.browser.run(
            "const r = document.getElementById('save').getBoundingClientRect(); return [r.top, r.bottom]"
        )
        assert 0 <= save[0] < save[1] <= 800
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def serving(place: str) -> tuple[subprocess.Popen[str], str]:
    """The command as a user runs it, and its address."""
    command = [sys.executable, "-m", "flows", "label", place]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert running.stdout is not None
    for line in running.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", line):
            return running, found[0]
    raise AssertionError("no address")


def test_a_server_killed_half_way_is_said_and_the_next_goes_on(browser: Browser, desk: Desk) -> None:
    running, address = serving(desk._warehouse.root)
    person = Coder(browser, address)
    person.open()
    person.begin("Ada")
    person.type("1", Keys.ENTER, "n")
    running.send_signal(signal.SIGKILL)
    running.wait(20)
    assert running.stdout is not None
    running.stdout.close()
    person.type("1", Keys.ENTER)
    assert "does not answer" in person.text("alert")
    assert person.article() == "both"  # not shown as saved
    running, person.address = serving(desk._warehouse.root)
    try:
        person.open()
        person.begin("Ada")
        assert person.article() == "both"
        assert person.text("progress").startswith("2 of 8 answered")
        person.type("1", "2", Keys.ENTER)
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert [answer for _, _, answer in said(desk)] == ["IRQ", "none", "LBY;TCD"]
    log = Path(desk._warehouse.path(desk.frame.folder.labels)).read_text(encoding="utf-8")
    assert [json.loads(line)["doc_id"] for line in log.splitlines()] == [doc_id for doc_id, _, _ in ARTICLES[:3]]
