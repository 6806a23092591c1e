"""The server: one address on this machine, refusing whoever is not its own page, and keeping what it has confirmed."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from flows.label.desk import Desk
from flows.label.server import LabelServer
from tests.labelling_warehouse import ARTICLES, HOSTILE, small_desk
from workers.labelling import read_labels

WHO = {"coder": "ada", "task": "new", "tab": "t"}
IRAQ = {**WHO, "doc_id": "iraq", "kind": "label", "answer": "IRQ", "seconds": 3.5}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return small_desk(tmp_path)


@pytest.fixture
def server(desk: Desk) -> Iterator[LabelServer]:
    running = LabelServer(desk)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def send(
    server: LabelServer, method: str, path: str, body: object = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request as the page would send it, but for what the headers change; `None` takes one away."""
    host = f"127.0.0.1:{server.server_port}"
    known = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
    sent = {
        name: value for name, value in (known | {n.replace("_", "-"): v for n, v in headers.items()}).items() if value
    }
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    connection.request(method, path, content, sent)
    answer = connection.getresponse()
    found = answer.status, dict(answer.headers), answer.read()
    connection.close()
    return found


def post(server: LabelServer, name: str, body: object, **headers: str) -> tuple[int, Any]:
    status, _, content = send(server, "POST", f"/{server.token}/{name}", body, **headers)
    return status, json.loads(content)


def test_it_listens_on_this_machine_alone_and_its_address_has_a_token(server: LabelServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", server.address)


def test_tokens_differ(desk: Desk, server: LabelServer) -> None:
    other = LabelServer(desk)
    other.server_close()
    assert other.token != server.token


def test_page_allows_its_own_scripts_and_its_own_server_only(server: LabelServer) -> None:
    status, headers, content = send(server, "GET", f"/{server.token}/")
    rules = headers["Content-Security-Policy"]
    assert status == 200
    assert "default-src 'none'" in rules
    assert re.search(r"script-src 'sha256-[^;]+';", rules)
    assert "connect-src 'self'" in rules
    assert "frame-ancestors 'none'" in rules
    assert "unsafe" not in rules
    assert "http" not in re.sub(r"http://www\.w3\.org\S*", "", content.decode().split('id="data"')[0])
    assert (headers["Referrer-Policy"], headers["Cache-Control"]) == ("no-referrer", "no-store")


@pytest.mark.parametrize(
    "path", ["/", "/wrong/", "/wrong/turn", "/{token}x/", "/{token}/../etc/passwd", "/{token}/turn"]
)
def test_other_addresses_show_nothing(server: LabelServer, path: str) -> None:
    status, _, content = send(server, "GET", path.replace("{token}", server.token))
    assert status == 404
    assert b"Iraq" not in content
    assert server.token.encode() not in content


@pytest.mark.parametrize(("headers", "status"), [
    ({"Host": "evil.example"}, 403), ({"Host": "127.0.0.1.evil.example:80"}, 403),
    ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Origin": ""}, 403),
    ({"Content_Type": "text/plain"}, 415), ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
])  # fmt: skip
def test_requests_of_other_pages_are_refused(
    desk: Desk, server: LabelServer, headers: dict[str, str], status: int
) -> None:
    assert post(server, "answer", IRAQ, **headers)[0] == status
    assert desk.log().labels == ()


def test_a_tunnel_with_another_port_works(server: LabelServer) -> None:
    assert post(server, "turn", WHO, Host="localhost:9000", Origin="http://localhost:9000")[0] == 200


def test_an_answer_is_on_the_disk_when_it_is_confirmed(desk: Desk, server: LabelServer) -> None:
    status, turn = post(server, "answer", IRAQ)
    assert status == 200
    assert (turn["saved"], turn["article"]["id"]) == ("iraq", "none")
    [line] = Path(desk._warehouse.path(desk.frame.folder.labels)).read_text().splitlines()
    assert json.loads(line).items() >= {"doc_id": "iraq", "answer": "IRQ", "coder": "ada", "seconds": 3.5}.items()


def test_undo_gives_the_answer_back(server: LabelServer) -> None:
    post(server, "answer", IRAQ)
    _, turn = post(server, "undo", WHO)
    assert (turn["undone"]["answer"], turn["article"]["id"]) == ("IRQ", "iraq")
    assert post(server, "undo", WHO)[1]["undone"] is None


@pytest.mark.parametrize(("changes", "sentence"), [
    ({"answer": "XXX"}, "'XXX' is no code"), ({"coder": "  "}, "say who you are"), ({"task": "other"}, "task must be"),
    ({"kind": "undo"}, "kind must be"),
    ({"doc_id": "nowhere"}, "is no article that frame"), ({"seconds": -1}, "seconds"),
    ({"seconds": "x"}, "seconds"), ({"coder": 3}, "coder must be text"), ({"reason": "x" * 501}, "reason must be text"),
    ({"coder": "x" * 81}, "at most 80"), ({"seconds": float("nan")}, "seconds"), ({"seconds": True}, "seconds"),
])  # fmt: skip
def test_a_wrong_answer_is_one_sentence_and_no_line(
    desk: Desk, server: LabelServer, changes: dict[str, Any], sentence: str
) -> None:
    status, answer = post(server, "answer", IRAQ | changes)
    assert status == 422
    assert sentence in answer["error"]
    assert desk.log().labels == ()


@pytest.mark.parametrize(("body", "headers", "status"), [
    (b"{", {}, 422), (b"[]", {}, 400), (b"\xff\xfe", {}, 422), (b"{}", {"Content_Length": "x"}, 413),
    (b"{}", {"Content_Length": "99999999"}, 413), (b"{}", {"Content_Length": "-1"}, 413),
])  # fmt: skip
def test_a_damaged_request_is_refused_and_the_server_goes_on(
    server: LabelServer, body: bytes, headers: dict[str, str], status: int
) -> None:
    assert post(server, "turn", body, **headers)[0] == status
    assert post(server, "turn", WHO)[0] == 200


def test_a_name_that_cannot_be_written_is_made_writable(desk: Desk, server: LabelServer) -> None:
    body = json.dumps(IRAQ | {"coder": "a\ud800\n{}"}).encode()
    assert post(server, "answer", body)[0] == 200
    assert desk.log().broken == ()


def test_hostile_text_reaches_the_page_as_data(server: LabelServer) -> None:
    for doc_id in ("iraq", "none", "both"):
        _, turn = post(server, "answer", IRAQ | {"doc_id": doc_id, "answer": "none"})
    shown = "".join(text for text, _, _ in turn["article"]["title"])
    assert re.sub(r"\s", "", shown) == re.sub(r"\s", "", HOSTILE)
    assert b"<script>document.title" not in send(server, "GET", f"/{server.token}/")[2]


def test_many_requests_at_once_leave_whole_lines(desk: Desk, server: LabelServer) -> None:
    ids = [doc_id for doc_id, _, _ in ARTICLES] * 6
    with ThreadPoolExecutor(12) as pool:
        bodies = [IRAQ | {"doc_id": doc_id, "coder": f"coder {n % 6}"} for n, doc_id in enumerate(ids)]
        assert set(pool.map(lambda body: post(server, "answer", body)[0], bodies)) == {200}
    log = read_labels(desk._warehouse, desk.frame)
    assert (len(log.labels), log.broken) == (len(ids), ())


def test_a_client_that_says_nothing_does_not_block_others(server: LabelServer) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port)) as idle:
        idle.sendall(b"POST /x HTTP/1.1\r\n")
        assert post(server, "turn", WHO)[0] == 200


