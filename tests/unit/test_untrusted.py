"""No bytes in a file that an agent, a game or a stranger controls raise out of a reader, and none is waited for."""

import errno
import json
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from benchmark.agents.command import _cost
from benchmark.authoring import check_package
from benchmark.craft.rubric import RubricError, read_rubric_file
from benchmark.edit.changes import changes
from benchmark.projects import settings as project_settings
from benchmark.projects.editor import NotPlainError
from benchmark.projects.ids import read_ids
from benchmark.projects.indexes import read_indexes
from benchmark.projects.project import NOTE, PROJECT_FILE, copy_project, scan_project
from benchmark.projects.runlog import parse_log
from benchmark.projects.submission import take_submission
from benchmark.replay.build_gate import _parsed, _structure
from benchmark.replay.trace_reader import read_bytes, take_trace
from benchmark.results.report.damaged import head, json_lines, parsed, tail
from benchmark.tasks import TaskError, read_toml, survey_tasks
from benchmark.untrusted import (
    UnreadableFileError,
    open_regular,
    parse_json,
    parse_toml,
    read_head,
    read_json,
    read_text,
    read_utf8,
)
from fixtures.attacks import Saw

LIMIT = 1 << 16
WORDS = (
    '{"cost_usd":', "1e999", "²", "NaN", '"\\ud800"', "[" * 70, "[" * 3000, "]", "}", '{"a":', "9" * 5000, "\ufeff",
    "\0", '"events"', '"frame"', '"type"', '"key_press"', "duration_frames", '"""', "'''", "a.", "[[", "=", "\\",
    "\n", "\r",
    "[gd_scene", "format=3", 'uid="uid://', "uid://", "RSRC", "[remap]", "[params]", "valid=false", "importer=",
    "class_name ", "extends ", "@tool", "@icon(", ")", "config_version=", "run/main_scene=", "res://",
    "ERROR: x\n   at: f (res://a.gd:", "9)",
)  # fmt: skip
NASTY = st.binary(max_size=300) | st.lists(st.sampled_from(WORDS), max_size=12).map(
    lambda words: "".join(words).encode("utf-8", "surrogatepass")
)
FILES = (
    PROJECT_FILE, "a.gd", "a.gd.uid", "b.tscn", "c.res", "d.png", "d.png.import", "e.tres", "f.json", NOTE,
)  # fmt: skip
QUICK = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
TRACE = (
    '{"events": 5, "events": [{"type": "bogus"}]}', '{"scenario": [[1]], "duration_frames": 3}',
    '{"duration_frames": "²", "events": [{"type": "key_press", "frame": 1e308, "keycode": [], "a": {"b": NaN}}]}',
)  # fmt: skip


def submit(work: Path, files: dict[str, bytes]) -> Path:
    """A project with these files in it, taken over the way a submission is."""
    game, target = work / "game", work / "submission"
    for folder in (game, target):
        if folder.exists():
            for path in sorted(folder.rglob("*"), reverse=True):
                path.rmdir() if path.is_dir() else path.unlink()
            folder.rmdir()
    for name, data in files.items():
        (game / name).parent.mkdir(parents=True, exist_ok=True)
        (game / name).write_bytes(data)
    take_submission(game, target)
    return target


@pytest.mark.attack("any bytes in a project: settings, scenes, scripts, ids, import notes", "findings, no exception")
@QUICK
@given(st.fixed_dictionaries(dict.fromkeys(FILES, NASTY)))
def test_a_project_of_any_bytes_is_read(tmp_path: Path, files: dict[str, bytes]) -> None:
    project = scan_project(submit(tmp_path, files))
    assert project.problem is None
    assert list(_structure(project)) is not None
    for read in (read_ids, read_indexes):
        with _maybe_not_plain():
            read(project.folder, project.files)
    copy = tmp_path / f"copy-{time.monotonic_ns()}"
    copy_project(project, copy)
    again = project_settings.entries((copy / PROJECT_FILE).read_text("utf-8", "surrogateescape"))
    assert not [one for one in again if one.path.startswith("autoload_prepend/")]
    changes(project.folder, tmp_path / "nothing")
    changes(tmp_path / "nothing", project.folder).encode("utf-8")


