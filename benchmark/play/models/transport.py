"""The way out for the clients of all providers: their requests through our own exchange.

The clients follow redirects, time each read instead of the whole answer, and read without end. Beneath them lies
`judges/exchange.py`, which does none of that. The answer is kept as checked JSON, because what the clients make of a
strange one depends on their version.
"""

from typing import Any

import httpx2

from benchmark.judges.endpoint import FaultError, document_of, status_fault
from benchmark.judges.exchange import ExchangeError, NotAnAnswerError, NoTimeLeftError, post
from benchmark.redaction import redact
from benchmark.trials import one_line

# Said anew by the exchange, or of no use: our answers are not packed and keep no cookies.
_OURS = {"host", "connection", "content-length", "accept-encoding", "transfer-encoding", "cookie"}
_NOT_OURS = {"content-encoding", "content-length", "transfer-encoding", "set-cookie"}


class BoundedTransport(httpx2.BaseTransport):
    """Holds the fault or the document of the last request."""

    def __init__(self, address: str, variable: str) -> None:
        self._address = address
        self._variable = variable
        self.seconds = 0.0
        self.fault: FaultError | None = None
        self.document: dict[str, Any] | None = None

    def begin(self, seconds: float) -> None:
        """Before a request: how long it may take."""
        self.seconds, self.fault, self.document = seconds, None, None

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OURS}
        try:
            answer = post(str(request.url), headers, request.read(), self.seconds)
        except NoTimeLeftError as error:
            self.fault = FaultError("timeout", str(error))
            raise httpx2.ReadTimeout(str(error), request=request) from error
        except NotAnAnswerError as error:
            self._fail(FaultError("malformed", str(error)), request)
        except ExchangeError as error:
            self._fail(FaultError("connection", one_line(redact(str(error)), 300)), request)
        if not 200 <= answer.status < 300:
            self.fault = status_fault(answer, self._address, self._variable)
        else:
            self.document = document_of(answer.body)
            if self.document is None:
                self._fail(FaultError("malformed", "the answer is not one JSON object with each key once"), request)
        kept = {name: value for name, value in answer.headers.items() if name not in _NOT_OURS}
        return httpx2.Response(answer.status, headers=kept, content=answer.body, request=request)

    def _fail(self, fault: FaultError, request: httpx2.Request) -> None:
        self.fault = fault
        raise httpx2.RemoteProtocolError(fault.message, request=request) from fault

    def outcome(self, error: Exception | None) -> dict[str, Any]:
        """What came back; `error` is what the client made of it, if it raised. Raises FaultError."""
        if self.fault is not None:
            raise self.fault from error
        if self.document is None:
            raise FaultError("request", f"the client sent nothing: {one_line(redact(str(error)), 200)}") from error
        return self.document


def client_over(transport: BoundedTransport) -> httpx2.Client:
    return httpx2.Client(transport=transport, follow_redirects=False, trust_env=False)
