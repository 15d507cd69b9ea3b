"""Build gate: does the project count as built? BUILD is 0 or 1, with reasons a game developer understands."""

import contextlib
import json
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, cast

from benchmark.cache import key_of, place, recalled
from benchmark.files import write_json
from benchmark.limits import MAX_NOTED
from benchmark.projects import held_back, settings
from benchmark.projects.autoloads import autoload_in_the_way
from benchmark.projects.launch import GameStart, HostScript, game_job, no_proc
from benchmark.projects.prepare import PreparedProject, prepare
from benchmark.projects.project import (
    PROJECT_FILE,
    TRACE_FOLDER,
    SubmittedProject,
    scan_project,
)
from benchmark.projects.runlog import EngineMessage, parse_log
from benchmark.replay.trace_reader import load_traces
from benchmark.replay.traces import MAX_TRACES, TraceSet
from benchmark.runtime.machine import Machine
from benchmark.runtime.pipes import told_once
from benchmark.runtime.processes import Finished
from benchmark.runtime.sandbox import Limits
from benchmark.runtime.tokens import cpu_token
from benchmark.runtime.workdir import work_folder
from benchmark.untrusted import UnreadableFileError, parse_json

LAUNCH_LIMITS = Limits(wall_sec=30, cpu_sec=40)
_PROBE = Path(__file__).with_name("godot") / "gate.gd"
_CONFIG_VERSION = 5

Reason = Literal[
    "no-project", "project-too-large", "newer-engine", "autoload-name", "no-main-scene", "main-scene-missing",
    "scene-broken", "script-error", "resource-missing", "resource-broken", "import-failed", "csharp",
    "crash", "hang", "quit", "no-scene", "limit", "no-trace", "trace", "trace-liberty", "left-out", "runtime-error",
    "warning",
]  # fmt: skip


@dataclass(frozen=True)
class BuildFinding:
    """One thing the gate noticed. Only a blocker makes BUILD 0."""

    reason: Reason
    message: str
    where: str = ""
    blocks: bool = True

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


@dataclass(frozen=True)
class BuildReport:
    """BUILD and everything behind it. `traces` are the usable ones; broken ones are findings."""

    findings: tuple[BuildFinding, ...]
    traces: TraceSet
    project: SubmittedProject
    prepared: PreparedProject | None
    log: str = ""

    @property
    def launches(self) -> bool:
        """Whether the game comes up, with or without a demo that could show it."""
        return not any(finding.blocks and finding.reason != "no-trace" for finding in self.findings)

    @property
    def has_trace(self) -> bool:
        return bool(self.traces.traces)

    @property
    def build(self) -> int:
        """The product of both, as in the paper."""
        return int(self.launches and self.has_trace)

    def to_json(self) -> dict[str, object]:
        return {
            "build": self.build,
            "launches": self.launches,
            "has_trace": self.has_trace,
            "findings": [asdict(finding) for finding in self.findings],
            "project_digest": self.project.digest,
            "traces": [trace.name for trace in self.traces.traces],
        }


def check_build(
    folder: Path, machine: Machine, max_demos: int = MAX_TRACES, *, anew: Path | None = None, remember: bool = True
) -> BuildReport:
    """Structure, import, launch, traces. Raises only for failures of the harness.

    `anew` is a folder in which the import is made past the cache; the game is launched again then, too.
    `remember`: keep what the launch gave for whoever asks next. Not where an agent asks: it could try until a game that
    starts now and then has started once.
    """
    project = scan_project(folder)
    traces = load_traces(folder, max_demos)
    findings = list(_structure(project))
    prepared: PreparedProject | None = None
    log = ""
    if not any(finding.blocks for finding in findings):
        prepared = prepare(project, machine, anew)
        findings += _import_findings(prepared, project)
        if not any(finding.blocks for finding in findings):
            launch_findings, log = _launch_once(prepared, project, machine, fresh=anew is not None, remember=remember)
            findings += launch_findings
    findings += _trace_findings(traces)
    return BuildReport(
        findings=tuple(_not_too_many(findings)), traces=traces, project=project, prepared=prepared, log=log
    )