class _maybe_not_plain:  # noqa: N801
    """What is not plain is left to the editor."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, _: object) -> bool:
        return isinstance(error, NotPlainError)


@pytest.mark.attack("any bytes in a demo", "the demo's own problem, no exception")
@QUICK
@given(NASTY)
@example(TRACE[0].encode())
@example(TRACE[1].replace("[[1]]", "[" * 900 + "]" * 900).encode())
@example(TRACE[2].encode())
def test_a_trace_of_any_bytes_is_read(data: bytes) -> None:
    reading = read_bytes(data, "demo_outputs/01.json")
    assert (reading.trace is None) == (reading.problem is not None)
    assert all(str(fault).isprintable() for fault in reading.faults)


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["key_press", "A", "-1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
EVENT = st.dictionaries(st.sampled_from(["type", "frame", "x", "y", "keycode", "button", "odd"]), VALUE) | VALUE
DOCUMENT = st.dictionaries(
    st.sampled_from(["scenario", "duration_frames", "events", "odd"]), VALUE | st.lists(EVENT, max_size=4)
)


@QUICK
@given(DOCUMENT)
def test_a_trace_of_any_values_is_read(document: dict[str, Any]) -> None:
    reading = read_bytes(json.dumps(document).encode(), "x.json")
    assert (reading.trace is None) == (reading.problem is not None)


@pytest.mark.attack("any bytes in what the engine prints", "messages, no exception")
@QUICK
@given(NASTY)
@example(b"ERROR: x\n   at: f (res://a.gd:" + b"9" * 5000 + b")\n")
def test_a_log_of_any_bytes_is_read(data: bytes) -> None:
    parse_log(data.decode("utf-8", "replace"))
    _parsed(data.decode("utf-8", "replace"))


@pytest.mark.attack("any bytes in usage.json", "an unknown cost")
@QUICK
@given(NASTY)
@example(b'{"cost_usd": ' + b"[" * 100_000)
@example(b"[1]")
def test_a_cost_of_any_bytes_is_a_sane_number(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "usage.json").write_bytes(data)
    assert 0 <= _cost(tmp_path / "usage.json") < 1e6


@pytest.mark.attack("any bytes in a package's TOML and JSON", "a TaskError that names the file")
@QUICK
@given(NASTY)
def test_a_package_of_any_bytes_is_broken_or_good(tmp_path: Path, data: bytes) -> None:
    folder = tmp_path / "craft/puzzle/odd"
    for name in ("task.toml", "tests/rubric.json", "instruction.md", "solution/art.toml", "tests/audit.toml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    found = survey_tasks([tmp_path])
    assert len(found.tasks) + len(found.broken) == 1
    assert all(str(folder) in error.message for error in found.broken)
    assert check_package(folder)
    for read in (read_toml, read_rubric_file):
        try:
            read(folder / "task.toml")
        except (TaskError, RubricError) as error:
            assert "task.toml" in error.message


@pytest.mark.attack("any bytes in the files that a report shows", "what can be read of them")
@QUICK
@given(NASTY)
def test_a_report_reads_any_bytes(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "x"
    file.write_bytes(data)
    assert isinstance(tail(file, 10), str)
    assert isinstance(head(file, 10), tuple)
    parsed(file)
    list(json_lines(file))


READERS: dict[str, Callable[[Path], object]] = {
    "open_regular": open_regular,
    "read_text": lambda path: read_text(path, LIMIT),
    "read_utf8": lambda path: read_utf8(path, LIMIT),
    "read_json": lambda path: read_json(path, LIMIT),
    "read_head": lambda path: read_head(path, 10),
}
TOTAL: dict[str, Callable[[Path], object]] = {
    "usage.json": _cost, "a demo": take_trace, "a log's end": lambda path: tail(path, 3),
    "a text's beginning": lambda path: head(path, 3), "JSON of a report": parsed,
    "JSON lines": lambda path: list(json_lines(path)),
}  # fmt: skip


def special(kind: str, place: Path) -> Path:
    """A thing that is not a file, at a place of its own."""
    path = place / "thing"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link to /dev/zero":
        path.symlink_to("/dev/zero")
    elif kind == "link to /proc":
        path.symlink_to("/proc/self/environ")
    elif kind == "dangling link":
        path.symlink_to(place / "nowhere")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(path))
    elif kind == "long name":
        path = place / ("x" * 300)
    elif kind == "long path":
        path = Path(str(place) + "/x" * 4000)
    elif kind == "zero byte":
        path = place / "a\0b"
    elif kind == "half a pair":
        path = place / "\ud800"
    return path


KINDS = (
    "fifo", "folder", "link to /dev/zero", "link to /proc", "dangling link", "loop", "socket", "nothing", "long name",
    "long path", "zero byte", "half a pair",
)  # fmt: skip


@pytest.mark.attack("{kind} where a file is read", "refused at once, nothing is followed or waited for")
@pytest.mark.parametrize("kind", KINDS)
def test_only_regular_files_are_read(tmp_path: Path, kind: str, saw: Saw) -> None:
    path = special(kind, tmp_path)
    began = time.monotonic()
    said = set()
    for read in READERS.values():
        with pytest.raises(UnreadableFileError) as caught:
            read(path)
        said.add(str(caught.value))
    for total in TOTAL.values():
        total(path)
    assert time.monotonic() - began < 30  # nobody waits for the other end of a pipe
    saw("; ".join(sorted(said)))


def test_a_device_is_not_read() -> None:
    for device in ("/dev/zero", "/dev/tty", "/dev/null"):
        with pytest.raises(UnreadableFileError):
            read_text(device, LIMIT)


@pytest.mark.attack("a file of 1 TiB that takes no space", "refused by its size, before a byte is read")
def test_a_file_is_measured_before_it_is_read(tmp_path: Path, saw: Saw) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as handle:
        handle.truncate(1 << 40)
    began = time.monotonic()
    with pytest.raises(UnreadableFileError, match="is larger than 64 KiB") as caught:
        read_json(path, LIMIT)
    for total in TOTAL.values():
        total(path)
    assert time.monotonic() - began < 30
    saw(caught.value)


@pytest.mark.parametrize("code", [errno.EIO, errno.EMFILE, errno.ENOMEM, errno.ENOSPC])
def test_what_is_wrong_with_this_machine_is_no_fault_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def fail(*_: object, **__: object) -> int:
        raise OSError(code, os.strerror(code))

    (tmp_path / "x").write_bytes(b"{}")
    monkeypatch.setattr("benchmark.untrusted.os.open", fail)
    for read in (*READERS.values(), _cost, take_trace):
        with pytest.raises(OSError):
            read(tmp_path / "x")


@QUICK
@given(NASTY)
def test_json_and_toml_of_any_bytes_raise_one_exception(data: bytes) -> None:
    for parse in (parse_json, lambda raw: parse_toml(raw.decode("utf-8", "replace"))):
        try:
            parse(data)
        except UnreadableFileError as error:
            assert str(error)


@pytest.mark.attack("JSON and TOML nested a thousand levels deep, by brackets and by dots", "refused, in a moment")
@pytest.mark.parametrize(
    "text",
    ["a = " + "[" * 1000, "a = " + "{a = " * 1000, "a." * 1000 + "b = 1", "[" + "'a'." * 1000 + "a]", "a." * 130_000],
)  # fmt: skip
def test_nesting_ends(text: str, saw: Saw) -> None:
    began = time.process_time()
    with pytest.raises(UnreadableFileError) as caught:
        parse_toml(text)
    for value in ("[" * 1000, "[" * 1000 + "]" * 1000, '{"a":' * 65 + "1" + "}" * 65):
        with pytest.raises(UnreadableFileError, match="nested deeper"):
            parse_json(value)
    assert time.process_time() - began < 5
    saw(caught.value)


@pytest.mark.attack("project.godot, scripts and ids of a megabyte of the worst kind", "read in seconds")
@pytest.mark.parametrize(
    "name", ["one key", "settings that are cut", "open brackets", "blank lines", "annotations", "an id"]
)
def test_the_worst_text_takes_no_quadratic_time(tmp_path: Path, name: str) -> None:
    size = (1 << 20) - 100
    text = {
        "one key": "a" * size,
        "settings that are cut": "[application]\n" + "run/max_fps=1\n" * (size // 14),
        "open brackets": "a=" + "[" * size,
        "blank lines": "\n" * size + "class_name A",
        "annotations": "@tool\n" * (size // 6),
        "an id": 'uid="uid://' + "8" * (size - 20) + '"',
    }[name]
    files = {
        PROJECT_FILE: text,
        "a.gd": text,
        "b.png": "x",
        "b.png.import": text,
        "a.gd.uid": text.removeprefix('uid="'),
    }
    began = time.process_time()  # ours alone: a crowded machine is slow at everything
    project = scan_project(submit(tmp_path, {key: value.encode() for key, value in files.items()}))
    list(_structure(project))
    with _maybe_not_plain():
        read_indexes(project.folder, project.files)
    copy_project(project, tmp_path / "copy")
    assert time.process_time() - began < 20