COMMAND = (sys.executable, "-m", "flows", "label")


def started(place: str) -> tuple[subprocess.Popen[str], str, int]:
    """The command as a user runs it; its token and port."""
    running = subprocess.Popen(
        [*COMMAND, place], stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    )
    assert running.stdout is not None
    for line in running.stdout:
        if found := re.search(r"http://127\.0\.0\.1:(\d+)/([\w-]+)/", line):
            return running, found[2], int(found[1])
    raise AssertionError("no address")


def test_a_killed_server_has_lost_no_confirmed_answer(desk: Desk) -> None:
    """Killed at random moments under load: what was confirmed is in the log, and no line is broken."""
    confirmed: set[tuple[str, str]] = set()
    for kill in range(3):
        running, token, port = started(desk._warehouse.root)
        host = f"127.0.0.1:{port}"
        headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection(host, timeout=20)
        killer = threading.Timer(0.15 + 0.1 * kill, lambda process=running: process.send_signal(signal.SIGKILL))
        killer.start()
        try:
            for number in range(10_000):
                said = IRAQ | {"doc_id": ARTICLES[number % len(ARTICLES)][0], "coder": f"{kill}-{number}"}
                connection.request("POST", f"/{token}/answer", json.dumps(said), headers)
                if connection.getresponse().read():
                    confirmed.add((said["doc_id"], said["coder"]))
        except (http.client.HTTPException, OSError):
            pass
        finally:
            connection.close()
        killer.join()
        assert running.wait(20) == -signal.SIGKILL
        assert running.stdout is not None
        running.stdout.close()
    log = read_labels(desk._warehouse, desk.frame)
    assert confirmed
    assert confirmed <= {(label.doc_id, label.coder) for label in log.labels}
    assert log.broken == ()


def test_the_command_ends_by_ctrl_c_with_a_word_on_what_was_done(desk: Desk) -> None:
    running, _, _ = started(desk._warehouse.root)
    running.send_signal(signal.SIGINT)
    rest, _ = running.communicate(timeout=60)
    assert running.returncode == 0
    assert f"0 of {len(ARTICLES)} articles answered" in rest
