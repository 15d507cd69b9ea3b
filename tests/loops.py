"""Coroutines in tests: in a thread of their own, because Playwright may have left a running loop in the main one."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

import anyio


def run_async(session: Callable[[], Awaitable[None]]) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(anyio.run, session).result()
