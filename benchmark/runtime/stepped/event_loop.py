"""Playwright on a thread of its own: callers may be in any thread or event loop, and nothing waits without an end."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Value = TypeVar("Value")
_STOP_SEC = 10.0


class EventLoopThread:
    """An event loop that other threads hand their work to."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()

    def run(self, work: Coroutine[Any, Any, Value], limit_sec: float) -> Value:
        """Its result; TimeoutError when the limit is over, and then the work is cancelled."""
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, limit_sec), self.loop).result()

    def stop(self) -> None:
        """End the loop with whatever is still going on in it."""

        async def cancel_rest() -> None:
            rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(cancel_rest(), self.loop).result(_STOP_SEC)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(_STOP_SEC)
        self.loop.close()