def _not_too_many(findings: Iterable[BuildFinding]) -> Iterator[BuildFinding]:
    """Each once, and of each kind the first ones: a project may give reason for a hundred thousand."""
    told: Counter[str] = Counter()
    for finding in dict.fromkeys(findings):
        told[finding.reason] += 1
        if told[finding.reason] <= MAX_NOTED:
            yield finding
    for reason, count in told.items():
        if count > MAX_NOTED:
            yield BuildFinding(cast(Reason, reason), f"{count - MAX_NOTED} more of this kind", blocks=False)


def _structure(project: SubmittedProject) -> Iterator[BuildFinding]:
    yield from (
        BuildFinding("left-out", f"left out of the copy that runs: {item}", blocks=False) for item in project.left_out
    )
    if project.problem:
        yield BuildFinding("project-too-large", f"the project has {project.problem}")
        return
    if not project.has(PROJECT_FILE):
        elsewhere = [name for name in project.files if name.endswith(f"/{PROJECT_FILE}")]
        hint = f"; one is at {elsewhere[0]}, it must lie at the top" if elsewhere else ""
        yield BuildFinding("no-project", f"no {PROJECT_FILE} in the project folder{hint}")
        return
    found = settings.entries(project.settings_text())
    version = settings.value_of(found, "config_version") or ""
    if re.fullmatch("[0-9]{1,9}", version) and int(version) > _CONFIG_VERSION:
        yield BuildFinding(
            "newer-engine",
            f"config_version={version} is of a newer engine; {_CONFIG_VERSION} is read",
            PROJECT_FILE,
        )
    if in_the_way := autoload_in_the_way(project.settings_text(), (_PROBE,)):
        yield BuildFinding("autoload-name", in_the_way, PROJECT_FILE)
    main_scene = settings.value_of(found, "application/run/main_scene")
    if not main_scene:
        yield BuildFinding("no-main-scene", "no main scene is set (application/run/main_scene)", PROJECT_FILE)
    elif main_scene.startswith("res://") and not project.has(main_scene.removeprefix("res://")):
        yield BuildFinding("main-scene-missing", f"the main scene {main_scene} does not exist", PROJECT_FILE)
    if any(name.endswith(".cs") for name in project.files):
        yield BuildFinding("csharp", "C# scripts cannot run: the engine has no .NET", blocks=False)


def _import_findings(prepared: PreparedProject, project: SubmittedProject) -> Iterator[BuildFinding]:
    for message in prepared.messages:
        if match := re.search(r"Error importing '(res://[^']+)'", message.text):
            yield BuildFinding("resource-broken", "the engine cannot import this file", match.group(1), blocks=False)
    if prepared.problem:
        yield BuildFinding("import-failed", prepared.problem)


def _trace_findings(traces: TraceSet) -> Iterator[BuildFinding]:
    for reading in traces.readings:
        if reading.problem:
            yield BuildFinding("trace", f"{reading.problem}; this demo is not replayed", blocks=False)
            continue
        for rule in dict.fromkeys(liberty.rule for liberty in reading.liberties):
            alike = [liberty for liberty in reading.liberties if liberty.rule == rule]
            more = f"; {len(alike) - 1} more like it" if len(alike) > 1 else ""
            yield BuildFinding("trace-liberty", f"{alike[0]}: {alike[0].taken}{more} [{rule}]", blocks=False)
    for name in traces.ignored:
        first = f"only the first {len(traces.readings)} traces by name are replayed"
        yield BuildFinding("trace", f"{TRACE_FOLDER}/{name}: ignored, {first}", blocks=False)
    if not traces.traces:
        yield BuildFinding("no-trace", f"no usable trace in {TRACE_FOLDER}/: at least one is needed to show the game")


# Under load a slow game may look like one of these: try again next time instead of remembering it.
_NOT_REMEMBERED = {"hang", "limit"}


def _launch_once(
    prepared: PreparedProject, project: SubmittedProject, machine: Machine, *, fresh: bool, remember: bool
) -> tuple[list[BuildFinding], str]:
    """What launching this very project gave before, or now."""
    ours = [path.read_text(encoding="utf-8") for path in (_PROBE, held_back.SCRIPT)]
    parts = [prepared.digest, machine.engine.version, *ours, machine.sandbox.confined]
    path = place("gates", f"{key_of(parts)}.json")
    if not fresh:
        with contextlib.suppress(TypeError, KeyError):
            remembered = recalled(path)
            return [BuildFinding(**finding) for finding in remembered["findings"]], remembered["log"]
    findings, log = _launch(prepared, project, machine)
    if remember and not _NOT_REMEMBERED & {finding.reason for finding in findings}:
        write_json(path, {"findings": [asdict(finding) for finding in findings], "log": log})
    return findings, log


