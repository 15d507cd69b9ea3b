"""A run for every test, to be judged and damaged."""

import shutil
from pathlib import Path

import pytest

from benchmark.results.store import RunStore
from tests.review.sample_run import write_run


@pytest.fixture(scope="session")
def _sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("sample") / "run").folder


@pytest.fixture
def store(_sample: Path, tmp_path: Path) -> RunStore:
    """Named like an agent: blind, this name is hidden too."""
    return RunStore(shutil.copytree(_sample, tmp_path / "zebrafish-nightly"))
