"""Coroutines in tests: in a thread of their own, because Playwright may have left a running loop in the main one."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio

Said = TypeVar("Said")


def run_async(session: Callable[[], Awaitable[Said]]) -> Said:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, session).result()
