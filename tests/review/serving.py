"""The review server within the test's own process, and a client that speaks plain HTTP to it."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmark.craft.review.address import new_address
from benchmark.craft.review.ledger import Ledger
from benchmark.craft.review.routes import Routes
from benchmark.craft.review.web import Application, Response, ReviewServer
from benchmark.results.store import RunStore
from tests.review.sample_run import AGENTS, TASKS


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> str:
        return str(json.loads(self.body)["error"])


@dataclass(frozen=True)
class Client:
    """Speaks plain HTTP, so that it can also misbehave."""

    server: ReviewServer
    routes: Routes
    store: RunStore

    @property
    def root(self) -> str:
        return f"/{self.server.token.decode()}/"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    def ask(self, method: str, target: str, body: bytes | None = None, **headers: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        for name, value in ({"Host": self.host} | given).items():
            if value:
                connection.putheader(name, value)
        if body is not None and "Content-Length" not in given:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        reply = Reply(answer.status, dict(answer.getheaders()), answer.read())
        connection.close()
        return reply

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", self.root + path, None, **headers)

    def post(self, path: str, data: object, **headers: str) -> Reply:
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        own = {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        return self.ask("POST", self.root + path, body, **{**own, **headers})

    def key(self, agent: str = AGENTS[0]) -> str:
        return next(case.key for case in self.routes.queue.cases if case.record.agent == agent)

    def mark(self, **changes: object) -> dict[str, object]:
        return {"trial": self.key(), "item": "M1", "score": 0.5, "note": "", **changes}

    @property
    def written(self) -> list[str]:
        folder = Ledger(self.store.folder).folder
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@contextmanager
def serving(
    store: RunStore,
    *,
    blind: bool = False,
    reviewer: str | None = None,
    overheard: Callable[[str, Response], None] = lambda path, answer: None,
) -> Iterator[Client]:
    """`overheard` gets every answer before it is sent. The server ends with the block, however the test does."""
    address = new_address()
    routes = Routes(store, address.token, [TASKS], blind=blind, reviewer=reviewer)

    def noted(path: str, answer: Response) -> Response:
        overheard(path, answer)
        return answer

    application = Application(
        lambda path: noted(path, routes.get(path)), lambda path, data: noted(path, routes.post(path, data))
    )
    with ReviewServer(address, application) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield Client(server, routes, store)
        finally:
            server.shutdown()
            thread.join(10)