def _launch(prepared: PreparedProject, project: SubmittedProject, machine: Machine) -> tuple[list[BuildFinding], str]:
    marker = f"GATE {secrets.token_hex(16)} "
    told = {"marker": marker, "scripts": [f"res://{name}" for name in project.scripts]}
    reports: list[str] = []

    def watch(line: bytes) -> bool:  # as it comes: the log may be cut before it
        _, found, report = line.decode("utf-8", errors="replace").partition(marker)
        if found:
            reports.append(report)
        return bool(found)

    with work_folder("gate") as work, told_once(json.dumps(told).encode()) as stdin:
        harness = work / "harness"
        harness.mkdir()
        (harness / _PROBE.name).write_bytes(_PROBE.read_bytes())
        start = GameStart(
            arguments=("--headless", "--fixed-fps", "30", "--quit-after", "60"),
            limits=LAUNCH_LIMITS,
            extra=(no_proc(work),),
        )
        job = game_job(machine, prepared, HostScript(harness, _PROBE.name, first=True), start)
        with cpu_token(), machine.sandbox.start(job, watch, stdin=stdin) as running:
            running.wait(until=lambda: bool(reports))  # how it quits is not asked, and engines were seen to hang there
            finished = running.stop()
    # The first report was made before the game could have seen the word that it begins with.
    probed = _parsed(reports[0]) if reports else None
    return list(_launch_findings(finished, probed, parse_log(finished.text))), finished.text


def _parsed(report: str) -> dict[str, object] | None:
    """None for what is no report of our probe."""
    try:
        probed = parse_json(report)
    except UnreadableFileError:
        return None
    return probed if isinstance(probed, dict) and {"broken", "scene"} <= probed.keys() else None


_IN_SCENE = re.compile(r"^(res://.+?):(\d+) - Parse Error: (.*)$")
_LOST_RESOURCE = re.compile(r"referenced non-existent resource at: (res://.*?)\.?$")
_NOT_BLOCKING = re.compile(r"ObjectDB instances|resources still in use|RID allocations|Leaked instance|orphan", re.I)


def _launch_findings(
    finished: Finished, probed: dict[str, object] | None, messages: tuple[EngineMessage, ...]
) -> Iterator[BuildFinding]:
    broken = [str(path) for path in probed["broken"]] if probed and isinstance(probed["broken"], list) else []
    explained: set[str] = set()
    for message in messages:
        if message.severity == "warning":
            yield BuildFinding("warning", message.text, message.where, blocks=False)
        elif message.text.startswith(("Parse Error", "Compile Error")):
            explained.add(message.file or "")
            # What the game prints may look the same: the probe, where it came to speak, knows better.
            yield BuildFinding(
                "script-error", message.text, message.where, blocks=probed is None or message.file in broken
            )
        elif match := _IN_SCENE.match(message.text):
            where = f"{match[1]}:{match[2]}"
            if lost := _LOST_RESOURCE.search(match[3]):
                yield BuildFinding("resource-missing", f"{lost[1]} cannot be loaded", where)
            else:
                yield BuildFinding("scene-broken", match[3], where)
        elif not _NOT_BLOCKING.search(message.text):
            yield BuildFinding("runtime-error", message.text, message.where, blocks=False)
    for path in broken:
        if path not in explained:
            yield BuildFinding("script-error", "this script does not compile", path)
    if finished.ending == "wall time":
        yield BuildFinding("hang", f"the game did not get through its first frames in {LAUNCH_LIMITS.wall_sec:.0f} s")
    elif finished.ending not in ("exited", "stopped"):
        yield BuildFinding("limit", f"the game {finished.describe()} on launch")
    elif probed is None:
        code = finished.exit_code
        if code in (0, 1):
            yield BuildFinding(
                "quit", f"the game quit within its first frames, or removed our probe ({finished.describe()})"
            )
        else:
            yield BuildFinding("crash", f"the engine crashed on launch ({finished.describe()})")
    elif not probed["scene"]:
        yield BuildFinding("no-scene", "no scene is running after the first frames")
