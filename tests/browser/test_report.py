"""The report in a real browser: what a reader does, and that nothing else happens."""

import time
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from flows.demonstration import ARCHIVE
from flows.jobs.anchor import anchor
from flows.jobs.requests import AnchorRequest, SampleRequest
from flows.jobs.sample import sample
from flows.report.content import page_data, read_content
from flows.report.explain_page import explanation_page
from flows.report.names import Names
from flows.report.page import report_page
from tests.browser.conftest import Browser
from tests.dyad_warehouse import dyad_run
from tests.report_warehouse import HOSTILE_TITLE, part_run, small_run
from workers.explanations import RunSettings, explain_document
from workers.labelling import Label, append_labels, read_frame
from workers.runs import Run, open_run
from workers.storage import Warehouse

pytestmark = pytest.mark.slow

REUTERS = Path(__file__).resolve().parents[3] / "shared" / "data" / "news" / "reuters-1987H1.jsonl.gz"


def written(run: Run, path: Path) -> Path:
    data = page_data(read_content(run, RunSettings.of(run)), "w")
    path.write_text(report_page([data], generator="test"), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return small_run(tmp_path_factory.mktemp("browser") / "w")


@pytest.fixture(scope="session")
def page(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(run, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture
def opened(browser: Browser, page: Path) -> Browser:
    browser.open(page)
    return browser


@pytest.fixture(scope="session", params=["demonstration", "reuters"])
def real_page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive, since = (Path(str(ARCHIVE)), "1998-10-01") if request.param == "demonstration" else (REUTERS, "")
    if not archive.exists():
        pytest.skip(f"no {request.param} archive at {archive}")
    folder = tmp_path_factory.mktemp(request.param)
    return written(part_run(folder / "w", archive, n_possible=12, since=since), folder / "report.html")


def pressed(browser: Browser) -> list[str]:
    return browser.run("return [...document.querySelectorAll('.chip[aria-pressed=true]')].map(c => c.dataset.code)")


def click_chip(browser: Browser, code: str) -> None:
    browser.run(f"document.querySelector('.chip[data-code={code}]').click()")


def test_page_draws_without_complaint_or_request(opened: Browser) -> None:
    assert opened.run("return document.querySelectorAll('#chart svg').length") == 1
    assert opened.run("return document.querySelectorAll('#chart svg path').length") > 5
    assert opened.complaints() == []
    assert opened.requests() == []


def test_trust_never_ends_in_a_warning(opened: Browser) -> None:
    text = opened.run("return document.getElementById('calibration').textContent")
    assert "Measured elsewhere" in text
    assert "take these figures as what to expect, not as what holds here" in text
    assert opened.run("return document.querySelectorAll('#calibration .note').length") == 0
    assert opened.run("return document.querySelectorAll('#calibration svg').length") >= 3


def test_what_people_found_here_comes_first(browser: Browser, tmp_path: Path) -> None:
    run = small_run(tmp_path / "w", 40)
    drawn = sample(SampleRequest(warehouse=str(tmp_path / "w"), labels=6))
    frame = read_frame(run.warehouse, drawn.frame_id)
    append_labels(run.warehouse, frame, [
        Label(frame_id=frame.frame_id, doc_id=doc_id, coder="ada", answer="IRQ", time="t")
        for doc_id in frame.drawn["doc_id"].to_pylist()
    ])  # fmt: skip
    anchor(AnchorRequest(warehouse=str(tmp_path / "w")))
    browser.open(written(run, tmp_path / "report.html"))
    text = browser.run("return document.getElementById('calibration-body').textContent")
    assert text.startswith(
        "In this archive, people checked: All countries and quarters together: the models alone expect"
    )
    assert "These models were measured elsewhere" in text
    assert browser.complaints() == []


def test_countries_can_be_switched(opened: Browser) -> None:
    first = pressed(opened)
    assert len(first) == 2
    assert "is ahead with 95 % probability" in opened.run("return document.getElementById('comparison').textContent")
    click_chip(opened, "TUR")
    assert set(pressed(opened)) == {*first, "TUR"}
    assert "Choose two countries" in opened.run("return document.getElementById('comparison').textContent")
    click_chip(opened, first[0])
    opened.until("return document.getElementById('legend').textContent.includes('Turkey')")
    assert set(pressed(opened)) == {first[1], "TUR"}
    assert opened.complaints() == []


def test_real_archives_open_switch_and_show_the_articles_behind_a_point(browser: Browser, real_page: Path) -> None:
    browser.open(real_page)
    codes = browser.run("return [...document.querySelectorAll('.chip')].map(chip => chip.dataset.code)")
    before = pressed(browser)
    for code in before:
        click_chip(browser, code)
    for code in codes[::-1][:2]:
        click_chip(browser, code)
    assert set(pressed(browser)) == set(codes[::-1][:2])
    click_point(browser, "")
    assert browser.run("return document.querySelectorAll('#drawer-list summary').length") >= 1
    browser.run("document.querySelector('#drawer-list summary').click()")
    browser.until("return document.querySelector('#drawer-list .text')")
    assert browser.complaints() == []
    assert browser.requests() == []


def click_point(browser: Browser, country: str) -> None:
    """Click on the first point above zero; the chart is drawn anew after every choice, so look until it is there."""
    find = (
        "return [...document.querySelectorAll('#chart svg .mark-symbol path[aria-label*=\"country: "
        f"{country}\"]')].filter(point => !point.ariaLabel.includes('expected: 0.00')).pop()"
    )
    browser.until(find)
    browser.run("document.getElementById('chart').scrollIntoView({block: 'center', behavior: 'instant'})")
    time.sleep(0.3)
    ActionChains(browser.driver).move_to_element(browser.run(find)).click().perform()
    browser.until("return document.getElementById('drawer').open")


def test_months_quarters_and_years_have_the_same_total(opened: Browser) -> None:
    totals = []
    for span in ("month", "quarter", "year"):
        opened.run(f"document.querySelector('#spans [data-value={span}]').click()")
        totals.append(
            opened.run(
                "return [...document.querySelectorAll('#table td:nth-child(2)')]"
                ".map(cell => parseFloat(cell.textContent) || 0).reduce((a, b) => a + b, 0)"
            )
        )
    assert totals[0] == pytest.approx(totals[1], abs=0.02) == pytest.approx(totals[2], abs=0.02)
    assert opened.complaints() == []


def test_a_click_on_a_point_opens_the_articles_behind_it(opened: Browser) -> None:
    for code in set(pressed(opened)) - {"IRQ"}:
        click_chip(opened, code)
    click_point(opened, "Iraq")
    assert opened.run("return document.getElementById('drawer-h').textContent").startswith("Iraq, 199")
    assert opened.run("return document.querySelectorAll('#drawer-list summary').length") >= 1


def test_article_behind_a_figure_shows_sentences_and_reasons(opened: Browser) -> None:
    opened.run("document.querySelector('#table button').click()")
    opened.until("return document.getElementById('drawer').open")
    opened.run("document.querySelector('#drawer-list summary').click()")
    opened.until("return document.querySelector('#drawer-list .text')")
    assert opened.run("return document.querySelectorAll('#drawer-list .m.agent').length") >= 1
    assert "counts: " in opened.run("return document.querySelector('#drawer-list .why').textContent")
    assert opened.complaints() == []
    opened.run("document.getElementById('close').click()")
    assert not opened.run("return document.getElementById('drawer').open")


def test_hostile_text_shows_as_text_and_never_runs(opened: Browser) -> None:
    if "IRN" not in pressed(opened):
        click_chip(opened, "IRN")
    texts = []
    for number in range(opened.run("return document.querySelectorAll('#table button').length")):
        opened.run(
            f"document.getElementById('drawer').close(); document.querySelectorAll('#table button')[{number}].click()"
        )
        opened.run("document.querySelectorAll('#drawer-list summary').forEach(summary => summary.click())")
        opened.until(
            "return [...document.querySelectorAll('#drawer-list details')].every(d => d.childElementCount > 1)"
        )
        texts.append(opened.run("return document.getElementById('drawer-list').textContent"))
    assert any(HOSTILE_TITLE in text for text in texts)
    assert any('attacked <script>document.title = "hacked"</script>' in text.replace("agentIRN", "") for text in texts)
    assert opened.run("return document.title") != "hacked"
    assert opened.run("return document.querySelectorAll('img, dialog script').length") == 0
    assert opened.complaints() == []
    assert opened.requests() == []


def test_everything_that_can_be_used_is_reached_by_keyboard(opened: Browser) -> None:
    seen = set()
    for _ in range(60):
        opened.driver.switch_to.active_element.send_keys(Keys.TAB)
        seen.add(
            opened.run(
                "const e = document.activeElement; return e.id || e.dataset.code || e.dataset.value || e.tagName"
            )
        )
    assert {"theme", "IRQ", "month", "exact", "from", "to", "only", "SUMMARY"} <= seen


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_page_fits_phone_and_laptop_in_both_themes(browser: Browser, page: Path, width: int, theme: str) -> None:
    driver = browser.driver
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wanted = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)
    try:
        browser.open(page)
        assert browser.run("return document.documentElement.dataset.theme") == theme
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.run("return document.querySelector('#chart svg').getBoundingClientRect().right <= innerWidth")
        browser.run("document.getElementById('theme').click()")
        assert browser.run("return document.documentElement.dataset.theme") != theme
        assert browser.complaints() == []
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_explanation_page_runs_nothing_and_asks_for_nothing(browser: Browser, run: Run, tmp_path: Path) -> None:
    settings = RunSettings.of(run)
    chunk = next(chunk for chunk, table in run.event_samples() if "hostile/<b>&" in table["doc_id"].to_pylist())
    annotation = run.annotation(chunk, "hostile/<b>&")
    assert annotation is not None
    path = tmp_path / "e.html"
    names = Names(settings.query)
    path.write_text(explanation_page(explain_document(annotation, settings), names), encoding="utf-8")
    browser.driver.get("about:blank")
    browser.complaints()
    browser.requests()
    browser.driver.get(path.as_uri())
    assert HOSTILE_TITLE in browser.run("return document.querySelector('h1').textContent")
    assert browser.run("return document.querySelectorAll('script, img').length") == 0
    assert browser.complaints() == []
    assert browser.requests() == []


def test_who_against_whom(browser: Browser, tmp_path: Path) -> None:
    run = open_run(Warehouse.open(dyad_run(tmp_path)))
    browser.open(written(run, tmp_path / "report.html"))
    assert sorted(pressed(browser)) == ["IRN>IRQ", "IRQ>IRN"]
    cells = "[...document.querySelectorAll('#matrix td button')]"
    assert browser.run(f"return {cells}.some(b => b.title.startsWith('Nobody named → Kuwait: expected 1.0'))")
    browser.run(f"{cells}.find(b => b.title.startsWith('Nobody named → Kuwait')).click()")
    assert pressed(browser) == ["->KWT"]
    browser.run("who.value = 'IRQ'; whom.value = 'IRN'; document.getElementById('both-ways').click()")
    assert pressed(browser) == ["IRQ>IRN", "IRN>IRQ"]
    told = browser.run("return document.getElementById('comparison').textContent")
    assert "Over all of it: Iraq → Iran" in told
    assert browser.complaints() == []


def test_a_query_without_targets_has_no_matrix(opened: Browser) -> None:
    assert opened.run("return document.getElementById('dyads').hidden && document.getElementById('to-dyads').hidden")


def test_the_reader_chooses_among_the_queries_of_one_page(
    browser: Browser, page: Path, run: Run, tmp_path: Path
) -> None:
    dyadic = open_run(Warehouse.open(dyad_run(tmp_path)))
    each = [page_data(read_content(one, RunSettings.of(one)), "w") for one in (run, dyadic)]
    path = tmp_path / "both.html"
    path.write_text(report_page(each, generator="test"), encoding="utf-8")
    browser.open(path)
    heading = "return document.getElementById('heading').textContent"
    assert "attack”" in browser.run(heading)
    assert browser.run("return [...question.options].map(o => o.value)") == ["attack", "attack-dyads"]
    browser.run(
        "document.documentElement.dataset.ready = '';"
        "question.value = 'attack-dyads'; question.dispatchEvent(new Event('change'))"
    )
    browser.until("return document.documentElement.dataset.ready === 'true' && location.search")
    assert "attack-dyads”" in browser.run(heading)
    assert browser.run("return document.querySelectorAll('#matrix td button').length") > 1
    assert browser.run("return [who.value, whom.value].sort().join()") == "IRN,IRQ"
    assert browser.complaints() == []
    assert browser.requests() == []
    browser.open(page)
    assert browser.run("return document.getElementById('choice').hidden")
