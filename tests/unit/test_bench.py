"""The benchmarks of ourselves measure tasks that exist."""

from pathlib import Path

from benchmark.commands import bench_edit, bench_suite
from benchmark.craft.rubric import read_rubric
from benchmark.edit.package import read_package
from benchmark.tasks import find_tasks


def test_the_suite_is_measured_on_copies_of_the_games(tmp_path: Path) -> None:
    count = bench_suite._lay_out(tmp_path, 2)
    copies = list(find_tasks((tmp_path,)))
    assert len(copies) == count == 2 * sum(task.track == "craft" for task in find_tasks())
    for task in copies:
        assert read_rubric(task.folder).requirements


def test_hidden_tests_are_measured_on_copies_of_the_changes(tmp_path: Path) -> None:
    bench_edit._own_tasks(tmp_path, 12)
    copies = list(find_tasks((tmp_path / "tasks",)))
    assert len(copies) == 12
    assert {task.track for task in copies} == {"edit"}
    for task in copies:
        assert "bench.svg" in {path.name for path in (task.folder / "start").iterdir()}
        assert read_package(task).test.source
