"""One stepped browser for the tests of this folder, and pages made of a few lines."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchmark.runtime.browser import Browser
from benchmark.runtime.stepped.browser import SteppedBrowser
from benchmark.runtime.stepped.page import SteppedPage
from benchmark.runtime.stepped.site import Site

OpenPage = Callable[..., SteppedPage]


@pytest.fixture(scope="session")
def stepped(browser_program: Browser) -> Iterator[SteppedBrowser]:
    with SteppedBrowser(browser_program) as running:
        yield running


@pytest.fixture
def open_page(stepped: SteppedBrowser, tmp_path: Path) -> Iterator[OpenPage]:
    """`open_page(script)` opens a page that holds this script; further files of the site by name."""
    with ExitStack() as stack:

        def open_one(script: str, html: str = "", entry: str = "/index.html", **more: object) -> SteppedPage:
            files = more.pop("files", {})
            assert isinstance(files, dict)
            folder = tmp_path / f"site-{len(list(tmp_path.iterdir()))}"
            folder.mkdir()
            page = f"<!doctype html><meta charset=utf-8><body>{html}<script>{script}</script>"
            for name, content in {"index.html": page, **files}.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                data = content if isinstance(content, bytes) else content.encode()
                (folder / name).write_bytes(data)
            opened = stepped.open(Site({"/": folder}, entry), seed=int(str(more.get("seed", 1))))
            return stack.enter_context(opened)

        yield open_one
