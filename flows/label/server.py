"""The server behind the labelling page: this machine only, one random path, four requests.

Covers: the address, who may ask, reading requests, answering in JSON.
Not here: what is answered (`desk`, `view`), the page (`page`).

It binds to 127.0.0.1. A page of another site that is open in the same browser could still send requests here, so
besides the token in the path each request must name this machine as its host (against rebinding of names), and each
change must come as JSON from a page of this server. The log is on the disk before an answer is confirmed, so that
killing the server at any time loses nothing that the page has shown as saved.
"""

import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from flows.label.desk import TASKS, Desk, Submission
from flows.label.page import labelling_page
from flows.label.view import turn_view
from workers.labelling.labels import LABEL, SKIP

LOCAL = "127.0.0.1"
HOSTS = frozenset({LOCAL, "localhost"})
MAX_BODY, MAX_NAME, MAX_REASON, LONGEST = 65_536, 80, 500, 86_400.0
IDLE_SECONDS = 60
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class RefusedError(Exception):
    """A request that is not answered: a status and one sentence."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(status, sentence)
        self.status, self.sentence = status, sentence


class LabelServer(ThreadingHTTPServer):
    """Serves one desk until it is shut down; requests that hang do not keep it from ending."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, desk: Desk, *, port: int = 0, coder: str = "") -> None:
        self.desk, self.coder, self.token = desk, coder, secrets.token_urlsafe(24)
        super().__init__((LOCAL, port), _Handler)

    @property
    def address(self) -> str:
        """Where the page is, the token included."""
        return f"http://{LOCAL}:{self.server_port}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: LabelServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "credence", ""
    timeout = IDLE_SECONDS

    def do_GET(self) -> None:
        """The page."""
        self._answer(self._page)

    def do_POST(self) -> None:
        """What the page asks for, and what it says."""
        self._answer(self._request)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name is the base class's)
        """Say nothing: the address would be written with its token."""

    def _answer(self, work: Callable[[], None]) -> None:
        try:
            work()
        except RefusedError as refused:
            self.close_connection = True  # what is left of the request was not read
            self._send_json({"error": refused.sentence}, refused.status)
        except ValueError as error:
            self._send_json({"error": str(error)}, HTTPStatus.UNPROCESSABLE_ENTITY)
        except OSError as error:  # StorageError is one: a full or vanished disk
            self._send_json({"error": str(error)}, HTTPStatus.INTERNAL_SERVER_ERROR)

    def _page(self) -> None:
        if self._name() != "":
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is nothing here")
        page = labelling_page(self.server.desk, coder=self.server.coder)
        self._send(page.html.encode("utf-8", "backslashreplace"), "text/html; charset=utf-8", policy=page.policy)

    def _request(self) -> None:
        name, body = self._name(), self._body()
        handlers = {"turn": self._turn, "answer": self._submit, "undo": self._undo}
        if name not in handlers:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is nothing here")
        self._send_json(handlers[name](body))

    def _turn(self, body: Mapping[str, Any]) -> dict[str, Any]:
        coder, task, tab = _who(body)
        return turn_view(self.server.desk, self.server.desk.turn(coder, task, tab), task)

    def _submit(self, body: Mapping[str, Any]) -> dict[str, Any]:
        said = submission(body)
        before = self.server.desk.submit(said)
        earlier = None if before is None else before.answer or before.kind
        return {"saved": said.doc_id, "before": earlier, **self._turn(body)}

    def _undo(self, body: Mapping[str, Any]) -> dict[str, Any]:
        coder, task, tab = _who(body)
        desk = self.server.desk
        taken_back = desk.undo(coder, tab)
        if taken_back is None:
            return {"undone": None, **self._turn(body)}
        turn = desk.turn(coder, task, tab, back_to=taken_back.doc_id)
        undone = {"kind": taken_back.kind, "answer": taken_back.answer, "reason": taken_back.reason}
        return {"undone": undone, **turn_view(desk, turn, task)}

    def _name(self) -> str:
        """What follows the token in the path; everything is refused unless host and token are right."""
        host = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        if host not in HOSTS:
            raise RefusedError(HTTPStatus.FORBIDDEN, "this server answers on this machine only")
        token, _, name = self.path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is nothing here")
        return name

    def _body(self) -> Mapping[str, Any]:
        """The JSON of a request that comes from our own page."""
        if self.headers.get("Origin") != f"http://{self.headers.get('Host')}":
            raise RefusedError(HTTPStatus.FORBIDDEN, "only the labelling page may send this")
        if self.headers.get_content_type() != "application/json":
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a request must be JSON")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > MAX_BODY:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {MAX_BODY} bytes")
        body = json.loads(self.rfile.read(int(length)))
        if not isinstance(body, dict):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "a request must be a JSON object")
        return body

    def _send_json(self, content: Mapping[str, Any], status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(json.dumps(content).encode(), "application/json", status=status)

    def _send(
        self, body: bytes, kind: str, *, status: HTTPStatus = HTTPStatus.OK, policy: str = "default-src 'none'"
    ) -> None:
        self.send_response(status)
        headers = {**HEADERS, "Content-Security-Policy": policy, "Content-Type": kind, "Content-Length": str(len(body))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _who(body: Mapping[str, Any]) -> tuple[str, str, str]:
    coder, task, tab = text(body, "coder", MAX_NAME), text(body, "task", MAX_NAME), text(body, "tab", MAX_NAME)
    if task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}; got {task!r}")
    if not coder:
        raise ValueError("say who you are before you label")
    return coder, task, tab


def submission(body: Mapping[str, Any]) -> Submission:
    """What a coder said, from a request whose every field is checked."""
    coder, task, tab = _who(body)
    kind, seconds = text(body, "kind", MAX_NAME), body.get("seconds")
    if kind not in (LABEL, SKIP):
        raise ValueError(f"kind must be {LABEL} or {SKIP}; got {kind!r}")
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float | None)
        or not 0.0 <= (seconds or 0.0) <= LONGEST
    ):
        raise ValueError(f"seconds must be a number from 0 to {LONGEST:.0f}; got {seconds!r}")
    return Submission(
        doc_id=text(body, "doc_id", MAX_BODY), coder=coder, task=task, tab=tab, kind=kind,
        answer=text(body, "answer", MAX_BODY) if kind == LABEL else "",
        reason=text(body, "reason", MAX_REASON), seconds=seconds,
    )  # fmt: skip


def text(body: Mapping[str, Any], name: str, longest: int) -> str:
    """A field that is text, "" if it is not there; without characters that UTF-8 cannot hold."""
    value = body.get(name, "")
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"{name} must be text of at most {longest} characters")
    return value.encode("utf-8", "replace").decode().strip() if name != "doc_id" else value
