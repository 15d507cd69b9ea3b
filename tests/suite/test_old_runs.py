"""A run that was recorded before tracks had records of their own, in all four views.

`tests/runs/before_tracks/run` was made by commit bfdd5f5 with `--agent oracle --agent nop --attempts 2`; recordings and
submissions were taken out. `views` holds what that commit itself showed of it: the CSV tables and `summary.json`, the
words of each HTML page, the table in the terminal, and of the results in Allure the names, labels and steps, without
those of recordings.
"""

import csv
import html
import json
import re
import shutil
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest

from benchmark.progress import Progress
from benchmark.results.report.build import build_report
from benchmark.results.store import RunStore
from tests.suite.conftest import REPOSITORY, RunSuite

OLD = REPOSITORY / "tests/runs/before_tracks"
VIEWS = OLD / "views"
TASKS = ("comet-harvest", "snowbound-courier", "gem-pickup", "gem-pickup-slow")
# Where BUILD is 0, records of that time do not say which half of it failed: 0 was a guess.
UNKNOWN_BY_NOW = {"valid_trace_rate"}
NOT_OF_THE_SUITE = {"host", "thread", "suite", "parentSuite", "subSuite", "package", "framework", "language"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "old"
    shutil.copytree(OLD / "run", folder)
    return folder


@pytest.fixture(scope="module")
def report(run: Path) -> Path:
    return build_report(RunStore(run), run / "report", Progress(quiet=True)).parent


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def words(page: Path) -> list[str]:
    text = re.sub(r"(?s)<style.*?</style>|<script.*?</script>", "", page.read_text(encoding="utf-8"))
    return html.unescape(re.sub(r"<[^>]+>", "\n", text)).split()


@pytest.mark.parametrize("view", sorted((VIEWS / "tables").glob("*.csv")), ids=lambda path: path.stem)
def test_every_cell_of_its_tables_is_as_it_was(view: Path, report: Path) -> None:
    then, now = rows(view), rows(report / "tables" / view.name)
    assert then
    kept = [{name: row[name] for name in old} for row, old in zip(now, then, strict=True)]
    for row, old in zip(kept, then, strict=True):
        differing = {name for name in old if row[name] != old[name]}
        assert differing <= UNKNOWN_BY_NOW, (row, old)
        assert all(row[name] == "" for name in differing)


def test_its_summary_is_as_it_was(report: Path) -> None:
    then, now = (json.loads((folder / "summary.json").read_text(encoding="utf-8")) for folder in (VIEWS, report))
    assert lost(then, now) == []


def lost(then: Any, now: Any, where: str = "") -> list[str]:
    """Places at which something is missing or another; what came in addition does not count."""
    if isinstance(then, dict) and isinstance(now, dict):
        return [place for key, value in then.items() for place in lost(value, now.get(key), f"{where}.{key}")]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [
            place
            for index, pair in enumerate(zip(then, now, strict=True))
            for place in lost(*pair, f"{where}[{index}]")
        ]
    unknown = where.rpartition(".")[2] in UNKNOWN_BY_NOW and now is None
    return [] if then == now or unknown else [f"{where}: {then!r} → {now!r}"]


@pytest.mark.parametrize("view", sorted((VIEWS / "pages").glob("*.txt")), ids=lambda path: path.stem)
def test_every_word_of_its_pages_is_as_it_was(view: Path, report: Path) -> None:
    folder = report if view.stem == "index" else report / "trials"
    then, now = view.read_text(encoding="utf-8").split(), words(folder / f"{view.stem}.html")
    edits = SequenceMatcher(None, then, now, autojunk=False).get_opcodes()
    gone = [" ".join(then[at:end]) for kind, at, end, *_ in edits if kind in ("replace", "delete")]
    assert gone == (["0.00"] if view.stem == "index" else [])  # the share of valid traces that nobody knows


def test_it_is_told_again_as_it_was(suite: RunSuite, pytester: pytest.Pytester) -> None:
    shutil.copytree(OLD / "run", pytester.path / "reports/old")
    result = suite(
        f"--tasks={REPOSITORY / 'tasks'}", "-k", " or ".join(f"({name} and not tiny)" for name in TASKS),
        "--agent", "oracle", "--agent", "nop", "--attempts", "2", "--run", "old", "--keep-old", "--alluredir", "allure",
    )  # fmt: skip
    said = result.stdout.str()
    assert (VIEWS / "terminal.txt").read_text(encoding="utf-8") in said
    shown = {}
    for path in (pytester.path / "allure").glob("*-result.json"):
        one = json.loads(path.read_text(encoding="utf-8"))
        labels = sorted(
            [label["name"], label["value"]] for label in one["labels"] if label["name"] not in NOT_OF_THE_SUITE
        )
        steps = [[step["name"], step["status"]] for step in one["steps"]]
        shown[one["name"]] = {"status": one["status"], "labels": labels, "steps": steps}
    assert shown == json.loads((VIEWS / "allure.json").read_text(encoding="utf-8"))
    assert (
        RunStore(pytester.path / "reports/old").folder.joinpath("trials.jsonl").read_bytes()
        == (OLD / "run/trials.jsonl").read_bytes()
    )
